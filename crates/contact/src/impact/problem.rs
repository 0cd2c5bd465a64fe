//! What an impact law is given.

use crate::error::{ContactError, finite, length, non_negative, within};
use crate::problem::FrictionContactProblem;
use crate::problem::delassus::Delassus;
use glam::DVec3;
use klast_numerics::mutant;

/// One contact of an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactContact {
    /// Relative velocity before, `(n, t1, t2)` in m/s.
    pub velocity: DVec3,
    /// Friction coefficient.
    pub mu: f64,
    /// Restitution `e` in [0, 1]: of velocities (Newton), impulses (Poisson) or work (Stronge).
    pub restitution: f64,
    /// Tangential restitution `e_t` in [-1, 1], used by Newton and the sequential law: friction seeks
    /// `u_t⁺ = −e_t u_t⁻` instead of stick.
    pub tangential_restitution: f64,
    /// Contacts of one pair of bodies with one normal may share a number; Poisson and Stronge then treat those that
    /// close as one contact at their mean point. `None`: on its own.
    pub group: Option<u32>,
}

impl ImpactContact {
    /// A contact on its own, without friction or restitution. Values are checked by [`ImpactProblem::new`].
    pub fn new(velocity: DVec3) -> Self {
        Self {
            velocity,
            mu: 0.0,
            restitution: 0.0,
            tangential_restitution: 0.0,
            group: None,
        }
    }

    /// With this friction coefficient.
    #[must_use]
    pub fn with_friction(self, mu: f64) -> Self {
        Self { mu, ..self }
    }

    /// With this restitution `e`.
    #[must_use]
    pub fn with_restitution(self, restitution: f64) -> Self {
        Self {
            restitution,
            ..self
        }
    }
}

/// An impact: the Delassus operator and the contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactProblem {
    w: Delassus,
    contacts: Vec<ImpactContact>,
}

impl ImpactProblem {
    /// Checks and keeps the data.
    ///
    /// # Errors
    /// When the counts differ, a number is not finite, `mu` is negative, or a restitution is out of range.
    pub fn new(w: Delassus, contacts: Vec<ImpactContact>) -> Result<Self, ContactError> {
        length("number of contacts", contacts.len(), w.contacts())?;
        for c in &contacts {
            for x in c.velocity.to_array() {
                finite("velocity", x)?;
            }
            non_negative("mu", c.mu)?;
            within(
                "restitution",
                c.restitution,
                |e| (0.0..=1.0).contains(&e),
                "0 to 1",
            )?;
            within(
                "tangential restitution",
                c.tangential_restitution,
                |e| (-1.0..=1.0).contains(&e),
                "-1 to 1",
            )?;
        }
        Ok(Self { w, contacts })
    }

    /// The Delassus operator.
    pub fn w(&self) -> &Delassus {
        &self.w
    }

    /// The contacts.
    pub fn contacts(&self) -> &[ImpactContact] {
        &self.contacts
    }

    /// The same impact, plastic: no restitution, neither normal nor tangential.
    #[must_use]
    pub fn without_restitution(&self) -> Self {
        let mut plastic = self.clone();
        for c in &mut plastic.contacts {
            (c.restitution, c.tangential_restitution) = (0.0, 0.0);
        }
        plastic
    }

    /// Relative velocities before.
    pub fn velocities_before(&self) -> Vec<DVec3> {
        self.contacts.iter().map(|c| c.velocity).collect()
    }

    /// The problem whose `u` is `u⁺` shifted by restitution: `q_n = (1 + e) u_n⁻`, `q_t = (1 + e_t) u_t⁻`.
    pub(super) fn newton(&self) -> Result<FrictionContactProblem, ContactError> {
        self.posed(|c| {
            let e = c.restitution * mutant::factor("newton-restitution", 0.999);
            let (n, t) = (1.0 + e, 1.0 + c.tangential_restitution);
            c.velocity * DVec3::new(n, t, t)
        })
    }

    pub(super) fn posed(
        &self,
        q: impl Fn(&ImpactContact) -> DVec3,
    ) -> Result<FrictionContactProblem, ContactError> {
        let mu = self.contacts.iter().map(|c| c.mu).collect();
        FrictionContactProblem::new(self.w.clone(), self.contacts.iter().map(q).collect(), mu)
    }
}

//! The frictional contact problem: `W`, `q`, `μ` and nothing else.

use super::delassus::Delassus;
use super::jacobian::Jacobian;
use crate::error::{ContactError, finite, length, non_negative};
use glam::DVec3;

/// Find `r` with `u = W r + q` and `K* ∋ u + μ‖u_T‖ n ⟂ r ∈ K_μ` at each contact.
///
/// De Saxcé & Feng (1998), "The bipotential method", Math. Comput. Modelling 28; no body, no step size, no restitution.
#[derive(Debug, Clone, PartialEq)]
pub struct FrictionContactProblem {
    w: Delassus,
    q: Vec<DVec3>,
    mu: Vec<f64>,
    /// The bodies that `w` was assembled from, where solving by them is the shorter way.
    jacobian: Option<Jacobian>,
}

impl FrictionContactProblem {
    /// Checks and keeps the data: `w` in 1/kg, `q` in m/s as `(n, t1, t2)`, `mu` without unit.
    ///
    /// # Errors
    /// When lengths differ, `q` is not finite, or a friction coefficient is negative or not finite.
    pub fn new(w: Delassus, q: Vec<DVec3>, mu: Vec<f64>) -> Result<Self, ContactError> {
        let n = w.contacts();
        for (field, found) in [("length of q", q.len()), ("length of mu", mu.len())] {
            length(field, found, n)?;
        }
        for v in &q {
            for x in v.to_array() {
                finite("q", x)?;
            }
        }
        for &m in &mu {
            non_negative("mu", m)?;
        }
        Ok(Self {
            w,
            q,
            mu,
            jacobian: None,
        })
    }

    /// Gives the data back, `(w, q, mu)`, to be filled for the next problem.
    pub fn into_parts(self) -> (Delassus, Vec<DVec3>, Vec<f64>) {
        (self.w, self.q, self.mu)
    }

    /// The same problem with the bodies that `w` was assembled from.
    pub(crate) fn with_jacobian(mut self, jacobian: Option<Jacobian>) -> Self {
        self.jacobian = jacobian;
        self
    }

    pub(crate) fn jacobian(&self) -> Option<&Jacobian> {
        self.jacobian.as_ref()
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.q.len()
    }

    /// The Delassus operator.
    pub fn w(&self) -> &Delassus {
        &self.w
    }

    /// Relative velocities without impulses, m/s.
    pub fn q(&self) -> &[DVec3] {
        &self.q
    }

    /// Friction coefficients.
    pub fn mu(&self) -> &[f64] {
        &self.mu
    }

    /// `u_i = Σ_j W_ij r_j + q_i`; what is missing counts as zero.
    #[inline]
    pub fn velocity(&self, i: usize, r: &[DVec3]) -> DVec3 {
        self.w.row_times(i, r) + self.q.get(i).copied().unwrap_or_default()
    }

    /// All relative velocities `u = W r + q`; impulses that are missing count as zero.
    pub fn velocities(&self, r: &[DVec3]) -> Vec<DVec3> {
        (0..self.contacts()).map(|i| self.velocity(i, r)).collect()
    }
}

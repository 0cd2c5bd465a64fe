//! The penalty law of one contact.
//!
//! Normal force (N), from the Minkowski overlap `δ` (m) and its rate `δ̇` (m/s):
//!
//! `F_n = k_n δ^p + c₀ √(k_n m_eff) δ^((p−1)/2) δ̇`, `1/m_eff = 1/m_a + 1/m_b`
//!
//! `k_n` in N/m^p, exponent `p ≥ 1`: 1 is the linear spring, 3/2 the Hertz type (Feng and Tan 2021 for the
//! elastic part). The power of `δ` in the dissipative part makes the restitution independent of the speed:
//! with `s = δ^((p+1)/2)` the head-on collision is a damped linear oscillator of ratio `ζ = c₀/√(2(p+1))`
//! (p = 3/2: Antypov and Elliott 2011). So one solution for `ζ(e)` serves every exponent. Where the contact
//! is let go, see [`Release`].
//!
//! Tangential force: a spring `−k_s ξ` with `ξ̇ = v_t`, cut to `μ F_n` (Cundall and Strack 1979); `ξ` is kept in the
//! tangent plane as the normal turns. `k_s` in N/m.
//!
//! Limits: `e` is met for head-on impacts of two free bodies; an eccentric impact has a smaller effective mass at
//! the contact than `m_eff`, hence a slightly lower ratio of separating to closing speed.

use crate::error::DemError;
use glam::DVec3;
use klast_numerics::check::{require, within};
use klast_numerics::mutant;
use klast_numerics::roots::bisect;

/// When a damped contact is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Release {
    /// As soon as the force would pull: `F_n ≥ 0`. The restitution of the oscillator released there is
    /// Schwager and Pöschel 2007; it is positive for any finite damping.
    #[default]
    NoTension,
    /// When the overlap is gone; the force pulls at the end. `ζ = −ln e / √(π² + ln² e)`, the textbook form.
    ZeroOverlap,
}

/// Parameters of the contact between two materials.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "PenaltyLawParameters"))]
pub struct PenaltyLaw {
    normal_stiffness: f64,
    exponent: f64,
    restitution: f64,
    release: Release,
    tangential_stiffness: f64,
    friction: f64,
    /// `c₀` above, from the restitution.
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    damping: f64,
}

/// A law as it is read, before it is known to be one.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct PenaltyLawParameters {
    normal_stiffness: f64,
    exponent: f64,
    restitution: f64,
    release: Release,
    tangential_stiffness: f64,
    friction: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<PenaltyLawParameters> for PenaltyLaw {
    type Error = DemError;

    fn try_from(read: PenaltyLawParameters) -> Result<Self, DemError> {
        Self::elastic(read.normal_stiffness, read.exponent)?
            .with_restitution(read.restitution, read.release)?
            .with_friction(read.friction, read.tangential_stiffness)
    }
}

impl PenaltyLaw {
    /// A frictionless elastic law `F = k δ^p`, k in N/m^p.
    ///
    /// # Errors
    /// [`DemError::OutOfRange`] for a stiffness that is not positive or an exponent outside 1 to 4.
    pub fn elastic(normal_stiffness: f64, exponent: f64) -> Result<Self, DemError> {
        Ok(Self {
            normal_stiffness: require(
                "normal stiffness",
                normal_stiffness,
                normal_stiffness > 0.0,
                "> 0 N/m^p",
            )?,
            exponent: within("exponent", exponent, (1.0, 4.0), "1 to 4")?,
            restitution: 1.0,
            release: Release::NoTension,
            tangential_stiffness: 0.0,
            friction: 0.0,
            damping: 0.0,
        })
    }

    /// The law with restitution `restitution` in (0, 1].
    ///
    /// # Errors
    /// [`DemError::OutOfRange`] outside 1e-3 to 1. (Released without tension, `e → 0` needs infinite damping: at 1e-3
    /// the ratio is already `ζ ≈ 16`.)
    pub fn with_restitution(self, restitution: f64, release: Release) -> Result<Self, DemError> {
        let restitution = within("restitution", restitution, (1e-3, 1.0), "0.001 to 1")?;
        let ratio = match release {
            Release::NoTension => no_tension_ratio(restitution),
            Release::ZeroOverlap => {
                let log = libm::log(restitution);
                -log / libm::hypot(std::f64::consts::PI, log)
            }
        };
        let damping = ratio * (2.0 * (self.exponent + 1.0)).sqrt();
        Ok(Self {
            restitution,
            release,
            damping,
            ..self
        })
    }

    /// The law with friction coefficient `friction` and tangential stiffness `tangential_stiffness` (N/m).
    ///
    /// # Errors
    /// [`DemError::OutOfRange`] for a negative or infinite value.
    pub fn with_friction(self, friction: f64, tangential_stiffness: f64) -> Result<Self, DemError> {
        let friction = within("friction", friction, (0.0, 100.0), "0 to 100")?;
        let tangential_stiffness = within(
            "tangential stiffness",
            tangential_stiffness,
            (0.0, f64::MAX),
            ">= 0 N/m",
        )?;
        Ok(Self {
            friction,
            tangential_stiffness,
            ..self
        })
    }

    /// `k_n`, N/m^p.
    #[must_use]
    pub fn normal_stiffness(&self) -> f64 {
        self.normal_stiffness
    }

    /// `p`.
    #[must_use]
    pub fn exponent(&self) -> f64 {
        self.exponent
    }

    /// `e`.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        self.restitution
    }

    /// When a contact is over.
    #[must_use]
    pub fn release(&self) -> Release {
        self.release
    }

    /// `μ`.
    #[must_use]
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// `k_s`, N/m.
    #[must_use]
    pub fn tangential_stiffness(&self) -> f64 {
        self.tangential_stiffness
    }

    /// Elastic energy stored at overlap `depth`, J: `k δ^(p+1)/(p+1)`.
    #[must_use]
    pub fn potential(&self, depth: f64) -> f64 {
        if depth <= 0.0 {
            return 0.0;
        }
        self.elastic_force(depth) * depth / (self.exponent + 1.0)
    }

    /// Elastic part of the normal force, N.
    #[must_use]
    pub fn elastic_force(&self, depth: f64) -> f64 {
        if depth <= 0.0 {
            0.0
        } else if self.exponent == 1.0 {
            self.normal_stiffness * depth
        } else {
            self.normal_stiffness
                * libm::pow(
                    depth,
                    self.exponent * mutant::factor("rockfill-exponent", 1.001),
                )
        }
    }

    /// Dissipative part of the normal force, N, for overlap `depth`, its rate `closing` (m/s, positive while the
    /// bodies approach) and the effective mass (kg). Already cut so that the sum does not pull, if so asked.
    #[must_use]
    pub fn dissipative_force(&self, depth: f64, closing: f64, effective_mass: f64) -> f64 {
        if self.damping == 0.0 || depth <= 0.0 {
            return 0.0;
        }
        let power = if self.exponent == 1.0 {
            1.0
        } else {
            libm::pow(depth, 0.5 * (self.exponent - 1.0))
        };
        let force = self.damping
            * mutant::factor("rockfill-damping", 1.01)
            * (self.normal_stiffness * effective_mass).sqrt()
            * power
            * closing;
        match self.release {
            Release::NoTension => force.max(-self.elastic_force(depth)),
            Release::ZeroOverlap => force,
        }
    }

    /// Derivative of the elastic force at `depth`, N/m; sets the step.
    #[must_use]
    pub fn tangent_stiffness(&self, depth: f64) -> f64 {
        if self.exponent == 1.0 {
            self.normal_stiffness
        } else {
            self.exponent * self.normal_stiffness * libm::pow(depth.max(0.0), self.exponent - 1.0)
        }
    }

    /// Advances the tangential spring and cuts it to the friction cone.
    ///
    /// `stretch` is the spring of the last step (m, world), `normal` the unit normal now, `slip` the relative
    /// tangential displacement of this step (m), `normal_force` in N. Gives the new stretch; the force is `−k_s` times
    /// it, on the body whose displacement `slip` is.
    #[must_use]
    pub fn advance_spring(
        &self,
        stretch: DVec3,
        normal: DVec3,
        slip: DVec3,
        normal_force: f64,
    ) -> DVec3 {
        if self.tangential_stiffness == 0.0 || self.friction == 0.0 {
            return DVec3::ZERO;
        }
        // The spring turns with the tangent plane and keeps its length: dropping the normal part alone would
        // bleed energy from a rolling contact.
        let length = stretch.length();
        let mut tangent = stretch - normal * normal.dot(stretch);
        let flat = tangent.length();
        tangent = if flat > 0.0 {
            tangent * (length / flat)
        } else {
            DVec3::ZERO
        };
        let trial = tangent + slip - normal * normal.dot(slip);
        let friction = self.friction * mutant::factor("rockfill-friction", 1.01);
        let limit = friction * normal_force.max(0.0) / self.tangential_stiffness;
        let size = trial.length();
        if size > limit {
            trial * (limit / size)
        } else {
            trial
        }
    }
}

/// Restitution of a damped linear oscillator of ratio `zeta`, released when its force vanishes
/// (Schwager and Pöschel 2007).
#[must_use]
pub fn no_tension_restitution(zeta: f64) -> f64 {
    if zeta <= 0.0 {
        1.0
    } else if (zeta - 1.0).abs() < 1e-9 {
        // Both branches tend to e^-2 there.
        libm::exp(-2.0)
    } else if zeta < 1.0 {
        let root = ((1.0 - zeta) * (1.0 + zeta)).sqrt();
        let phase = libm::atan2(2.0 * zeta * root, 2.0 * zeta * zeta - 1.0);
        libm::exp(-zeta / root * phase)
    } else {
        let root = ((zeta - 1.0) * (zeta + 1.0)).sqrt();
        // ln((ζ+√)/(ζ−√)) = 2 ln(ζ+√), without the cancellation of ζ−√.
        libm::exp(-zeta / root * 2.0 * libm::log(zeta + root))
    }
}

/// The damping ratio that gives `restitution`, by bisection: the map falls monotonically from 1.
fn no_tension_ratio(restitution: f64) -> f64 {
    if restitution >= 1.0 {
        return 0.0;
    }
    let (low, high) = bisect(0.0, 64.0, 80, |ratio| {
        no_tension_restitution(ratio) <= restitution
    });
    0.5 * (low + high)
}

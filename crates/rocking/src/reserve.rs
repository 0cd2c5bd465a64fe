//! Reserve energy: the rotation of a rocking block by an equivalent linear oscillator, and the factor that is left to
//! the largest motion that it carries.
//!
//! At a rotation θ about the corner of the weaker side the mass centre has risen by r(θ) = R (cos(α − θ) − cos α). The
//! oscillator of the same energy has ω² = 2 g r/(i θ²), with i = k² + R² the moment of inertia about the corner over
//! the mass. A base acceleration a turns the block by the moment m h a, so the oscillator reaches θ under the spectral
//! acceleration Sa = i ω² θ/h = 2 g r/(h θ): the capacity. Its damping is that of one impact each half wave, β =
//! γ/√(4π² + γ²) with γ = −2 ln η.
//!
//! The best estimate of the rotation is the θ from which on the demand Sa(2π/ω, β) stays within the capacity, and the
//! reserve factor is capacity over demand at the slenderness, where the block is at its balance. With
//! h, C_I = i/h² and f = r/h these are the steps by which Dar (2014, *Evaluation of seismic design criteria for rocking
//! objects in nuclear facilities*, McMaster University) describes appendix A.2 of ASCE/SEI 43-05, without its terms for
//! vertical motion. The factors that a standard asks for are inputs of the user.
//!
//! Up to twice the acceleration that lifts the block off the method sees no rocking, where time histories already show
//! it, even to overturning under a long pulse: [`Estimate::NotSeen`].

use klast_numerics::check::require;

use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use crate::restitution::Restitution;

/// Rotations at which capacity and demand are compared before they are refined.
const PARTS: usize = 60;
/// Halvings of an interval of rotations.
const HALVINGS: usize = 40;

/// A block as an oscillator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReserveEnergy {
    /// Slenderness of the weaker side (rad).
    slenderness: f64,
    /// Distance of the mass centre from its corner (m).
    radius: f64,
    /// Of the mass centre (m).
    height: f64,
    /// About the corner, over the mass (m²).
    inertia: f64,
    gravity: f64,
    damping: f64,
}

/// The oscillator of one rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EquivalentOscillator {
    /// Period (s).
    pub period: f64,
    /// Damping ratio.
    pub damping: f64,
    /// Spectral acceleration (m/s²) that takes it to the rotation.
    pub capacity: f64,
}

/// What the method says of one motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reserve {
    /// Best estimate of the largest rotation.
    pub estimate: Estimate,
    /// Capacity over demand at the slenderness: the factor on the motion up to which there is an estimate.
    pub factor: f64,
}

/// Best estimate of the largest rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Estimate {
    /// The peak acceleration does not lift the block off.
    Rests,
    /// It lifts the block off, and the demand is within the capacity at all rotations: the method sees no rocking.
    NotSeen,
    /// It rocks up to this rotation (rad).
    Rocks(f64),
    /// At the slenderness the demand is above the capacity.
    Overturns,
}

impl ReserveEnergy {
    /// Of a block with a restitution.
    ///
    /// # Errors
    /// A coefficient of restitution of 0 or less, or of 1 or more: impacts then stop the block, or damp nothing.
    pub fn new(block: &RockingBlock, restitution: &Restitution) -> Result<Self, RockingError> {
        let slenderness = |side: Side| block.corner(side).slenderness;
        let side = match slenderness(Side::Left) < slenderness(Side::Right) {
            true => Side::Left,
            false => Side::Right,
        };
        let corner = block.corner(side);
        let eta = restitution.coefficient(block, side);
        let accepted = "above 0 and below 1 for an equivalent damping";
        require(
            "coefficient of restitution",
            eta,
            eta > 0.0 && eta < 1.0,
            accepted,
        )?;
        let gamma = -2.0 * libm::log(eta);
        let wave = std::f64::consts::TAU;
        Ok(Self {
            slenderness: corner.slenderness,
            radius: corner.radius,
            height: block.centre_height(),
            inertia: block.gyration_squared() + corner.radius * corner.radius,
            gravity: block.gravity(),
            damping: gamma / libm::hypot(wave, gamma),
        })
    }

    /// Slenderness of the weaker side (rad).
    pub fn slenderness(&self) -> f64 {
        self.slenderness
    }

    /// Damping ratio.
    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// The oscillator of a rotation (rad) above 0.
    pub fn at(&self, rotation: f64) -> EquivalentOscillator {
        // cos(α − θ) − cos α without the difference of like numbers.
        let half = 0.5 * rotation;
        let rise = 2.0 * self.radius * libm::sin(self.slenderness - half) * libm::sin(half);
        let stiff = 2.0 * self.gravity * rise / rotation;
        EquivalentOscillator {
            period: std::f64::consts::TAU * (self.inertia * rotation / stiff).sqrt(),
            damping: self.damping,
            capacity: stiff / self.height,
        }
    }

    /// What a motion of a peak acceleration (m/s²) and of the spectral acceleration `demand` (period in s, damping
    /// ratio) leaves.
    ///
    /// # Errors
    /// Those of `demand`.
    pub fn under(
        &self,
        peak: f64,
        demand: impl Fn(f64, f64) -> Result<f64, RockingError>,
    ) -> Result<Reserve, RockingError> {
        let factor = |rotation: f64| -> Result<f64, RockingError> {
            let one = self.at(rotation);
            Ok(one.capacity / demand(one.period, one.damping)?)
        };
        let step = self.slenderness / PARTS as f64;
        let last = factor(self.slenderness)?;
        let mut estimate = Estimate::NotSeen;
        if peak <= self.gravity * libm::tan(self.slenderness) {
            estimate = Estimate::Rests;
        } else if last < 1.0 {
            estimate = Estimate::Overturns;
        } else {
            for k in (1..PARTS).rev() {
                let low = step * k as f64;
                if factor(low)? < 1.0 {
                    estimate = Estimate::Rocks(halved(low, low + step, &factor)?);
                    break;
                }
            }
        }
        Ok(Reserve {
            estimate,
            factor: last,
        })
    }
}

/// The rotation at which a factor that rises through 1 between two rotations does so.
fn halved(
    mut low: f64,
    mut high: f64,
    factor: &impl Fn(f64) -> Result<f64, RockingError>,
) -> Result<f64, RockingError> {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        match factor(middle)? >= 1.0 {
            true => high = middle,
            false => low = middle,
        }
    }
    Ok(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assess::Estimates;

    /// A spectrum of constant velocity V has Sa = 2π V/T. Capacity and demand are then equal where ½ (m h V)²/(m i) is
    /// the rise of the weight: the balance of energy after a step of the base velocity, in closed form; and the factor
    /// is the velocity that brings the block to its balance over V.
    #[test]
    fn a_spectrum_of_constant_velocity_is_the_balance_of_energy() {
        let slim = RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap();
        let lopsided = RockingBlock::unsymmetric(0.2, 0.4, 0.9, 0.3, 9.81).unwrap();
        for block in [slim, lopsided] {
            let reserve = ReserveEnergy::new(&block, &Restitution::housner()).unwrap();
            let balance = Estimates::of(&block).balance_velocity;
            for share in [0.2, 0.5, 0.9, 1.1] {
                let velocity = share * balance;
                let demand = |period: f64, _: f64| Ok(velocity * std::f64::consts::TAU / period);
                let found = reserve.under(f64::INFINITY, demand).unwrap();
                assert!((found.factor * share - 1.0).abs() < 1e-12, "{found:?}");
                let (alpha, radius) = (reserve.slenderness, reserve.radius);
                let speed = block.centre_height() * velocity;
                let rise = 0.5 * speed * speed / (reserve.inertia * block.gravity());
                let cosine = alpha.cos() + rise / radius;
                match found.estimate {
                    Estimate::Rocks(rotation) => {
                        let wanted = alpha - cosine.acos();
                        assert!((rotation - wanted).abs() < 1e-9, "{rotation} {wanted}");
                    }
                    other => {
                        assert!(cosine > 1.0 && other == Estimate::Overturns, "{found:?}");
                    }
                }
            }
        }
    }

    /// A constant spectral acceleration between one and two times g tan α lifts the block off and is not seen to rock
    /// it; one below does not lift it off.
    #[test]
    fn what_lifts_off_without_rocking_is_not_seen() {
        let block = RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap();
        let reserve = ReserveEnergy::new(&block, &Restitution::housner()).unwrap();
        let lift_off = block.lift_off_acceleration();
        // The least capacity, at α, is 2 g R (1 − cos α)/(h α): 1.0 times g tan α for a slender block.
        let least = reserve.at(reserve.slenderness).capacity / lift_off;
        for (share, wanted) in [
            (0.9, Estimate::Rests),
            (0.5 * (1.0 + least), Estimate::NotSeen),
        ] {
            let found = reserve.under(lift_off * (share + 1e-9), |_, _| Ok(0.9 * lift_off * least));
            assert_eq!(found.unwrap().estimate, wanted, "{share} {least}");
        }
    }

    /// Of a slender rectangle 1 − η is 3/2 sin²α, C_I = 4/3 (1 + tan²α) and the capacity tends to 2 g tan α.
    #[test]
    fn the_oscillator_of_a_rectangle_is_that_of_its_closed_form() {
        let block = RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap();
        let reserve = ReserveEnergy::new(&block, &Restitution::housner()).unwrap();
        let a = 0.25f64;
        let (theta, inertia) = (0.1f64, 4.0 / 3.0 * (1.0 + a * a));
        let rise = theta.cos() + a * theta.sin() - 1.0;
        let one = reserve.at(theta);
        let omega = (2.0 * rise * 9.81 / (inertia * theta * theta)).sqrt();
        assert!((one.period * omega / std::f64::consts::TAU - 1.0).abs() < 1e-12);
        assert!((one.capacity - 2.0 * 9.81 * rise / theta).abs() < 1e-12);
        let gamma = -2.0 * (1.0 - 2.0 * a * a / inertia).ln();
        let damping = gamma / (4.0 * std::f64::consts::PI.powi(2) + gamma * gamma).sqrt();
        assert!((one.damping - damping).abs() < 1e-14);
        let still = Restitution::new(crate::RestitutionModel::Given { eta: 1.0 }).unwrap();
        assert!(ReserveEnergy::new(&block, &still).is_err());
    }
}

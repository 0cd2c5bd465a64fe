//! Reserve energy: the rotation of a rocking block by an equivalent linear oscillator, and the factor that is left to
//! the largest motion that it carries.
//!
//! At a rotation θ about the corner of the weaker side the mass centre has risen by r(θ) = R (cos(α − θ) − cos α). The
//! oscillator of the same energy has ω² = 2 g r/(i θ²), with i = k² + R² the moment of inertia about the corner over the
//! mass. A base acceleration a turns the block by the moment m h a, so the oscillator reaches θ under the spectral
//! acceleration Sa = i ω² θ/h = 2 g r/(h θ): the capacity. Its damping is that of one impact each half wave, β =
//! γ/√(4π² + γ²) with γ = −2 ln η.
//!
//! The best estimate of the rotation is the least θ at which the demand Sa(2π/ω, β) is no more than the capacity. With
//! h, C_I = i/h² and f = r/h these are the steps by which Dar (2014, *Evaluation of seismic design criteria for rocking
//! objects in nuclear facilities*, McMaster University) describes appendix A.2 of ASCE/SEI 43-05, without its terms for
//! vertical motion. The factors that a standard asks for are inputs of the user.
//!
//! A rotation of 0 means that the method sees no rocking: it does so up to twice the acceleration that lifts the block
//! off, where time histories already show it rock a little.

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
    /// Best estimate of the largest rotation (rad); none where the demand is above the capacity up to the slenderness.
    pub rotation: Option<f64>,
    /// Largest factor on the motion for which a rotation up to the slenderness carries it.
    pub factor: f64,
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
            damping: gamma / wave.hypot(gamma),
        })
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

    /// What a motion of the spectral acceleration `demand` (period in s, damping ratio) leaves.
    ///
    /// # Errors
    /// Those of `demand`.
    pub fn under(
        &self,
        demand: impl Fn(f64, f64) -> Result<f64, RockingError>,
    ) -> Result<Reserve, RockingError> {
        let factor = |rotation: f64| -> Result<f64, RockingError> {
            let one = self.at(rotation);
            Ok(one.capacity / demand(one.period, one.damping)?)
        };
        let step = self.slenderness / PARTS as f64;
        let mut rotation = None;
        let (mut most, mut peak) = (0.0, 1);
        for k in 1..=PARTS {
            let found = factor(step * k as f64)?;
            if found > most {
                (most, peak) = (found, k);
            }
            if rotation.is_none() && found >= 1.0 {
                rotation = Some(match k {
                    1 => 0.0,
                    _ => halved(step * (k - 1) as f64, step * k as f64, &factor)?,
                });
            }
        }
        let (low, high) = (peak - 1, (peak + 1).min(PARTS));
        let refined = largest(step * low as f64, step * high as f64, &factor)?;
        Ok(Reserve {
            rotation,
            factor: most.max(refined),
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

/// The largest factor between two rotations by thirds: of one peak the peak, of several one of them.
fn largest(
    mut low: f64,
    mut high: f64,
    factor: &impl Fn(f64) -> Result<f64, RockingError>,
) -> Result<f64, RockingError> {
    for _ in 0..HALVINGS / 2 {
        let third = (high - low) / 3.0;
        match factor(low + third)? < factor(high - third)? {
            true => low += third,
            false => high -= third,
        }
    }
    factor(0.5 * (low + high))
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
                let found = reserve.under(demand).unwrap();
                // The peak of the factor is flat: an error of θ of 1e-4 costs its square.
                assert!((found.factor * share - 1.0).abs() < 1e-7, "{found:?}");
                let (alpha, radius) = (reserve.slenderness, reserve.radius);
                let speed = block.centre_height() * velocity;
                let rise = 0.5 * speed * speed / (reserve.inertia * block.gravity());
                let cosine = alpha.cos() + rise / radius;
                match found.rotation {
                    Some(rotation) => {
                        let wanted = alpha - cosine.acos();
                        assert!((rotation - wanted).abs() < 1e-9, "{rotation} {wanted}");
                    }
                    None => assert!(cosine > 1.0, "{found:?}"),
                }
            }
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

//! The check by reserve energy beside the time histories.

use klast_ground_motion::Component;
use klast_rocking::reserve::{Estimate, Reserve, ReserveEnergy};
use klast_rocking::{Restitution, RockingBlock};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit_verdict::LimitVerdict;
use klast_runs::faults::{Fault, Faults};

/// The check by reserve energy: an equivalent linear oscillator of the energy and the impacts of the object, free on a
/// rigid base, under the spectrum of each scaled motion. The procedure is that of appendix A.2 of ASCE/SEI 43-05 as Dar
/// (2014) describes it, without vertical motion; the factors are those of the standard that is applied.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReserveScene {
    /// Required reserve factor, above 0: spectral acceleration that the energy of the object carries at its
    /// slenderness, over that of the scaled motion at the period and damping of this rotation.
    pub required_factor: f64,
    /// Factor, above 0, by which the best estimate of the rotation is multiplied before it is compared with the
    /// slenderness.
    pub angle_factor: f64,
}

/// A check that is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// Its factors.
    factors: ReserveScene,
    /// The object as an oscillator.
    energy: ReserveEnergy,
}

impl ReserveScene {
    /// The check of a block.
    ///
    /// # Errors
    /// A factor that is not above 0; a restitution without an equivalent damping.
    pub fn build(self, block: &RockingBlock, restitution: &Restitution) -> Result<Asked, Faults> {
        let mut faults = Faults::default();
        for (key, found) in [
            ("required_factor", self.required_factor),
            ("angle_factor", self.angle_factor),
        ] {
            faults.check(found > 0.0 && found.is_finite(), || {
                Fault::new(key, found).accepted("above 0")
            });
        }
        let energy = faults.take("", ReserveEnergy::new(block, restitution));
        faults.or_all(|| {
            Some(Asked {
                factors: self,
                energy: energy?,
            })
        })
    }
}

impl Asked {
    /// What the method says of each motion.
    ///
    /// # Errors
    /// A motion whose spectrum is refused.
    pub fn estimates(&self, motions: &[Component]) -> Result<Vec<Reserve>> {
        let one = |motion: &Component| {
            let demand = |period, damping| Ok(motion.spectral_acceleration(period, damping)?);
            Ok(self.energy.under(motion.peak_acceleration(), demand)?)
        };
        motions.iter().map(one).collect()
    }

    /// The best estimate of the rotation over the slenderness, where there is one.
    pub fn share(&self, one: &Reserve) -> Option<f64> {
        match one.estimate {
            Estimate::Rests => Some(0.0),
            Estimate::Rocks(rotation) => Some(rotation / self.energy.slenderness()),
            Estimate::NotSeen | Estimate::Overturns => None,
        }
    }

    /// Whether a motion meets both factors; none where the method does not see that the object rocks.
    fn meets(&self, one: &Reserve) -> Option<bool> {
        let turned = self
            .share(one)
            .map(|share| share * self.factors.angle_factor);
        let seen = one.estimate != Estimate::NotSeen;
        let carried = one.factor >= self.factors.required_factor;
        (seen || !carried).then(|| carried && turned.is_some_and(|turned| turned <= 1.0))
    }

    /// The check of all motions; `overturned` tells those in which time histories overturn the object.
    pub fn answer(&self, found: &[Reserve], overturned: &[bool]) -> ReserveAnswer {
        let asked = self.factors;
        let met: Vec<Option<bool>> = found.iter().map(|one| self.meets(one)).collect();
        let count = |wanted: Option<bool>| met.iter().filter(|one| **one == wanted).count();
        let against = met.iter().zip(overturned);
        let against = against
            .filter(|(met, fell)| **met == Some(true) && **fell)
            .count();
        let factors = found.iter().map(|one| one.factor);
        let logs: f64 = factors.clone().map(libm::log).sum();
        ReserveAnswer {
            verdict: match (count(Some(false)), count(None) + against) {
                (0, 0) => LimitVerdict::Met,
                (0, _) => LimitVerdict::Undecided,
                _ => LimitVerdict::NotMet,
            },
            motions_that_meet: count(Some(true)),
            motions_not_seen: count(None),
            motions_that_overturn_all_the_same: against,
            least_factor: factors.fold(f64::INFINITY, f64::min),
            mean_factor: libm::exp(logs / found.len().max(1) as f64),
            equivalent_damping: self.energy.damping(),
            required_factor: asked.required_factor,
            angle_factor: asked.angle_factor,
        }
    }
}

/// The check by reserve energy.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReserveAnswer {
    /// Met if, in every motion, the reserve factor is at least `required_factor`, and the best estimate of the rotation
    /// times `angle_factor` at most the slenderness. Undecided if the method does not see that a motion rocks the
    /// object, or if the time history of a motion that meets both overturns it.
    pub verdict: LimitVerdict,
    /// Number of motions that meet both.
    pub motions_that_meet: usize,
    /// Number of motions that lift the object off although the method sees no rocking: their peak acceleration is below
    /// about twice that of lift-off.
    pub motions_not_seen: usize,
    /// Number of motions that meet both and whose time histories overturn the object.
    pub motions_that_overturn_all_the_same: usize,
    /// Least reserve factor of all motions.
    pub least_factor: f64,
    /// Geometric mean of the reserve factors.
    pub mean_factor: f64,
    /// Equivalent damping ratio, of one impact each half wave.
    pub equivalent_damping: f64,
    /// Required reserve factor of the scene.
    pub required_factor: f64,
    /// Factor on the rotation of the scene.
    pub angle_factor: f64,
}

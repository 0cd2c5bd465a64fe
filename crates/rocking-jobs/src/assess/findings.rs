//! What is assessed, and what the runs gave.

use super::reserve::Asked;
use crate::common::foundation::Support;
use crate::common::space::Space;
use klast_ground_motion::Component;
use klast_rocking::assess::{Estimates, LimitState, Target};
use klast_rocking::fragility::{Answer, Campaign, Fraction, Intensities, IntensityMeasure};
use klast_rocking::reserve::Reserve;
use klast_rocking::{ContactDemand, RockingBlock, RockingError};

/// What is assessed.
pub struct Posed {
    /// The object.
    pub block: RockingBlock,
    /// Friction coefficient, if one is given.
    pub friction: Option<f64>,
    /// What holds it and what it stands on.
    pub support: Support,
    /// Names of the motions.
    pub names: Vec<String>,
    /// Motions of the ground, scaled to the target; none of a body in space.
    pub ground: Vec<Component>,
    /// Motions of the floor, which move the object, times the factors of the ground; none of a body in space.
    pub motions: Vec<Component>,
    /// A body in space with its triplets, scaled to the target.
    pub space: Option<Space>,
    /// PGA (m/s²) and PGV (m/s) of each motion of the floor; of a triplet over its directions.
    pub peaks: Vec<(f64, f64)>,
    /// Factors that the target gave.
    pub factors: Vec<f64>,
    /// What they are scaled to.
    pub target: Target,
    /// The states that must not be reached.
    pub limits: Vec<LimitState>,
    /// The check by reserve energy, if it is asked for.
    pub reserve: Option<Asked>,
    /// Duration of each simulation (s).
    pub duration: f64,
    /// Remarks on the motions.
    pub remarks: Vec<String>,
}

/// What the runs gave.
pub struct Findings {
    /// All responses.
    pub campaign: Campaign,
    /// What is known without a run.
    pub estimates: Estimates,
    /// Of each motion at the target; none of a body in space.
    pub held: Vec<Hold>,
    /// Of each limit state, at the target.
    pub fractions: Vec<Fraction>,
    /// Measure of the intensity.
    pub measure: IntensityMeasure,
    /// Intensity of each motion at each factor on the target.
    pub intensities: Intensities,
    /// By reserve energy, of each motion at the target; none where it is not asked for.
    pub reserves: Vec<Reserve>,
    /// Of each limit state.
    pub answers: Vec<Answer>,
}

impl Posed {
    /// Number of records.
    pub fn records(&self) -> usize {
        self.names.len()
    }

    /// The intensity of every record at every factor on the target.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn intensities(
        &self,
        measure: IntensityMeasure,
        magnitudes: Vec<f64>,
    ) -> Result<Intensities, RockingError> {
        match &self.space {
            Some(space) => space.intensities(measure, &self.block, magnitudes),
            None => Intensities::of(measure, &self.block, &self.ground, magnitudes),
        }
    }
}

/// What a motion asks of what holds the object, in its worse polarity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hold {
    /// Friction that it needs so that nothing slips.
    pub friction: f64,
    /// Whether a restrainer breaks, with slip where a friction is given.
    pub breaks: bool,
}

/// The friction on which an outcome rests: of a block that overturns that up to its balance.
pub fn decisive(contact: &ContactDemand, falls: bool) -> f64 {
    match falls {
        true => contact.needed_friction_to_balance,
        false => contact.needed_friction,
    }
}

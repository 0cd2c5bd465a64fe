//! Many simulations on one core: eight blocks in lanes under horizontal motion, each refilled as soon as its block is
//! done.
//!
//! After the end of the motion a block is free: its fate follows from its energy, and the impacts that are still to
//! come are elliptic integrals (`elliptic`). A block's result depends on nothing but its own case.

mod fate;
mod lockstep;
mod simulate;
mod workspace;

pub use simulate::simulate_batch;
pub use workspace::BatchWorkspace;

use crate::block::RockingBlock;
use crate::compliant::Foundation;
use crate::equation::Equation;
use crate::error::RockingError;
use crate::lanes::Instructions;
use crate::limits::{OverturningMode, check_limits, check_rotation};
use crate::planar::Engine;
use crate::restitution::Restitution;
use crate::restraint::Restraint;
use klast_ground_motion::Component;
use klast_numerics::check::require;

/// One simulation of a batch: a block released at rest, on a base that moves horizontally.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The block.
    pub block: RockingBlock,
    /// Its restitution.
    pub restitution: Restitution,
    /// Horizontal motion of the base.
    pub motion: Component,
    /// Rotation at the start (rad).
    pub rotation: f64,
}

/// What holds for all simulations of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BatchOptions {
    /// The model: with slip the equation is the nonlinear one, and `watched_impact` is not looked at.
    pub engine: Engine,
    /// Equation of motion.
    pub equation: Equation,
    /// Restrainers of every block; only with the nonlinear equation.
    pub restraint: Option<Restraint>,
    /// Springs and dashpots under every block; only with the nonlinear equation.
    pub foundation: Option<Foundation>,
    /// End of the simulations (s).
    pub duration: f64,
    /// Rotation that counts as overturned (rad).
    pub overturned_at: f64,
    /// Whether a block whose fate is decided is followed to rest or to the end of the time all the same, impact by
    /// impact; with slip only then is the largest slip known.
    pub follow: bool,
    /// Height over the base (m), 0 or more, of the points of a block whose horizontal way is kept. With it every block
    /// is followed by the planar loop, event by event, and [`CaseResult::events`] is known.
    pub reach_height: Option<f64>,
    /// Number of the impact whose time is reported.
    pub watched_impact: usize,
    /// Instruction set.
    pub instructions: Instructions,
    /// Largest number of steps of one simulation.
    pub max_steps: usize,
}

impl BatchOptions {
    /// Refuses options and a case that are out of range, without a run.
    ///
    /// # Errors
    /// The first number of them.
    pub fn check(&self, case: &Case) -> Result<(), RockingError> {
        check_limits(self.duration, self.overturned_at)?;
        if let Some(height) = self.reach_height {
            require("height of a point", height, height >= 0.0, "0 m or more")?;
        }
        check_rotation(case.rotation, self.overturned_at)
    }

    /// Restrainers and a compliant base have the nonlinear equation alone.
    pub(crate) fn check_equation(&self) -> Result<(), RockingError> {
        let by = "an equation for small rotations";
        match (self.equation, self.foundation) {
            (Equation::Nonlinear, _) => Ok(()),
            (_, Some(_)) => Err(RockingError::NotCompliant { by }),
            _ if self.restraint.is_some() => Err(RockingError::NotRestrained { by }),
            _ => Ok(()),
        }
    }

    /// Nonlinear equation, overturned at π/2, decided as early as possible.
    pub fn new(duration: f64) -> Self {
        Self {
            engine: Engine::NoSlip,
            equation: Equation::Nonlinear,
            restraint: None,
            foundation: None,
            duration,
            overturned_at: std::f64::consts::FRAC_PI_2,
            follow: false,
            reach_height: None,
            watched_impact: 0,
            instructions: Instructions::Widest,
            max_steps: 10_000_000,
        }
    }
}

/// What became of a block of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fate {
    /// It never left the base.
    Rest,
    /// It slid on its base and never left it; only where blocks may slide.
    Slid,
    /// It rocked and cannot overturn any more: the base is still, and this flight and all later ones turn back below
    /// the balance and below the rotation of overturning.
    Stable,
    /// It still rocks at the end, on a moving base or with enough energy to overturn.
    Rocking,
    /// It overturned.
    Overturned(OverturningMode),
}

/// Result of one simulation of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseResult {
    /// Outcome of the block.
    pub fate: Fate,
    /// Number of impacts followed.
    pub impacts: usize,
    /// Steps of the series.
    pub steps: usize,
    /// Largest rotation in either direction (rad).
    pub largest_rotation: f64,
    /// Largest slip from the start in either direction (m); 0 where blocks do not slide, and none where the simulation
    /// was ended as soon as the fate was known, before the slip was.
    pub largest_slip: Option<f64>,
    /// What was seen at its events; none of a block in lanes.
    pub events: Option<CaseEvents>,
    /// Contact problems without a solution or with more than one; 0 where blocks do not slide.
    pub unresolved: usize,
    /// Time at which the simulation was ended or decided (s).
    pub end_time: f64,
    /// Time of the watched impact (s), when it came.
    pub watched_time: Option<f64>,
}

/// What is seen at the events of one simulation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CaseEvents {
    /// Largest velocity (m/s) with which a corner landed on a rigid base.
    pub landing: f64,
    /// Largest way (m) to either side of the points at the stated height.
    pub reach: f64,
    /// Largest force of a restrainer over its strength.
    pub pull: f64,
    /// Whether a restrainer broke.
    pub broken: bool,
}

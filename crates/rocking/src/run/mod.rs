//! The motion of one block from its start to rest, to overturning or to the end of the time, with exact events.

mod event_loop;
mod restrained;
mod simulate;

pub use simulate::{simulate, simulate_at};

use crate::block::Side;
use crate::equation::Equation;
use crate::error::RockingError;
use crate::force;
use crate::limits::{OverturningMode, check_limits, check_rotation, check_samples};
use crate::planar::SlideRockEnergy;
use crate::restraint::{RestrainerReport, Restraint};
use klast_numerics::check::require;

/// Rotation at which a block lies on its side.
const FALLEN: f64 = std::f64::consts::FRAC_PI_2;

/// What to integrate and how long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Equation of motion.
    pub equation: Equation,
    /// End of the simulation (s).
    pub duration: f64,
    /// Rotation at the start (rad), clockwise positive.
    pub rotation: f64,
    /// Angular velocity at the start (rad/s).
    pub angular_velocity: f64,
    /// Rotation that counts as overturned (rad); π/2 unless stated.
    pub overturned_at: f64,
    /// Interval of the samples of the history (s); none when absent.
    pub sample: Option<f64>,
    /// Friction coefficient at which the no-slip model is questioned; without one the run says what friction it needs.
    pub friction: Option<f64>,
    /// Restrainers; only of the nonlinear equation.
    pub restraint: Option<Restraint>,
    /// Largest number of steps.
    pub max_steps: usize,
}

impl Options {
    /// A block at rest, the nonlinear equation, `duration` seconds.
    pub fn new(duration: f64) -> Self {
        Self {
            equation: Equation::Nonlinear,
            duration,
            rotation: 0.0,
            angular_velocity: 0.0,
            overturned_at: FALLEN,
            sample: None,
            friction: None,
            restraint: None,
            max_steps: 10_000_000,
        }
    }

    /// Released at rest from `rotation` (rad).
    pub fn released(duration: f64, rotation: f64) -> Self {
        Self {
            rotation,
            ..Self::new(duration)
        }
    }

    /// Refuses numbers that are out of range, without a run.
    ///
    /// # Errors
    /// The first of them.
    pub fn check(&self) -> Result<(), RockingError> {
        check_limits(self.duration, self.overturned_at)?;
        check_rotation(self.rotation, self.overturned_at)?;
        require("angular velocity", self.angular_velocity, true, "finite")?;
        if let Some(step) = self.sample {
            require("sample interval", step, step > 0.0, "above 0 s")?;
            check_samples(self.duration, step)?;
        }
        if let Some(mu) = self.friction {
            require("friction coefficient", mu, mu > 0.0, "above 0")?;
        }
        if self.restraint.is_some() && self.equation != Equation::Nonlinear {
            return Err(RockingError::NotRestrained {
                by: "an equation for small rotations",
            });
        }
        Ok(())
    }
}

/// An event of the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// The block leaves the base.
    LiftOff {
        /// Time (s).
        time: f64,
        /// Corner it pivots on.
        side: Side,
    },
    /// The block hits the base and changes its corner.
    Impact {
        /// Time (s).
        time: f64,
        /// Corner it pivots on afterwards.
        side: Side,
        /// Angular velocity before (rad/s).
        before: f64,
        /// Angular velocity after (rad/s).
        after: f64,
    },
    /// The block comes to rest, after infinitely many impacts or at one that it does not rock on from.
    Rest {
        /// Time (s).
        time: f64,
    },
    /// A restrainer breaks.
    Broke {
        /// Time (s).
        time: f64,
        /// Its number, from 0 in the order given.
        restrainer: usize,
    },
    /// The block lies on its side.
    Overturned {
        /// Time (s).
        time: f64,
        /// Side it fell to.
        side: Side,
    },
}

impl Event {
    /// Time of the event (s).
    pub fn time(&self) -> f64 {
        match *self {
            Self::LiftOff { time, .. }
            | Self::Impact { time, .. }
            | Self::Rest { time }
            | Self::Broke { time, .. }
            | Self::Overturned { time, .. } => time,
        }
    }
}

/// Outcome of the block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// It never left the base.
    Rest,
    /// It rocked and rests at the end.
    Settled,
    /// It still rocks at the end of the simulation.
    Rocking,
    /// It overturned.
    Overturned(OverturningMode),
}

/// A sample of the history.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Time (s).
    pub time: f64,
    /// Rotation (rad), clockwise positive.
    pub rotation: f64,
    /// Angular velocity (rad/s).
    pub angular_velocity: f64,
    /// Angular acceleration (rad/s²).
    pub angular_acceleration: f64,
}

/// What the restrainers of a run did.
#[derive(Debug, Clone, PartialEq)]
pub struct RestraintReport {
    /// Each, in the order given.
    pub restrainers: Vec<RestrainerReport>,
    /// Where the energy went.
    pub energy: SlideRockEnergy,
}

/// Result of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Outcome of the block.
    pub outcome: Outcome,
    /// All events; of an infinite sequence of impacts those before its sum was taken.
    pub events: Vec<Event>,
    /// Number of impacts in `events`.
    pub impacts: usize,
    /// Largest rotation reached in either direction (rad).
    pub largest_rotation: f64,
    /// Largest angular velocity in either direction, at impacts and at ends of steps (rad/s).
    pub largest_velocity: f64,
    /// History at the sample interval.
    pub samples: Vec<Sample>,
    /// What the motion needs of the contact, and when the model ends.
    pub contact: Option<force::ContactDemand>,
    /// What the restrainers did, where there are any.
    pub restraint: Option<RestraintReport>,
    /// State at the end: time, rotation, angular velocity.
    pub end: (f64, f64, f64),
}

impl Run {
    /// A run that has not gone anywhere yet.
    pub(crate) fn begun(options: &Options, contact: Option<force::ContactDemand>) -> Self {
        Self {
            outcome: Outcome::Rest,
            events: Vec::new(),
            impacts: 0,
            largest_rotation: options.rotation.abs(),
            largest_velocity: options.angular_velocity.abs(),
            samples: Vec::new(),
            contact,
            restraint: None,
            end: (0.0, options.rotation, options.angular_velocity),
        }
    }

    /// When the model without slip ends, by a slide or a jump: what the run says of later times does not hold.
    pub fn model_end(&self) -> Option<force::ModelEnd> {
        self.contact.and_then(|contact| contact.model_end)
    }

    /// Times of the impacts (s).
    pub fn impact_times(&self) -> Vec<f64> {
        let times = self.events.iter().filter_map(|event| match event {
            Event::Impact { time, .. } => Some(*time),
            _ => None,
        });
        times.collect()
    }

    /// Time at which the block came to rest for the last time (s).
    pub fn rest_time(&self) -> Option<f64> {
        self.events.iter().rev().find_map(|event| match event {
            Event::Rest { time } => Some(*time),
            _ => None,
        })
    }
}

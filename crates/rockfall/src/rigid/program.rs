//! Other programs' ways of running a rigid rock, so that one scene gives what they print.
//!
//! Identified from the columns that the RocFall3 rigid-body verification manual prints, by fitting each published value
//! (the programs do not document them): gravity, law, step and sampling that reproduce the printed digits.

use super::options::RigidOptions;
use klast_contact::ImpactLaw;
use klast_dynamics::single::Stepping;

/// A program whose columns are to be reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// Newton's law, gravity 9.80 m/s², contact noticed 0.11 ms late.
    RocFall3,
    /// Stronge's law, gravity 9.80665 m/s², states stored each 25 ms.
    RocFall2,
    /// Moreau's midpoint scheme with a step of 10 ms, Newton's law, gravity 9.81 m/s².
    Ramms,
}

impl Program {
    /// Gravity (m/s²).
    pub fn gravity(self) -> f64 {
        match self {
            Program::RocFall3 => 9.80,
            Program::RocFall2 => 9.80665,
            Program::Ramms => 9.81,
        }
    }

    /// The choices of the rigid-body engine.
    pub fn options(self) -> RigidOptions {
        let (impact_law, stepping) = match self {
            Program::RocFall3 => (ImpactLaw::default(), Stepping::Late(1.1e-4)),
            Program::RocFall2 => (ImpactLaw::Stronge, Stepping::EventDriven),
            Program::Ramms => (ImpactLaw::default(), Stepping::Midpoint(0.01)),
        };
        RigidOptions {
            impact_law,
            // What the programs print has the energy that their law makes.
            refuse_gains: false,
            stepping,
            ..RigidOptions::default()
        }
    }

    /// Interval at which the program stores states (s), where that is not its step: the velocities it prints for an
    /// impact are those of the last one before and the first one after.
    pub fn stored_every(self) -> Option<f64> {
        match self {
            Program::RocFall3 | Program::Ramms => None,
            Program::RocFall2 => Some(0.025),
        }
    }
}

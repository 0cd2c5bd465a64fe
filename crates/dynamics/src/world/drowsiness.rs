//! When bodies fall asleep, and what each knows of its rest.

use crate::{DynamicsError, Twist};
use klast_numerics::check::non_negative;

/// When an island falls asleep.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sleep {
    /// No point of its bodies is faster than this (m/s).
    pub speed: f64,
    /// For this long (s).
    pub after: f64,
}

impl Sleep {
    pub(super) fn check(&self) -> Result<(), DynamicsError> {
        for (field, found) in [("sleep speed", self.speed), ("sleep after", self.after)] {
            non_negative(field, found)?;
        }
        Ok(())
    }
}

/// What a body knows of its rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Drowsiness {
    /// Steps in which it has been slow.
    pub slow: u32,
    /// Steps that it has slept, if it sleeps.
    pub slept: Option<u32>,
}

/// Speed below which a driven boundary stands (m/s): what rounding leaves of a motion that has ended.
pub(super) const STANDS: f64 = 1e-9;

/// Whether a given velocity is none.
pub(super) fn stands(velocity: &Twist) -> bool {
    velocity.linear.length() <= STANDS && velocity.angular.length() <= STANDS
}

impl Drowsiness {
    pub const AWAKE: Self = Self {
        slow: 0,
        slept: None,
    };
}

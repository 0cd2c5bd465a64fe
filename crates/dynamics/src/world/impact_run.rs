//! What impacts of a step need, kept from step to step.

use crate::Twist;
use std::ops::Range;

/// What impacts of a step need, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct ImpactRun {
    pub(super) pairs: Vec<Pair>,
    /// Gap of each contact (m) at the present moment of the step, had nothing but the impacts changed the velocities.
    pub(super) gaps: Vec<f64>,
    /// Velocities of all members at that moment.
    pub(super) velocities: Vec<Twist>,
    /// Bodies with another velocity than at the start of the step, and that.
    pub(super) changed: Vec<(u32, Twist)>,
}

/// A pair of bodies whose contacts may bounce.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    /// Its contacts among those of the step.
    pub(super) contacts: Range<usize>,
    /// Where it meets next at the present velocities.
    pub(super) meets: Option<Meeting>,
}

/// A contact that closes within the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
    /// When (s from the start of the step).
    pub(super) time: f64,
    /// How fast (m/s).
    pub(super) speed: f64,
    /// Which of the contacts of the step.
    pub(super) contact: usize,
}

impl Meeting {
    /// The sooner first, of two at once the faster.
    pub(super) fn before(&self, other: &Self) -> std::cmp::Ordering {
        self.time
            .total_cmp(&other.time)
            .then(other.speed.total_cmp(&self.speed))
    }
}

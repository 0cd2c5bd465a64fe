//! What sustained contact keeps from step to step.

use super::pressure::{Corner, Pressures};
use glam::DVec3;
use klast_numerics::ode::Dopri853;

/// Buffers of sustained contact.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Features that stuck in the last step.
    pub(super) stuck: Vec<u32>,
    pub(super) method: Option<Dopri853>,
    pub(super) corners: Vec<Corner>,
    pub(super) pressures: Pressures,
}

impl Buffers {
    pub(crate) fn forget(&mut self) {
        self.stuck.clear();
    }
}

/// What goes from step to step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    /// Since when, and about where, the body is in one place.
    pub(super) place: (f64, DVec3),
    /// What taking it out of the ground has cost it there (J).
    pub(super) paid: f64,
    /// What contacts took of the energy of its way into the ground (J).
    pub(super) taken_in: f64,
    /// Short steps to be taken.
    pub(super) short: u32,
    /// Steps to be taken before a slide is tried again.
    pub(super) no_slide: u32,
    /// When a point last struck in sustained contact.
    pub(super) struck: f64,
}

impl Memory {
    pub(crate) fn new(place: DVec3) -> Self {
        Self {
            place: (0.0, place),
            paid: 0.0,
            taken_in: 0.0,
            short: 0,
            no_slide: 0,
            struck: f64::NEG_INFINITY,
        }
    }
}

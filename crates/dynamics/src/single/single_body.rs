//! A body, or one after the other, over ground of one shape, and what a run says of itself.

use super::audit::EnergyLedger;
use super::impact::Impact;
use super::observer::StopReason;
use super::options::Options;
use super::way_in::Dug;
use crate::{DynamicsError, State};
use klast_geometry::ContactPoint;
use klast_geometry::terrain::Terrain;

/// Runs of one body at a time over ground of one shape.
#[derive(Clone)]
pub struct SingleBody<'a> {
    pub(super) terrain: &'a dyn Terrain,
    pub(super) options: Options,
}

/// What happened in a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// Flights, impacts and stretches of sustained contact.
    pub steps: usize,
    /// Steps in sustained contact.
    pub contact_steps: usize,
    /// Slides that were followed in closed form or to the accuracy of rounding.
    pub slides: usize,
    /// Contact problems that missed their tolerance.
    pub unconverged: usize,
    /// Steps without a load that ended deeper in the ground than they began, and deeper than a thousandth of the
    /// radius.
    pub forced: usize,
    /// Whether it swung in place until it was taken for stopped.
    pub swinging: bool,
    /// Greatest depth to which an impact went into ground that yields (m).
    pub deepest: f64,
    /// Sums of the energy audits of all phases.
    pub energy: EnergyLedger,
}

/// A run that has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// The state at the end.
    pub state: State,
    /// The time at the end (s).
    pub time: f64,
    /// Why it ended.
    pub reason: StopReason,
    /// What happened.
    pub tally: Tally,
}

/// The first impact of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstImpact {
    /// When (s).
    pub time: f64,
    /// Pose and velocities just before.
    pub before: State,
    /// Pose and velocities just after.
    pub after: State,
    /// Where the body and the ground touch.
    pub contacts: Vec<ContactPoint>,
    /// What the impact did.
    pub impact: Impact,
    /// How deep the body went in, where the ground yielded.
    pub dug: Option<Dug>,
}

impl<'a> SingleBody<'a> {
    /// A run over a terrain. Refused: options outside of their meaning.
    pub fn new(terrain: &'a dyn Terrain, options: Options) -> Result<Self, DynamicsError> {
        options.validate()?;
        Ok(Self { terrain, options })
    }

    /// The ground's shape.
    pub fn terrain(&self) -> &'a dyn Terrain {
        self.terrain
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }
}

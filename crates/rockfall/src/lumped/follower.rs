//! Who follows a lumped mass on its way.

use crate::arc::Arc;
use crate::stop::Outcome;
use glam::DVec3;
use klast_geometry::terrain::Area;
use std::ops::ControlFlow;

/// A slide in closed form over one facet, before it is shown in arcs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glide {
    /// Time at its beginning since the run began (s).
    pub time: f64,
    /// How long it lasts (s).
    pub duration: f64,
    /// Where it ends (m).
    pub end: DVec3,
    /// Velocities at its beginning and at its end (m/s): it is fastest at one of them, as speed is convex in σ.
    pub velocities: [DVec3; 2],
    /// Rotational kinetic energy (J).
    pub rotational_energy: f64,
    /// It does not leave this rectangle in plan.
    pub plan: Area,
}

/// Follows a lumped mass arc by arc; what breaks has caught it.
pub(crate) trait Follower {
    /// The next arc.
    fn arc(&mut self, arc: &Arc) -> ControlFlow<Outcome>;

    /// A flight from a facet to another place on it: at both ends it is on the ground, which is even in between.
    fn hop(&mut self, arc: &Arc) -> ControlFlow<Outcome> {
        self.arc(arc)
    }

    /// A slide begins; whether it has to be shown in arcs.
    fn begins(&mut self, _: &Glide) -> bool {
        true
    }

    /// An arc that stands for a part of a slide.
    fn part(&mut self, arc: &Arc) -> ControlFlow<Outcome> {
        self.arc(arc)
    }

    /// The slide has ended, and whether it was shown in arcs.
    fn ends(&mut self, _: &Glide, _shown: bool) {}
}

impl<F: FnMut(&Arc) -> ControlFlow<Outcome> + ?Sized> Follower for &mut F {
    fn arc(&mut self, arc: &Arc) -> ControlFlow<Outcome> {
        self(arc)
    }
}

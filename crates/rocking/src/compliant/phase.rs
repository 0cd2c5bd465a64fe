//! The equations between two events: the same springs press and the block leans to the same side.

use super::base::{Forces, Support};
use crate::block::Side;
use klast_dynamics::ground_motion::Piece;
use klast_dynamics::ode::{Crossing, Event, OdeSystem};

/// The block while the same springs press and it leans to the same side, with the work of the base and the loss of the
/// dashpots as further unknowns.
pub(super) struct Phase<'a> {
    pub(super) support: &'a Support,
    pub(super) pieces: (&'a Piece, &'a Piece),
    /// The edge it leans to; none where it starts upright and at rest, when the rotation tells.
    pub(super) lean: Option<Side>,
    pub(super) closed: [bool; 2],
}

impl Phase<'_> {
    pub(super) fn lean(&self, theta: f64) -> Side {
        self.lean.unwrap_or_else(|| side_of(theta))
    }

    pub(super) fn forces(&self, y: [f64; 4]) -> Forces {
        match self.support.has_two_springs() {
            true => self.support.springs(y, self.closed),
            false => self.support.forces(y),
        }
    }

    pub(super) fn base(&self, t: f64) -> (f64, f64) {
        (self.pieces.0.acceleration(t), self.pieces.1.acceleration(t))
    }
}

pub(super) fn motion_of(y: &[f64]) -> [f64; 4] {
    std::array::from_fn(|i| y[i])
}

impl OdeSystem for Phase<'_> {
    fn dimension(&self) -> usize {
        6
    }

    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        let y = motion_of(y);
        let forces = self.forces(y);
        let base = self.base(t);
        let lean = self.lean(y[1]);
        let (up, turning) = self.support.accelerations(y, &forces, lean, base);
        let (swing, _) = self.support.swing(y[1], lean);
        let rise = y[2] - self.support.block.centre_height() * libm::sin(y[1]) * y[3];
        let work = -(base.0 * swing * y[3] + base.1 * rise);
        dy.copy_from_slice(&[y[2], y[3], up, turning, work, forces.lost]);
    }
}

/// Whether an edge is pressed; of one that is only its lifting counts, of a lifted one only its coming down, so that
/// the rounding an event leaves is none.
pub(super) struct Edge<'a> {
    pub(super) support: &'a Support,
    pub(super) at: f64,
    pub(super) crossing: Crossing,
}

impl Event for Edge<'_> {
    fn value(&self, _t: f64, y: &[f64]) -> f64 {
        self.support.pressed(self.at, motion_of(y))
    }

    fn crossing(&self) -> Crossing {
        self.crossing
    }
}

/// The edge a block leans to from here on; none where that is not decided yet.
pub(super) fn leaning(theta: f64, rate: f64) -> Option<Side> {
    let toward = if theta == 0.0 { rate } else { theta };
    (toward != 0.0).then(|| side_of(toward))
}

pub(super) fn side_of(toward: f64) -> Side {
    if toward < 0.0 {
        Side::Left
    } else {
        Side::Right
    }
}

pub(super) fn energy_of(support: &Support, y: [f64; 4]) -> f64 {
    support.energy(y, side_of(y[1]))
}

//! Where the positions of a world are measured from.
//!
//! A coordinate of 1e6 m is a multiple of 1e-10 m. Over a step of 2.5 ms a gap of that size is a velocity of 5e-8 m/s,
//! which is twice the tolerance for what stands there: rounding alone would change the contact problem from step to
//! step. A world that is far from the origin for the size of its bodies is therefore stepped in coordinates about
//! itself. What its users give and see is in theirs.

use super::contacts::WorldContact;
use super::state::{History, WorldState};
use crate::State;
use glam::DVec3;
use klast_geometry::{Plane, Pose};

/// Distance from the origin, in radii of the smallest free body, from which on positions are measured from elsewhere.
/// Nearer, a coordinate is a multiple of 1e-12 radii or less.
const FAR: f64 = 1e4;

/// What users see of a world whose positions are measured from elsewhere; nothing for another.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub states: Vec<State>,
    pub planes: Vec<Plane>,
    pub contacts: Vec<WorldContact>,
}

impl Seen {
    /// Takes what is so now.
    pub fn update(&mut self, state: &WorldState, history: &History) {
        let origin = state.origin;
        self.states.clear();
        self.planes.clear();
        self.contacts.clear();
        if origin == DVec3::ZERO {
            return;
        }
        let states = state.members.iter().map(|m| m.state);
        self.states.extend(states.map(|s| translated(&s, origin)));
        let planes = state.planes.iter().map(|b| b.plane);
        self.planes.extend(planes.map(|p| lifted(&p, origin)));
        let contacts = history.contacts.iter();
        self.contacts.extend(contacts.map(|c| WorldContact {
            point: c.point + origin,
            ..*c
        }));
    }
}

/// A state seen from elsewhere.
pub(super) fn translated(state: &State, by: DVec3) -> State {
    State {
        pose: Pose {
            translation: state.pose.translation + by,
            ..state.pose
        },
        ..*state
    }
}

/// A plane seen from elsewhere.
pub(super) fn lifted(plane: &Plane, by: DVec3) -> Plane {
    Plane {
        offset: plane.offset + plane.normal.dot(by),
        ..*plane
    }
}

/// Measures positions from where the free bodies are, if that is far from the origin. Once done nothing changes it but
/// a snapshot, so that a run does not depend on when bodies are added to it.
pub(super) fn place(state: &mut WorldState, history: &mut History) {
    if state.placed || state.free().next().is_none() {
        return;
    }
    state.placed = true;
    let origin = nearest(state);
    if origin == DVec3::ZERO {
        return;
    }
    for m in &mut state.members {
        m.state = translated(&m.state, -origin);
    }
    for b in &mut state.planes {
        b.plane = lifted(&b.plane, -origin);
    }
    for c in &mut history.contacts {
        c.point -= origin;
    }
    state.origin = origin;
}

/// The point nearest to the origin of the box about the centres of the free bodies; zero if it is not far.
fn nearest(state: &WorldState) -> DVec3 {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut smallest = f64::INFINITY;
    for m in state.free() {
        let at = m.state.pose.translation;
        (low, high) = (low.min(at), high.max(at));
        smallest = smallest.min(m.radius);
    }
    let point = DVec3::ZERO.max(low).min(high);
    match point.is_finite() && point.length() > FAR * smallest {
        true => point,
        false => DVec3::ZERO,
    }
}

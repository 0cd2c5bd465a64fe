//! Watching a run.

use crate::{Flight, Impact, State};
use klast_geometry::ContactPoint;

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StopReason {
    /// At rest, its contact forces in balance.
    AtRest,
    /// The centre passed the gate.
    PassedGate,
    /// The maximum time is up.
    MaximumTime,
    /// The maximum number of steps (flights, impacts, contact phases) is used up.
    MaximumSteps,
    /// The largest angle over which an attitude in flight is followed (1e6 rad in all, where the spin is about no principal axis) is
    /// used up: its rounding has grown to 1e-10, and its cost grows with the angle.
    MaximumTurn,
    /// Nothing is ever met: the body flies away.
    NoContact,
    /// A state stopped being finite; bad input, or a scale beyond floating point.
    NotFinite,
}

/// Receives what happens, in order. All methods do nothing by default; none can fail: a writer keeps its first error for itself.
pub trait Recorder {
    /// A flight from `time` on, `duration` long (s).
    fn flight(&mut self, _time: f64, _flight: &Flight, _duration: f64) {}
    /// An impact.
    fn impact(&mut self, _time: f64, _contacts: &[ContactPoint], _impact: &Impact) {}
    /// Motion in contact, from one state to another.
    fn contact(&mut self, _time: f64, _before: &State, _duration: f64, _after: &State) {}
    /// The end.
    fn stop(&mut self, _time: f64, _state: &State, _reason: StopReason) {}
}

impl Recorder for () {}

impl<R: Recorder + ?Sized> Recorder for &mut R {
    fn flight(&mut self, time: f64, flight: &Flight, duration: f64) {
        (**self).flight(time, flight, duration);
    }
    fn impact(&mut self, time: f64, contacts: &[ContactPoint], impact: &Impact) {
        (**self).impact(time, contacts, impact);
    }
    fn contact(&mut self, time: f64, before: &State, duration: f64, after: &State) {
        (**self).contact(time, before, duration, after);
    }
    fn stop(&mut self, time: f64, state: &State, reason: StopReason) {
        (**self).stop(time, state, reason);
    }
}

impl<A: Recorder, B: Recorder> Recorder for (A, B) {
    fn flight(&mut self, time: f64, flight: &Flight, duration: f64) {
        self.0.flight(time, flight, duration);
        self.1.flight(time, flight, duration);
    }
    fn impact(&mut self, time: f64, contacts: &[ContactPoint], impact: &Impact) {
        self.0.impact(time, contacts, impact);
        self.1.impact(time, contacts, impact);
    }
    fn contact(&mut self, time: f64, before: &State, duration: f64, after: &State) {
        self.0.contact(time, before, duration, after);
        self.1.contact(time, before, duration, after);
    }
    fn stop(&mut self, time: f64, state: &State, reason: StopReason) {
        self.0.stop(time, state, reason);
        self.1.stop(time, state, reason);
    }
}

//! Finding the first event within a step on its dense output.

use super::{Crossing, Dopri853, Event};
use crate::roots::chandrupatla;

/// Fractions of a step at which event functions are looked at. The first ones lie close to the start because a function
/// that starts at zero (after an impact) shows its sign only there; a step is short enough for the rest by its error
/// control.
const SAMPLES: [f64; 12] = [
    1e-6, 1e-4, 1e-2, 0.0625, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0,
];

/// Part of a step that is no time.
const ROUNDING: f64 = 1e-18;

/// An event found on the dense output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) index: usize,
    /// Where in the step, 0 to 1.
    pub(super) fraction: f64,
    /// Rate of the event function there, per second.
    pub(super) slope: f64,
}

/// The earliest event of the last step; of simultaneous ones the first in the list. `passed` is the event on whose zero
/// the step started, `scratch` room for a state.
pub(super) fn first(
    method: &Dopri853,
    events: &[&dyn Event],
    passed: Option<usize>,
    scratch: &mut [f64],
) -> Option<Candidate> {
    let mut best: Option<Candidate> = None;
    for (index, event) in events.iter().enumerate() {
        let Some(fraction) = first_root(method, *event, passed == Some(index), scratch) else {
            continue;
        };
        if best.is_none_or(|b| fraction < b.fraction) {
            let slope = slope(method, *event, fraction, scratch);
            best = Some(Candidate {
                index,
                fraction,
                slope,
            });
        }
    }
    best
}

fn value(method: &Dopri853, event: &dyn Event, fraction: f64, scratch: &mut [f64]) -> f64 {
    if fraction == 1.0 {
        return event.value(method.time(), method.state());
    }
    let t = method.step_start() + fraction * method.full_step();
    method.interpolate(t, scratch);
    event.value(t, scratch)
}

fn first_root(
    method: &Dopri853,
    event: &dyn Event,
    passed: bool,
    scratch: &mut [f64],
) -> Option<f64> {
    let at_start = if passed {
        0.0
    } else {
        event.value(method.step_start(), method.start_state())
    };
    let mut before = (0.0, at_start);
    let counts = |from: f64, to: f64| match event.crossing() {
        Crossing::Any => from != 0.0 && from * to <= 0.0,
        Crossing::Rising => from < 0.0 && to >= 0.0,
        Crossing::Falling => from > 0.0 && to <= 0.0,
    };
    for fraction in SAMPLES {
        let after = (fraction, value(method, event, fraction, scratch));
        if counts(before.1, after.1) {
            let at = |s| value(method, event, s, scratch);
            return Some(chandrupatla(before, after, ROUNDING, at).best);
        }
        before = after;
    }
    None
}

/// Rate of the event function on the dense output by a difference over a small part of the step.
fn slope(method: &Dopri853, event: &dyn Event, fraction: f64, scratch: &mut [f64]) -> f64 {
    let low = (fraction - 1e-4).max(0.0);
    let high = low + 2e-4;
    let difference =
        value_inside(method, event, high, scratch) - value_inside(method, event, low, scratch);
    difference / ((high - low) * method.full_step())
}

fn value_inside(method: &Dopri853, event: &dyn Event, fraction: f64, scratch: &mut [f64]) -> f64 {
    let t = method.step_start() + fraction * method.full_step();
    method.interpolate(t, scratch);
    event.value(t, scratch)
}

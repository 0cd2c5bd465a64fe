//! The start of a throw from the samples of its first flight.

use super::experiment::Experiment;
use super::throw::Sample;
use crate::RockfallError;
use glam::DVec3;
use klast_dynamics::State;

/// Samples nearer to the first impact than this part of the flight are left out: one may lie behind it.
const MARGIN: f64 = 0.02;

/// Where and how fast a throw begins, by its first flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstFlight {
    /// The body at the time of the first sample.
    pub start: State,
    /// Samples from which it was found.
    pub samples: usize,
}

/// The start that fits the samples before the first impact: least squares of x − ½ g t² = x₀ + v₀ t. Attitude and spin
/// are those of `start`. None where less than two samples stand before the first impact.
///
/// Which samples these are follows from the flight itself: samples are added one by one as long as the flight so far
/// says that the next comes before the impact.
///
/// # Errors
/// None that finite samples in the order of time could have.
pub fn first_flight(
    experiment: &Experiment,
    start: State,
    samples: &[Sample],
) -> Result<Option<FirstFlight>, RockfallError> {
    let end = samples.last().map_or(0.0, |s| s.time);
    for count in 2..=samples.len() {
        let own = samples.get(..count).unwrap_or(samples);
        let found = fitted(own, start, experiment.gravity);
        let touched = experiment.first_impact(found, end)?;
        let touched = touched.map_or(f64::INFINITY, |first| first.time) * (1.0 - MARGIN);
        if own.last().is_none_or(|last| last.time >= touched) {
            return Ok(None);
        }
        if samples.get(count).is_none_or(|next| next.time >= touched) {
            return Ok(Some(FirstFlight {
                start: found,
                samples: count,
            }));
        }
    }
    Ok(None)
}

fn fitted(samples: &[Sample], start: State, gravity: DVec3) -> State {
    let n = samples.len() as f64;
    let fallen = |s: &Sample| s.centre - 0.5 * s.time * s.time * gravity;
    let middle = samples.iter().map(|s| s.time).sum::<f64>() / n;
    let mean = samples.iter().map(fallen).sum::<DVec3>() / n;
    let across: DVec3 = samples.iter().map(|s| (s.time - middle) * fallen(s)).sum();
    let along: f64 = samples
        .iter()
        .map(|s| (s.time - middle) * (s.time - middle))
        .sum();
    let mut state = start;
    state.velocity.linear = across / along;
    state.pose.translation = mean - state.velocity.linear * middle;
    state
}

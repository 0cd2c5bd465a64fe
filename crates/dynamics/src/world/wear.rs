//! What the ties took and stored over a step.

use super::audit::StepReport;
use super::islands::Islands;
use super::state::WorldState;
use super::tied::{Mode, TieInStep};
use super::ties::{Failure, PlacedTie};
use crate::Twist;
use glam::DVec3;

/// What the ties of all islands took and stored goes into the audit, once bodies have moved: they have broken and
/// become longer by then. `free` are the velocities of what is driven.
pub(super) fn wear(
    state: &mut WorldState,
    islands: &mut Islands,
    free: &[Twist],
    report: &mut StepReport,
) {
    if state.ties.is_empty() {
        return;
    }
    let step = state.settings.step;
    for number in 0..islands.count() {
        let island = islands.island_mut(number);
        for t in &island.ties {
            let tie = &state.ties[t.tie as usize];
            let before = tie.energy(t.start.force);
            let linear = match t.mode {
                Mode::Broken => 0.0,
                Mode::Elastic | Mode::Yielding(_) => tie.energy(t.force(step)),
            };
            let work = boundary_work(t, tie, state, free);
            report.exchange.boundary_work += work;
            report.exchange.tie_loss -= t.impulse.dot(t.velocity) + linear - before;
            island.exchanged.given += work - (linear - before);
            island.exchanged.handled += before + linear + (t.impulse.dot(t.velocity)).abs();
            let now = tie.stretched(state.places());
            let (strength, failure) = (tie.strength(), tie.failure());
            let tie = &mut state.ties[t.tie as usize];
            tie.worn.broken |= t.mode == Mode::Broken;
            if let Some(strength) = strength.filter(|_| failure == Failure::Plastic) {
                tie.yield_to(strength, &now);
            }
            report.events.broken_ties += u64::from(t.mode == Mode::Broken);
            // What turning has added to the length, beyond the linear step.
            let end = state.ties[t.tie as usize].stored(state.places());
            report.exchange.scheme_loss -= end - linear;
        }
    }
}

/// Work of what is not free on a tie (J).
fn boundary_work(t: &TieInStep, tie: &PlacedTie, state: &WorldState, free: &[Twist]) -> f64 {
    let speed = |k: usize| match tie.bodies()[k] {
        Some(i) if !state.is_free(i) => {
            let centre = state.members[i].state.pose.translation;
            free.get(i)
                .map_or(DVec3::ZERO, |v| v.at(t.start.points[k] - centre))
        }
        _ => DVec3::ZERO,
    };
    t.impulse.dot(speed(1)) - t.impulse.dot(speed(0))
}

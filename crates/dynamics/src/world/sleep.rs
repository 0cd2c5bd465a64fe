//! Islands at rest may sleep: an option, off unless asked for.
//!
//! An island whose bodies have all been slower than a bound for some time is put to sleep as a whole: its velocities
//! become zero, the kinetic energy they had is a term of the audit, and no step looks at its pairs or solves it again.
//! Its contacts keep the impulses that hold it. It wakes as a whole when a free body that is awake, or a boundary that
//! moves, comes within reach of a contact, or when the scene is changed. What is awake and touches no sleeper has the
//! same bits as without sleep, since islands are solved one by one.
//!
//! Sleep is a guess about the future: a heap that creeps slower than the bound is frozen. Where rest is the question
//! leave it off.

use super::audit::StepReport;
use super::contacts::{PLANES, WorldContact};
use super::drowsiness::{Drowsiness, STANDS, stands};
use super::island::Island;
use super::islands::Islands;
use super::state::WorldState;
use crate::Twist;

/// Says of each island whether it sleeps through this step, and wakes those that something has come to: their bodies
/// get the free velocities of those who are awake.
pub(super) fn wake_the_touched(
    state: &mut WorldState,
    contacts: &[WorldContact],
    islands: &mut Islands,
    free: &mut [Twist],
) {
    if state.settings.sleep.is_none() {
        return;
    }
    for k in 0..islands.count() {
        let island = islands.island_mut(k);
        let all = island.bodies.iter().all(|&i| state.is_asleep(i as usize));
        island.asleep = all && !is_driven(state, contacts, island, free);
        if island.asleep {
            island.forget();
            continue;
        }
        for &i in &island.bodies {
            let m = &mut state.members[i as usize];
            if m.is_asleep() {
                m.drowsiness = Drowsiness::AWAKE;
                free[i as usize] = m.free_velocity(&state.settings, state.time);
            }
        }
    }
}

/// Counts slow steps and puts to sleep the islands that have been slow for long; enters what that took (J).
pub(super) fn fall_asleep(
    state: &mut WorldState,
    contacts: &[WorldContact],
    islands: &Islands,
    free: &[Twist],
    report: &mut StepReport,
) {
    let Some(sleep) = state.settings.sleep else {
        return;
    };
    let needed = sleep.after / state.settings.step;
    for island in islands.iter() {
        let driven = !island.asleep && is_driven(state, contacts, island, free);
        // Loads may change, and ties break, while nothing moves.
        let loaded = |i: &u32| {
            state
                .loads
                .iter()
                .flatten()
                .any(|load| load.body == *i as usize)
        };
        let mut all = island.ties.is_empty() && !island.bodies.iter().any(loaded);
        for &i in &island.bodies {
            let m = &mut state.members[i as usize];
            if let Some(slept) = &mut m.drowsiness.slept {
                *slept = slept.saturating_add(1);
                continue;
            }
            let slow = m.fastest(state.time, state.settings.step) <= sleep.speed && !driven;
            m.drowsiness.slow = if slow {
                m.drowsiness.slow.saturating_add(1)
            } else {
                0
            };
            all &= slow && f64::from(m.drowsiness.slow) >= needed;
        }
        if island.asleep || !all {
            continue;
        }
        for &i in &island.bodies {
            let m = &mut state.members[i as usize];
            report.exchange.sleep_loss += m.kinetic_energy();
            m.state.velocity = Twist::ZERO;
            m.drowsiness.slept = Some(0);
        }
    }
    report.asleep = state.members.iter().filter(|m| m.is_asleep()).count();
}

/// Whether something that is not free and moves touches an island.
fn is_driven(
    state: &WorldState,
    contacts: &[WorldContact],
    island: &Island,
    free: &[Twist],
) -> bool {
    let moves = |member: u32| match member.checked_sub(PLANES) {
        Some(k) => state
            .planes
            .get(k as usize)
            .is_some_and(|b| b.velocity.length() > STANDS),
        None => {
            let m = state.members.get(member as usize);
            m.is_some_and(|m| !m.is_free()) && free.get(member as usize).is_some_and(|v| !stands(v))
        }
    };
    let own = island.contacts.iter().map(|&k| &contacts[k as usize]);
    own.into_iter().any(|c| moves(c.first) || moves(c.second))
}

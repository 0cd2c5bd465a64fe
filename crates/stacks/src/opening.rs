//! Which shut interfaces open, from the accelerations: 0 ≤ λ_left ⟂ (φ̈)₊ ≥ 0 and 0 ≤ λ_right ⟂ (φ̈)₋ ≥ 0 at every shut
//! interface.

use super::Row;
use super::chain::{Chain, LeverTable, Vec2};
use super::complementarity::{Found, Trial, search};
use super::configuration::{Configuration, Pivot};
use super::corners::Corners;
use super::history::{StackEventKind, StackRun};
use super::motion::{Contact, Pose, accelerations, flow, shut_contact};
use super::sincos::sin_cos;
use super::state::StackState;
use super::{List, Stack};

/// What is within round-off of zero, relative to the weight carried and to gravity over the height.
const ROUND_OFF: f64 = 1e-12;

/// Angles and rates of the groups of a chain, from those of its interfaces.
pub(super) fn pose(chain: &Chain, phi: &Row, phi_rate: &Row) -> (Row, Pose) {
    let count = chain.groups().len();
    let zero = || Row::from_elem(0.0, count);
    let (mut angle, mut rate, mut cos, mut sin) = (zero(), zero(), zero(), zero());
    let (mut turned, mut turning) = (0.0, 0.0);
    for (g, group) in chain.groups().iter().enumerate() {
        turned += phi[group.first];
        turning += phi_rate[group.first];
        angle[g] = turned;
        rate[g] = turning;
        (sin[g], cos[g]) = sin_cos(turned);
    }
    (angle, Pose { cos, sin, rate })
}

/// Opens what the accelerations no longer hold shut, enters it, and tells `opened` of each interface.
pub(super) fn reconsider(
    stack: &Stack,
    state: &mut StackState,
    base: Vec2,
    run: &mut StackRun,
    mut opened: impl FnMut(usize),
) {
    let before = state.configuration;
    let found = openings(stack, &before, &state.phi, &state.phi_rate, base);
    run.diagnostics.unresolved += usize::from(!found.admissible);
    for k in 0..before.len() {
        let pivot = found.configuration.pivot(k);
        if pivot != before.pivot(k) {
            state.configuration.set(k, pivot);
            opened(k);
            run.record(StackEventKind::Opening, k, before, state);
        }
    }
}

/// The configuration the accelerations call for, with every interface shut in `configuration` free to open.
pub(super) fn openings(
    stack: &Stack,
    configuration: &Configuration,
    phi: &Row,
    phi_rate: &Row,
    base: Vec2,
) -> Found<()> {
    let mut free = List::from_elem(0, configuration.len());
    let mut count = 0;
    for (interface, pivot) in configuration.pivots().iter().enumerate() {
        if *pivot == Pivot::Full {
            free[count] = interface;
            count += 1;
        }
    }
    let any = |_| [Some(Pivot::Full), Some(Pivot::Left), Some(Pivot::Right)];
    free.truncate(count);
    let corners = || corners(stack, configuration, &free, phi, phi_rate, base);
    search(*configuration, &free, any, corners, |trial| {
        check(stack, trial, &free, phi, phi_rate, base)
    })
}

/// The pivots by the complementarity problem of the corners of the free interfaces: forces of inertia and weight that
/// the rates and the base leave when nothing opens.
fn corners(
    stack: &Stack,
    configuration: &Configuration,
    free: &[usize],
    phi: &[f64],
    phi_rate: &[f64],
    base: Vec2,
) -> Configuration {
    let blocks = configuration.len();
    let (mut cos, mut sin) = (Row::from_elem(1.0, blocks), Row::from_elem(0.0, blocks));
    let mut force = Vec::with_capacity(blocks);
    let table = LeverTable::new(stack, configuration);
    let (mut turned, mut turning, mut pivot) = (0.0, 0.0, base);
    for (j, block) in stack.blocks().iter().enumerate().take(blocks) {
        turned += phi[j];
        turning += phi_rate[j];
        (sin[j], cos[j]) = sin_cos(turned);
        let inwards = |lever: Vec2| lever.turned(cos[j], sin[j]) * (-turning * turning);
        force.push((pivot + inwards(table.levers()[j].centre)) * block.mass);
        pivot = pivot + inwards(table.levers()[j].arm);
    }
    let found =
        Corners::new(stack, configuration, (&cos, &sin), free).solve(&force, &vec![0.0; blocks]);
    let mut made = *configuration;
    for (&interface, pivot) in free.iter().zip(found) {
        made.set(interface, pivot);
    }
    made
}

fn check(
    stack: &Stack,
    trial: &Configuration,
    free: &[usize],
    phi: &Row,
    phi_rate: &Row,
    base: Vec2,
) -> Trial<()> {
    let chain = Chain::new(stack, trial);
    let (_, pose) = pose(&chain, phi, phi_rate);
    let acceleration = accelerations(&chain, &pose, base);
    let flow = flow(&chain, &pose, &acceleration, base);
    let mut advice = *trial;
    let mut violation = 0.0;
    for shut in chain.shut() {
        let contact = shut_contact(shut, &pose, &acceleration, &flow);
        let weight = shut.part.mass * stack.gravity();
        violation += corner_violation(&contact, shut.half, weight, shut.interface, &mut advice);
    }
    let unit = stack.gravity() / stack.total_height();
    for (g, group) in chain.groups().iter().enumerate() {
        if free.contains(&group.first) {
            let below = if g == 0 { 0.0 } else { acceleration[g - 1] };
            let opening = (acceleration[g] - below) * group.sign / unit;
            if opening < -ROUND_OFF {
                advice.set(group.first, Pivot::Full);
                violation -= opening;
            }
        }
    }
    Trial {
        advice,
        violation,
        value: (),
    }
}

/// By how much the corners of a shut interface would have to pull, relative to `unit`; advises the side it opens to.
pub(super) fn corner_violation(
    contact: &Contact,
    half: f64,
    unit: f64,
    interface: usize,
    advice: &mut Configuration,
) -> f64 {
    let (left, right) = contact.corners(half);
    let (left, right) = (left / unit, right / unit);
    let worst = left.min(right);
    if worst >= -ROUND_OFF {
        return 0.0;
    }
    advice.set(
        interface,
        if left <= right {
            Pivot::Right
        } else {
            Pivot::Left
        },
    );
    -worst
}

//! What the islands were solved for goes to the contacts and into the audit.

use super::audit::StepReport;
use super::contacts::{PLANES, WorldContact};
use super::exchanged::Exchanged;
use super::islands::Islands;
use super::pair_impact::not_returned;
use super::state::WorldState;
use crate::Twist;
use glam::DVec3;

/// Writes impulses and velocities back to the contacts.
pub(super) fn write_reactions(islands: &Islands, contacts: &mut [WorldContact]) {
    for island in islands.iter() {
        for (&k, reaction) in island.contacts.iter().zip(&island.reactions) {
            let c = &mut contacts[k as usize];
            (c.impulse, c.velocity) = (reaction.impulse, reaction.velocity);
        }
    }
}

/// Sums the work of what acts at the contacts, and says how well the islands were solved. `free` are the velocities of
/// what is driven.
pub(super) fn audit_reactions(
    state: &WorldState,
    contacts: &[WorldContact],
    islands: &mut Islands,
    free: &[Twist],
    report: &mut StepReport,
) {
    let compliance = state.settings.compliance();
    for number in 0..islands.count() {
        let island = islands.island_mut(number);
        island.exchanged = Exchanged::default();
        for (&k, reaction) in island.contacts.iter().zip(&island.reactions) {
            let loss = reaction.loss();
            report.exchange.contact_loss += loss - reaction.returned + reaction.parted;
            report.exchange.returned += reaction.returned;
            report.exchange.spring_loss += reaction.stored;
            report.exchange.least_contact_loss = report.exchange.least_contact_loss.min(loss);
            if loss < -reaction.rounding {
                report.exchange.driving_contacts += 1;
                report.exchange.driven -= loss;
            }
            let c = &contacts[k as usize];
            let work = boundary_work(c, state, free);
            report.exchange.boundary_work += work;
            // What a bond does is no gain: where its contact is left to close by a residual it pulls on.
            island.exchanged.given += work - reaction.stored - reaction.parted;
            let held = match compliance > 0.0 {
                true => 0.5 * compliance * reaction.impulse.length_squared(),
                false => 0.0,
            };
            island.exchanged.handled +=
                (loss - reaction.returned).abs() + held + reaction.parted.abs();
            report.exchange.unreturned += unreturned(c, state, free);
        }
        report.solver.sweeps = report.solver.sweeps.max(island.solved.sweeps);
        report.solver.over_budget += usize::from(island.solved.over_budget);
        report.solver.residual = report.solver.residual.max(island.solved.relative);
        report.solver.residual_speed = report.solver.residual_speed.max(island.solved.residual);
        report.solver.unconverged += usize::from(!island.solved.converged);
        report.overlap.wedged += island.displacements.wedged.len();
    }
}

/// Energy that restitution was to give back at a rigid contact that closed faster than bounces do, and was stopped in
/// the contact problem (J): impacts that the step was too long to tell apart.
fn unreturned(c: &WorldContact, state: &WorldState, free: &[Twist]) -> f64 {
    let s = &state.settings;
    if c.restitution == 0.0 || s.stiffness.is_some() || c.impulse == DVec3::ZERO {
        return 0.0;
    }
    let [first, second] = c.points_of_impact();
    let speed = |i: u32, point: DVec3| match state.members.get(i as usize) {
        Some(m) if m.is_free() => m.state.velocity.at(point - m.state.pose.translation),
        Some(m) => free[i as usize].at(point - m.state.pose.translation),
        None => {
            let plane = i
                .checked_sub(PLANES)
                .and_then(|k| state.planes.get(k as usize));
            plane.map_or(DVec3::ZERO, |b| b.velocity)
        }
    };
    let closing = -c
        .normal
        .dot(speed(c.first, first) - speed(c.second, second));
    if closing <= s.bounce_above {
        return 0.0;
    }
    not_returned(c.restitution, c.normal.dot(c.impulse), closing)
}

/// Work that a fixed or driven member does on the free one through a contact (J).
fn boundary_work(c: &WorldContact, state: &WorldState, free: &[Twist]) -> f64 {
    let plane = c.second.checked_sub(PLANES);
    if let Some(b) = plane.and_then(|k| state.planes.get(k as usize)) {
        return c.impulse.dot(b.velocity);
    }
    if state.is_free(c.first as usize) && state.is_free(c.second as usize) {
        return 0.0;
    }
    let [first, second] = c.points();
    let speed = |i: u32, point: DVec3| match state.members.get(i as usize) {
        Some(m) if !m.is_free() => free[i as usize].at(point - m.state.pose.translation),
        _ => DVec3::ZERO,
    };
    c.impulse.dot(speed(c.second, second)) - c.impulse.dot(speed(c.first, first))
}

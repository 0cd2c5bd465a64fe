//! One step of the world: the order of its stages, and the balance of its energy.

use super::audit::StepReport;
use super::bonds::break_joints;
use super::collect::{audit_reactions, write_reactions};
use super::contacts::WorldContact;
use super::ends::opened;
use super::entering::add_entering;
use super::find_contacts::{Before, find_contacts};
use super::impacts::strike;
use super::kept::KeptPoint;
use super::move_bodies::{move_bodies, shift_bodies};
use super::rolling::{self, FOLLOWED, NEARLY_FOLLOWED, SOLUTIONS};
use super::sleep::{fall_asleep, wake_the_touched};
use super::state::{History, WorldState};
use super::wear::wear;
use super::workspace::Workspace;
use crate::DynamicsError;

/// Solutions of a step at most, but for those that rolling resistance needs.
const ROUNDS: usize = 4;

/// Moves a world on by one step and says what happened to its energy. After an error all is as it was before the step,
/// but that who was about to be woken is awake.
pub(super) fn moreau_jean_step(
    state: &mut WorldState,
    history: &mut History,
    work: &mut Workspace,
) -> Result<StepReport, DynamicsError> {
    work.start.set(state, history);
    swap(history, work);
    let stepped = solve_and_move(state, (&mut history.contacts, &mut history.kept), work);
    let Ok(mut report) = stepped else {
        work.impacts.take_back(&mut state.members);
        swap(history, work);
        return stepped;
    };
    state.time += state.settings.step;
    history.steps += 1;
    report.time = state.time;
    work.start
        .balance(state, history, &work.islands, &mut report);
    history.ledger.enter(&report);
    #[cfg(feature = "tracing")]
    tracing::debug!(
        time = report.time,
        contacts = report.contacts,
        islands = report.islands,
        sweeps = report.solver.sweeps,
        residual = report.solver.residual,
        kinetic = report.energy.kinetic,
        gain = report.gain,
        "step"
    );
    Ok(report)
}

/// Exchanges the contacts of this step and those of the step before.
fn swap(history: &mut History, work: &mut Workspace) {
    std::mem::swap(&mut history.contacts, &mut work.old_contacts);
    std::mem::swap(&mut history.kept, &mut work.old_kept);
}

/// The stages of a step. Contacts are found and solved for, those that the end of the step shows as well; then all
/// moves.
fn solve_and_move(
    state: &mut WorldState,
    (contacts, kept): (&mut Vec<WorldContact>, &mut Vec<KeptPoint>),
    work: &mut Workspace,
) -> Result<StepReport, DynamicsError> {
    state.set_velocities_of_planes();
    work.ends.set_free(state);
    let before = Before {
        contacts: &work.old_contacts,
        kept: &work.old_kept,
        free: &work.ends.free,
    };
    let keeping = find_contacts(state, before, &mut work.search, (contacts, kept));
    let mut report = overlap_now(contacts);
    (report.overlap.kept, report.overlap.kept_way) = (keeping.contacts, keeping.way);
    work.impacts.begin();
    solve(state, contacts, work, &mut report)?;
    for _ in 1..ROUNDS {
        let entering = add_entering(state, &work.ends, &mut work.search, contacts);
        let rolled = rolling::follow(state, &work.ends, contacts, FOLLOWED);
        if entering == 0 && !rolled {
            break;
        }
        report.events.entered += entering as u64;
        solve(state, contacts, work, &mut report)?;
    }
    report.events.unsettled_rolling += u64::from(!follow(state, contacts, work, &mut report)?);
    work.ends.check()?;
    report.contacts = contacts.len();
    report.islands = work.islands.count();
    audit_reactions(
        state,
        contacts,
        &mut work.islands,
        &work.ends.free,
        &mut report,
    );
    report.solver.newton_steps = work.newton_steps.most();
    report.exchange.scheme_loss = work.ends.scheme_loss(state);
    enter_loads(state, work, &mut report);
    report.events.broken_joints = break_joints(&mut state.joints, &state.settings, contacts) as u64;
    if !work.ends.offsets.is_empty() {
        for c in contacts.iter_mut() {
            c.gap -= opened(c, &state.members, &work.ends.offsets);
        }
    }
    report.angular_momentum_error = move_bodies(state, &work.ends);
    report.exchange.stabilisation = shift_bodies(state, &mut work.islands);
    wear(state, &mut work.islands, &work.ends.free, &mut report);
    fall_asleep(state, contacts, &work.islands, &work.ends.free, &mut report);
    Ok(report)
}

/// Enters the work of the loads into the audit, and into that of the islands that they act on.
fn enter_loads(state: &WorldState, work: &mut Workspace, report: &mut StepReport) {
    if work.ends.given.is_empty() {
        return;
    }
    let of = |i: usize| work.ends.load_work(i, state);
    report.exchange.load_work = (0..state.members.len()).map(of).sum();
    for number in 0..work.islands.count() {
        let island = work.islands.island_mut(number);
        for &i in &island.bodies {
            let own = of(i as usize);
            island.exchanged.given += own;
            island.exchanged.handled += own.abs();
        }
    }
}

/// Solves again until the speeds that rolling resistance adds are those of the solution. Whether they are; where an
/// island is not solved there is nothing to follow, and it counts itself.
fn follow(
    state: &mut WorldState,
    contacts: &mut [WorldContact],
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<bool, DynamicsError> {
    for _ in ROUNDS..SOLUTIONS {
        let solved = work.islands.iter().all(|island| island.solved.converged);
        if !solved || !rolling::follow(state, &work.ends, contacts, NEARLY_FOLLOWED) {
            return Ok(true);
        }
        solve(state, contacts, work, report)?;
    }
    Ok(!rolling::follow(
        state,
        &work.ends,
        contacts,
        NEARLY_FOLLOWED,
    ))
}

/// Solves for the impulses at the present contacts: bodies that touch form islands, which sleep or wake; pairs that
/// meet collide in turn; then each island is a contact problem. Leaves velocities and poses at the end of the step, and
/// what acts at the contacts.
fn solve(
    state: &mut WorldState,
    contacts: &mut [WorldContact],
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<(), DynamicsError> {
    let (islands, ends) = (&mut work.islands, &mut work.ends);
    islands.sort(state, contacts);
    wake_the_touched(state, contacts, islands, &mut ends.free);
    strike(state, contacts, &mut work.impacts, ends, report)?;
    let (old, newton_steps) = (&work.old_contacts, &mut work.newton_steps);
    islands.solve(state, contacts, old, &ends.free, newton_steps)?;
    for island in islands.iter() {
        newton_steps.enter(&island.bodies, island.solved.newton_steps);
        report.solver.factorisations += island.solved.factorisations;
    }
    ends.set(state, islands);
    write_reactions(islands, contacts);
    Ok(())
}

/// A report with the overlaps at the start of the step.
fn overlap_now(contacts: &[WorldContact]) -> StepReport {
    let mut report = StepReport::default();
    for c in contacts.iter().filter(|c| c.gap < 0.0) {
        report.overlap.deepest = report.overlap.deepest.max(-c.gap);
        report.overlap.sum -= c.gap;
        report.overlap.contacts += 1;
    }
    report
}

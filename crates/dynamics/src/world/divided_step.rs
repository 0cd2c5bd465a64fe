//! A step in which bodies meet that are fast for their size is divided, so that none goes far for its size before its
//! contacts are looked at again.

use super::audit::StepReport;
use super::broad_phase::{BroadPhase, Candidate};
use super::contacts::PLANES;
use super::first_touch::{FAST, Meeting, first_touch};
use super::member::Member;
use super::moreau_jean_step::moreau_jean_step;
use super::snapshot::WorldSnapshot;
use super::state::{History, WorldState};
use super::workspace::Workspace;
use crate::DynamicsError;

/// Parts that a step is divided into at most.
const MOST_PARTS: f64 = 32.0;

/// Moves a world on by one step, divided where it has to be, and says what happened to its energy.
pub(super) fn step(
    state: &mut WorldState,
    history: &mut History,
    work: &mut Workspace,
) -> Result<StepReport, DynamicsError> {
    work.newton_steps.begin(state.members.len());
    state.set_velocities_of_planes();
    match divisions(state, &mut work.search.broad) {
        1 => moreau_jean_step(state, history, work),
        parts => divided_step(parts, state, history, work),
    }
}

/// A step in equal parts.
fn divided_step(
    parts: u32,
    state: &mut WorldState,
    history: &mut History,
    work: &mut Workspace,
) -> Result<StepReport, DynamicsError> {
    let (before, settings) = (WorldSnapshot::of(state, history), state.settings);
    let (end, steps, counted) = (
        state.time + settings.step,
        history.steps,
        history.ledger.steps,
    );
    divide(1.0 / f64::from(parts), state, history);
    let mut report = StepReport::default();
    for _ in 0..parts {
        match moreau_jean_step(state, history, work) {
            Ok(part) => report.append(&part),
            Err(error) => {
                state.settings = settings;
                before.restore(state, history)?;
                work.search.broad.invalidate();
                return Err(error);
            }
        }
    }
    divide(f64::from(parts), state, history);
    state.settings.step = settings.step;
    (state.time, report.time) = (end, end);
    (history.steps, history.ledger.steps) = (steps + 1, counted + 1);
    Ok(report)
}

/// Another step for the same forces.
fn divide(part: f64, state: &mut WorldState, history: &mut History) {
    state.settings.step *= part;
    history.contacts.iter_mut().for_each(|c| c.impulse *= part);
}

/// Parts that the coming step is divided into: as many as bodies that touch in it go a part of their size.
fn divisions(state: &WorldState, broad: &mut BroadPhase) -> u32 {
    let (s, time) = (&state.settings, state.time);
    let fast = |m: &Member| s.step * m.fastest(time, s.step) > 0.5 * FAST * m.radius;
    if !state.free().any(|m| fast(m) && !m.is_asleep()) && !drives_fast(state) {
        return 1;
    }
    broad.update(state);
    let ways = broad.candidates.iter().map(|c| way_of_touching(state, c));
    let most = ways.fold(1.0, f64::max).ceil().min(MOST_PARTS);
    most as u32
}

fn drives_fast(state: &WorldState) -> bool {
    let (s, time) = (&state.settings, state.time);
    let smallest = state.free().map(|m| m.radius);
    let least = FAST * smallest.fold(f64::INFINITY, f64::min);
    let driven = state.members.iter().filter(|m| !m.is_free());
    driven
        .map(|m| s.step * m.fastest(time, s.step))
        .any(|way| way > least)
}

/// How far a pair goes in the step before or while it touches, in the part of its size that it may; 0 where it does
/// not touch.
fn way_of_touching(state: &WorldState, c: &Candidate) -> f64 {
    let s = &state.settings;
    let Some(a) = state.members.get(c.first as usize) else {
        return 0.0;
    };
    let at_a = a.present_velocity(s, state.time);
    if let Some(k) = c.second.checked_sub(PLANES) {
        let turning = s.step * at_a.angular.length() * a.radius;
        let touches = state.planes.get(k as usize).is_some_and(|b| {
            let speed = b.plane.normal.dot(at_a.linear - b.velocity).min(0.0);
            b.plane.height(a.state.pose.translation) - a.radius <= s.margin - s.step * speed
        });
        return if touches {
            turning / (FAST * a.radius)
        } else {
            0.0
        };
    }
    let Some(b) = state.members.get(c.second as usize) else {
        return 0.0;
    };
    let at_b = b.present_velocity(s, state.time);
    let size = FAST * a.radius.min(b.radius);
    let turning = at_a.angular.length() * a.radius + at_b.angular.length() * b.radius;
    match first_touch([a, b], &[at_a, at_b], s.step) {
        Meeting::Never => 0.0,
        Meeting::Near => s.step * turning / size,
        Meeting::At(_) => s.step * ((at_a.linear - at_b.linear).length() + turning) / size,
    }
}

#[cfg(test)]
mod tests {
    use super::super::materials::Surface;
    use super::super::member::{Boundary, Role};
    use super::super::settings::WorldSettings;
    use super::*;
    use crate::{Body, State, Twist};
    use glam::DVec3;
    use klast_geometry::{Plane, Pose, Solid};

    /// A column of 12 cubes a moment before a thirteenth strikes it.
    fn struck(settings: WorldSettings) -> WorldState {
        let surface = Surface {
            friction: 0.6,
            restitution: 0.0,
        };
        let mut state = WorldState::new(settings);
        state.planes.push(Boundary {
            plane: Plane::new(DVec3::Z, 0.0).unwrap(),
            surface,
            material: None,
            drive: None,
            velocity: DVec3::ZERO,
        });
        let cube = Solid::Cube.with_volume(1.0).unwrap();
        let body = Body::uniform(&cube, 2700.0).unwrap();
        let mut add = |at: DVec3, velocity: Twist| {
            let start = State::new(Pose::from_translation(at), velocity).unwrap();
            let member = Member::new(body.clone(), start, Role::Free, surface);
            state.members.push(member.unwrap());
        };
        for k in 0..12 {
            add(DVec3::Z * (f64::from(k) + 0.5), Twist::ZERO);
        }
        let velocity = Twist {
            linear: DVec3::new(8.0, 0.0, -1.0),
            angular: DVec3::new(20.0, 80.0, 40.0),
        };
        add(DVec3::new(-1.05, 0.2, 6.4), velocity);
        state
    }

    /// Newton steps up to the end of each of four parts.
    fn of_parts(max_newton_steps: Option<usize>) -> Vec<usize> {
        let mut state = struck(WorldSettings {
            max_newton_steps,
            parallel: false,
            ..WorldSettings::default()
        });
        let (mut history, mut work) = (History::default(), Workspace::default());
        work.newton_steps.begin(state.members.len());
        divide(0.25, &mut state, &mut history);
        let mut part = || moreau_jean_step(&mut state, &mut history, &mut work);
        (0..4)
            .map(|_| part().unwrap().solver.newton_steps)
            .collect()
    }

    /// Each part adds to the Newton steps of the whole step. With a bound that the first part meets the others add
    /// short dissipation passes alone, at most four for each, of 1 + 1,000/12 Newton steps with 12 pairs.
    #[test]
    fn the_parts_of_a_step_share_its_budget() {
        let free = of_parts(None);
        let (first, last) = (free[0], free[3]);
        assert!(free.is_sorted() && first > 0 && last > first, "{free:?}");
        let bounded = of_parts(Some(first));
        assert_eq!(bounded[0], first, "{free:?}");
        for k in 1..4 {
            let added = bounded[k] - bounded[k - 1];
            assert!(added <= 4 * (1 + 1000 / 12), "{bounded:?}");
            assert!(bounded[k] < free[k], "{bounded:?} {free:?}");
        }
        let all = of_parts(Some(last));
        assert_eq!(all, free);
    }
}

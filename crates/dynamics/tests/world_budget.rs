//! The bound on the work of automatic effort is that of a step, whatever number of solutions the step has.

use glam::DVec3;
use klast_dynamics::{Role, State, Surface, Twist, World, WorldSettings};
use klast_geometry::Pose;
use klast_scenarios::cubes_in_a_column;

/// A column of 12 cubes that a thirteenth strikes, which spins so fast that steps are divided while it touches. The
/// contacts are few enough to be solved for.
fn struck() -> World {
    let mut world = cubes_in_a_column(12).on_a_table(0.0, DVec3::X).unwrap();
    let body = world.body(0).unwrap().clone();
    let pose = Pose::from_translation(DVec3::new(-1.6, 0.2, 6.4));
    let velocity = Twist {
        linear: DVec3::new(8.0, 0.0, -1.0),
        angular: DVec3::new(20.0, 80.0, 40.0),
    };
    let surface = Surface {
        friction: 0.6,
        restitution: 0.0,
    };
    let state = State::new(pose, velocity).unwrap();
    world.add(body, state, Role::Free, surface).unwrap();
    world
}

fn bounded(world: &World, newton_steps: usize) -> World {
    let mut world = world.clone();
    let settings = WorldSettings {
        max_newton_steps: Some(newton_steps),
        ..*world.settings()
    };
    world.set_settings(settings).unwrap();
    world
}

/// What the solutions of so many parts may take beyond the bound: at most four short dissipation passes each, for a
/// round of two, the last one and the best. A pass of n pairs takes 1 + 1,000/n Newton steps; those of the column are
/// 12.
fn beyond(parts: usize) -> usize {
    parts * 4 * (1 + 1000 / 12)
}

/// Steps in several parts take some Newton steps in all. With a bound of that many each is the same to the bit; with a
/// lower one it takes no more than that and short dissipation passes, less than without, and what is not solved then
/// says why.
#[test]
fn the_solutions_of_a_step_share_its_budget() {
    let mut world = struck();
    let (mut several, mut over_budget) = (0, 0);
    while world.time() < 0.1 {
        let before = world.clone();
        let free = world.step().unwrap();
        if free.parts < 2 || free.solver.newton_steps < 2 {
            continue;
        }
        several += 1;
        assert_eq!(free.solver.unconverged, 0, "{free:?}");
        let mut enough = bounded(&before, free.solver.newton_steps);
        assert_eq!(enough.step().unwrap(), free);
        assert!(enough.states().eq(world.states()), "at {} s", free.time);
        for less in [
            1,
            free.solver.newton_steps / 2,
            free.solver.newton_steps - 1,
        ] {
            let report = bounded(&before, less).step().unwrap();
            let most = less + beyond(report.parts);
            assert!(report.solver.newton_steps <= most, "{less}: {report:?}");
            assert!(
                report.solver.newton_steps < free.solver.newton_steps,
                "{less}: {report:?}"
            );
            let why = report.solver.unconverged == report.solver.over_budget;
            assert!(why, "{less}: {report:?}");
            over_budget += report.solver.over_budget;
        }
    }
    assert!(several > 1 && over_budget > 1, "{several} {over_budget}");
}

//! Solved to a residual, a step leaves out no contact that its end would show.

use glam::DVec3;
use klast_dynamics::{Effort, Twist, WorldSettings};
use klast_scenarios::{ballast, column, cubes, pour_into};

/// Blocks that turn at 12 rad/s and fall on one another move by 2 cm and 2° a step: a corner that was no contact at its
/// start comes in by millimetres (1.4e-3 m of a block of 1 m with the contacts of the start alone, 2.6e-4 m now). Let
/// pass are ten slops of 2e-5 m in one step, and half of that in each after, of which a step takes 0.3 out: 2e-4 (1 +
/// 0.5/0.3) = 5.3e-4 m where four solutions are enough, as here. It is no bound on every scene: a pour of a thousand
/// cubes had 6.1e-4 m.
#[test]
fn what_comes_in_within_a_step_is_seen() {
    let bound = 2e-4 * (1.0 + 0.5 / 0.3);
    for (name, shapes) in [("cubes", cubes().unwrap()), ("hulls", ballast().unwrap())] {
        let settings = WorldSettings {
            effort: Effort::Residual {
                tolerance: 1e-6,
                sweeps: 800,
            },
            parallel: false,
            ..Default::default()
        };
        let mut world = pour_into(3.6, &shapes, &column(64, 4), settings).unwrap();
        for i in 0..world.len() {
            let k = i as f64;
            let axis = DVec3::new((1.3 * k).sin(), (2.1 * k).sin(), (0.7 * k).cos());
            let velocity = Twist {
                linear: DVec3::new(0.0, 0.0, -0.2 * k),
                angular: 12.0 * axis.normalize_or(DVec3::X),
            };
            world.set_velocity(i, velocity).unwrap();
        }
        let (mut deepest, mut entered) = (0.0f64, 0);
        while world.time() < 1.0 {
            let step = world.step().unwrap();
            deepest = deepest.max(step.overlap.deepest);
            entered += step.events.entered;
            assert_eq!(step.solver.unconverged, 0, "{name} at {} s", step.time);
        }
        println!("{name}: {deepest:e} m, {entered} contacts entered");
        assert!(
            entered > 0,
            "{name}: nothing came in, so nothing was tested"
        );
        assert!(deepest < bound, "{name}: {deepest:e} of {bound:e}");
        assert_eq!(world.ledger().gains, 0, "{name}");
    }
}

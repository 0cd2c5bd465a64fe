//! Lumped rocks in a gutter of two facets: along the edge v̇ = g sin β − μ (N1 + N2), and for walls that are mirror
//! images N1 + N2 = g cos β / cos γ, with β the fall of the edge and γ the angle of the walls to the plane through the
//! edge that lies level across it.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Diagonal, Grid};
use klast_rockfall::lumped::{LumpedLaw, LumpedState, ReboundLaw};
use klast_rockfall::*;
use std::ops::ControlFlow;

const G: f64 = 9.81;

/// z = 100 − fall x + side |y − 10|, cells of 10 m.
fn gully(columns: usize, fall: f64, side: f64) -> Grid {
    let height = |k: usize| {
        let (x, y) = ((k % columns) as f64 * 10.0, (k / columns) as f64 * 10.0);
        100.0 - fall * x + side * (y - 10.0).abs()
    };
    let heights = (0..3 * columns).map(height).collect();
    Grid::new(columns, 3, 10.0, DVec2::ZERO, heights).unwrap()
}

/// How a rock ends, where, its velocity, its time, and how many arcs it took.
fn run(
    grid: &Grid,
    start: (DVec3, DVec3),
    [restitution, tangential, friction]: [f64; 3],
) -> (Outcome, LumpedState, f64, usize) {
    let ground = Ground::uniform(SlopeMaterial::constant(
        "m",
        GroundCoefficients {
            normal_restitution: restitution,
            tangential_restitution: tangential,
            friction,
        },
    ))
    .unwrap();
    let stop = StopConditions::default();
    let engine = LumpedRock {
        law: ReboundLaw::Manual(LumpedLaw {
            rotation: false,
            ..LumpedLaw::default()
        }),
        terrain: grid,
        ground: &ground,
        stop: &stop,
        gravity: DVec3::new(0.0, 0.0, -G),
    };
    let samples = [MaterialSample {
        normal_restitution: restitution,
        tangential_restitution: tangential,
        friction,
        ..MaterialSample::default()
    }];
    let state = LumpedState {
        position: start.0,
        velocity: start.1,
        spin: DVec3::ZERO,
    };
    let (mut time, mut arcs) = (0.0, 0);
    let rock = LumpedMass::of_volume(1.0)
        .and_then(|m| m.with_mass(2700.0))
        .unwrap();
    let (outcome, end, _) = engine.run(&rock, &samples, state, None, &mut |arc| {
        time = arc.time + arc.duration;
        arcs += 1;
        ControlFlow::Continue(())
    });
    (outcome, end, time, arcs)
}

/// The acceleration along the edge of [`gully`].
fn acceleration(fall: f64, side: f64, mu: f64) -> f64 {
    let (sine, cosine) = (fall / fall.hypot(1.0), 1.0 / fall.hypot(1.0));
    // Across the edge a wall rises by side over its width, seen along the edge by side cos β.
    let gamma = (side * cosine).atan();
    G * (sine - mu * cosine / gamma.cos())
}

#[test]
fn a_rock_runs_down_a_gully_as_the_wedge_does() {
    for diagonal in [Diagonal::Rising, Diagonal::Falling, Diagonal::Bilinear(4)] {
        for (fall, side, mu) in [(0.3, 0.5, 0.1), (0.3, 0.5, 0.2), (0.5, 1.5, 0.1)] {
            let grid = gully(21, fall, side).with_diagonal(diagonal);
            let speed = 2.0;
            let along = DVec3::new(1.0, 0.0, -fall).normalize();
            let start = (DVec3::new(20.0, 10.0, 100.0 - 20.0 * fall), along * speed);
            let (outcome, end, time, _) = run(&grid, start, [0.0, 1.0, mu]);
            assert_eq!(outcome, Outcome::LeftMap);
            // R_t = 1: the touch at release takes nothing.
            let way = 180.0 * fall.hypot(1.0);
            let a = acceleration(fall, side, mu);
            let fast = (speed * speed + 2.0 * a * way).sqrt();
            // 20 edges end at rounded heights, to 1e-14 m each; the look ahead is 1e-9 of the place.
            assert!(
                (end.velocity.length() - fast).abs() < 1e-6,
                "{fast} {end:?}"
            );
            assert!((time - (fast - speed) / a).abs() < 1e-6, "{time}");
            assert!((end.position.y - 10.0).abs() < 1e-6, "{end:?}");
        }
    }
}

#[test]
fn friction_holds_a_wedged_rock_after_its_way() {
    let (fall, side, mu) = (0.1, 1.0, 0.4);
    let grid = gully(21, fall, side);
    let along = DVec3::new(1.0, 0.0, -fall).normalize();
    let start = (DVec3::new(20.0, 10.0, 98.0), along * 6.0);
    let (outcome, end, _, _) = run(&grid, start, [0.0, 1.0, mu]);
    assert_eq!(outcome, Outcome::Stopped);
    let way = -36.0 / (2.0 * acceleration(fall, side, mu));
    assert!(
        (end.position.distance(start.0) - way).abs() < 1e-6,
        "{end:?}"
    );
}

#[test]
fn rocks_that_fall_into_a_gully_leave_it_below() {
    for mu in [0.1, 0.2] {
        for restitution in [0.0, 0.3] {
            for y in 0..10 {
                let grid = gully(21, 0.3, 0.5);
                let y = 10.3 + 0.9 * f64::from(y);
                let start = DVec3::new(20.0, y, 94.0 + 0.5 * (y - 10.0));
                let (outcome, end, time, arcs) =
                    run(&grid, (start, DVec3::ZERO), [restitution, 0.9, mu]);
                // tan 0.3 is above the wedge's friction of 0.11 and 0.22: nothing holds a rock.
                assert_eq!(
                    outcome,
                    Outcome::LeftMap,
                    "{mu} {restitution} {y}: {end:?} {time}"
                );
                assert!(arcs < 2000, "{arcs}");
            }
        }
    }
}

#[test]
fn a_rock_along_a_lip_goes_over_it() {
    // Both sides fall to +y, the far one more steeply: nothing holds a rock that moves along the edge between.
    let height = |k: usize| match k / 21 {
        0 => 0.0,
        1 => -2.0,
        _ => -8.0,
    };
    let heights = (0..63).map(height).collect();
    let grid = Grid::new(21, 3, 10.0, DVec2::ZERO, heights).unwrap();
    let start = (DVec3::new(20.0, 10.0, -2.0), DVec3::X * 3.0);
    let (outcome, end, _, arcs) = run(&grid, start, [0.0, 0.9, 0.1]);
    assert_eq!(outcome, Outcome::LeftMap);
    assert!(
        end.position.y >= 20.0 - 1e-6 && arcs < 2000,
        "{end:?} {arcs}"
    );
}

#[test]
fn any_spin_and_speed_end_in_bounded_steps() {
    let grid = gully(21, 0.3, 0.5);
    for speed in [1e3, 1e100, 1e155] {
        let start = (
            DVec3::new(20.0, 14.0, 96.0),
            DVec3::new(0.0, -speed, -speed),
        );
        let (_, _, _, arcs) = run(&grid, start, [0.3, 0.9, 0.5]);
        assert!(arcs <= 200_000);
    }
}

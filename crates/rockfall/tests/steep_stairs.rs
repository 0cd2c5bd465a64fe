//! Stairs whose risers are narrower in plan than any rounding: lumped masses go down them as down risers of a
//! millimetre, and none is lost in a hole.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Profile, Terrain};
use klast_rockfall::lumped::LumpedState;
use klast_rockfall::*;
use std::ops::ControlFlow;

/// 40 steps of 0.6 m with risers of 0.4 m that are `width` wide in plan, and a slope of 34° behind them.
fn stairs(width: f64) -> Profile {
    let mut points = vec![DVec2::new(0.0, 100.0)];
    for k in 0..40 {
        let (x, z) = (1.0 + 0.6 * f64::from(k), 100.0 - 0.4 * f64::from(k));
        points.push(DVec2::new(x, z));
        points.push(DVec2::new(x + width, z - 0.4));
    }
    points.push(DVec2::new(60.0, 60.0));
    Profile::new(points).unwrap()
}

/// Where rocks end that are let go at x = 2 m, or thrown up the stairs from x = 20 m.
fn ends(width: f64, up: bool) -> Vec<f64> {
    let stairs = stairs(width);
    let coefficients = GroundCoefficients {
        normal_restitution: 0.35,
        tangential_restitution: 0.9,
        friction: 0.4,
    };
    let ground = Ground::uniform(SlopeMaterial::constant("m", coefficients)).unwrap();
    let samples = [MaterialSample {
        normal_restitution: 0.35,
        tangential_restitution: 0.9,
        friction: 0.4,
        ..MaterialSample::default()
    }];
    let stop = StopConditions::default();
    let engine = LumpedRock::new(&stairs, &ground, &stop);
    let rock = LumpedMass::of_volume(0.05).unwrap();
    let mut ends = Vec::new();
    for k in 0..400u32 {
        let x = if up { 20.03 } else { 2.03 };
        let height = 0.012 * f64::from(k * 7 % 400);
        let speed = 0.02 * f64::from(k) * if up { -1.0 } else { 1.0 };
        let place = stairs.surface(x, 0.0).unwrap().height + height;
        let start = LumpedState {
            position: DVec3::new(x, 0.0, place),
            velocity: DVec3::X * speed,
            spin: DVec3::ZERO,
        };
        let (outcome, end, _) = engine.run(&rock, &samples, start, None, &mut |_| {
            ControlFlow::Continue(())
        });
        let x = end.position.x;
        assert_ne!(outcome, Outcome::TimedOut, "{width} {k}: {end:?}");
        let inside = x > 1e-6 && x < 60.0 - 1e-6;
        assert!(
            !inside || outcome == Outcome::Stopped,
            "{width} {k}: {outcome:?} at {end:?}"
        );
        ends.push(x);
    }
    ends.sort_unstable_by(f64::total_cmp);
    ends
}

#[test]
fn narrow_risers_lose_no_rock() {
    // A place on a wall of 1e-9 m is rounded to a micrometre of its height: what is thrown up such walls may run out of
    // steps between two places, which is told.
    for (up, widths) in [
        (false, &[1e-5, 1e-7, 1e-9, 1e-11][..]),
        (true, &[1e-5, 1e-7]),
    ] {
        let wide = ends(1e-3, up);
        for &width in widths {
            let narrow = ends(width, up);
            // A millimetre moves single rocks; shares of 400 rocks scatter by 3.5 % at most, three times that is 42.
            for place in 0..31 {
                let before = |ends: &[f64]| ends.partition_point(|x| *x < 2.0 * f64::from(place));
                let (a, b) = (before(&wide), before(&narrow));
                assert!(a.abs_diff(b) < 42, "{up} {width} {place}: {a} {b}");
            }
        }
    }
}

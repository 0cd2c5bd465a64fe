//! Bodies that the base leaves at rest, and those that it begins to move: against the closed forms of tipping and
//! sliding.

use klast_geometry::MassProperties;
use klast_ground_motion::Component;
use klast_rocking::spatial::{
    SpatialBody, SpatialColumn, SpatialColumnRun, SpatialMotion, SpatialOptions, SpatialOutcome,
};

const G: f64 = 9.81;

fn push(x: f64, y: f64, z: f64, seconds: f64) -> SpatialMotion {
    let along = |a: f64| match a {
        0.0 => Component::at_rest(),
        _ => Component::constant(a, seconds).unwrap(),
    };
    SpatialMotion {
        components: [along(x), along(y), along(z)],
    }
}

fn assert_audited(run: &SpatialColumnRun) {
    let energy = run.energy;
    let size = energy.start.abs() + energy.base_work.abs() + energy.contacts.abs();
    assert!(energy.imbalance.abs() < 1e-9 * size, "{energy:?}");
}

/// A prism tips over an edge under (g + a_z) b/h and slides under μ (g + a_z), whatever the direction: below both it
/// keeps its place to the last bit, above one of them it does not.
#[test]
fn a_prism_moves_where_statics_says() {
    let (width, depth, height) = (0.6, 0.4, 1.6);
    let column = SpatialColumn::new(vec![
        SpatialBody::prism(width, depth, height, 2500.0).unwrap(),
    ])
    .unwrap();
    for (friction, angle, z) in [
        (0.8f64, 0.0f64, 0.0),
        (0.8, 0.9, 0.0),
        (0.8, 2.2, -3.0),
        (0.8, 4.0, 4.0),
        (0.2, 0.4, 0.0),
        (0.2, 5.0, 2.0),
    ] {
        let (sin, cos) = angle.sin_cos();
        // Push × h along each axis over half of the side.
        let tips = (width / height / cos.abs()).min(depth / height / sin.abs());
        let threshold = (G + z) * tips.min(friction);
        let run = |part: f64| {
            let a = part * threshold;
            let options = SpatialOptions::new(0.5, friction);
            column
                .run(&push(a * cos, a * sin, z, 0.3), G, &options)
                .unwrap()
        };
        let below = run(1.0 - 1e-9);
        assert_eq!(below.outcome, SpatialOutcome::Rest);
        assert_eq!(
            (below.drums[0].largest_tilt, below.drums[0].largest_offset),
            (0.0, 0.0)
        );
        assert_audited(&below);
        // Half a thousandth above, it moves by 10 μm and more in 0.3 s.
        let above = run(1.0005);
        let moved = above.drums[0].largest_tilt + above.drums[0].largest_offset;
        assert!(moved > 1e-5, "{friction} {angle} {z}: {moved}");
        assert_audited(&above);
    }
}

/// Two bodies on one another: the lower one tips with both at the height of their common mass centre, the upper one
/// where its own face ends, and the mass properties of the upper one are those given.
#[test]
fn a_body_on_a_plinth_moves_where_statics_says() {
    let mass = MassProperties {
        mass: 300.0,
        centre: glam::DVec3::new(0.0, 0.0, 0.5),
        principal_inertia: glam::DVec3::new(40.0, 35.0, 10.0),
        principal_frame: glam::DQuat::IDENTITY,
    };
    let points: Vec<glam::DVec3> = (0..8)
        .map(|k| {
            let sign = |bit: u32| if k & bit == 0 { -1.0 } else { 1.0 };
            glam::DVec3::new(0.2 * sign(1), 0.2 * sign(2), 0.7 * (sign(4) + 1.0))
        })
        .collect();
    let statue = SpatialBody::around(&points, &mass).unwrap();
    // A broad, a slender and a narrow plinth: the statue tips, both tip, and the statue tips over the plinth's top.
    for (side, height) in [(0.8, 0.5), (0.44, 1.2), (0.3, 0.1)] {
        let plinth = SpatialBody::prism(side, side, height, 2500.0).unwrap();
        let own = plinth.body().mass();
        let whole = (own * 0.5 * height + 300.0 * (height + 0.5)) / (own + 300.0);
        let statue_tips = 0.2f64.min(0.5 * side) * (1.0 - 1e-4) / 0.5;
        let threshold = G * statue_tips.min(0.5 * side / whole);
        let column = SpatialColumn::new(vec![plinth, statue.clone()]).unwrap();
        let run = |part: f64| {
            let options = SpatialOptions::new(0.6, 0.9);
            let run = column.run(&push(part * threshold, 0.0, 0.0, 0.4), G, &options);
            let run = run.unwrap();
            assert_audited(&run);
            run.drums
                .iter()
                .map(|drum| drum.largest_tilt)
                .fold(0.0, f64::max)
        };
        assert_eq!(run(1.0 - 2e-4), 0.0, "{side}");
        assert!(run(1.02) > 1e-4, "{side}");
    }
}

/// After a push that slides it a block lies still again, at the place of the closed form.
#[test]
fn what_has_slid_stays_where_it_came_to_rest() {
    let (friction, a, seconds) = (0.3, 5.0, 0.2);
    let column =
        SpatialColumn::new(vec![SpatialBody::prism(1.0, 1.0, 0.5, 2500.0).unwrap()]).unwrap();
    let decel = friction * G;
    // Relative speed (a − μg) T, then the base keeps its velocity and the block catches up.
    let slides = 0.5 * (a - decel) * seconds * seconds * (1.0 + (a - decel) / decel);
    let run = column
        .run(
            &push(a, 0.0, 0.0, seconds),
            G,
            &SpatialOptions::new(2.0, friction),
        )
        .unwrap();
    assert_audited(&run);
    assert_eq!(run.outcome, SpatialOutcome::Settled);
    let off = run.drums[0].residual_offset.length() / slides - 1.0;
    // The scheme is of second order in a step of 0.5 ms.
    assert!(off.abs() < 1e-4, "{off}");
}

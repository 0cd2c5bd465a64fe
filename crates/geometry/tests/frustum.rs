//! Frusta against prisms of many sides and closed forms, and where their circles touch.

use glam::{DQuat, DVec3};
use klast_geometry::{Frustum, Manifold, Plane, Pose, Round, round_on_plane, round_on_round};
use std::f64::consts::{PI, TAU};

/// The prism of n sides on the radius r has the area n/2 r² sin(2π/n): its volume, and with it its mass, falls short of
/// the frustum's by the factor sin(2π/n)/(2π/n), its moments by terms of the same order, 1/n².
#[test]
fn mass_is_the_limit_of_prisms() {
    for (bottom, top, height) in [(0.3, 0.3, 1.2), (0.5, 0.2, 0.4), (0.1, 0.6, 0.05)] {
        let solid = Frustum::new(bottom, top, height).unwrap();
        let exact = solid.mass_properties(2500.0).unwrap();
        assert!((exact.mass / (2500.0 * solid.volume()) - 1.0).abs() < 1e-15);
        let n = 400.0;
        let prism = solid.inscribed(400).unwrap();
        let found = prism.mass_properties(2500.0).unwrap();
        let part = (TAU / n).sin() / (TAU / n);
        assert!((found.mass / (part * exact.mass) - 1.0).abs() < 1e-12);
        assert!((found.centre - exact.centre).length() < 1e-12);
        let inertia = found.inertia();
        for (found, exact) in [
            (inertia.x_axis.x, exact.principal_inertia.x),
            (inertia.y_axis.y, exact.principal_inertia.y),
            (inertia.z_axis.z, exact.principal_inertia.z),
        ] {
            assert!(
                (found / exact - 1.0).abs() < 4.0 * (PI / n).powi(2),
                "{found} {exact}"
            );
        }
    }
    // A cylinder by its own formulas.
    let (r, h) = (0.3f64, 1.2f64);
    let m = Frustum::new(r, r, h).unwrap().mass_properties(1.0).unwrap();
    assert!((m.mass / (PI * r * r * h) - 1.0).abs() < 1e-15);
    assert!((m.principal_inertia.z / (0.5 * m.mass * r * r) - 1.0).abs() < 1e-15);
    let across = m.mass * (r * r / 4.0 + h * h / 12.0);
    assert!((m.principal_inertia.x / across - 1.0).abs() < 1e-14);
    // A cone, which a top of no size tends to: its mass centre is at a quarter of its height.
    let cone = Frustum::new(0.5, 1e-12, 2.0).unwrap();
    let centre = cone.mass_properties(1.0).unwrap().centre.z;
    assert!((centre / 0.5 - 1.0).abs() < 1e-11);
    assert!(Frustum::new(0.0, 1.0, 1.0).is_err() && Frustum::new(1.0, 1.0, f64::NAN).is_err());
    assert!(cone.inscribed(2).is_err() && cone.mass_properties(0.0).is_err());
}

/// No point of either rim is farther along a direction than the support.
#[test]
fn the_support_is_the_farthest_point() {
    let solid = Frustum::new(0.5, 0.3, 0.7).unwrap();
    for k in 0..50 {
        let (a, b) = (0.37 * f64::from(k), 0.61 * f64::from(k));
        let direction = DVec3::new(a.cos() * b.cos(), a.sin() * b.cos(), b.sin());
        let found = solid.support(direction).dot(direction);
        let rim = (0..3600).flat_map(|i| {
            let (sin, cos) = (TAU * f64::from(i) / 3600.0).sin_cos();
            [(0.5, 0.0), (0.3, 0.7)].map(|(r, z)| DVec3::new(r * cos, r * sin, z))
        });
        let most = rim
            .map(|p| p.dot(direction))
            .fold(f64::NEG_INFINITY, f64::max);
        assert!(
            found >= most - 1e-12 && found - most < 1e-6,
            "{found} {most}"
        );
    }
}

fn round<'a>(solid: &'a Frustum, pose: &'a Pose, points: usize) -> Round<'a> {
    Round {
        solid,
        pose,
        spin: DVec3::ZERO,
        points,
    }
}

/// However it is turned, a cylinder touches a plane in the lowest point of its rim; level, with all points of a face.
#[test]
fn a_rim_touches_a_plane_in_its_lowest_point() {
    let solid = Frustum::new(0.4, 0.3, 1.0).unwrap();
    let plane = Plane::new(DVec3::Z, 0.0).unwrap();
    let mut out = Manifold::default();
    for k in 0..40 {
        let azimuth = 0.7 * f64::from(k);
        let tilt = 0.01 + 0.02 * f64::from(k);
        let across = DVec3::new(-azimuth.sin(), azimuth.cos(), 0.0);
        let turned = DQuat::from_axis_angle(across, tilt) * DQuat::from_rotation_z(1.3 * azimuth);
        let pose = Pose::new(turned, DVec3::Z * (0.4 * tilt.sin() - 1e-4)).unwrap();
        round_on_plane(&round(&solid, &pose, 5), &plane, (1e-3, 0.0), &mut out);
        let lowest = out
            .points
            .iter()
            .fold(f64::INFINITY, |low, p| low.min(p.gap));
        assert!((lowest + 1e-4).abs() < 1e-14, "{lowest}");
        let first = out.points.iter().find(|p| p.feature == 0).unwrap();
        assert_eq!(first.gap, lowest);
        let expected = 0.4 * tilt.cos() * DVec3::new(azimuth.cos(), azimuth.sin(), 0.0);
        assert!((first.point - expected).length() < 1e-14, "{first:?}");
    }
    round_on_plane(
        &round(&solid, &Pose::IDENTITY, 24),
        &plane,
        (1e-3, 0.0),
        &mut out,
    );
    assert_eq!(out.points.len(), 24);
}

/// Of two faces the least gap is that over the lens in which they overlap, as found on a fine net of it: on the rim of
/// the one, on that of the other, or where they cross.
#[test]
fn faces_of_two_frusta_are_nearest_where_a_net_of_their_lens_is() {
    let mut out = Manifold::default();
    let mut seen = [0; 3];
    for k in 0..200 {
        let f = f64::from(k);
        let at = |s: f64| (s * f).sin().abs();
        let (lower, upper) = (0.2 + 0.3 * at(0.7), 0.2 + 0.3 * at(1.1));
        let way = 0.9 * (lower + upper) * at(1.9) * 0.5;
        let [below, above] = [lower, upper].map(|r| Frustum::new(r, r, 1.0).unwrap());
        let tilt = 1e-4 + 1e-3 * at(2.3);
        let across = DVec3::new(-(3.1 * f).sin(), (3.1 * f).cos(), 0.0);
        let stands = Pose::from_translation(DVec3::NEG_Z);
        let leans = DQuat::from_axis_angle(across, tilt);
        let pose = Pose::new(
            leans,
            DVec3::new(way * (1.7 * f).cos(), way * (1.7 * f).sin(), 1e-3),
        )
        .unwrap();
        let pair = [&round(&above, &pose, 3), &round(&below, &stands, 3)];
        assert!(round_on_round(pair, (1.0, 0.0), &mut out));
        let found = out
            .points
            .iter()
            .min_by(|a, b| a.gap.total_cmp(&b.gap))
            .unwrap();
        seen[(found.feature >> 30) as usize] += 1;
        let mut least = f64::INFINITY;
        for i in 0..400 {
            for j in 0..=100 {
                let angle = TAU * f64::from(i) / 400.0;
                let r = upper * f64::from(j) / 100.0;
                let p = pose.transform_point(DVec3::new(r * angle.cos(), r * angle.sin(), 0.0));
                if p.x.hypot(p.y) <= lower {
                    least = least.min(p.z);
                }
            }
        }
        // A net of a hundredth of the radius, on a face that leans by the tilt.
        assert!(found.gap <= least + 1e-8, "{k}: {} {least}", found.gap);
        assert!(
            found.gap > least - 0.02 * tilt,
            "{k}: {} {least}",
            found.gap
        );
    }
    assert!(seen.iter().all(|n| *n > 10), "{seen:?}");
    // Beside each other no two faces meet.
    let drum = Frustum::new(0.3, 0.3, 1.0).unwrap();
    let beside = Pose::from_translation(DVec3::X * 0.6);
    let pair = [&round(&drum, &beside, 8), &round(&drum, &Pose::IDENTITY, 8)];
    assert!(!round_on_round(pair, (0.1, 0.0), &mut out) && out.points.is_empty());
}

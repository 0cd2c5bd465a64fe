//! Moments of needles and plates in every attitude and at every scale: right to 1e-6, or the solid is refused.

use glam::{DQuat, DVec3};
use klast_geometry::ConvexPolyhedron;

#[test]
fn moments_of_needles_and_plates_are_right_or_refused() {
    let mut refused = 0;
    for power in 0..9 {
        let thin = 10f64.powi(-power);
        for edges in [
            DVec3::new(1.0, thin, thin),
            DVec3::new(1.0, 0.7, thin),
            DVec3::new(1.0, 2.0 * thin, thin),
        ] {
            for k in 0..40 {
                let part = |f: f64| (f * (k + 1) as f64).fract();
                let axis = DVec3::new(part(0.618), part(0.755), part(0.570)).normalize();
                let turn = if k == 0 {
                    DQuat::IDENTITY
                } else {
                    DQuat::from_axis_angle(axis, 6.0 * part(0.819))
                };
                let scale = 10f64.powi(k % 7 - 3);
                let corner = |i: usize| {
                    let sign = |bit: usize| if i & bit == 0 { -0.5 } else { 0.5 };
                    turn * (edges * DVec3::new(sign(1), sign(2), sign(4))) * scale
                };
                let points: Vec<DVec3> = (0..8).map(corner).collect();
                let Ok(mass) = ConvexPolyhedron::from_points(&points)
                    .and_then(|hull| hull.mass_properties(1.0))
                else {
                    refused += usize::from(power < 7);
                    continue;
                };
                let e = edges * scale;
                let volume = e.x * e.y * e.z;
                let square = e * e;
                let mut want = [
                    square.y + square.z,
                    square.x + square.z,
                    square.x + square.y,
                ]
                .map(|s| volume * s / 12.0);
                let mut found = mass.principal_inertia.to_array();
                want.sort_by(f64::total_cmp);
                found.sort_by(f64::total_cmp);
                assert!(
                    (mass.mass / volume - 1.0).abs() < 1e-6,
                    "{edges} {k}: volume {} {volume}",
                    mass.mass
                );
                for (f, w) in found.iter().zip(&want) {
                    assert!(
                        (f / w - 1.0).abs() < 1e-6,
                        "{edges} {k}: {found:?} {want:?}"
                    );
                }
            }
        }
    }
    // Down to 1 : 1e6 all are taken.
    assert_eq!(refused, 0);
}

//! The impact of a lumped mass that turns: energy of the motion along the ground.

use glam::DVec3;
use klast_rockfall::lumped::*;

/// What the law keeps of the energy along one tangent is f(F) SF, with I = 2/5 M r² of a sphere, and the sphere rolls
/// after the impact (Pfeiffer and Bowen 1989).
#[test]
fn the_energy_along_the_ground_falls_by_both_factors_and_the_sphere_rolls() {
    let law = LumpedLaw {
        rotation: true,
        reading: Reading::Corrected,
        scaling: Scaling::METRIC,
    };
    let restitution = Restitution {
        normal: 0.3,
        tangential: 0.8,
    };
    let radius = 0.7;
    for (v, w) in [
        (DVec3::new(-9.0, 12.0, 0.0), DVec3::ZERO),
        (DVec3::new(-9.0, 12.0, 0.0), DVec3::new(0.0, 0.0, 20.0)),
        (DVec3::new(-3.0, 1.0, 0.0), DVec3::new(0.0, 0.0, -4.0)),
    ] {
        let factors = law.factors(v, w, radius, restitution);
        let after = law.impact_in_frame(v, w, radius, restitution);
        let energy = |v: f64, w: f64| 0.5 * (v * v + 0.4 * (radius * w) * (radius * w));
        let kept = energy(after.velocity.y, after.spin.z) / energy(v.y, w.z);
        assert!((kept - factors.friction * factors.scaling).abs() < 1e-14);
        assert!((after.spin.z * radius - after.velocity.y).abs() < 1e-14);
        assert!((after.velocity.x + 0.3 * v.x).abs() < 1e-15);
    }
}

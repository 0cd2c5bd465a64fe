//! Bodies on their base in space: the plane engine is the limit of a prism, and a cylinder wobbles as its closed form
//! says.

use glam::{DQuat, DVec3};
use klast_dynamics::ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::spatial::{SpatialBody, SpatialMotion, SpatialOptions, SpatialOutcome};
use klast_rocking::{Options, Restitution, RockingBlock, simulate};

const G: f64 = 9.81;

/// A prism shaken across its face keeps to the plane: its largest rotation is the plane engine's within 1 % at 0.5 ms,
/// and comes to it with the step. The base pushes along y as well as along x in turn, so both axes are looked at.
#[test]
fn a_prism_in_a_plane_of_symmetry_is_the_plane_block() {
    for (k, (width, height, amplitude, frequency)) in [
        (0.5, 2.0, 4.5, 2.0),
        (0.4, 1.2, 5.5, 1.6),
        (0.6, 1.5, 7.0, 2.0),
    ]
    .into_iter()
    .enumerate()
    {
        let wave = Component::waves(
            amplitude,
            Frequency::rad_per_s(std::f64::consts::TAU * frequency),
            0.0,
            2.0,
        )
        .unwrap();
        let block = RockingBlock::rectangle(width, height, G).unwrap();
        let motion = GroundMotion::horizontal(wave.clone());
        let plane = simulate(&block, &Restitution::housner(), &motion, &Options::new(4.0)).unwrap();
        assert!(plane.contact.unwrap().needed_friction < 1.0);
        let along_y = k % 2 == 1;
        let (body, components) = if along_y {
            let body = SpatialBody::prism(0.9, width, height, 2500.0).unwrap();
            (body, [Component::at_rest(), wave, Component::at_rest()])
        } else {
            let body = SpatialBody::prism(width, 0.9, height, 2500.0).unwrap();
            (body, [wave, Component::at_rest(), Component::at_rest()])
        };
        let motion = SpatialMotion { components };
        let off = [5e-4, 2.5e-4].map(|step| {
            let options = SpatialOptions {
                step,
                ..SpatialOptions::new(4.0, 1.0)
            };
            let run = body.run(&motion, G, &options).unwrap();
            let energy = run.energy;
            assert!(
                energy.imbalance.abs() < 1e-9 * (energy.base_work.abs() + energy.contacts),
                "{energy:?}"
            );
            assert_eq!(run.unconverged, 0);
            let tan = width / height;
            let ratio = run.largest_tilt / tan.atan();
            assert!((run.largest_ratio / ratio - 1.0).abs() < 1e-3, "{run:?}");
            (run.largest_tilt / plane.largest_rotation - 1.0).abs()
        });
        assert!(off[0] < 0.01 && off[1] < 0.7 * off[0] + 1e-4, "{off:?}");
    }
}

/// Stationary wobbling: a cylinder of radius a and height 2h tilted by θ rolls on its rim while its centre stays where
/// it is, with the precession Ω² sin θ (I₁ cos θ − I₃ (h/a) sin θ) = m g (a cos θ − h sin θ), from the balance of
/// moments of a steady precession; for h = 0 it is Euler's disc, Ω² = 4g/(a sin θ). The tilt stays as it is but for
/// what the corners of the polygon take.
#[test]
fn a_cylinder_wobbles_steadily_at_the_rate_of_the_closed_form() {
    let (a, h, tilt) = (0.25f64, 0.4f64, 0.15f64);
    let (sin, cos) = tilt.sin_cos();
    let (i1, i3) = (a * a / 4.0 + h * h / 3.0, a * a / 2.0);
    let drive = G * (a * cos - h * sin);
    let precession = (drive / (sin * (i1 * cos - i3 * h / a * sin))).sqrt();
    // leaning to +x; ω = Ω z + s e₃ with the spin s that keeps the centre in place
    let axis = DVec3::new(sin, 0.0, cos);
    let spin = precession * (h * sin - a * cos) / a;
    let errors = [60usize, 240].map(|facets| {
        let body = SpatialBody::cylinder(a, 2.0 * h, facets, 2500.0).unwrap();
        let options = SpatialOptions {
            step: 2.5e-4,
            attitude: DQuat::from_axis_angle(DVec3::Y, tilt),
            angular_velocity: precession * DVec3::Z + spin * axis,
            sample: Some(0.01),
            ..SpatialOptions::new(0.5, 1.0)
        };
        let run = body.run(&SpatialMotion::default(), G, &options).unwrap();
        let (mut turned, mut worst) = (0.0, 0.0f64);
        for pair in run.samples.windows(2) {
            let step = pair[1].azimuth - pair[0].azimuth;
            turned += (step + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
                - std::f64::consts::PI;
            worst = worst.max((pair[1].tilt / tilt - 1.0).abs());
        }
        let time = run.samples.last().unwrap().time;
        ((turned / time / precession - 1.0).abs(), worst)
    });
    // Each corner of the polygon takes its share, so the errors fall with the number of facets.
    let [few, many] = errors;
    assert!(many.0 < 0.005 && many.0 < 0.5 * few.0, "{errors:?}");
    assert!(many.1 < 0.015 && many.1 < 0.7 * few.1, "{errors:?}");
}

/// Seen along its diagonal a square prism has the critical tilt of its corner, larger than that of its edge.
#[test]
fn critical_tilts_and_overturning() {
    let body = SpatialBody::prism(0.4, 0.4, 2.0, 2500.0).unwrap();
    let (least, largest) = body.critical_tilts();
    assert!((least - 0.2f64.atan()).abs() < 1e-12);
    assert!((largest - (0.2 * 2f64.sqrt()).atan()).abs() < 1e-12);
    assert!((body.critical_tilt(std::f64::consts::FRAC_PI_4) - largest).abs() < 1e-12);
    let run = |tilt: f64| {
        let options = SpatialOptions::released(3.0, 0.8, tilt, 0.0);
        body.run(&SpatialMotion::default(), G, &options).unwrap()
    };
    assert!(
        matches!(run(1.02 * least).outcome, SpatialOutcome::Overturned { azimuth, .. } if azimuth.abs() < 1e-6)
    );
    let back = run(0.98 * least);
    assert!(
        matches!(
            back.outcome,
            SpatialOutcome::Rocking | SpatialOutcome::Settled
        ),
        "{back:?}"
    );
    assert!((back.largest_ratio - 0.98).abs() < 1e-3);
    assert!(SpatialBody::frustum(0.5, 0.3, 2.0, 2, 2500.0).is_err());
    assert!(SpatialBody::prism(0.5, 0.3, -2.0, 2500.0).is_err());
}

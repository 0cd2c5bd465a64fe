//! Bodies on their base in space: the plane engine is the limit of a prism, and a cylinder wobbles as its closed form
//! says.

#[path = "common/random_prisms.rs"]
mod random_prisms;

use glam::{DQuat, DVec3};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::spatial::{
    SpatialBody, SpatialMotion, SpatialOptions, SpatialOutcome, SpatialSample,
};
use klast_rocking::{Options, Restitution, RockingBlock, simulate};
use random_prisms::Case;

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
        // The bar is 1 %.
        assert!(off[0] < 2e-4 && off[1] < 1e-4, "{off:?}");
    }
}

/// Twenty random prisms and motions: within 0.1 % at the usual step and at half of it; the sum of the differences falls
/// by more than a factor of 3. The last is the hardest: the plane engine multiplies a change of the restitution by 97
/// in its largest rotation.
#[test]
fn random_prisms_in_a_plane_of_symmetry_are_plane_blocks() {
    let (mut state, mut most, mut sums) = (12_345, 0.0f64, [0.0; 2]);
    for _ in 0..20 {
        let case = Case::draw(&mut state).unwrap();
        most = most.max(case.sensitivity);
        let off = [5e-4, 2.5e-4].map(|step| case.off(step).unwrap().abs());
        let peak = case.peak;
        assert!(
            off.iter().all(|off| *off < 1e-3),
            "{peak} rad, {} impacts: {off:?}",
            case.impacts
        );
        sums = [sums[0] + off[0], sums[1] + off[1]];
    }
    assert!(3.0 * sums[1] < sums[0], "{sums:?}");
    assert!(most > 90.0, "{most}");
}

/// Released from a tilt a prism passes to its other edge. Its energy gives the rotation up to which it goes there:
/// cos(α − θ₁) − cos α = r² (cos(α − θ₀) − cos α), r = 1 − (3/2) sin² α, Housner (1963). The error falls with the
/// square of the step, the impact included, wherever in a step it happens.
#[test]
fn a_prism_passes_an_impact_to_second_order() {
    let (width, height) = (0.5f64, 2.0f64);
    let alpha = (width / height).atan();
    let kept = 1.0 - 1.5 * alpha.sin().powi(2);
    let body = SpatialBody::prism(width, 0.9, height, 2500.0).unwrap();
    let mut sums = [0.0; 3];
    for tilt in [0.1, 0.15, 0.17, 0.2] {
        let rise = kept * kept * ((alpha - tilt).cos() - alpha.cos());
        let exact = alpha - (alpha.cos() + rise).acos();
        for (sum, step) in sums.iter_mut().zip([1e-3, 5e-4, 2.5e-4]) {
            let options = SpatialOptions {
                step,
                sample: Some(step),
                ..SpatialOptions::released(1.6, 5.0, tilt, 0.0)
            };
            let run = body.run(&SpatialMotion::default(), G, &options).unwrap();
            let far = |sample: &&SpatialSample| sample.azimuth.abs() > 1.0;
            let there = run.samples.iter().skip_while(|sample| !far(sample));
            let there: Vec<f64> = there.take_while(far).map(|sample| sample.tilt).collect();
            let found = there.iter().fold(0.0f64, |most, tilt| most.max(*tilt));
            *sum += (found / exact - 1.0).abs() / 4.0;
        }
    }
    assert!(
        sums[1] < 1e-5 && sums[1] < 0.35 * sums[0] && sums[2] < 0.35 * sums[1],
        "{sums:?}"
    );
}

/// Stationary wobbling: a cylinder of radius a and height 2h tilted by θ rolls on its rim while its centre stays where
/// it is, with the precession Ω² sin θ (I₁ cos θ − I₃ (h/a) sin θ) = m g (a cos θ − h sin θ), from the balance of
/// moments of a steady precession; for h = 0 it is Euler's disc, Ω² = 4g/(a sin θ). The tilt stays as it is, however
/// few the corners of the prism that stands for the cylinder.
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
    let errors = [24usize, 240].map(|facets| {
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
        (turned / time / precession - 1.0, worst)
    });
    // What steps leave of a quarter of a millisecond with 24 sides, and of a tenth of that with 240. A prism that
    // rolled from corner to corner would be 0.8 % off with 240 sides, and ten times as much with 24.
    let [few, many] = errors;
    assert!(few.0.abs() < 1e-3 && few.1 < 4e-3, "{errors:?}");
    assert!(many.0.abs() < 2e-4 && many.1 < 1.5e-3, "{errors:?}");
}

/// The angle by which the contact runs around the rim from one highest tilt to the next, of a can that nearly slaps its
/// base on the ground. Near the flat position the axis moves as a point n = φ (cos ψ, sin ψ) with the energy
/// ½ (A + m a²) φ′² + ½ A φ² ψ′² + m g (a φ − h φ²/2), A = I₁ + m h²: a straight line on a cone, so the angle tends to
/// π √(1 + m a²/A), Srinivasan and Ruina's angle of turn (2008, Physical Review E 78, 066609); √5 π of a rolling disc.
/// At a finite least tilt it is the quadrature below.
fn turn(a: f64, h: f64, tilt: f64, sideways: f64) -> (f64, f64) {
    let inertia = a * a / 4.0 + h * h / 3.0 + h * h;
    let height = |phi: f64| G * (a * phi - 0.5 * h * phi * phi);
    let momentum = inertia * tilt * sideways;
    // Twice the kinetic energy of φ.
    let radial = |phi: f64| {
        let turning = |phi: f64| momentum * momentum / (inertia * phi * phi);
        (2.0 * (height(tilt) - height(phi)) + turning(tilt) - turning(phi)) / (inertia + a * a)
    };
    let (mut low, mut high) = (1e-9, 0.5 * tilt);
    while high - low > 1e-15 {
        let middle = 0.5 * (low + high);
        if radial(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    // φ = least + (tilt − least) sin²: both ends are turning points.
    let steps = 200_000;
    let sum: f64 = (0..steps)
        .map(|k| {
            let x = (f64::from(k) + 0.5) / f64::from(steps) * std::f64::consts::FRAC_PI_2;
            let phi = high + (tilt - high) * x.sin().powi(2);
            let slope = 2.0 * (tilt - high) * x.sin() * x.cos();
            momentum / (inertia * phi * phi) * slope / radial(phi).max(1e-300).sqrt()
        })
        .sum();
    let limit = std::f64::consts::PI * (1.0 + a * a / inertia).sqrt();
    (
        2.0 * sum * std::f64::consts::FRAC_PI_2 / f64::from(steps),
        limit,
    )
}

#[test]
fn a_can_that_seems_to_rock_rolls_by_the_angle_of_turn() {
    let a = 0.25;
    let disc = turn(a, 1e-9, 1e-3, 1e-5);
    assert!((disc.1 / (5f64.sqrt() * std::f64::consts::PI) - 1.0).abs() < 1e-12);
    assert!((disc.0 / disc.1 - 1.0).abs() < 2e-2, "{disc:?}");
    for (h, tilt, sideways) in [(0.4, 0.06, 0.12), (0.1, 0.06, 0.2)] {
        let (expected, _) = turn(a, h, tilt, sideways);
        let body = SpatialBody::cylinder(a, 2.0 * h, 360, 2500.0).unwrap();
        let options = SpatialOptions {
            step: 2e-4,
            attitude: DQuat::from_axis_angle(DVec3::Y, tilt),
            angular_velocity: DVec3::new(-sideways, 0.0, 0.0),
            sample: Some(1e-3),
            ..SpatialOptions::new(0.5, 2.0)
        };
        let run = body.run(&SpatialMotion::default(), G, &options).unwrap();
        let (mut turned, mut falling, mut least) = (0.0, true, tilt);
        for pair in run.samples.windows(2) {
            let step = pair[1].azimuth - pair[0].azimuth;
            turned += (step + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
                - std::f64::consts::PI;
            least = least.min(pair[1].tilt);
            if falling {
                falling = pair[1].tilt <= pair[0].tilt || pair[1].tilt < 2.0 * least;
            } else if pair[1].tilt < pair[0].tilt {
                break;
            }
        }
        // Terms of the square of the tilt, and what corners of the polygon take.
        assert!(
            (turned / expected - 1.0).abs() < 0.015,
            "{h}: {turned} {expected}"
        );
    }
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

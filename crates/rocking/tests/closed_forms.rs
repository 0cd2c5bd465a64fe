//! Closed forms against the integrated motion.
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::closed_form::{
    AirTrack, Hyperbolic, LinearHarmonic, lift_off_phase, overturning_duration,
    overturning_duration_linear, quarter_period, settling_time,
};
use klast_rocking::{
    Equation, Options, Restitution, RestitutionModel, RockingBlock, Run, edge_contact,
    impulse_position, impulse_position_linear, simulate,
};

fn slender() -> RockingBlock {
    RockingBlock::rectangle(0.06, 0.27, 9.81).unwrap()
}

fn sampled(block: &RockingBlock, motion: Component, equation: Equation, duration: f64) -> Run {
    let options = Options {
        equation,
        sample: Some(duration / 50.0),
        ..Options::new(duration)
    };
    simulate(
        block,
        &Restitution::housner(),
        &GroundMotion::horizontal(motion),
        &options,
    )
    .unwrap()
}

#[test]
fn constant_acceleration_and_the_free_stage_after_it() {
    let block = slender();
    let (p, alpha) = (block.frequency(), block.slenderness());
    for equation in [Equation::Linearised, Equation::QuasiLinear] {
        let push = 0.31;
        let t_a = 0.08;
        // the base accelerates to the right, the block leans to the left
        let run = sampled(
            &block,
            Component::constant(push * 9.81, t_a).unwrap(),
            equation,
            0.15,
        );
        let first = Hyperbolic::new(equation, (p, alpha), push, (0.0, 0.0)).unwrap();
        let state = (first.rotation(t_a), first.velocity(t_a));
        let second = Hyperbolic::new(equation, (p, alpha), 0.0, state).unwrap();
        for s in &run.samples {
            let (q, v) = if s.time <= t_a {
                (first.rotation(s.time), first.velocity(s.time))
            } else {
                (second.rotation(s.time - t_a), second.velocity(s.time - t_a))
            };
            // rounding of sinh and cosh of up to 1
            assert!(
                (s.rotation + q).abs() < 1e-15 && (s.angular_velocity + v).abs() < 1e-14,
                "{}",
                s.time
            );
        }
    }
}

#[test]
fn harmonic_acceleration_from_the_moment_of_lift_off() {
    let block = slender();
    let (p, alpha) = (block.frequency(), block.slenderness());
    let (a0, omega) = (0.4, 9.0);
    let phase = lift_off_phase(a0 / alpha).unwrap();
    let closed = LinearHarmonic::new((p, alpha), (a0, omega, phase), (0.0, 0.0));
    let wave = Component::waves(-a0 * 9.81, Frequency::rad_per_s(omega), 0.0, 1.0).unwrap();
    let run = sampled(&block, wave, Equation::Linearised, 0.4);
    let start = run.events[0].time();
    assert!((start - phase / omega).abs() < 1e-15);
    for s in run.samples.iter().filter(|s| s.time > start) {
        let t = s.time - start;
        assert!((s.rotation - closed.rotation(t)).abs() < 1e-14);
        assert!((s.angular_velocity - closed.velocity(t)).abs() < 1e-13);
    }
    // at rest on the base at lift-off: rotation, rate and acceleration vanish
    assert!(closed.rotation(0.0).abs() < 1e-16 && closed.velocity(0.0).abs() < 1e-16);
}

#[test]
fn housner_period_and_the_finite_settling_time() {
    let block = slender();
    let (p, alpha) = (block.frequency(), block.slenderness());
    let options = Options {
        equation: Equation::Linearised,
        ..Options::released(8.0, 0.15)
    };
    let run = simulate(
        &block,
        &Restitution::housner(),
        &GroundMotion::at_rest(),
        &options,
    )
    .unwrap();
    assert!((run.impact_times()[0] - quarter_period(p, alpha, 0.15).unwrap()).abs() < 1e-15);
    let eta = Restitution::housner().coefficient(&block, klast_rocking::Side::Left);
    let rest = settling_time(p, alpha, 0.15, eta).unwrap();
    assert!((run.rest_time().unwrap() - rest).abs() < 1e-13);
    let flight = Hyperbolic::new(Equation::Linearised, (p, alpha), 0.0, (0.15, 0.0)).unwrap();
    assert!((flight.time_to_base().unwrap() - run.impact_times()[0]).abs() < 1e-15);
}

#[test]
fn critical_duration_of_a_constant_acceleration() {
    assert!((overturning_duration_linear(1.5).unwrap() - 3.0f64.ln()).abs() < 1e-15);
    assert_eq!(overturning_duration_linear(0.9), None);
    let block = slender();
    let a0 = 1.5 * 9.81 * block.slenderness();
    for sign in [1.0, -1.0] {
        let t = overturning_duration(&block, sign * a0).unwrap().unwrap();
        // independent bisection, 1.1316194584315675 to 1e-9
        assert!((t * block.frequency() - 1.131_619_458_431_567_5).abs() < 1e-9);
    }
    assert_eq!(
        overturning_duration(&block, 0.9 * block.lift_off_acceleration()).unwrap(),
        None
    );
}

#[test]
fn restitution_formulas_and_their_inverse() {
    let block = slender();
    let sin2 = block.slenderness().sin().powi(2);
    let eta = |model| {
        Restitution::new(model)
            .unwrap()
            .coefficient(&block, klast_rocking::Side::Left)
    };
    assert!((eta(RestitutionModel::Housner) - (1.0 - 1.5 * sin2)).abs() < 1e-15);
    for k in [0.0, 0.4, 0.7306, 1.0] {
        let printed = (4.0 - 3.0 * sin2 * (1.0 + k * k)) / (4.0 - 3.0 * sin2 * (1.0 - k * k));
        let linear = (4.0 - 3.0 * sin2 * (1.0 + k)) / (4.0 - 3.0 * sin2 * (1.0 - k));
        assert!((eta(RestitutionModel::Improved { k }) - printed).abs() < 1e-15);
        assert!((eta(RestitutionModel::ImprovedLinear { k }) - linear).abs() < 1e-15);
        let material = Restitution::with_material(RestitutionModel::Improved { k }, 0.989).unwrap();
        let measured = material.coefficient(&block, klast_rocking::Side::Right);
        // the inverse takes a root of 1 - η: 1e-15 over it
        assert!(
            (impulse_position(&block, measured, 0.989).unwrap() - k).abs()
                < 1e-7 * (1.0 - k) + 1e-13
        );
        assert!((impulse_position_linear(&block, measured, 0.989).unwrap() - k * k).abs() < 1e-13);
    }
    let (k1, k2) = edge_contact(0.045, 1.5e-3).unwrap();
    assert!((k1 - 14.0 / 15.0).abs() < 1e-15 && (k2 - 29.0 / 30.0).abs() < 1e-15);
    assert!(edge_contact(0.045, 0.03).is_err());
    assert!(impulse_position(&block, 0.995, 0.989).is_err());
}

#[test]
fn air_track_relations() {
    let track = AirTrack::new(0.120, 0.0955, 9.81).unwrap();
    let a = track.acceleration(0.05).unwrap();
    assert!((a - 0.05 * 9.81 / 0.2655).abs() < 1e-15);
    let t = track.duration(0.05, 0.1).unwrap();
    // the mass falls by h_a in t_a
    assert!((0.5 * a * t * t - 0.1).abs() < 1e-16);
    assert!((track.motion(0.05, 0.1).unwrap().displacement(t) - 0.1).abs() < 1e-15);
}

#[test]
fn the_last_sample_holds_the_equation_of_motion_as_all_others() {
    let block = slender();
    let (p2, alpha) = (block.frequency() * block.frequency(), block.slenderness());
    let (amplitude, omega) = (0.5, 6.0);
    let wave = Component::waves(amplitude, Frequency::rad_per_s(omega), 0.0, 4.0).unwrap();
    for (motion, drive) in [
        (GroundMotion::at_rest(), 0.0),
        (GroundMotion::horizontal(wave), amplitude / 9.81),
    ] {
        for (duration, sample) in [(0.375, 0.375), (0.375, 0.125), (0.75, 0.25)] {
            let options = Options {
                sample: Some(sample),
                ..Options::released(duration, 0.15)
            };
            let run = simulate(&block, &Restitution::housner(), &motion, &options).unwrap();
            let last = run.samples.last().unwrap();
            assert_eq!(last.time, duration);
            for s in &run.samples {
                let side = s.rotation.signum();
                let base = drive * (omega * s.time).sin();
                let (sin, cos) = (alpha - s.rotation.abs()).sin_cos();
                let known = -p2 * (side * sin + base * cos);
                // Some roundings of terms of p².
                assert!(
                    (s.angular_acceleration - known).abs() < 1e-13 * p2,
                    "{s:?}: {known}"
                );
            }
        }
    }
}

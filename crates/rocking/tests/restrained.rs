//! Restrained blocks against closed forms and against an independent integration.

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_numerics::ode::{Arrival, Dopri853, OdeOptions, OdeSystem};
use klast_rocking::{
    BatchOptions, Case, Equation, Event, Fate, Options, Outcome, Restitution, Restrainer,
    Restraint, RockingBlock, Run, Side, simulate, simulate_at, simulate_batch,
};
use proptest::prelude::*;

const G: f64 = 9.81;
/// Half width and half height (m), mass (kg).
const B: f64 = 0.25;
const H: f64 = 1.0;
const MASS: f64 = 800.0;

fn block() -> RockingBlock {
    RockingBlock::rectangle(2.0 * B, 2.0 * H, G).unwrap()
}

/// Bolts at both corners.
fn bolts(stiffness: f64, strength: f64) -> Restraint {
    let at = |x| Restrainer::bolt(x, stiffness, strength);
    Restraint::new(MASS, &[at(-B), at(B)]).unwrap()
}

fn restrained(duration: f64, restraint: Restraint) -> Options {
    Options {
        restraint: Some(restraint),
        ..Options::new(duration)
    }
}

/// A constant base acceleration for `duration`.
fn constant(acceleration: f64, duration: f64) -> GroundMotion {
    GroundMotion::horizontal(Component::constant(acceleration, duration).unwrap())
}

/// Three waves.
fn waves(amplitude: f64, omega: f64) -> GroundMotion {
    let waves = Component::waves(amplitude, Frequency::rad_per_s(omega), 0.0, 3.0);
    GroundMotion::horizontal(waves.unwrap())
}

fn rock(motion: &GroundMotion, options: &Options) -> Run {
    simulate(&block(), &Restitution::housner(), motion, options).unwrap()
}

/// Rotation at the turn under a constant acceleration that sets in at once, from energy alone: gravity and the base
/// give R [g (cos(α − q) − cos α) − a (sin α − sin(α − q))], bolts at the other corner take (2b)² K/m (1 − cos q).
fn turn_by_energy(a: f64, stiffness: f64) -> f64 {
    let (r, alpha) = (B.hypot(H), B.atan2(H));
    let energy = |q: f64| {
        let psi = alpha - q;
        let free = r * (G * (psi.cos() - alpha.cos()) - a * (alpha.sin() - psi.sin()));
        free + 4.0 * B * B * stiffness / MASS * (1.0 - q.cos())
    };
    let (mut low, mut high) = (1e-9, alpha);
    assert!(energy(low) < 0.0 && energy(high) > 0.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if energy(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn anchors_leave_the_threshold_of_lift_off_and_set_the_turn() {
    let threshold = G * B / H;
    let options = restrained(2.0, bolts(2e5, 1e9));
    let still = rock(&constant(-0.999 * threshold, 2.0), &options);
    assert_eq!(still.outcome, Outcome::Rest);
    for (factor, stiffness) in [(1.2, 2e5), (1.6, 2e5), (2.5, 1e6)] {
        let a = factor * threshold;
        let motion = constant(-a, 2.0);
        let options = restrained(2.0, bolts(stiffness, 1e9));
        let run = rock(&motion, &options);
        let free = rock(&motion, &Options::new(4.0));
        // The free block overturns under every lasting acceleration above the threshold.
        assert!(matches!(free.outcome, Outcome::Overturned(_)), "{factor}");
        assert!(!matches!(run.outcome, Outcome::Overturned(_)), "{factor}");
        let turn = turn_by_energy(a, stiffness);
        // Round-off of a hundred steps.
        assert!(
            (run.largest_rotation / turn - 1.0).abs() < 1e-11,
            "{factor}"
        );
    }
}

#[test]
fn an_anchor_breaks_at_its_strength_and_loses_what_it_stored() {
    let (stiffness, strength) = (2e5, 5e3);
    let options = Options {
        sample: Some(1e-3),
        ..restrained(4.0, bolts(stiffness, strength))
    };
    let run = rock(&constant(-4.0, 4.0), &options);
    let broke = run.events.iter().find_map(|event| match event {
        Event::Broke { time, restrainer } => Some((*time, *restrainer)),
        _ => None,
    });
    // It turns about the right corner: the left bolt breaks.
    let (time, 0) = broke.unwrap() else {
        panic!("{broke:?}")
    };
    let report = run.restraint.as_ref().unwrap();
    assert_eq!(report.restrainers[0].broke, Some(time));
    assert_eq!(report.restrainers[1].broke, None);
    let stored = strength * strength / (2.0 * stiffness);
    assert!((report.restrainers[0].dissipated / stored - 1.0).abs() < 1e-12);
    assert!((report.restrainers[0].largest_force / strength - 1.0).abs() < 1e-12);
    // The chord 2·2b sin(q/2) is F/K there.
    let q = 2.0 * (strength / stiffness / (4.0 * B)).asin();
    let options = restrained(4.0, bolts(stiffness, strength));
    let at = simulate_at(
        &block(),
        &Restitution::housner(),
        &constant(-4.0, 4.0),
        &options,
        &[time],
    );
    assert!((at.unwrap().samples[0].rotation - q).abs() < 1e-12);
    assert!(matches!(run.outcome, Outcome::Overturned(mode) if mode.side == Side::Right));
}

/// Free flight from (q, v) on the right corner under −A sin(ω t + φ), pulled by what `pull` gives.
struct Flight<F> {
    amplitude: f64,
    omega: f64,
    pull: F,
}

impl<F: Fn(f64) -> f64> OdeSystem for Flight<F> {
    fn dimension(&self) -> usize {
        2
    }
    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        let (r, alpha) = (B.hypot(H), B.atan2(H));
        let p2 = 3.0 * G / (4.0 * r);
        let base = self.amplitude * (self.omega * t).sin() / G;
        let psi = alpha - y[0];
        dy[0] = y[1];
        dy[1] = -p2 * (psi.sin() + base * psi.cos()) - (self.pull)(y[0]);
    }
}

/// The second integrator, at rest at a time.
fn from_rest(time: f64) -> Dopri853 {
    let options = OdeOptions {
        relative: 1e-13,
        absolute: 1e-15,
        ..OdeOptions::default()
    };
    let mut method = Dopri853::new(2, options).unwrap();
    method.reset(time, &[0.0, 0.0]).unwrap();
    method
}

/// When a sine of the base lifts the block off.
fn lift_off(amplitude: f64, omega: f64) -> f64 {
    (G * B / H / -amplitude).asin() / omega
}

/// The equation of Makris and Zhang (2001) for equal anchors at both edges of a rectangle, to its rupture and on to the
/// impact: θ″ = −p² [sin(α − θ) + ü/g cos(α − θ)] − 3 (K/m) sin² α sin θ.
#[test]
fn anchored_blocks_follow_the_published_equation() {
    let (stiffness, strength) = (3e4, 6e2);
    let alpha = B.atan2(H);
    let (amplitude, omega) = (-6.0, 9.0);
    let motion = waves(amplitude, omega);
    let run = rock(&motion, &restrained(2.0, bolts(stiffness, strength)));
    let lift = lift_off(amplitude, omega);
    assert!((run.events[0].time() - lift).abs() < 1e-12);
    let published = |y: f64| 3.0 * stiffness / MASS * alpha.sin().powi(2) * y.sin();
    let mut method = from_rest(lift);
    let held = Flight {
        amplitude,
        omega,
        pull: published,
    };
    let broken = 2.0 * (strength / stiffness / (4.0 * B)).asin();
    let rupture = |_: f64, y: &[f64]| y[0] - broken;
    assert_eq!(
        method.advance(&held, 2.0, &[&rupture]).unwrap(),
        Arrival::Event { index: 0 }
    );
    let Event::Broke { time, .. } = run.events[1] else {
        panic!("{:?}", run.events)
    };
    assert!(
        (method.time() - time).abs() < 1e-9,
        "{} {time}",
        method.time()
    );
    let state = [method.state()[0], method.state()[1]];
    method.reset(method.time(), &state).unwrap();
    let free = Flight {
        amplitude,
        omega,
        pull: |_| 0.0,
    };
    let landing = |_: f64, y: &[f64]| y[0];
    assert_eq!(
        method.advance(&free, 2.0, &[&landing]).unwrap(),
        Arrival::Event { index: 0 }
    );
    let Event::Impact { time, before, .. } = run.events[2] else {
        panic!("{:?}", run.events)
    };
    assert!((method.time() - time).abs() < 1e-9);
    assert!((method.state()[1] - before).abs() < 1e-8);
}

/// A slack cable from the top of the block to a wall, its geometry by vectors.
#[test]
fn a_slack_cable_pulls_from_its_slack_on() {
    let cable = Restrainer {
        block_point: (-0.2, 1.8),
        base_point: (-1.3, 2.1),
        stiffness: 4e4,
        strength: 1e9,
        slack: 0.03,
        ..Restrainer::bolt(0.0, 1.0, 1.0)
    };
    let restraint = Restraint::new(MASS, &[cable]).unwrap();
    let (amplitude, omega) = (-4.5, 5.0);
    let motion = waves(amplitude, omega);
    let options = Options {
        sample: Some(0.01),
        ..restrained(2.0, restraint)
    };
    let run = rock(&motion, &options);
    let lift = lift_off(amplitude, omega);
    let inertia = 4.0 / 3.0 * (B * B + H * H);
    let point = |q: f64| {
        let (x, z) = (cable.block_point.0 - B, cable.block_point.1);
        (B + x * q.cos() + z * q.sin(), z * q.cos() - x * q.sin())
    };
    let length = |q: f64| {
        let (x, z) = point(q);
        (x - cable.base_point.0).hypot(z - cable.base_point.1)
    };
    let rest = length(0.0) + cable.slack;
    let pull = |q: f64| {
        let e = length(q) - rest;
        if e <= 0.0 {
            return 0.0;
        }
        let (x, z) = point(q);
        let force = cable.stiffness * e / length(q);
        let (fx, fz) = (
            force * (cable.base_point.0 - x),
            force * (cable.base_point.1 - z),
        );
        // Clockwise moment about the corner (B, 0) of a force at (x, z): z fx − (x − B) fz.
        -(z * fx - (x - B) * fz) / (MASS * inertia)
    };
    let mut method = from_rest(lift);
    let flight = Flight {
        amplitude,
        omega,
        pull,
    };
    let first_impact = run.impact_times()[0];
    let mut taut = false;
    for sample in run
        .samples
        .iter()
        .filter(|s| s.time > lift && s.time < first_impact)
    {
        method.advance(&flight, sample.time, &[]).unwrap();
        let q = method.state()[0];
        taut |= length(q) > rest;
        // The right-hand side has a kink where the cable tautens: the adaptive method resolves it to its tolerance.
        assert!((q - sample.rotation).abs() < 1e-9, "{} {q}", sample.time);
    }
    assert!(taut);
    assert!(run.restraint.unwrap().restrainers[0].largest_elongation > 0.0);
}

#[test]
fn other_models_refuse_restrainers_by_name() {
    let motion = constant(-4.0, 1.0);
    let options = restrained(1.0, bolts(1e5, 1e4));
    let housner = Restitution::housner();
    let small = Options {
        equation: Equation::Linearised,
        ..options
    };
    assert!(simulate(&block(), &housner, &motion, &small).is_err());
    let case = Case {
        block: block(),
        restitution: housner,
        motion: motion.horizontal.clone(),
        rotation: 0.0,
    };
    assert!(Restraint::new(MASS, &[]).is_err());
    assert!(Restraint::new(MASS, &[Restrainer::bolt(0.0, 1e5, -1.0)]).is_err());
    let held = BatchOptions {
        restraint: options.restraint,
        ..BatchOptions::new(3.0)
    };
    let fate = simulate_batch(&[case], &held).unwrap()[0].fate;
    assert_ne!(fate, Fate::Rest);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// Work of the base is what the motion has, impacts take and ruptures take; anchors of no stiffness do nothing.
    #[test]
    fn energy_is_accounted_for(
        stiffness in 3.0..7.0f64,
        strength in 2.0..5.0f64,
        slack in prop::sample::select(vec![0.0, 0.0, 0.004]),
        height in 0.0..2.0f64,
        away in 0.0..1.5f64,
        amplitude in 2.6..9.0f64,
        omega in 3.0..15.0f64,
    ) {
        let cable = |side: f64| Restrainer {
            block_point: (side * B, height),
            base_point: (side * (B + away), 0.0),
            stiffness: 10f64.powf(stiffness),
            strength: 10f64.powf(strength),
            slack,
            ..Restrainer::bolt(0.0, 1.0, 1.0)
        };
        let restraint = Restraint::new(MASS, &[cable(1.0), cable(-1.0)]).unwrap();
        let motion = GroundMotion::horizontal(
            Component::waves(amplitude, Frequency::rad_per_s(omega), 0.3, 3.0).unwrap(),
        );
        let options = restrained(5.0, restraint);
        let run = rock(&motion, &options);
        let report = run.restraint.unwrap();
        let e = report.energy;
        let scale = e.start.abs() + e.end.abs() + e.impacts + e.ruptures + 1e-3;
        let left = e.start + e.base_work - e.impacts - e.ruptures - e.end;
        prop_assert!(left.abs() < 1e-10 * scale, "{left} {e:?}");
        for (kept, of) in report.restrainers.iter().zip(restraint.restrainers()) {
            let stored = of.strength * of.strength / (2.0 * of.stiffness);
            prop_assert!(kept.largest_force <= of.strength * (1.0 + 1e-12));
            match kept.broke {
                Some(_) => prop_assert!((kept.dissipated / stored - 1.0).abs() < 1e-9),
                None => prop_assert_eq!(kept.dissipated, 0.0),
            }
        }
        let weak = |side: f64| Restrainer { stiffness: 1e-12, strength: 1e9, ..cable(side) };
        let nothing = Restraint::new(MASS, &[weak(1.0), weak(-1.0)]).unwrap();
        let held = rock(&motion, &restrained(2.0, nothing));
        let free = rock(&motion, &Options::new(2.0));
        // A chaotic motion spreads the last digit from impact to impact.
        for (a, b) in held.impact_times().iter().zip(free.impact_times()).take(3) {
            prop_assert!((a - b).abs() < 1e-9);
        }
    }
}

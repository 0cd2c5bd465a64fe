//! A block on springs against statics, small vibrations, energy and an independent integration.

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::compliant::{
    CompliantOutcome, CompliantRun, Foundation, FoundationKind, simulate_compliant,
};
use klast_rocking::{Options, RockingBlock};
use proptest::prelude::*;

const G: f64 = 9.81;
/// Half width and half height (m), mass (kg).
const B: f64 = 0.25;
const H: f64 = 1.0;
const MASS: f64 = 800.0;
const WEIGHT: f64 = MASS * G;

fn block() -> RockingBlock {
    RockingBlock::rectangle(2.0 * B, 2.0 * H, G).unwrap()
}

fn springs(stiffness: f64, damping: f64) -> Foundation {
    Foundation::new(MASS, FoundationKind::TwoSprings, stiffness, damping).unwrap()
}

fn bed(stiffness: f64, damping: f64) -> Foundation {
    Foundation::new(MASS, FoundationKind::Winkler, stiffness, damping).unwrap()
}

fn run(foundation: &Foundation, motion: &GroundMotion, options: &Options) -> CompliantRun {
    simulate_compliant(&block(), foundation, motion, options).unwrap()
}

/// Two springs: M = 2 k b² sin θ cos θ up to sin θ = W/(2 k b), then W b cos θ on one spring. A bed: M = k (2b)³/12 sin
/// θ up to sin θ = W/(2 b² k), then W b (1 − 2/3 √(θ_up/θ)) to the order of θ² (Chopra and Yim 1985).
#[test]
fn moments_are_those_of_statics_before_and_after_uplift() {
    let k = 4e6;
    let foundation = springs(k, 0.0);
    let uplift = (WEIGHT / (2.0 * k * B)).asin();
    assert!((foundation.uplift_rotation(&block()) / uplift - 1.0).abs() < 1e-14);
    for part in [0.1, 0.5, 0.999, -0.7] {
        let theta: f64 = part * uplift;
        let moment = 2.0 * k * B * B * theta.sin() * theta.cos();
        let found = foundation.static_moment(&block(), theta);
        assert!(
            (found / moment - 1.0).abs() < 1e-10,
            "{part} {found} {moment}"
        );
    }
    for part in [1.001, 2.0, 50.0] {
        let theta: f64 = part * uplift;
        let found = foundation.static_moment(&block(), theta);
        assert!(
            (found / (WEIGHT * B * theta.cos()) - 1.0).abs() < 1e-10,
            "{part}"
        );
    }
    let k = 2e7;
    let foundation = bed(k, 0.0);
    let uplift = (WEIGHT / (2.0 * B * B * k)).asin();
    assert!((foundation.uplift_rotation(&block()) / uplift - 1.0).abs() < 1e-14);
    for part in [0.1, 0.999] {
        let theta: f64 = part * uplift;
        let moment = k * (2.0 * B).powi(3) / 12.0 * theta.sin() * theta.cos();
        let found = foundation.static_moment(&block(), theta);
        assert!((found / moment - 1.0).abs() < 1e-10, "{part}");
    }
    for part in [1.5f64, 6.0] {
        let theta = part * uplift;
        let moment = WEIGHT * B * (1.0 - 2.0 / 3.0 / part.sqrt());
        let found = foundation.static_moment(&block(), theta);
        assert!((found / moment - 1.0).abs() < 2.0 * theta * theta, "{part}");
    }
}

/// Small free vibration in full contact: (k² + h²) θ″ + (K_θ/m − g h) θ = 0 with K_θ = 2 k b² or k (2b)³/12; dashpots
/// add 2 ζ ω θ′ with the same factor, so crossings are π/(ω √(1 − ζ²)) apart and amplitudes fall by exp(−2 π ζ/√(1 −
/// ζ²)).
#[test]
fn small_vibrations_have_their_period_and_decay() {
    let (k, c) = (2e6, 3e3);
    let inertia = (B * B + H * H) / 3.0 + H * H;
    for (foundation, shape) in [
        (springs(k, c), 2.0 * B * B),
        (bed(k, c), (2.0 * B).powi(3) / 12.0),
    ] {
        let omega2 = (k * shape / MASS - G * H) / inertia;
        let zeta = c * shape / MASS / inertia / (2.0 * omega2.sqrt());
        let damped = (omega2 * (1.0 - zeta * zeta)).sqrt();
        let options = Options {
            rotation: 1e-6,
            sample: Some(1e-4),
            ..Options::new(3.0)
        };
        let run = run(&foundation, &GroundMotion::at_rest(), &options);
        assert_eq!(run.outcome, CompliantOutcome::Held);
        // Two successive zeros from above, by straight lines between samples.
        let zeros: Vec<f64> = run
            .samples
            .windows(2)
            .filter(|w| w[0].rotation > 0.0 && w[1].rotation <= 0.0)
            .map(|w| w[0].time + 1e-4 * w[0].rotation / (w[0].rotation - w[1].rotation))
            .collect();
        let cycles = (zeros.len() - 1) as f64;
        let period = (zeros[zeros.len() - 1] - zeros[0]) / cycles;
        let expected = std::f64::consts::TAU / damped;
        // The rotation of 1e-6 leaves nonlinear terms of 1e-6.
        assert!(
            (period / expected - 1.0).abs() < 2e-6,
            "{period} {expected}"
        );
        let per_cycle = (-std::f64::consts::TAU * zeta / (1.0 - zeta * zeta).sqrt()).exp();
        let first = run.samples[0].rotation;
        let at = (expected / 1e-4).round() as usize;
        let later = run.samples[at].rotation / first;
        assert!(
            (later / per_cycle - 1.0).abs() < 1e-4,
            "{later} {per_cycle}"
        );
    }
}

#[test]
fn a_slow_pull_lifts_an_edge_where_statics_says() {
    let k = 2e6;
    let foundation = springs(k, 2e4);
    // Statics about the edge that stays, with the rotation of uplift: a (h cos θ + b sin θ) = g (b cos θ − h sin θ).
    let theta = foundation.uplift_rotation(&block());
    let lift = G * (B - H * theta.tan()) / (H + B * theta.tan());
    // Rising so slowly that inertia is a part in ten thousand: ten seconds for each m/s².
    let ramp = |end: f64| {
        let rate = 0.1;
        klast_ground_motion::Record::new(vec![0.0, end], vec![0.0, -rate * end])
            .unwrap()
            .component(1.0)
            .unwrap()
    };
    let motion = GroundMotion::horizontal(ramp(40.0));
    let run = run(&foundation, &motion, &Options::new(30.0));
    let found = 0.1 * run.first_uplift.unwrap();
    assert!((found / lift - 1.0).abs() < 2e-4, "{found} {lift}");
}

/// Between impacts a stiff base is a rigid one: the time of the fall from 0.6 α is Housner's quarter period.
#[test]
fn a_stiff_base_lets_the_block_fall_as_on_a_rigid_one() {
    let alpha = B.atan2(H);
    let rigid = klast_rocking::simulate(
        &block(),
        &klast_rocking::Restitution::housner(),
        &GroundMotion::at_rest(),
        &Options::released(2.0, 0.6 * alpha),
    )
    .unwrap()
    .impact_times()[0];
    let mut before = f64::INFINITY;
    for k in [1e7, 1e8, 1e9] {
        let options = Options {
            sample: Some(1e-4),
            ..Options::released(1.0, 0.6 * alpha)
        };
        let run = run(&springs(k, 0.0), &GroundMotion::at_rest(), &options);
        let landing = run.samples.iter().find(|s| s.rotation <= 0.0).unwrap().time;
        let off = (landing - rigid).abs();
        // A settlement of W/k is fallen through, and the other edge meets its spring that much earlier.
        assert!(off < before.max(2e-4), "{k} {off}");
        before = off;
    }
    assert!(before < 1e-3, "{before}");
}

/// State (w, θ, ẇ, θ̇) by Runge and Kutta's classic scheme, in Cartesian forces about the mass centre.
fn independent(k: f64, c: f64, a: impl Fn(f64) -> f64, end: f64, step: f64) -> [f64; 4] {
    let gyration = (B * B + H * H) / 3.0;
    let slope = |t: f64, y: [f64; 4]| {
        let [w, theta, wd, rate] = y;
        let (sin, cos) = theta.sin_cos();
        let (mut up, mut moment) = (0.0, 0.0);
        for s in [-B, B] {
            let depth = s * sin - w;
            let speed = s * cos * rate - wd;
            let force = k * depth + c * speed;
            if depth > 0.0 && force > 0.0 {
                up += force / MASS;
                // Clockwise moment about the mass centre of an upward force at the arm x.
                let arm = s * cos - H * sin;
                moment -= force / MASS * arm;
            }
        }
        // Horizontal force F from x = σ b (1 − cos θ) + h sin θ; its clockwise moment about the centre: below it by h
        // cos θ, to the left it turns clockwise; held at the edge the arm is that of the edge.
        let b = if theta < 0.0 { -B } else { B };
        let dx = b * sin + H * cos;
        let ddx = b * cos - H * sin;
        // θ″ (k² + dx²) = moment − dx (ddx θ′² + a).
        let turning = (moment - dx * (ddx * rate * rate + a(t))) / (gyration + dx * dx);
        let fall = H * (sin * turning + cos * rate * rate);
        [wd, rate, up - G + fall, turning]
    };
    let mut y = [-WEIGHT / (2.0 * k), 0.0, 0.0, 0.0];
    let steps = (end / step).round() as usize;
    for n in 0..steps {
        let t = n as f64 * step;
        let add = |y: [f64; 4], d: [f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * d[i]);
        let k1 = slope(t, y);
        let k2 = slope(t + 0.5 * step, add(y, k1, 0.5 * step));
        let k3 = slope(t + 0.5 * step, add(y, k2, 0.5 * step));
        let k4 = slope(t + step, add(y, k3, step));
        y = std::array::from_fn(|i| {
            y[i] + step / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
        });
    }
    y
}

#[test]
fn a_shaken_block_agrees_with_an_independent_integration() {
    let (k, c) = (1e6, 4e3);
    let (amplitude, omega) = (3.0, 9.0);
    let wave = Component::waves(amplitude, Frequency::rad_per_s(omega), 0.0, 10.0).unwrap();
    let run = run(
        &springs(k, c),
        &GroundMotion::horizontal(wave),
        &Options::new(1.4),
    );
    assert!(run.uplifts >= 2, "{}", run.uplifts);
    let fine = independent(k, c, |t| amplitude * (omega * t).sin(), 1.4, 5e-6);
    // Steps across the switches of springs leave the scheme an error of first order, 1e-6 here by halving.
    assert!(
        (run.end.1 - fine[1]).abs() < 3e-6,
        "{} {}",
        run.end.1,
        fine[1]
    );
    assert!(
        (run.end.2 - fine[3]).abs() < 3e-5,
        "{} {}",
        run.end.2,
        fine[3]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Nothing but the base's work and the dashpots changes the energy, and dashpots only take.
    #[test]
    fn energy_is_accounted_for(
        stiffness in 5.0..8.0f64,
        ratio in prop::sample::select(vec![0.0, 1e-4, 2e-3]),
        winkler in prop::bool::ANY,
        amplitude in 1.0..7.0f64,
        omega in 3.0..20.0f64,
    ) {
        let k = 10f64.powf(stiffness);
        let foundation = match winkler {
            true => bed(2.0 * k, 2.0 * k * ratio),
            false => springs(k, k * ratio),
        };
        let wave = Component::waves(amplitude, Frequency::rad_per_s(omega), 0.4, 3.0).unwrap();
        let run = run(&foundation, &GroundMotion::horizontal(wave), &Options::new(2.0));
        let e = run.energy;
        let size = e.start.abs() + e.end.abs() + e.damping + e.base_work.abs() + 1e-3;
        prop_assert!(e.residual().abs() < 1e-7 * size, "{e:?}");
        prop_assert!(e.damping >= -1e-12);
        if ratio == 0.0 {
            prop_assert!(e.damping.abs() < 1e-9 * size, "{e:?}");
        }
    }
}

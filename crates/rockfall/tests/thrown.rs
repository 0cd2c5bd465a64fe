//! Friction, restitution and law of a body that was thrown, from its tracks.

use approx::assert_abs_diff_eq;
use klast_contact::{Friction as Direction, ImpactLaw};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{Pose, Solid};
use klast_rockfall::glam::DVec3;
use klast_rockfall::thrown::{Experiment, Sample, Throw, first_flight};
use klast_runs::fit::{Beside, Estimate, HeldOut, Interval, Optimum, Parameter, wins};
use made_throws::{experiment, thrown};

#[path = "../examples/made_throws/mod.rs"]
mod made_throws;

fn holds(found: &Parameter, value: f64) -> bool {
    (found.low..=found.high).contains(&value)
}

fn laws() -> [ImpactLaw; 4] {
    let friction = Direction::MaximumDissipation;
    [
        ImpactLaw::default(),
        ImpactLaw::Sequential { friction },
        ImpactLaw::Poisson,
        ImpactLaw::Stronge,
    ]
}

fn fit(experiment: &Experiment, throws: &[Throw], law: &ImpactLaw, values: usize) -> Estimate<3> {
    made_throws::fit(experiment, throws, (law, [0.0, 1.0]), (values, 200)).unwrap()
}

/// An octahedron that lands on a vertex under its centre is a sphere for an impact: with v_n the closing speed,
/// u = v_t − ω R the slip and I its moment, the normal speed after is e v_n, and friction takes min(μ (1 + e) v_n,
/// |u|/(1 + m R²/I)) from the speed along the ground (slip throughout, or stick). In closed form, so that nothing of
/// the engine makes the tracks.
fn sphere_like(
    count: usize,
    slowest: f64,
    (friction, restitution): (f64, f64),
) -> (Body, Vec<Throw>) {
    let shape = Solid::Octahedron.with_size(0.2).unwrap();
    let body = Body::uniform(&shape, 2600.0).unwrap();
    let radius = 0.2 / 2_f64.sqrt();
    let inertia = body.inertia().x;
    let throw = |k: usize| {
        let (height, speed) = (0.3 + 0.05 * k as f64, slowest + 0.4 * k as f64);
        let fall = (2.0 * height / 9.81).sqrt();
        let closing = 9.81 * fall;
        let start = State {
            pose: Pose::from_translation(DVec3::new(0.0, 0.0, radius + height)),
            velocity: Twist {
                linear: DVec3::new(speed, 0.0, 0.0),
                angular: DVec3::ZERO,
            },
        };
        let stick = speed / (1.0 + body.mass() * radius * radius / inertia);
        let taken = stick.min(friction * (1.0 + restitution) * closing);
        let up = restitution * closing;
        let mut samples = Vec::new();
        for i in 0..60 {
            let time = 0.01 * f64::from(i);
            let after = time - fall;
            // Until a vertex may touch again.
            if after > 0.5 * up / 9.81 {
                break;
            }
            let place = match after < 0.0 {
                true => DVec3::new(
                    speed * time,
                    0.0,
                    radius + height - 0.5 * 9.81 * time * time,
                ),
                false => DVec3::new(
                    speed * fall + (speed - taken) * after,
                    0.0,
                    radius + up * after - 0.5 * 9.81 * after * after,
                ),
            };
            samples.push(Sample {
                time,
                centre: place,
                attitude: None,
            });
        }
        Throw {
            name: k.to_string(),
            start,
            samples,
        }
    };
    let throws = (0..count).map(throw).collect();
    (body, throws)
}

#[test]
fn impacts_under_the_centre_give_what_closed_forms_were_made_with() {
    let slope = Slope::downhill_x(0.0).unwrap();
    // Fast enough to slip throughout: 10 m/s over 1 + m R²/I = 6 is more than 0.3 · 1.6 · 3.4 m/s.
    let (body, throws) = sphere_like(6, 10.0, (0.3, 0.6));
    let experiment = experiment(&slope, &body);
    let found: Vec<Estimate<3>> = laws()
        .iter()
        .map(|law| fit(&experiment, &throws, law, 9))
        .collect();
    for estimate in &found {
        let [friction, restitution, _] = estimate.best.values;
        // Three grids and eight halvings of the range of 1 end at steps under 1e-5.
        assert_abs_diff_eq!(restitution, 0.6, epsilon = 1e-4);
        assert_abs_diff_eq!(friction, 0.3, epsilon = 1e-4);
        assert!(holds(&estimate.parameters[0], 0.3) && holds(&estimate.parameters[1], 0.6));
        assert_eq!(estimate.parameters[0].interval, Interval::Closed);
        assert!(estimate.rms < 1e-5, "{}", estimate.rms);
    }
    // The three laws with one idea of such an impact cannot be told apart.
    for (a, b) in [(0, 1), (2, 3), (0, 3)] {
        assert!(wins(&found[a], &found[b]) < 0.95, "{a} {b}");
    }
}

#[test]
fn a_body_that_sticks_says_only_how_rough_the_ground_is_at_least() {
    let slope = Slope::downhill_x(0.0).unwrap();
    let (body, throws) = sphere_like(6, 0.5, (10.0, 0.5));
    let estimate = fit(
        &experiment(&slope, &body),
        &throws,
        &ImpactLaw::default(),
        9,
    );
    // The fastest throw needs most: μ (1 + e) v_n = u/(1 + m R²/I).
    let radius = 0.2 / 2_f64.sqrt();
    let part = 1.0 / (1.0 + body.mass() * radius * radius / body.inertia().x);
    let needed = throws.iter().map(|t| {
        let height = t.start.pose.translation.z - radius;
        t.start.velocity.linear.x * part / (1.5 * (2.0 * 9.81 * height).sqrt())
    });
    let needed = needed.fold(0.0, f64::max);
    let friction = estimate.parameters[0];
    assert!(
        friction.low <= needed && needed < 0.9,
        "{friction:?} {needed}"
    );
    assert_eq!(
        (friction.high, friction.interval, friction.optimum),
        (1.0, Interval::LowerEndOnly, Optimum::Inside)
    );
    assert_abs_diff_eq!(estimate.best.values[0], needed, epsilon = 1e-3);
}

#[test]
fn each_law_is_found_again_with_its_friction_and_restitution() {
    for (number, law) in laws().iter().enumerate() {
        let (body, slope, throws) = thrown(10, 3 + number as u64, (law, 0.35, 0.55), 0.001);
        let experiment = experiment(&slope, &body);
        // The law itself, and the next.
        let others = [law, &laws()[(number + 1) % 4]];
        let [own, other] = others.map(|l| fit(&experiment, &throws, l, 6));
        let [friction, restitution, _] = own.parameters;
        assert!(holds(&friction, 0.35), "{friction:?}");
        assert!(holds(&restitution, 0.55), "{restitution:?}");
        // What is left is the error: three coordinates of 1 mm.
        assert_abs_diff_eq!(own.rms, 3_f64.sqrt() * 0.001, epsilon = 3e-4);
        assert!(wins(&other, &own) < 0.05, "{number}");
        let unseen = own.held_out.unwrap();
        let seen: f64 = own.best.losses.iter().sum();
        // The best set of all leaves a throw no more than the best of the others does, up to sums that are the same.
        assert!(unseen.iter().sum::<f64>() >= seen * (1.0 - 1e-4));
        let pairs = other.held_out.unwrap().into_iter().zip(unseen);
        let judged = HeldOut::of(&pairs.map(|(other, own)| other - own).collect::<Vec<_>>());
        assert_ne!(judged.beside_reference, Beside::Worse, "{number}");
        assert!(judged.mean_difference.unwrap() > 0.0, "{number}");
    }
}

#[test]
fn a_start_is_found_from_the_first_flight() {
    let law = ImpactLaw::default();
    let (body, slope, throws) = thrown(3, 5, (&law, 0.4, 0.5), 0.0);
    let experiment = experiment(&slope, &body);
    for throw in &throws {
        let mut unknown = throw.start;
        unknown.velocity.linear = DVec3::ZERO;
        let found = first_flight(&experiment, unknown, &throw.samples);
        let found = found.unwrap().unwrap();
        let off = found.start.velocity.linear - throw.start.velocity.linear;
        // Positions to 1e-16 over hundredths of a second.
        assert!(off.length() < 1e-10, "{off}");
        // One sample before the impact and the rest after it: none.
        let touched = experiment
            .first_impact(throw.start, 2.0)
            .unwrap()
            .unwrap()
            .time;
        let late = throw
            .samples
            .iter()
            .filter(|s| s.time == 0.0 || s.time > touched);
        let late: Vec<Sample> = late.copied().collect();
        assert_eq!(first_flight(&experiment, unknown, &late).unwrap(), None);
    }
}

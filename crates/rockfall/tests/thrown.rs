//! Friction, restitution and law of a body that was thrown, from its tracks.

use approx::assert_abs_diff_eq;
use klast_contact::{Friction as Direction, ImpactLaw};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{Pose, Solid};
use klast_rockfall::RockfallError;
use klast_rockfall::glam::DVec3;
use klast_rockfall::thrown::{
    Estimate, Experiment, GRIDS, Ranges, Sample, Search, Throw, Trial, first_flight, resamples,
    wins,
};
use made_throws::{experiment, thrown};
use std::cell::Cell;

#[path = "../examples/made_throws/mod.rs"]
mod made_throws;

const RANGES: Ranges = Ranges([[0.0, 1.0], [0.0, 1.0], [0.0, 0.0]]);

fn laws() -> [ImpactLaw; 4] {
    let friction = Direction::MaximumDissipation;
    [
        ImpactLaw::default(),
        ImpactLaw::Sequential { friction },
        ImpactLaw::Poisson,
        ImpactLaw::Stronge,
    ]
}

fn fit(experiment: &Experiment, throws: &[Throw], law: &ImpactLaw, values: usize) -> Estimate {
    let counts: Vec<usize> = throws
        .iter()
        .map(|t| {
            let found = experiment.trial(std::slice::from_ref(t), law, [0.5, 0.5, 0.0]);
            found.unwrap().1[0].samples
        })
        .collect();
    let mut search = Search::new(RANGES, values, counts, resamples(throws.len(), 200, 1));
    search
        .run(|sets| -> Result<_, RockfallError> {
            sets.into_iter()
                .map(|set| Ok(experiment.trial(throws, law, set)?.0))
                .collect()
        })
        .unwrap();
    search.estimate().unwrap().unwrap()
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
    let found: Vec<Estimate> = laws()
        .iter()
        .map(|law| fit(&experiment, &throws, law, 9))
        .collect();
    for estimate in &found {
        let [friction, restitution, _] = estimate.best.values;
        // Three grids and eight halvings of the range of 1 end at steps under 1e-5.
        assert_abs_diff_eq!(restitution, 0.6, epsilon = 1e-4);
        assert_abs_diff_eq!(friction, 0.3, epsilon = 1e-4);
        assert!(estimate.bands[0][0] <= 0.3 && 0.3 <= estimate.bands[0][1]);
        assert!(estimate.bands[1][0] <= 0.6 && 0.6 <= estimate.bands[1][1]);
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
    let [low, high] = estimate.bands[0];
    assert!(low <= needed && needed < 0.9, "{low} {needed}");
    assert_eq!(high, 1.0);
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
        let [friction, restitution, _] = own.bands;
        assert!(friction[0] <= 0.35 && 0.35 <= friction[1], "{friction:?}");
        assert!(
            restitution[0] <= 0.55 && 0.55 <= restitution[1],
            "{restitution:?}"
        );
        // What is left is the error: three coordinates of 1 mm.
        assert_abs_diff_eq!(own.rms, 3_f64.sqrt() * 0.001, epsilon = 3e-4);
        assert!(wins(&other, &own) < 0.05, "{number}");
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

#[test]
fn a_search_ends_between_resamples_when_it_is_asked_to() {
    let (values, throws, count) = (5, 3, 50);
    let bowl = |sets: Vec<[f64; 3]>| {
        let square = |v: &[f64; 3]| (v[0] - 0.3).powi(2) + (v[1] - 0.6).powi(2);
        let trial = |values: [f64; 3]| Trial {
            values,
            squares: vec![square(&values); throws],
        };
        Ok(sets.into_iter().map(trial).collect())
    };
    let search = || Search::new(RANGES, values, vec![1; throws], resamples(throws, count, 1));
    let asked = Cell::new(0);
    let stop_at = |most: usize| {
        asked.set(0);
        let asked = &asked;
        move || {
            asked.set(asked.get() + 1);
            match asked.get() < most {
                true => Ok(()),
                false => Err("stopped".to_owned()),
            }
        }
    };
    // Four grids, each with the throws themselves and all resamples.
    let all = GRIDS * (count + 1);
    for most in [1, 2, count, all] {
        assert!(search().run_while(bowl, stop_at(most)).is_err());
        assert_eq!(asked.get(), most);
    }
    let mut whole = search();
    whole.run_while(bowl, stop_at(all + 1)).unwrap();
    assert_eq!(whole.trials().len(), whole.most());
    assert_eq!(whole.most(), RANGES.most_trials(values));
}

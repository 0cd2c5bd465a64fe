//! The plane engine with friction against the contact engine: the same block as a polyhedron, in time steps.

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::spatial::{SpatialBody, SpatialMotion, SpatialOptions, SpatialOutcome};
use klast_rocking::{
    Friction, Restitution, RockingBlock, SlideRockEventKind, SlideRockOptions, SlideRockOutcome,
    SlideRockRun, simulate_slide_rock,
};
use klast_stacks::{ContactOptions, Stack, StackBlock, StackOutcome, StackState};

const G: f64 = 9.81;
/// Duration of each run (s).
const DURATION: f64 = 3.0;
/// Deep across the plane, in heights: a slender prism that slides on two corners may turn out of it.
const DEEP: f64 = 20.0;
/// Rotation (rad) from which on the contact engine may count a block as fallen.
const NEARLY_FALLEN: f64 = 0.9;

/// A random case: two waves that slide, rock or overturn a block of up to 2 m.
struct Case {
    width: f64,
    height: f64,
    mu: f64,
    wave: Component,
}

/// Rotation over time of a run, the side it fell to (±1, 0 if it did not) and the largest rotation.
struct Told {
    rotations: Vec<(f64, f64)>,
    side: f64,
    largest: f64,
}

impl Case {
    fn draw(seed: u64) -> Self {
        let mut state = seed
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(0x1234_5678_9ABC_DEF1);
        let mut random = |low: f64, high: f64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            low + (high - low) * (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let (width, height) = (random(0.2, 0.5), random(0.8, 2.0));
        let mu = random(0.2, 0.9);
        let amplitude = random(0.4, 1.2) * G;
        let frequency = Frequency::rad_per_s(random(4.0, 12.0));
        let wave = Component::waves(amplitude, frequency, random(0.0, 3.0), 2.0).unwrap();
        Self {
            width,
            height,
            mu,
            wave,
        }
    }

    fn in_the_plane(&self, sampling: f64) -> SlideRockRun {
        let block = RockingBlock::rectangle(self.width, self.height, G).unwrap();
        let options = SlideRockOptions {
            sample: Some(sampling),
            ..SlideRockOptions::new(DURATION, Friction::new(self.mu).unwrap())
        };
        let motion = GroundMotion::horizontal(self.wave.clone());
        simulate_slide_rock(&block, &Restitution::housner(), &motion, &options).unwrap()
    }

    /// By steps that end at an impact.
    fn in_space(&self, step: f64, sampling: f64) -> Told {
        let depth = DEEP * self.height;
        let body = SpatialBody::prism(self.width, depth, self.height, 1000.0).unwrap();
        let options = SpatialOptions {
            step,
            sample: Some(sampling),
            ..SpatialOptions::new(DURATION, self.mu)
        };
        let rest = Component::at_rest;
        let motion = SpatialMotion {
            components: [self.wave.clone(), rest(), rest()],
        };
        let run = body.run(&motion, G, &options).unwrap();
        let samples = run.samples.iter();
        Told {
            rotations: samples
                .map(|s| (s.time, s.tilt * s.azimuth.cos().signum()))
                .collect(),
            side: match run.outcome {
                SpatialOutcome::Overturned { azimuth, .. } => azimuth.cos().signum(),
                _ => 0.0,
            },
            largest: run.largest_tilt,
        }
    }

    /// By equal steps, as a stack of one block.
    fn as_a_stack(&self, step: f64, sampling: f64) -> Told {
        let (width, height) = (self.width, self.height);
        let block = StackBlock::new(width, height, 100.0).unwrap();
        let stack = Stack::new(&[block], G).unwrap();
        let asked = ContactOptions {
            step,
            sampling: Some(sampling),
            ..ContactOptions::new(DURATION, self.mu, DEEP * height)
        };
        let motion = GroundMotion::horizontal(self.wave.clone());
        let run = stack
            .run_contact(&motion, &StackState::rest(1), &asked)
            .unwrap();
        let rotations: Vec<(f64, f64)> =
            run.samples.iter().map(|s| (s.time, s.angles[0])).collect();
        Told {
            side: match run.outcome {
                StackOutcome::Total { side } => side.sign(),
                _ => 0.0,
            },
            largest: rotations.iter().fold(0.0, |most, r| most.max(r.1.abs())),
            rotations,
        }
    }
}

/// How far the two are apart.
struct Apart {
    /// Largest difference of the rotation before the first impact, over the largest rotation there; none for a block
    /// that does not rotate before it.
    before: Option<f64>,
    /// Relative difference of the largest rotation of all, of a block that hits the base and stands in both.
    after: Option<f64>,
    same_fate: bool,
}

fn apart(plane: &SlideRockRun, told: &Told, sampling: f64) -> Apart {
    let first_impact = plane.events.iter().find_map(|event| match event.kind {
        SlideRockEventKind::Impact { .. } => Some(event.time),
        _ => None,
    });
    // The sample before an impact: the two do not meet the base at the same time to rounding.
    let until = first_impact.unwrap_or(DURATION) - sampling;
    let (mut difference, mut largest) = (0.0f64, 0.0f64);
    for (a, b) in plane.samples.iter().zip(&told.rotations) {
        if a.time >= until || a.rotation.abs() >= NEARLY_FALLEN {
            break;
        }
        assert!((a.time - b.0).abs() < 1e-9, "{} {}", a.time, b.0);
        difference = difference.max((a.rotation - b.1).abs());
        largest = largest.max(a.rotation.abs());
    }
    let side = match plane.outcome {
        SlideRockOutcome::Overturned(mode) => mode.side.sign(),
        _ => 0.0,
    };
    let stands = side == 0.0 && told.side == 0.0 && first_impact.is_some();
    let whole = plane.largest_rotation;
    Apart {
        before: (largest > 0.02).then(|| difference / largest),
        after: (stands && whole > 0.02).then(|| (told.largest / whole - 1.0).abs()),
        same_fate: side == told.side,
    }
}

fn median(list: &[f64]) -> f64 {
    let mut sorted = list.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// 200 random cases. Before the first impact every rotation agrees to 1e-3 of the largest one; after it 95 % have the
/// same fate; and both parts of the motion come to those of the plane engine with the step.
#[test]
fn two_hundred_blocks_slide_and_rock_as_bodies_in_contact() {
    const CASES: u64 = 200;
    let steps = [1e-3, 5e-4];
    let (mut before, mut after, mut same) = ([vec![], vec![]], [vec![], vec![]], [0; 2]);
    let (mut slid, mut fell, mut hit) = (0, 0, 0);
    for seed in 1..=CASES {
        let case = Case::draw(seed);
        let sampling = 20.0 * steps[0];
        let plane = case.in_the_plane(sampling);
        slid += u64::from(plane.first_slide.is_some());
        fell += u64::from(matches!(plane.outcome, SlideRockOutcome::Overturned(_)));
        hit += u64::from(plane.impacts > 0);
        for (k, step) in steps.into_iter().enumerate() {
            let found = apart(&plane, &case.in_space(step, sampling), sampling);
            before[k].extend(found.before);
            after[k].extend(found.after);
            same[k] += u64::from(found.same_fate);
        }
    }
    let worst = |list: &[f64]| list.iter().fold(0.0f64, |most, x| most.max(*x));
    let told = |lists: &[Vec<f64>; 2]| {
        let of = |list: &Vec<f64>| {
            format!(
                "{} cases, median {:.1e}, largest {:.1e}",
                list.len(),
                median(list),
                worst(list)
            )
        };
        lists.each_ref().map(of)
    };
    println!(
        "{CASES} cases: {slid} slide, {hit} hit the base, {fell} overturn; same fate {same:?}"
    );
    println!("before the first impact {:?}", told(&before));
    println!(
        "largest rotation of those that hit the base and stand {:?}",
        told(&after)
    );
    // The cases are of all kinds.
    assert!(slid > 100 && hit > 100 && fell > 50, "{slid} {hit} {fell}");
    assert!(before[0].len() > 100 && after[0].len() > 30);
    for k in 0..2 {
        assert!(worst(&before[k]) < 1e-3, "{:?}", told(&before));
        assert!(same[k] * 20 >= CASES * 19, "{same:?}");
    }
    // Of second order but where a foot begins or ends to slide: more than half of the way to a quarter.
    for both in [&before, &after] {
        assert!(
            median(&both[1]) < 0.5 * median(&both[0]),
            "{:?}",
            told(both)
        );
    }
}

/// The engine of stacks, of first order at an event, comes to the plane one with its step as well.
#[test]
fn the_contact_engine_of_stacks_does_the_same() {
    const CASES: u64 = 24;
    let (mut before, mut same) = ([vec![], vec![]], [0; 2]);
    for seed in 1..=CASES {
        let case = Case::draw(seed);
        for (k, step) in [8e-4, 4e-4].into_iter().enumerate() {
            let sampling = 20.0 * step;
            let plane = case.in_the_plane(sampling);
            let found = apart(&plane, &case.as_a_stack(step, sampling), sampling);
            before[k].extend(found.before);
            same[k] += u64::from(found.same_fate);
        }
    }
    let medians = before.each_ref().map(|list| median(list));
    println!(
        "{} compared, medians {medians:?}; {same:?} of {CASES}",
        before[0].len()
    );
    assert!(before[0].len() >= 8);
    assert!(
        medians[1] < 2e-3 && medians[1] < 0.7 * medians[0],
        "{medians:?}"
    );
    assert!(same[1] * 20 >= CASES * 19, "{same:?}");
}

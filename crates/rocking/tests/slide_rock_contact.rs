//! The plane engine with friction against the contact engine: the same block as a polyhedron, Moreau–Jean steps.

use klast_dynamics::ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::stack::{ContactOptions, StackBlock, StackOutcome, StackState};
use klast_rocking::{
    Friction, Restitution, RockingBlock, SlideRockEventKind, SlideRockOptions, SlideRockOutcome,
    SlideRockRun, Stack, simulate_slide_rock,
};

const G: f64 = 9.81;

struct Pair {
    plane: SlideRockRun,
    /// Largest difference of the rotation before the first impact, over the largest rotation there; none for a block
    /// that does not rotate.
    before_impact: Option<f64>,
    same_fate: bool,
}

/// One random case: two waves that slide, rock or overturn a block of up to 2 m.
fn pair(seed: u64, step: f64) -> Pair {
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
    let wave = Component::waves(
        random(0.4, 1.2) * G,
        Frequency::rad_per_s(random(4.0, 12.0)),
        random(0.0, 3.0),
        2.0,
    )
    .unwrap();
    let motion = GroundMotion::horizontal(wave);
    let duration = 3.0;
    let sampling = 20.0 * step;
    let block = RockingBlock::rectangle(width, height, G).unwrap();
    let options = SlideRockOptions {
        sample: Some(sampling),
        ..SlideRockOptions::new(duration, Friction::new(mu).unwrap())
    };
    let plane = simulate_slide_rock(&block, &Restitution::housner(), &motion, &options).unwrap();
    let stack = Stack::new(
        &[StackBlock {
            width,
            height,
            mass: 100.0,
        }],
        G,
    )
    .unwrap();
    let asked = ContactOptions {
        step,
        sampling: Some(sampling),
        // Deep across the plane: a slender prism that slides on two corners may turn out of it.
        ..ContactOptions::new(duration, mu, 20.0 * height)
    };
    let start = StackState::rest(1);
    let contact = stack.run_contact(&motion, &start, &asked).unwrap();
    let first_impact = plane.events.iter().find_map(|event| match event.kind {
        SlideRockEventKind::Impact { .. } => Some(event.time),
        _ => None,
    });
    let until = first_impact.unwrap_or(duration) - sampling;
    let (mut apart, mut largest) = (0.0f64, 0.0f64);
    for (a, b) in plane.samples.iter().zip(&contact.samples) {
        assert!((a.time - b.time).abs() < 1e-9);
        if a.time < until && a.rotation.abs() < 0.9 {
            apart = apart.max((a.rotation - b.angles[0]).abs());
            largest = largest.max(a.rotation.abs());
        }
    }
    let plane_side = match plane.outcome {
        SlideRockOutcome::Overturned(mode) => mode.side.sign(),
        _ => 0.0,
    };
    let contact_side = match contact.outcome {
        StackOutcome::Total { side } => side.sign(),
        _ => 0.0,
    };
    Pair {
        plane,
        before_impact: (largest > 0.02).then(|| apart / largest),
        same_fate: plane_side == contact_side,
    }
}

/// Before the first impact the contact engine, of first order at an event, comes to the plane one with its step; after
/// it the fate is the same but where the block nearly balances. 200 cases at 5e-5 s: see the book.
#[test]
fn the_contact_engine_does_the_same() {
    let (mut apart, mut same, cases) = ([vec![], vec![]], [0; 2], 24u64);
    let (mut slid, mut jumped) = (0, 0);
    for seed in 1..=cases {
        let pairs = [8e-4, 4e-4].map(|step| pair(seed, step));
        for k in 0..2 {
            same[k] += u64::from(pairs[k].same_fate);
            apart[k].extend(pairs[k].before_impact);
        }
        slid += u64::from(pairs[0].plane.first_slide.is_some());
        jumped += u64::from(pairs[0].plane.first_jump.is_some());
    }
    let median = |list: &Vec<f64>| {
        let mut sorted = list.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    let medians = [median(&apart[0]), median(&apart[1])];
    println!(
        "{} compared, medians {medians:?}, {:?}; {same:?} of {cases} with the same fate; {slid} slid, {jumped} jumped",
        apart[0].len(),
        apart[1].iter().fold(0.0f64, |m, x| m.max(*x))
    );
    assert!(apart[0].len() >= 8 && slid >= 8);
    assert!(
        medians[1] < 2e-3 && medians[1] < 0.7 * medians[0],
        "{medians:?}"
    );
    assert!(same[1] * 20 >= cases * 19, "{same:?}");
}

//! Maps and scale factors: the same at two tolerances, on any number of threads, and refined as if every cell were run.

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::RockingError;
use klast_stacks::{
    InterfaceRestitution, MapClass, MapDoubts, Stack, StackBlock, StackMapGrid, StackOptions,
    StackOutcome, StackState,
};

fn kounadis() -> Stack {
    let (r, alpha) = (1.606, 0.25_f64);
    let block =
        StackBlock::new(2.0 * r * alpha.sin(), 2.0 * r * alpha.cos(), 1.0).expect("a block");
    Stack::uniform(2, block, 9.81).expect("a stack")
}

#[test]
fn two_tolerances_agree() {
    let grid = StackMapGrid {
        stride: 1,
        ..StackMapGrid::thesis(24)
    };
    let map = |tolerance| {
        let options = StackOptions {
            tolerance,
            ..StackOptions::until(0.0)
        };
        kounadis().map(&grid, &options).expect("a map")
    };
    let (coarse, fine) = (map(1e-8), map(1e-11));
    // The bar of the map; what is left are cells where a change of 1e-8 of anything changes the outcome.
    assert!(
        coarse.agreement(&fine) >= 0.98,
        "{}",
        coarse.agreement(&fine)
    );
    assert!(fine.share(0) > 0.1 && fine.share(1) + fine.share(2) > 0.1);
}

#[test]
fn refinement_misses_little_and_threads_nothing() {
    let options = StackOptions::until(0.0);
    let every = StackMapGrid {
        stride: 1,
        ..StackMapGrid::thesis(24)
    };
    let refined = StackMapGrid { stride: 4, ..every };
    let whole = kounadis().map(&every, &options).expect("a map");
    let sparse = kounadis().map(&refined, &options).expect("a map");
    assert_eq!(whole.runs, 24 * 24);
    assert!(sparse.runs < whole.runs);
    // An island smaller than four cells may be lost between corners that agree.
    assert!(
        whole.agreement(&sparse) > 0.95,
        "{}",
        whole.agreement(&sparse)
    );
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        assert_eq!(
            pool.install(|| kounadis().map(&refined, &options))
                .expect("a map"),
            sparse
        );
    }
}

#[test]
fn first_overturning_of_the_kounadis_stack() {
    let wave =
        Component::waves(9.81 * 0.125, Frequency::rad_per_s(12.0), 0.0, 1.0).expect("a wave");
    let motion = GroundMotion::horizontal(wave);
    let relative = InterfaceRestitution::Relative { ratio: 0.95 };
    // Amplitudes in g α* found by an independent engine, to five decimals.
    for (between, known) in [
        (InterfaceRestitution::Housner, 11.43175),
        (relative, 11.43136),
    ] {
        let options = StackOptions {
            between,
            ..StackOptions::until(12.0)
        };
        let found = kounadis()
            .overturning_scale(&motion, &options, (11.0, 12.0), 101)
            .expect("a scan")
            .expect("a fall");
        assert!(
            (found.factor - known).abs() < 6e-6,
            "{between:?}: {}",
            found.factor
        );
        assert!(
            matches!(found.outcome, StackOutcome::Total { .. }),
            "{:?}",
            found.outcome
        );
    }
}

/// A stack that lifts off takes far more than five steps until it stands or has fallen: neither is known of it.
#[test]
fn a_run_that_is_cut_off_is_no_outcome() {
    let options = StackOptions {
        most_steps: 5,
        ..StackOptions::until(12.0)
    };
    let cut_off = |error| matches!(error, RockingError::TooManySteps { limit: 5, .. });
    let stack = kounadis();
    let grid = StackMapGrid::thesis(4);
    assert_eq!(stack.map(&grid, &options).unwrap().share(3), 1.0);
    let (part, _) = stack.map_part(&grid, &options, 0..16).unwrap();
    assert_eq!(part, [MapClass::Undecided; 16]);

    let wave =
        Component::waves(9.81 * 0.125, Frequency::rad_per_s(12.0), 0.0, 1.0).expect("a wave");
    let motion = GroundMotion::horizontal(wave);
    let range = (11.0, 12.0);
    let outcomes = stack.outcomes_by_scale(&motion, &options, range, 2);
    assert!(cut_off(outcomes.unwrap_err()));
    let scale = stack.overturning_scale(&motion, &options, range, 2);
    assert!(cut_off(scale.unwrap_err()));
}

/// What a single run meets beyond the model a map counts. The stacks of the thesis' Table 7.1 of wide blocks, with the
/// 5 % of loss at each impact of its section 7.2: no impact is without an outcome.
#[test]
fn a_map_counts_what_its_runs_meet_beyond_the_model() {
    let loss = InterfaceRestitution::Relative { ratio: 0.95 };
    let short = StackBlock::new(0.06, 0.135, 1.2843).unwrap();
    let tall = StackBlock::new(0.06, 0.27, 2.5692).unwrap();
    for blocks in [[short, short], [tall, tall], [short, tall], [tall, short]] {
        let stack = Stack::new(&blocks, 9.81).unwrap();
        let lift_off = 9.81 * 0.06 / (blocks[0].height + blocks[1].height);
        let mut grid = StackMapGrid::thesis(6);
        grid.stride = 1;
        let options = StackOptions {
            base: loss,
            between: loss,
            friction: Some(0.5),
            ..StackOptions::until(0.0)
        };
        let map = stack.map(&grid, &options).unwrap();
        let expected = doubts_of_single_runs(&stack, &grid, &options, lift_off);
        assert_eq!(map.doubts, expected);
        assert_eq!(map.doubts.unresolved, 0);
        assert!(map.doubts.sliding_runs > 0);
    }
}

/// What the runs of all cells meet beyond the model, one after the other; `lift_off` is the acceleration g tan α that
/// lifts the whole stack.
fn doubts_of_single_runs(
    stack: &Stack,
    grid: &StackMapGrid,
    options: &StackOptions,
    lift_off: f64,
) -> MapDoubts {
    let p = stack.total_frequency();
    let mut doubts = MapDoubts::default();
    for row in 0..6 {
        for column in 0..6 {
            let (frequency, amplitude) = grid.middle(column, row);
            let omega = Frequency::rad_per_s(frequency * p);
            let wave = Component::waves(amplitude * lift_off, omega, 0.0, 1.0).unwrap();
            let options = StackOptions {
                end: wave.duration() + grid.after / p,
                sampling: Some(0.02 / p),
                ..*options
            };
            let motion = GroundMotion::horizontal(wave);
            let run = stack.run(&motion, &StackState::rest(2), &options).unwrap();
            let (marks, fall) = (run.diagnostics, stack.first_fall(&run));
            // Blocks that fall with all others decide nothing more on their way down.
            let whole = fall.filter(|(fall, _)| fall.block == 0);
            let counts = |time: Option<f64>| {
                usize::from(time.is_some_and(|t| whole.is_none_or(|(_, passed)| t < passed)))
            };
            doubts.unresolved += marks.unresolved;
            doubts.unresolved_runs += usize::from(marks.unresolved > 0);
            doubts.jumping_runs += counts(marks.jump_time).max(counts(marks.pull_time));
            doubts.sliding_runs += counts(marks.slip_time);
        }
    }
    doubts
}

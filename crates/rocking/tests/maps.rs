//! Stability maps: threads, adaptive against full, known limits.
use klast_ground_motion::{Component, Frequency};
use klast_rocking::{
    BatchOptions, Case, Class, MapTask, Restitution, RockingBlock, RockingError, linspace,
};
use std::sync::atomic::{AtomicUsize, Ordering};

fn sine(amplitude: f64, omega: f64) -> Result<Case, RockingError> {
    let block = RockingBlock::rectangle(0.06, 0.27, 9.81)?;
    let amplitude = amplitude * block.lift_off_acceleration();
    Ok(Case {
        block,
        restitution: Restitution::housner(),
        motion: Component::waves(
            amplitude,
            Frequency::rad_per_s(omega * block.frequency()),
            0.0,
            1.0,
        )?,
        rotation: 0.0,
    })
}

fn hash(classes: &[Class]) -> u64 {
    classes.iter().fold(0xcbf2_9ce4_8422_2325, |h, c| {
        (h ^ *c as u64).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn a_map_is_the_same_on_any_number_of_threads() {
    let (rows, columns) = (linspace(0.1, 10.0, 70), linspace(0.1, 10.0, 61));
    let task = MapTask {
        rows: &rows,
        columns: &columns,
        case: sine,
        options: BatchOptions::new(10.0),
    };
    let mut maps = Vec::new();
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let done = AtomicUsize::new(0);
        let count = |n: usize| {
            done.fetch_add(n, Ordering::Relaxed);
        };
        maps.push(pool.install(|| task.full(&count)).unwrap());
        assert_eq!(done.into_inner(), 70 * 61);
    }
    assert!(maps.windows(2).all(|m| m[0] == m[1]));
    assert_eq!(
        hash(maps[0].classes()),
        GOLDEN,
        "the classes of the map changed; if that was meant, say why and put the new hash"
    );
}

/// Classes of the map above, the same on every machine: nothing but + − × ÷ √ and our own sine decides.
const GOLDEN: u64 = 6_660_726_851_834_974_669;

#[test]
fn the_adaptive_map_has_the_border_of_the_full_one() {
    let (rows, columns) = (linspace(0.1, 10.0, 150), linspace(0.1, 10.0, 131));
    let task = MapTask {
        rows: &rows,
        columns: &columns,
        case: sine,
        options: BatchOptions::new(10.0),
    };
    let full = task.full(&|_| {}).unwrap();
    let adaptive = task.adaptive(8, &|_| {}).unwrap();
    let different: Vec<usize> = (0..150 * 131)
        .filter(|i| full.classes()[*i] != adaptive.classes()[*i])
        .collect();
    assert!(different.is_empty(), "{} cells differ", different.len());
    assert_eq!(full.borders(), adaptive.borders());
    assert!(
        adaptive.simulated() * 2 < full.simulated(),
        "{}",
        adaptive.simulated()
    );
}

#[test]
fn below_the_threshold_rest_and_a_slow_strong_wave_overturns() {
    let (rows, columns) = (linspace(0.5, 9.5, 10), linspace(0.3, 9.0, 8));
    let task = MapTask {
        rows: &rows,
        columns: &columns,
        case: sine,
        options: BatchOptions::new(10.0),
    };
    let map = task.full(&|_| {}).unwrap();
    for c in 0..8 {
        assert_eq!(map.class(0, c), Some(Class::Rest));
    }
    assert!(map.class(9, 0).unwrap().is_overturned());
    assert_eq!(map.class(10, 0), None);
    assert_eq!(
        map.lower_border().len(),
        (0..8)
            .filter(|c| (0..10).any(|r| map.class(r, *c).unwrap().is_overturned()))
            .count()
    );
}

#[test]
fn an_error_in_a_cell_is_the_error_of_the_map() {
    let task = MapTask {
        rows: &[1.0, -1.0],
        columns: &[0.0],
        case: sine,
        options: BatchOptions::new(1.0),
    };
    assert!(task.full(&|_| {}).is_err());
    assert!(task.adaptive(3, &|_| {}).is_err());
}

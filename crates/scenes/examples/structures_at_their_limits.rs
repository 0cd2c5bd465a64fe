//! Compares the load multipliers of 100 structures with those of the kinematic theorem, then runs structures (slopes,
//! columns, walls, arches, portals) at 0.98, 0.99, 1.01 and 1.02 of the limit that an
//! independent linear program gives, and counts the verdicts. The first argument is the number of structures, 200
//! unless stated, the second that of slopes and columns on a ground that waves shake for 60 and 120 s, 20 unless
//! stated, and the third that of structures under records of 60 and 120 s, of 0.98 to 2 times their limit, 20 unless
//! stated.

#[path = "../tests/common/structures.rs"]
#[allow(dead_code, reason = "the tests ask for more")]
mod structures;
#[path = "../tests/common/tally.rs"]
mod tally;

use serde_json::json;
use structures::Structure;
use tally::{BAR, Tally, enter_record, run};

/// Prints the largest difference from the kinematic theorem.
fn compare_multipliers() {
    let difference = |number: u64| {
        let structure = Structure::of(number);
        let mut scene = structure.scene(0.0, 0.0025, BAR);
        scene["limit_analysis"] = json!({"towards": [1, 0, 0]});
        let limit = run(&scene).summary.limit_analysis;
        let most = limit.and_then(|limit| limit.load_multiplier);
        (most.unwrap_or(f64::NAN) - structure.kinematic_limit()).abs()
    };
    let largest = (0..100)
        .map(difference)
        .fold(0.0, |m: f64, d| if d > m || d.is_nan() { d } else { m });
    println!("load multipliers of 100 structures: within {largest:.1e}");
}

fn main() {
    compare_multipliers();
    let number = |k: usize| std::env::args().nth(k).and_then(|n| n.parse().ok());
    let mut tally = Tally::default();
    for number in 0..number(1).unwrap_or(200) {
        let structure = Structure::of(number);
        let limit = structure.limit();
        if let Some(closed) = structure.closed_form() {
            assert!((limit - closed).abs() < 1e-6, "{limit} {closed}");
        }
        for factor in [0.98, 0.99, 1.01, 1.02] {
            let found = run(&structure.scene(factor * limit, 2.0, BAR));
            tally.enter(&structure.name, (limit, factor), &found);
        }
        if number % 20 == 19 {
            println!("{} structures: {}", number + 1, tally.told());
        }
    }
    println!("{}", tally.told());
    let mut tally = Tally::default();
    for pair in 0..number(2).unwrap_or(20) {
        let structure = Structure::of(5 * (pair / 2) + pair % 2);
        let limit = structure.limit_both_ways();
        for (factor, waves) in [(0.98, 120), (0.99, 240)] {
            let found = run(&structure.shaken(factor * limit, (2.0, waves), BAR));
            tally.enter(&structure.name, (limit, factor), &found);
        }
        println!("{} shaken: {}", pair + 1, tally.told());
    }
    let mut tally = Tally::default();
    for number in 0..number(3).unwrap_or(20) {
        let structure = Structure::of(number);
        let limit = structure.limit_both_ways();
        let duration = if number % 4 == 3 { 120.0 } else { 60.0 };
        for factor in [0.98, 0.99, 1.01, 1.02, 1.5, 2.0] {
            enter_record(&mut tally, &structure, limit, (factor, duration, number));
        }
        println!("{} under records: {}", number + 1, tally.told());
    }
}

//! Runs structures (slopes, columns, walls, arches, portals) at 0.98, 0.99, 1.01 and 1.02 of the limit that an
//! independent linear program gives, and counts the verdicts; the number of structures is the argument, 200 unless
//! stated. Every tenth is also shaken for 60 and 120 s.

#[path = "../tests/common/structures.rs"]
mod structures;
#[path = "../tests/common/tally.rs"]
mod tally;

use structures::Structure;
use tally::{Tally, run};

fn main() {
    let count = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let (mut still, mut shaken) = (Tally::default(), Tally::default());
    for number in 0..count.unwrap_or(200) {
        let structure = Structure::of(number);
        let limit = structure.limit();
        if let Some(closed) = structure.closed_form() {
            assert!((limit - closed).abs() < 1e-6, "{limit} {closed}");
        }
        for factor in [0.98, 0.99, 1.01, 1.02] {
            let found = run(&structure.scene(factor * limit, 2.0, 1e-3));
            still.enter(&structure.name, (limit, factor), &found);
        }
        if number % 10 < 2 {
            let limit = structure.limit_both_ways();
            for (factor, waves) in [(0.98, 120), (0.99, 240)] {
                let found = run(&structure.shaken(factor * limit, (2.0, waves), 1e-3));
                shaken.enter(&structure.name, (limit, factor), &found);
            }
        }
    }
    println!("at rest: {}", still.told());
    println!("60 and 120 s of waves: {}", shaken.told());
}

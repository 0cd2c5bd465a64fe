//! What a block costs among 100,000 in one call: the counterpart of `rock_many` from Python
//! (`crates/python/benches/calls.py`), the same blocks on one thread.

use std::time::Instant;

use klast_ground_motion::Component;
use klast_ground_motion::Frequency;
use klast_rocking::{BatchOptions, Case, Restitution, RockingBlock, simulate_batch};

const COUNT: usize = 100_000;
/// Blocks that one task of the Python package runs.
const CHUNK: usize = 256;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let motion = Component::waves(5.0, Frequency::hertz(1.2), 0.0, 1.0)?;
    let options = BatchOptions::new(10.0);
    let mut best = f64::INFINITY;
    let mut overturned = 0;
    for _ in 0..5 {
        let start = Instant::now();
        overturned = 0;
        for first in (0..COUNT).step_by(CHUNK) {
            let cases = (first..(first + CHUNK).min(COUNT))
                .map(|k| {
                    let height = 1.0 + k as f64 / COUNT as f64;
                    Ok(Case {
                        block: RockingBlock::rectangle(0.25 * height, height, 9.81)?,
                        restitution: Restitution::housner(),
                        motion: motion.clone(),
                        rotation: 0.0,
                    })
                })
                .collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
            let results = simulate_batch(&cases, &options)?;
            overturned += results
                .iter()
                .filter(|r| matches!(r.fate, klast_rocking::Fate::Overturned(_)))
                .count();
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!(
        "simulate_batch, {COUNT} blocks: {:.3} us a block, {overturned} overturned",
        1e6 * best / COUNT as f64
    );
    Ok(())
}

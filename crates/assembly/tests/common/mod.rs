//! What several tests release.

use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity,
};

/// The reference run of many blocks at time zero, with a cut-off of approach speeds and the first block displaced by
/// `shift`.
pub fn released(n: usize, cutoff: f64, shift: f64) -> Assembly {
    // Unit amplitude and unit angular frequency: free travel 8, friction level 0.02.
    let size = 1.0 / n as f64;
    let row = BlockRow::uniform(
        n,
        Block {
            size,
            mass: 1.0,
            friction: 0.02 / 9.81,
        },
    )
    .unwrap();
    let motion = BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / std::f64::consts::TAU)).unwrap();
    let basin = Basin::new(9.0, motion, Restitution::new(0.9, 0.9999).unwrap()).unwrap();
    let mut start = Start::spread(n, 8.0, StartVelocity::WithBasin);
    start.gaps[0] += shift;
    start.gaps[1] -= shift;
    Assembly::with_cutoff(basin, &row, &start, ImpactRule::Complementarity, cutoff).unwrap()
}

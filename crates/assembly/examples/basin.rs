//! Four blocks in a basin that moves to and fro: where they stand after five seconds, and the balance of energy.
//!
//! `cargo run -p klast-assembly --example basin`

use klast_assembly::{
    Assembly, AssemblyError, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule,
    Restitution, Start, StartVelocity,
};

fn main() -> Result<(), AssemblyError> {
    let block = Block {
        size: 0.04,
        mass: 0.05224,
        friction: 0.03,
    };
    let row = BlockRow::uniform(4, block)?;
    // Amplitude 0.04 m, frequency 2 Hz; walls and blocks return 0.6 of a normal velocity.
    let motion = BasinMotion::harmonic(0.04, Frequency::hertz(2.0))?;
    let basin = Basin::new(0.394, motion, Restitution::new(0.6, 0.6)?)?;
    let start = Start::touching(4, StartVelocity::AtRest);
    let mut run = Assembly::new(basin, &row, &start, ImpactRule::LowestFirst)?;
    run.advance_to(5.0)?;
    for (index, block) in run.state().iter().enumerate() {
        println!("block {}: left side at {:.4} m", index + 1, block.left);
    }
    println!(
        "energy balance: {:.1e} of the turnover",
        run.energy().relative_residual()
    );
    Ok(())
}

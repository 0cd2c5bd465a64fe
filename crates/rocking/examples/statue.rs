//! A free-standing block under one cycle of base motion: does it overturn, and what friction does the answer need?
//!
//! `cargo run -p klast-rocking --example statue`

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::{Options, Restitution, RockingBlock, RockingError, simulate};

fn main() -> Result<(), RockingError> {
    // Base 0.5 m, height 2 m.
    let block = RockingBlock::rectangle(0.5, 2.0, 9.81)?;
    let angular_frequency = std::f64::consts::TAU * 1.0;
    for acceleration in [2.0, 4.0, 8.0] {
        let cycle = Component::waves(
            acceleration,
            Frequency::rad_per_s(angular_frequency),
            0.0,
            1.0,
        )?;
        let motion = GroundMotion::horizontal(cycle);
        let run = simulate(
            &block,
            &Restitution::housner(),
            &motion,
            &Options::new(10.0),
        )?;
        println!(
            "{acceleration} m/s²: {:?}, {} impacts",
            run.outcome,
            run.impact_times().len()
        );
    }
    Ok(())
}

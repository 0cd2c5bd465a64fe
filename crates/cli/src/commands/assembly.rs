//! `klast assembly …`: basins for which one block meets the far wall at a chosen point of the cycle.

use crate::terminal::stdout_line;
use anyhow::Result;
use clap::Subcommand;

/// What to do with a row of blocks.
#[derive(Subcommand)]
pub enum Command {
    /// Print basin lengths for which one block hits the far wall at the phases π/2, π, 3π/2 and 2π of the drive
    Tune {
        /// Restitution at the walls
        #[arg(long)]
        restitution: f64,
        /// Amplitude of the drive (m)
        #[arg(long)]
        amplitude: f64,
        /// Length of the block (m)
        #[arg(long)]
        size: f64,
        /// Number of whole periods of the drive before the impact
        #[arg(long, default_value_t = 0)]
        turns: u32,
    },
}

/// Runs the command.
///
/// # Errors
/// A number out of its range.
pub fn run(command: &Command) -> Result<()> {
    let Command::Tune {
        restitution,
        amplitude,
        size,
        turns,
    } = command;
    tune(*restitution, *amplitude, *size, *turns)
}

fn tune(restitution: f64, amplitude: f64, size: f64, turns: u32) -> Result<()> {
    use crate::failure::input;
    use klast_assembly::analysis::{ContactPoint, FirstCollision};
    stdout_line("phase [rad]  basin size [m]  rebound over u0 Omega")?;
    for point in ContactPoint::ALL {
        let collision = input(FirstCollision::new(point, turns, restitution))?;
        let basin = input(collision.basin(amplitude, size))?.basin;
        stdout_line(format_args!(
            "{:11.6}  {basin:14.9}  {:+.9}",
            collision.phase(),
            collision.rebound()
        ))?;
    }
    Ok(())
}

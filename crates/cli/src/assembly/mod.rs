//! Scenes of a row of blocks in a shaken basin: one motion, and sweeps over its parameters.

mod run;
mod scene;
mod sweep;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

use crate::kinds::Kind;
use crate::session::Options;

/// One motion with its events, indices and pictures.
pub const RUN: Kind = Kind {
    name: "assembly",
    summary: "a row of blocks in a shaken basin: events, indices, period, pictures",
    example: include_str!("../../../../examples/assembly.json"),
    schema: || schemars::schema_for!(run::Scene),
    prepare: run::prepare,
};

/// The long-time response over one or two parameters.
pub const SWEEP: Kind = Kind {
    name: "assembly-sweep",
    summary: "periods, patterns and impacts of a row of blocks over one or two parameters",
    example: include_str!("../../../../examples/assembly-sweep.json"),
    schema: || schemars::schema_for!(sweep::Scene),
    prepare: sweep::prepare,
};

/// What to do with a row of blocks.
#[derive(Subcommand)]
pub enum Command {
    /// Run a scene of kind assembly: the same as `klast run`
    Run {
        /// The scene
        scene: PathBuf,
    },
    /// Run a scene of kind assembly-sweep: the same as `klast run`
    Sweep {
        /// The scene
        scene: PathBuf,
    },
    /// Basin sizes and amplitudes for which one block meets the far wall at a chosen point of the cycle
    Tune {
        /// Restitution at the walls
        #[arg(long)]
        restitution: f64,
        /// Amplitude in metres
        #[arg(long)]
        amplitude: f64,
        /// Size of the block in metres
        #[arg(long)]
        size: f64,
        /// Whole cycles before the collision
        #[arg(long, default_value_t = 0)]
        turns: u32,
    },
}

/// Runs the command.
///
/// # Errors
/// Bad input, a folder that cannot be written, an interruption.
pub fn run(command: &Command, options: &Options) -> Result<()> {
    match command {
        Command::Run { scene } | Command::Sweep { scene } => crate::commands::run(scene, options),
        Command::Tune {
            restitution,
            amplitude,
            size,
            turns,
        } => tune(*restitution, *amplitude, *size, *turns),
    }
}

fn tune(restitution: f64, amplitude: f64, size: f64, turns: u32) -> Result<()> {
    use crate::failure::input;
    use klast_assembly::analysis::{ContactPoint, FirstCollision};
    crate::output::say("phase [rad]  basin size [m]  rebound over u0 Omega")?;
    for point in ContactPoint::ALL {
        let collision = input(FirstCollision::new(point, turns, restitution))?;
        let basin = input(collision.basin(amplitude, size))?.basin;
        crate::output::say(format_args!(
            "{:11.6}  {basin:14.9}  {:+.9}",
            collision.phase(),
            collision.rebound()
        ))?;
    }
    Ok(())
}

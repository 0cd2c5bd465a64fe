//! `klast rockfall …`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

use crate::session::Options;

/// What to do with rockfall.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Run a scene of kind rockfall: the same as `klast run`
    Run {
        /// The scene
        scene: PathBuf,
    },
    /// Forecast observed runs from each other, beside null models: the same as `klast run` of a scene of kind rockfall_calibration
    Calibrate {
        /// The scene
        scene: PathBuf,
    },
    /// Compare observed flights with exact ballistics
    Segments(super::segments::Segments),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Bad input, or results that cannot be written.
    pub fn run(&self, options: &Options) -> Result<()> {
        match self {
            Command::Run { scene } | Command::Calibrate { scene } => {
                crate::commands::run(scene, options)
            }
            Command::Segments(segments) => segments.run(options),
        }
    }
}

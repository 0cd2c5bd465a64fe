//! `klast rockfall …`.

use crate::session::Options;
use anyhow::Result;
use clap::Subcommand;

/// What to do with rockfall.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Compare observed flights with exact ballistics
    Segments(super::segments::Segments),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Bad input, or results that cannot be written.
    pub fn run(&self, options: &Options) -> Result<()> {
        let Command::Segments(segments) = self;
        segments.run(options)
    }
}

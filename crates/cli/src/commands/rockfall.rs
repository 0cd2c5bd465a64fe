//! `klast rockfall …`.

use crate::session::Options;
use crate::terminal::stdout_line;
use anyhow::Result;
use clap::Subcommand;
use klast_rockfall::ground_class::CLASSES;

/// What to do with rockfall.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Compare observed flights with exact ballistics
    Segments(super::segments::Segments),
    /// List the classes of ground with their numbers and sources
    Classes,
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Bad input, or results that cannot be written.
    pub fn run(&self, options: &Options) -> Result<()> {
        match self {
            Command::Segments(segments) => segments.run(options),
            Command::Classes => classes(),
        }
    }
}

/// Prints the library of ground classes.
fn classes() -> Result<()> {
    for class in &CLASSES {
        let tangential = class.tangential_restitution;
        let tangential = tangential.map_or(String::new(), |r| format!(", R_t {r}"));
        let scarring = class
            .scarring
            .map_or(String::new(), |[most, growth, recovery]| {
                format!(", growing to {most} (kappa {growth} 1/m, beta {recovery} 1/s)")
            });
        stdout_line(format!(
            "{}: {}; R_n {}{tangential}, friction {}{scarring}\n    {}: {}\n    fitted on: {}",
            class.name,
            class.title,
            class.normal_restitution,
            class.friction,
            class.source.author,
            class.source.document,
            class.source.fitted_on
        ))?;
    }
    Ok(())
}

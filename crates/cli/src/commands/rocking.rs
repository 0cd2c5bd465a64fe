//! `klast rocking …`: the restitution of a single block from a measured history.

use std::path::PathBuf;

use crate::failure::input;
use crate::terminal::stdout_line;
use anyhow::{Context as _, Result};
use clap::{Subcommand, ValueEnum};
use klast_files::reading;
use klast_rocking::{FitWindow, RockingBlock, fit_restitution};
use klast_scenes::kinds::rocking_fit::job::read_history;
use klast_scenes::kinds::rocking_fit::result::Summary;

/// Gravity (m/s²).
const GRAVITY: f64 = 9.81;

/// What to do with a single block.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fit the coefficient of restitution to a CSV file with the columns time_s and rotation_rad or rotation_deg
    Fit {
        /// CSV file of the measured history, which begins at the release
        history: PathBuf,
        /// Width of the block (m)
        #[arg(long)]
        width_m: f64,
        /// Height of the block (m)
        #[arg(long)]
        height_m: f64,
        /// Part of the history that is fitted
        #[arg(long, value_enum, default_value = "full")]
        window: Window,
        /// Factor for material dissipation, above 0 and at most 1; the fitted coefficient is divided by it before the
        /// position of the impulse is computed
        #[arg(long, default_value_t = 1.0)]
        material: f64,
    },
}

/// Part of a history.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Window {
    /// The whole history
    Full,
    /// From a quarter to three quarters of the duration of the history
    MiddleHalf,
    /// Between the first and the second impact
    FirstHalfPeriod,
}

impl From<Window> for FitWindow {
    fn from(window: Window) -> Self {
        match window {
            Window::Full => Self::Full,
            Window::MiddleHalf => Self::MiddleHalf,
            Window::FirstHalfPeriod => Self::FirstHalfPeriod,
        }
    }
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// A file or a block that cannot be, a history that cannot be fitted.
    pub fn run(&self) -> Result<()> {
        let Self::Fit {
            history,
            width_m,
            height_m,
            window,
            material,
        } = self;
        let text = input(reading::text(history))?;
        let name = || history.display().to_string();
        let measured = input(read_history(&text).with_context(name))?;
        let block = input(RockingBlock::rectangle(*width_m, *height_m, GRAVITY))?;
        let fit = input(fit_restitution(&block, &measured, (*window).into()))?;
        let result = Summary::of(&block, &fit, *material);
        stdout_line(serde_json::to_string_pretty(&result)?)
    }
}

//! Lines on the terminal.

use std::io::Write as _;

use anyhow::{Context as _, Result};

/// A line on the standard output.
///
/// # Errors
/// If it cannot be written. A reader that has seen enough, as `head` has, is no failure.
pub fn stdout_line(line: impl std::fmt::Display) -> Result<()> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("the standard output cannot be written"),
    }
}

/// A line on the standard error stream; where nobody reads it, the run continues.
pub fn stderr_line(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

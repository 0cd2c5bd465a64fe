//! Lines on the terminal.

use std::io::{IsTerminal as _, Write as _};

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

/// Colours of words on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// As the terminal has it.
    Plain,
    /// What holds.
    Green,
    /// What does not.
    Red,
    /// What is not decided, and warnings.
    Yellow,
}

/// Whether colours are wanted: not where the output is no terminal, not where `NO_COLOR` is set.
#[must_use]
pub fn colours(terminal: bool) -> bool {
    terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Words for the standard output in a colour, where colours are wanted.
#[must_use]
pub fn painted(words: &str, colour: Colour) -> String {
    let code = match colour {
        Colour::Plain => return words.to_owned(),
        Colour::Green => "32",
        Colour::Red => "31",
        Colour::Yellow => "33",
    };
    match colours(std::io::stdout().is_terminal()) {
        true => format!("\u{1b}[1;{code}m{words}\u{1b}[0m"),
        false => words.to_owned(),
    }
}

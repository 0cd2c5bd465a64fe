//! What a failed command tells the shell.

use std::process::ExitCode;

use anyhow::{Error, Result};
use klast_scenes::job::Interrupted;

use crate::terminal::stderr_line;

/// The input is wrong: nothing was run and nothing was written. Exit code 2.
#[derive(Debug)]
pub struct BadInput(pub Error);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl std::error::Error for BadInput {}

/// Marks every error of a step that only reads and validates.
pub fn input<T, E: Into<Error>>(result: Result<T, E>) -> Result<T> {
    result.map_err(|e| {
        let error = e.into();
        if error.is::<BadInput>() {
            error
        } else {
            BadInput(error).into()
        }
    })
}

/// Longest message; a cause may quote a whole scene.
const LONGEST: usize = 1200;

/// What the command line gets wrong, on one line; help and version where they are asked for.
pub fn usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    let help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if help || !error.use_stderr() {
        error.exit();
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let said: Vec<&str> = lines
        .take_while(|l| !l.starts_with("Usage:") && !l.starts_with("For more"))
        .map(|l| l.strip_prefix("error: ").unwrap_or(l))
        .collect();
    stderr_line(format_args!(
        "klast: {} (`klast --help`)",
        shortened(&said.join("; "))
    ));
    ExitCode::from(2)
}

/// The text, without its middle where it is too long to read.
fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONGEST {
        return text.to_owned();
    }
    let start: String = text.chars().take(LONGEST * 2 / 3).collect();
    let end: String = text.chars().skip(count - LONGEST / 3).collect();
    format!("{start} … {end}")
}

/// A line on the standard error stream for each error, and the exit code.
pub fn exit(result: Result<()>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    // What a file holds may be anything: a terminal must not obey it.
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    let said = format!("{error:#}").replace("\nline ", "\u{1e}line ");
    let (code, word) = if error.is::<BadInput>() {
        (ExitCode::from(2), "")
    } else if error.is::<Interrupted>() {
        (ExitCode::from(130), "")
    } else {
        (ExitCode::FAILURE, "failed: ")
    };
    for line in said.split('\u{1e}') {
        let line: String = line.chars().map(shown).collect();
        stderr_line(format_args!("klast: {word}{}", shortened(&line)));
    }
    code
}

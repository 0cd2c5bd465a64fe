//! What a failed command tells the shell.

use std::process::ExitCode;

use anyhow::{Error, Result};

/// The input is wrong: nothing was run and nothing was written. Exit code 2.
#[derive(Debug)]
pub struct BadInput(pub Error);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl std::error::Error for BadInput {}

/// The run was interrupted; what it wrote is whole and it can go on. Exit code 130.
#[derive(Debug)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "interrupted; the same command goes on from here")
    }
}

impl std::error::Error for Interrupted {}

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

/// One line on the standard error stream and the exit code.
pub fn exit(result: Result<()>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    let line = format!("{error:#}").replace('\n', " ");
    if error.is::<BadInput>() {
        eprintln!("klast: {line}");
        ExitCode::from(2)
    } else if error.is::<Interrupted>() {
        eprintln!("klast: {line}");
        ExitCode::from(130)
    } else {
        eprintln!("klast: failed: {line}");
        ExitCode::FAILURE
    }
}

//! Refusals of files within the errors of a scene: the name of the file comes into their commands.

use anyhow::{Error, Result};
use klast_files::{Kind, Refusal};

/// A result of a file, whose name stands in the command of its refusal.
///
/// # Errors
/// That of the result.
pub fn in_command<T, E: Into<Error>>(file: &str, result: Result<T, E>) -> Result<T> {
    result.map_err(|error| {
        let mut error = error.into();
        if let Some(refusal) = error.downcast_mut::<Refusal>() {
            *refusal = refusal.clone().of(file);
        }
        error
    })
}

/// A result of a file, whose name stands before its error too.
///
/// # Errors
/// That of the result, of the file.
pub fn of_file<T, E: Into<Error>>(file: &str, result: Result<T, E>) -> Result<T> {
    in_command(file, result).map_err(|error| error.context(file.to_owned()))
}

/// An error as the refusal that it is, or as that of a file that cannot be read.
#[must_use]
pub fn refusal(error: Error) -> Refusal {
    let other = |error: Error| Refusal::new(Kind::Unreadable, format!("{error:#}"));
    error.downcast::<Refusal>().unwrap_or_else(other)
}

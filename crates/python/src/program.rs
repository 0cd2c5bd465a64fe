//! The program `klast`, which a wheel has beside the module.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the program with its arguments, the first of which is its own name; the exit code.
#[pyfunction]
pub fn program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| klast_cli::program::main(arguments))
}

//! Errors as Python raises them.

use klast_runs::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};

/// What is wrong with the input: a `ValueError`.
pub fn input(error: impl Into<anyhow::Error>) -> PyErr {
    PyValueError::new_err(format!("{:#}", error.into()))
}

/// What kept a run from its end: a `KeyboardInterrupt` if the caller stopped it, else a `RuntimeError`.
pub fn failed(error: impl Into<anyhow::Error>) -> PyErr {
    let error = error.into();
    let own = error.chain().find_map(|e| e.downcast_ref::<Error>());
    if own.is_some_and(Error::is_interrupted) {
        PyKeyboardInterrupt::new_err("the run was interrupted")
    } else {
        PyRuntimeError::new_err(format!("{error:#}"))
    }
}

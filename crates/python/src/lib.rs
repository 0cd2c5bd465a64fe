//! The native half of the Python package `klast`: scenes that were checked, their results as numpy arrays, and the
//! engines that are stepped by hand. The half that a user sees stands in `python/klast/`.
//!
//! The lock of the interpreter is released for as long as anything is built or runs; the thread that called asks for
//! signals in between, so that Ctrl-C ends a run. What is wrong with the input is a `ValueError` that says what was
//! found and what is accepted.

mod assembly;
mod columns;
mod contact;
mod dem;
mod errors;
mod outcome;
mod rockfall;
mod rocking;
mod scene;
mod states;
mod table;
mod watch;
mod world;

use pyo3::prelude::*;

/// The native half of the package.
#[pymodule]
mod _klast {
    #[pymodule_export]
    use super::assembly::Row;
    #[pymodule_export]
    use super::contact::{residual, solve_friction, solve_lcp};
    #[pymodule_export]
    use super::dem::Particles;
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::rocking::{Motion, rock_many};
    #[pymodule_export]
    use super::scene::{Scene, example, geotiff, kinds, merge, schema};
    #[pymodule_export]
    use super::world::World;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}

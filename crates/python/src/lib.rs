//! The native part of the Python package `klast`: checked scenes, their results as numpy arrays, and the engines that a
//! caller advances step by step. The part that users call is in `python/klast/`.
//!
//! The lock of the interpreter is released while a scene is built or runs. The calling thread checks for signals, so
//! that Ctrl-C ends a run. Wrong input raises a `ValueError`, which states the value that was found and the values that
//! are accepted.

mod assembly;
mod columns;
mod contact;
mod dem;
mod errors;
mod geometry;
mod outcome;
#[cfg(feature = "program")]
mod program;
mod rockfall;
mod rocking;
mod scene;
mod stacks;
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
    use super::geometry::minkowski;
    #[pymodule_export]
    use super::outcome::Outcome;
    #[cfg(feature = "program")]
    #[pymodule_export]
    use super::program::program;
    #[pymodule_export]
    use super::rocking::{Motion, rock_many};
    #[pymodule_export]
    use super::scene::{Scene, example, geotiff, kinds, merge, schema};
    #[pymodule_export]
    use super::stacks::{stack_impact, stack_openings};
    #[pymodule_export]
    use super::world::World;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}

//! Fixed pieces of work, one for each hot path of the workspace.
//!
//! A [`Kernel`] takes a size, makes its inputs by a fixed rule, and does one repetition of its work at a time. All
//! measurements use the same kernels, so their results can be compared. `cargo xtask instructions` counts instructions,
//! and `cargo xtask scaling` runs the kernels over sizes and threads. The tests of this crate count allocations of
//! memory.
//!
//! ```
//! let kernel = klast_performance::kernel("basin")?;
//! let mut work = kernel.prepare(8)?;
//! let events = work()?;
//! assert!(events > 1000, "{events} {} in one repetition", kernel.unit);
//! # Ok::<(), anyhow::Error>(())
//! ```
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod kernel;
mod kernels;
mod list;
pub mod scaling;

pub use kernel::{Kernel, Work};
pub use list::{KERNELS, kernel};

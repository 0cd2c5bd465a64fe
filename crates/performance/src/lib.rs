//! Fixed pieces of work, one for each hot path of the workspace.
//!
//! A [`Kernel`] makes its inputs from a fixed rule, is given a size, and does one repetition of its work at a time. The
//! same kernels are counted (`cargo xtask instructions`), held against what the machine could do (`cargo xtask
//! roofline`), run over sizes and threads (`cargo xtask scaling`) and watched for allocations (this crate's tests), so
//! that all these figures speak of the same work.
//!
//! ```
//! let kernel = klast_performance::kernel("basin")?;
//! let mut work = kernel.prepare(8)?;
//! let events = work()?.units;
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
pub mod machine;
mod median;
pub mod roofline;
pub mod scaling;

pub use kernel::{Done, Kernel, Least, Work};
pub use list::{KERNELS, kernel};

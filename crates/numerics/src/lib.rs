//! Numerical routines that several crates of klast need. They give the same bits on every machine and do not panic; all
//! but [`fit`] and [`ode`] allocate no memory.
//!
//! * [`roots`]: a root between two points of different sign, the first crossing along a list of points, bisection of a
//!   condition, the minimum of a function with one;
//! * [`dense`]: small systems of linear equations, pivoted, symmetric, or of deficient rank;
//! * [`check`]: numbers from outside, with one error that names the field, what was found and what is accepted;
//! * [`Digest`], [`WordDigest`] and [`SplitMix64`]: hashes of bits, for golden tests, names of files and seeds;
//! * [`CompensatedSum`], [`dot`] and [`DoubleDouble`]: sums and products that keep more digits than a double;
//! * [`ode`]: ordinary differential equations with events, by an adaptive method of high order;
//! * [`fit`]: the parameters that leave least on several runs, on grids that become finer;
//! * [`sin_cos`]: sine and cosine without a branch or a call, for lanes;
//! * [`quantile`]: that of a sample;
//! * [`mutant`]: deliberate errors that tests must see.
//!
//! The crate contains no units, no bodies and no time.
//!
//! ```
//! use klast_numerics::{check, roots};
//!
//! let depth = check::positive("depth", 2.0)?;
//! let f = |x: f64| x * x - depth;
//! let root = roots::chandrupatla((0.0, f(0.0)), (2.0, f(2.0)), 0.0, f);
//! assert!((root.best - 2f64.sqrt()).abs() < 1e-15);
//!
//! let refused = check::positive("depth", -1.0).unwrap_err();
//! assert_eq!(refused.to_string(), "depth is -1; accepted: a finite number above 0");
//! # Ok::<(), klast_numerics::OutOfRange>(())
//! ```
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::disallowed_methods
    )
)]

pub mod check;
pub mod dense;
mod digest;
mod double_double;
pub mod fit;
pub mod mutant;
pub mod ode;
mod quantile;
pub mod roots;
mod sin_cos;
mod sum;

pub use check::{Found, ModelError, OutOfRange};
pub use digest::{Digest, SplitMix64, WordDigest};
pub use double_double::DoubleDouble;
pub use quantile::quantile;
pub use sin_cos::sin_cos;
pub use sum::{CompensatedSum, dot};

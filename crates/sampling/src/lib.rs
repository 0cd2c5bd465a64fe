#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::disallowed_methods
    )
)]

mod distribution;
mod ensemble;
mod special;
mod streams;

pub use distribution::{Distribution, DistributionError, Family, student_quantile};
pub use ensemble::{EnsembleWorkspace, ensemble};
pub use streams::{Purpose, SplitMix64, Streams, open_uniform};

//! The frictional contact problem and its solvers: plain algebra, no bodies, no time.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

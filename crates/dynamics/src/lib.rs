//! Rigid bodies in time: flight, events, impacts, ensembles.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

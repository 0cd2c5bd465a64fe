//! A second implementation of the row in the basin, for comparison only.
// Each test uses its part of it.
#![allow(dead_code)]
// Neighbours in a row: indices are the clear way to say it.
#![allow(clippy::needless_range_loop)]

pub mod rules;
pub mod solver;
pub mod wide;

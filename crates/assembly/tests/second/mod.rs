//! A second implementation of the row in the basin, for comparison only.
// Each test uses its part of it.
#![allow(dead_code)]

pub mod rules;
pub mod solver;
pub mod wide;

//! Keys of scenes that more than one subject has.

pub mod distribution;
pub mod duration;
pub mod gravity;
pub mod motion;
pub mod number_table;
pub mod shape;
pub mod vertical;

/// 1, a default of serde.
pub fn one() -> f64 {
    1.0
}

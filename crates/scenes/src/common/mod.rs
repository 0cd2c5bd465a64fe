//! What several kinds of scene share.

pub mod block;
pub mod duration;
pub mod foundation;
pub mod gravity;
pub mod least_stable;
pub mod letters;
pub mod measure;
pub mod mesh_block;
pub mod motion;
pub mod records;
pub mod restitution;
pub mod restraint;
pub mod row;
pub mod slip;
pub mod stack;
pub mod steps;
pub mod trials;
pub mod vertical;

/// 1, a default of serde.
pub fn one() -> f64 {
    1.0
}

//! What several kinds of scene share.

pub mod base_motion;
pub mod block;
pub mod floor;
pub mod foundation;
pub mod least_stable;
pub mod letters;
pub mod measure;
pub mod mesh_block;
pub mod records;
pub mod restitution;
pub mod restraint;
pub mod slip;
pub mod space;
pub mod stack;
pub mod steps;
pub mod trials;
pub mod triplet;

//! What several kinds of scene share.

pub mod block;
pub mod measure;
pub mod mesh_block;
pub mod motion;
pub mod records;
pub mod row;
pub mod stack;
pub mod steps;

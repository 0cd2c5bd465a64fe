//! What several kinds of scene share.

pub mod block;
pub mod motion;
pub mod row;
pub mod stack;
pub mod steps;

//! What several modules of tests share.

pub mod plane;
pub mod refused;
pub mod rockfall_scene;
pub mod structures;
pub mod tally;

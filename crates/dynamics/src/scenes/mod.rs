//! Scenes of many bodies whose behaviour is known from statics or from other programs: for benches, examples and
//! verification alike.

mod pour;

pub use pour::{PourReport, ballast, cubes, lattice, parse_hulls, parse_poses, pour, pour_report};

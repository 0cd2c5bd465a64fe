//! Scenes of many bodies whose behaviour is known from statics or from other programs: for benches, examples and
//! verification alike.

mod masonry;
mod pour;

pub use masonry::{
    Brick, Masonry, arch, cradle, incline, pyramid_rows, running_bond, shaken, static_settings,
    tilting_wall, tower, voussoirs,
};
pub use pour::{PourReport, ballast, cubes, lattice, parse_hulls, parse_poses, pour, pour_report};

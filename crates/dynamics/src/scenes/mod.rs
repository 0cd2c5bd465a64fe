//! Scenes of many bodies whose behaviour is known from statics or from other programs: for benches, examples and
//! verification alike.

mod masonry;
mod pour;
mod pour_report;
mod tower;

pub use masonry::{
    Brick, Masonry, arch, cradle, incline, pyramid_rows, running_bond, shaken, static_settings,
    tilting_wall, voussoirs,
};
pub use pour::{
    ballast, column, cubes, lattice, parse_hulls, parse_poses, pour, pour_into, stones,
};
pub use pour_report::{PourReport, RestReport, pour_report, pour_to_rest};
pub use tower::{shaken_tower, tower, tower_section};

//! Scenes of many bodies whose behaviour is known from statics or from other programs. Tests, benches, examples,
//! verification and performance measurements share them. The crate is not a part of the program or of a library.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::disallowed_methods
    )
)]

mod limit_load;
mod masonry;
mod pour;
mod pour_report;
mod simplex;
mod structure;
mod tower;

pub use limit_load::{horizontal_limit, limit_of_section};
pub use masonry::{
    Brick, Masonry, arch, cradle, incline, pyramid_rows, running_bond, shaken, static_settings,
    tilting_wall, voussoirs,
};
pub use pour::{ballast, column, cubes, lattice, parse_hulls, parse_poses, pour, pour_into};
pub use pour_report::{PourReport, RestReport, pour_report, pour_to_rest};
pub use simplex::NoOptimum;
pub use structure::{
    Structure, bricks_in_a_wall, cubes_in_a_column, planks_in_a_tower, stones_in_an_arch,
};
pub use tower::{shaken_tower, tower, tower_section};

#![doc = include_str!("../README.md")]
#![warn(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::disallowed_methods
    )
)]

pub mod by_ending;
pub mod cloud;
pub mod command;
pub mod crs;
pub mod digits;
mod foreign;
pub mod json;
pub mod mesh;
pub mod raster;
pub mod reading;
pub mod record;
pub mod refusal;
pub mod rockyfor3d;
pub mod shapes;
pub mod table;
pub mod text;

pub use refusal::{Kind, Refusal};

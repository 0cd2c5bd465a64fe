//! The computed figures of chapters 3 to 5, drawn from our own numbers.

mod coefficient;
mod free;
mod pulse;
mod stability;

pub(super) use coefficient::{Scale, earlier_experiments, inverse_analysis};
pub(super) use free::{bulky, released_blocks, slender};
pub(super) use pulse::{constant_acceleration, one_wave, scaling};
pub(super) use stability::{class_map, shaking_table, tilted};

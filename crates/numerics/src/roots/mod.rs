//! Roots and extrema of functions of one number, each inside a bracket that can only shrink: they cannot fail to end,
//! nor leave the interval.
//!
//! | known | take |
//! |---|---|
//! | values of different sign at two points | [`chandrupatla`] |
//! | the slope as well | [`newton`] |
//! | only whether a condition holds | [`bisect`], [`try_bisect`] |
//! | not yet where the sign changes | [`first_crossing`], then one of these |
//! | one minimum in the interval | [`golden_section`] |
//!
//! All are deterministic arithmetic: the same bits on every machine for a function that gives the same bits.

mod bisection;
mod chandrupatla;
mod crossing;
mod golden;
mod newton;

pub use bisection::{bisect, try_bisect};
pub use chandrupatla::{Root, chandrupatla};
pub use crossing::{Crossing, first_crossing};
pub use golden::{Minimum, golden_section};
pub use newton::newton;

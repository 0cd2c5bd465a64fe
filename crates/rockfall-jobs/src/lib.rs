//! Scenes of rocks: a rockfall, a study and a calibration of it, and thrown bodies.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod rockfall;
pub mod rockfall_calibration;
pub mod rockfall_study;
pub mod thrown;

//! Tests of the crate, one program.

mod distributions;
mod ensemble;

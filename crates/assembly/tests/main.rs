//! The tests of this crate as one program: each module is one subject.

mod common;
mod second;

mod analysis;
mod balance;
mod contact;
mod cutoff;
mod far;
mod grazing;
mod ground;
mod input;
mod lead_in;
mod long_orbits;
mod peak_velocity;
mod reference_run;
mod second_solver;
mod symmetry;

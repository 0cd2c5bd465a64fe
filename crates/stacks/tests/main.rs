//! The tests of this crate as one program: each module is one subject.

mod eight;
mod redundant;

mod closing;
mod column;
mod contact;
mod corners;
mod eight_configurations;
mod energy;
mod equivalence;
mod fragility;
mod impacts;
mod kounadis;
mod map;
mod range;
mod records;
mod redundant_coordinates;
mod relative;
mod samples;
mod slide_rock_contact;

//! The tests of this crate as one program: each module is one subject.

mod common;

mod bodies;
mod compliance;
mod friction_family;
mod friction_problems;
mod impact;
mod invariance;
mod lcp;
mod lcp_units;
mod one_contact;
mod steep;
mod subset;

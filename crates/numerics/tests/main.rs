//! The tests of this crate as one program: each module is one subject.

mod dense;
mod ode_accuracy;
mod roots;
mod sums;

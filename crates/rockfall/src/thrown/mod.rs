//! One body thrown on the ground again and again, measured, and computed: which friction, which restitution, which law
//! of impact.
//!
//! A throw is a start (pose, velocity, spin) and the places of the mass centre afterwards, with attitudes where they
//! were measured. Until it first touches the ground a body flies whatever the ground is made of, so that the samples
//! from then on, and only these, tell of the ground. [`Experiment::compare`] computes a throw and sums the squares of
//! what lies between it and the samples: the loss that [`klast_numerics::fit::Search`] makes least over the
//! coefficients of a law.

mod experiment;
mod start;
mod throw;
mod tracker;

pub use experiment::Experiment;
pub use start::{FirstFlight, first_flight};
pub use throw::{Compared, Sample, Throw};

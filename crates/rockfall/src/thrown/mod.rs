//! One body thrown on the ground again and again, measured, and computed: which friction, which restitution, which law
//! of impact.
//!
//! A throw is a start (pose, velocity, spin) and the places of the mass centre afterwards, with attitudes where they
//! were measured. Until it first touches the ground a body flies whatever the ground is made of, so that the samples
//! from then on, and only these, tell of the ground. [`Experiment::compare`] computes a throw and sums the squares of
//! what lies between it and the samples; [`Search`] looks for the coefficients of a law that leave least, with a band
//! from a bootstrap over whole throws; [`wins`] says how often each of several laws leaves least.

mod band;
mod experiment;
mod search;
mod start;
mod throw;
mod tracker;

pub use experiment::Experiment;
pub use search::{Estimate, GRIDS, Ranges, Search, Trial, resamples, wins};
pub use start::{FirstFlight, first_flight};
pub use throw::{Compared, Sample, Throw};

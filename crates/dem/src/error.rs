//! What can be wrong with the input.

use klast_geometry::GeometryError;
use klast_numerics::{ModelError, OutOfRange};
use thiserror::Error;

/// A request this crate refuses. Each variant names the field, the value found and what is accepted.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum DemError {
    /// A number or a count outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A shape the geometry refuses: not convex, turned inside out, not closed, flat.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A distribution that is none.
    #[error("grading: {0}")]
    Distribution(String),
    /// Particles that overlap before the first step.
    #[error(
        "start: particles {first} and {second} overlap by {depth} m (accepted is up to {accepted} m); {count} pairs do"
    )]
    OverlappingStart {
        /// Lower index of the deepest pair.
        first: usize,
        /// Higher index of the deepest pair.
        second: usize,
        /// Its depth, m.
        depth: f64,
        /// What is accepted, m.
        accepted: f64,
        /// Number of pairs over the accepted depth.
        count: usize,
    },
    /// A container that cannot hold what is asked.
    #[error("container {found:?} m is too small: needed is at least {needed:?} m")]
    ContainerTooSmall {
        /// Edge lengths, m.
        found: [f64; 3],
        /// Smallest edge lengths, m.
        needed: [f64; 3],
    },
    /// Two seeds so close that their cells cannot be told apart.
    #[error("seeds {first} and {second} are {distance} m apart (accepted is over {accepted} m)")]
    SeedsCoincide {
        /// Lower index.
        first: usize,
        /// Higher index.
        second: usize,
        /// Distance, m.
        distance: f64,
        /// Smallest distance accepted, m.
        accepted: f64,
    },
    /// A half-space that cannot be cut out of a cell.
    #[error(
        "cut by normal · x <= offset with normal {normal:?}, offset {offset}: accepted are finite numbers and a plane that leaves \
         one convex part of the cell"
    )]
    Cut {
        /// Normal of the plane.
        normal: [f64; 3],
        /// Its offset, m.
        offset: f64,
    },
    /// A state that left the numbers: a step far above the stability limit.
    #[error(
        "particle {particle} is not finite at t = {time} s: the step {step} s is too long (stability limit {limit} s)"
    )]
    Diverged {
        /// Index of the particle.
        particle: usize,
        /// Time, s.
        time: f64,
        /// Step, s.
        step: f64,
        /// Stability limit, s.
        limit: f64,
    },
    /// A saved file that does not fit.
    #[error("saved {what}: {reason}")]
    Saved {
        /// Kind of the file.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

impl ModelError for DemError {
    fn number(&self) -> Option<f64> {
        match self {
            Self::OutOfRange(out) => out.number(),
            _ => None,
        }
    }
}

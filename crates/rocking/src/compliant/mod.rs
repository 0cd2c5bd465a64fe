//! A block on a base that gives: springs and dashpots under its base, with uplift.
//!
//! Two springs at the edges (Psycharis and Jennings 1983, Earthquake Engineering and Structural Dynamics 11, 501), or a
//! bed of springs along the base (Winkler; Chopra and Yim 1985, Journal of Structural Engineering 111, 906). A point of
//! the base at depth δ is pressed upwards by k δ + c δ̇ where δ > 0, and never pulled; springs are vertical and without
//! mass. Horizontally the edge to which the block leans does not slide, which for stiffness without bound is Housner's
//! flight. What an impact loses is then lost in the dashpots: such a run has no coefficient of restitution, and its
//! limit is Housner's in statics and between impacts only.

mod base;
mod result;
mod run;

pub(crate) use base::Support;
pub use base::{Foundation, FoundationKind};
pub use result::{CompliantOutcome, CompliantRun, CompliantSample};
pub use run::simulate_compliant;

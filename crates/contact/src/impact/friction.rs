//! How friction finds its direction.

use crate::linearised_cone::FacetDirections;

/// How friction finds its direction in the laws of Newton and in sequence.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Friction {
    /// Maximum dissipation on the exact cone: friction opposes the slip after the impact. The default.
    #[default]
    MaximumDissipation,
    /// Maximum dissipation on a linearised cone: one set of directions for all contacts, or one per contact.
    Facets(Vec<FacetDirections>),
    /// Friction acts along the line of the incoming slip and against it, up to `μ r_n`, until the slip along that line
    /// is gone. A contact without incoming slip takes the line along which a frictionless impact would make it slip.
    OpposeIncoming,
}

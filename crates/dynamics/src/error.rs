//! What the constructors of this crate refuse.

use klast_contact::ContactError;
use klast_geometry::GeometryError;
use klast_numerics::{ModelError, OutOfRange};

/// Why a body, a state or a run was refused. Every variant carries what was found and what is accepted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DynamicsError {
    /// A number lies outside its range; NaN and infinities end here too.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A shape was refused.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A contact law or problem was refused.
    #[error(transparent)]
    Contact(#[from] ContactError),
}

impl ModelError for DynamicsError {
    fn number(&self) -> Option<f64> {
        match self {
            Self::OutOfRange(out) => out.number(),
            Self::Geometry(_) | Self::Contact(_) => None,
        }
    }
}

/// Accepts what `accept` accepts; NaN never passes.
pub(crate) fn within(
    field: &'static str,
    found: f64,
    accept: impl Fn(f64) -> bool,
    accepted: &'static str,
) -> Result<f64, OutOfRange> {
    klast_numerics::check::require(field, found, accept(found), accepted)
}

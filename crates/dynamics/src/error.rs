//! What the constructors of this crate refuse.

use glam::DVec3;
use klast_contact::ContactError;
use klast_geometry::GeometryError;

/// Why a body, a state or a run was refused. Every variant carries what was found and what is accepted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DynamicsError {
    /// A number lies outside its range; NaN and infinities end here too.
    #[error("{field}: found {found}, accepted {accepted}")]
    OutOfRange {
        /// Name of the input.
        field: &'static str,
        /// The value found.
        found: f64,
        /// The values accepted.
        accepted: &'static str,
    },
    /// A shape was refused.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A contact law or problem was refused.
    #[error(transparent)]
    Contact(#[from] ContactError),
}

/// Accepts what `accept` accepts; NaN never passes.
pub(crate) fn within(
    field: &'static str,
    found: f64,
    accept: impl Fn(f64) -> bool,
    accepted: &'static str,
) -> Result<f64, DynamicsError> {
    if found.is_finite() && accept(found) {
        Ok(found)
    } else {
        Err(DynamicsError::OutOfRange {
            field,
            found,
            accepted,
        })
    }
}

/// Accepts a finite number above zero.
pub(crate) fn positive(field: &'static str, found: f64) -> Result<f64, DynamicsError> {
    within(field, found, |x| x > 0.0, "finite and above 0")
}

/// Accepts a vector of finite numbers.
pub(crate) fn finite(field: &'static str, v: DVec3) -> Result<DVec3, DynamicsError> {
    match v.to_array().into_iter().find(|c| !c.is_finite()) {
        None => Ok(v),
        Some(found) => Err(DynamicsError::OutOfRange {
            field,
            found,
            accepted: "finite",
        }),
    }
}

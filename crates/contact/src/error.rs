//! What the constructors of this crate refuse.

use klast_numerics::{ModelError, OutOfRange, check};

/// Bad data: the only thing that is an error here. A solver that does not converge says so in its status.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ContactError {
    /// A number, a length, an index or a choice that the problem does not accept.
    #[error(transparent)]
    Input(#[from] OutOfRange),
}

impl ModelError for ContactError {
    fn number(&self) -> Option<f64> {
        let Self::Input(out) = self;
        out.number()
    }
}

/// `value` if it is finite.
#[inline]
pub(crate) fn finite(field: &'static str, value: f64) -> Result<f64, ContactError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Ok(check::finite(field, value)?)
    }
}

/// `value` if it is finite and `accept` holds.
pub(crate) fn within(
    field: &'static str,
    value: f64,
    accept: impl Fn(f64) -> bool,
    accepted: &'static str,
) -> Result<f64, ContactError> {
    Ok(check::require(field, value, accept(value), accepted)?)
}

/// `value` if it is finite and not negative.
pub(crate) fn non_negative(field: &'static str, value: f64) -> Result<f64, ContactError> {
    Ok(check::non_negative(field, value)?)
}

/// An error where the length of a list is not that of another one.
pub(crate) fn length(
    field: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), ContactError> {
    if found == expected {
        return Ok(());
    }
    Err(OutOfRange::new(field, found, format!("{expected}")).into())
}

/// An error where an index points outside a list.
#[inline]
pub(crate) fn index(field: &'static str, found: usize, count: usize) -> Result<(), ContactError> {
    if found < count {
        return Ok(());
    }
    Err(OutOfRange::new(field, found, format!("an index below {count}")).into())
}

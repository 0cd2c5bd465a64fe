//! What the constructors of this crate refuse.

/// Bad data: the only thing that is an error here. A solver that does not converge says so in its status.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ContactError {
    /// A number is NaN or infinite.
    #[error("{field} is {found}, accepted: a finite number")]
    NotFinite {
        /// Name of the field.
        field: &'static str,
        /// The value found.
        found: f64,
    },
    /// A number lies outside what the law accepts.
    #[error("{field} is {found}, accepted: {accepted}")]
    OutOfRange {
        /// Name of the field.
        field: &'static str,
        /// The value found.
        found: f64,
        /// The accepted range in words.
        accepted: &'static str,
    },
    /// Two lists that belong together differ in length.
    #[error("{field} has {found} entries, accepted: {expected}")]
    Length {
        /// Name of the field.
        field: &'static str,
        /// The length found.
        found: usize,
        /// The length needed.
        expected: usize,
    },
    /// An index points outside its list.
    #[error("{field} is {found}, accepted: an index below {count}")]
    Index {
        /// Name of the field.
        field: &'static str,
        /// The index found.
        found: usize,
        /// The length of the list it points into.
        count: usize,
    },
    /// A choice that is not offered for this problem.
    #[error("{field} is {found}, accepted: {accepted}")]
    Choice {
        /// Name of the field.
        field: &'static str,
        /// What was found.
        found: String,
        /// What is accepted, in words.
        accepted: &'static str,
    },
}

/// `value` if it is finite.
pub(crate) fn finite(field: &'static str, value: f64) -> Result<f64, ContactError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(ContactError::NotFinite {
            field,
            found: value,
        })
    }
}

/// `value` if it is finite and `accept` holds.
pub(crate) fn within(
    field: &'static str,
    value: f64,
    accept: impl Fn(f64) -> bool,
    accepted: &'static str,
) -> Result<f64, ContactError> {
    finite(field, value)?;
    if accept(value) {
        Ok(value)
    } else {
        Err(ContactError::OutOfRange {
            field,
            found: value,
            accepted,
        })
    }
}

//! Numbers from outside: one error, one wording.

use std::borrow::Cow;
use std::fmt;

/// What stands where a number, a count or a word was wanted.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// A number.
    Number(f64),
    /// A count: of entries, of points, of threads.
    Count(usize),
    /// A word or a choice.
    Text(String),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Count(n) => write!(f, "{n}"),
            Self::Text(text) => write!(f, "'{text}'"),
        }
    }
}

impl From<f64> for Found {
    fn from(x: f64) -> Self {
        Self::Number(x)
    }
}

impl From<usize> for Found {
    fn from(n: usize) -> Self {
        Self::Count(n)
    }
}

impl From<String> for Found {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// An input outside its range: "field is found; accepted: …", with `field[index]` for an entry of a list.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{field}{} is {found}; accepted: {accepted}", Place(*index))]
pub struct OutOfRange {
    /// Name of the quantity, with its unit where the name alone does not tell it.
    pub field: Cow<'static, str>,
    /// Which entry of a list, from 0.
    pub index: Option<usize>,
    /// What was given.
    pub found: Found,
    /// What would do, in words.
    pub accepted: Cow<'static, str>,
}

struct Place(Option<usize>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(index) => write!(f, "[{index}]"),
            None => Ok(()),
        }
    }
}

impl OutOfRange {
    /// `found` in `field`, where `accepted` would do.
    pub fn new(
        field: impl Into<Cow<'static, str>>,
        found: impl Into<Found>,
        accepted: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            field: field.into(),
            index: None,
            found: found.into(),
            accepted: accepted.into(),
        }
    }

    /// The same of entry `index` of a list, from 0.
    #[must_use]
    pub fn at(mut self, index: usize) -> Self {
        self.index = Some(index);
        self
    }
}

/// An error of a model: what it refuses.
pub trait ModelError: std::error::Error + Send + Sync + 'static {
    /// The number outside its range that it is about.
    fn number(&self) -> Option<f64> {
        None
    }
}

impl ModelError for OutOfRange {
    fn number(&self) -> Option<f64> {
        match self.found {
            Found::Number(number) => Some(number),
            Found::Count(count) => Some(count as f64),
            Found::Text(_) => None,
        }
    }
}

/// `found` if it is finite and `holds`.
#[inline]
pub fn require(
    field: &'static str,
    found: f64,
    holds: bool,
    accepted: &'static str,
) -> Result<f64, OutOfRange> {
    if holds && found.is_finite() {
        Ok(found)
    } else {
        Err(OutOfRange::new(field, found, accepted))
    }
}

/// `found` if it is finite and in `low..=high`, which `accepted` says in words with the unit.
pub fn within(
    field: &'static str,
    found: f64,
    (low, high): (f64, f64),
    accepted: &'static str,
) -> Result<f64, OutOfRange> {
    require(field, found, found >= low && found <= high, accepted)
}

/// `found` if it is finite.
pub fn finite(field: &'static str, found: f64) -> Result<f64, OutOfRange> {
    require(field, found, true, "a finite number")
}

/// `found` if it is finite and above 0.
pub fn positive(field: &'static str, found: f64) -> Result<f64, OutOfRange> {
    require(field, found, found > 0.0, "a finite number above 0")
}

/// `found` if it is finite and not below 0.
#[inline]
pub fn non_negative(field: &'static str, found: f64) -> Result<f64, OutOfRange> {
    require(field, found, found >= 0.0, "a finite number of at least 0")
}

/// `vector` if its numbers are finite; else the error has the index of the first that is not.
pub fn finite_vector<V, const N: usize>(field: &'static str, vector: V) -> Result<V, OutOfRange>
where
    V: Copy + Into<[f64; N]>,
{
    all_finite(field, vector.into())?;
    Ok(vector)
}

/// The first number of a list that is not finite is an error, with its index.
pub fn all_finite(
    field: &'static str,
    numbers: impl IntoIterator<Item = f64>,
) -> Result<(), OutOfRange> {
    match numbers.into_iter().enumerate().find(|x| !x.1.is_finite()) {
        Some((index, found)) => Err(OutOfRange::new(field, found, "a finite number").at(index)),
        None => Ok(()),
    }
}

/// `found` if `holds`, for counts and lengths.
pub fn count(
    field: &'static str,
    found: usize,
    holds: bool,
    accepted: impl Into<Cow<'static, str>>,
) -> Result<usize, OutOfRange> {
    if holds {
        Ok(found)
    } else {
        Err(OutOfRange::new(field, found, accepted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_are_refused_by_every_check() {
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(finite("x", x).is_err());
            assert!(positive("x", x).is_err());
            assert!(non_negative("x", x).is_err());
            assert!(within("x", x, (f64::NEG_INFINITY, f64::INFINITY), "any").is_err());
            assert!(require("x", x, true, "any").is_err());
            assert!(all_finite("x", [0.0, x]).is_err());
        }
    }

    #[test]
    fn the_ends_of_a_range_belong_to_it_and_zero_is_not_positive() {
        assert_eq!(within("x", 1.0, (1.0, 2.0), "1 to 2"), Ok(1.0));
        assert_eq!(within("x", 2.0, (1.0, 2.0), "1 to 2"), Ok(2.0));
        assert!(within("x", 0.999, (1.0, 2.0), "1 to 2").is_err());
        assert!(positive("x", 0.0).is_err());
        assert_eq!(non_negative("x", -0.0), Ok(-0.0));
    }

    #[test]
    fn one_wording() {
        let words = |e: OutOfRange| e.to_string();
        assert_eq!(
            words(OutOfRange::new("mass (kg)", -1.0, "above 0")),
            "mass (kg) is -1; accepted: above 0"
        );
        assert_eq!(
            words(OutOfRange::new("number of points", 3, "4 or more")),
            "number of points is 3; accepted: 4 or more"
        );
        assert_eq!(
            words(OutOfRange::new("method", "sor".to_string(), "lemke").at(2)),
            "method[2] is 'sor'; accepted: lemke"
        );
        assert_eq!(
            words(all_finite("velocity", [0.0, f64::NAN]).unwrap_err()),
            "velocity[1] is NaN; accepted: a finite number"
        );
    }
}

//! Units of length of the EPSG registry (version 10.076), all that are no rates.

use crate::refusal::{Result, refusal};

/// Metres a unit of length, by its EPSG code.
pub(super) fn length(code: u16) -> Result<f64> {
    let mut rows = include_str!("units.csv")
        .lines()
        .skip(1)
        .filter_map(|row| row.split_once(','));
    let found = rows.find(|(known, _)| known.parse() == Ok(code));
    let metres = found.and_then(|(_, metres)| match metres.split_once('/') {
        Some((one, other)) => Some(one.parse::<f64>().ok()? / other.parse::<f64>().ok()?),
        None => metres.parse().ok(),
    });
    metres.ok_or_else(|| refusal!(Unit, "unit of length EPSG:{code} is not known"; "metres (9001), feet (9002, 9003)"))
}

//! The unit that the name of a column, or the lines above the numbers, state.

use super::super::GroundMotionError;
use super::AccelerationUnit;
use super::names::unit_below_names;
use super::text::{fields, is_comment, stated_unit};

/// Units behind the name of an acceleration.
const COLUMNS: [(&str, AccelerationUnit); 10] = [
    ("m_s2", AccelerationUnit::MetrePerSecondSquared),
    ("mps2", AccelerationUnit::MetrePerSecondSquared),
    ("ms2", AccelerationUnit::MetrePerSecondSquared),
    ("cm_s2", AccelerationUnit::CentimetrePerSecondSquared),
    ("cmps2", AccelerationUnit::CentimetrePerSecondSquared),
    ("cms2", AccelerationUnit::CentimetrePerSecondSquared),
    ("gal", AccelerationUnit::CentimetrePerSecondSquared),
    ("mm_s2", AccelerationUnit::MillimetrePerSecondSquared),
    ("mg", AccelerationUnit::Gravity(9.806_65e-3)),
    ("g", AccelerationUnit::StandardGravity),
];

/// The unit that a line of names states by the name of a column: "acceleration_m_s2", "acc_g".
pub fn of_a_column(line: &str) -> Option<AccelerationUnit> {
    fields(line, false).into_iter().find_map(|name| {
        let name = name.to_lowercase();
        let mut starts = ["acceleration_", "accel_", "acc_"].into_iter();
        let unit = starts.find_map(|start| name.strip_prefix(start))?;
        let mut known = COLUMNS.into_iter();
        known.find(|(name, _)| *name == unit).map(|(_, unit)| unit)
    })
}

/// The unit at the end of a name of an acceleration: "acceleration_x_g".
pub fn unit_at_the_end(name: &str) -> Option<AccelerationUnit> {
    ending(name).map(|(_, unit)| unit)
}

fn ending(name: &str) -> Option<(&'static str, AccelerationUnit)> {
    let name = name.trim().to_lowercase();
    let mut known = COLUMNS.into_iter();
    let ends = |unit: &str| {
        name.strip_suffix(unit)
            .is_some_and(|rest| rest.ends_with('_'))
    };
    name.starts_with("acc")
        .then(|| known.find(|(unit, _)| ends(unit)))
        .flatten()
}

/// The name of a column as the reader of two columns takes its unit from it.
pub fn with_its_unit(name: &str) -> String {
    ending(name).map_or(name.to_owned(), |(unit, _)| format!("acceleration_{unit}"))
}

/// The unit that a header states, by the name of a column of ours first.
pub fn stated(header: &[&str]) -> Result<Option<AccelerationUnit>, GroundMotionError> {
    let named = header
        .iter()
        .filter(|line| !is_comment(line))
        .find_map(|line| of_a_column(line));
    match named {
        Some(unit) => Ok(Some(unit)),
        None => {
            Ok(stated_unit(header)?
                .or_else(|| header.iter().find_map(|line| unit_below_names(line))))
        }
    }
}

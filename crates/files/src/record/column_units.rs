//! The unit that the name of a column, or the lines above the numbers, state.

use super::RecordError;
use super::names::{names_a_time, names_another_quantity, unit_below_names};
use super::text::{fields, is_comment, stated_unit};
use klast_dynamics::ground_motion::AccelerationUnit;

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

/// The unit that a line of names states by the name of a column: "acceleration_m_s2", "acc_g", and, beside a time,
/// "ax_g".
pub fn of_a_column(line: &str) -> Option<AccelerationUnit> {
    let names = fields(line, false);
    let timed = names.len() > 1 && names_a_time(names[0]);
    names.into_iter().enumerate().find_map(|(k, name)| {
        let lower = name.to_lowercase();
        let mut starts = ["acceleration_", "accel_", "acc_"].into_iter();
        let unit = starts.find_map(|start| lower.strip_prefix(start));
        let known = |unit: &str| COLUMNS.into_iter().find(|(name, _)| *name == unit);
        match unit.and_then(known) {
            Some((_, unit)) => Some(unit),
            None if timed && k > 0 => unit_at_the_end(name),
            None => None,
        }
    })
}

/// The unit at the end of a name of an acceleration: "acceleration_x_g", "ax_g", "ch1_gal".
pub fn unit_at_the_end(name: &str) -> Option<AccelerationUnit> {
    ending(name).map(|(_, unit)| unit)
}

fn ending(name: &str) -> Option<(&'static str, AccelerationUnit)> {
    let lower = name.trim().to_lowercase();
    let mut known = COLUMNS.into_iter();
    let parted = |unit: &str| {
        lower
            .strip_suffix(unit)?
            .strip_suffix('_')
            .map(str::to_owned)
    };
    let (unit, of, own) = known.find_map(|(unit, of)| Some((unit, of, parted(unit)?)))?;
    // Grams and gallons are written as g, mg and gal are.
    let doubtful = ["g", "mg", "gal"].contains(&unit);
    let good = lower.starts_with("acc")
        || !names_another_quantity(name) && (!doubtful || names_a_component(&own));
    good.then_some((unit, of))
}

/// Whether a name (small letters) is that of an axis, a component or a channel: "ax", "a_x", "ns", "hne", "ch1".
pub fn names_a_component(name: &str) -> bool {
    const NAMES: [&str; 30] = [
        "a", "x", "y", "z", "n", "e", "s", "w", "u", "v", "h", "l", "t", "r", "ns", "ew", "ud",
        "sn", "we", "du", "h1", "h2", "eo", "up", "lon", "long", "tran", "trans", "vert", "ver",
    ];
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_name = |name: &str| NAMES.contains(&name);
    let axis = plain.strip_prefix(['a', 'g']);
    let axis = axis.is_some_and(|axis| ["x", "y", "z"].contains(&axis) || is_name(axis));
    let channel = ["channel", "chan", "ch", "a"].into_iter().any(|begin| {
        let number = plain.strip_prefix(begin);
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    });
    // Band, accelerometer, orientation, as SEED names channels.
    let seed = matches!(
        plain.as_bytes(),
        [
            b'h' | b'b' | b'e' | b'c',
            b'n' | b'l' | b'g',
            b'n' | b'e' | b'z' | b'1' | b'2' | b'3'
        ]
    );
    is_name(&plain) || axis || channel || seed
}

/// The name of a column as the reader of two columns takes its unit from it.
pub fn with_its_unit(name: &str) -> String {
    ending(name).map_or(name.to_owned(), |(unit, _)| format!("acceleration_{unit}"))
}

/// The unit that a header states, by the name of a column of ours first.
pub fn stated(header: &[&str]) -> Result<Option<AccelerationUnit>, RecordError> {
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

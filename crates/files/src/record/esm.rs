//! ESM and ITACA ASCII: a header of "KEY: value" lines (DYNA 1.x), then one value a line.

use super::channel::{Channel, ReadOptions, uncorrected};
use super::text::{agree, fault, miscount, number};
use super::unit;
use crate::refusal::{Kind, Result};

/// The header has 64 lines; others of the family have fewer.
const MOST_HEADER_LINES: usize = 100;

pub fn is_one(text: &str) -> bool {
    let has = |key: &str| {
        text.lines()
            .take(MOST_HEADER_LINES)
            .any(|line| line.starts_with(key))
    };
    has("SAMPLING_INTERVAL_S:") && has("NDATA:")
}

pub fn read(text: &str, options: &ReadOptions) -> Result<Vec<Channel>> {
    let lines: Vec<&str> = text.lines().collect();
    let end = lines
        .iter()
        .position(|line| !is_header(line))
        .unwrap_or(lines.len());
    let field = |key: &str| {
        let at = lines[..end].iter().position(|line| {
            line.split_once(':')
                .is_some_and(|(name, _)| name.trim() == key)
        })?;
        Some((
            at + 1,
            lines[at]
                .split_once(':')
                .map_or("", |(_, value)| value.trim()),
        ))
    };
    let missing = |key: &'static str| {
        fault(
            Kind::Syntax,
            end,
            key,
            lines.get(end.saturating_sub(1)).copied().unwrap_or(""),
        )
    };
    let stated = field("DATA_TYPE");
    let quantity = stated.map_or(String::new(), |(_, said)| said.to_uppercase());
    let (state, of) = quantity.rsplit_once(' ').unwrap_or(("", &quantity));
    // ITACA's first headers tell the state of the data here.
    let known = ["", "UNPROCESSED", "PROCESSED", "UNCORRECTED", "CORRECTED"];
    if let Some((line, quantity)) = stated
        && !(of == "ACCELERATION" && known.contains(&state.trim()))
    {
        return Err(fault(
            Kind::Syntax,
            line,
            "DATA_TYPE: ACCELERATION, a series of accelerations",
            quantity,
        ));
    }
    let (line, stated) = field("UNITS").ok_or_else(|| missing("a line UNITS: in the header"))?;
    let unit = unit::named(&stated.to_uppercase());
    let unit = unit.ok_or_else(|| {
        fault(
            Kind::Syntax,
            line,
            "UNITS: cm/s^2, m/s^2, mm/s^2 or g",
            stated,
        )
    })?;
    let unit = agree(options.unit, unit, line)?;
    let needed = "SAMPLING_INTERVAL_S: a number above 0";
    let (line, step) = field("SAMPLING_INTERVAL_S").ok_or_else(|| missing(needed))?;
    let step = number(step)
        .filter(|step| *step > 0.0)
        .ok_or_else(|| fault(Kind::Syntax, line, needed, step))?;
    let needed = "NDATA: a whole number";
    let (line, count) = field("NDATA").ok_or_else(|| missing(needed))?;
    let announced: usize = count
        .parse()
        .map_err(|_| fault(Kind::Syntax, line, needed, count))?;
    let mut samples = Vec::new();
    for (k, line) in lines.iter().enumerate().skip(end) {
        for word in line.split_whitespace() {
            let value = number(word)
                .ok_or_else(|| fault(Kind::Syntax, k + 1, "one finite number", word))?;
            samples.push(value * unit.factor());
        }
    }
    if samples.len() != announced {
        return Err(miscount(announced, samples.len()));
    }
    let name = field("STREAM")
        .or_else(|| field("COMPONENT"))
        .map_or("", |(_, name)| name);
    let mut channel = Channel::new(name, step, samples);
    if state.starts_with("UN") {
        channel.remarks.push(uncorrected());
    }
    // The key carries its unit.
    let peak = field("PGA_CM/S^2").and_then(|(_, peak)| number(peak));
    channel.stated_peak = peak.map(|peak| 0.01 * peak);
    if field("BASELINE_CORRECTION")
        .is_some_and(|(_, said)| said.to_uppercase().contains("NOT REMOVED"))
    {
        channel
            .remarks
            .push("the header says that the baseline is not removed".to_owned());
    }
    Ok(vec![channel])
}

/// "KEY: value", where the key is of capitals, digits and signs.
fn is_header(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, _)| {
        let good = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "_/^ ".contains(c);
        key.contains(|c: char| c.is_ascii_uppercase()) && key.chars().all(good)
    })
}

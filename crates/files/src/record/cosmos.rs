//! COSMOS strong-motion format (version 1.20, 2001), V1 and V2: per channel text, integer and real headers, comments,
//! then blocks below a line as "42000 acceleration pts, approx 210 secs, units=cm/sec2(04),Format=(1E15.6)".
//!
//! Real header 62 is the step of the values (ms), 34 that of the recorder (s). Unit codes: 2 g, 4 cm/s², 7 in/s², 10
//! gal, 11 mg; others are no accelerations.

use super::channel::{Channel, ReadOptions, uncorrected};
use super::text::{Block, agree, fault, fortran_format, lacks};
use crate::refusal::{Kind, Result};
use klast_ground_motion::AccelerationUnit;

pub fn is_one(text: &str) -> bool {
    text.lines()
        .next()
        .is_some_and(|line| line.to_lowercase().contains("(format v"))
}

/// Numbers that mean "unknown" in a header.
const UNKNOWN: f64 = -999.0;

pub fn read(text: &str, options: &ReadOptions) -> Result<Vec<Channel>> {
    let lines: Vec<&str> = text.lines().collect();
    // "Uncorrected acceleration    (Format v01.20 with 13 text lines)"
    let is_uncorrected = lines
        .first()
        .is_some_and(|line| line.to_uppercase().starts_with("UNCORRECTED"));
    let mut channels = Vec::new();
    let (mut name, mut reals): (String, Vec<f64>) = (String::new(), Vec::new());
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let upper = line.to_uppercase();
        let count = line
            .split_whitespace()
            .next()
            .and_then(|word| word.parse::<usize>().ok());
        if let Some(count) = count.filter(|_| upper.contains("HEADER VALUES")) {
            let format = fortran_format(&upper).unwrap_or((5, 15));
            let (values, next) = Block::of(format, count).read(&lines, at + 1)?;
            if upper.contains("REAL") {
                reals = values;
            }
            at = next;
        } else if let Some(count) = count.filter(|_| upper.contains("COMMENT LINE")) {
            at = (at + 1).saturating_add(count);
        } else if let Some(count) =
            count.filter(|_| upper.contains("PTS") && upper.contains("UNITS"))
        {
            let format = fortran_format(&upper).unwrap_or((8, 10));
            let (values, next) = Block::of(format, count).read(&lines, at + 1)?;
            if is_acceleration(&upper) {
                let factor = unit(&upper, options, at + 1, line)?;
                let step = step(&reals, count).ok_or_else(|| {
                    fault(
                        Kind::Step,
                        at + 1,
                        "the step in real header 62 (ms) or 34 (s), and as many values as the \
                        length in 63 holds",
                        line,
                    )
                })?;
                if name.is_empty() {
                    name = format!("channel {}", channels.len() + 1);
                }
                let samples = values.iter().map(|value| value * factor).collect();
                let mut channel = Channel::new(&name, step, samples);
                channel.stated_peak = header(&reals, 64).map(|peak| peak * factor);
                if is_uncorrected {
                    channel.remarks.push(uncorrected());
                }
                channels.push(channel);
                name.clear();
            }
            at = next;
        } else {
            name = channel_name(line).unwrap_or(name);
            at += 1;
        }
    }
    if channels.is_empty() {
        return Err(lacks(
            &lines,
            "a block of accelerations (\"acceleration pts\")",
        ));
    }
    Ok(channels)
}

/// Whether a block is one of accelerations; a file may also hold velocities and displacements.
fn is_acceleration(upper: &str) -> bool {
    upper.contains("ACCEL") || !(upper.contains("VEL") || upper.contains("DISP"))
}

/// Factor to m/s² of the unit of a block.
fn unit(upper: &str, options: &ReadOptions, number: usize, line: &str) -> Result<f64> {
    let code = upper.split_once("UNITS").and_then(|(_, rest)| {
        let (_, rest) = rest.split_once('(')?;
        let (code, _) = rest.split_once(')')?;
        code.trim().parse::<u32>().ok()
    });
    let known = match code {
        Some(2) => AccelerationUnit::StandardGravity,
        Some(4 | 10) => AccelerationUnit::CentimetrePerSecondSquared,
        Some(7) => return Ok(0.0254),
        Some(11) => return Ok(1e-3 * AccelerationUnit::StandardGravity.factor()),
        Some(50) => {
            let raw = "raw counts of an instrument (COSMOS V0)";
            return Err(super::refused::not_a_record(raw));
        }
        _ => {
            let needed =
                "a unit of acceleration: g (02), cm/sec2 (04), in/sec2 (07), gal (10) or mg (11)";
            return Err(fault(Kind::Unit, number, needed, line));
        }
    };
    Ok(agree(options.unit, known, number)?.factor())
}

/// Real header `index`, counted from 1, where it is known.
fn header(reals: &[f64], index: usize) -> Option<f64> {
    reals
        .get(index - 1)
        .copied()
        .filter(|value| *value != UNKNOWN)
}

/// The step (s). The length of the series in 63 must hold the values, or the step is that of something else.
fn step(reals: &[f64], count: usize) -> Option<f64> {
    let milliseconds = header(reals, 62)
        .filter(|step| *step > 0.0)
        .map(|step| 1e-3 * step);
    let step = milliseconds.or_else(|| header(reals, 34).filter(|step| *step > 0.0))?;
    let length = header(reals, 63).filter(|length| *length > 0.0);
    // Lengths are printed to the second at worst.
    let fits = length.is_none_or(|length| (step * count as f64 - length).abs() <= 1.0 + 2.0 * step);
    fits.then_some(step)
}

/// "Sta Chan   1: 90 Deg (Rcrdr Chan  1) Location:Ground" gives "90 Deg".
fn channel_name(line: &str) -> Option<String> {
    let (_, name) = line
        .trim_start()
        .strip_prefix("Sta Chan")?
        .split_once(':')?;
    let name = name.split('(').next()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

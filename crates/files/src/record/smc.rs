//! SMC of the USGS (version 1 and 2): 11 lines of text, 48 integers (8I10), 50 reals (5E15.7), comments that start with
//! |, then values in cm/s², eight a line of ten characters each, which touch where a sign fills the field
//! ("1.5057E+0-2.2223E+0").
//!
//! Integer 16 is the number of comments, 17 that of values; real 1 means "unknown", also among the values, 2 is the
//! sampling rate (1/s), 30 and 32 the largest and the smallest value.

use super::RecordError;
use super::channel::{Channel, ReadOptions};
use super::text::{Block, agree, fault};
use klast_dynamics::ground_motion::AccelerationUnit;

const TEXT_LINES: usize = 11;
const INTEGERS: usize = 48;
const REALS: usize = 50;

pub fn is_one(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().take(TEXT_LINES + 6).collect();
    lines.len() == TEXT_LINES + 6
        && kind(lines[0]).is_some()
        && lines[TEXT_LINES..].iter().all(|line| {
            line.split_whitespace()
                .all(|word| word.parse::<i64>().is_ok())
                && !line.trim().is_empty()
        })
}

/// What a file holds, by its first line.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Unknown,
    Acceleration,
    Velocity,
    Displacement,
    Spectra,
}

fn kind(line: &str) -> Option<Kind> {
    let upper = line.trim().to_uppercase();
    Some(match upper.as_str() {
        "1 UNCORRECTED ACCELEROGRAM" | "2 CORRECTED ACCELEROGRAM" => Kind::Acceleration,
        "3 VELOCITY" => Kind::Velocity,
        "4 DISPLACEMENT" => Kind::Displacement,
        other if other.starts_with("5 RESPONSE SPECTRA") || other.starts_with("6 FOURIER") => {
            Kind::Spectra
        }
        "0 UNKNOWN" => Kind::Unknown,
        other if other.starts_with('*') => Kind::Unknown,
        _ => return None,
    })
}

pub fn read(text: &str, options: &ReadOptions) -> Result<Vec<Channel>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let seems = match lines.first().and_then(|line| kind(line)) {
        Some(Kind::Velocity) => Some("velocities (SMC)"),
        Some(Kind::Displacement) => Some("displacements (SMC)"),
        Some(Kind::Spectra) => Some("response or Fourier spectra (SMC)"),
        Some(Kind::Acceleration) => None,
        Some(Kind::Unknown) | None => {
            Some("an SMC file whose first line does not say what its values are")
        }
    };
    if let Some(seems) = seems {
        return Err(RecordError::NotARecord { seems });
    }
    let unit = agree(
        options.unit,
        AccelerationUnit::CentimetrePerSecondSquared,
        1,
    )?;
    let (integers, next) = Block {
        per_line: 8,
        width: 10,
        count: INTEGERS,
    }
    .read(&lines, TEXT_LINES)?;
    let (reals, next) = Block {
        per_line: 5,
        width: 15,
        count: REALS,
    }
    .read(&lines, next)?;
    let whole = |index: usize, needed: &'static str| {
        let value = integers[index - 1];
        let good = (0.0..1e8).contains(&value);
        good.then_some(value as usize)
            .ok_or_else(|| fault(TEXT_LINES + index.div_ceil(8), needed, &value.to_string()))
    };
    let comments = whole(16, "the number of comments in integer header 16")?;
    let count = whole(17, "the number of values in integer header 17")?;
    let (unknown, rate) = (reals[0], reals[1]);
    if rate == unknown || !(rate > 0.0 && rate < 1e5) {
        let needed = "the sampling rate in real header 2 (samples at uneven times are not read)";
        return Err(fault(TEXT_LINES + 7, needed, &rate.to_string()));
    }
    let first = next.saturating_add(comments);
    let (values, _) = Block {
        per_line: 8,
        width: 10,
        count,
    }
    .read(&lines, first)?;
    // Samples have fewer digits than the header.
    let missing = |value: f64| unknown != 0.0 && (value - unknown).abs() <= 1e-3 * unknown.abs();
    if let Some(k) = values.iter().position(|value| missing(*value)) {
        let needed =
            "samples without gaps: the value that real header 1 gives to what is unknown is none";
        let found = format!("sample {}: {:e}", k + 1, values[k]);
        return Err(fault(first + k / 8 + 1, needed, &found));
    }
    let name = lines[..TEXT_LINES]
        .iter()
        .find_map(|line| line.split_once("component="));
    let samples = values.iter().map(|value| value * unit.factor()).collect();
    let mut channel = Channel::new(name.map_or("", |(_, name)| name), 1.0 / rate, samples);
    let extremes = [reals[29], reals[31]]
        .into_iter()
        .filter(|value| *value != unknown);
    let peak = extremes.fold(0.0f64, |m, value| m.max(value.abs()));
    channel.stated_peak = (peak > 0.0).then_some(peak * unit.factor());
    if kind(lines[0]) == Some(Kind::Acceleration) && lines[0].trim_start().starts_with('1') {
        channel
            .remarks
            .push("an uncorrected accelerogram: its baseline is as recorded".to_owned());
    }
    Ok(vec![channel])
}

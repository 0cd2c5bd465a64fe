//! GeoNet V1A (uncorrected) and V2A (corrected): for each of three components 16 lines of text, 40 integers (10I8), 60
//! reals (10F8.0), accelerations in mm/s², ten a line of eight characters each, then velocities and displacements,
//! which are passed over (Cousins 2008, "GNS accelerogram data files").
//!
//! Integers 34 to 36 count the accelerations, velocities and displacements; real 26 is the step (s).

use super::channel::{Channel, ReadOptions, uncorrected};
use super::text::{Block, agree, fault, number, words};
use crate::refusal::{Kind, Result};
use klast_ground_motion::AccelerationUnit;

const TEXT_LINES: usize = 16;

pub fn is_one(text: &str) -> bool {
    let mut lines = text.lines().map(str::to_lowercase);
    let first = lines.next().unwrap_or_default();
    (first.starts_with("corrected accelerogram") || first.starts_with("uncorrected accelerogram"))
        && lines
            .take(TEXT_LINES)
            .any(|line| line.starts_with("number of points"))
}

pub fn read(text: &str, options: &ReadOptions) -> Result<Vec<Channel>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut channels = Vec::new();
    let mut at = 0;
    while lines
        .get(at..)
        .is_some_and(|rest| rest.iter().any(|line| !line.trim().is_empty()))
    {
        let (channel, next) = component(&lines, at, options)?;
        channels.push(channel);
        at = next;
    }
    Ok(channels)
}

/// One component from line `at`, and the line after it.
fn component(lines: &[&str], at: usize, options: &ReadOptions) -> Result<(Channel, usize)> {
    let first = lines.get(at).copied().unwrap_or("");
    if !first.to_lowercase().contains("corrected accelerogram") || lines.len() < at + TEXT_LINES {
        let needed =
            "the sixteen lines of a GeoNet component, the first as \"Corrected accelerogram ...\"";
        return Err(fault(Kind::Syntax, at + 1, needed, first));
    }
    let heading = &lines[at..at + TEXT_LINES];
    let unit = AccelerationUnit::MillimetrePerSecondSquared;
    let unit = agree(options.unit, unit, at + 1)?;
    let counts = |count| Block::of((10, 8), count);
    let (integers, next) = counts(40).read(lines, at + TEXT_LINES)?;
    let (reals, next) = counts(60).read(lines, next)?;
    let whole = |index: usize| {
        let value = integers[index - 1];
        let good = (0.0..1e8).contains(&value);
        let needed = "the number of samples in integer headers 34 to 36";
        good.then_some(value as usize)
            .ok_or_else(|| fault(Kind::Value, at + TEXT_LINES + 4, needed, &value.to_string()))
    };
    let step = reals[25];
    if !(step > 0.0 && step < 10.0) {
        let (line, needed) = (at + TEXT_LINES + 7, "the step (s) in real header 26");
        return Err(fault(Kind::Step, line, needed, &step.to_string()));
    }
    let (values, next) = counts(whole(34)?).read(lines, next)?;
    let (_, next) = counts(whole(35)?).read(lines, next)?;
    let (_, next) = counts(whole(36)?).read(lines, next)?;
    let scale = reading_scale(heading).map_err(|k| {
        let needed = "raw readings in units of mm/s/s";
        fault(Kind::Unit, at + k + 1, needed, heading[k])
    })?;
    let samples = values
        .iter()
        .map(|value| value * scale * unit.factor())
        .collect();
    let name = heading
        .iter()
        .find_map(|line| line.strip_prefix("Component"));
    let name = name
        .and_then(|name| name.split_whitespace().next())
        .unwrap_or("");
    let mut channel = Channel::new(name, step, samples);
    channel.stated_peak = peak(heading).map(|peak| peak * unit.factor());
    if first.to_lowercase().starts_with("uncorrected") {
        channel.remarks.push(uncorrected());
    }
    Ok((channel, next))
}

/// The factor of "Raw readings in units of 1.00 mm/s/s at intervals of 0.005 s"; a line that is another unit is the
/// error.
fn reading_scale(heading: &[&str]) -> Result<f64, usize> {
    let Some(k) = heading
        .iter()
        .position(|line| line.starts_with("Raw readings in units of"))
    else {
        return Ok(1.0);
    };
    let words = words(heading[k]);
    let of = words.iter().position(|word| word == "OF").unwrap_or(0);
    let unit = words.get(of + 2).is_some_and(|unit| unit == "MM/S/S");
    let factor = words
        .get(of + 1)
        .and_then(|word| number(word))
        .filter(|factor| *factor > 0.0);
    factor.filter(|_| unit).ok_or(k)
}

/// The peak (mm/s²) of "Acceleration:  Peak    399.7 mm/s/s at 115.37 s".
fn peak(heading: &[&str]) -> Option<f64> {
    let line = heading
        .iter()
        .find(|line| line.starts_with("Acceleration"))?;
    let words = words(line);
    let at = words.iter().position(|word| word == "PEAK")?;
    number(words.get(at + 1)?)
}

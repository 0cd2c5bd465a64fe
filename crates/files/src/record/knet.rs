//! K-NET and KiK-net ASCII (NIED): 17 lines of header, then counts, eight a line.
//!
//! An acceleration (gal) is the count times the scale factor "a(gal)/b" less the mean of the record: the counts carry
//! the offset of the instrument, and the header's largest acceleration is meant without it (NIED, "About K-NET ASCII
//! format").

use super::channel::{Channel, ReadOptions};
use super::text::{agree, fault, number};
use crate::refusal::{Kind, Refusal, Result};
use klast_dynamics::ground_motion::AccelerationUnit;

const HEADER_LINES: usize = 17;

pub fn is_one(text: &str) -> bool {
    let mut lines = text.lines();
    lines
        .next()
        .is_some_and(|line| line.starts_with("Origin Time"))
        && lines
            .take(HEADER_LINES)
            .any(|line| line.starts_with("Scale Factor"))
}

pub fn read(text: &str, options: &ReadOptions) -> Result<Vec<Channel>> {
    agree(
        options.unit,
        AccelerationUnit::CentimetrePerSecondSquared,
        14,
    )?;
    let lines: Vec<&str> = text.lines().collect();
    let field = |key: &'static str, needed: &'static str| {
        let at = lines
            .iter()
            .take(HEADER_LINES)
            .position(|line| line.starts_with(key));
        let at = at.ok_or_else(|| {
            fault(
                Kind::Syntax,
                1,
                needed,
                lines.first().copied().unwrap_or(""),
            )
        })?;
        // Keys fill 18 characters; "Max. Acc. (gal)" and its like have none of the value's characters behind that.
        Ok::<_, Refusal>((at + 1, lines[at].get(18..).unwrap_or("").trim()))
    };
    let (line, frequency) = field(
        "Sampling Freq",
        "a line \"Sampling Freq(Hz)\" in a K-NET header",
    )?;
    let rate = number(frequency.trim_end_matches("Hz").trim())
        .filter(|rate| *rate > 0.0)
        .ok_or_else(|| {
            fault(
                Kind::Syntax,
                line,
                "a sampling frequency above 0, as 100Hz",
                frequency,
            )
        })?;
    let (line, scale) = field("Scale Factor", "a line \"Scale Factor\" in a K-NET header")?;
    let factor = scale_factor(scale).ok_or_else(|| {
        fault(
            Kind::Syntax,
            line,
            "a scale factor as 3920(gal)/6182761",
            scale,
        )
    })?;
    let (_, direction) = field("Dir.", "a line \"Dir.\" in a K-NET header").unwrap_or((0, ""));
    let start = lines
        .iter()
        .take(HEADER_LINES + 1)
        .position(|line| line.starts_with("Memo"));
    let start = start.ok_or_else(|| {
        fault(
            Kind::Syntax,
            HEADER_LINES,
            "a line \"Memo.\" at the end of a K-NET header",
            "",
        )
    })? + 1;
    let mut counts = Vec::new();
    for (k, line) in lines.iter().enumerate().skip(start) {
        for word in line.split_whitespace() {
            let count = number(word).filter(|count| count.fract() == 0.0);
            counts.push(count.ok_or_else(|| {
                fault(
                    Kind::Syntax,
                    k + 1,
                    "whole numbers (counts) between blanks",
                    word,
                )
            })?);
        }
    }
    let mean = counts.iter().sum::<f64>() / counts.len().max(1) as f64;
    let samples: Vec<f64> = counts
        .iter()
        .map(|count| (count - mean) * factor * 0.01)
        .collect();
    let mut channel = Channel::new(component(direction), 1.0 / rate, samples);
    channel.remarks.push(format!(
        "the mean of the record ({:.4} m/s²), the offset of the instrument, is taken off, as the format asks; the record is otherwise as recorded",
        mean * factor * 0.01
    ));
    let announced = field("Duration Time", "")
        .ok()
        .and_then(|(_, duration)| number(duration));
    if let Some(duration) = announced
        && (duration * rate - counts.len() as f64).abs() > rate
    {
        let found = counts.len() as f64 / rate;
        channel.remarks.push(format!(
            "the header announces {duration} s, the values last {found} s"
        ));
    }
    channel.stated_peak = field("Max", "")
        .ok()
        .and_then(|(_, peak)| number(peak))
        .map(|gal| 0.01 * gal);
    Ok(vec![channel])
}

/// gal a count, from "a(gal)/b".
fn scale_factor(text: &str) -> Option<f64> {
    let (gal, counts) = text.split_once('/')?;
    let gal = number(gal.trim().strip_suffix("(gal)")?.trim())?;
    let factor = gal / number(counts.trim())?;
    (factor.is_finite() && factor > 0.0).then_some(factor)
}

/// The direction; KiK-net numbers its six channels, of which the first three are underground.
fn component(direction: &str) -> &str {
    match direction {
        "1" => "N-S underground",
        "2" => "E-W underground",
        "3" => "U-D underground",
        "4" => "N-S",
        "5" => "E-W",
        "6" => "U-D",
        other => other,
    }
}

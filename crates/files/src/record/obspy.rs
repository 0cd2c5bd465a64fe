//! Texts that ObsPy and the services of FDSN write of waveforms: a line
//! `TIMESERIES NET_STA_LOC_CHA_Q, N samples, R sps, START, SLIST, TYPE, UNIT`, then N values in lines of up to six
//! (SLIST), or a date and a value a line (TSPAIR).

use super::channel::{Channel, ReadOptions};
use super::text::{agree, fault, miscount, number};
use super::unit;
use crate::refusal::{Kind, Result};

const BEGINS: &str = "TIMESERIES ";

pub fn is_one(text: &str) -> bool {
    text.trim_start().starts_with(BEGINS)
}

pub fn read(text: &str, options: &ReadOptions) -> Result<Vec<Channel>> {
    let lines: Vec<&str> = text.lines().collect();
    let heads: Vec<usize> = (0..lines.len())
        .filter(|k| lines[*k].starts_with(BEGINS))
        .collect();
    let ends = heads.iter().skip(1).copied().chain([lines.len()]);
    let series = heads.iter().zip(ends);
    series
        .map(|(&from, to)| one(&lines[..to], from, options))
        .collect()
}

/// The series whose head is line `from` (from 0) and that ends with the lines.
fn one(lines: &[&str], from: usize, options: &ReadOptions) -> Result<Channel> {
    let head = lines[from];
    let needed = "TIMESERIES NAME, N samples, R sps, START, SLIST or TSPAIR, TYPE, UNIT with a unit of acceleration \
        (M/S**2, CM/S**2, G), or without one a unit beside the file: counts, velocities and displacements are no \
        accelerations (ObsPy's remove_response with \
        output=\"ACC\")";
    let parts: Vec<&str> = head[BEGINS.len()..].split(',').map(str::trim).collect();
    // The layout, the type and the unit stand last.
    let last = parts[parts.len().saturating_sub(3)..].join(", ");
    let refused = || fault(Kind::Unit, from + 1, needed, &last);
    let [name, count, rate, _, layout, kind, unit, ..] = parts[..] else {
        return Err(refused());
    };
    let first = |part: &str| part.split_whitespace().next().and_then(number);
    let (Some(count), Some(rate)) = (first(count), first(rate).filter(|rate| *rate > 0.0)) else {
        return Err(refused());
    };
    let pairs = match layout {
        "SLIST" => false,
        "TSPAIR" => true,
        _ => return Err(refused()),
    };
    let factor = match (options.unit, unit) {
        // ObsPy writes no unit; whole numbers are counts.
        (Some(given), "") if kind != "INTEGER" => given.factor(),
        _ => {
            let unit = unit::named(&unit.to_uppercase()).ok_or_else(refused)?;
            agree(options.unit, unit, from + 1)?.factor()
        }
    };
    let mut samples = Vec::new();
    for (k, line) in lines.iter().enumerate().skip(from + 1) {
        let mut words = line.split_whitespace();
        if pairs {
            words.next();
        }
        for word in words {
            let needed = "finite numbers, behind a date where the head says TSPAIR";
            samples.push(
                factor * number(word).ok_or_else(|| fault(Kind::Value, k + 1, needed, line))?,
            );
        }
    }
    if count != samples.len() as f64 {
        return Err(miscount(count as usize, samples.len()));
    }
    // NET_STA_LOC_CHA_QUALITY: the channel tells components of a station apart.
    let channel = name.rsplit('_').nth(1).filter(|c| !c.is_empty());
    Ok(Channel::new(channel.unwrap_or(name), 1.0 / rate, samples))
}

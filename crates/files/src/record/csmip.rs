//! CSMIP and CESMD Volumes 1 and 2: per channel a header of fixed length, then blocks of acceleration, velocity and
//! displacement, each below a line as "12000 points of accel data equally spaced at .005 sec, in cm/sec2. (8f10.6)"
//! (Shakal and Huang 1985, OSMS 85-03), or, uncorrected, "35430 Accelerogram points at 100 pts/sec in units of g.
//! Format: (8f9.6)". Only the accelerations are read.

use super::channel::{self, Channel, ReadOptions};
use super::text::{Block, agree, fault, fortran_format, lacks, number, words};
use super::unit;
use crate::refusal::{Kind, Result};
use klast_ground_motion::AccelerationUnit;

/// Lines within which the first block begins: 45 of header.
const HEADER_LINES: usize = 90;

pub fn is_one(text: &str) -> bool {
    text.lines()
        .take(HEADER_LINES)
        .any(|line| block(line).is_some())
}

/// Whether a text has blocks of uncorrected accelerograms at equal steps. Older ones are told by their title alone.
pub fn is_uncorrected(text: &str) -> bool {
    let head = || text.lines().take(HEADER_LINES);
    let mut titles = head().filter(|line| !line.trim().is_empty());
    let mut titled = || titles.next().is_some_and(is_title_of_uncorrected);
    head().any(|line| uncorrected(line).is_some()) || (is_one(text) && titled())
}

fn is_title_of_uncorrected(line: &str) -> bool {
    line.trim_start()
        .to_uppercase()
        .starts_with("UNCORRECTED ACCELEROGRAM")
}

/// What a line that begins a block says.
struct Heading {
    count: usize,
    step: Option<f64>,
    unit: Option<AccelerationUnit>,
    is_acceleration: bool,
    format: Option<(usize, usize)>,
}

fn block(line: &str) -> Option<Heading> {
    let upper = line.to_uppercase();
    let rest = upper.trim_start();
    let (count, rest) = rest.split_once(' ')?;
    let count: usize = count.parse().ok()?;
    let rest = rest.trim_start().strip_prefix("POINTS OF ")?;
    let (quantity, rest) = rest.split_once(" DATA EQUALLY SPACED AT")?;
    let words = words(rest);
    let unit = words.windows(2).find_map(|pair| {
        let begins = pair[0] == "IN" || pair[0] == "UNITS";
        begins
            .then(|| unit::named(pair[1].trim_end_matches('.')))
            .flatten()
    });
    Some(Heading {
        count,
        step: words
            .first()
            .and_then(|word| number(word))
            .filter(|step| *step > 0.0),
        unit,
        is_acceleration: quantity.trim().starts_with("ACC"),
        format: fortran_format(rest),
    })
}

/// "35430 Accelerogram points at 100 pts/sec in units of g.       Format: (8f9.6)"
fn uncorrected(line: &str) -> Option<Heading> {
    let upper = line.to_uppercase();
    let (count, rest) = upper.trim_start().split_once(' ')?;
    let count: usize = count.parse().ok()?;
    let rest = rest.trim_start().strip_prefix("ACCELEROGRAM POINTS AT")?;
    let (rate, rest) = rest.split_once("PTS/SEC")?;
    let rate = number(rate.trim()).filter(|rate| *rate > 0.0);
    let unit = words(rest)
        .windows(2)
        .find_map(|pair| (pair[0] == "OF").then(|| unit::named(pair[1].trim_end_matches('.'))))
        .flatten();
    Some(Heading {
        count,
        step: rate.map(|rate| 1.0 / rate),
        unit,
        is_acceleration: true,
        format: fortran_format(rest),
    })
}

pub fn read(text: &str, options: &ReadOptions) -> Result<Vec<Channel>> {
    let lines: Vec<&str> = text.lines().collect();
    let is_raw = is_uncorrected(text);
    let (mut name, mut peak, mut unit_of_peak) = (String::new(), None, None);
    let mut channels: Vec<Channel> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let Some(heading) = uncorrected(line).or_else(|| block(line)) else {
            if let Some(found) = channel_name(line) {
                name = found;
            }
            if let Some((value, unit)) = stated_peak(line) {
                (peak, unit_of_peak) = (Some(value), Some(unit));
            }
            at += 1;
            continue;
        };
        let step = heading.step.ok_or_else(|| {
            let needed = "a step above 0 s after \"equally spaced at\"";
            fault(Kind::Step, at + 1, needed, line)
        })?;
        let reading = Block::of(heading.format.unwrap_or((8, 10)), heading.count);
        let (values, next) = reading.read(&lines, at + 1)?;
        if heading.is_acceleration {
            let needed = "the unit of the accelerations, as \"in cm/sec2\"";
            let unit = heading
                .unit
                .or(unit_of_peak)
                .ok_or_else(|| fault(Kind::Unit, at + 1, needed, line))?;
            let unit = agree(options.unit, unit, at + 1)?;
            let samples = values.iter().map(|value| value * unit.factor()).collect();
            if name.is_empty() {
                name = format!("channel {}", channels.len() + 1);
            }
            let mut channel = Channel::new(&name, step, samples);
            channel.stated_peak = peak;
            if is_raw {
                channel.remarks.push(channel::uncorrected());
            }
            channels.push(channel);
            name.clear();
            (peak, unit_of_peak) = (None, None);
        }
        at = next;
    }
    if channels.is_empty() {
        let needed = "a block of accelerations (\"points of accel data equally spaced at\")";
        return Err(lacks(&lines, needed));
    }
    Ok(channels)
}

/// "Chan  1: 360 Deg" gives "360 Deg"; older files have capitals.
fn channel_name(line: &str) -> Option<String> {
    let at = line.to_ascii_uppercase().find("CHAN ")?;
    let (_, name) = line.get(at..)?.split_once(':')?;
    let name = name.trim();
    let end = name.find("  ").unwrap_or(name.len());
    let name = name.get(..end)?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The peak (m/s²) and its unit from "Peak acceleration =    77.280    cm/sec/sec  at   30.585   sec."
fn stated_peak(line: &str) -> Option<(f64, AccelerationUnit)> {
    let line = line.trim_start().to_ascii_uppercase();
    // "Units of uncor data are sec and g.         Max  =   .344 g, at  234.360 sec.",
    // "UNITS OF UNCOR ACCEL IS G.  MAX ="
    let raw = || line.strip_prefix("UNITS OF UNCOR")?.split_once("MAX");
    let said = line
        .strip_prefix("PEAK ACCELERATION")
        .or_else(|| raw().map(|(_, said)| said))?;
    let words = words(said);
    let unit = unit::named(words.get(1)?)?;
    Some((number(words.first()?)? * unit.factor(), unit))
}

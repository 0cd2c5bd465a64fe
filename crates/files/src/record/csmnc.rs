//! Files of China's strong-motion network (CSMNC): a header of one component with "UNIT: CM/SEC/SEC" and "NO. OF
//! POINTS: 12800 EQUALLY SPACED INTERVALS OF: 0.005 SEC", then the values.

use super::RecordError;
use super::channel::{Channel, ReadOptions, uncorrected};
use super::text::{agree, fault, number, words};
use super::unit;
use klast_dynamics::ground_motion::AccelerationUnit;

/// Lines within which the header ends: it has 16.
const HEADER_LINES: usize = 40;

pub fn is_one(text: &str) -> bool {
    text.lines()
        .take(HEADER_LINES)
        .any(|line| series(line).is_some())
}

/// Number of values and step (s).
fn series(line: &str) -> Option<(usize, f64)> {
    let words = words(line);
    let [no, of, points, count, rest @ ..] = &words[..] else {
        return None;
    };
    let named = [no.as_str(), of.as_str(), points.as_str()] == ["NO.", "OF", "POINTS"];
    let ["EQUALLY", "SPACED", "INTERVALS", "OF", step, ..] =
        rest.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let step = number(step).filter(|step| *step > 0.0)?;
    named.then_some((count.parse().ok()?, step))
}

pub fn read(text: &str, options: &ReadOptions) -> Result<Vec<Channel>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let heading = lines.iter().enumerate().take(HEADER_LINES);
    let mut heading = heading.filter_map(|(k, line)| Some((k, series(line)?)));
    let needed = "a line \"NO. OF POINTS: 12800 EQUALLY SPACED INTERVALS OF: 0.005 SEC\"";
    let (at, (count, step)) = heading.next().ok_or_else(|| fault(1, needed, ""))?;
    let unit = unit(&lines[..at], options)?;
    let header = lines[at..].iter().take_while(|line| !is_row(line)).count() + at;
    let mut samples = Vec::with_capacity(count.min(1 << 20));
    for (k, line) in lines.iter().enumerate().skip(header) {
        for word in line.split_whitespace() {
            let value = number(word);
            let value = value.ok_or_else(|| fault(k + 1, "finite numbers between blanks", word))?;
            samples.push(value * unit.factor());
        }
    }
    if samples.len() != count {
        let (announced, found) = (count, samples.len());
        return Err(RecordError::Count { announced, found });
    }
    let header = &lines[..header];
    let behind = |key: &str| header.iter().find_map(|line| line.trim().strip_prefix(key));
    let name = behind("COMP.").unwrap_or_default();
    let mut channel = Channel::new(name, step, samples);
    let peak = behind("PEAK VALUE:").and_then(|rest| number(rest.split_whitespace().next()?));
    channel.stated_peak = peak.map(|peak| peak * unit.factor());
    if header.iter().any(|line| line.starts_with("UNCORRECTED")) {
        channel.remarks.push(uncorrected());
    }
    Ok(vec![channel])
}

fn is_row(line: &str) -> bool {
    let first = line.split_whitespace().next();
    first.is_some_and(|word| number(word).is_some())
}

/// The unit of "UNCORRECTED ACCELERATION          UNIT: CM/SEC/SEC".
fn unit(header: &[&str], options: &ReadOptions) -> Result<AccelerationUnit, RecordError> {
    let stated = header.iter().enumerate();
    let mut stated = stated.filter_map(|(k, line)| Some((k, line.split_once("UNIT:")?)));
    let needed = "a line as \"CORRECTED ACCELERATION  UNIT: CM/SEC/SEC\"";
    let missing = || fault(header.len(), needed, header.last().unwrap_or(&""));
    let (k, (quantity, unit)) = stated.next_back().ok_or_else(missing)?;
    let named = unit::named(unit.trim()).filter(|_| quantity.contains("ACCELERATION"));
    agree(
        options.unit,
        named.ok_or_else(|| fault(k + 1, needed, header[k]))?,
        k + 1,
    )
}

//! Texts of networks that write the components of a station side by side, a row a sample, below a header that states
//! step and unit: the Turkish network before DYNA headers, Mexico's standard file (ARCHIVO ESTANDAR DE ACELERACION,
//! version 2.0), the CSV of the Japan Meteorological Agency, and the free-field files of Taiwan's Central Weather
//! Bureau, which have the time in a first column.

use super::RecordError;
use super::channel::{Channel, ReadOptions};
use super::text::{Block, agree, fault, number};
use super::unit;
use klast_dynamics::ground_motion::AccelerationUnit;

/// Lines within which a header ends; that of Mexico has 109.
const HEADER_LINES: usize = 160;

/// What a header says of the rows below it.
struct Layout {
    step: f64,
    unit: AccelerationUnit,
    names: Vec<String>,
    /// Peaks (in the unit); where one is missing it is not known whose the others are, and none counts.
    peaks: Vec<f64>,
    /// Rows announced.
    count: Option<usize>,
    /// The first row (from 0).
    first: usize,
    /// Whether the time stands before the components.
    timed: bool,
    /// Width of a field where fields may touch.
    width: Option<usize>,
}

pub fn is_turkish(text: &str) -> bool {
    begins(text, 3, |line| {
        line.starts_with("STRONG GROUND MOTION RECORDS OF TURK")
    })
}

pub fn is_mexican(text: &str) -> bool {
    begins(text, 12, |line| {
        line.starts_with("ARCHIVO ESTANDAR DE ACELERACION")
    })
}

pub fn is_japanese(text: &str) -> bool {
    begins(text, 1, |line| line.starts_with("SITE CODE"))
}

pub fn is_taiwanese(text: &str) -> bool {
    begins(text, 3, |line| {
        line.starts_with("#EARTHQUAKE") || line.starts_with("#STATION")
    })
}

fn begins(text: &str, lines: usize, is: impl Fn(&str) -> bool) -> bool {
    let mut head = text.lines().take(lines);
    head.any(|line| is(&line.trim_start().to_uppercase()))
}

pub fn read_turkish(text: &str, options: &ReadOptions) -> Result<Vec<Channel>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let header = Header(&lines);
    let step = header.positive("SAMPLING INTERVAL")?;
    // "RAW PGA VALUES (gal)    : (N-S) 13.200332 (E-W) 12.163827 (U-D) 9.840572"
    let (at, peaks) = header.value("RAW PGA VALUES")?;
    let said = lines.get(at).copied().unwrap_or("");
    let unit = header.unit(at, in_brackets(said).unwrap_or(""))?;
    let count = header.count("NUMBER OF DATA")?;
    let named = lines.iter().take(HEADER_LINES).position(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.len() > 1 && words.iter().all(|word| is_direction(word))
    });
    let needed = "a line of names (N-S E-W U-D) above the values";
    let named = named.ok_or_else(|| fault(at + 1, needed, said))?;
    let peak = |name: &str| {
        let (_, rest) = peaks.split_once(&format!("({name})"))?;
        number(rest.split_whitespace().next()?)
    };
    let names: Vec<String> = own(lines[named].split_whitespace());
    let layout = Layout {
        step,
        unit,
        peaks: names.iter().filter_map(|name| peak(name)).collect(),
        names,
        count: Some(count),
        first: named + 1,
        timed: false,
        width: None,
    };
    layout.read(&lines, options)
}

pub fn read_mexican(text: &str, options: &ReadOptions) -> Result<Vec<Channel>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let header = Header(&lines);
    let list = |key: &'static str| {
        let (at, value) = header.value(key)?;
        let parts = value.split('/').map(str::trim);
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        Ok::<_, RecordError>((at, parts))
    };
    let numbers = |key: &'static str| {
        let (at, parts) = list(key)?;
        let values: Option<Vec<f64>> = parts.iter().map(|part| number(part)).collect();
        let needed = "numbers between slashes, one a channel";
        let said = lines.get(at).copied().unwrap_or("");
        let values = values.filter(|values| !values.is_empty());
        Ok::<_, RecordError>((at, values.ok_or_else(|| fault(at + 1, needed, said))?))
    };
    let alike = |values: &[f64]| {
        values
            .windows(2)
            .all(|pair| (pair[0] - pair[1]).abs() <= 1e-9 * pair[0].abs())
    };
    let (at, steps) = numbers("INTERVALO DE MUESTREO, C1-C6")?;
    let step = steps
        .first()
        .copied()
        .filter(|step| *step > 0.0 && alike(&steps));
    let needed = "one sampling interval (s) above 0 for all channels";
    let step = step.ok_or_else(|| fault(at + 1, needed, lines[at]))?;
    let (counted, counts) = numbers("NUM. TOTAL DE MUESTRAS, C1-C6")?;
    let count = counts
        .first()
        .copied()
        .filter(|count| alike(&counts) && *count >= 1.0);
    let needed = "one number of samples for all channels";
    let count = count.ok_or_else(|| fault(counted + 1, needed, lines[counted]))?;
    let (at, said) = header.value("UNIDADES DE LOS DATOS")?;
    let unit = header.unit(at, said.split('(').next().unwrap_or(""))?;
    let (at, decimation) = header.value("FACTOR DE DECIMACION")?;
    if number(decimation) != Some(1.0) {
        return Err(fault(at + 1, "a factor of decimation of 1", lines[at]));
    }
    let (_, names) = list("ORIENTACION C1-C6")?;
    let data = lines.iter().position(|line| {
        // Sections may be numbered.
        let numbered = |c: char| c.is_whitespace() || c.is_ascii_digit() || c == '.';
        line.trim_start_matches(numbered)
            .to_uppercase()
            .starts_with("DATOS DE ACELERACION")
    });
    let data = data.ok_or_else(|| fault(lines.len(), "a line \"DATOS DE ACELERACION:\"", ""))?;
    let is_row = |line: &&str| {
        let mut words = line.split_whitespace().peekable();
        words.peek().is_some() && words.all(|word| number(word).is_some())
    };
    let first = lines[data..].iter().position(is_row).unwrap_or(0) + data;
    let peaks = numbers("ACEL. MAX.(GAL), C1-C6").map_or(Vec::new(), |(_, peaks)| peaks);
    let layout = Layout {
        step,
        unit,
        names: own(names.into_iter()),
        peaks,
        count: Some(count as usize),
        first,
        timed: false,
        width: Some(10),
    };
    layout.read(&lines, options)
}

pub fn read_japanese(text: &str, options: &ReadOptions) -> Result<Vec<Channel>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let header = Header(&lines);
    let (at, rate) = header.value("SAMPLING RATE")?;
    let rate = rate.to_uppercase();
    let rate = number(rate.trim_end_matches("HZ").trim()).filter(|rate| *rate > 0.0);
    let needed = "a sampling rate above 0, as 100Hz";
    let rate = rate.ok_or_else(|| fault(at + 1, needed, lines[at]))?;
    let (at, said) = header.value("UNIT")?;
    let unit = header.unit(at, said.split('(').next().unwrap_or(""))?;
    let named = lines.iter().take(HEADER_LINES).position(|line| {
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        words.len() > 1 && words.iter().all(|word| is_direction(word))
    });
    let named = named.ok_or_else(|| fault(at + 1, "a line of names (NS,EW,UD)", lines[at]))?;
    let layout = Layout {
        step: 1.0 / rate,
        unit,
        names: own(lines[named].split(',').map(str::trim)),
        peaks: Vec::new(),
        count: None,
        first: named + 1,
        timed: false,
        width: None,
    };
    layout.read(&lines, options)
}

pub fn read_taiwanese(text: &str, options: &ReadOptions) -> Result<Vec<Channel>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let header = Header(&lines);
    let step = 1.0 / header.positive("#SAMPLERATE(HZ)")?;
    let (at, said) = header.value("#AMPLITUDEUNIT")?;
    let unit = header.unit(at, said.split_whitespace().next().unwrap_or(""))?;
    // "#DataSequence: Time U(+); N(+); E(+)"
    let (at, sequence) = header.value("#DATASEQUENCE")?;
    let mut names = Vec::new();
    for name in sequence.trim_start_matches("Time").split(';') {
        let upward = name.trim().strip_suffix("(+)").map(str::trim);
        let needed = "a sequence as \"Time U(+); N(+); E(+)\"";
        names.push(
            upward
                .ok_or_else(|| fault(at + 1, needed, lines[at]))?
                .to_owned(),
        );
    }
    let first = lines
        .iter()
        .take(HEADER_LINES)
        .rposition(|line| line.starts_with('#'));
    // "#AmplitudeMAX. U:    1.196~   -1.017"
    let peak = |name: &String| {
        let begins = format!("#AmplitudeMAX. {name}:");
        let extremes = lines.iter().find_map(|line| line.strip_prefix(&begins))?;
        let (high, low) = extremes.split_once('~')?;
        let (high, low) = (number(high.trim())?, number(low.trim())?);
        Some(high.abs().max(low.abs()))
    };
    let layout = Layout {
        step,
        unit,
        peaks: names.iter().filter_map(peak).collect(),
        names,
        count: None,
        first: first.map_or(0, |last| last + 1),
        timed: true,
        width: Some(10),
    };
    layout.read(&lines, options)
}

fn own<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.map(str::to_owned).collect()
}

/// Whether a word names a component.
fn is_direction(word: &str) -> bool {
    ["N-S", "E-W", "U-D", "NS", "EW", "UD"].contains(&word.to_uppercase().as_str())
}

/// What stands in the first brackets of a line.
fn in_brackets(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once('(')?;
    Some(rest.split_once(')')?.0)
}

/// The lines of a header "KEY : value" or "KEY = value".
struct Header<'a>(&'a [&'a str]);

impl Header<'_> {
    /// The line of a key (capitals), from 0, and the value on it.
    fn value(&self, key: &'static str) -> Result<(usize, &str), RecordError> {
        let lines = self.0.iter().take(HEADER_LINES).enumerate();
        let mut found = lines.filter_map(|(at, line)| {
            let begins = line.trim_start().to_uppercase().starts_with(key);
            let (_, value) = line.split_once([':', '='])?;
            begins.then_some((at, value.trim()))
        });
        let first = self.0.first().copied().unwrap_or("");
        found.next().ok_or_else(|| fault(1, key, first))
    }

    fn positive(&self, key: &'static str) -> Result<f64, RecordError> {
        let (at, value) = self.value(key)?;
        let value = number(value).filter(|value| *value > 0.0);
        value.ok_or_else(|| fault(at + 1, "a number above 0", self.0[at]))
    }

    fn count(&self, key: &'static str) -> Result<usize, RecordError> {
        let (at, value) = self.value(key)?;
        let count = value.parse().ok();
        count.ok_or_else(|| fault(at + 1, "a whole number", self.0[at]))
    }

    fn unit(&self, at: usize, name: &str) -> Result<AccelerationUnit, RecordError> {
        let name = name.trim().trim_end_matches('.').to_uppercase();
        let needed = "a unit of acceleration: gal, cm/s/s, m/s/s or g";
        let said = self.0.get(at).copied().unwrap_or("");
        unit::named(&name).ok_or_else(|| fault(at + 1, needed, said))
    }
}

impl Layout {
    fn read(&self, lines: &[&str], options: &ReadOptions) -> Result<Vec<Channel>, RecordError> {
        let factor = agree(options.unit, self.unit, self.first + 1)?.factor();
        let columns = self.names.len() + usize::from(self.timed);
        let mut samples = vec![Vec::new(); self.names.len()];
        for (k, line) in lines.iter().enumerate().skip(self.first) {
            if line.trim().is_empty() {
                continue;
            }
            let needed = "a finite number for each component (and the time before them, where the format has it)";
            let row = self.row(line, columns);
            let row = row.ok_or_else(|| fault(k + 1, needed, line))?;
            if self.timed {
                let time = samples[0].len() as f64 * self.step;
                // Times are printed in whole milliseconds.
                if (row[0] - time).abs() > 2e-3 + 1e-6 * time {
                    let needed = "times that rise by the step that the header states, from 0 s";
                    return Err(fault(k + 1, needed, line));
                }
            }
            let values = row.iter().skip(usize::from(self.timed));
            for (series, value) in samples.iter_mut().zip(values) {
                series.push(value * factor);
            }
        }
        let found = samples.first().map_or(0, Vec::len);
        if let Some(announced) = self.count
            && announced != found
        {
            return Err(RecordError::Count { announced, found });
        }
        let channel = |(k, (name, samples)): (usize, (&String, Vec<f64>))| {
            let mut channel = Channel::new(name, self.step, samples);
            let peak = self
                .peaks
                .get(k)
                .filter(|_| self.peaks.len() == self.names.len());
            channel.stated_peak = peak.map(|peak| peak * factor);
            channel
        };
        let named = self.names.iter().zip(samples);
        Ok(named.enumerate().map(channel).collect())
    }

    /// The numbers of a row, between blanks or commas, or in fields that touch.
    fn row(&self, line: &str, columns: usize) -> Option<Vec<f64>> {
        let words = line.split(|c: char| c == ',' || c.is_whitespace());
        let words = words.filter(|word| !word.is_empty());
        let parted: Option<Vec<f64>> = words.map(number).collect();
        parted.filter(|values| values.len() == columns).or_else(|| {
            let block = Block {
                per_line: columns,
                width: self.width?,
                count: columns,
            };
            block.line(line).filter(|values| values.len() == columns)
        })
    }
}

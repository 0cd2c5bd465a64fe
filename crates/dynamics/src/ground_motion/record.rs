//! Sampled accelerations: PEER .AT2 and CSV, with the unit stated, linear between samples.

use super::{Component, GroundMotionError, Law, check, read_series};

/// Unit of the samples of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AccelerationUnit {
    /// Multiples of the standard gravity 9.80665 m/s².
    StandardGravity,
    /// Multiples of a gravity (m/s²) that the reader knows to be meant, as 9.81.
    Gravity(f64),
    /// m/s².
    MetrePerSecondSquared,
    /// cm/s² (gal).
    CentimetrePerSecondSquared,
}

impl AccelerationUnit {
    /// Factor to m/s².
    pub fn factor(self) -> f64 {
        match self {
            Self::StandardGravity => 9.80665,
            Self::Gravity(gravity) => gravity,
            Self::MetrePerSecondSquared => 1.0,
            Self::CentimetrePerSecondSquared => 0.01,
        }
    }

    /// The unit called `name` in the header of a PEER file, where seconds are S or SEC and squares 2, ^2 or **2.
    fn named(name: &str) -> Option<Self> {
        let short = name.replace("SEC", "S").replace("**", "").replace("^", "");
        match short.as_str() {
            "G" => Some(Self::StandardGravity),
            "M/S/S" | "M/S2" => Some(Self::MetrePerSecondSquared),
            "CM/S/S" | "CM/S2" | "GAL" | "GALS" => Some(Self::CentimetrePerSecondSquared),
            _ => None,
        }
    }
}

/// A record of base acceleration.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    times: Vec<f64>,
    accelerations: Vec<f64>,
}

/// What is left at the end of a record that should have ended at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Baseline {
    /// Mean acceleration (m/s²).
    pub mean_acceleration: f64,
    /// Velocity at the end (m/s).
    pub final_velocity: f64,
    /// Displacement at the end (m).
    pub final_displacement: f64,
    /// Velocity at the end over the peak velocity.
    pub velocity_ratio: f64,
}

impl Baseline {
    /// Whether the velocity left at the end is under a tenth of the peak: above that the record was cut or not corrected.
    pub fn is_acceptable(&self) -> bool {
        self.velocity_ratio <= 0.1
    }
}

impl Record {
    /// A record from sample times (s, increasing) and accelerations (m/s²).
    pub fn new(times: Vec<f64>, accelerations: Vec<f64>) -> Result<Self, GroundMotionError> {
        if times.len() != accelerations.len() {
            return Err(GroundMotionError::Count {
                announced: times.len(),
                found: accelerations.len(),
            });
        }
        check(
            "number of samples",
            times.len() as f64,
            times.len() >= 2,
            "at least 2",
        )?;
        for acceleration in &accelerations {
            check("acceleration", *acceleration, true, "finite")?;
        }
        for pair in times.windows(2) {
            let step = pair[1] - pair[0];
            check("time step", step, step > 0.0, "above 0 s")?;
        }
        check("first time", times[0], times[0] >= 0.0, "at least 0 s")?;
        Ok(Self {
            times,
            accelerations,
        })
    }

    /// A record with the sample i at time i · `step` (s); accelerations in `unit`.
    pub fn uniform(
        step: f64,
        samples: &[f64],
        unit: AccelerationUnit,
    ) -> Result<Self, GroundMotionError> {
        check("time step", step, step > 0.0, "above 0 s")?;
        let times = (0..samples.len()).map(|i| i as f64 * step).collect();
        let accelerations = samples.iter().map(|a| a * unit.factor()).collect();
        Self::new(times, accelerations)
    }

    /// Reads the text of a PEER .AT2 file: three lines of text, a line with NPTS and DT (s), then the values.
    /// The unit is the word after UNITS ("UNITS OF G", "units are (g)") or given; a given one wins. A series of velocities or displacements is
    /// refused.
    pub fn read_at2(text: &str, unit: Option<AccelerationUnit>) -> Result<Self, GroundMotionError> {
        let lines: Vec<&str> = text.lines().collect();
        let Some(at) = lines.iter().take(10).position(|line| {
            let upper = line.to_uppercase();
            upper.contains("NPTS") && upper.contains("DT")
        }) else {
            let first = lines.first().copied().unwrap_or("");
            return Err(fault(
                1,
                "a header line with NPTS and DT within the first ten lines",
                first,
            ));
        };
        let header = &lines[..=at];
        check_quantity(header)?;
        let unit = unit.map_or_else(|| stated_unit(header), Ok)?;
        let (count, step) = counts(lines[at]).ok_or_else(|| {
            let needed = "NPTS and DT with a number each, DT in seconds (S, SEC or no unit)";
            fault(at + 1, needed, lines[at])
        })?;
        let mut samples = Vec::with_capacity(count.min(1 << 20));
        for (number, line) in lines.iter().enumerate().skip(at + 1) {
            for word in line.split_whitespace() {
                let value = word
                    .parse::<f64>()
                    .ok()
                    .filter(|v| v.is_finite())
                    .ok_or_else(|| fault(number + 1, "finite numbers", word))?;
                samples.push(value);
            }
        }
        if samples.len() != count {
            return Err(GroundMotionError::Count {
                announced: count,
                found: samples.len(),
            });
        }
        Self::uniform(step, &samples, unit)
    }

    /// Reads CSV with a header of two columns, `time_s` and one of `acceleration_m_s2`, `acceleration_cm_s2`,
    /// `acceleration_g`. Lines that start with # are comments.
    pub fn read_csv(text: &str) -> Result<Self, GroundMotionError> {
        let columns = [
            ("acceleration_m_s2", AccelerationUnit::MetrePerSecondSquared),
            (
                "acceleration_cm_s2",
                AccelerationUnit::CentimetrePerSecondSquared,
            ),
            ("acceleration_g", AccelerationUnit::StandardGravity),
        ]
        .map(|(name, unit)| (name, unit.factor()));
        let header = "a header \"time_s,acceleration_m_s2\" (or _cm_s2, _g)";
        let (times, accelerations) = read_series(text, &columns, header)?;
        Self::new(times, accelerations)
    }

    /// Sample times (s).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Accelerations (m/s²).
    pub fn accelerations(&self) -> &[f64] {
        &self.accelerations
    }

    /// The motion of the base, linear between samples, times `factor` (scale and polarity); it starts from rest.
    pub fn component(&self, factor: f64) -> Result<Component, GroundMotionError> {
        check("factor", factor, true, "finite")?;
        let laws: Vec<(f64, Law)> = self
            .times
            .windows(2)
            .zip(self.accelerations.windows(2))
            .map(|(t, a)| {
                let step = t[1] - t[0];
                let slope = factor * (a[1] - a[0]) / step;
                let value = factor * a[0];
                (step, Law::Linear { value, slope })
            })
            .collect();
        let start = self.times.first().copied().unwrap_or(0.0);
        Component::chain(start, 0.0, 0.0, &laws)
    }

    /// What is left at the end of the record.
    pub fn baseline(&self) -> Result<Baseline, GroundMotionError> {
        let motion = self.component(1.0)?;
        let (first, last) = (self.times[0], motion.duration());
        let final_velocity = motion.velocity(last);
        let peak = motion.peak_velocity();
        Ok(Baseline {
            mean_acceleration: final_velocity / (last - first),
            final_velocity,
            final_displacement: motion.displacement(last),
            velocity_ratio: if peak > 0.0 {
                final_velocity.abs() / peak
            } else {
                0.0
            },
        })
    }
}

fn fault(line: usize, needed: &'static str, found: &str) -> GroundMotionError {
    GroundMotionError::Format {
        line,
        needed,
        found: found.chars().take(60).collect(),
    }
}

/// The words of a header line in capitals; a comma is a word, as it ends what stands before it.
fn words(line: &str) -> Vec<String> {
    let line = line.to_uppercase().replace(',', " , ");
    let apart = |c: char| c.is_whitespace() || "():;=".contains(c);
    let words = line.split(apart).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Refuses a header that calls its values velocities or displacements: the first of the three names before UNITS counts, for
/// behind it other series and filters may be named.
fn check_quantity(header: &[&str]) -> Result<(), GroundMotionError> {
    let names = ["ACCELERATION", "VELOCITY", "DISPLACEMENT", "UNITS"];
    let named = header.iter().enumerate().find_map(|(number, line)| {
        let name = words(line)
            .into_iter()
            .find(|word| names.contains(&word.as_str()));
        name.map(|name| (number + 1, name))
    });
    match named {
        Some((line, name)) if name == "VELOCITY" || name == "DISPLACEMENT" => {
            Err(fault(line, "a series of accelerations", &name))
        }
        _ => Ok(()),
    }
}

/// The unit that the header of a PEER file states, by the first word after UNITS, UNITS OF or UNITS ARE alone: what follows
/// may be the unit of something else.
fn stated_unit(header: &[&str]) -> Result<AccelerationUnit, GroundMotionError> {
    let stated = header.iter().enumerate().find_map(|(number, line)| {
        let words = words(line);
        let mut after = words.iter().skip_while(|word| *word != "UNITS");
        after.next()?;
        let unit = after
            .find(|word| !["OF", "ARE"].contains(&word.as_str()))
            .map_or("", String::as_str);
        Some((number + 1, unit.trim_end_matches('.').to_owned()))
    });
    let Some((line, unit)) = stated else {
        let line = header.len().saturating_sub(1);
        let found = header.get(line.saturating_sub(1)).copied().unwrap_or("");
        let needed = "the unit of the values, as in \"UNITS OF G\"";
        return Err(fault(line, needed, found));
    };
    AccelerationUnit::named(&unit).ok_or_else(|| {
        let needed = "a unit after UNITS OF: G, M/SEC/SEC, M/SEC2, CM/SEC/SEC, CM/SEC2 or GAL";
        fault(line, needed, &unit)
    })
}

/// Number of points and step (s) from "NPTS=  4000, DT= .01000 SEC" or the older "4000  .0100  NPTS, DT".
fn counts(line: &str) -> Option<(usize, f64)> {
    let words = words(line);
    let after = |key: &str| {
        let at = words.iter().position(|word| word == key)?;
        Some((words.get(at + 1), words.get(at + 2)))
    };
    let (npts, dt) = (after("NPTS")?, after("DT")?);
    // "DT=.0050SEC" without a space occurs.
    let (step, unit) = match dt.0.map(|word| (leading_number(word), word)) {
        Some((Some((step, "")), _)) => (Some(step), dt.1.map(String::as_str)),
        Some((Some((step, tail)), _)) => (Some(step), Some(tail)),
        Some((None, word)) => (None, Some(word.as_str())),
        None => (None, None),
    };
    if !unit.is_none_or(|word| is_second(word) || word == "," || word == "NPTS") {
        return None;
    }
    let count = npts.0.and_then(|word| word.parse::<f64>().ok());
    let (count, step) = count.zip(step).or_else(|| {
        let mut numbers = words.iter().filter_map(|word| word.parse::<f64>().ok());
        numbers.next().zip(numbers.next())
    })?;
    let whole = count >= 0.0 && count.fract() == 0.0 && count < 1e9;
    whole.then_some((count as usize, step))
}

/// The number a word begins with, and the rest of the word.
fn leading_number(word: &str) -> Option<(f64, &str)> {
    let ends = (1..=word.len()).rev();
    ends.filter_map(|end| word.split_at_checked(end))
        .find_map(|(number, rest)| Some((number.parse().ok()?, rest)))
}

fn is_second(word: &str) -> bool {
    let word = word.trim_end_matches('.');
    ["S", "SEC", "SECS", "SECOND", "SECONDS"].contains(&word)
}

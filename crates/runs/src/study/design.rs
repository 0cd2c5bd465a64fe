//! Which combinations of values a study runs.

use klast_sampling::{Distribution, Purpose, Streams, open_uniform};
use serde_json::Value;

use super::scene::{Axis, Method, Values};
use crate::common::distribution::{Number, distribution};
use crate::error::{Outside as _, Result};
use crate::faults::{Fault, Faults};
use crate::text::SceneText;

/// Most runs of a study: each leaves a row of about 1 kB until all are written.
pub const MOST_RUNS: usize = 250_000;
/// Most keys of a study.
const MOST_KEYS: usize = 100;

/// The values of a key.
#[derive(Debug, Clone)]
pub enum Choice {
    /// One by one.
    Listed(Vec<Value>),
    /// Drawn.
    Drawn(Distribution),
}

/// The combinations of a study: the number of its runs, and the values of each.
#[derive(Debug, Clone)]
pub struct Design {
    /// Values of each key.
    pub choices: Vec<Choice>,
    /// How they are combined.
    pub method: Method,
}

impl Design {
    /// The values of all keys, and what is wrong with them and their number.
    ///
    /// # Errors
    /// Each fault, at its key.
    pub fn new(text: &SceneText, axes: &[Axis], method: &Method) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        faults.check((1..=MOST_KEYS).contains(&axes.len()), || {
            Fault::new("over", format!("{} keys", axes.len())).accepted(format!("1 to {MOST_KEYS}"))
        });
        let drawn = matches!(method, Method::Sample { .. } | Method::Sobol { .. });
        let mut choices = Vec::new();
        for (k, axis) in axes.iter().enumerate() {
            let path = format!("over[{k}]");
            let Some(choice) = faults.take(&path, choice(text, &axis.values)) else {
                continue;
            };
            faults.check(drawn == matches!(choice, Choice::Drawn(_)), || {
                Fault::new(path, "a distribution belongs to the methods sample and sobol, and values to the others")
            });
            choices.push(choice);
        }
        let one = axes.len() == 1;
        if let Method::Bisection(bisection) = method {
            faults.check(
                one && numbers(&choices).is_some_and(|n| n.len() > 1),
                || {
                    Fault::new("over", "a bisection over what has no order")
                        .accepted("one key with two or more different numbers")
                },
            );
            faults.check((1e-12..0.5).contains(&bisection.tolerance), || {
                Fault::new("method.bisection.tolerance", bisection.tolerance)
                    .accepted("1e-12 to below 0.5")
            });
        }
        let design = faults.or_all(|| {
            let method = method.clone();
            Some(Self { choices, method })
        })?;
        let runs = design.runs();
        if !(1..=MOST_RUNS).contains(&runs) || (drawn && runs < 2) {
            let least = if drawn { 2 } else { 1 };
            let fault = Fault::new("", format!("{runs} runs"));
            return Err(fault.accepted(format!("{least} to {MOST_RUNS}")).into());
        }
        Ok(design)
    }

    /// Number of runs that are known before the study; a bisection adds its own.
    #[must_use]
    pub fn runs(&self) -> usize {
        let counts = self.choices.iter().map(|choice| match choice {
            Choice::Listed(values) => values.len(),
            Choice::Drawn(_) => 1,
        });
        match self.method {
            Method::Grid | Method::Bisection(_) => counts.fold(1, usize::saturating_mul),
            Method::OneAtATime => counts.fold(0, usize::saturating_add),
            Method::Sample { runs } => runs,
            Method::Sobol { sets } => sets.saturating_mul(self.choices.len() + 2),
        }
    }

    /// The values of a run; none where the scene is left as it is.
    #[must_use]
    pub fn values(&self, run: usize, seed: u64) -> Vec<Option<Value>> {
        let keys = self.choices.len();
        match self.method {
            Method::Grid | Method::Bisection(_) => self.combination(run),
            Method::OneAtATime => self.alone(run),
            Method::Sample { .. } => self.at(&shares(seed, run, keys)),
            Method::Sobol { .. } => {
                let (set, which) = (run / (keys + 2), run % (keys + 2));
                let both = shares(seed, set, 2 * keys);
                let (a, b) = both.split_at(keys);
                // A, B, and A with one column of B each.
                let mixed = |(k, (a, b)): (usize, (&f64, &f64))| match which == 1 || which == k + 2
                {
                    true => *b,
                    false => *a,
                };
                let mixed: Vec<f64> = a.iter().zip(b).enumerate().map(mixed).collect();
                self.at(&mixed)
            }
        }
    }

    /// All combinations, the last key fastest.
    fn combination(&self, mut run: usize) -> Vec<Option<Value>> {
        let mut values = Vec::new();
        for choice in self.choices.iter().rev() {
            let list = listed(choice);
            let count = list.len().max(1);
            values.push(list.get(run % count).cloned());
            run /= count;
        }
        values.reverse();
        values
    }

    /// One key after the other.
    fn alone(&self, mut run: usize) -> Vec<Option<Value>> {
        let mut values = vec![None; self.choices.len()];
        for (choice, value) in self.choices.iter().zip(&mut values) {
            let list = listed(choice);
            if let Some(own) = list.get(run) {
                *value = Some(own.clone());
                break;
            }
            run -= list.len();
        }
        values
    }

    /// Quantiles of the distributions.
    fn at(&self, shares: &[f64]) -> Vec<Option<Value>> {
        let pairs = self.choices.iter().zip(shares);
        let value = |(choice, share): (&Choice, &f64)| match choice {
            Choice::Drawn(distribution) => Some(Value::from(distribution.quantile(*share))),
            Choice::Listed(_) => None,
        };
        pairs.map(value).collect()
    }
}

/// The numbers of a set, each between 0 and 1: the sets of a seed do not depend on how many there are.
fn shares(seed: u64, set: usize, count: usize) -> Vec<f64> {
    let mut rng = Streams::new(seed).rng(Purpose::Custom(0), set as u64);
    (0..count).map(|_| open_uniform(&mut rng)).collect()
}

fn listed(choice: &Choice) -> &[Value] {
    match choice {
        Choice::Listed(values) => values,
        Choice::Drawn(_) => &[],
    }
}

/// The numbers of the one key of a bisection, if all are numbers and neighbours differ.
#[must_use]
pub fn numbers(choices: &[Choice]) -> Option<Vec<f64>> {
    let values = choices.first().map(listed)?;
    let numbers: Vec<f64> = values.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let differ = numbers.windows(2).all(|pair| pair[0] != pair[1]);
    differ.then_some(numbers)
}

/// The values of a key.
fn choice(text: &SceneText, values: &Values) -> Result<Choice> {
    let listed = match values {
        Values::Distribution(drawn) => {
            return Ok(Choice::Drawn(distribution(Number::Drawn(*drawn), 1.0)?));
        }
        Values::Values(values) => values.clone(),
        Values::Range { from, to, count } => steps(*from, *to, *count)?,
        Values::Files { folder, ending } => files(text, folder, ending)?,
    };
    if listed.is_empty() {
        return Err(Fault::new("", "no values").accepted("one or more").into());
    }
    Ok(Choice::Listed(listed))
}

/// Numbers in equal steps.
fn steps(from: f64, to: f64, count: usize) -> Result<Vec<Value>> {
    if !(2..=MOST_RUNS).contains(&count) || !(to - from).is_finite() || from == to {
        let found = format!("{count} values from {from} to {to}");
        let fault = Fault::new("range", found);
        let accepted = format!("2 to {MOST_RUNS} values between two different numbers");
        return Err(fault.accepted(accepted).into());
    }
    let at = |k: usize| from + (to - from) * k as f64 / (count - 1) as f64;
    Ok((0..count).map(|k| number(at(k))).collect())
}

/// The files of a folder in the order of their names; each is read, so that a part that is run elsewhere has them.
fn files(text: &SceneText, folder: &str, ending: &str) -> Result<Vec<Value>> {
    let below = format!("{}/", folder.trim_end_matches('/'));
    let at_hand = text.attached().filter_map(|name| name.strip_prefix(&below));
    let mut names: Vec<String> = at_hand.map(str::to_owned).collect();
    if names.is_empty() {
        let entries = std::fs::read_dir(text.path(folder)).map_err(|error| {
            Fault::new("files.folder", format!("{folder}: {error}")).accepted("a folder of files")
        })?;
        for entry in entries {
            let entry = entry.outside()?;
            if entry.path().is_file() {
                names.extend(entry.file_name().into_string().ok());
            }
        }
    }
    names.retain(|name| name.ends_with(ending) && !name.starts_with('.') && !name.contains('/'));
    names.sort();
    let paths: Vec<String> = names.iter().map(|name| format!("{below}{name}")).collect();
    for path in &paths {
        text.read_bytes(path)?;
    }
    Ok(paths.into_iter().map(Value::from).collect())
}

/// A number as a scene writes it: without a fraction where it has none, so that a key that counts takes it.
pub fn number(x: f64) -> Value {
    match x.fract() == 0.0 && x.abs() < 9e15 {
        true => Value::from(x as i64),
        false => Value::from(x),
    }
}

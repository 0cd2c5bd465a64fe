//! Where an outcome changes along a key: the runs of the scan and those of the bisection, in their order.

use serde_json::Value;

use super::design::number;
use super::point::Point;
use super::scene::Bisection;

/// Two values of the key between which the outcome changes.
#[derive(Debug, Clone)]
pub struct Bracket {
    /// The value nearest to the change on the side of the first value.
    pub low: f64,
    /// The value nearest to the change on the other side.
    pub high: f64,
    /// Names of the outcomes at both.
    pub outcomes: [String; 2],
    /// Bisections that are left to do.
    left: u32,
}

/// How far a search is.
#[derive(Debug, Clone)]
pub enum State {
    /// Every value has the same outcome.
    Same,
    /// A run that decides has no answer.
    Open,
    /// Between two values.
    Between(Bracket),
}

/// Most bisections of any two neighbouring values.
pub fn most_steps(plan: &Bisection, values: &[f64]) -> usize {
    let pairs = values
        .windows(2)
        .map(|pair| steps(plan, values, (pair[0], pair[1])));
    pairs.max().unwrap_or(0) as usize
}

/// Bisections until two values are as near to each other as the tolerance says.
fn steps(plan: &Bisection, values: &[f64], (low, high): (f64, f64)) -> u32 {
    let whole = values
        .last()
        .zip(values.first())
        .map_or(1.0, |(a, b)| (a - b).abs());
    // Equal steps give a quotient of exactly 1.
    let parts = ((high - low).abs() / whole).max(f64::MIN_POSITIVE) / plan.tolerance;
    libm::log2(parts).ceil().max(0.0) as u32
}

/// What the runs so far say: those of `values` in their order, and then those of [`next`].
pub fn state(plan: &Bisection, values: &[f64], points: &[Point]) -> State {
    let sides: Option<Vec<Value>> = points.iter().map(|point| side(plan, point)).collect();
    let Some(sides) = sides else {
        return State::Open;
    };
    let scan = values.len().min(points.len());
    let Some(change) = (1..scan).find(|k| sides[*k] != sides[0]) else {
        return State::Same;
    };
    let outcome = |k: usize| points[k].found.as_ref().map_or("", |f| f.outcome.as_str());
    let ends = [change - 1, change];
    let mut found = Bracket {
        low: values[change - 1],
        high: values[change],
        outcomes: ends.map(|k| outcome(k).to_owned()),
        left: steps(plan, values, (values[change - 1], values[change])),
    };
    for k in scan..points.len() {
        let middle = between(found.low, found.high);
        let below = sides[k] == sides[0];
        if below {
            found.low = middle;
        } else {
            found.high = middle;
        }
        found.outcomes[usize::from(!below)] = outcome(k).to_owned();
        found.left = found.left.saturating_sub(1);
    }
    State::Between(found)
}

/// The value that is run next, if any is.
pub fn next(state: &State) -> Option<Value> {
    match state {
        State::Between(bracket) if bracket.left > 0 => {
            Some(number(between(bracket.low, bracket.high)))
        }
        _ => None,
    }
}

/// On which side of the change a run is; none if it does not say.
fn side(plan: &Bisection, point: &Point) -> Option<Value> {
    let value = &point.found.as_ref().ok()?.change;
    let Some(threshold) = plan.above else {
        return Some(value.clone());
    };
    let size = match value {
        Value::Array(items) => items.len() as f64,
        value => value.as_f64()?,
    };
    Some(Value::from(size > threshold))
}

/// The middle of two numbers with two digits more than their distance has, as a user would write it.
fn between(low: f64, high: f64) -> f64 {
    let middle = 0.5 * (low + high);
    let places = usize::try_from(2 - magnitude(high - low)).ok();
    let written = places.filter(|places| *places <= 15);
    let written = written.map(|places| format!("{middle:.places$}"));
    written.and_then(|text| text.parse().ok()).unwrap_or(middle)
}

/// The power of ten of the first digit of a number, from its shortest digits: it has the same value on every system.
pub fn magnitude(x: f64) -> i32 {
    let text = format!("{:e}", x.abs());
    let power = text.rsplit('e').next().and_then(|power| power.parse().ok());
    power.unwrap_or(0)
}

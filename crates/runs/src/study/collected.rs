//! What the runs of a study say together.

use serde_json::Value;

use super::bisection::{self, State};
use super::design::{Choice, Design, numbers};
use super::indices::sobol;
use super::point::Point;
use super::result::{
    Cells, Change, Count, IndexRow, Item, Limit, MethodName, Quantiles, Results, Row, Summary,
};
use super::scene::Method;

/// The results of all runs of a study, in the order in which they were run.
pub fn results(
    (kind, keys): (&'static str, &[String]),
    design: &Design,
    mut points: Vec<Point>,
    seed: u64,
) -> Results {
    let (limit, open) = match &design.method {
        Method::Bisection(plan) => limit(plan, design, &points),
        _ => (None, false),
    };
    if matches!(design.method, Method::Bisection(_)) {
        let value = |p: &Point| p.values.first().and_then(Value::as_f64).unwrap_or(f64::NAN);
        points.sort_by(|a, b| value(a).total_cmp(&value(b)));
    }
    let names = names(&points);
    let mut results = Results {
        summary: Summary {
            kind,
            method: name_of(&design.method),
            keys: keys.to_vec(),
            runs: points.len(),
            failed: points.iter().filter(|p| p.found.is_err()).count(),
            outcomes: outcomes(&points),
            limit,
        },
        runs: points.iter().map(|p| row(keys, &names, p)).collect(),
        lists: points.iter().flat_map(|p| items(keys, p)).collect(),
        choices: design.choices.clone(),
        open,
        ..Results::default()
    };
    for (place, number) in names.iter().enumerate() {
        let values: Vec<Option<f64>> = points.iter().map(|p| size(p, place)).collect();
        match design.method {
            Method::OneAtATime => results
                .changes
                .extend(changes(design, keys, (number, &values))),
            Method::Sample { .. } => results.quantiles.extend(quantiles(number, &values)),
            Method::Sobol { .. } => {
                results
                    .indices
                    .extend(sensitivities(keys, (number, &values), seed));
            }
            Method::Grid | Method::Bisection(_) => {}
        }
    }
    results
}

fn name_of(method: &Method) -> MethodName {
    match method {
        Method::Grid => MethodName::Grid,
        Method::OneAtATime => MethodName::OneAtATime,
        Method::Bisection(_) => MethodName::Bisection,
        Method::Sample { .. } => MethodName::Sample,
        Method::Sobol { .. } => MethodName::Sobol,
    }
}

/// The limit that a bisection found, and whether a run without an answer kept it from one.
fn limit(
    plan: &super::scene::Bisection,
    design: &Design,
    points: &[Point],
) -> (Option<Limit>, bool) {
    let values = numbers(&design.choices).unwrap_or_default();
    match bisection::state(plan, &values, points) {
        State::Same => (None, false),
        State::Open => (None, true),
        State::Between(bracket) => {
            let [outcome_before, outcome_after] = bracket.outcomes;
            let limit = Limit {
                before: bracket.low,
                after: bracket.high,
                outcome_before,
                outcome_after,
            };
            (Some(limit), false)
        }
    }
}

/// Names of the numbers of the runs.
fn names(points: &[Point]) -> Vec<String> {
    let found = points.iter().find_map(|p| p.found.as_ref().ok());
    let numbers = found.map_or(&[][..], |f| &f.numbers);
    numbers.iter().map(|(name, _)| name.clone()).collect()
}

/// The outcomes in the order in which they were met first.
fn outcomes(points: &[Point]) -> Vec<Count> {
    let mut counts: Vec<Count> = Vec::new();
    for found in points.iter().filter_map(|p| p.found.as_ref().ok()) {
        match counts.iter_mut().find(|c| c.outcome == found.outcome) {
            Some(count) => count.runs += 1,
            None => counts.push(Count {
                outcome: found.outcome.clone(),
                runs: 1,
            }),
        }
    }
    counts
}

fn row(keys: &[String], names: &[String], point: &Point) -> Row {
    let keys = Cells::of(keys, &point.values);
    match &point.found {
        Ok(found) => Row {
            keys,
            outcome: found.outcome.clone(),
            judgement: Some(found.judgement),
            numbers: Cells::of(names, found.numbers.iter().map(|(_, value)| value)),
            verdict: found.verdict.clone(),
        },
        Err(error) => Row {
            keys,
            outcome: "failed".to_owned(),
            judgement: None,
            numbers: Cells::empty(names),
            verdict: error.clone(),
        },
    }
}

fn items(keys: &[String], point: &Point) -> Vec<Item> {
    let lists = point.found.as_ref().map_or(&[][..], |found| &found.lists);
    let item = |list: &str, (item, value): (usize, &Value)| Item {
        keys: Cells::of(keys, &point.values),
        list: list.to_owned(),
        item,
        value: value.clone(),
    };
    let all = lists
        .iter()
        .flat_map(|(list, values)| values.iter().enumerate().map(|value| item(list, value)));
    all.collect()
}

/// A number of a run; a word is none.
fn size(point: &Point, place: usize) -> Option<f64> {
    let found = point.found.as_ref().ok()?;
    found.numbers.get(place)?.1.as_f64()
}

/// Range of a number over the values of each key.
fn changes(
    design: &Design,
    keys: &[String],
    (number, values): (&str, &[Option<f64>]),
) -> Vec<Change> {
    let largest = values
        .iter()
        .flatten()
        .fold(0.0_f64, |most, x| most.max(x.abs()));
    let (mut changes, mut rest) = (Vec::new(), values);
    for (key, choice) in keys.iter().zip(&design.choices) {
        let count = match choice {
            Choice::Listed(list) => list.len().min(rest.len()),
            Choice::Drawn(_) => 0,
        };
        let (own, others) = rest.split_at(count);
        rest = others;
        let min = own.iter().flatten().copied().reduce(f64::min);
        let max = own.iter().flatten().copied().reduce(f64::max);
        changes.extend(min.zip(max).map(|(min, max)| Change {
            key: key.clone(),
            number: number.to_owned(),
            min,
            max,
            relative_range: (max - min) / largest.max(f64::MIN_POSITIVE),
        }));
    }
    changes
}

/// Mean, standard deviation and quantiles of what runs have of a number; none if fewer than two have it.
fn quantiles(number: &str, values: &[Option<f64>]) -> Option<Quantiles> {
    let mut own: Vec<f64> = values.iter().flatten().copied().collect();
    own.sort_by(f64::total_cmp);
    let (runs, last) = (own.len() as f64, own.len().checked_sub(2)? + 1);
    let mean = own.iter().sum::<f64>() / runs;
    let square = own.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
    // Linear between order statistics, the first at 0 and the last at 1 (Hyndman and Fan 1996, type 7).
    let at = |share: f64| {
        let place = share * last as f64;
        let below = (place as usize).min(last - 1);
        let part = place - below as f64;
        own[below] * (1.0 - part) + own[below + 1] * part
    };
    Some(Quantiles {
        number: number.to_owned(),
        runs: own.len(),
        mean,
        standard_deviation: (square / (runs - 1.0)).sqrt(),
        q05: at(0.05),
        q50: at(0.5),
        q95: at(0.95),
    })
}

/// Indices of a number to each key, from the sets whose runs all have it.
fn sensitivities(
    keys: &[String],
    (number, values): (&str, &[Option<f64>]),
    seed: u64,
) -> Vec<IndexRow> {
    let sets = values.chunks(keys.len() + 2);
    let sets: Vec<Vec<f64>> = sets
        .filter_map(|set| set.iter().copied().collect())
        .collect();
    let found = sobol(&sets, keys.len(), seed).unwrap_or_default();
    let row = |(key, index): (&String, &super::indices::Index)| IndexRow {
        number: number.to_owned(),
        key: key.clone(),
        first_order: index.first.value,
        first_order_lower: index.first.lower,
        first_order_upper: index.first.upper,
        total: index.total.value,
        total_lower: index.total.lower,
        total_upper: index.total.upper,
        sets: sets.len(),
    };
    keys.iter().zip(&found).map(row).collect()
}

//! A study: what the runs answer over one key or two.

use klast_plot::{Axis, Cells, HeatMap, Level, Levels, LineChart, Series, line_colour};
use klast_runs::answer::short;
use klast_runs::error::{Outside as _, Result};
use klast_runs::study::design::Choice;
use klast_runs::study::result::{Cells as Shown, MethodName, Results, Row};
use serde_json::Value;

use super::panels::panels;
use crate::page::Picture;
use crate::sheet::Sheet;

/// Most panels of one picture.
const MOST_PANELS: usize = 6;
/// Most curves of one panel.
const MOST_CURVES: usize = 6;

/// Tables of the study, and a picture where one or two keys take numbers.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    sheet.rows("Sensitivity indices", "indices.csv", &results.indices)?;
    sheet.rows(
        "Distribution of each number",
        "quantiles.csv",
        &results.quantiles,
    )?;
    sheet.rows("One key at a time", "changes.csv", &results.changes)?;
    let listed: Option<Vec<&[Value]>> = results.choices.iter().map(listed).collect();
    let svg = match listed.as_deref() {
        Some([_]) => curves(results)?,
        Some([rows, columns]) if results.summary.method == MethodName::Grid => {
            map(results, rows, columns)?
        }
        _ => None,
    };
    let mut picture = None;
    if let Some(svg) = svg {
        let caption = "What the runs answer over the values of the keys; each point is one run.";
        picture = Some(sheet.picture("study.svg", &svg, caption)?);
    } else if let Some((svg, caption)) = influence(results)? {
        picture = Some(sheet.picture("study.svg", &svg, caption)?);
    }
    if let Some([rows, _]) = listed.as_deref()
        && results.summary.method == MethodName::Grid
        && let Some(svg) = families(results, rows)?
    {
        let caption =
            "The numbers of the runs over the second key, a curve for each value of the first.";
        sheet.figure("curves.svg", &svg, caption)?;
    }
    if let Some(svg) = lists(results)? {
        let caption = "Items of the lists over the values of the key; each dot is one item.";
        sheet.figure("lists.svg", &svg, caption)?;
    }
    sheet.rows("Runs", "study.csv", &results.runs)?;
    let none = || Picture::nothing("The keys take no numbers that an axis could have.");
    Ok(picture.unwrap_or_else(none))
}

/// Most bars of one picture.
const MOST_BARS: usize = 10;

/// How much each key matters for the first number, the most first: its total index with the interval, or how far the
/// number ranges over its values. Without either, how often each outcome was found.
fn influence(results: &Results) -> Result<Option<(String, &'static str)>> {
    let first = results.indices.first().map(|row| row.number.as_str());
    let first = first.or(results.changes.first().map(|row| row.number.as_str()));
    let of_first = |number: &str| Some(number) == first;
    let indices = results.indices.iter().filter(|row| of_first(&row.number));
    let mut rows: Vec<Level> = indices
        .map(|row| Level {
            name: row.key.clone(),
            words: short(row.total),
            value: row.total,
            interval: Some((row.total_lower, row.total_upper)),
            limit: None,
        })
        .collect();
    let mut caption = "Total sensitivity index of each key, with its 95 % confidence interval.";
    if rows.is_empty() {
        let changes = results.changes.iter().filter(|row| of_first(&row.number));
        rows.extend(changes.map(|row| Level {
            name: row.key.clone(),
            words: format!("{} to {}", short(row.min), short(row.max)),
            value: (row.max - row.min).abs(),
            ..Level::default()
        }));
        caption = "How far the number ranges over the values of each key, the other keys at the values of the scene.";
    }
    let mut title = first.unwrap_or_default().to_owned();
    if rows.is_empty() {
        rows.extend(results.summary.outcomes.iter().map(|count| Level {
            name: count.outcome.clone(),
            words: short(count.runs as f64),
            value: count.runs as f64,
            ..Level::default()
        }));
        caption = "Runs with each outcome.";
        title = "Runs".to_owned();
    }
    rows.retain(|row| row.value.is_finite());
    rows.sort_by(|a, b| b.value.total_cmp(&a.value));
    rows.truncate(MOST_BARS);
    let levels = Levels {
        title,
        rows,
        width: 680,
    };
    Ok(levels.svg().ok().map(|svg| (svg, caption)))
}

fn listed(choice: &Choice) -> Option<&[Value]> {
    match choice {
        Choice::Listed(values) => Some(values),
        Choice::Drawn(_) => None,
    }
}

fn outcomes(results: &Results) -> Vec<&str> {
    let counts = results.summary.outcomes.iter();
    counts.map(|count| count.outcome.as_str()).collect()
}

/// The numbers of all runs over the one key, and the limit of a bisection; none where the values are no numbers.
fn curves(results: &Results) -> Result<Option<String>> {
    let key = results.summary.keys.first().map_or("", String::as_str);
    let x = |row: &Row| row.keys.0.first()?.1.as_f64();
    let count = results.runs.first().map_or(0, |row| row.numbers.0.len());
    let mut charts = Vec::new();
    for number in 0..count {
        let value = |row: &Row| Some((x(row)?, row.numbers.0.get(number)?.1.as_f64()?));
        let all: Vec<(f64, f64)> = results.runs.iter().filter_map(value).collect();
        if all.is_empty() || charts.len() == MOST_PANELS {
            continue;
        }
        let name = results
            .runs
            .first()
            .and_then(|row| row.numbers.0.get(number));
        let name = name.map_or("", |(name, _)| name.as_str());
        let ends = all
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
                (a.min(v.1), b.max(v.1))
            });
        let line = Series::line("", all).coloured(klast_plot::FIXED);
        let mut chart = LineChart::new("", Axis::new(key), Axis::new(name)).with(line);
        for (rank, outcome) in outcomes(results).iter().enumerate() {
            let own = results.runs.iter().filter(|row| row.outcome == *outcome);
            let own: Vec<(f64, f64)> = own.filter_map(value).collect();
            if !own.is_empty() {
                chart = chart.with(Series::points(outcome, own).coloured(line_colour(rank + 1)));
            }
        }
        if let Some(limit) = &results.summary.limit {
            let at = 0.5 * (limit.before + limit.after);
            let dashes = Series::dashed("limit", vec![(at, ends.0), (at, ends.1)]);
            chart = chart.with(dashes.coloured(line_colour(0)));
        }
        charts.push(chart);
    }
    (!charts.is_empty()).then(|| panels(charts)).transpose()
}

/// The numbers over the second key, a curve a value of the first where these are few.
fn families(results: &Results, rows: &[Value]) -> Result<Option<String>> {
    let [first, second] = &results.summary.keys[..] else {
        return Ok(None);
    };
    if rows.len() > MOST_CURVES {
        return Ok(None);
    }
    let names = results.runs.first().map_or(&[][..], |row| &row.numbers.0);
    let mut charts = Vec::new();
    for (number, (name, _)) in names.iter().enumerate() {
        let value = |row: &Row| {
            let x = row.keys.0.get(1)?.1.as_f64()?;
            Some((x, row.numbers.0.get(number)?.1.as_f64()?))
        };
        let mut chart = LineChart::new("", Axis::new(second), Axis::new(name)).height(300);
        let mut drawn = false;
        for own in results
            .runs
            .chunks((results.runs.len() / rows.len().max(1)).max(1))
        {
            let curve: Vec<(f64, f64)> = own.iter().filter_map(value).collect();
            let label = own.first().and_then(|row| row.keys.0.first());
            let label = label.map_or(String::new(), |(_, v)| {
                format!("{first} = {}", Shown::words(v))
            });
            if !curve.is_empty() {
                chart = chart.with(Series::line(&label, curve));
                drawn = true;
            }
        }
        charts.extend(drawn.then_some(chart));
    }
    charts.truncate(MOST_PANELS);
    (!charts.is_empty())
        .then(|| LineChart::panels(&charts).outside())
        .transpose()
}

/// The outcome over two keys: cells where the values of both rise by even steps, points otherwise; none where they are
/// no numbers.
fn map(results: &Results, rows: &[Value], columns: &[Value]) -> Result<Option<String>> {
    let [row_key, column_key] = &results.summary.keys[..] else {
        return Ok(None);
    };
    let mut names: Vec<String> = outcomes(results).into_iter().map(str::to_owned).collect();
    names.extend((results.summary.failed > 0).then(|| "failed".to_owned()));
    let place = |row: &Row| names.iter().position(|name| *name == row.outcome);
    if let (Some(y), Some(x)) = (even(rows), even(columns)) {
        let index = results
            .runs
            .iter()
            .map(|row| place(row).and_then(|k| u8::try_from(k).ok()));
        let index = index.map(|k| k.unwrap_or(u8::MAX)).collect();
        let cells = Cells::Classes {
            names: names.clone(),
            index,
        };
        let (x, y) = (
            Axis::new(column_key).range(x.0, x.1),
            Axis::new(row_key).range(y.0, y.1),
        );
        let map = HeatMap::new("Outcome", x, y, (columns.len(), rows.len()), cells);
        return Ok(Some(map.svg().outside()?));
    }
    let mut chart = LineChart::new("Outcome", Axis::new(column_key), Axis::new(row_key));
    for name in &names {
        let own = results.runs.iter().filter(|row| row.outcome == *name);
        let dot = |row: &Row| match &row.keys.0[..] {
            [(_, y), (_, x)] => Some((x.as_f64()?, y.as_f64()?)),
            _ => None,
        };
        let Some(dots) = own.map(dot).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        chart = chart.with(Series::points(name, dots));
    }
    Ok(Some(chart.svg().outside()?))
}

/// Items of the lists over one key: a bifurcation diagram, where the list is of one phase of each period.
fn lists(results: &Results) -> Result<Option<String>> {
    let [key] = &results.summary.keys[..] else {
        return Ok(None);
    };
    let mut names: Vec<&str> = results
        .lists
        .iter()
        .map(|item| item.list.as_str())
        .collect();
    names.dedup();
    names.sort_unstable();
    names.dedup();
    let chart = |name: &&str| {
        let own = results.lists.iter().filter(|item| item.list == *name);
        let dot =
            own.filter_map(|item| Some((item.keys.0.first()?.1.as_f64()?, item.value.as_f64()?)));
        let dots: Vec<(f64, f64)> = dot.collect();
        let chart = LineChart::new("", Axis::new(key), Axis::new(name)).height(300);
        (!dots.is_empty()).then(|| chart.with(Series::points("", dots)))
    };
    let charts: Vec<LineChart> = names.iter().filter_map(chart).take(MOST_PANELS).collect();
    (!charts.is_empty())
        .then(|| LineChart::panels(&charts).outside())
        .transpose()
}

/// The outer borders of cells around values that rise by even steps.
fn even(values: &[Value]) -> Option<(f64, f64)> {
    let values: Vec<f64> = values.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let (first, last) = (*values.first()?, *values.last()?);
    let step = (last - first) / values.len().saturating_sub(1).max(1) as f64;
    // Digits of a list that a user types, not of arithmetic.
    let on = |(k, x): (usize, &f64)| (x - (first + step * k as f64)).abs() < 1e-3 * step;
    let rise = step > 0.0 && values.iter().enumerate().all(on);
    rise.then_some((first - 0.5 * step, last + 0.5 * step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_drawn_for_even_steps_alone() {
        let values = |list: &[f64]| list.iter().map(|x| Value::from(*x)).collect::<Vec<_>>();
        assert_eq!(even(&values(&[1.0, 2.0, 3.0])), Some((0.5, 3.5)));
        assert!(even(&values(&[0.0, 0.1, 0.2, 0.1 + 0.2])).is_some());
        for odd in [&[1.0, 2.0, 10.0][..], &[3.0, 2.0, 1.0], &[1.0], &[]] {
            assert_eq!(even(&values(odd)), None, "{odd:?}");
        }
    }
}

//! Figures of a search: what the runs answer over one key or two.

use anyhow::Result;
use klast_plot::{Axis, Cells, HeatMap, LineChart, Series, line_colour};
use klast_runs::answer::Answer;
use serde_json::Value;

use super::Point;

/// The three figures over the key, and the bracket of a limit; none where the values are no numbers.
pub fn curves(
    keys: &[String],
    points: &[Point],
    bracket: Option<(f64, f64)>,
) -> Result<Option<String>> {
    let answered: Vec<(f64, &Answer)> = points
        .iter()
        .filter_map(|p| Some((p.values.first()?.as_f64()?, p.answer.as_ref().ok()?)))
        .collect();
    let mut outcomes: Vec<&str> = answered.iter().map(|(_, a)| a.outcome.as_str()).collect();
    outcomes.dedup();
    outcomes.sort_unstable();
    outcomes.dedup();
    let mut charts = Vec::new();
    for k in 0..3 {
        let Some((_, first)) = answered.first() else {
            break;
        };
        let figure = &first.figures[k];
        let label = format!(
            "{} [{}]",
            figure.quantity,
            if figure.unit.is_empty() {
                "-"
            } else {
                figure.unit
            }
        );
        let values = || {
            answered
                .iter()
                .filter_map(|(x, a)| Some((*x, a.figures[k].value?, a.outcome.as_str())))
        };
        if values().count() == 0 {
            continue;
        }
        let line = values().map(|(x, y, _)| (x, y)).collect();
        let mut chart = LineChart::new("", Axis::new(&keys[0]), Axis::new(&label))
            .height(300)
            .with(Series::line("", line).coloured(klast_plot::FIXED));
        for (rank, outcome) in outcomes.iter().enumerate() {
            let own: Vec<(f64, f64)> = values()
                .filter(|v| v.2 == *outcome)
                .map(|(x, y, _)| (x, y))
                .collect();
            if !own.is_empty() {
                chart = chart.with(Series::points(outcome, own).coloured(line_colour(rank + 1)));
            }
        }
        if let Some((low, high)) = bracket {
            let ends = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
                (a.min(v.1), b.max(v.1))
            });
            let at = 0.5 * (low + high);
            chart = chart.with(
                Series::dashed("limit", vec![(at, ends.0), (at, ends.1)]).coloured(line_colour(0)),
            );
        }
        charts.push(chart);
    }
    (!charts.is_empty())
        .then(|| Ok(LineChart::panels(&charts)?))
        .transpose()
}

/// The outcome over two keys: cells where the values of both rise by even steps, points otherwise; none where they are
/// no numbers.
pub fn map(
    keys: &[String],
    (rows, columns): (&[Value], &[Value]),
    points: &[Point],
) -> Result<Option<String>> {
    let mut names: Vec<String> = Vec::new();
    let index: Vec<usize> = points
        .iter()
        .map(|p| {
            let name = p.answer.as_ref().map_or("failed", |a| a.outcome.as_str());
            let known = names.iter().position(|n| n == name);
            known.unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            })
        })
        .collect();
    if let (Some(y), Some(x)) = (even(rows), even(columns)) {
        let index = index.iter().map(|i| u8::try_from(*i).unwrap_or(u8::MAX));
        let cells = Cells::Classes {
            names,
            index: index.collect(),
        };
        let (x, y) = (
            Axis::new(&keys[1]).range(x.0, x.1),
            Axis::new(&keys[0]).range(y.0, y.1),
        );
        let map = HeatMap::new("Outcome", x, y, (columns.len(), rows.len()), cells);
        return Ok(Some(map.svg()?));
    }
    let place = |p: &Point| Some((p.values.get(1)?.as_f64()?, p.values.first()?.as_f64()?));
    let Some(places) = points.iter().map(place).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let mut chart = LineChart::new("Outcome", Axis::new(&keys[1]), Axis::new(&keys[0]));
    for (k, name) in names.iter().enumerate() {
        let own = places.iter().zip(&index).filter(|(_, i)| **i == k);
        chart = chart.with(Series::points(name, own.map(|(p, _)| *p).collect()));
    }
    Ok(Some(chart.svg()?))
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
        let point = |row: f64, column: f64| Point {
            values: values(&[row, column]),
            answer: Err("no end".to_owned()),
        };
        let keys = ["a".to_owned(), "b".to_owned()];
        let (rows, columns) = (values(&[1.0, 2.0]), values(&[1.0, 2.0, 10.0]));
        let points: Vec<Point> = [1.0, 2.0]
            .iter()
            .flat_map(|r| [1.0, 2.0, 10.0].map(|c| point(*r, c)))
            .collect();
        // A mark at each place: its axis is one of numbers.
        let svg = map(&keys, (&rows, &columns), &points).unwrap().unwrap();
        assert!(!svg.contains("Map: "), "{svg}");
    }
}

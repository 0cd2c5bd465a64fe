//! Events that follow one another too closely to be told apart, as one row of a table.

use std::ops::Range;

/// Events nearer to one another than this part of a run are of one settling.
const NEAR: f64 = 1e-3;

/// The rows of a table of events, each as the range of its events. Impacts and what they close are one row with those
/// that follow within a thousandth of the run; every other event has a row of its own.
///
/// `events` gives the time of each event and its name, in order.
pub fn rows<'a>(events: impl Iterator<Item = (f64, &'a str)>, end: f64) -> Vec<Range<usize>> {
    let folds = |event: &str| ["impact", "closing"].contains(&event);
    let mut rows: Vec<Range<usize>> = Vec::new();
    let mut last: Option<(f64, &str)> = None;
    for (k, (time, event)) in events.enumerate() {
        let near = last.is_some_and(|(before, name)| {
            folds(name) && folds(event) && time - before < NEAR * end
        });
        match rows.last_mut().filter(|_| near) {
            Some(row) => row.end = k + 1,
            None => rows.push(k..k + 1),
        }
        last = Some((time, event));
    }
    rows
}

/// The events of a row in words: `impact`, or `39 impacts, 1 closing`.
pub fn words<'a>(events: impl Iterator<Item = &'a str> + Clone) -> String {
    let count = |name: &str| events.clone().filter(|e| *e == name).count();
    match (events.clone().count(), events.clone().next()) {
        (1, Some(event)) => event.to_owned(),
        _ => {
            let told = ["impact", "closing"].map(|name| match count(name) {
                0 => String::new(),
                1 => format!("1 {name}"),
                n => format!("{n} {name}s"),
            });
            let told: Vec<String> = told.into_iter().filter(|t| !t.is_empty()).collect();
            told.join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_settling_is_one_row() {
        let events = [
            (0.1, "opening"),
            (0.5, "impact"),
            (0.501, "impact"),
            (0.5015, "impact"),
            (0.5016, "closing"),
            (0.5017, "opening"),
            (0.9, "impact"),
            (2.0, "impact"),
            (2.0001, "fall"),
        ];
        let found = rows(events.into_iter(), 4.0);
        assert_eq!(found, [0..1, 1..5, 5..6, 6..7, 7..8, 8..9]);
        let said: Vec<String> = found
            .iter()
            .map(|r| words(events[r.clone()].iter().map(|e| e.1)))
            .collect();
        assert_eq!(
            said,
            [
                "opening",
                "3 impacts, 1 closing",
                "opening",
                "impact",
                "impact",
                "fall"
            ]
        );
    }
}

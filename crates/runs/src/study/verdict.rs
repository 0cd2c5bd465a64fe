//! What a study answers.

use super::bisection::magnitude;
use super::result::{Cells, Count, MethodName, Results, Row};
use crate::answer::{Answer, Figure, Judgement, counted, percent, short};

/// Most groups of runs that a sentence lists.
const MOST_GROUPS: usize = 8;

impl Results {
    /// The answer of the study: the limit of a bisection, the key that matters most, or the outcomes.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let (mut verdict, judgement, outcome) = match s.method {
            MethodName::Bisection => self.of_bisection(),
            MethodName::Sobol | MethodName::OneAtATime => {
                let most = self.most_influential();
                let said = most.unwrap_or_else(|| "No number changes with any key.".to_owned());
                (said, Judgement::Measured, "studied")
            }
            MethodName::Grid | MethodName::Sample => {
                (self.outcomes(), Judgement::Measured, "studied")
            }
        };
        if s.failed > 0 {
            let failed = counted(s.failed as u64, "run");
            verdict += &format!(" {failed} failed: see the table.");
        }
        let figures = match (s.method, &s.limit) {
            (MethodName::Bisection, limit) => [
                Figure::new(
                    "value before the change",
                    limit.as_ref().map(|l| l.before),
                    "",
                ),
                Figure::new(
                    "value after the change",
                    limit.as_ref().map(|l| l.after),
                    "",
                ),
                Figure::count("runs", s.runs),
            ],
            _ => [
                Figure::count("runs", s.runs),
                Figure::count("outcomes", s.outcomes.len()),
                Figure::count("runs that failed", s.failed),
            ],
        };
        Answer {
            verdict,
            judgement,
            outcome: if s.outcomes.is_empty() {
                "not run"
            } else {
                outcome
            }
            .to_owned(),
            figures,
        }
    }

    /// Without a change between its ends a bisection cannot say whether there is a limit.
    fn of_bisection(&self) -> (String, Judgement, &'static str) {
        let s = &self.summary;
        let key = s.keys.first().map_or("", String::as_str);
        if self.open {
            let said = format!("A run without an answer ends the search for a change along {key}.");
            return (said, Judgement::Undecided, "no answer");
        }
        let Some(limit) = &s.limit else {
            let said = format!(
                "The outcome is the same at every value of {key} ({}): there is no limit to be found between them.",
                s.outcomes.first().map_or("none", |c| &c.outcome)
            );
            return (said, Judgement::Undecided, "no change");
        };
        let width = limit.after - limit.before;
        let mut said = format!(
            "The verdict changes between {key} = {} ({}) and {} ({}).",
            digits(limit.before, width),
            limit.outcome_before,
            digits(limit.after, width),
            limit.outcome_after
        );
        if let Some(groups) = self.groups().filter(|_| s.outcomes.len() > 2) {
            said += &format!(" Outcomes {groups}.");
        }
        said += " If the verdict changes more than once between the ends, there are more limits than this one.";
        (said, Judgement::Measured, "limit found")
    }

    /// The outcomes of all runs in words: with the values of one key where they are few.
    fn outcomes(&self) -> String {
        let s = &self.summary;
        let ran = s.runs - s.failed;
        let names: Vec<&str> = s.outcomes.iter().map(|c| c.outcome.as_str()).collect();
        let shares = || {
            let all = s.runs.max(1) as f64;
            let share = |c: &Count| format!("{} in {}", c.outcome, percent(c.runs as f64 / all));
            s.outcomes.iter().map(share).collect::<Vec<_>>().join("; ")
        };
        let counts = || {
            let count = |c: &Count| format!("{} in {}", c.outcome, c.runs);
            s.outcomes.iter().map(count).collect::<Vec<_>>().join("; ")
        };
        match names[..] {
            [] => "None of the runs came to an end.".to_owned(),
            [one] if s.failed == 0 => format!("All {} runs say: {one}.", s.runs),
            [one] => format!("All {ran} runs that came to an end say: {one}."),
            _ if s.method == MethodName::Sample => {
                format!("{} outcomes in {} runs: {}.", names.len(), s.runs, shares())
            }
            _ => {
                let groups = self.groups().unwrap_or_else(counts);
                format!("{} outcomes in {} runs: {groups}.", names.len(), s.runs)
            }
        }
    }

    /// Runs of neighbouring values with one outcome; none of several keys, or if there are many.
    fn groups(&self) -> Option<String> {
        let [key] = &self.summary.keys[..] else {
            return None;
        };
        let same = |a: &Row, b: &Row| a.outcome == b.outcome;
        let groups: Vec<&[Row]> = self.runs.chunk_by(same).collect();
        let value = |row: &Row| {
            let value = &row.keys.0.first()?.1;
            Some(
                value
                    .as_f64()
                    .map_or_else(|| Cells::words(value).into_owned(), short),
            )
        };
        let group = |rows: &&[Row]| {
            let (first, last) = (rows.first()?, rows.last()?);
            let (from, to) = (value(first)?, value(last)?);
            Some(match rows.len() {
                1 => format!("{} at {from}", first.outcome),
                _ => format!("{} from {from} to {to}", first.outcome),
            })
        };
        let few = groups.len() <= MOST_GROUPS;
        let said: Vec<String> = groups.iter().filter_map(group).collect();
        few.then(|| format!("over {key}: {}", said.join("; ")))
    }

    /// The key and the number of the largest total index, or of the largest relative range.
    fn most_influential(&self) -> Option<String> {
        let index = self
            .indices
            .iter()
            .max_by(|a, b| a.total.total_cmp(&b.total));
        if let Some(row) = index {
            return Some(format!(
                "`{}` has the largest influence: its total index of {} is {} ({} to {}, 95 % interval over {} sets).",
                row.key,
                row.number,
                short(row.total),
                short(row.total_lower),
                short(row.total_upper),
                row.sets
            ));
        }
        let by_range = self.changes.iter().filter(|row| row.relative_range > 0.0);
        let row = by_range.max_by(|a, b| a.relative_range.total_cmp(&b.relative_range))?;
        Some(format!(
            "With one key varied at a time, `{}` has the largest influence: it changes {} from {} to {}.",
            row.key,
            row.number,
            short(row.min),
            short(row.max)
        ))
    }
}

/// As many digits as tell two numbers of a distance apart.
fn digits(x: f64, distance: f64) -> String {
    let places = (1 - magnitude(distance)).clamp(0, 12) as usize;
    format!("{x:.places$}")
}

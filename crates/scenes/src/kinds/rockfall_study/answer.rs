//! What a study of a rockfall answers.

use super::result::Results;
use crate::answer::{Answer, Figure, Judgement, counted, short};

impl Results {
    /// The answer of the study: what a back analysis finds, else the number that matters most.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let most = self
            .effects
            .iter()
            .max_by(|a, b| a.mean_absolute.total_cmp(&b.mean_absolute));
        let spread = |key: &str| {
            let own = self
                .sensitivity
                .iter()
                .filter(|r| r.key == key)
                .filter_map(|r| r.found);
            let ends = own.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
                (a.min(x), b.max(x))
            });
            ends.1 - ends.0
        };
        let widest = self
            .sensitivity
            .iter()
            .max_by(|a, b| spread(&a.key).total_cmp(&spread(&b.key)));
        let trials = counted(s.trials as u64, "trial");
        let verdict = match (self.sentence(), most, widest) {
            (Some(found), _, _) => found,
            (None, Some(e), _) => format!(
                "{} matters most: over its range it changes {} by {} in the mean ({trials}).",
                e.key.replace('_', " "),
                e.outcome.replace('_', " "),
                short(e.mean_absolute)
            ),
            (None, None, Some(row)) => format!(
                "One number at a time, {} spreads an outcome most ({trials}).",
                row.key.replace('_', " ")
            ),
            (None, None, None) => format!("{trials}, and nothing to tell of them."),
        };
        Answer {
            verdict,
            judgement: Judgement::Measured,
            outcome: "studied".to_owned(),
            figures: [
                Figure::count("trials", s.trials),
                Figure::count("rocks of each", s.rocks),
                Figure::count("sets that are kept", s.retained),
            ],
        }
    }
}

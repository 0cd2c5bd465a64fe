//! What a run of many bodies answers.

use super::result::{Results, Stop};
use super::verdict::Verdict;
use crate::answer::{Answer, Figure, Judgement};

impl Results {
    /// The answer of the run.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let (judgement, outcome) = match (s.verdict, s.stopped_by) {
            (Some(Verdict::Stands), _) => (Judgement::Holds, "stands"),
            (Some(Verdict::Falls), _) => (Judgement::Fails, "falls"),
            (Some(Verdict::Undecided), _) => (Judgement::Undecided, "undecided"),
            (None, Stop::Rest) => (Judgement::Measured, "at rest"),
            (None, Stop::Duration) => (Judgement::Measured, "still moves"),
        };
        Answer {
            verdict: self.sentence(),
            judgement,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new("largest displacement of a body", s.max_displacement_m, "m"),
                Figure::new("largest overlap of a contact", s.max_overlap_m, "m"),
                Figure::new(
                    "largest residual of the contact problems",
                    s.max_residual,
                    "",
                ),
            ],
        }
    }
}

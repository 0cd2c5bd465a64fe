//! What an overturning map of a stack answers.

use super::result::Results;
use klast_runs::answer::{Answer, Figure, Judgement, percent};

impl Results {
    /// The answer of the map.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let doubts = s.beyond_model.unresolved_runs
            + s.beyond_model.jumping_runs
            + s.beyond_model.sliding_runs;
        let mut verdict = format!(
            "The stack stands in {} of the map, loses blocks in {} and falls as a whole in {}.",
            percent(s.standing),
            percent(s.partial_overturning),
            percent(s.total_overturning)
        );
        if s.undecided > 0.0 {
            verdict += &format!(" {} was cut off.", percent(s.undecided));
        }
        if doubts > 0 {
            verdict += " Some runs leave the model: see the warnings.";
        }
        Answer {
            verdict,
            judgement: Judgement::Measured,
            outcome: if s.standing < 1.0 {
                "falls in places"
            } else {
                "stands everywhere"
            }
            .to_owned(),
            figures: [
                Figure::new("cells that stand", 100.0 * s.standing, "%"),
                Figure::new("cells that lose blocks", 100.0 * s.partial_overturning, "%"),
                Figure::new(
                    "cells that fall as a whole",
                    100.0 * s.total_overturning,
                    "%",
                ),
            ],
        }
    }
}

//! What the outcomes over a scale answer: the least factor at which blocks fall.

use super::result::Results;
use klast_runs::answer::{Answer, Figure, Judgement, short};

impl Results {
    /// The answer of the scan.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let least = self.summary.min_overturning_factor;
        let largest = self.scale.iter().map(|r| r.factor).fold(0.0, f64::max);
        let fell = self.scale.iter().filter(|r| r.fallen > 0).count();
        let returns =
            least.is_some_and(|f| self.scale.iter().any(|r| r.factor > f && r.fallen == 0));
        let verdict = match least {
            Some(factor) => format!(
                "Blocks fall from {} times the motion on{}.",
                short(factor),
                if returns {
                    ", but not at every larger factor"
                } else {
                    ""
                }
            ),
            None => format!("No block falls up to {} times the motion.", short(largest)),
        };
        Answer {
            verdict,
            judgement: Judgement::Measured,
            outcome: if least.is_some() { "falls" } else { "stands" }.to_owned(),
            figures: [
                Figure::new("least factor at which blocks fall", least, ""),
                Figure::count("factors at which blocks fall", fell),
                Figure::count("factors tried", self.scale.len()),
            ],
        }
    }
}

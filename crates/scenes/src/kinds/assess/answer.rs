//! What an assessment answers: of the limit state that is worst met.

use super::result::{LimitAnswer, LimitVerdict, Results};
use crate::answer::{Answer, Figure, Judgement};

impl Results {
    /// The answer of the assessment.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let rank = |limit: &LimitAnswer| match limit.verdict {
            LimitVerdict::NotMet => 2,
            LimitVerdict::Undecided => 1,
            LimitVerdict::Met => 0,
        };
        let worst = s.limit_states.iter().max_by_key(|limit| rank(limit));
        let judgement = worst.map_or(Judgement::Measured, |limit| limit.verdict.into());
        Answer {
            verdict: self.sentence(),
            judgement,
            outcome: worst.map_or("nothing asked".to_owned(), |l| l.verdict.word().to_owned()),
            figures: [
                Figure::new(
                    &worst.map_or("fraction of the records".to_owned(), |l| {
                        format!("records that reach {}", l.state)
                    }),
                    worst.map(|l| 100.0 * l.fraction),
                    "%",
                ),
                Figure::new(
                    "base acceleration that lifts it off",
                    s.lift_off_m_s2,
                    "m/s²",
                ),
                Figure::needed_friction(
                    "friction that rocking without slip needs",
                    Some(s.needed_friction),
                ),
            ],
        }
    }
}

//! What an assessment answers: of the limit state that is worst met.

use super::result::{LimitAnswer, Results};
use crate::answer::{Answer, Figure, Judgement};

impl Results {
    /// The answer of the assessment.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let judged = |l: &LimitAnswer| match l.verdict {
            v if v.contains("undecided") => Judgement::Undecided,
            v if v.contains("not") => Judgement::Fails,
            _ => Judgement::Holds,
        };
        let rank = |j: Judgement| match j {
            Judgement::Fails => 2,
            Judgement::Undecided => 1,
            _ => 0,
        };
        let worst = s.limit_states.iter().max_by(|a, b| {
            let (a, b) = (judged(a), judged(b));
            rank(a).cmp(&rank(b))
        });
        let judgement = worst.map_or(Judgement::Measured, judged);
        Answer {
            verdict: self.sentence(),
            judgement,
            outcome: worst.map_or("nothing asked".to_owned(), |l| l.verdict.to_owned()),
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

//! What one motion of a block answers.

use super::result::{Outcome, Results};
use crate::answer::{Answer, Figure, Judgement};

impl Results {
    /// The answer of the run.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let ended = s.slip.is_none() && s.no_slip.is_some_and(|n| !n.decides);
        let (judgement, outcome) = match s.outcome {
            _ if ended => (Judgement::Undecided, "the model ends"),
            Outcome::OverturnedLeft | Outcome::OverturnedRight => (Judgement::Fails, "overturns"),
            Outcome::Rocking | Outcome::Sliding => (Judgement::Undecided, "still moves"),
            Outcome::Rest => (Judgement::Holds, "stays at rest"),
            Outcome::Slid => (Judgement::Holds, "slides and stands"),
            Outcome::Settled => (Judgement::Holds, "rocks and stands"),
        };
        // A friction without a value is one that no ground has.
        let overturns = matches!(
            s.outcome,
            Outcome::OverturnedLeft | Outcome::OverturnedRight
        );
        let (quantity, needed) = if overturns {
            (
                "friction that is needed up to the balance",
                s.no_slip.map(|n| n.needed_friction_to_balance),
            )
        } else {
            (
                "friction that is needed",
                s.no_slip.map(|n| n.needed_friction),
            )
        };
        let needed = needed.map(|n| n.unwrap_or(f64::INFINITY));
        let third = match &s.slip {
            Some(slip) => Figure::new("largest slip of the foot", slip.max_slip_m, "m"),
            None => Figure::needed_friction(quantity, needed),
        };
        Answer {
            verdict: s.verdict.clone(),
            judgement,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new("largest rotation", s.max_rotation_rad, "rad"),
                Figure::count("impacts", s.impacts),
                third,
            ],
        }
    }
}

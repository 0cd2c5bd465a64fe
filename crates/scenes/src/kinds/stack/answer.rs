//! What one motion of a stack answers.

use super::result::Results;
use super::verdict::Judged;
use crate::answer::{Answer, Figure, Judgement};

impl Results {
    /// The answer of the run.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let outcome = s.outcome.word();
        let (judgement, outcome) = match s.judgement {
            Judged::Stands => (Judgement::Holds, outcome),
            Judged::Falls => (Judgement::Fails, outcome),
            Judged::Moves | Judged::Unresolved => (Judgement::Undecided, outcome),
            Judged::ModelEnds => (Judgement::Undecided, "the model ends"),
            Judged::CutOff => (Judgement::Undecided, "cut off"),
        };
        let rotations = self.history.iter().flat_map(|h| &h.rotation_rad);
        let largest = rotations
            .flatten()
            .fold(f64::NEG_INFINITY, |m, r| m.max(r.abs()));
        let ranges = s.range_rad.iter().flatten();
        let largest = ranges.fold(largest, |m, (low, high)| m.max(low.abs()).max(high.abs()));
        let turned = s.largest_rotation_rad.iter().flatten();
        let largest = turned.fold(largest, |m, r| m.max(*r));
        let third = match (&s.largest_offset_m, &s.no_slip) {
            (Some(offsets), _) => Figure::new(
                "largest offset of a block",
                offsets.iter().fold(0.0f64, |m, s| m.max(*s)),
                "m",
            ),
            (None, Some(no_slip)) => {
                let (still, hit) = (
                    no_slip.needed_friction.value,
                    no_slip.needed_friction_of_impacts.value,
                );
                // A friction without a value is one that no joint has.
                let needed = still
                    .zip(hit)
                    .map_or(f64::INFINITY, |(still, hit)| still.max(hit));
                Figure::needed_friction("friction that is needed", Some(needed))
            }
            (None, None) => Figure::new("time at the end", s.end_time_s, "s"),
        };
        Answer {
            verdict: s.verdict.clone(),
            judgement,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new("largest rotation of a block", largest, "rad"),
                Figure::count("blocks that begin a fall", s.falls.len()),
                third,
            ],
        }
    }
}

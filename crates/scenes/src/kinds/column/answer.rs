//! What the motion of a column answers.

use super::result::{Results, Summary};
use crate::answer::{Answer, Figure, Judgement, length, short};

/// Part of the steps that may be left above the tolerance.
const UNSOLVED: f64 = 1e-3;

/// Part by which two largest tilts may differ that count as one.
const ALIKE: f64 = 0.1;

impl Results {
    /// The answer of the run.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let (judgement, outcome) = if s.steps_differ() || s.unsolved() {
            (Judgement::Undecided, "undecided")
        } else {
            match s.outcome {
                "overturned" => (Judgement::Fails, "overturned"),
                "rocking" => (Judgement::Undecided, "rocking"),
                other => (Judgement::Holds, other),
            }
        };
        Answer {
            verdict: s.verdict(),
            judgement,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new(
                    "largest tilt over the critical tilt",
                    s.largest_tilt_over_critical,
                    "",
                ),
                Figure::new(
                    "largest residual offset of a drum",
                    s.largest_residual_offset_m,
                    "m",
                ),
                Figure::new(
                    "largest residual rotation of a drum",
                    s.largest_residual_rotation_rad,
                    "rad",
                ),
            ],
        }
    }

    /// What the reader has to know, a sentence each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let s = &self.summary;
        let mut warnings = Vec::new();
        let half = s.half_step.map_or(0, |half| half.steps_not_converged);
        if s.steps_not_converged + half > 0 {
            warnings.push(format!(
                "the contacts of {} steps are not solved to the tolerance",
                s.steps_not_converged + half
            ));
        }
        if let Some(half) = s.half_step
            && !s.steps_differ()
            && (half.largest_tilt_rad - s.largest_tilt_rad).abs() > ALIKE * s.largest_tilt_rad
        {
            warnings.push(format!(
                "at half the step the largest tilt is {} rad in place of {} rad: the motion is sensitive, or the step too long",
                short(half.largest_tilt_rad),
                short(s.largest_tilt_rad)
            ));
        }
        warnings
    }
}

impl Summary {
    /// Whether one step overturns the column and the other does not.
    fn steps_differ(&self) -> bool {
        let falls = |outcome| outcome == "overturned";
        self.half_step
            .is_some_and(|half| falls(half.outcome) != falls(self.outcome))
    }

    /// Whether more steps than a stray one or two are not solved to the tolerance.
    fn unsolved(&self) -> bool {
        let steps = self.end_time_s / self.step_s;
        self.steps_not_converged as f64 > UNSOLVED * steps
    }

    fn verdict(&self) -> String {
        let one = self.drums.len() < 2;
        let column = if one { "The body" } else { "The column" };
        let ratio = short(self.largest_tilt_over_critical);
        let mut text = match (self.outcome, self.overturned_time_s) {
            (_, Some(time)) => {
                let time = short(time);
                match self.fallen_drum {
                    Some(drum) if !one => {
                        format!(
                            "{column} falls at {time} s, drum {drum} the lowest of those that fall"
                        )
                    }
                    _ => format!("{column} overturns at {time} s"),
                }
            }
            ("rest", None) => format!("{column} stays at rest"),
            ("settled", None) => {
                format!("{column} rocks up to {ratio} of its critical tilt and comes to rest")
            }
            _ => format!(
                "{column} rocks up to {ratio} of its critical tilt and still moves at the end"
            ),
        };
        if self.overturned_time_s.is_none()
            && self.largest_residual_offset_m > 0.0
            && self.outcome != "rest"
        {
            text.push_str(&format!(
                "; {} is {} from where it stood",
                if one {
                    "its base"
                } else {
                    "the drum moved most"
                },
                length(self.largest_residual_offset_m)
            ));
        }
        text.push_str(&match self.half_step {
            Some(half) if self.steps_differ() => format!(
                ". Undecided: at half the step of {} s the outcome is \"{}\".",
                short(self.step_s),
                half.outcome
            ),
            _ if self.unsolved() => format!(
                ". Undecided: the contacts of {} steps are not solved to the tolerance.",
                self.steps_not_converged
            ),
            Some(_) => format!(
                ", at the step of {} s and at half of it.",
                short(self.step_s)
            ),
            None => format!(", at the step of {} s alone.", short(self.step_s)),
        });
        text
    }
}

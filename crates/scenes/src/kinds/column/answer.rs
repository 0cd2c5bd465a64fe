//! What the motion of a column answers.

use super::result::{HalfStep, Results, Summary};
use crate::answer::{Answer, Figure, Judgement, length, short};

/// Part of the steps that may be left above the tolerance.
const UNSOLVED: f64 = 1e-3;

/// Part of the critical tilt below which a body has not rocked.
const TILTLESS: f64 = 1e-6;

/// Part by which two largest tilts may differ that count as one.
const ALIKE: f64 = 0.1;

impl Results {
    /// The answer of the run.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let (judgement, outcome) = if s.steps_differ() || s.unsolved().is_some() {
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
                    "largest offset of a drum, at the end",
                    s.largest_residual_offset_m,
                    "m",
                ),
                Figure::new(
                    "largest turn of a drum about its axis, at the end",
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
    /// Whether the column overturns, still rocks or stands at one step and not at the other.
    fn steps_differ(&self) -> bool {
        let class = |outcome| match outcome {
            "overturned" => 0,
            "rocking" => 1,
            _ => 2,
        };
        self.half_step
            .is_some_and(|half| class(half.outcome) != class(self.outcome))
    }

    /// Steps that are not solved to the tolerance, of the run or else of that at half the step, where they are more
    /// than a stray one or two.
    fn unsolved(&self) -> Option<usize> {
        let steps = self.end_time_s / self.step_s;
        let half = self.half_step.map_or(0, |half| half.steps_not_converged);
        let runs = [(self.steps_not_converged, steps), (half, 2.0 * steps)];
        let many = |(unsolved, steps): &(usize, f64)| *unsolved as f64 > UNSOLVED * steps;
        runs.into_iter().find(many).map(|(unsolved, _)| unsolved)
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
            ("settled", None) if self.largest_tilt_over_critical < TILTLESS => {
                format!("{column} slides and comes to rest")
            }
            ("settled", None) => {
                format!("{column} rocks up to {ratio} of its critical tilt and comes to rest")
            }
            _ => format!(
                "{column} rocks up to {ratio} of its critical tilt and still moves at the end"
            ),
        };
        if self.outcome != "rest"
            && self.overturned_time_s.is_none()
            && self.largest_residual_offset_m > 0.0
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
        text.push_str(&match (self.half_step, self.unsolved()) {
            (Some(half), _) if self.steps_differ() => format!(
                ". Undecided: at half the step of {} s the outcome is \"{}\".",
                short(self.step_s),
                half.outcome
            ),
            (_, Some(steps)) => {
                format!(
                    ". Undecided: the contacts of {steps} steps are not solved to the tolerance."
                )
            }
            (Some(half), None) => format!(
                ". At half the step of {} s {}.",
                short(self.step_s),
                half.said()
            ),
            (None, None) => format!(", at the step of {} s alone.", short(self.step_s)),
        });
        text
    }
}

impl HalfStep {
    /// What it found, behind "at half the step".
    fn said(&self) -> String {
        match self.overturned_time_s {
            Some(time) => format!("it falls at {} s", short(time)),
            None => format!(
                "the largest tilt is {} of the critical tilt",
                short(self.largest_tilt_over_critical)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of 1000 steps and of 2000 at half the step: both have to say the same, and both have to be solved.
    #[test]
    fn both_steps_have_to_carry_the_verdict() {
        let answer = |outcome, unsolved, half, half_unsolved| {
            let summary = Summary {
                outcome,
                end_time_s: 1.0,
                step_s: 1e-3,
                steps_not_converged: unsolved,
                half_step: Some(HalfStep {
                    outcome: half,
                    overturned_time_s: None,
                    largest_tilt_rad: 0.0,
                    largest_tilt_over_critical: 0.0,
                    largest_residual_offset_m: 0.0,
                    steps_not_converged: half_unsolved,
                }),
                ..Summary::default()
            };
            let results = Results {
                summary,
                history: Vec::new(),
            };
            results.answer()
        };
        for (outcome, unsolved, half, half_unsolved) in [
            ("settled", 0, "rocking", 0),
            ("rest", 0, "rocking", 0),
            ("rocking", 0, "settled", 0),
            ("settled", 0, "overturned", 0),
            ("overturned", 0, "rocking", 0),
            ("settled", 2, "settled", 0),
            ("settled", 0, "settled", 3),
            ("overturned", 0, "overturned", 3),
        ] {
            let said = answer(outcome, unsolved, half, half_unsolved);
            assert_eq!(said.judgement, Judgement::Undecided, "{outcome} {half}");
            assert_eq!(said.outcome, "undecided");
            assert!(said.verdict.contains("Undecided: "), "{}", said.verdict);
        }
        for (outcome, half, judgement) in [
            ("settled", "rest", Judgement::Holds),
            ("settled", "settled", Judgement::Holds),
            ("overturned", "overturned", Judgement::Fails),
        ] {
            assert_eq!(answer(outcome, 1, half, 2).judgement, judgement);
        }
    }
}

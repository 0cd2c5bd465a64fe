//! What the motion of a column answers.

use super::result::{FinerRun, Outcome, Results, Summary};
use klast_runs::answer::{Answer, Figure, Judgement, length, short};

/// Part of the steps that may be left above the tolerance.
const UNSOLVED: f64 = 1e-3;

/// Part of the critical tilt below which a body has not rocked.
const TILTLESS: f64 = 1e-6;

/// Part by which two largest tilts may differ that count as one.
const ALIKE: f64 = 0.1;

/// Why a verdict is not carried.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Doubt {
    /// Another outcome at half the step.
    Step(Outcome),
    /// Another outcome with twice the points.
    Sides(Outcome),
    /// With more points still it may overturn: the largest tilt over the critical one with twice the points, and that
    /// with as much again added as these points did.
    MoreSides(f64, f64),
    /// Contacts of so many steps are not solved to the tolerance.
    Unsolved(usize),
}

impl Results {
    /// The answer of the run.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let (judgement, outcome) = match (s.doubt(), s.outcome) {
            (Some(_), _) => (Judgement::Undecided, "undecided"),
            (None, Outcome::Overturned) => (Judgement::Fails, s.outcome.word()),
            (None, Outcome::Rocking) => (Judgement::Undecided, s.outcome.word()),
            (None, Outcome::Rest | Outcome::Settled | Outcome::Wobbling) => {
                (Judgement::Holds, s.outcome.word())
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
        let unsolved = s.finer().map(|(_, run)| run.steps_not_converged);
        let unsolved = s.steps_not_converged + unsolved.sum::<usize>();
        if unsolved > 0 {
            warnings.push(format!(
                "the contacts of {unsolved} steps are not solved to the tolerance"
            ));
        }
        for (told, run) in s.finer() {
            if run.outcome.stands() != s.outcome.stands() {
                continue;
            }
            let pairs = [
                (
                    run.overturned_time_s.zip(s.overturned_time_s),
                    "it falls at",
                    "s",
                ),
                (
                    Some((run.largest_tilt_rad, s.largest_tilt_rad)),
                    "the largest tilt is",
                    "rad",
                ),
            ];
            let differ = pairs.into_iter().find_map(|(pair, what, unit)| {
                let (new, old) = pair?;
                ((new - old).abs() > ALIKE * old).then_some((new, old, what, unit))
            });
            if let Some((new, old, what, unit)) = differ {
                warnings.push(format!(
                    "{told} {what} {} {unit} in place of {} {unit}: the motion is sensitive, or these are too coarse",
                    short(new),
                    short(old)
                ));
            }
        }
        warnings
    }
}

impl Outcome {
    /// Whether it stands at the end; none where that is open.
    fn stands(self) -> Option<bool> {
        match self {
            Self::Rest | Self::Settled | Self::Wobbling => Some(true),
            Self::Overturned => Some(false),
            Self::Rocking => None,
        }
    }
}

impl Summary {
    /// The finer runs, each with its name.
    fn finer(&self) -> impl Iterator<Item = (&'static str, FinerRun)> {
        let half = self.half_step.map(|run| ("at half the step", run));
        let sides = self
            .twice_the_sides
            .map(|run| ("with twice the points", run));
        half.into_iter().chain(sides)
    }

    /// Why the verdict is not carried, if it is not: another outcome of a finer run, or more unsolved steps of a run
    /// than a stray one or two.
    fn doubt(&self) -> Option<Doubt> {
        let differs = |run: &FinerRun| run.outcome.stands() != self.outcome.stands();
        if let Some(half) = self.half_step.filter(differs) {
            return Some(Doubt::Step(half.outcome));
        }
        if let Some(rounder) = self.twice_the_sides.filter(differs) {
            return Some(Doubt::Sides(rounder.outcome));
        }
        let own = (self.steps_not_converged, self.end_time_s / self.step_s);
        let finer = self
            .finer()
            .map(|(_, run)| (run.steps_not_converged, run.steps));
        let many = |(unsolved, steps): &(usize, f64)| *unsolved as f64 > UNSOLVED * steps;
        if let Some((unsolved, _)) = std::iter::once(own).chain(finer).find(many) {
            return Some(Doubt::Unsolved(unsolved));
        }
        // What points change falls with their number: all that are still missing change as much as these did.
        let rounder = self.twice_the_sides?.largest_tilt_over_critical;
        let to_come = rounder + (rounder - self.largest_tilt_over_critical);
        let stands = self.outcome.stands() == Some(true);
        (stands && to_come >= 1.0).then_some(Doubt::MoreSides(rounder, to_come))
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
            (Outcome::Rest, None) => format!("{column} stays at rest"),
            (Outcome::Settled, None) if self.largest_tilt_over_critical < TILTLESS => {
                format!("{column} slides and comes to rest")
            }
            (Outcome::Settled, None) => {
                format!("{column} rocks up to {ratio} of its critical tilt and comes to rest")
            }
            (Outcome::Wobbling, None) => format!(
                "{column} rocks up to {ratio} of its critical tilt, and wobbles on with less energy than overturns it"
            ),
            (Outcome::Rocking | Outcome::Overturned, None) => format!(
                "{column} rocks up to {ratio} of its critical tilt and still moves at the end"
            ),
        };
        if self.outcome != Outcome::Rest
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
        let step = short(self.step_s);
        text.push_str(&match (self.doubt(), self.half_step) {
            (Some(doubt), _) => format!(". Undecided: {}.", doubt.said(&step)),
            (None, Some(half)) => format!(". At half the step of {step} s {}.", half.said()),
            (None, None) => format!(", at the step of {step} s alone."),
        });
        if let (None, Some(rounder)) = (self.doubt(), self.twice_the_sides) {
            text.push_str(&format!(" With twice the points {}.", rounder.said()));
        }
        text
    }
}

impl Doubt {
    /// It, behind "undecided"; `step` is that of the run.
    fn said(self, step: &str) -> String {
        match self {
            Self::Step(outcome) => format!(
                "at half the step of {step} s the outcome is \"{}\"",
                outcome.word()
            ),
            Self::Sides(outcome) => format!(
                "with twice the points of the circles the outcome is \"{}\"",
                outcome.word()
            ),
            Self::MoreSides(found, to_come) => format!(
                "with twice the points of the circles the largest tilt is {} of the critical tilt, and with more points \
                 it may reach {}",
                short(found),
                short(to_come)
            ),
            Self::Unsolved(steps) => {
                format!("the contacts of {steps} steps are not solved to the tolerance")
            }
        }
    }
}

impl FinerRun {
    /// What it found, behind its name.
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
    use Outcome::{Overturned, Rest, Rocking, Settled, Wobbling};

    const ALL: [Outcome; 5] = [Rest, Settled, Wobbling, Rocking, Overturned];

    /// A run of 1000 steps, one of 2000 at half the step and one with twice the points, each with its unsolved steps.
    fn answer(runs: [(Outcome, usize); 3]) -> Answer {
        let finer = |(outcome, steps_not_converged): (Outcome, usize), steps: f64| FinerRun {
            outcome,
            steps_not_converged,
            steps,
            ..FinerRun::default()
        };
        let summary = Summary {
            outcome: runs[0].0,
            end_time_s: 1.0,
            step_s: 1e-3,
            steps_not_converged: runs[0].1,
            half_step: Some(finer(runs[1], 2000.0)),
            twice_the_sides: Some(finer(runs[2], 1000.0)),
            ..Summary::default()
        };
        let history = Vec::new();
        Results { summary, history }.answer()
    }

    /// Whatever the three runs found: the verdict is that of all or none, so a finer step and more points never turn
    /// "stands" into "falls" or back.
    #[test]
    fn all_runs_have_to_carry_the_verdict() {
        let stands = |outcome| matches!(outcome, Rest | Settled | Wobbling);
        for whole in ALL {
            for half in ALL {
                for rounder in ALL {
                    let all = [whole, half, rounder];
                    let said = answer(all.map(|outcome| (outcome, 0)));
                    let expected = match all {
                        _ if all.iter().all(|o| *o == Overturned) => Judgement::Fails,
                        _ if all.iter().all(|o| stands(*o)) => Judgement::Holds,
                        _ => Judgement::Undecided,
                    };
                    assert_eq!(said.judgement, expected, "{all:?}");
                }
            }
        }
        let said = answer([(Settled, 0), (Settled, 0), (Overturned, 0)]);
        assert!(said.verdict.contains("Undecided: "), "{}", said.verdict);
        assert_eq!(said.outcome, "undecided");
    }

    /// One unsolved step in a thousand is a stray one, two are not, in whichever run.
    #[test]
    fn all_runs_have_to_be_solved() {
        for outcome in [Rest, Settled, Wobbling, Overturned] {
            let told = |unsolved: [usize; 3]| answer(unsolved.map(|u| (outcome, u))).judgement;
            assert_ne!(told([1, 2, 1]), Judgement::Undecided);
            for many in [[2, 0, 0], [0, 3, 0], [0, 0, 2]] {
                assert_eq!(told(many), Judgement::Undecided, "{many:?}");
            }
        }
    }

    /// Points that brought the tilt from 0.8 to 0.91 of the critical one may bring it to 1.02.
    #[test]
    fn what_more_points_may_overturn_is_undecided() {
        let told = |few: f64, many: f64| {
            let summary = Summary {
                outcome: Settled,
                largest_tilt_over_critical: few,
                end_time_s: 1.0,
                step_s: 1e-3,
                twice_the_sides: Some(FinerRun {
                    outcome: Settled,
                    largest_tilt_over_critical: many,
                    steps: 1000.0,
                    ..FinerRun::default()
                }),
                ..Summary::default()
            };
            let history = Vec::new();
            Results { summary, history }.answer().judgement
        };
        assert_eq!(told(0.8, 0.91), Judgement::Undecided);
        assert_eq!(told(0.8, 0.89), Judgement::Holds);
    }
}

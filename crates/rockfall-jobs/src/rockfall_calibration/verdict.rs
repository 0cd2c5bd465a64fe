//! What a calibration answers: whether its forecasts are worth more than the other runs themselves.

use super::result::{Line, Results};
use crate::rockfall::posterior::{self, Beside};
use klast_runs::answer::{Answer, Figure, Judgement, short};

/// The CRPS of a run by a null model (m).
type Crps = fn(&Line) -> f64;
/// Null models, each with what it forecasts.
const NULLS: [(&str, Crps); 4] = [
    ("the runouts of the other runs themselves", |l| {
        l.null_crps_m
    }),
    ("the median runout of the other runs", |l| {
        l.median_null_crps_m
    }),
    ("the runouts of the other runs of the same rock", |l| {
        l.rock_null_crps_m
    }),
    (
        "the median runout of the other runs of the same rock",
        |l| l.rock_median_null_crps_m,
    ),
];
/// A null model with what it is called and its mean CRPS (m).
type Null = (&'static str, Crps, f64);

/// The null model that is best on some runs.
fn strongest(runs: &[Line]) -> Null {
    let nulls = NULLS.map(|(told, crps)| {
        let scores: Vec<f64> = runs.iter().map(crps).collect();
        (told, crps, mean(&scores).0)
    });
    let [first, ..] = nulls;
    let better = |a: Null, b: Null| if b.2 < a.2 { b } else { a };
    nulls.into_iter().fold(first, better)
}

/// What the forecasts of some runs are better by than a null model (m).
fn better_by(runs: &[Line], crps: Crps) -> Vec<f64> {
    runs.iter().map(|l| crps(l) - l.crps_m).collect()
}

/// Standard errors beyond which a mean of paired differences is taken for one of chance no more.
const BEYOND: f64 = 2.0;

/// Mean and its standard error; the error of less than two numbers is not known.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let square = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
    (mean, (square / (n * (n - 1.0))).sqrt())
}

/// Of paired differences, null less forecast.
fn judged(differences: &[f64]) -> Judgement {
    let (mean, error) = mean(differences);
    match mean.abs() > BEYOND * error {
        true if mean > 0.0 => Judgement::Holds,
        true => Judgement::Fails,
        false => Judgement::Undecided,
    }
}

impl Results {
    /// The answer as the posterior carries it to a forecast.
    #[must_use]
    pub fn for_a_forecast(&self) -> posterior::Verdict {
        let answer = self.answer();
        posterior::Verdict {
            beside_null_models: match answer.judgement {
                Judgement::Holds => Beside::Better,
                Judgement::Fails => Beside::Worse,
                _ => Beside::Undecided,
            },
            sentence: answer.verdict,
        }
    }

    /// The answer of the calibration, beside the null model that is best on these runs.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let (told, crps, null) = strongest(&self.runs);
        let ours = s.forecast.mean_crps_m;
        let pairs = better_by(&self.runs, crps);
        let judgement = judged(&pairs);
        let (difference, error) = mean(&pairs);
        let (verdict, outcome) = match judgement {
            Judgement::Holds => ("The forecasts are better", "better than the null model"),
            Judgement::Fails => ("The forecasts are worse", "worse than the null model"),
            _ => (
                "It is undecided whether the forecasts are better",
                "undecided beside the null model",
            ),
        };
        let inside = s.forecast.observed_inside_90;
        Answer {
            verdict: format!(
                "{verdict} than {told}: mean fair CRPS {} m against {} m, a difference of {} m with a standard error of {} m; {inside} of {} observed runouts lie in the central 90 % of their forecasts.",
                short(ours),
                short(null),
                short(difference),
                short(error),
                s.runs
            ),
            judgement,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new("mean fair CRPS of the forecasts", ours, "m"),
                Figure::new("mean fair CRPS of the null model", null, "m"),
                Figure::new(
                    "mean error of the median runout",
                    s.forecast.mean_median_error_m,
                    "m",
                ),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_within_two_standard_errors_decides_nothing() {
        // Of 1, 2, 3 the mean is 2 and its standard error 1/√3; of -1, 2, 3 they are 4/3 and 1.2.
        assert_eq!(judged(&[1.0, 2.0, 3.0]), Judgement::Holds);
        assert_eq!(judged(&[-1.0, -2.0, -3.0]), Judgement::Fails);
        assert_eq!(judged(&[-1.0, 2.0, 3.0]), Judgement::Undecided);
        assert_eq!(judged(&[5.0]), Judgement::Undecided);
    }

    #[test]
    fn the_strongest_null_is_the_one_to_beat() {
        let line = |ours: f64| Line {
            crps_m: ours,
            null_crps_m: 9.0,
            median_null_crps_m: 8.0,
            rock_null_crps_m: 3.0,
            rock_median_null_crps_m: 7.0,
            ..Line::default()
        };
        for (ours, expected) in [
            ([4.0, 5.0, 6.0], Judgement::Fails),
            ([1.0, 2.0, 1.5], Judgement::Holds),
            ([1.0, 5.0, 3.5], Judgement::Undecided),
        ] {
            let runs = ours.map(line);
            let (_, crps, mean) = strongest(&runs);
            assert_eq!(mean, 3.0);
            assert_eq!(judged(&better_by(&runs, crps)), expected);
        }
    }
}

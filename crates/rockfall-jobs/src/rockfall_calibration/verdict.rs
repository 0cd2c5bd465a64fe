//! What a calibration answers: whether its forecasts are worth more than the other runs themselves.

use super::result::{Line, Results};
use crate::rockfall::posterior;
use klast_runs::answer::{Answer, Figure, Judgement, short};
use klast_runs::fit::{Beside, HeldOut};

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
/// The null model that is best on some runs, what it forecasts and its mean CRPS (m).
fn strongest(runs: &[Line]) -> (&'static str, Crps, f64) {
    let mean = |crps: Crps| runs.iter().map(crps).sum::<f64>() / runs.len() as f64;
    let [first, others @ ..] = NULLS.map(|(told, crps)| (told, crps, mean(crps)));
    let others = others.into_iter();
    others.fold(first, |a, b| if b.2 < a.2 { b } else { a })
}

/// The forecasts of some runs beside a null model: the CRPS of the null model less that of the forecast (m).
fn held_out(runs: &[Line], crps: Crps) -> HeldOut {
    let differences = runs.iter().map(|l| crps(l) - l.crps_m);
    HeldOut::of(&differences.collect::<Vec<_>>())
}

impl Results {
    /// The answer as the posterior carries it to a forecast.
    #[must_use]
    pub fn for_a_forecast(&self) -> posterior::Verdict {
        posterior::Verdict {
            beside_null_models: self.summary.held_out.beside_reference,
            sentence: self.answer().verdict,
        }
    }

    /// The forecasts beside the null model that is best on these runs.
    #[must_use]
    pub fn beside_null(runs: &[Line]) -> HeldOut {
        held_out(runs, strongest(runs).1)
    }

    /// The answer of the calibration, beside the null model that is best on these runs.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let (told, _, null) = strongest(&self.runs);
        let ours = s.forecast.mean_crps_m;
        let (verdict, judgement, outcome) = match s.held_out.beside_reference {
            Beside::Better => (
                "The forecasts are better",
                Judgement::Holds,
                "better than the null model",
            ),
            Beside::Worse => (
                "The forecasts are worse",
                Judgement::Fails,
                "worse than the null model",
            ),
            Beside::Undecided | Beside::NotTested => (
                "It is undecided whether the forecasts are better",
                Judgement::Undecided,
                "undecided beside the null model",
            ),
        };
        let number = |value: Option<f64>| short(value.unwrap_or(f64::NAN));
        let inside = s.forecast.observed_inside_90;
        Answer {
            verdict: format!(
                "{verdict} than {told}: mean fair CRPS {} m against {} m, a difference of {} m with a standard error of {} m; {inside} of {} observed runouts lie in the central 90 % of their forecasts.",
                short(ours),
                short(null),
                number(s.held_out.mean_difference),
                number(s.held_out.standard_error),
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
            ([4.0, 5.0, 6.0], Beside::Worse),
            ([1.0, 2.0, 1.5], Beside::Better),
            ([1.0, 5.0, 3.5], Beside::Undecided),
        ] {
            let runs = ours.map(line);
            let (_, crps, mean) = strongest(&runs);
            assert_eq!(mean, 3.0);
            assert_eq!(held_out(&runs, crps).beside_reference, expected);
        }
    }
}

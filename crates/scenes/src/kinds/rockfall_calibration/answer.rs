//! What a calibration answers: whether its forecasts are worth more than the other runs themselves.

use super::result::Results;
use crate::answer::{Answer, Figure, Judgement, short};

impl Results {
    /// The answer of the calibration.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let (ours, null) = (s.forecast.mean_crps_m, s.null_distribution_mean_crps_m);
        let better = ours < null;
        let inside = s.forecast.observed_inside_90;
        Answer {
            verdict: format!(
                "The forecasts are {} than the runouts of the other runs themselves: mean CRPS {} m against {} m; {inside} of {} observed runouts lie in the central 90 % of their forecasts.",
                if better { "better" } else { "no better" },
                short(ours),
                short(null),
                s.runs
            ),
            judgement: if better {
                Judgement::Holds
            } else {
                Judgement::Fails
            },
            outcome: if better {
                "better than the null model"
            } else {
                "no better than the null model"
            }
            .to_owned(),
            figures: [
                Figure::new("mean CRPS of the forecasts", ours, "m"),
                Figure::new("mean CRPS of the null model", null, "m"),
                Figure::new(
                    "mean error of the median runout",
                    s.forecast.mean_median_error_m,
                    "m",
                ),
            ],
        }
    }
}

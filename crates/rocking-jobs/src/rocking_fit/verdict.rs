//! What a fit of the restitution answers.

use super::result::Results;
use klast_runs::answer::{Answer, Figure, Judgement, percent, short};

impl Results {
    /// The answer of the fit.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let largest = self.history.iter().map(|h| h.measured_rad.abs());
        let largest = largest.fold(0.0, f64::max);
        let leaves = s.rms_rad / largest;
        Answer {
            verdict: format!(
                "The measured history gives a restitution of η = {} where Housner's is {}; the fit leaves {} rad (root mean square), {} of the largest rotation.",
                short(s.eta),
                short(s.eta_housner),
                short(s.rms_rad),
                percent(leaves)
            ),
            judgement: Judgement::Measured,
            outcome: "fitted".to_owned(),
            figures: [
                Figure::new("fitted restitution η", s.eta, ""),
                Figure::new("Housner's η", s.eta_housner, ""),
                Figure::new("left by the fit (root mean square)", s.rms_rad, "rad"),
            ],
        }
    }
}

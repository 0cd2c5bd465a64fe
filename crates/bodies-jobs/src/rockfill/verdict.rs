//! What a shot answers: whether the projectile gets through, and how fast.

use super::result::Results;
use klast_runs::answer::{Answer, Figure, Judgement, short};

impl Results {
    /// The answer of the shot.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let before = self.history.first().map_or(f64::NAN, |h| h.speed_m_s);
        let kept = 100.0 * s.residual_m_s / before;
        let layer = format!("{} rocks at a porosity of {}", s.rocks, short(s.porosity));
        let turned = format!("its path turned by {}°", short(s.velocity_deflection_deg));
        let (verdict, outcome) = match s.exit_s {
            Some(exit) => (
                format!(
                    "The projectile is through the layer ({layer}) at {} ms with {} m/s, {} % of its speed, {turned}.",
                    short(1e3 * exit),
                    short(s.residual_m_s),
                    short(kept.round())
                ),
                "through",
            ),
            None => (
                format!(
                    "The projectile is not through the layer ({layer}) at the end of the run; it moves at {} m/s, {turned}.",
                    short(s.residual_m_s)
                ),
                "not through",
            ),
        };
        Answer {
            verdict,
            judgement: Judgement::Measured,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new("speed at the end", s.residual_m_s, "m/s"),
                Figure::new("deflection of the path", s.velocity_deflection_deg, "°"),
                Figure::new("largest resistance", 1e-6 * s.peak_resistance_n, "MN"),
            ],
        }
    }
}

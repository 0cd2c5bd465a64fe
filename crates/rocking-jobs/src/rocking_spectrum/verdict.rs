//! What a rocking spectrum answers.

use super::result::{Point, Results};
use klast_runs::answer::{Answer, Figure, Judgement, short};

impl Results {
    /// The answer of the spectrum.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let size = |p: &&Point| p.half_diagonal_m;
        let fell = self.spectrum.iter().filter(|p| p.overturned);
        let largest = fell.map(|p| size(&p)).fold(f64::NEG_INFINITY, f64::max);
        let largest = Some(largest).filter(|x| x.is_finite());
        let stood = self.spectrum.iter().filter(|p| !p.overturned);
        let turned = stood.map(|p| p.max_rotation_rad / p.slenderness_rad);
        let turned = turned.fold(f64::NEG_INFINITY, f64::max);
        let verdict = match largest {
            None => format!("No block of {} overturns.", s.simulations),
            Some(size) => format!(
                "{} of {} blocks overturn, the largest of them with a half diagonal of {} m.",
                s.overturned,
                s.simulations,
                short(size)
            ),
        };
        Answer {
            verdict,
            judgement: Judgement::Measured,
            outcome: if largest.is_some() {
                "some overturn"
            } else {
                "none overturns"
            }
            .to_owned(),
            figures: [
                Figure::count("blocks that overturn", s.overturned),
                Figure::new("half diagonal, largest block that overturns", largest, "m"),
                Figure::new("largest rotation of those that stand, over α", turned, ""),
            ],
        }
    }
}

//! What a fragility answers.

use super::result::Results;
use klast_runs::answer::{Answer, Figure, Judgement};

impl Results {
    /// The answer of the campaign.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let fell = self.trials.iter().filter(|t| t.overturned).count();
        let mut verdict = match &s.overturning {
            Some(said) => format!("Overturning: {}", said.trim_end_matches('.')),
            None => "Nothing is known of overturning".to_owned(),
        };
        verdict.push('.');
        if let Some(warning) = &s.warning {
            verdict += &format!(" {}.", capital(warning.trim_end_matches('.')));
        }
        if s.undecided > 0 {
            verdict += &format!(
                " {} of {} runs still rocked at their end.",
                s.undecided, s.trials
            );
        }
        let decided = s.warning.is_none() && s.undecided == 0;
        Answer {
            verdict,
            judgement: if decided {
                Judgement::Measured
            } else {
                Judgement::Undecided
            },
            outcome: if s.median.is_some() {
                "has a median"
            } else {
                "has no median"
            }
            .to_owned(),
            figures: [
                Figure::new(&format!("median, {}", s.intensity), s.median, ""),
                Figure::new("dispersion", s.dispersion, ""),
                Figure::count("runs that overturn", fell),
            ],
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

//! What a sweep of a row of blocks answers: where the hardest impact is, and how often the motion repeats.

use super::result::Results;
use klast_runs::answer::{Answer, Figure, Judgement, counted, short};

impl Results {
    /// The answer of the sweep.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let points = self.sweep.len();
        let ran = self.sweep.iter().filter(|p| p.error.is_none());
        let repeats = ran.filter(|p| p.period != "none").count();
        let worst = self.summary.largest_impact.first();
        let at = worst.map_or(String::new(), |best| {
            let axes = self.axes.iter().zip(&best.values);
            let said: Vec<String> = axes
                .map(|(a, v)| match a.label.split_once(" [") {
                    Some((name, unit)) if unit != "-]" => {
                        format!("{name} = {} {}", short(*v), unit.trim_end_matches(']'))
                    }
                    Some((name, _)) => format!("{name} {}", short(*v)),
                    None => format!("{} {}", short(*v), a.label),
                })
                .collect();
            said.join(", ")
        });
        let hardest = worst.map(|best| best.score);
        let mut verdict = match hardest {
            Some(energy) => format!(
                "The hardest impact brings {} J, at {at}; the motion repeats at {repeats} of {}.",
                short(energy),
                counted(points as u64, "point")
            ),
            None => format!("None of {} could be run.", counted(points as u64, "point")),
        };
        if self.failed > 0 && hardest.is_some() {
            verdict += &format!(
                " {} could not be run.",
                counted(self.failed as u64, "point")
            );
        }
        Answer {
            verdict,
            judgement: Judgement::Measured,
            outcome: if hardest.is_some() {
                "swept"
            } else {
                "not run"
            }
            .to_owned(),
            figures: [
                Figure::new("hardest impact, energy of approach", hardest, "J"),
                Figure::count("points whose motion repeats", repeats),
                Figure::count("points", points),
            ],
        }
    }
}

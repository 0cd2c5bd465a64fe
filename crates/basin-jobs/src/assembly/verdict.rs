//! What one motion of a row of blocks answers.

use super::result::Results;
use klast_runs::answer::{Answer, Figure, Judgement, counted, short};

impl Results {
    /// The answer of the run.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let largest = &s.largest_impact;
        let blocks = self.history.first().map_or(0, |h| h.left_m.len());
        let at = match largest.interface {
            0 => "at the left wall".to_owned(),
            k if k >= blocks => "at the right wall".to_owned(),
            k => format!("between blocks {k} and {}", k + 1),
        };
        let hardest = match s.events.impacts {
            0 => "Nothing collides".to_owned(),
            n => format!(
                "{}; the hardest, {at} at {} s, brings {} J",
                counted(n, "impact"),
                short(largest.time_s),
                short(largest.approach_energy_j)
            ),
        };
        let (repeats, outcome) = match &s.period {
            None => (String::new(), "measured"),
            Some(found) => match found.drive_periods {
                Some(1) => (
                    " The motion repeats with every drive period.".to_owned(),
                    "repeats",
                ),
                Some(n) => (
                    format!(" The motion repeats with every {n} drive periods."),
                    "repeats",
                ),
                None => (
                    " No period of the motion was found.".to_owned(),
                    "does not repeat",
                ),
            },
        };
        let seconds = short(s.time_s);
        Answer {
            verdict: format!("{hardest} in {seconds} s.{repeats}").replace(" J in ", " J, in "),
            judgement: Judgement::Measured,
            outcome: outcome.to_owned(),
            figures: [
                Figure::count("impacts", s.events.impacts),
                Figure::new(
                    "hardest impact, energy of approach",
                    largest.approach_energy_j,
                    "J",
                ),
                Figure::new("dissipated by impacts", s.energy_j.impacts, "J"),
            ],
        }
    }
}

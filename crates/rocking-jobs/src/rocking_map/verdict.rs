//! What a stability map answers.

use super::result::Results;
use klast_runs::answer::{Answer, Figure, Judgement, percent, short};

impl Results {
    /// The answer of the map.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let cells = s.cells.max(1) as f64;
        let fell = (s.overturned_left + s.overturned_right) as f64 / cells;
        let least = self
            .lower_border
            .iter()
            .filter_map(|point| match point.0[..] {
                [(_, x), (_, y)] => Some((x, y)),
                _ => None,
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let border = least.map_or(String::new(), |(x, y)| {
            format!(
                "; the least {} that overturns it is {}, at {} {}",
                symbol(self.rows.label),
                short(y),
                symbol(self.columns.label),
                short(x)
            )
        });
        Answer {
            verdict: match fell {
                0.0 => format!("The block overturns in none of {} cells.", short(cells)),
                _ => format!(
                    "The block overturns in {} of the map{border}.",
                    percent(fell)
                ),
            },
            judgement: Judgement::Measured,
            outcome: if fell > 0.0 {
                "overturns in places"
            } else {
                "overturns nowhere"
            }
            .to_owned(),
            figures: [
                Figure::new("cells that overturn", 100.0 * fell, "%"),
                Figure::new(
                    &format!("least {} that overturns", symbol(self.rows.label)),
                    least.map(|l| l.1),
                    "",
                ),
                Figure::new(
                    "cells that rock and stand",
                    100.0 * s.rocked as f64 / cells,
                    "%",
                ),
            ],
        }
    }
}

/// An axis without its unit where that is a pure number.
fn symbol(label: &str) -> &str {
    label.trim_end_matches(" [-]")
}

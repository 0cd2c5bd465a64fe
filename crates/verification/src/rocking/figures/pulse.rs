//! Constant acceleration: figures 5.2 and 5.3.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series};
use klast_rocking::RockingBlock;
use klast_rocking::closed_form::{overturning_duration, overturning_duration_linear};

use crate::Outcome;

/// Borders between overturning, rocking and translation over a₀/(gα).
pub(in crate::rocking) fn constant_acceleration(outcome: &mut Outcome) -> Result<()> {
    let ratios: Vec<f64> = (1..=300).map(|k| f64::from(k) * 0.008 + 0.1).collect();
    let linear: Vec<(f64, f64)> = ratios
        .iter()
        .filter_map(|r| Some((*r, overturning_duration_linear(*r)?)))
        .filter(|p| p.1 <= 5.0)
        .collect();
    let axes = || {
        (
            Axis::new("a₀/(gα)").range(0.0, 2.5),
            Axis::new("p t_a").range(0.0, 5.0),
        )
    };
    let wall = |x: f64| vec![(x, 0.0), (x, 5.0)];
    let (x, y) = axes();
    let figure = LineChart::new("Constant acceleration, linearised", x, y)
        .with(Series::line("overturning, (5.3)", linear.clone()))
        .with(Series::line("rocking, a₀ = gα", wall(1.0)));
    outcome.draw(
        "figure-5.2",
        "Figure 5.2: analytical borders",
        figure.svg()?,
    );
    let block = RockingBlock::rectangle(0.02, 0.09, 9.81)?;
    let alpha = block.slenderness();
    let mut nonlinear = Vec::new();
    for ratio in &ratios {
        if let Some(time) = overturning_duration(&block, ratio * 9.81 * alpha)? {
            let scaled = time * block.frequency();
            if scaled <= 5.0 {
                nonlinear.push((*ratio, scaled));
            }
        }
    }
    let (x, y) = axes();
    let figure = LineChart::new("Constant acceleration, nonlinear", x, y)
        .with(Series::line("overturning, nonlinear", nonlinear))
        .with(Series::line(
            "rocking, a₀ = g tan α",
            wall(alpha.tan() / alpha),
        ))
        .with(Series::dashed("overturning, (5.3)", linear));
    outcome.draw("figure-5.3", "Figure 5.3: numerical borders", figure.svg()?);
    Ok(())
}

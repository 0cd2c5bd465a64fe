//! A shot through a layer of rock.

use anyhow::Result;
use klast_plot::{Axis, Face, LineChart, ROCK, STEEL, Series, Solids, stack};
use klast_scenes::kinds::rockfill::result::{Results, Sample};

use crate::sheet::Sheet;

/// The layer before the shot, and the charts of the projectile.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let mut picture = Solids::new("Layer and projectile");
    let projectile = results.start.len().saturating_sub(1);
    for (k, solid) in results.start.iter().enumerate() {
        picture.add(solid.iter().map(|corners| Face {
            corners: corners.iter().map(|c| c.to_array()).collect(),
            colour: if k == projectile { STEEL } else { ROCK },
        }));
    }
    sheet.figure(
        "layer.svg",
        &picture.svg()?,
        "The layer and the projectile before the shot.",
    )?;
    sheet.figure(
        "history.svg",
        &charts(&results.history)?,
        "Speed, resistance and deflection of the projectile.",
    )
}

fn charts(history: &[Sample]) -> Result<String> {
    let points = |value: &dyn Fn(&Sample) -> f64| {
        history
            .iter()
            .map(|s| (s.time_s * 1e3, value(s)))
            .collect::<Vec<_>>()
    };
    let time = || Axis::new("t [ms]");
    let speed = LineChart::new("Velocity", time(), Axis::new("speed [m/s]"))
        .with(Series::line("speed", points(&|s| s.speed_m_s)));
    let force = LineChart::new("Resistance", time(), Axis::new("F [MN]")).with(Series::line(
        "resistance",
        points(&|s| s.resistance_n * 1e-6),
    ));
    let angle = LineChart::new("Deflection", time(), Axis::new("angle [deg]"))
        .with(Series::line(
            "velocity",
            points(&|s| s.velocity_deflection_deg),
        ))
        .with(Series::line("axis", points(&|s| s.axis_deflection_deg)));
    Ok(stack(&[speed.svg()?, force.svg()?, angle.svg()?], 1))
}

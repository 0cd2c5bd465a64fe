//! Figure 8.4: velocity and acceleration of the base that is hit twice.

use anyhow::Result;
use klast_ground_motion::DoublePulse;
use klast_plot::{Axis, LineChart, Series, stack};

use crate::{Context, Outcome, Table};

pub(super) fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let pulse = DoublePulse {
        peak_velocity: table.input("peak_velocity_m_per_s")?,
        rise_time: table.input("rise_time_s")?,
        gap: table.input("gap_m")?,
        restitution: table.input("restitution")?,
        friction: table.input("friction")?,
        gravity: table.input("gravity_m_per_s2")?,
    };
    let base = pulse.component()?;
    let mut outcome = Outcome::new();
    for row in &table.rows {
        let (what, time) = row.id.split_once(" at ").unwrap_or((&row.id, "0"));
        let time: f64 = time.trim_end_matches(" s").parse()?;
        let value = match what {
            "velocity" => base.velocity(time),
            "acceleration" => base.acceleration(time),
            _ => base.displacement(time),
        };
        outcome.set(&row.id, "computed", value);
    }
    let points = |f: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
        let times = (0..=1200).map(|k| f64::from(k) * 2e-4);
        times.map(|t| (t * 1e3, f(t))).collect()
    };
    let velocity = LineChart::new("Base", Axis::new("t [ms]"), Axis::new("v [m/s]"))
        .with(Series::line("velocity", points(&|t| base.velocity(t))));
    let acceleration = LineChart::new("Base", Axis::new("t [ms]"), Axis::new("a [m/s²]")).with(
        Series::line("acceleration", points(&|t| base.acceleration(t))),
    );
    outcome.draw(
        "figure-8.4",
        "Figure 8.4: impact, travel with friction, impact at the stopper, travel back",
        stack(&[velocity.svg()?, acceleration.svg()?], 1),
    );
    Ok(outcome)
}

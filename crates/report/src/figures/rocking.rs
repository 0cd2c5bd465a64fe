//! One motion of a rocking block.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series};
use klast_scenes::kinds::rocking::result::{Results, Sample};

use crate::sheet::Sheet;

/// Rotation and angular velocity over time, and the phase plane.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let of = |f: fn(&Sample) -> (f64, f64)| results.history.iter().map(f).collect();
    let charts = [
        (
            "rotation.svg",
            "Rotation",
            "t [s]",
            "θ [rad]",
            of(|s| (s.time_s, s.rotation_rad)),
        ),
        (
            "velocity.svg",
            "Angular velocity",
            "t [s]",
            "θ′ [rad/s]",
            of(|s| (s.time_s, s.angular_velocity_rad_s)),
        ),
        (
            "phase.svg",
            "Phase plane",
            "θ [rad]",
            "θ′ [rad/s]",
            of(|s| (s.rotation_rad, s.angular_velocity_rad_s)),
        ),
    ];
    for (name, title, x, y, points) in charts {
        let points: Vec<(f64, f64)> = points;
        let (mut x_axis, mut y_axis) = (Axis::new(x), Axis::new(y));
        // A block at rest is a line at zero, which has no range of its own.
        if points.iter().all(|p| p.1 == 0.0) {
            y_axis = y_axis.range(-1.0, 1.0);
            if name == "phase.svg" {
                x_axis = x_axis.range(-1.0, 1.0);
            }
        }
        let chart = LineChart::new(title, x_axis, y_axis).with(Series::line("", points));
        sheet.figure(name, &chart.svg()?, title)?;
    }
    Ok(())
}

//! One motion of a stack.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series};
use klast_scenes::kinds::stack::result::Results;

use crate::sheet::Sheet;

/// Rotations over time and phase planes.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let samples = &results.history;
    // Newmark's scheme keeps no samples.
    if samples.is_empty() {
        return Ok(());
    }
    let moves = samples
        .iter()
        .any(|s| s.rotation_rad.iter().flatten().any(|angle| *angle != 0.0));
    let axis = |name: &str| {
        if moves {
            Axis::new(name)
        } else {
            Axis::new(name).range(-1.0, 1.0)
        }
    };
    let mut history = LineChart::new("Rotation", Axis::new("t [s]"), axis("θ [rad]"));
    let mut plane = LineChart::new("Phase planes", axis("θ [rad]"), axis("θ′ [rad/s]"));
    for j in 0..results.blocks {
        let name = format!("block {}", j + 1);
        let standing = || {
            samples.iter().filter_map(|s| {
                let (angle, rate) = (*s.rotation_rad.get(j)?, *s.rate_rad_s.get(j)?);
                Some((s.time_s, angle?, rate?))
            })
        };
        history = history.with(Series::line(
            &name,
            standing().map(|(t, angle, _)| (t, angle)).collect(),
        ));
        plane = plane.with(Series::line(
            &name,
            standing().map(|(_, angle, rate)| (angle, rate)).collect(),
        ));
    }
    sheet.figure("rotation.svg", &history.svg()?, "Rotation of each block.")?;
    sheet.figure(
        "phase.svg",
        &plane.svg()?,
        "Angular velocity over rotation of each block.",
    )
}

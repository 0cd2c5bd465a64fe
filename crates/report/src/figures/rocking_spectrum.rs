//! A rocking spectrum.

use std::f64::consts::TAU;

use klast_plot::{Axis, LineChart, Series};
use klast_rocking_jobs::rocking_spectrum::result::{Point, Results};
use klast_runs::error::Result;

use crate::sheet::Sheet;

/// Largest rotation and angular velocity over the size of the block, one curve a slenderness.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let x = || Axis::new("2π/p [s]");
    let mut rotation = LineChart::new("Rotation spectrum", x(), Axis::new("max |θ| / α [-]"));
    let mut velocity = LineChart::new("Velocity spectrum", x(), Axis::new("max |θ′| / p [-]"));
    let same = |a: &Point, b: &Point| a.slenderness_rad == b.slenderness_rad;
    for curve in results.spectrum.chunk_by(same) {
        let alpha = curve.first().map_or(f64::NAN, |p| p.slenderness_rad);
        // The curve ends where the block overturns.
        let of = |f: &dyn Fn(&Point) -> f64| {
            let y = |p: &Point| if p.overturned { f64::NAN } else { f(p) };
            curve.iter().map(|p| (p.period_s, y(p))).collect()
        };
        let label = format!("α = {} rad", klast_runs::answer::short(alpha));
        rotation = rotation.with(Series::line(&label, of(&|p| p.max_rotation_rad / alpha)));
        let scaled = |p: &Point| p.max_angular_velocity_rad_s * p.period_s / TAU;
        velocity = velocity.with(Series::line(&label, of(&scaled)));
    }
    sheet.rows("Blocks", "spectrum.csv", &results.spectrum)?;
    match LineChart::panels(&[rotation, velocity]) {
        Ok(both) => sheet.figure(
            "spectrum.svg",
            &both,
            "Largest rotation and largest angular velocity over the size of the block; curves end where blocks overturn.",
        ),
        // Every block overturned: there is no curve to draw.
        Err(_) => Ok(()),
    }
}

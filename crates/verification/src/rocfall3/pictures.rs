//! Pictures of the manual's two tables that show a dependence.

use super::on_plane::{OnPlane, first_impact, newton};
use anyhow::Result;
use glam::DVec3;
use klast_dynamics::single::{Motion, Observer, Stretch};
use klast_dynamics::{Body, State};
use klast_geometry::Plane;
use klast_plot::{Axis, LineChart, Series};
use std::ops::ControlFlow;

/// Centres of rocks in the x–z plane over the first flights.
#[derive(Default)]
struct Path(Vec<(f64, f64)>);

impl Observer for Path {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        let State { pose, velocity } = &stretch.start;
        for i in (0..=40).filter(|_| stretch.motion == Motion::Flight) {
            let t = stretch.duration * f64::from(i) / 40.0;
            let p = pose.translation + (velocity.linear + 0.5 * t * stretch.acceleration) * t;
            self.0.push((p.x, p.z));
        }
        ControlFlow::Continue(())
    }
}

/// Paths of the rocks of Table 4.2 over four flights, above the slope.
pub fn paths(
    rocks: &[(String, Body, State)],
    gravity: DVec3,
    plane: Plane,
    (e, mu): (f64, f64),
) -> Result<String> {
    let mut chart = LineChart::new(
        "Three rocks on a slope of 1 in 2",
        Axis::new("x (m)"),
        Axis::new("z (m)"),
    );
    let mut last = 0.0f64;
    for (name, body, start) in rocks {
        let mut run = OnPlane::new(gravity, plane, newton(e, mu)?)?;
        run.limits.steps = 4;
        let mut path = Path::default();
        run.run(body, *start, &mut path)?;
        last = path.0.iter().fold(last, |m, p| m.max(p.0));
        chart = chart.with(Series::line(name, path.0));
    }
    let slope = |x: f64| (x, -plane.normal.x / plane.normal.z * x);
    Ok(chart
        .with(Series::dashed("slope", vec![slope(-0.5), slope(last)]))
        .svg()?)
}

/// Velocities after the impact of Table 3.3 over the friction angle, with what was printed at four of them.
pub fn over_friction(
    body: &Body,
    start: State,
    gravity: DVec3,
    plane: Plane,
    restitution: f64,
    printed: Vec<(f64, [f64; 3])>,
) -> Result<String> {
    let mut lines = [Vec::new(), Vec::new(), Vec::new()];
    for i in 0..=100 {
        let angle = 0.5 * f64::from(i);
        let material = newton(restitution, libm::tan(angle.to_radians()))?;
        let (_, after) = first_impact(body, start, gravity, plane, &material)?;
        let values = [
            after.velocity.linear.x,
            after.velocity.linear.z,
            after.velocity.angular.y,
        ];
        lines
            .iter_mut()
            .zip(values)
            .for_each(|(line, v)| line.push((angle, v)));
    }
    let title = "After the impact: it sticks above 13.07°";
    let mut chart = LineChart::new(
        title,
        Axis::new("friction angle (°)"),
        Axis::new("m/s, rad/s"),
    );
    for (name, line) in ["v_x", "v_z", "rotation"].iter().zip(lines) {
        chart = chart.with(Series::line(name, line));
    }
    let dots = printed
        .iter()
        .flat_map(|(angle, values)| values.map(|v| (*angle, v)))
        .collect();
    Ok(chart
        .with(Series::points("printed by RocFall3", dots))
        .svg()?)
}

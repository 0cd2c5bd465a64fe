//! Section 5.2: a tabular rock released spinning about its axis of least inertia.

use super::incline::Incline;
use crate::{Context, Outcome, Table};
use anyhow::Result;
use glam::{DQuat, DVec3};
use klast_dynamics::single::Workspace;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::{Pose, Solid};
use klast_plot::{Axis, LineChart, Series};
use klast_rockfall::Outcome as Ending;
use klast_sampling::{Purpose, Streams, open_uniform};
use rayon::prelude::*;
use std::ops::ControlFlow;

const AXES: [&str; 3] = ["x", "y", "z"];

struct Setting {
    incline: Incline,
    body: Body,
    half_diagonal: f64,
    slope: f64,
    speed: f64,
    spin: f64,
    tilt: f64,
    seed: u64,
}

impl Setting {
    fn read(table: &Table) -> Result<Self> {
        let edges = DVec3::from_array(table.input_as("edges_m")?);
        let slope = table.input("slope_deg")?.to_radians();
        let solid = Solid::Box { edges }.with_volume(edges.x * edges.y * edges.z)?;
        Ok(Setting {
            incline: Incline::new(
                slope,
                table.input("gravity_m_per_s2")?,
                table.input("friction")?,
                table.input("step_s")?,
            )?,
            body: Body::uniform(&solid, table.input("density_kg_per_m3")?)?,
            half_diagonal: 0.5 * DVec3::new(edges.x, 0.0, edges.z).length(),
            slope,
            speed: table.input("speed_m_per_s")?,
            spin: table.input("spin_rad_per_s")?,
            tilt: table.input("tilt_rad")?,
            seed: table.input("seed")? as u64,
        })
    }

    /// One start: any angle about y, slightly tilted about the other axes, just above the ground.
    fn start(&self, rock: u64) -> Result<State> {
        let mut rng = Streams::new(self.seed).rng(Purpose::Attitude, rock);
        let mut draw = || 2.0 * open_uniform(&mut rng) - 1.0;
        let rotation = DQuat::from_rotation_y(self.slope)
            * DQuat::from_rotation_z(self.tilt * draw())
            * DQuat::from_rotation_x(self.tilt * draw())
            * DQuat::from_rotation_y(std::f64::consts::PI * draw());
        let height = 1.05 * self.half_diagonal + 0.1 * draw().abs();
        Ok(State {
            pose: Pose::new(rotation, self.incline.normal * height)?,
            velocity: Twist::new(
                self.incline.downhill * self.speed,
                rotation * DVec3::Y * self.spin,
            )?,
        })
    }

    /// Spin in the axes of the body after a time, unless the rock has stopped.
    fn spin_after(&self, start: State, time: f64) -> Option<DVec3> {
        let stop = Incline::stop(time);
        let (ending, end, _) = self.incline.rock(&stop).run(
            &self.body,
            &self.incline.samples,
            start,
            None,
            &mut |_| ControlFlow::Continue(()),
            &mut Workspace::default(),
        );
        (ending != Ending::Stopped).then(|| end.pose.rotation.conjugate() * end.velocity.angular)
    }
}

/// The axis with most of a spin.
fn axis(spin: DVec3) -> usize {
    let size = spin.abs().to_array();
    (0..3)
        .max_by(|a, b| size[*a].total_cmp(&size[*b]))
        .unwrap_or(0)
}

pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let setting = Setting::read(table)?;
    let mut outcome = Outcome::new();
    outcome.set("mass", "klast", setting.body.mass());
    for (name, value) in AXES.into_iter().zip(setting.body.inertia().to_array()) {
        outcome.set(&format!("inertia-{name}"), "klast", value);
    }
    let (time, count) = (table.input("time_s")?, table.input("rocks")? as u64);
    let ends = (0..count)
        .into_par_iter()
        .map(|rock| Ok((rock, setting.spin_after(setting.start(rock)?, time))))
        .collect::<Result<Vec<_>>>()?;
    let rolling: Vec<(u64, usize)> = ends
        .iter()
        .filter_map(|(rock, spin)| spin.map(|w| (*rock, axis(w))))
        .collect();
    let by_axis = [0, 1, 2].map(|k| rolling.iter().filter(|r| r.1 == k).count());
    let agreed = (0..3).find(|k| 10 * by_axis[*k] >= 9 * rolling.len() && !rolling.is_empty());
    outcome.set("axis", "klast", agreed.map_or("none", |k| AXES[k]));
    outcome.note(format!(
        "{} of {count} rocks still roll after {time} s, most of their spin about x, y, z: {by_axis:?}; the others have come to rest",
        rolling.len()
    ));
    if let Some((rock, _)) = rolling.iter().find(|r| r.1 == 2) {
        outcome.draw(
            "spin",
            "Spin in the axes of the body: first about the axis of least inertia (y), at the end about that of the greatest (z). The first rock of the sample that keeps rolling.",
            picture(&setting, setting.start(*rock)?, time)?,
        );
    }
    Ok(outcome)
}

fn picture(setting: &Setting, start: State, time: f64) -> Result<String> {
    let times: Vec<f64> = (1..=150).map(|k| time * f64::from(k) / 150.0).collect();
    let spins: Vec<Option<DVec3>> = times
        .par_iter()
        .map(|t| setting.spin_after(start, *t))
        .collect();
    let mut chart = LineChart::new(
        "A tabular rock that ends as a wheel",
        Axis::new("t [s]"),
        Axis::new("spin in body axes [rad/s]"),
    );
    for (k, name) in AXES.into_iter().enumerate() {
        let line = times
            .iter()
            .zip(&spins)
            .filter_map(|(t, w)| w.map(|w| (*t, w.to_array()[k].abs())))
            .collect();
        chart = chart.with(Series::line(&format!("|{name}|"), line));
    }
    Ok(chart.svg()?)
}

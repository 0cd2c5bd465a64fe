//! `rocking-spectrum`: largest rotation and angular velocity over the size of a block.

use anyhow::{Result, ensure};
use klast_dynamics::ground_motion::GroundMotion;
use klast_plot::{Axis, LineChart, Series, stack};
use klast_rocking::{
    Engine, Options, Outcome, Restitution as Model, RockingBlock, rocking_spectrum,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::block::{Restitution, gravity};
use crate::common::motion::{Motion, remarks};
use crate::common::steps::Steps;
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// A scene of kind `rocking-spectrum`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `rocking-spectrum`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// Slenderness angles of the rectangles (rad), one curve each.
    slenderness_rad: Vec<f64>,
    /// Gravity (m/s²).
    #[serde(default = "gravity")]
    gravity_m_per_s2: f64,
    /// Restitution; Housner's unless stated.
    #[serde(default)]
    restitution: Restitution,
    /// Horizontal motion of the base.
    horizontal: Motion,
    /// Vertical motion of the base.
    #[serde(default)]
    vertical: Motion,
    /// Values of 2π/p (s).
    period_s: Steps,
    /// Duration of each simulation (s).
    duration_s: f64,
}

struct SpectrumJob {
    slenderness: Vec<f64>,
    gravity: f64,
    restitution: Model,
    motion: GroundMotion,
    periods: Vec<f64>,
    options: Options,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    ensure!(
        !scene.slenderness_rad.is_empty(),
        "slenderness_rad: none; accepted: one or more"
    );
    for alpha in &scene.slenderness_rad {
        RockingBlock::from_slenderness(*alpha, 1.0, scene.gravity_m_per_s2)?;
    }
    let good = scene.duration_s > 0.0 && scene.duration_s.is_finite();
    ensure!(
        good,
        "duration_s {}; accepted: finite and above 0",
        scene.duration_s
    );
    Ok(Box::new(SpectrumJob {
        remarks: remarks(text, [&scene.horizontal, &scene.vertical])?,
        motion: GroundMotion::new(scene.horizontal.build(text)?, scene.vertical.build(text)?),
        restitution: scene.restitution.build()?,
        periods: scene.period_s.values("period_s")?,
        gravity: scene.gravity_m_per_s2,
        options: Options::new(scene.duration_s),
        slenderness: scene.slenderness_rad,
    }))
}

impl Job for SpectrumJob {
    fn describe(&self) -> String {
        format!(
            "{} slenderness angles, {} sizes",
            self.slenderness.len(),
            self.periods.len()
        )
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        for remark in &self.remarks {
            session.warning(remark);
        }
        let x = || Axis::new("2π/p [s]");
        let mut rotation = LineChart::new("Rotation spectrum", x(), Axis::new("max |θ| / α [-]"));
        let mut velocity = LineChart::new("Velocity spectrum", x(), Axis::new("max |θ′| / p [-]"));
        let mut rows = Vec::new();
        for alpha in &self.slenderness {
            Session::go_on()?;
            let points = rocking_spectrum(
                &self.motion,
                *alpha,
                &self.restitution,
                &self.periods,
                self.gravity,
                &self.options,
                Engine::NoSlip,
            )?;
            // The curve ends where the block overturns.
            let standing = |y: f64, outcome: Outcome| match outcome {
                Outcome::Overturned(_) => f64::NAN,
                _ => y,
            };
            let curve = |f: &dyn Fn(&klast_rocking::SpectrumPoint) -> f64| {
                points
                    .iter()
                    .map(|s| (s.period, standing(f(s), s.outcome)))
                    .collect()
            };
            let label = format!("α = {alpha} rad");
            rotation = rotation.with(Series::line(&label, curve(&|s| s.largest_rotation / alpha)));
            let scaled = |s: &klast_rocking::SpectrumPoint| {
                s.largest_velocity * s.period / std::f64::consts::TAU
            };
            velocity = velocity.with(Series::line(&label, curve(&scaled)));
            rows.extend(points.iter().map(|s| {
                let overturned = matches!(s.outcome, Outcome::Overturned(_));
                let mut row = [
                    *alpha,
                    s.period,
                    s.radius,
                    s.largest_rotation,
                    s.largest_velocity,
                ]
                .map(|x| x.to_string())
                .to_vec();
                row.push(overturned.to_string());
                row
            }));
        }
        session.count("simulations", rows.len());
        let header = [
            "slenderness_rad",
            "period_s",
            "half_diagonal_m",
            "largest_rotation_rad",
            "largest_angular_velocity_rad_per_s",
            "overturned",
        ];
        session.output.csv("spectrum.csv", &header, rows)?;
        match (rotation.svg(), velocity.svg()) {
            (Ok(a), Ok(b)) => session.picture("spectrum.svg", &stack(&[a, b], 1), "Largest rotation and largest angular velocity over the size of the block; curves end where blocks overturn."),
            // Every block overturned: there is no curve to draw.
            _ => Ok(()),
        }
    }
}

//! `rocking-fit` and `klast rocking fit`: the coefficient of restitution from a measured history.

use std::path::Path;

use anyhow::{Context as _, Result};
use klast_dynamics::ground_motion::GroundMotion;
use klast_plot::{Axis, LineChart, Series};
use klast_rocking::{
    Fit, FitWindow, Options, Restitution as Model, RestitutionModel, RockingBlock, RotationHistory,
    Side, fit_restitution, impulse_position, impulse_position_linear, simulate_at,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::block::{Block, gravity, one};
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// Part of a history.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// All of it
    #[default]
    Full,
    /// From a quarter to three quarters of its time
    MiddleHalf,
    /// Between the first and the second impact
    FirstHalfPeriod,
}

impl From<Window> for FitWindow {
    fn from(window: Window) -> Self {
        match window {
            Window::Full => Self::Full,
            Window::MiddleHalf => Self::MiddleHalf,
            Window::FirstHalfPeriod => Self::FirstHalfPeriod,
        }
    }
}

/// A scene of kind `rocking-fit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `rocking-fit`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// The block.
    block: Block,
    /// Gravity (m/s²).
    #[serde(default = "gravity")]
    gravity_m_per_s2: f64,
    /// CSV file with the columns time_s and rotation_rad or rotation_deg, from the folder of the scene.
    history: String,
    /// Part of the history that is fitted.
    #[serde(default)]
    window: Window,
    /// Material dissipation for the position of the impulse.
    #[serde(default = "one")]
    material: f64,
}

struct FitJob {
    block: RockingBlock,
    history: RotationHistory,
    window: FitWindow,
    material: f64,
}

fn read(path: &Path, text: &str) -> Result<RotationHistory> {
    RotationHistory::read_csv(text).with_context(|| path.display().to_string())
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let good = scene.material > 0.0 && scene.material <= 1.0;
    anyhow::ensure!(
        good,
        "material {}; accepted: above 0 and at most 1",
        scene.material
    );
    Ok(Box::new(FitJob {
        block: scene.block.build(scene.gravity_m_per_s2)?,
        history: read(&text.path(&scene.history), &text.read_text(&scene.history)?)?,
        window: scene.window.into(),
        material: scene.material,
    }))
}

/// The fit beside Housner's coefficient and, where it exists, the position of the impulse.
#[must_use]
pub fn result(block: &RockingBlock, fit: &Fit, material: f64) -> serde_json::Value {
    serde_json::json!({
        "eta": fit.eta,
        "eta_housner": Model::housner().coefficient(block, Side::Right),
        "rms_rad": fit.rms,
        "window_s": [fit.window.0, fit.window.1],
        "samples": fit.samples,
        "material": material,
        "k": impulse_position(block, fit.eta, material).ok(),
        "k_linear": impulse_position_linear(block, fit.eta, material).ok(),
    })
}

impl Job for FitJob {
    fn describe(&self) -> String {
        let times = self.history.times();
        format!(
            "{} samples over {:.3} s, released at {:.4} rad",
            times.len(),
            times.last().copied().unwrap_or(0.0),
            self.history.rotations()[0]
        )
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        let fit = fit_restitution(&self.block, &self.history, self.window)?;
        let result = result(&self.block, &fit, self.material);
        session.result(result)?;
        let restitution = Model::new(RestitutionModel::Given { eta: fit.eta })?;
        let (times, measured) = (self.history.times(), self.history.rotations());
        let end = times.last().copied().unwrap_or(0.0) + 1e-9;
        let options = Options::released(end, measured[0]);
        let still = GroundMotion::at_rest();
        let run = simulate_at(&self.block, &restitution, &still, &options, times)?;
        let fitted: Vec<f64> = run.samples.iter().map(|s| s.rotation).collect();
        let header = ["time_s", "measured_rad", "fitted_rad"];
        let rows = times.iter().zip(measured).zip(&fitted);
        let rows = rows.map(|((t, m), f)| [t, m, f].map(|x| x.to_string()));
        session.output.csv("history.csv", &header, rows)?;
        let points = |y: &[f64]| times.iter().copied().zip(y.iter().copied()).collect();
        let title = format!("η = {:.4}", fit.eta);
        let chart = LineChart::new(&title, Axis::new("t [s]"), Axis::new("θ [rad]"))
            .with(Series::points("measured", points(measured)))
            .with(Series::line("fitted", points(&fitted)));
        session.picture(
            "fit.svg",
            &chart.svg()?,
            "The measured rotation, and that of the block with the fitted restitution.",
        )
    }
}

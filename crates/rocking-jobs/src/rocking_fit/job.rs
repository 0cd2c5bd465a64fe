//! The coefficient of restitution from a measured history.

use std::path::Path;

use anyhow::{Context as _, Result};
use klast_dynamics::ground_motion::GroundMotion;
use klast_files::record::read_series;
use klast_rocking::{
    FitWindow, Options, Restitution, RestitutionModel, RockingBlock, RotationHistory,
    fit_restitution, simulate_at,
};

use super::result::{self, Sample, Summary};
use super::scene::Scene;
use klast_runs::Results;
use klast_runs::job::{Job, Run};
use klast_runs::text::SceneText;

struct FitJob {
    block: RockingBlock,
    history: RotationHistory,
    window: FitWindow,
    material: f64,
}

/// A measured rotation from CSV with a header of the columns `time_s` and `rotation_rad` or `rotation_deg`.
///
/// # Errors
/// As [`read_series`]; what is no history.
pub fn read_history(text: &str) -> Result<RotationHistory> {
    let columns = [
        ("rotation_rad", 1.0),
        ("rotation_deg", std::f64::consts::PI / 180.0),
    ];
    let header = "a header \"time_s,rotation_rad\" or \"time_s,rotation_deg\"";
    let (times, rotations) = read_series(text, &columns, header)?;
    Ok(RotationHistory::new(times, rotations)?)
}

fn read(path: &Path, text: &str) -> Result<RotationHistory> {
    read_history(text).with_context(|| path.display().to_string())
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
        block: scene.block.build(scene.gravity_m_s2.m_s2())?,
        history: read(&text.path(&scene.history), &text.read_text(&scene.history)?)?,
        window: scene.window.into(),
        material: scene.material,
    }))
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

    fn run(&self, _run: &mut Run) -> Result<Box<dyn Results>> {
        let fit = fit_restitution(&self.block, &self.history, self.window)?;
        let restitution = Restitution::new(RestitutionModel::Given { eta: fit.eta })?;
        let (times, measured) = (self.history.times(), self.history.rotations());
        let end = times.last().copied().unwrap_or(0.0) + 1e-9;
        let options = Options::released(end, measured[0]);
        let still = GroundMotion::at_rest();
        let fitted = simulate_at(&self.block, &restitution, &still, &options, times)?;
        let rows = times.iter().zip(measured).zip(&fitted.samples);
        let history = rows.map(|((&time_s, &measured_rad), s)| Sample {
            time_s,
            measured_rad,
            fitted_rad: s.rotation,
        });
        Ok(Box::new(result::Results {
            summary: Summary::of(&self.block, &fit, self.material),
            history: history.collect(),
        }))
    }
}

//! The coefficient of restitution from a measured history.

use std::path::Path;

use klast_dynamics::ground_motion::GroundMotion;
use klast_rocking::{
    FitWindow, Options, Restitution, RestitutionModel, RockingBlock, RotationHistory,
    fit_restitution, simulate_at,
};
use klast_runs::error::{Context as _, Result};

use super::result::{self, Sample, Summary};
use super::scene::Scene;
use klast_files::record::read_series;
use klast_runs::Results;
use klast_runs::faults::{Fault, Faults};
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
    let mut faults = Faults::default();
    let gravity = faults.take("", scene.gravity_m_s2.m_s2());
    let material = scene.material;
    faults.check(material > 0.0 && material <= 1.0, || {
        Fault::new("material", material).accepted("above 0 and at most 1")
    });
    let block = gravity.and_then(|g| faults.take("block", scene.block.build(g)));
    let history = text.read_text(&scene.history);
    let history = history.and_then(|read| self::read(&text.path(&scene.history), &read));
    let history = faults.take("history", history);
    let job = faults.or_all(|| {
        Some(FitJob {
            block: block?,
            history: history?,
            window: scene.window.into(),
            material,
        })
    });
    Ok(Box::new(job?))
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

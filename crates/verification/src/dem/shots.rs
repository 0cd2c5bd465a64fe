//! The shots of a study, kept in the folder of the layers, so that a study that was stopped goes on.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use klast_dem::Store;

use super::plan::{RunSummary, StudyPlan, StudyRun};

/// Part of the name of every kept shot; raised whenever the same shot would come out otherwise (a golden hash of the
/// tests of the engine changes then), so that an old result is never taken for a new one.
const MODEL: u32 = 1;

/// The shots of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyResult {
    /// Mass of the projectile, kg.
    pub mass: f64,
    /// The shots that set it.
    pub fits: Vec<RunSummary>,
    /// The others.
    pub runs: Vec<RunSummary>,
}

impl StudyResult {
    /// All shots with the mass of the study, without repetition; the shot that set the mass only where no other has its
    /// size.
    pub fn all(&self) -> Vec<RunSummary> {
        let mut all = self.runs.clone();
        for fit in &self.fits {
            if fit.mass == self.mass && all.iter().all(|r| r.run.size != fit.run.size) {
                all.push(fit.clone());
            }
        }
        all
    }
}

/// A folder for layers and shots.
pub struct Shots {
    folder: PathBuf,
    /// The layers in it.
    pub layers: Store,
}

impl Shots {
    /// Opens or makes the folder.
    pub fn new(folder: &Path) -> Result<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            layers: Store::new(folder)?,
        })
    }

    /// Makes what is missing of a study and gives all its shots. `begun` hears of each shot that has to be made: how
    /// many are done, and its name.
    pub fn study(
        &self,
        plan: &StudyPlan,
        begun: &mut dyn FnMut(usize, &str),
    ) -> Result<StudyResult> {
        let mut mass = plan.start_mass;
        let mut fits: Vec<RunSummary> = Vec::new();
        // A secant on the mass: the momentum loss hardly depends on it.
        for _ in 0..4 {
            let shot = self.shot(&plan.fit, mass, 0, begun)?;
            let missed = (shot.residual - plan.fit_residual).abs();
            mass = shot.mass_for(plan.fit_residual, plan.speed);
            fits.push(shot);
            if missed < 1.0 {
                break;
            }
        }
        let miss = |s: &&RunSummary| (s.residual - plan.fit_residual).abs();
        let best = fits.iter().min_by(|a, b| miss(a).total_cmp(&miss(b)));
        let mass = best.map_or(mass, |s| s.mass);
        let runs = plan.runs.iter().enumerate();
        let runs = runs.map(|(k, run)| self.shot(run, mass, k + 1, begun));
        let runs = runs.collect::<Result<Vec<_>>>()?;
        Ok(StudyResult { mass, fits, runs })
    }

    /// One shot, made if it is not kept.
    pub fn shot(
        &self,
        run: &StudyRun,
        mass: f64,
        done: usize,
        begun: &mut dyn FnMut(usize, &str),
    ) -> Result<RunSummary> {
        if let Some(summary) = self.finished(run, mass) {
            return Ok(summary);
        }
        begun(done, &run.name());
        let (layer, _) = self.layers.packing(&run.packing()?, |_| {})?;
        let summary = run.shoot(&layer, mass, |_| Ok(()))?;
        self.keep(&summary)?;
        Ok(summary)
    }

    fn path(&self, run: &StudyRun, mass: f64) -> PathBuf {
        let name = run.name();
        self.folder
            .join(format!("{name}-{mass:.6}kg-model{MODEL}.json"))
    }

    /// The result of a shot, if it is there.
    fn finished(&self, run: &StudyRun, mass: f64) -> Option<RunSummary> {
        let text = std::fs::read(self.path(run, mass)).ok()?;
        let summary: RunSummary = serde_json::from_slice(&text).ok()?;
        (summary.run == *run).then_some(summary)
    }

    /// Writes under another name and then renames, so that a file is whole or not there.
    fn keep(&self, summary: &RunSummary) -> Result<()> {
        let path = self.path(&summary.run, summary.mass);
        let part = path.with_extension(format!("part{}", std::process::id()));
        std::fs::write(&part, serde_json::to_vec(summary)?)
            .with_context(|| part.display().to_string())?;
        std::fs::rename(&part, &path).with_context(|| path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::plan::Variation;
    use glam::DVec3;

    fn tiny() -> StudyPlan {
        let run = |variation: Variation| StudyRun {
            layer: DVec3::new(1.0, 0.7, 0.7),
            size: 0.3,
            seed: 2,
            variation,
        };
        StudyPlan {
            fit: run(Variation::Base),
            fit_residual: 1180.0,
            speed: 1200.0,
            start_mass: 60.0,
            runs: vec![
                run(Variation::Base),
                run(Variation::Friction(0.0)),
                run(Variation::Conservative),
            ],
        }
    }

    #[test]
    fn a_stopped_study_goes_on_and_comes_out_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let whole = Shots::new(&folder.path().join("whole")).unwrap();
        let expected = whole.study(&tiny(), &mut |_, _| {}).unwrap();
        assert!((expected.runs[0].residual - 1180.0).abs() < 1.0);
        assert!(expected.runs.iter().all(|r| r.mass == expected.mass));

        // Stopped before the last shot.
        let broken = Shots::new(&folder.path().join("broken")).unwrap();
        let mut first = tiny();
        first.runs.pop();
        broken.study(&first, &mut |_, _| {}).unwrap();
        let mut made = Vec::new();
        let resumed = broken.study(&tiny(), &mut |done, _| made.push(done));
        assert_eq!(resumed.unwrap(), expected);
        assert_eq!(made, [3], "only the last shot was left to do");
    }
}

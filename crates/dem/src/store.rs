//! Layers and finished shots in a folder, so that a study goes on where it was stopped.
//!
//! A layer is named by the hash of its specification. A file is written under another name and then renamed, so that it
//! is whole or not there.

use crate::error::DemError;
use crate::packing::{Packing, PackingProgress, PackingSpec};
use crate::study::{RunSummary, StudyPlan, StudyRun};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Part of the name of every kept shot; raised whenever the same shot would come out otherwise (a golden hash of the
/// tests changes then), so that an old result is never taken for a new one.
const MODEL: u32 = 1;

/// What a study is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Making a layer.
    Layer,
    /// A shot.
    Shot,
}

/// How far a study is.
#[derive(Clone, Copy, Debug)]
pub struct StudyStatus<'a> {
    /// Shots finished (the fit of the mass counts as one).
    pub done: usize,
    /// Shots in all.
    pub total: usize,
    /// The present one.
    pub name: &'a str,
    /// What it is busy with.
    pub stage: Stage,
    /// How far that is, 0 to 1.
    pub fraction: f64,
}

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
    #[must_use]
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
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens or makes the folder.
    ///
    /// # Errors
    /// [`DemError::Saved`] if it cannot be made.
    pub fn new(folder: &Path) -> Result<Self, DemError> {
        std::fs::create_dir_all(folder).map_err(|e| failed("folder", folder, &e))?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// The folder named by `KLAST_CACHE`, or `klast` in the user's cache folder, or in the temporary one.
    #[must_use]
    pub fn default_folder() -> PathBuf {
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        variable("KLAST_CACHE")
            .map(PathBuf::from)
            .or_else(|| variable("XDG_CACHE_HOME").map(|p| PathBuf::from(p).join("klast")))
            .or_else(|| variable("HOME").map(|p| PathBuf::from(p).join(".cache").join("klast")))
            .unwrap_or_else(|| std::env::temp_dir().join("klast"))
    }

    /// Where the layer of this specification is or will be.
    #[must_use]
    pub fn packing_path(&self, spec: &PackingSpec) -> PathBuf {
        self.folder.join(format!("{:016x}.packing", spec.hash()))
    }

    /// The layer, loaded or made and saved; and whether it was loaded. A file that does not fit is made again.
    ///
    /// # Errors
    /// As [`Packing::make`]; a folder that cannot be written.
    pub fn packing(
        &self,
        spec: &PackingSpec,
        progress: impl FnMut(PackingProgress),
    ) -> Result<(Packing, bool), DemError> {
        let path = self.packing_path(spec);
        let saved = std::fs::read(&path).ok();
        if let Some(packing) = saved.and_then(|bytes| Packing::from_bytes(&bytes).ok())
            && packing.spec_hash == spec.hash()
        {
            return Ok((packing, true));
        }
        let packing = Packing::make(spec, progress)?;
        self.write(&path, &packing.to_bytes())?;
        Ok((packing, false))
    }

    fn run_path(&self, run: &StudyRun, mass: f64) -> PathBuf {
        let name = run.name();
        self.folder
            .join(format!("{name}-{mass:.6}kg-model{MODEL}.json"))
    }

    /// The result of a shot, if it is there.
    #[must_use]
    pub fn finished(&self, run: &StudyRun, mass: f64) -> Option<RunSummary> {
        let text = std::fs::read(self.run_path(run, mass)).ok()?;
        let summary: RunSummary = serde_json::from_slice(&text).ok()?;
        (summary.run == *run).then_some(summary)
    }

    /// Keeps the result of a shot.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn finish(&self, summary: &RunSummary) -> Result<(), DemError> {
        let path = self.run_path(&summary.run, summary.mass);
        let text = serde_json::to_vec(summary).map_err(|e| DemError::Saved {
            what: "result",
            reason: e.to_string(),
        })?;
        self.write(&path, &text)
    }

    /// Makes what is missing of a study and gives all its shots. `report` may stop it; what is finished stays, and the
    /// next call goes on from there.
    ///
    /// # Errors
    /// What a layer or a shot refuses; a folder that cannot be written.
    pub fn study(
        &self,
        plan: &StudyPlan,
        report: &mut dyn FnMut(&StudyStatus) -> ControlFlow<()>,
    ) -> Result<Option<StudyResult>, DemError> {
        let total = plan.runs.len() + 1;
        let mut mass = plan.start_mass;
        let mut fits: Vec<RunSummary> = Vec::new();
        // A secant on the mass: the momentum loss hardly depends on it.
        for _ in 0..4 {
            let Some(shot) = self.shot(&plan.fit, mass, (0, total), report)? else {
                return Ok(None);
            };
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
        let mut runs = Vec::with_capacity(plan.runs.len());
        for (k, run) in plan.runs.iter().enumerate() {
            match self.shot(run, mass, (k + 1, total), report)? {
                Some(summary) => runs.push(summary),
                None => return Ok(None),
            }
        }
        Ok(Some(StudyResult { mass, fits, runs }))
    }

    fn shot(
        &self,
        run: &StudyRun,
        mass: f64,
        (done, total): (usize, usize),
        report: &mut dyn FnMut(&StudyStatus) -> ControlFlow<()>,
    ) -> Result<Option<RunSummary>, DemError> {
        if let Some(summary) = self.finished(run, mass) {
            return Ok(Some(summary));
        }
        let name = run.name();
        let mut status = |stage: Stage, fraction: f64| {
            report(&StudyStatus {
                done,
                total,
                name: &name,
                stage,
                fraction,
            })
        };
        let (layer, _) = self.packing(&run.packing()?, |p| {
            // A layer is made to its end: it is what takes longest, and it is kept.
            let _ = status(Stage::Layer, p.fraction);
        })?;
        if status(Stage::Shot, 0.0).is_break() {
            return Ok(None);
        }
        let summary = run.shoot(&layer, mass, |f| status(Stage::Shot, f.progress()))?;
        if let Some(summary) = &summary {
            self.finish(summary)?;
        }
        Ok(summary)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), DemError> {
        let part = path.with_extension(format!("part{}", std::process::id()));
        std::fs::write(&part, bytes).map_err(|e| failed("file", &part, &e))?;
        std::fs::rename(&part, path).map_err(|e| failed("file", path, &e))
    }
}

fn failed(what: &'static str, path: &Path, error: &std::io::Error) -> DemError {
    DemError::Saved {
        what,
        reason: format!("{}: {error}", path.display()),
    }
}

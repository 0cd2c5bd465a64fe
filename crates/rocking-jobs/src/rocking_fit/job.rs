//! The coefficient of restitution from measured histories.

use klast_ground_motion::GroundMotion;
use klast_rocking::{
    FitWindow, Options, Restitution, RestitutionFit, RestitutionModel, RockingBlock,
    RotationHistory, Side, simulate_at,
};
use klast_runs::error::{Context as _, Result};

use super::result::{self, Sample, Summary};
use super::scene::Scene;
use klast_files::record::read_series;
use klast_runs::Results;
use klast_runs::faults::{Fault, Faults};
use klast_runs::fit::{HeldOut, estimate, resamples};
use klast_runs::job::{Job, Run};
use klast_runs::text::SceneText;

struct FitJob {
    block: RockingBlock,
    /// At least one.
    histories: Vec<RotationHistory>,
    window: FitWindow,
    material: f64,
    resamples: usize,
    seed: u64,
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

/// Reads and validates: whatever the fit would refuse is refused here.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let gravity = faults.take("", scene.gravity_m_s2.m_s2());
    let material = scene.material;
    faults.check(material > 0.0 && material <= 1.0, || {
        Fault::new("material", material).accepted("above 0 and at most 1")
    });
    faults.check((100..=100_000).contains(&scene.resamples), || {
        Fault::new("resamples", scene.resamples).accepted("100 to 100000")
    });
    let block = gravity.and_then(|g| faults.take("block", scene.block.build(g)));
    // The fit stands beside Housner's coefficient; a block as bulky as this has none.
    let housner = block
        .as_ref()
        .map(|b| Restitution::housner().coefficient(b, Side::Right));
    faults.check(housner.is_none_or(|eta| eta >= 0.0), || {
        let eta = housner.unwrap_or_default();
        Fault::new(
            "block",
            format!("Housner's coefficient of restitution is {eta:.3}"),
        )
        .accepted("a block so slender that it is 0 or more")
    });
    let read = |file: &String| {
        let history = text.read_text(file)?;
        read_history(&history).with_context(|| text.path(file).display().to_string())
    };
    let histories = scene.history.paths().iter().map(read);
    let histories = faults.take("history", histories.collect::<Result<Vec<_>>>());
    let window = scene.window.into();
    if let Some((block, histories)) = block.as_ref().zip(histories.as_ref()) {
        let fit = RestitutionFit::new(block, histories, window).map(drop);
        faults.take("history", fit);
    }
    let job = faults.or_all(|| {
        Some(FitJob {
            block: block?,
            histories: histories?,
            window,
            material,
            resamples: scene.resamples,
            seed: scene.seed,
        })
    });
    Ok(Box::new(job?))
}

impl FitJob {
    /// The histories beside those of the block with a coefficient.
    fn fitted(&self, eta: f64) -> Result<Vec<Sample>> {
        let restitution = Restitution::new(RestitutionModel::Given { eta })?;
        let still = GroundMotion::at_rest();
        let mut rows = Vec::new();
        for (k, history) in self.histories.iter().enumerate() {
            let (times, measured) = (history.times(), history.rotations());
            let end = times.last().copied().unwrap_or(0.0) + 1e-9;
            let options = Options::released(end, measured[0]);
            let run = simulate_at(&self.block, &restitution, &still, &options, times)?;
            let samples = times.iter().zip(measured).zip(&run.samples);
            rows.extend(samples.map(|((&time_s, &measured_rad), s)| Sample {
                history: k + 1,
                time_s,
                measured_rad,
                fitted_rad: s.rotation,
            }));
        }
        Ok(rows)
    }
}

impl Job for FitJob {
    fn describe(&self) -> String {
        let first = &self.histories[0];
        let samples: usize = self.histories.iter().map(|h| h.times().len()).sum();
        let ends = self.histories.iter().filter_map(|h| h.times().last());
        format!(
            "{samples} samples over {:.3} s, released at {:.4} rad",
            ends.sum::<f64>(),
            first.rotations()[0]
        )
    }

    fn draws(&self) -> bool {
        self.histories.len() > 1
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let histories = self.histories.len();
        let drawn = match histories {
            1 => vec![vec![1]],
            n => {
                let seed = run.seed.unwrap_or(self.seed);
                run.seed = Some(seed);
                resamples(n, self.resamples, seed)
            }
        };
        let fit = RestitutionFit::new(&self.block, &self.histories, self.window)?;
        let search = fit.search(drawn)?;
        let found = estimate(&search, || run.check_interrupted())?;
        let found = found.context("the block overturns with every coefficient of restitution")?;
        let eta_housner = Restitution::housner().coefficient(&self.block, Side::Right);
        let reference = fit.squares(eta_housner)?;
        let held_out = found.held_out.iter().flatten();
        let differences: Vec<f64> = reference.iter().zip(held_out).map(|(r, h)| r - h).collect();
        let windows = fit.windows();
        let window = windows.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        Ok(Box::new(result::Results {
            summary: Summary::of(
                (&self.block, self.material),
                (window.unwrap_or_default(), &fit.samples()),
                &found,
                HeldOut::of(&differences),
            ),
            history: self.fitted(found.best.values[0])?,
        }))
    }
}

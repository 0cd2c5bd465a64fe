//! `rocking-fragility`: probability of overturning over the intensity of scaled motions.

use anyhow::{Context as _, Result, ensure};
use klast_dynamics::ground_motion::Component;
use klast_plot::{Axis, LineChart, Series};
use klast_rocking::fragility::{Fragility, Trial, trials};
use klast_rocking::{BatchOptions, Restitution as Model, RockingBlock, linspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::block::{Block, Restitution, gravity};
use crate::common::motion::{Motion, remarks};
use crate::common::steps::Steps;
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// A scene of kind `rocking-fragility`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `rocking-fragility`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// The block.
    block: Block,
    /// Gravity (m/s²).
    #[serde(default = "gravity")]
    gravity_m_per_s2: f64,
    /// Restitution; Housner's unless stated.
    #[serde(default)]
    restitution: Restitution,
    /// The motions (records), unscaled.
    motions: Vec<Motion>,
    /// Factors on the motions.
    scales: Steps,
    /// Whether every motion is also taken with its sign reversed.
    #[serde(default)]
    both_polarities: bool,
    /// Measure of the intensity.
    #[serde(default)]
    intensity: Measure,
    /// Duration of each simulation (s).
    duration_s: f64,
}

/// Measure of the intensity of a motion.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Measure {
    /// Peak acceleration (m/s²).
    #[default]
    Pga,
    /// Peak velocity (m/s).
    Pgv,
    /// Pseudo-acceleration (m/s²) of an oscillator of the given period and damping.
    SpectralAcceleration {
        /// Period (s).
        period_s: f64,
        /// Damping ratio.
        damping: f64,
    },
}

impl Measure {
    fn label(self) -> &'static str {
        match self {
            Self::Pga => "PGA [m/s²]",
            Self::Pgv => "PGV [m/s]",
            Self::SpectralAcceleration { .. } => "Sa [m/s²]",
        }
    }

    fn of(self, motion: &Component) -> Result<f64> {
        Ok(match self {
            Self::Pga => motion.peak_acceleration(),
            Self::Pgv => motion.peak_velocity(),
            Self::SpectralAcceleration { period_s, damping } => {
                motion.spectral_acceleration(period_s, damping)?
            }
        })
    }
}

struct FragilityJob {
    block: RockingBlock,
    restitution: Model,
    motions: Vec<Component>,
    scales: Vec<f64>,
    measure: Measure,
    options: BatchOptions,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    ensure!(
        !scene.motions.is_empty(),
        "motions: none; accepted: one or more"
    );
    let steps = scene.scales.values("scales")?;
    let mut scales = steps.clone();
    if scene.both_polarities {
        scales.extend(steps.iter().map(|s| -s));
    }
    let mut motions = Vec::new();
    for (k, motion) in scene.motions.iter().enumerate() {
        let built = motion
            .build(text)
            .with_context(|| format!("motions[{k}]"))?;
        scene
            .intensity
            .of(&built)
            .with_context(|| format!("motions[{k}]"))?;
        motions.push(built);
    }
    let good = scene.duration_s > 0.0 && scene.duration_s.is_finite();
    ensure!(
        good,
        "duration_s {}; accepted: finite and above 0",
        scene.duration_s
    );
    Ok(Box::new(FragilityJob {
        block: scene.block.build(scene.gravity_m_per_s2)?,
        restitution: scene.restitution.build()?,
        motions,
        scales,
        measure: scene.intensity,
        options: BatchOptions::new(scene.duration_s),
        remarks: remarks(text, &scene.motions)?,
    }))
}

impl Job for FragilityJob {
    fn describe(&self) -> String {
        format!(
            "{} motions at {} scales",
            self.motions.len(),
            self.scales.len()
        )
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        // The measure of every motion was taken once already and cannot fail here.
        let measure = |motion: &Component| self.measure.of(motion).unwrap_or(f64::NAN);
        let list = trials(
            &self.block,
            &self.restitution,
            &self.motions,
            &self.scales,
            measure,
            &self.options,
        )?;
        Session::go_on()?;
        let header = ["motion", "scale", "intensity", "overturned"];
        let rows = list.iter().map(|t| {
            [
                t.record.to_string(),
                t.scale.to_string(),
                t.intensity.to_string(),
                t.overturned.to_string(),
            ]
        });
        session.output.csv("trials.csv", &header, rows)?;
        let curve = Fragility::fit(&list)?;
        let warning = curve.warning();
        for line in self.remarks.iter().chain(&warning) {
            session.warning(line);
        }
        let (records, count) = curve.size();
        let result = serde_json::json!({
            "median": curve.median(),
            "dispersion": curve.dispersion(),
            "motions": records,
            "trials": count,
            "warning": warning,
            "remarks": self.remarks,
        });
        session.result(result)?;
        let svg = self.picture(&list, &curve)?;
        session.picture("fragility.svg", &svg, "Outcome of each scaled motion (0 stands, 1 overturned) and the lognormal curve fitted to them.")
    }
}

impl FragilityJob {
    fn picture(&self, list: &[Trial], curve: &Fragility) -> Result<String> {
        let largest = list.iter().fold(0.0f64, |m, t| m.max(t.intensity));
        let x: Vec<f64> = linspace(largest / 200.0, largest, 200);
        let middle = x.iter().map(|x| (*x, curve.probability(*x))).collect();
        let band: Vec<(f64, f64)> = x.iter().map(|x| curve.band(*x, 1.96)).collect();
        let (low, high): (Vec<f64>, Vec<f64>) = band.into_iter().unzip();
        let dots = list
            .iter()
            .map(|t| (t.intensity, if t.overturned { 1.0 } else { 0.0 }));
        let chart = LineChart::new(
            "Overturning fragility",
            Axis::new(self.measure.label()),
            Axis::new("P(overturned)").range(-0.05, 1.05),
        )
        .with(Series::band("95 % band", &x, &low, &high))
        .with(Series::line("fit", middle))
        .with(Series::points("outcomes", dots.collect()));
        Ok(chart.svg()?)
    }
}

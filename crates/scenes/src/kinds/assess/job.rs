//! `assess`: thresholds, verdicts, rocking spectrum and fragility of an object that stands free.

use anyhow::{Context as _, Result, ensure};
use klast_dynamics::ground_motion::{Component, GroundMotion};
use klast_rocking::assess::{Estimates, LimitState, Target};
use klast_rocking::fragility::{
    Answer, BandOptions, Campaign, DamageState, Fraction, IntensityMeasure, efficiencies,
};
use klast_rocking::{BatchOptions, Engine, Options, Restitution as Model, RockingBlock, simulate};

use super::scene::Scene;
use super::told;
use crate::common::block::engine;
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// Time (s) that a block is followed after the end of the longest motion.
const AFTER: f64 = 10.0;

/// An assessment ready to run.
pub struct Assessment {
    pub block: RockingBlock,
    pub restitution: Model,
    pub friction: Option<f64>,
    pub engine: Engine,
    pub names: Vec<String>,
    /// Scaled to the target.
    pub motions: Vec<Component>,
    /// Factors that the target gave.
    pub factors: Vec<f64>,
    pub target: Target,
    pub limits: Vec<LimitState>,
    pub scales: Vec<f64>,
    measure: Option<IntensityMeasure>,
    band: BandOptions,
    pub duration: f64,
    pub remarks: Vec<String>,
}

/// What the runs gave.
pub struct Findings {
    pub campaign: Campaign,
    pub estimates: Estimates,
    /// Friction that each motion needs at the target without slip, in its worse polarity.
    pub needed: Vec<f64>,
    /// Of each limit state, at the target.
    pub fractions: Vec<Fraction>,
    pub measure: IntensityMeasure,
    pub values: Vec<f64>,
    /// Of each limit state.
    pub answers: Vec<Answer>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let (named, remarks) = scene.motions(text)?;
    let target = scene.target()?;
    let (mut names, mut motions, mut factors) = (Vec::new(), Vec::new(), Vec::new());
    for named in named {
        let factor = target
            .factor(&named.motion)
            .with_context(|| named.name.clone())?;
        motions.push(named.motion.scaled(factor));
        names.push(named.name);
        factors.push(factor);
    }
    let steps = scene.factors.values("factors")?;
    // The target itself is one of the scales.
    let magnitudes = steps.iter().copied().filter(|s| *s != 1.0).chain([1.0]);
    let scales = magnitudes.flat_map(|s| [s, -s]).collect();
    let longest = motions.iter().map(Component::duration).fold(0.0, f64::max);
    let duration = scene.duration_s.unwrap_or(longest + AFTER);
    ensure!(
        duration > 0.0 && duration.is_finite(),
        "duration_s {duration}; accepted: finite and above 0 (state it for a lasting motion)"
    );
    ensure!(
        (2..=1_000_000).contains(&scene.replicates),
        "replicates {}; accepted: 2 to 1000000",
        scene.replicates
    );
    Ok(Box::new(Assessment {
        block: scene.object(text)?,
        restitution: scene.restitution.build()?,
        friction: scene.friction,
        engine: engine(scene.friction)?,
        names,
        motions,
        factors,
        target,
        limits: scene.limit_states()?,
        scales,
        measure: scene.intensity.chosen(),
        band: BandOptions {
            replicates: scene.replicates,
            seed: scene.seed,
            ..BandOptions::default()
        },
        duration,
        remarks,
    }))
}

impl Job for Assessment {
    fn describe(&self) -> String {
        format!(
            "{} limit states under {} motions, {} factors in both polarities",
            self.limits.len(),
            self.motions.len(),
            self.scales.len() / 2
        )
    }

    fn draws(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        let band = BandOptions {
            seed: session.seed.unwrap_or(self.band.seed),
            ..self.band
        };
        session.seed = Some(band.seed);
        let findings = self.find(&band)?;
        Session::go_on()?;
        told::page(self, &findings, session)
    }
}

impl Assessment {
    fn find(&self, band: &BandOptions) -> Result<Findings> {
        let options = BatchOptions {
            engine: self.engine,
            ..BatchOptions::new(self.duration)
        };
        let campaign = Campaign::run(
            &self.block,
            &self.restitution,
            &self.motions,
            &self.scales,
            &options,
        )?;
        let needed = self
            .motions
            .iter()
            .map(|motion| self.needed_friction(motion))
            .collect::<Result<Vec<_>>>()?;
        let at_target = |limit: &LimitState| {
            let fractions = campaign.fractions(limit.state).into_iter();
            fractions
                .into_iter()
                .find(|f| f.scale == 1.0)
                .context("the target is among the scales")
        };
        let fractions = self
            .limits
            .iter()
            .map(at_target)
            .collect::<Result<Vec<_>>>()?;
        let measure = self
            .measure
            .map_or_else(|| self.most_efficient(&campaign, band), Ok)?;
        let values: Vec<f64> = self
            .motions
            .iter()
            .map(|motion| measure.of(&self.block, motion))
            .collect::<Result<_, _>>()?;
        let answers = self
            .limits
            .iter()
            .map(|limit| Answer::of(&campaign.trials(limit.state, &values), band))
            .collect::<Result<_, _>>()?;
        let estimates = Estimates::of(&self.block);
        Ok(Findings {
            campaign,
            estimates,
            needed,
            fractions,
            measure,
            values,
            answers,
        })
    }

    fn most_efficient(&self, campaign: &Campaign, band: &BandOptions) -> Result<IntensityMeasure> {
        let measures = IntensityMeasure::WITHOUT_PERIOD;
        let overturning = DamageState::Overturning;
        let ranking = efficiencies(
            campaign,
            &self.block,
            &self.motions,
            overturning,
            &measures,
            band,
        )?;
        Ok(ranking
            .first()
            .map_or(IntensityMeasure::Pga, |best| best.measure))
    }

    /// The friction that a motion needs so that nothing slips, in its worse polarity.
    fn needed_friction(&self, motion: &Component) -> Result<f64> {
        let options = Options::new(self.duration);
        let mut worst = 0.0f64;
        for polarity in [1.0, -1.0] {
            let moved = GroundMotion::horizontal(motion.scaled(polarity));
            let run = simulate(&self.block, &self.restitution, &moved, &options)?;
            worst = worst.max(
                run.contact
                    .context("a run says what it needs")?
                    .needed_friction,
            );
        }
        Ok(worst)
    }
}

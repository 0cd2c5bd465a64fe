//! Probability of damage states over the intensity of scaled records.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use klast_dynamics::ground_motion::Component;
use klast_rocking::fragility::{
    Answer, BandOptions, Campaign, DamageState, Efficiency, Fragility, FragilityWarning,
    IntensityMeasure, Response, efficiencies,
};
use klast_rocking::stack::{Stack, StackOptions};
use klast_rocking::{BatchOptions, Engine, Restitution as Model, RockingBlock};

use super::result::{self, Findings};
use super::scene::Scene;
use super::sheet::{self, Asked};
use crate::common::measure::reach_height;
use crate::common::records::NamedMotion;
use crate::common::refused::refused;
use crate::common::slip::TOLD_SLIP;
use crate::common::trials::{Kept, numbers, responses};
use klast_runs::faults::{Fault, Faults};
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::pieces::own_share;
use klast_runs::text::SceneText;
use klast_runs::{Results, parts};

struct FragilityJob {
    block: RockingBlock,
    stack: Option<(Stack, StackOptions)>,
    restitution: Model,
    names: Vec<String>,
    motions: Vec<Component>,
    scales: Vec<f64>,
    /// None: the most efficient.
    measure: Option<IntensityMeasure>,
    /// Those whose efficiency is compared.
    compared: Vec<IntensityMeasure>,
    states: Vec<DamageState>,
    asked: Asked,
    band: BandOptions,
    options: BatchOptions,
    remarks: Vec<String>,
    /// The name of all that decides the responses.
    key: String,
}

/// Motions of the first piece.
const MOTIONS: usize = 4;

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::knowing(refused);
    let end = faults.take("", scene.duration_s.seconds());
    let steps = faults.take("scales", scene.scales.values());
    let motions = faults.take("", scene.motions(text));
    let structure = faults.take("", scene.structure(text));
    let support = faults.take("", scene.support());
    let restitution = faults.take("", scene.restitution());
    let states = faults.take("", scene.states());
    let engine = faults.take("friction", scene.engine());
    let measure = scene.intensity.chosen();
    let asked = faults.take("", scene.asked());
    let compared = faults.take("", scene.compared());
    let height = states.as_deref().and_then(|states| {
        let height = reach_height(scene.neighbour_height_m, states);
        faults.take("", height)
    });
    if let (Some((named, _)), Some((_, block))) = (&motions, &structure) {
        for NamedMotion { name, motion } in named {
            faults.check(motion.peak_acceleration() > 0.0, || {
                Fault::new("", format!("{name}: its intensity is 0"))
                    .accepted("a motion that moves")
            });
            for measure in compared.iter().flatten() {
                let found = measure.of(block, motion);
                faults.take("intensity", found.with_context(|| name.clone()));
            }
        }
    }
    let replicates = scene.replicates;
    faults.check((2..=1_000_000).contains(&replicates), || {
        Fault::new("replicates", replicates).accepted("2 to 1000000")
    });
    let job = faults.or_all(|| {
        let ((stack, block), (named, remarks)) = (structure?, motions?);
        let (names, motions) = named.into_iter().map(|m| (m.name, m.motion)).unzip();
        let (mut scales, support) = (steps?, support?);
        if scene.both_polarities {
            scales.extend(scales.clone().iter().map(|s| -s));
        }
        Some(FragilityJob {
            block,
            stack,
            restitution: restitution?,
            names,
            motions,
            scales,
            measure,
            compared: compared?,
            states: states?,
            asked: asked?,
            band: BandOptions {
                replicates,
                seed: scene.seed,
                ..BandOptions::default()
            },
            options: BatchOptions {
                engine: engine?,
                restraint: support.restraint,
                foundation: support.foundation,
                reach_height: height?,
                ..BatchOptions::new(end?)
            },
            remarks,
            key: text.key(),
        })
    });
    Ok(Box::new(job?))
}

impl Job for FragilityJob {
    fn describe(&self) -> String {
        format!(
            "{} motions at {} scales",
            self.motions.len(),
            self.scales.len()
        )
    }

    fn draws(&self) -> bool {
        true
    }

    fn has_parts(&self) -> bool {
        true
    }

    fn keeps(&self) -> Keeps {
        Keeps::EveryMinute
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let trials = self.motions.len() * self.scales.len();
        let first = MOTIONS * self.scales.len();
        let progress = run.progress;
        let work = |trials: Range<usize>, kept: &mut Vec<Kept>| {
            let count = trials.len();
            kept.extend(self.responses(trials)?.iter().map(Kept::from));
            progress.add(count as u64);
            Ok(())
        };
        let kept = own_share(run, ("trials", &self.key), (trials, first), work)?;
        if run.shard.is_some() {
            run.seed = Some(run.seed.unwrap_or(self.band.seed));
            run.count("trials", kept.len());
            return parts::keep(run, &kept, numbers(&kept));
        }
        self.results(run, kept.into_iter().map(Response::from).collect())
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        let trials = self.motions.len() * self.scales.len();
        let kept: Vec<Kept> = parts::joined(parts, "trials", trials)?;
        let responses = kept.into_iter().map(Response::from).collect();
        self.results(run, responses)
    }
}

impl FragilityJob {
    /// Responses of some trials, numbered motion by motion.
    fn responses(&self, trials: Range<usize>) -> Result<Vec<Response>> {
        let run = |motions: &[Component], scales: &[f64]| match &self.stack {
            Some((stack, options)) => Campaign::run_stack(stack, options, motions, scales),
            None => Campaign::run(
                &self.block,
                &self.restitution,
                motions,
                scales,
                &self.options,
            ),
        };
        responses(trials, &self.motions, &self.scales, run)
    }

    /// The results of all responses.
    fn results(&self, run: &mut Run, responses: Vec<Response>) -> Result<Box<dyn Results>> {
        run.warnings(&self.remarks);
        if self.options.engine == Engine::NoSlip {
            run.warning("the model neither slides nor jumps: with a friction it may do both");
        }
        let band = BandOptions {
            seed: run.seed.unwrap_or(self.band.seed),
            ..self.band
        };
        run.seed = Some(band.seed);
        let campaign = Campaign::new(self.motions.len(), self.scales.clone(), responses)?;
        let ranking = self.ranking(&campaign, &band)?;
        let first = ranking.first().map(|best| best.measure);
        let measure = self.measure.or(first).unwrap_or(IntensityMeasure::Pga);
        let chosen = ranking.iter().find(|e| e.measure == measure);
        let intensities = chosen.map(|e| e.intensities.clone());
        let intensities = intensities.context("the measure is one of those compared")?;
        let answers: Result<Vec<(DamageState, Answer)>, klast_rocking::RockingError> = self
            .states
            .iter()
            .map(|state| {
                let trials = campaign.trials(*state, &intensities);
                Ok((*state, Answer::of(&trials, &band)?))
            })
            .collect();
        let answers = Answer::nested(answers?);
        self.warn(run, &campaign, &answers);
        let sheet = sheet::rows(&answers, &self.asked)?;
        run.warnings(&sheet::warnings(&sheet));
        let findings = Findings {
            names: &self.names,
            campaign,
            measure,
            intensities,
            answers,
            ranking,
            sheet,
            hazard: self.asked.hazard.clone(),
            follows: self.options.reach_height.is_some(),
        };
        let results = result::Results::of(findings, &self.remarks);
        Ok(Box::new(results))
    }

    fn ranking(&self, campaign: &Campaign, band: &BandOptions) -> Result<Vec<Efficiency>> {
        let overturning = DamageState::Overturning;
        // A ranking needs no band.
        let quick = BandOptions {
            replicates: 2,
            ..*band
        };
        Ok(efficiencies(
            campaign,
            &self.block,
            &self.motions,
            overturning,
            &self.compared,
            &quick,
        )?)
    }

    fn warn(&self, run: &mut Run, campaign: &Campaign, answers: &[(DamageState, Answer)]) {
        if campaign.undecided() > 0 {
            run.warning(&format!(
                "{} trials still rocked at the end of {} s and count as not overturned: a longer duration_s decides them",
                campaign.undecided(),
                self.options.duration
            ));
        }
        if let Some(said) = slides(campaign) {
            run.warning(&said);
        }
        let mut told: Vec<FragilityWarning> = Vec::new();
        for (state, answer) in answers {
            for warning in answer.curve().map(Fragility::warnings).unwrap_or_default() {
                // Too few records is one warning for all states.
                if !told.contains(&warning) {
                    run.warning(&format!("{}: {warning}", state.name()));
                    told.push(warning);
                }
            }
        }
    }
}

/// What is said of trials in which the block stands, but not where it stood.
fn slides(campaign: &Campaign) -> Option<String> {
    let rows = (0..campaign.records()).flat_map(|record| campaign.row(record));
    let stand: Vec<f64> = rows.filter(|r| !r.overturned).map(|r| r.slip).collect();
    let far = stand.iter().filter(|slip| **slip > TOLD_SLIP).count();
    let largest = stand.iter().fold(0.0f64, |most, slip| most.max(*slip));
    (far > 0).then(|| {
        format!(
            "it slides in {far} of {} trials that do not overturn it, by up to {largest:.3} m",
            stand.len()
        )
    })
}

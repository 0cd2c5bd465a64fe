//! Probability of damage states over the intensity of scaled records.

use std::ops::Range;
use std::path::PathBuf;

use klast_rocking::fragility::{
    Answer, BandOptions, Campaign, DamageState, Efficiency, Fragility, FragilityWarning,
    IntensityMeasure, Response, efficiencies,
};
use klast_runs::error::{Context as _, Result};

use super::result::{self, Findings};
use super::scene::Scene;
use super::sheet::{self, Asked};
use super::structure::Structure;
use crate::common::slip::TOLD_SLIP;
use crate::common::trials::{Kept, numbers};
use klast_runs::faults::{Fault, Faults};
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::pieces::own_share;
use klast_runs::text::SceneText;
use klast_runs::{Results, parts};

struct FragilityJob {
    structure: Structure,
    /// Signed scales, in space each at every angle.
    slots: Vec<f64>,
    /// None: the most efficient.
    measure: Option<IntensityMeasure>,
    /// Those whose efficiency is compared.
    compared: Vec<IntensityMeasure>,
    states: Vec<DamageState>,
    asked: Asked,
    band: BandOptions,
    duration: f64,
    /// The name of all that decides the responses.
    key: String,
}

/// Motions of the first piece.
const MOTIONS: usize = 4;

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let end = faults.take("", scene.duration_s.seconds());
    let steps = faults.take("scales", scene.scales.values());
    let states = faults.take("", scene.states());
    let built = Structure::build(&scene, text, states.as_deref().unwrap_or(&[]));
    let structure = faults.take("", built);
    let asked = faults.take("", scene.asked());
    let compared = faults.take("", scene.compared());
    let largest = steps.iter().flatten().fold(0.0f64, |m, s| m.max(*s));
    for measure in compared.iter().flatten() {
        let found = structure
            .as_ref()
            .map(|of| of.intensities(*measure, vec![largest]));
        let found = faults.take("intensity", found.transpose()).flatten();
        let chosen = scene.intensity.chosen() == Some(*measure);
        faults.check(!chosen || found.is_none_or(|of| of.range().1 > 0.0), || {
            Fault::new("intensity", "0 in all motions at all scales").accepted("another measure")
        });
    }
    let replicates = scene.replicates;
    faults.check((2..=1_000_000).contains(&replicates), || {
        Fault::new("replicates", replicates).accepted("2 to 1000000")
    });
    let job = faults.or_all(|| {
        let (structure, mut scales) = (structure?, steps?);
        if scene.both_polarities {
            scales.extend(scales.clone().iter().map(|s| -s));
        }
        Some(FragilityJob {
            slots: structure.slots(&scales),
            structure,
            measure: scene.intensity.chosen(),
            compared: compared?,
            states: states?,
            asked: asked?,
            band: BandOptions {
                replicates,
                seed: scene.seed,
                ..BandOptions::default()
            },
            duration: end?,
            key: text.key(),
        })
    });
    Ok(Box::new(job?))
}

impl Job for FragilityJob {
    fn describe(&self) -> String {
        let angles = self.structure.angles_deg().len();
        let scales = self.slots.len() / angles.max(1);
        let motions = self.structure.names.len();
        match angles {
            0 => format!("{motions} motions at {scales} scales"),
            _ => format!("{motions} motions at {scales} scales and {angles} angles"),
        }
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
        let trials = self.structure.names.len() * self.slots.len();
        let first = self.first();
        let progress = run.progress;
        let work = |trials: Range<usize>, kept: &mut Vec<Kept>| {
            let count = trials.len();
            kept.extend(
                self.structure
                    .responses(trials, &self.slots)?
                    .iter()
                    .map(Kept::from),
            );
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
        let trials = self.structure.names.len() * self.slots.len();
        let kept: Vec<Kept> = parts::joined(parts, "trials", trials)?;
        let responses = kept.into_iter().map(Response::from).collect();
        self.results(run, responses)
    }
}

impl FragilityJob {
    /// Trials of the first piece: of a body in space a run takes as long as many of a block.
    fn first(&self) -> usize {
        match self.structure.angles_deg().len() {
            0 => MOTIONS * self.slots.len(),
            angles => angles,
        }
    }

    /// The results of all responses.
    fn results(&self, run: &mut Run, responses: Vec<Response>) -> Result<Box<dyn Results>> {
        run.warnings(&self.structure.remarks);
        if self.structure.sticks() {
            run.warning("no friction given: assumes no sliding and no uplift");
        }
        let band = BandOptions {
            seed: run.seed.unwrap_or(self.band.seed),
            ..self.band
        };
        run.seed = Some(band.seed);
        let campaign = Campaign::new(self.structure.names.len(), self.slots.clone(), responses)?;
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
            names: &self.structure.names,
            angles: self.structure.angles_deg(),
            campaign,
            measure,
            intensities,
            answers,
            ranking,
            sheet,
            hazard: self.asked.hazard.clone(),
            follows: self.structure.follows(),
        };
        let results = result::Results::of(findings, &self.structure.remarks);
        Ok(Box::new(results))
    }

    fn ranking(&self, campaign: &Campaign, band: &BandOptions) -> Result<Vec<Efficiency>> {
        let overturning = DamageState::Overturning;
        // A ranking needs no band.
        let quick = BandOptions {
            replicates: 2,
            ..*band
        };
        let of = |measure| self.structure.intensities(measure, campaign.magnitudes());
        Ok(efficiencies(
            campaign,
            overturning,
            &self.compared,
            &quick,
            of,
        )?)
    }

    fn warn(&self, run: &mut Run, campaign: &Campaign, answers: &[(DamageState, Answer)]) {
        if campaign.undecided() > 0 {
            run.warning(&format!(
                "{} trials still rocked at the end of {} s and count as not overturned: a longer duration_s decides them",
                campaign.undecided(),
                self.duration
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

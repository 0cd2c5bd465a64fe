//! Thresholds, verdicts, rocking spectrum and fragility of an object that stands free.

use std::ops::Range;
use std::path::PathBuf;

use klast_ground_motion::{Component, GroundMotion};
use klast_rocking::assess::{Estimates, LimitState};
use klast_rocking::compliant::{CompliantOutcome, simulate_compliant};
use klast_rocking::fragility::{
    Answer, BandOptions, Campaign, DamageState, IntensityMeasure, Response, efficiencies,
};
use klast_rocking::{
    Base, BatchOptions, Engine, Foot, Options, Outcome, Restitution as Model, SlideRockOptions,
    SpectrumPoint, linspace, rocking_spectrum, simulate, simulate_slide_rock,
};
use klast_runs::ensure;
use klast_runs::error::{Context as _, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::findings::{Findings, Hold, Posed, decisive};
use super::scene::Scene;
use super::{result, verdict};
use crate::common::measure::reach_height;
use crate::common::restitution::engine;
use crate::common::space::Space;
use crate::common::trials::{Kept, numbers, responses};
use klast_runs::Results;
use klast_runs::faults::{Fault, Faults};
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::parts::{self, Number};
use klast_runs::pieces::in_pieces;
use klast_runs::text::SceneText;

/// Sizes of a spectrum, from a third to three times that of the object.
const SIZES: usize = 15;
/// Records of which a spectrum is drawn.
const MOST_SPECTRA: usize = 30;

/// What simulations have found, of all or of a part: each of the three in its own order.
#[derive(Default, Serialize, Deserialize)]
struct Found {
    /// Motion by motion at every scale.
    responses: Vec<Kept>,
    /// Friction that each motion needs at the target, and whether a restrainer breaks.
    held: Vec<(Number, bool)>,
    /// Period (s) and peak rotation over the slenderness, motion by motion at every size.
    spectra: Vec<(Number, Number)>,
}

impl Found {
    /// The states that each of the three keeps on the way.
    const STATES: [&str; 3] = [
        "state-trials.json",
        "state-holds.json",
        "state-spectra.json",
    ];
}

/// An assessment ready to run.
struct Assessment {
    posed: Posed,
    restitution: Model,
    engine: Engine,
    scales: Vec<f64>,
    /// Height at which ways are followed event by event, where a state asks for events.
    reach_height: Option<f64>,
    measure: Option<IntensityMeasure>,
    band: BandOptions,
    /// The name of all that decides the simulations.
    key: String,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let posed = faults.take("", Posed::read(&scene, text));
    let height = posed.as_ref().and_then(|posed| {
        let states: Vec<DamageState> = posed.limits.iter().map(|limit| limit.state).collect();
        faults.take("", reach_height(scene.neighbour_height_m, &states))
    });
    let restitution = faults.take("", scene.restitution());
    let reserve = scene.reserve.map(|reserve| {
        let (posed, restitution) = (posed.as_ref()?, restitution.as_ref()?);
        faults.take("reserve", reserve.build(&posed.block, restitution))
    });
    let engine = faults.take("friction", engine(scene.friction));
    let steps = faults.take("factors", scene.factors.values());
    let replicates = scene.replicates;
    faults.check((2..=1_000_000).contains(&replicates), || {
        Fault::new("replicates", replicates).accepted("2 to 1000000")
    });
    let job = faults.or_all(|| {
        let posed = Posed {
            reserve: reserve.flatten(),
            ..posed?
        };
        // The target itself is one of the scales.
        let magnitudes = steps?.into_iter().filter(|s| *s != 1.0).chain([1.0]);
        let scales = match &posed.space {
            Some(space) => space.slots(&magnitudes.collect::<Vec<_>>()),
            None => magnitudes.flat_map(|s| [s, -s]).collect(),
        };
        Some(Assessment {
            posed,
            restitution: restitution?,
            engine: engine?,
            scales,
            reach_height: height?,
            measure: scene.intensity.chosen(),
            band: BandOptions {
                replicates,
                seed: scene.seed,
                ..BandOptions::default()
            },
            key: text.key(),
        })
    });
    Ok(Box::new(job?))
}

impl Job for Assessment {
    fn describe(&self) -> String {
        let (limits, records) = (self.posed.limits.len(), self.posed.records());
        let angles = self.posed.space.iter().flat_map(Space::angles_deg).count();
        let trials = self.scales.len();
        match angles {
            0 => format!(
                "{limits} limit states under {records} motions, {} factors in both polarities",
                trials / 2
            ),
            _ => format!(
                "{limits} limit states under {records} triplets, {} factors at {angles} angles",
                trials / angles
            ),
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
        run.seed = Some(run.seed.unwrap_or(self.band.seed));
        let found = self.found(run)?;
        if run.shard.is_some() {
            run.count("trials", found.responses.len());
            let numbers = numbers(&found.responses);
            return parts::keep(run, &found, numbers);
        }
        self.results(run, found)
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        let mut found = Found::default();
        for part in parts::read::<Found>(parts)? {
            found.responses.extend(part.responses);
            found.held.extend(part.held);
            found.spectra.extend(part.spectra);
        }
        self.results(run, found)
    }
}

impl Assessment {
    /// The simulations that are this run's.
    fn found(&self, run: &mut Run) -> Result<Found> {
        let (motions, width) = (&self.posed.motions, self.scales.len());
        let options = BatchOptions {
            engine: self.engine,
            restraint: self.posed.support.restraint,
            foundation: self.posed.support.foundation,
            reach_height: self.reach_height,
            ..BatchOptions::new(self.posed.duration)
        };
        let one = |motions: &[Component], scales: &[f64]| {
            let (block, restitution) = (&self.posed.block, &self.restitution);
            Campaign::run(block, restitution, motions, scales, &options)
        };
        let [of_trials, of_holds, of_spectra] = Found::STATES;
        let trials = |trials: Range<usize>| {
            let found = match &self.posed.space {
                Some(space) => space.responses(trials, &self.scales)?,
                None => responses(trials, motions, &self.scales, one)?,
            };
            Ok(found.iter().map(Kept::from).collect())
        };
        let records = self.posed.records();
        let responses = self.kept(run, of_trials, records * width, 4 * width, trials)?;
        let holds = |own: Range<usize>| {
            let own = motions.get(own).unwrap_or(&[]).iter();
            let held = own.map(|motion| self.hold(motion).map(|h| (h.friction.into(), h.breaks)));
            held.collect()
        };
        let held = self.kept(run, of_holds, motions.len(), 1, holds)?;
        let records = motions.len().min(MOST_SPECTRA);
        let spectra = |sizes| self.spectra(sizes);
        let spectra = self.kept(run, of_spectra, records * SIZES, SIZES, spectra)?;
        let states = Found::STATES;
        states.iter().for_each(|state| run.files.remove(state));
        Ok(Found {
            responses,
            held,
            spectra,
        })
    }

    /// What `work` makes of the pieces of `count` that are this run's, its state kept.
    fn kept<T: Serialize + DeserializeOwned>(
        &self,
        run: &mut Run,
        state: &str,
        count: usize,
        first: usize,
        work: impl Fn(Range<usize>) -> Result<Vec<T>>,
    ) -> Result<Vec<T>> {
        let (progress, own) = (run.progress, run.part(count));
        progress.begin("simulations", own.len() as u64);
        let kept = in_pieces(run, (state, &self.key), own, first, |range, kept| {
            let count = range.len();
            Vec::extend(kept, work(range)?);
            progress.add(count as u64);
            Ok(())
        });
        progress.finish();
        kept
    }

    fn results(&self, run: &mut Run, found: Found) -> Result<Box<dyn Results>> {
        let band = BandOptions {
            seed: run.seed.unwrap_or(self.band.seed),
            ..self.band
        };
        run.seed = Some(band.seed);
        let points = found.spectra.into_iter();
        let points: Vec<(f64, f64)> = points.map(|(t, r)| (t.into(), r.into())).collect();
        let spectra = points.chunks(SIZES).map(<[_]>::to_vec).collect();
        let responses = found.responses.into_iter().map(Response::from).collect();
        let hold = |(friction, breaks): (Number, bool)| Hold {
            friction: friction.into(),
            breaks,
        };
        let held = found.held.into_iter().map(hold).collect();
        let findings = self.find(responses, held, &band)?;
        run.check_interrupted()?;
        run.warnings(&verdict::warnings(&self.posed, &findings));
        let results = result::Results::of(&self.posed, findings, spectra);
        Ok(Box::new(results))
    }

    fn find(
        &self,
        responses: Vec<Response>,
        held: Vec<Hold>,
        band: &BandOptions,
    ) -> Result<Findings> {
        let motions = self.posed.motions.len();
        let campaign = Campaign::new(self.posed.records(), self.scales.clone(), responses)?;
        ensure!(
            held.len() == motions,
            "the parts hold {} motions; accepted: {motions}",
            held.len()
        );
        let at_target = |limit: &LimitState| {
            let fractions = campaign.fractions(limit.state).into_iter();
            fractions
                .into_iter()
                .find(|f| f.scale == 1.0)
                .context("the target is among the scales")
        };
        let fractions = self
            .posed
            .limits
            .iter()
            .map(at_target)
            .collect::<Result<Vec<_>>>()?;
        let measure = self
            .measure
            .map_or_else(|| self.most_efficient(&campaign, band), Ok)?;
        let intensities = self.posed.intensities(measure, campaign.magnitudes())?;
        let own = self.posed.limits.iter().map(|limit| {
            let answer = Answer::of(&campaign.trials(limit.state, &intensities), band)?;
            Ok((limit.state, answer))
        });
        let own = own.collect::<Result<Vec<_>>>()?;
        let nested = Answer::nested(own).into_iter();
        let answers = nested.map(|(_, answer)| answer).collect();
        let estimates = Estimates::of(&self.posed.block);
        let reserve = self.posed.reserve;
        let reserves =
            reserve.map_or(Ok(Vec::new()), |asked| asked.estimates(&self.posed.motions))?;
        Ok(Findings {
            campaign,
            estimates,
            held,
            fractions,
            measure,
            intensities,
            reserves,
            answers,
        })
    }

    fn most_efficient(&self, campaign: &Campaign, band: &BandOptions) -> Result<IntensityMeasure> {
        let measures = IntensityMeasure::WITHOUT_PERIOD;
        let overturning = DamageState::Overturning;
        // A ranking needs no band.
        let quick = BandOptions {
            replicates: 2,
            ..*band
        };
        let of = |measure| self.posed.intensities(measure, campaign.magnitudes());
        let ranking = efficiencies(campaign, overturning, &measures, &quick, of)?;
        Ok(ranking
            .first()
            .map_or(IntensityMeasure::Pga, |best| best.measure))
    }

    /// What a motion needs so that nothing slips, and whether a restrainer breaks in the motion that is assessed, in
    /// its worse polarity.
    fn hold(&self, motion: &Component) -> Result<Hold> {
        let (block, support) = (&self.posed.block, &self.posed.support);
        let options = Options {
            restraint: support.restraint,
            ..Options::new(self.posed.duration)
        };
        let mut hold = Hold {
            friction: 0.0,
            breaks: false,
        };
        for polarity in [1.0, -1.0] {
            let moved = GroundMotion::horizontal(motion.scaled(polarity));
            let (contact, falls, mut restrainers) = if let Some(foundation) = &support.foundation {
                let run = simulate_compliant(block, foundation, &moved, &options)?;
                let falls = matches!(run.outcome, CompliantOutcome::Overturned(_));
                (run.contact, falls, run.restrainers)
            } else {
                let run = simulate(block, &self.restitution, &moved, &options)?;
                let contact = run.contact.context("a run says what it needs")?;
                let falls = matches!(run.outcome, Outcome::Overturned(_));
                (
                    contact,
                    falls,
                    run.restraint.map_or(Vec::new(), |r| r.restrainers),
                )
            };
            hold.friction = hold.friction.max(decisive(&contact, falls));
            if let (Engine::SlideRock(friction), Some(_)) = (self.engine, support.restraint) {
                let with = SlideRockOptions {
                    foot: Foot::Slides(friction),
                    base: support.foundation.map_or(Base::Rigid, Base::Compliant),
                    ..SlideRockOptions::from(&options)
                };
                let run = simulate_slide_rock(block, &self.restitution, &moved, &with)?;
                restrainers = run.restrainers;
            }
            hold.breaks |= restrainers.iter().any(|r| r.broke.is_some());
        }
        Ok(hold)
    }

    /// Peak rotation over the slenderness by 2π/p (s), of rectangles of the object's slenderness under each record:
    /// some of them, record by record.
    fn spectra(&self, sizes: Range<usize>) -> Result<Vec<(Number, Number)>> {
        let block = &self.posed.block;
        let own = std::f64::consts::TAU / block.frequency();
        let periods: Vec<f64> = linspace(own / 3.0, 3.0 * own, SIZES);
        let alpha = block.slenderness();
        let mut spectra = Vec::new();
        for (number, motion) in self.posed.motions.iter().enumerate() {
            let first = number * SIZES;
            let sizes = sizes.start.max(first)..sizes.end.min(first + SIZES);
            if sizes.is_empty() {
                continue;
            }
            let points = rocking_spectrum(
                &GroundMotion::horizontal(motion.clone()),
                alpha,
                &self.restitution,
                periods
                    .get(sizes.start - first..sizes.end - first)
                    .unwrap_or(&[]),
                block.gravity(),
                &Options::new(self.posed.duration),
                self.engine,
            )?;
            let point = |p: &SpectrumPoint| match p.outcome {
                Outcome::Overturned(_) => (p.period.into(), f64::NAN.into()),
                _ => (p.period.into(), (p.largest_rotation / alpha).into()),
            };
            spectra.extend(points.iter().map(point));
        }
        Ok(spectra)
    }
}

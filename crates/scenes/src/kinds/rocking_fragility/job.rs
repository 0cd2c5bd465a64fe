//! `rocking-fragility`: probability of damage states over the intensity of scaled records.

use anyhow::{Context as _, Result, ensure};
use klast_dynamics::ground_motion::Component;
use klast_rocking::fragility::{
    Answer, BandOptions, Campaign, DamageState, Efficiency, IntensityMeasure, efficiencies,
};
use klast_rocking::{BatchOptions, Engine, Restitution as Model, RockingBlock};
use serde_json::{Value, json};

use super::pictures;
use super::scene::Scene;
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

struct FragilityJob {
    block: RockingBlock,
    restitution: Model,
    names: Vec<String>,
    motions: Vec<Component>,
    scales: Vec<f64>,
    /// None: the most efficient.
    measure: Option<IntensityMeasure>,
    states: Vec<DamageState>,
    band: BandOptions,
    options: BatchOptions,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let steps = scene.scales.values("scales")?;
    let mut scales = steps.clone();
    if scene.both_polarities {
        scales.extend(steps.iter().map(|s| -s));
    }
    let (named, remarks) = scene.motions(text)?;
    let block = scene.object(text)?;
    let (names, motions): (Vec<String>, Vec<Component>) =
        named.into_iter().map(|m| (m.name, m.motion)).unzip();
    let measure = scene.intensity.chosen();
    for (name, motion) in names.iter().zip(&motions) {
        let checked = measure
            .unwrap_or(IntensityMeasure::Pga)
            .of(&block, motion)
            .with_context(|| name.clone())?;
        ensure!(
            checked > 0.0,
            "{name}: its intensity is 0; accepted: a motion that moves"
        );
    }
    let good = scene.duration_s > 0.0 && scene.duration_s.is_finite();
    ensure!(
        good,
        "duration_s {}; accepted: finite and above 0",
        scene.duration_s
    );
    let good = (2..=1_000_000).contains(&scene.replicates);
    ensure!(
        good,
        "replicates {}; accepted: 2 to 1000000",
        scene.replicates
    );
    Ok(Box::new(FragilityJob {
        block,
        restitution: scene.restitution.build()?,
        names,
        motions,
        scales,
        measure,
        states: scene.states()?,
        band: BandOptions {
            replicates: scene.replicates,
            seed: scene.seed,
            ..BandOptions::default()
        },
        options: BatchOptions {
            engine: scene.engine()?,
            ..BatchOptions::new(scene.duration_s)
        },
        remarks,
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

    fn draws(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        let band = BandOptions {
            seed: session.seed.unwrap_or(self.band.seed),
            ..self.band
        };
        session.seed = Some(band.seed);
        let campaign = Campaign::run(
            &self.block,
            &self.restitution,
            &self.motions,
            &self.scales,
            &self.options,
        )?;
        Session::go_on()?;
        let ranking = self.ranking(&campaign, &band)?;
        let measure = self
            .measure
            .or(ranking.first().map(|best| best.measure))
            .unwrap_or(IntensityMeasure::Pga);
        let values: Result<Vec<f64>, _> = self
            .motions
            .iter()
            .map(|motion| measure.of(&self.block, motion))
            .collect();
        let values = values?;
        let answers: Result<Vec<(DamageState, Answer)>, klast_rocking::RockingError> = self
            .states
            .iter()
            .map(|state| {
                Ok((
                    *state,
                    Answer::of(&campaign.trials(*state, &values), &band)?,
                ))
            })
            .collect();
        let answers = answers?;
        self.write(session, &campaign, &values)?;
        self.warn(session, &campaign, &answers);
        session.result(self.result(&campaign, measure, &answers, &ranking))?;
        for (name, svg, caption) in pictures::all(&campaign, measure, &values, &answers)? {
            session.picture(name, &svg, caption)?;
        }
        Ok(())
    }
}

impl FragilityJob {
    fn ranking(&self, campaign: &Campaign, band: &BandOptions) -> Result<Vec<Efficiency>> {
        let mut measures = IntensityMeasure::WITHOUT_PERIOD.to_vec();
        measures.extend(self.measure.filter(|m| !measures.contains(m)));
        let overturning = DamageState::Overturning;
        Ok(efficiencies(
            campaign,
            &self.block,
            &self.motions,
            overturning,
            &measures,
            band,
        )?)
    }

    fn warn(&self, session: &mut Session, campaign: &Campaign, answers: &[(DamageState, Answer)]) {
        for remark in &self.remarks {
            session.warning(remark);
        }
        if campaign.undecided() > 0 {
            session.warning(&format!(
                "{} trials still rocked at the end of {} s and count as not overturned: a longer duration_s decides them",
                campaign.undecided(),
                self.options.duration
            ));
        }
        let warnings = answers.iter().filter_map(|(state, answer)| {
            let warning = answer.curve()?.warning()?;
            Some((state.name(), warning))
        });
        let mut told: Vec<String> = Vec::new();
        for (state, warning) in warnings {
            // Too few records is one warning for all states.
            if !told.contains(&warning) {
                session.warning(&format!("{state}: {warning}"));
                told.push(warning);
            }
        }
        if self.options.engine == Engine::NoSlip {
            session.warning("the model neither slides nor jumps: with a friction it may do both");
        }
    }

    fn write(&self, session: &mut Session, campaign: &Campaign, values: &[f64]) -> Result<()> {
        let header = [
            "motion",
            "name",
            "scale",
            "intensity",
            "peak_over_slenderness",
            "largest_slip_m",
            "overturned",
            "undecided",
        ];
        let trials = (0..campaign.records()).flat_map(|record| {
            campaign
                .row(record)
                .iter()
                .zip(campaign.scales())
                .map(move |(response, scale)| {
                    vec![
                        record.to_string(),
                        self.names[record].clone(),
                        scale.to_string(),
                        (values[record] * scale.abs()).to_string(),
                        response.peak.to_string(),
                        response.slip.to_string(),
                        response.overturned.to_string(),
                        response.undecided.to_string(),
                    ]
                })
        });
        session.output.csv("trials.csv", &header, trials)?;
        let header = [
            "state", "scale", "reached", "motions", "fraction", "lower", "upper",
        ];
        let fractions = self.states.iter().flat_map(|state| {
            campaign.fractions(*state).into_iter().map(|f| {
                let (low, high) = f.bounds;
                let numbers = [
                    f.scale,
                    f.reached,
                    f.records as f64,
                    f.fraction(),
                    low,
                    high,
                ];
                let mut row = vec![state.name()];
                row.extend(numbers.map(|x| x.to_string()));
                row
            })
        });
        session.output.csv("fractions.csv", &header, fractions)?;
        let header = [
            "state",
            "motion",
            "name",
            "least_scale",
            "scale_below",
            "least_intensity",
            "later_scales_without",
        ];
        let optional = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
        let thresholds = self.states.iter().flat_map(|state| {
            campaign.thresholds(*state).into_iter().map(|t| {
                vec![
                    state.name(),
                    t.record.to_string(),
                    self.names[t.record].clone(),
                    optional(t.least),
                    optional(t.below),
                    optional(t.least.map(|scale| scale * values[t.record])),
                    t.returns.to_string(),
                ]
            })
        });
        session.output.csv("thresholds.csv", &header, thresholds)
    }

    fn result(
        &self,
        campaign: &Campaign,
        measure: IntensityMeasure,
        answers: &[(DamageState, Answer)],
        ranking: &[Efficiency],
    ) -> Value {
        let states: Vec<Value> = answers
            .iter()
            .map(|(state, answer)| told(*state, answer, measure))
            .collect();
        let ranking: Vec<Value> = ranking
            .iter()
            .map(|e| json!({ "intensity": e.measure.label(), "dispersion": e.dispersion, "answer": e.answer.sentence(e.measure.unit()) }))
            .collect();
        let overturning = answers.last().map(|(_, answer)| answer);
        let curve = overturning.and_then(Answer::curve);
        json!({
            "overturning": overturning.map(|answer| answer.sentence(measure.unit())),
            "intensity": measure.label(),
            "median": curve.map(|c| c.median()),
            "dispersion": curve.map(|c| c.dispersion()),
            "motions": campaign.records(),
            "trials": campaign.records() * campaign.scales().len(),
            "undecided": campaign.undecided(),
            "band": "95 % over records: bootstrap of whole records, standard error of the probit line, Student's t of n - 1 degrees of freedom, variance times n/(n - 1)",
            "warning": curve.and_then(|c| c.warning()),
            "states": states,
            "efficiency": ranking,
            "remarks": self.remarks,
        })
    }
}

/// One state of damage in the result.
fn told(state: DamageState, answer: &Answer, measure: IntensityMeasure) -> Value {
    let mut value = json!({ "state": state.name(), "answer": answer.sentence(measure.unit()) });
    match answer {
        Answer::Curve(curve) => {
            value["median"] = json!(curve.median());
            value["dispersion"] = json!(curve.dispersion());
            let at = curve.median();
            let (low, high) = curve.band(at);
            let (narrow_low, narrow_high) = curve.binomial_band(at, 1.96);
            value["band_at_median"] = json!([low, high]);
            value["binomial_band_at_median"] = json!([narrow_low, narrow_high]);
            value["replicates_without_line"] = json!(curve.record_band().without_line);
        }
        Answer::NoneReached { upper, .. } => value["probability_at_most"] = json!(upper),
        Answer::AllReached { lower, .. } => value["probability_at_least"] = json!(lower),
        Answer::CleanlyCut { below, above, .. } => value["median_between"] = json!([below, above]),
        Answer::NotIncreasing { slope, .. } => value["slope"] = json!(slope),
    }
    value
}

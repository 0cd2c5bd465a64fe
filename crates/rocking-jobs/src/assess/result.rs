//! What an assessment gives: verdicts first, then what they rest on.

use super::findings::{Findings, Posed};
use super::limit_verdict::LimitVerdict;
use super::reserve::ReserveAnswer;
use klast_rocking::assess::{LimitState, Target};
use klast_rocking::fragility::{Answer, Campaign, DamageState, Intensities, IntensityMeasure};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::verdict::{
    NOT_COVERED, NOT_COVERED_IN_SPACE, breaking, largest_friction, not_held, not_under, sentence,
    slips, thresholds, verdict,
};
use klast_runs::answer::{Figure, Judgement};
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `assess`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Response to each record: the rows of `records.csv`.
    pub records: Vec<RecordRow>,
    /// Fraction of the records that reach each limit state, for each factor on the target: the rows of
    /// `fractions.csv`.
    pub fractions: Vec<FractionRow>,
    /// All responses.
    #[serde(skip)]
    pub campaign: Campaign,
    /// Measure of the intensity of the fragility.
    #[serde(skip)]
    pub measure: IntensityMeasure,
    /// Intensity of each motion at each factor on the target.
    #[serde(skip)]
    pub intensities: Intensities,
    /// The fragility of each limit state.
    #[serde(skip)]
    pub answers: Vec<(DamageState, Answer)>,
    /// Of each record: peak rotation over the slenderness by 2π/p (s); not a number where the block overturns.
    #[serde(skip)]
    pub spectra: Vec<Vec<(f64, f64)>>,
    /// 2π/p of the object (s).
    #[serde(skip)]
    pub own_period: f64,
}

/// Verdicts, and the results from which they follow.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Each limit state with its verdict.
    pub limit_states: Vec<LimitAnswer>,
    /// Target to which the motions are scaled.
    pub target: String,
    /// Number of motions.
    pub motions: usize,
    /// Least base acceleration at which the object, free on a rigid base, lifts off (m/s²).
    pub lift_off_m_s2: f64,
    /// Friction coefficient below which the object, free on a rigid base, slides before it can rock.
    pub friction_below_which_it_slides_first: f64,
    /// Whether the object, free on a rigid base, slides before it rocks, with the friction of the scene; null if the
    /// scene states no friction.
    pub slides_before_it_rocks: Option<bool>,
    /// Friction coefficient that rocking without slip needs under the target, in motions that overturn the object up to
    /// its balance; null if no friction is enough, because the object would jump, and of a body in space.
    pub needed_friction: Option<f64>,
    /// Number of motions, scaled to the target, in which a restrainer breaks; null if there are no restrainers.
    pub motions_that_break_restrainers: Option<usize>,
    /// Number of motions, scaled to the target, in which the object slides by more than 1 mm with the friction of the
    /// scene and does not overturn; null if the
    /// scene states no friction.
    pub motions_that_slide: Option<usize>,
    /// Largest slip over all motions, scaled to the target, in which the object does not overturn (m); null if the
    /// scene states no friction.
    pub max_slip_m: Option<f64>,
    /// Smallest sudden change of the base velocity (m/s) after which the object rotates until its mass centre is above
    /// a corner.
    pub balance_velocity_m_s: f64,
    /// The check by reserve energy; null if the scene does not state `reserve`.
    pub reserve: Option<ReserveAnswer>,
    /// Measure of the intensity for the fragility curve, with its unit.
    pub intensity: String,
    /// Number of undecided trials: at their end the object still rocks.
    pub undecided_runs: usize,
    /// Sentences that state the accelerations and friction coefficients at which the object begins to move.
    pub thresholds: Vec<String>,
    /// Effects that the model does not include.
    pub not_covered: Vec<&'static str>,
    /// Remarks on the motions.
    pub remarks: Vec<String>,
}

/// A limit state and its verdict.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LimitAnswer {
    /// Name of the limit state.
    pub state: String,
    /// Verdict on the limit state; `sentence` explains it.
    pub verdict: LimitVerdict,
    /// The verdict in a sentence, with the results on which it rests.
    pub sentence: String,
    /// Allowed probability of the limit state.
    pub allowed_probability: f64,
    /// Fraction of the records that reach the limit state.
    pub fraction: f64,
    /// Lower end of the exact 95 % confidence interval of the probability that a record reaches the state. Each record
    /// counts as one observation.
    pub probability_at_least: f64,
    /// Upper end of the exact 95 % confidence interval of the probability that a record reaches the state. Each record
    /// counts as one observation.
    pub probability_at_most: f64,
    /// The fragility curve in a sentence.
    pub fragility: String,
    /// Median of the fragility curve, in the unit of the intensity; null if there is no curve.
    pub median: Option<f64>,
    /// Dispersion of the fragility curve; null if there is no curve.
    pub dispersion: Option<f64>,
}

/// One record, scaled to the target, in the polarity or at the angle of incidence with the largest response.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct RecordRow {
    /// Number of the motion, counted from 0.
    pub motion: usize,
    /// Name of the motion.
    pub name: String,
    /// Factor by which the record is multiplied to reach the target.
    pub factor: f64,
    /// Peak acceleration of the scaled record, on the floor if the scene states one (m/s²).
    pub pga_m_s2: f64,
    /// Peak velocity of the scaled record, on the floor if the scene states one (m/s).
    pub pgv_m_s: f64,
    /// Peak rotation over the slenderness.
    pub peak_over_slenderness: f64,
    /// Whether the object overturns.
    pub overturned: bool,
    /// Friction coefficient that the no-slip model needs; if the object overturns, up to its balance. It is null of a
    /// body in space.
    pub needed_friction: Option<f64>,
    /// Best estimate of the peak rotation over the slenderness by reserve energy; null if the method sees no rocking or
    /// finds no rotation up to the slenderness, or `reserve` is not stated.
    pub best_estimate_over_slenderness: Option<f64>,
    /// Reserve factor at the slenderness; null if `reserve` is not stated.
    pub reserve_factor: Option<f64>,
    /// Whether a restrainer breaks, with slip if the scene states a friction.
    pub restrainer_breaks: bool,
    /// Largest slip (m).
    pub max_slip_m: f64,
}

/// Fraction of the records that reach a limit state if the target is multiplied by a factor.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct FractionRow {
    /// Name of the limit state.
    pub state: String,
    /// Factor by which the target is multiplied.
    pub factor: f64,
    /// Number of records that reach the limit state. If a record is run in both polarities, each polarity counts as
    /// half a record.
    pub reached: f64,
    /// Number of records.
    pub records: usize,
    /// Fraction of the records that reach the limit state.
    pub fraction: f64,
    /// Lower end of the exact 95 % confidence interval of the probability that a record reaches the state. Each record
    /// counts as one observation.
    pub lower: f64,
    /// Upper end of the exact 95 % confidence interval of the probability that a record reaches the state. Each record
    /// counts as one observation.
    pub upper: f64,
}

impl Results {
    /// The results of an assessment.
    #[must_use]
    pub fn of(posed: &Posed, findings: Findings, spectra: Vec<Vec<(f64, f64)>>) -> Self {
        let states = posed.limits.iter().map(|limit| limit.state);
        Self {
            summary: summary(posed, &findings),
            records: records(posed, &findings),
            fractions: fractions(posed, &findings),
            own_period: std::f64::consts::TAU / posed.block.frequency(),
            answers: states.zip(findings.answers).collect(),
            campaign: findings.campaign,
            measure: findings.measure,
            intensities: findings.intensities,
            spectra,
        }
    }

    /// The verdicts.
    #[must_use]
    pub fn sentence(&self) -> String {
        let sentences = self.summary.limit_states.iter();
        let sentences: Vec<&str> = sentences.map(|l| l.sentence.as_str()).collect();
        sentences.join("\n")
    }
}

fn records(posed: &Posed, findings: &Findings) -> Vec<RecordRow> {
    let campaign = &findings.campaign;
    let estimate = |record: usize| findings.reserves.get(record);
    let held = |record: usize| findings.held.get(record);
    let row = |record: usize| {
        let row = campaign.row(record).iter().zip(campaign.scales());
        let own: Vec<_> = row
            .filter(|(_, scale)| scale.abs() == 1.0)
            .map(|(response, _)| *response)
            .collect();
        RecordRow {
            motion: record,
            name: posed.names[record].clone(),
            factor: posed.factors[record],
            pga_m_s2: posed.peaks[record].0,
            pgv_m_s: posed.peaks[record].1,
            peak_over_slenderness: own.iter().fold(0.0f64, |m, r| m.max(r.peak)),
            overturned: own.iter().any(|r| r.overturned),
            needed_friction: held(record).map(|held| held.friction),
            best_estimate_over_slenderness: estimate(record)
                .and_then(|one| posed.reserve?.share(one)),
            reserve_factor: estimate(record).map(|one| one.factor),
            restrainer_breaks: held(record).is_some_and(|held| held.breaks),
            max_slip_m: own.iter().fold(0.0f64, |m, r| m.max(r.slip)),
        }
    };
    (0..posed.records()).map(row).collect()
}

fn fractions(posed: &Posed, findings: &Findings) -> Vec<FractionRow> {
    let of = |limit: &LimitState| {
        let state = limit.state.name();
        let fractions = findings.campaign.fractions(limit.state).into_iter();
        fractions.map(move |f| FractionRow {
            state: state.clone(),
            factor: f.scale,
            reached: f.reached,
            records: f.records,
            fraction: f.fraction(),
            lower: f.bounds.0,
            upper: f.bounds.1,
        })
    };
    posed.limits.iter().flat_map(of).collect()
}

fn summary(posed: &Posed, findings: &Findings) -> Summary {
    let unit = findings.measure.unit();
    let each = posed.limits.iter().zip(&findings.fractions);
    let limit_states = each
        .zip(&findings.answers)
        .map(|((limit, fraction), answer)| {
            let verdict = verdict(findings, limit, fraction);
            LimitAnswer {
                state: limit.state.name(),
                verdict: verdict.into(),
                sentence: sentence(posed, findings, limit, fraction, verdict),
                allowed_probability: limit.allowed,
                fraction: fraction.fraction(),
                probability_at_least: fraction.bounds.0,
                probability_at_most: fraction.bounds.1,
                fragility: answer.sentence(unit),
                median: answer.curve().map(|c| c.median()),
                dispersion: answer.curve().map(|c| c.dispersion()),
            }
        });
    let target = match &posed.target {
        Target::AsRecorded => "as recorded".to_owned(),
        Target::Pga(pga) => format!("a PGA of {pga} m/s²"),
        Target::Spectrum { points, damping } => {
            format!("a spectrum at {} periods, damping {damping}", points.len())
        }
    };
    let estimates = &findings.estimates;
    Summary {
        limit_states: limit_states.collect(),
        target,
        motions: posed.records(),
        lift_off_m_s2: estimates.lift_off,
        friction_below_which_it_slides_first: estimates.sliding_friction,
        slides_before_it_rocks: posed.friction.map(|mu| estimates.slides_first(mu)),
        needed_friction: largest_friction(findings),
        motions_that_break_restrainers: posed.support.restraint.map(|_| breaking(findings)),
        motions_that_slide: posed.friction.map(|_| slips(findings).0),
        max_slip_m: posed.friction.map(|_| slips(findings).1),
        balance_velocity_m_s: estimates.balance_velocity,
        reserve: reserve(posed, findings),
        intensity: findings.measure.label(),
        undecided_runs: findings.campaign.undecided(),
        thresholds: thresholds(posed, findings),
        not_covered: match posed.space {
            Some(_) => NOT_COVERED_IN_SPACE.to_vec(),
            None => [&NOT_COVERED[..], &[not_under(posed), not_held(posed)]].concat(),
        },
        remarks: posed.remarks.clone(),
    }
}

/// The check by reserve energy.
fn reserve(posed: &Posed, findings: &Findings) -> Option<ReserveAnswer> {
    let asked = posed.reserve?;
    let campaign = &findings.campaign;
    let fell = |record: usize| {
        let mut row = campaign.row(record).iter().zip(campaign.scales());
        row.any(|(response, scale)| scale.abs() == 1.0 && response.overturned)
    };
    let overturned: Vec<bool> = (0..campaign.records()).map(fell).collect();
    Some(asked.answer(&findings.reserves, &overturned))
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> klast_runs::Answer {
        let s = &self.summary;
        let rank = |limit: &LimitAnswer| match limit.verdict {
            LimitVerdict::NotMet => 2,
            LimitVerdict::Undecided => 1,
            LimitVerdict::Met => 0,
        };
        let worst = s.limit_states.iter().max_by_key(|limit| rank(limit));
        let judgement = worst.map_or(Judgement::Measured, |limit| limit.verdict.into());
        klast_runs::Answer {
            verdict: self.sentence(),
            judgement,
            outcome: worst.map_or("nothing asked".to_owned(), |l| l.verdict.word().to_owned()),
            figures: [
                Figure::new(
                    &worst.map_or("fraction of the records".to_owned(), |l| {
                        format!("records that reach {}", l.state)
                    }),
                    worst.map(|l| 100.0 * l.fraction),
                    "%",
                ),
                Figure::new(
                    "base acceleration that lifts it off",
                    s.lift_off_m_s2,
                    "m/s²",
                ),
                match (s.needed_friction, s.max_slip_m) {
                    (None, Some(slip)) => {
                        Figure::new("largest slip where it does not overturn", slip, "m")
                    }
                    (friction, _) => Figure::needed_friction(
                        "friction that rocking without slip needs",
                        friction,
                    ),
                },
            ],
        }
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        files.table("records.csv", &self.records)?;
        files.table("fractions.csv", &self.fractions)
    }
}

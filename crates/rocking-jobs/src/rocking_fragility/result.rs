//! What a fragility of a rocking block gives.

use klast_rocking::fragility::{
    Answer, Campaign, DamageState, Efficiency, Fragility, Hazard, Intensities, IntensityMeasure,
    Response,
};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::curves::{CurveRow, curves};
use super::sheet::SheetRow;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `rocking_fragility`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Response to each scaled motion: the rows of `trials.csv`.
    pub trials: Vec<TrialRow>,
    /// Fraction of the records that reach each damage state, for each scale factor: the rows of `fractions.csv`.
    pub fractions: Vec<FractionRow>,
    /// Least scale factor at which each record reaches each damage state: the rows of `thresholds.csv`.
    pub thresholds: Vec<ThresholdRow>,
    /// Probability of each damage state with a curve over the intensity, with its band: the rows of `curves.csv`.
    pub curves: Vec<CurveRow>,
    /// Dispersions, HCLPF, annual frequency and acceptable intensity of each damage state with a curve: the rows of
    /// `sheet.csv`.
    pub sheet: Vec<SheetRow>,
    /// Hazard curve of the scene.
    #[serde(skip)]
    pub hazard: Option<Hazard>,
    /// All responses.
    #[serde(skip)]
    pub campaign: Campaign,
    /// Measure of the intensity.
    #[serde(skip)]
    pub measure: IntensityMeasure,
    /// Intensity of each motion at each scale factor.
    #[serde(skip)]
    pub intensities: Intensities,
    /// Measures of intensity, the most efficient first.
    #[serde(skip)]
    pub ranking: Vec<Efficiency>,
    /// The answer for each state, overturning the last.
    #[serde(skip)]
    pub answers: Vec<(DamageState, Answer)>,
}

/// Results of a fragility.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// The answer for overturning, in a sentence; null if overturning is not among the damage states.
    pub overturning: Option<String>,
    /// Measure of the intensity, with its unit.
    pub intensity: String,
    /// Median of the fragility curve for overturning, in the unit of the intensity: the intensity at which half of the
    /// motions overturn. It is null if there is no curve.
    pub median: Option<f64>,
    /// Dispersion of the fragility curve for overturning: standard deviation of the natural logarithm of the intensity.
    /// It is null if there is no curve.
    pub dispersion: Option<f64>,
    /// Number of motions.
    pub motions: usize,
    /// Number of trials: scaled motions that were run.
    pub trials: usize,
    /// Number of undecided trials: at their end the block still rocks.
    pub undecided: usize,
    /// Name of the method by which the band of the curve is computed.
    pub band: &'static str,
    /// Warning that the records are too few or too much alike for the curve, or that its band is near 0 to 1; null if
    /// there is none.
    pub warning: Option<String>,
    /// The answer for each damage state.
    pub states: Vec<StateAnswer>,
    /// Measures of intensity, in the order of their dispersion, with the least dispersion (the most efficient measure)
    /// first.
    pub efficiency: Vec<Ranked>,
    /// Remarks on the motions.
    pub remarks: Vec<String>,
}

/// The answer for one damage state. A number that the trials do not determine is left out of `result.json`.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct StateAnswer {
    /// Name of the damage state.
    pub state: String,
    /// The answer in a sentence.
    pub answer: String,
    /// Median of the fragility curve, in the unit of the intensity. It is at most that of a state that implies this
    /// one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// Dispersion of the fragility curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispersion: Option<f64>,
    /// Lower and upper end of the 95 % band over records at the median, as probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub band_at_median: Option<(f64, f64)>,
    /// Lower and upper end of the 95 % binomial band at the median, as probabilities. The binomial band treats the
    /// trials of one record as independent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binomial_band_at_median: Option<(f64, f64)>,
    /// Number of bootstrap resamples to which no curve could be fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicates_without_line: Option<usize>,
    /// Upper end of the exact 95 % confidence interval of the probability, if no motion reached the damage state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability_at_most: Option<f64>,
    /// Lower end of the exact 95 % confidence interval of the probability, if all motions reached the damage state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability_at_least: Option<f64>,
    /// Interval in which the median lies, if no motion below an intensity reaches the damage state and all motions
    /// above it do. There is then no curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_between: Option<(f64, f64)>,
    /// Slope of the fitted line, if the line does not rise with the intensity. There is then no curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slope: Option<f64>,
}

impl StateAnswer {
    fn of(state: DamageState, answer: &Answer, measure: IntensityMeasure) -> Self {
        let told = Self {
            state: state.name(),
            answer: answer.sentence(measure.unit()),
            ..Self::default()
        };
        match answer {
            Answer::Curve(curve) => {
                let at = curve.median();
                Self {
                    median: Some(at),
                    dispersion: Some(curve.dispersion()),
                    band_at_median: Some(curve.band(at)),
                    binomial_band_at_median: Some(curve.binomial_band(at, 1.96)),
                    replicates_without_line: Some(curve.record_band().without_line),
                    ..told
                }
            }
            Answer::NoneReached { upper, .. } => Self {
                probability_at_most: Some(*upper),
                ..told
            },
            Answer::AllReached { lower, .. } => Self {
                probability_at_least: Some(*lower),
                ..told
            },
            Answer::CleanlyCut { below, above, .. } => Self {
                median_between: Some((*below, *above)),
                ..told
            },
            Answer::NotIncreasing { slope, .. } => Self {
                slope: Some(*slope),
                ..told
            },
        }
    }
}

/// A measure of intensity with its dispersion. A smaller dispersion means a more efficient measure.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Ranked {
    /// Measure of the intensity, with its unit.
    pub intensity: String,
    /// Dispersion of the fragility curve for overturning with this measure; null if there is no curve.
    pub dispersion: Option<f64>,
    /// Scatter about the fit: standard deviation of the logarithm of the peak rotation over the slenderness about a
    /// straight line over the logarithm of the intensity, in the trials that rock and do not overturn; null if fewer
    /// than three do.
    pub scatter: Option<f64>,
    /// Slope of this line; null if there is no line.
    pub slope: Option<f64>,
    /// Number of trials of this line; null if there is no line.
    pub trials: Option<usize>,
    /// The answer for overturning with this measure, in a sentence.
    pub answer: String,
}

impl From<&Efficiency> for Ranked {
    fn from(e: &Efficiency) -> Self {
        Self {
            intensity: e.measure.label(),
            dispersion: e.dispersion,
            scatter: e.scatter.map(|s| s.deviation),
            slope: e.scatter.map(|s| s.slope),
            trials: e.scatter.map(|s| s.trials),
            answer: e.answer.sentence(e.measure.unit()),
        }
    }
}

/// Response to a scaled motion.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct TrialRow {
    /// Number of the motion, counted from 0.
    pub motion: usize,
    /// Name of the motion.
    pub name: String,
    /// Scale factor of the motion.
    pub scale: f64,
    /// Angle of incidence (degrees) of a body in space; null in a plane.
    pub angle_deg: Option<f64>,
    /// Intensity of the scaled motion, in the unit of the measure.
    pub intensity: f64,
    /// Peak rotation over the slenderness.
    pub peak_over_slenderness: f64,
    /// Largest slip (m).
    pub max_slip_m: f64,
    /// Impact velocity: largest velocity with which a corner landed (m/s); null unless a damage state asks for events.
    pub max_impact_velocity_m_s: Option<f64>,
    /// Largest way to either side at `neighbour_height_m` (m); null unless a damage state asks for events.
    pub max_way_m: Option<f64>,
    /// Largest force of a restrainer over its strength; null unless a damage state asks for events.
    pub restrainer_force_over_strength: Option<f64>,
    /// Whether a restrainer broke; null unless a damage state asks for events.
    pub restrainer_broke: Option<bool>,
    /// Whether the block overturned.
    pub overturned: bool,
    /// Whether the block still rocked at the end.
    pub undecided: bool,
}

/// Fraction of the records that reach a damage state at one scale factor.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct FractionRow {
    /// Name of the damage state.
    pub state: String,
    /// Scale factor of the motions.
    pub scale: f64,
    /// Number of records that reach the damage state. If a record is run in both polarities, each polarity counts as
    /// half a record.
    pub reached: f64,
    /// Number of records.
    pub motions: usize,
    /// Fraction of the records that reach the damage state.
    pub fraction: f64,
    /// Lower end of the exact 95 % confidence interval of the probability that a record reaches the state. Each record
    /// counts as one observation.
    pub lower: f64,
    /// Upper end of the exact 95 % confidence interval of the probability that a record reaches the state. Each record
    /// counts as one observation.
    pub upper: f64,
}

/// The least scale factor at which a motion reaches a damage state.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ThresholdRow {
    /// Name of the damage state.
    pub state: String,
    /// Number of the motion, counted from 0.
    pub motion: usize,
    /// Name of the motion.
    pub name: String,
    /// Least scale factor that was run and at which the motion reaches the damage state; null if the motion never
    /// reaches it.
    pub min_scale: Option<f64>,
    /// Next smaller scale factor than `min_scale` that was run; null if there is no such factor.
    pub scale_below: Option<f64>,
    /// Intensity at the scale factor `min_scale`; null if the motion never reaches the damage state.
    pub min_intensity: Option<f64>,
    /// Number of scale factors above `min_scale` that were run and at which the motion does not reach the damage state.
    pub later_scales_without: usize,
}

/// What the runs gave.
pub struct Findings<'a> {
    /// Names of the motions.
    pub names: &'a [String],
    /// Angles of incidence (degrees), in the order of the scales; none in a plane.
    pub angles: Vec<f64>,
    /// All responses.
    pub campaign: Campaign,
    /// Measure of the intensity.
    pub measure: IntensityMeasure,
    /// Intensity of each motion at each scale factor.
    pub intensities: Intensities,
    /// The answer for each state, overturning the last.
    pub answers: Vec<(DamageState, Answer)>,
    /// Measures of intensity, the most efficient first.
    pub ranking: Vec<Efficiency>,
    /// What practice asks of each state.
    pub sheet: Vec<SheetRow>,
    /// Hazard curve of the scene.
    pub hazard: Option<Hazard>,
    /// Whether events are followed.
    pub follows: bool,
}

impl Results {
    /// The results of all runs.
    #[must_use]
    pub fn of(findings: Findings, remarks: &[String]) -> Self {
        Self {
            summary: summary(&findings, remarks),
            trials: trials(&findings),
            fractions: fractions(&findings),
            thresholds: thresholds(&findings),
            curves: curves(&findings.intensities, &findings.answers),
            campaign: findings.campaign,
            measure: findings.measure,
            intensities: findings.intensities,
            ranking: findings.ranking,
            sheet: findings.sheet,
            hazard: findings.hazard,
            answers: findings.answers,
        }
    }
}

fn summary(findings: &Findings, remarks: &[String]) -> Summary {
    let (campaign, measure) = (&findings.campaign, findings.measure);
    let overturning = findings.answers.last().map(|(_, answer)| answer);
    let curve = overturning.and_then(Answer::curve);
    let states = findings.answers.iter();
    Summary {
        overturning: overturning.map(|answer| answer.sentence(measure.unit())),
        intensity: measure.label(),
        median: curve.map(|c| c.median()),
        dispersion: curve.map(|c| c.dispersion()),
        motions: campaign.records(),
        trials: campaign.records() * campaign.scales().len(),
        undecided: campaign.undecided(),
        band: "95 % over records: bootstrap of whole records, standard error of the probit line, Student's t of n - 1 degrees of freedom, variance times n/(n - 1)",
        warning: curve.and_then(warning),
        states: states
            .map(|(state, answer)| StateAnswer::of(*state, answer, measure))
            .collect(),
        efficiency: findings.ranking.iter().map(Ranked::from).collect(),
        remarks: remarks.to_vec(),
    }
}

/// All warnings of a curve in one text.
fn warning(curve: &Fragility) -> Option<String> {
    let warnings = curve.warnings();
    let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

fn trials(findings: &Findings) -> Vec<TrialRow> {
    let campaign = &findings.campaign;
    let of = |record: usize| {
        let row = campaign.row(record).iter().zip(campaign.scales());
        let seen = |of: fn(&Response) -> f64, r: &Response| findings.follows.then(|| of(r));
        let angle = |slot: usize| {
            let angles = &findings.angles;
            angles.get(slot % angles.len().max(1)).copied()
        };
        let numbered = row.enumerate();
        numbered.map(move |(slot, (response, &scale))| TrialRow {
            motion: record,
            name: findings.names[record].clone(),
            scale,
            angle_deg: angle(slot),
            intensity: findings.intensities.at(record, scale),
            peak_over_slenderness: response.peak,
            max_slip_m: response.slip,
            max_impact_velocity_m_s: seen(|r| r.landing, response),
            max_way_m: seen(|r| r.reach, response),
            restrainer_force_over_strength: seen(|r| r.pull, response),
            restrainer_broke: findings.follows.then_some(response.broken),
            overturned: response.overturned,
            undecided: response.undecided,
        })
    };
    (0..campaign.records()).flat_map(of).collect()
}

fn fractions(findings: &Findings) -> Vec<FractionRow> {
    let of = |(state, _): &(DamageState, Answer)| {
        let name = state.name();
        let fractions = findings.campaign.fractions(*state).into_iter();
        fractions.map(move |f| FractionRow {
            state: name.clone(),
            scale: f.scale,
            reached: f.reached,
            motions: f.records,
            fraction: f.fraction(),
            lower: f.bounds.0,
            upper: f.bounds.1,
        })
    };
    findings.answers.iter().flat_map(of).collect()
}

fn thresholds(findings: &Findings) -> Vec<ThresholdRow> {
    let of = |(state, _): &(DamageState, Answer)| {
        let name = state.name();
        let thresholds = findings.campaign.thresholds(*state).into_iter();
        thresholds.map(move |t| ThresholdRow {
            state: name.clone(),
            motion: t.record,
            name: findings.names[t.record].clone(),
            min_scale: t.least,
            scale_below: t.below,
            min_intensity: t
                .least
                .map(|scale| findings.intensities.at(t.record, scale)),
            later_scales_without: t.returns,
        })
    };
    findings.answers.iter().flat_map(of).collect()
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> klast_runs::Answer {
        self.answer()
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        files.table("trials.csv", &self.trials)?;
        files.table("fractions.csv", &self.fractions)?;
        files.table("thresholds.csv", &self.thresholds)?;
        files.table("curves.csv", &self.curves)?;
        files.table("sheet.csv", &self.sheet)
    }
}

//! What measured throws give.

use klast_rockfall::thrown::{Experiment, Throw};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::found::{Found, root_mean, shares, tracks};
pub use super::rows::{LawRow, MisfitRow, ThrowRow, TrackRow};
use super::scene::{Law, Scene};
use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::fit::{Beside, HeldOut, Optimum, Parameter, wins};
use klast_runs::results::KindResults;

/// The results of a scene of kind `thrown`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Best coefficients of each law, in the order of the misfit, with the least misfit first: the rows of `laws.csv`.
    pub laws: Vec<LawRow>,
    /// Each throw with each law at its best coefficients: the rows of `throws.csv`.
    pub throws: Vec<ThrowRow>,
    /// Measured positions, and the positions computed with the law with the least misfit: the rows of `tracks.csv`.
    pub tracks: Vec<TrackRow>,
    /// Misfit of each set of coefficients that was tried: the rows of `misfit.csv`.
    pub misfit: Vec<MisfitRow>,
}

/// The law with the least misfit. The misfit is the distance between computed and measured positions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of throws.
    pub throws: usize,
    /// Number of samples after the first impacts. These samples are compared.
    pub samples: usize,
    /// The law with the least misfit.
    #[serde(rename = "impact_law")]
    pub law: Law,
    /// Whether the throws decide which law is best. A decision needs at least five throws. The law with the least
    /// misfit must also have a smaller misfit than each other law in at least 95 % of the resamples, and must not be
    /// worse on throws that the fit has not seen.
    pub law_is_decided: bool,
    /// The law that is hardest to distinguish from the law with the least misfit; null if only one law is compared.
    pub nearest_law: Option<Law>,
    /// Fraction of the resamples in which the misfit of `nearest_law` is not larger than that of the law with the least
    /// misfit; null if only one law is compared.
    pub nearest_as_good_share: Option<f64>,
    /// The law with the least misfit beside `nearest_law` on throws that the fit has not seen, each with the
    /// coefficients that are best on the others; the losses are sums of squares (m²).
    pub held_out: HeldOut,
    /// Friction coefficient of the law with the least misfit, with its confidence interval from the scatter between
    /// throws.
    pub friction: Parameter,
    /// Normal restitution of this law.
    pub normal_restitution: Parameter,
    /// Tangential restitution of this law; null if the law has none or the scene states no range for it.
    pub tangential_restitution: Option<Parameter>,
    /// Root mean square of the misfit of the law after the first impacts (m). The misfit is the distance between
    /// computed and measured mass centres. For a sample with an attitude, the distances between computed and measured
    /// points of the body replace this distance.
    pub rms_m: f64,
    /// Root mean square of the misfit of the law on throws that the fit has not seen (m); null for a single throw.
    pub held_out_rms_m: Option<f64>,
    /// Root mean square of the distance between computed and measured mass centres after the first impacts (m), without
    /// attitudes. This value is compared with `position_error_m`.
    pub position_rms_m: f64,
    /// Root mean square of the misfit before the first impacts (m), which comes from errors of the starts; null if no
    /// sample lies before the first impacts. Attitudes are included as in `rms_m`.
    pub rms_before_m: Option<f64>,
    /// Root mean square error of a measured position that the scene states (m); null if it states none.
    pub position_error_m: Option<f64>,
}

/// Throws from which a law may be told from another.
const ENOUGH: usize = 5;
/// Share of the resamples in which a law leaves less than another that tells them apart.
const DECIDED: f64 = 0.95;
/// Computed impacts from which small errors have grown.
const MANY_IMPACTS: usize = 5;

impl Results {
    /// The results of all laws, of which there is one at least.
    ///
    /// # Errors
    /// No law.
    pub fn of(
        scene: &Scene,
        experiment: &Experiment,
        throws: &[Throw],
        found: &[Found],
    ) -> Result<Self> {
        let shares = shares(found);
        let mut order: Vec<(&Found, f64)> = found.iter().zip(shares).collect();
        order.sort_by(|a, b| a.0.estimate.rms.total_cmp(&b.0.estimate.rms));
        let Some(&(best, _)) = order.first() else {
            klast_runs::bail!("no law of impact");
        };
        let laws: Vec<LawRow> = order.iter().map(|(f, share)| f.row(*share)).collect();
        let samples: usize = best.compared.iter().map(|c| c.samples).sum();
        let as_good = |f: &Found| 1.0 - wins(&best.estimate, &f.estimate);
        let others = order.iter().skip(1).map(|(f, _)| (*f, as_good(f)));
        // Of equals the one that leaves less.
        let nearest = others.reduce(|a, b| if b.1 > a.1 { b } else { a });
        let held_out = nearest.map_or_else(HeldOut::default, |(f, _)| best.held_out_beside(f));
        let [friction, normal_restitution, tangential] = best.estimate.parameters;
        let sought = tangential.range[0] < tangential.range[1];
        let positions: f64 = best.compared.iter().map(|c| c.position_squares).sum();
        let before: f64 = best.compared.iter().map(|c| c.squares_before).sum();
        let before_samples = best.compared.iter().map(|c| c.samples_before).sum();
        let first = &laws[0];
        Ok(Self {
            summary: Summary {
                throws: throws.len(),
                samples,
                law: best.law,
                law_is_decided: throws.len() >= ENOUGH
                    && held_out.beside_reference != Beside::Worse
                    && nearest.is_some_and(|(_, share)| share <= 1.0 - DECIDED),
                nearest_law: nearest.map(|(f, _)| f.law),
                nearest_as_good_share: nearest.map(|(_, share)| share),
                held_out,
                friction,
                normal_restitution,
                tangential_restitution: sought.then_some(tangential),
                held_out_rms_m: first.held_out_rms_m,
                rms_m: first.rms_m,
                position_rms_m: root_mean(positions, samples).unwrap_or(0.0),
                rms_before_m: root_mean(before, before_samples),
                position_error_m: scene.position_error_m,
            },
            throws: order.iter().flat_map(|(f, _)| f.throws(throws)).collect(),
            tracks: tracks(experiment, throws, best)?,
            misfit: order.iter().flat_map(|(f, _)| f.misfit(samples)).collect(),
            laws,
        })
    }

    /// What the numbers do not rest on.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let (s, mut told) = (&self.summary, Vec::new());
        if s.throws < ENOUGH {
            told.push(format!(
                "{} throws: confidence intervals and laws rest on {ENOUGH} or more",
                s.throws
            ));
        }
        if let Some(before) = s.rms_before_m.filter(|before| *before > s.rms_m) {
            told.push(format!(
                "before the first impacts, where the ground decides nothing, the misfit is {} m (root mean square), more than after them: the starts or the gravity do not fit the tracks",
                klast_runs::answer::short(before)
            ));
        }
        for (name, found, [least, greatest]) in [
            ("friction", s.friction, super::scene::FRICTION),
            (
                "normal_restitution",
                s.normal_restitution,
                super::scene::NORMAL,
            ),
        ] {
            let [low, high] = found.range;
            let end = match found.optimum {
                Optimum::AtLowerEnd if low > least => low,
                Optimum::AtUpperEnd if high < greatest => high,
                _ => continue,
            };
            told.push(format!(
                "{name}: the best value, {end}, lies at the end of the range in which it was sought; a wider range may fit better"
            ));
        }
        let own = self.throws.iter().filter(|t| t.law == s.law.name());
        let impacts = own.map(|t| t.impacts).max().unwrap_or(0);
        if impacts > MANY_IMPACTS {
            told.push(format!(
                "up to {impacts} impacts are compared: errors grow from one to the next, which widens no confidence interval; until_s compares fewer"
            ));
        }
        for row in &self.laws {
            if row.unconverged > 0 {
                told.push(format!(
                    "{}: {} contact problems missed their tolerance",
                    row.law.words(),
                    row.unconverged
                ));
            }
            if row.cut_off > 0 {
                told.push(format!(
                    "{}: {} of {} best throws are not computed up to their last sample (the body left the profile or made too many steps): later samples are compared with a flight that meets nothing",
                    row.law.words(),
                    row.cut_off,
                    s.throws
                ));
            }
            if row.energy_gains > 0 {
                told.push(format!(
                    "{}: {} impacts of the best throws made energy",
                    row.law.words(),
                    row.energy_gains
                ));
            }
        }
        told
    }
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        self.answer()
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        files.table("laws.csv", &self.laws)?;
        files.table("throws.csv", &self.throws)?;
        files.table("tracks.csv", &self.tracks)?;
        files.table("misfit.csv", &self.misfit)
    }
}

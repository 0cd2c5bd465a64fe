//! The posterior of a calibration, as a file between two runs.

use anyhow::{Context as _, Result, ensure};
use klast_rockfall::calibrate::{GroundSet, Posterior};
use serde::{Deserialize, Serialize};

use crate::text::SceneText;

/// What a calibration writes and a rockfall takes for a ground.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Version of this form.
    pub schema: u32,
    /// `rockfall_posterior`.
    pub kind: String,
    /// Runs that the sets were fitted on.
    pub runs: usize,
    /// Sets that were tried.
    pub sets_tried: usize,
    /// Height over the ground up to which drag acts on the mass centre.
    pub drag_height_m: f64,
    /// Factor on the runouts that the runs ask for, which a forecast elsewhere does not apply.
    pub correction: f64,
    /// The sets that were kept.
    pub sets: Vec<Set>,
}

/// A set of ground parameters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "named as in sets.csv")]
pub struct Set {
    pub weight: f64,
    pub normal_restitution: f64,
    pub friction: f64,
    pub scarring: f64,
    pub scarring_growth_per_m: f64,
    pub roughness_deg: f64,
    pub drag_per_s: f64,
    pub sharpness: f64,
}

const KIND: &str = "rockfall_posterior";
/// Sets below which their spread says too little of what is not known of the ground: of 60 observed runouts one or two
/// sets held 45 within their central 90 %, where 54 are due.
const FEW: usize = 10;

/// Warns of a posterior of few sets; 0 is a ground that has none.
#[must_use]
pub fn few_sets(sets: usize) -> Option<String> {
    (1..FEW).contains(&sets).then(|| {
        let held = match sets {
            1 => "1 set of parameters".to_owned(),
            n => format!("{n} sets of parameters"),
        };
        format!(
            "the posterior holds {held}: fewer than {FEW} make bands that are too narrow; keep more of the sets that are tried"
        )
    })
}

impl File {
    /// The file of sets that were kept, all of one weight.
    #[must_use]
    pub fn of(
        kept: &[GroundSet],
        (runs, sets_tried): (usize, usize),
        drag_height_m: f64,
        correction: f64,
    ) -> Self {
        let weight = 1.0 / kept.len().max(1) as f64;
        let set = |set: &GroundSet| {
            let [e, mu, scarring, growth, roughness, drag, sharpness] = set.values();
            Set {
                weight,
                normal_restitution: e,
                friction: mu,
                scarring,
                scarring_growth_per_m: growth,
                roughness_deg: roughness,
                drag_per_s: drag,
                sharpness,
            }
        };
        Self {
            schema: 1,
            kind: KIND.to_owned(),
            runs,
            sets_tried,
            drag_height_m,
            correction,
            sets: kept.iter().map(set).collect(),
        }
    }

    /// Reads the file that a scene names.
    ///
    /// # Errors
    /// What is no such file.
    pub fn read(file: &str, text: &SceneText) -> Result<Self> {
        let read: Self = serde_json::from_str(&text.read_text(file)?).with_context(|| {
            format!("{file}: not a posterior; accepted: the posterior.json of a run of kind rockfall_calibration")
        })?;
        ensure!(
            read.schema == 1 && read.kind == KIND,
            "{file}: kind '{}' of schema {}; accepted: {KIND} of schema 1",
            read.kind,
            read.schema
        );
        ensure!(
            !read.sets.is_empty(),
            "{file}: no sets; accepted: one or more"
        );
        Ok(read)
    }

    /// The sets of the library.
    #[must_use]
    pub fn posterior(&self) -> Posterior {
        let set = |s: &Set| {
            let values = [
                s.normal_restitution,
                s.friction,
                s.scarring,
                s.scarring_growth_per_m,
                s.roughness_deg,
                s.drag_per_s,
                s.sharpness,
            ];
            (s.weight, GroundSet::from_values(values))
        };
        Posterior {
            sets: self.sets.iter().map(set).collect(),
            drag_height: self.drag_height_m,
        }
    }
}

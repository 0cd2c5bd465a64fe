//! The posterior of a calibration, as a file between two runs.

use std::collections::BTreeMap;

use klast_rockfall::calibrate::{GroundSet, ParameterSet, Posterior, Yielding};
use klast_runs::ensure;
use klast_runs::error::{Context as _, Outside as _, Result};
use serde::{Deserialize, Serialize};

use klast_runs::faults::Fault;
use klast_runs::fit::Beside;
use klast_runs::text::SceneText;

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
    /// What the calibration found of its own forecasts; none in a file of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The sets that were kept.
    pub sets: Vec<Set>,
}

/// What a calibration found of its forecasts beside those of null models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Whether the forecasts are better.
    pub beside_null_models: Beside,
    /// The whole sentence.
    pub sentence: String,
}

/// A set of ground parameters. Drag and sharpness are those of all rocks, or of each class of rock; ground without a
/// yield pressure is rigid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "named as in sets.csv")]
pub struct Set {
    pub weight: f64,
    pub normal_restitution: f64,
    pub friction: f64,
    pub scarring: f64,
    pub scarring_growth_per_m: f64,
    pub roughness_deg: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag_per_s: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sharpness: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yield_pressure_kpa: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ejected_density_kg_m3: Option<f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub classes: BTreeMap<String, OfClass>,
}

/// What a class of rock has of its own.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "named as in sets.csv")]
pub struct OfClass {
    pub drag_per_s: f64,
    pub sharpness: f64,
}

const KIND: &str = "rockfall_posterior";
/// Sets below which their spread says too little of what is not known of the ground: of 60 observed runouts one or two
/// sets held 45 within their central 90 %, where 54 are due.
const FEW_SETS: usize = 10;

/// Warns of a posterior of few sets; 0 is a ground that has none.
#[must_use]
pub fn few_sets(sets: usize) -> Option<String> {
    (1..FEW_SETS).contains(&sets).then(|| {
        let held = match sets {
            1 => "1 set of parameters".to_owned(),
            n => format!("{n} sets of parameters"),
        };
        format!(
            "the posterior holds {held}: fewer than {FEW_SETS} make bands that are too narrow; keep more of the sets that are tried"
        )
    })
}

/// Runs below which a calibration is told to rest on few: a choice of this program. The leave-one-out scores of so few
/// runs hardly decide anything.
const FEW_RUNS: usize = 10;

/// What a forecast on the calibrated grounds of a scene has to say of their calibrations; none where they were found to
/// forecast better than null models, on runs enough.
///
/// # Errors
/// As [`File::read`].
pub fn caveat(scene: &super::scene::Scene, text: &SceneText) -> Result<Option<String>> {
    let ground = scene.ground.iter().map(|g| &g.posterior);
    let named = ground.chain(scene.materials.iter().filter_map(|m| m.posterior.as_ref()));
    let mut told: Vec<String> = Vec::new();
    for file in named {
        if let Some(said) = File::read(file, text)?.caveat()
            && !told.contains(&said)
        {
            told.push(said);
        }
    }
    Ok((!told.is_empty()).then(|| told.join(" ")))
}

impl File {
    /// What is to be said of the calibration wherever its sets are used.
    #[must_use]
    pub fn caveat(&self) -> Option<String> {
        let found = match self.verdict.as_ref().map(|v| v.beside_null_models) {
            Some(Beside::Better) => None,
            Some(Beside::Undecided | Beside::NotTested) => {
                Some("whether its forecasts are better than those of null models is undecided")
            }
            Some(Beside::Worse) => Some("its forecasts are worse than those of null models"),
            None => Some(
                "its file does not say whether its forecasts are better than those of null models",
            ),
        };
        let few = (self.runs < FEW_RUNS).then(|| format!("fewer than {FEW_RUNS} runs are few"));
        let parts: Vec<String> = found.map(str::to_owned).into_iter().chain(few).collect();
        let runs = match self.runs {
            1 => "1 observed run".to_owned(),
            n => format!("{n} observed runs"),
        };
        (!parts.is_empty()).then(|| {
            format!(
                "The ground was calibrated on {runs}; {}.",
                parts.join(", and ")
            )
        })
    }

    /// The file of sets that were kept, all of one weight; `classes` are the names of the classes of rock, empty where
    /// there are none.
    #[must_use]
    pub fn of(
        kept: &[ParameterSet],
        classes: &[String],
        (runs, sets_tried): (usize, usize),
        drag_height_m: f64,
        correction: f64,
    ) -> Self {
        let weight = 1.0 / kept.len().max(1) as f64;
        Self {
            schema: 1,
            kind: KIND.to_owned(),
            runs,
            sets_tried,
            drag_height_m,
            correction,
            verdict: None,
            sets: kept
                .iter()
                .filter_map(|s| Set::of(s, classes, weight))
                .collect(),
        }
    }

    /// Reads the file that a scene names.
    ///
    /// # Errors
    /// What is no such file.
    pub fn read(file: &str, text: &SceneText) -> Result<Self> {
        let own = text.read_text(file)?;
        klast_files::json::keys_once(&own)
            .map_err(|e| klast_runs::said!("{file}: {e}; accepted: each key of an object once"))?;
        let read: Self = serde_json::from_str(&own).outside().with_context(|| {
            format!("{file}: not a posterior; accepted: the posterior.json of a run of kind rockfall_calibration")
        })?;
        ensure!(
            read.schema == 1 && read.kind == KIND,
            Fault::of_file(
                file,
                format!("kind '{}' of schema {}", read.kind, read.schema)
            )
            .accepted(format!("{KIND} of schema 1"))
        );
        ensure!(
            !read.sets.is_empty(),
            Fault::of_file(file, "no sets").accepted("one or more")
        );
        let classes = read.classes();
        for (k, set) in read.sets.iter().enumerate() {
            let own = set.drag_per_s.is_some() && set.sharpness.is_some();
            let none = set.drag_per_s.is_none() && set.sharpness.is_none();
            let same = set
                .classes
                .keys()
                .map(String::as_str)
                .eq(classes.iter().copied());
            ensure!(
                set.yield_pressure_kpa.is_some() == set.ejected_density_kg_m3.is_some(),
                "{file}: set {}: accepted: both of yield_pressure_kpa and ejected_density_kg_m3, or neither",
                k + 1
            );
            ensure!(
                same && if classes.is_empty() { own } else { none },
                "{file}: set {}: accepted: drag_per_s and sharpness, or classes with both, the same in every set",
                k + 1
            );
        }
        Ok(read)
    }

    /// Names of the classes of rock; empty where there are none.
    #[must_use]
    pub fn classes(&self) -> Vec<&str> {
        let first = self.sets.first();
        first.map_or(Vec::new(), |s| {
            s.classes.keys().map(String::as_str).collect()
        })
    }

    /// The sets of the library for rocks of a class, or of a file without classes for all.
    ///
    /// # Errors
    /// No class where there are some, or one that the file does not have.
    pub fn posterior(&self, class: Option<&str>) -> Result<Posterior> {
        let set = |s: &Set| {
            let of_class = class.and_then(|class| s.classes.get(class));
            let own = match of_class {
                Some(own) => Some((own.drag_per_s, own.sharpness)),
                None => s.drag_per_s.zip(s.sharpness),
            };
            let (drag, sharpness) = own.with_context(|| {
                let classes = self.classes().join(", ");
                format!("class is '{}'; accepted: {classes}", class.unwrap_or(""))
            })?;
            let values = [
                s.normal_restitution,
                s.friction,
                s.scarring,
                s.scarring_growth_per_m,
                s.roughness_deg,
                drag,
                sharpness,
            ];
            let yielding = s.yield_pressure_kpa.zip(s.ejected_density_kg_m3);
            let set = GroundSet {
                yielding: yielding.map(|(sigma, rho)| Yielding::from_values([sigma, rho])),
                ..GroundSet::from_values(values)
            };
            Ok((s.weight, set))
        };
        Ok(Posterior {
            sets: self.sets.iter().map(set).collect::<Result<_>>()?,
            drag_height: self.drag_height_m,
        })
    }
}

impl Set {
    fn of(set: &ParameterSet, classes: &[String], weight: f64) -> Option<Self> {
        let [e, mu, scarring, growth, roughness, drag, sharpness] = set.of_class(0)?.values();
        let of_class = |(k, name): (usize, &String)| {
            let [.., drag_per_s, sharpness] = set.of_class(k)?.values();
            let own = OfClass {
                drag_per_s,
                sharpness,
            };
            Some((name.clone(), own))
        };
        let none = classes.is_empty();
        let yielding = set.of_class(0)?.yielding.map(|own| own.values());
        Some(Self {
            weight,
            normal_restitution: e,
            friction: mu,
            scarring,
            scarring_growth_per_m: growth,
            roughness_deg: roughness,
            drag_per_s: none.then_some(drag),
            sharpness: none.then_some(sharpness),
            yield_pressure_kpa: yielding.map(|[sigma, _]| sigma),
            ejected_density_kg_m3: yielding.map(|[_, rho]| rho),
            classes: classes.iter().enumerate().filter_map(of_class).collect(),
        })
    }
}

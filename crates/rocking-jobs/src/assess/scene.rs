//! The scene of an assessment.

use klast_rocking::assess::{LimitState, Target};
use klast_rocking::fragility::BandOptions;
use klast_rocking::{Restitution as Model, RockingBlock};
use klast_runs::ensure;
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::reserve::ReserveScene;
use crate::common::block::Block;
use crate::common::floor::Floor;
use crate::common::foundation::{Base, Support};
use crate::common::measure::{Measure, Setting, State};
use crate::common::mesh_block::{MeshBlock, object};
use crate::common::records::{NamedMotion, RecordSet, motions};
use crate::common::restitution::Restitution;
use crate::common::restraint::Restrainer;
use crate::common::space::{Space, SpaceScene};
use crate::common::steps::Steps;
use klast_runs::common::duration::Duration;
use klast_runs::common::gravity::Gravity;
use klast_runs::common::motion::Motion;
use klast_runs::faults::{Fault, Faults};
use klast_runs::text::SceneText;

/// A scene of kind `assess`: an object that stands free on a level base.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The object as a block. A scene has one of `block`, `mesh` and `space`.
    #[serde(default)]
    block: Option<Block>,
    /// The object as a mesh, in a plane. A scene has one of `block`, `mesh` and `space`.
    #[serde(default)]
    mesh: Option<MeshBlock>,
    /// The object as a body in space under record triplets. It requires `friction`; the keys of a planar object, its
    /// motions and `reserve` are then refused. Triplets are scaled to the target by their value over the directions,
    /// and what is said without a run is that of a symmetric block with the lever of the nearest edge. A scene has one
    /// of
    /// `block`, `mesh` and `space`.
    #[serde(default)]
    space: Option<SpaceScene>,
    /// Motion of the floor on which the object stands; that of the ground unless stated.
    #[serde(default)]
    pub floor: Option<Floor>,
    /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Restitution at impacts on the base; `housner` unless stated.
    #[serde(default)]
    restitution: Option<Restitution>,
    /// Friction coefficient between object and base, 0 or more. If it is stated, the object can slide, rock, slide
    /// while it rocks, and jump. If it is not stated, the object neither slides nor jumps, and every verdict states the
    /// friction that it assumes.
    #[serde(default)]
    pub friction: Option<f64>,
    /// Restrainers, up to four: anchors, bolts, cables or bars. Without this key there are no restrainers.
    #[serde(default)]
    restrainers: Vec<Restrainer>,
    /// A compliant base in place of a rigid one. It is refused if `restitution` is stated. Without this key the base is
    /// rigid.
    #[serde(default)]
    base: Option<Base>,
    /// Mass (kg), above 0. It is required with `restrainers` or `base`. In a scene without these two keys the mass is
    /// refused, because the motion does not depend on the mass.
    #[serde(default)]
    mass_kg: Option<f64>,
    /// Motions, listed one by one. A scene has `motions`, `records` or both.
    #[serde(default)]
    motions: Vec<Motion>,
    /// Records, given by folders or patterns of file names. A scene has `motions`, `records` or both.
    #[serde(default)]
    records: Vec<RecordSet>,
    /// Target to which each motion is scaled. Without this key motions are not scaled.
    #[serde(default)]
    target: TargetScene,
    /// Limit states: at least one damage state, each with the probability that is allowed.
    limit_states: Vec<LimitScene>,
    /// Height over the base (m), 0 or more, at which the gap of a state `gap_m` is measured; the points lie above the
    /// corners of the base.
    #[serde(default)]
    pub neighbour_height_m: Option<f64>,
    /// Check by reserve energy beside the time histories. Without this key there is none.
    #[serde(default)]
    pub reserve: Option<ReserveScene>,
    /// Scale factors for the fragility curve, by which the motions are multiplied after they are scaled to the target.
    /// Without this key there are 16 factors from 0.25 to 4.
    #[serde(default = "factors")]
    pub factors: Steps,
    /// Measure of the intensity for the fragility curve; `most_efficient` unless stated.
    #[serde(default = "most_efficient")]
    pub intensity: Measure,
    /// Number of bootstrap resamples of the records, for the band of the fragility curve, 2 to 1,000,000.
    #[serde(default = "replicates")]
    pub replicates: usize,
    /// Seed of the bootstrap, a whole number from 0.
    #[serde(default)]
    pub seed: u64,
    /// Duration of each simulation (s), above 0. Unless stated, it is the duration of the longest motion plus 10 s.
    #[serde(default)]
    pub duration_s: Option<Duration>,
}

fn factors() -> Steps {
    Steps {
        from: 0.25,
        to: 4.0,
        count: 16,
    }
}

fn most_efficient() -> Measure {
    Measure::MostEfficient
}

fn replicates() -> usize {
    BandOptions::default().replicates
}

/// Target to which the motions are scaled.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum TargetScene {
    /// Motions are not scaled.
    #[default]
    AsRecorded,
    /// Each motion is scaled to a peak acceleration.
    Pga {
        /// Peak acceleration of every scaled motion (m/s²), above 0.
        pga_m_s2: f64,
    },
    /// Each motion is scaled to a spectrum. The factor of a motion minimises the sum, over the stated periods, of the
    /// squared differences between the logarithms of both spectra.
    Spectrum {
        /// Periods of the spectrum (s), above 0 each.
        periods_s: Vec<f64>,
        /// Pseudo-accelerations at the periods (m/s²), above 0 each.
        accelerations_m_s2: Vec<f64>,
        /// Damping ratio of the oscillator, above 0 and below 1; 0.05 is 5 %.
        damping: f64,
    },
}

/// A limit state.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LimitScene {
    /// Damage state, such as `"uplift"`, `{"rotation": 0.1}`, `{"slip_m": 0.05}` or `"overturning"`.
    state: State,
    /// Allowed probability, 0 to 1, that the object reaches the damage state under the target.
    allowed_probability: f64,
}

impl Scene {
    /// The object.
    pub fn object(&self, text: &SceneText) -> Result<RockingBlock> {
        object(
            self.block.as_ref(),
            self.mesh.as_ref(),
            self.gravity_m_s2.m_s2()?,
            text,
        )
    }

    /// The restitution of its impacts.
    pub fn restitution(&self) -> Result<Model> {
        Restitution::beside(self.restitution, self.base.is_some())
    }

    /// What holds it and what it stands on.
    pub fn support(&self) -> Result<Support> {
        Support::build(self.mass_kg, &self.restrainers, self.base.as_ref())
    }

    /// The body in space, if it is one, with its end still open.
    ///
    /// # Errors
    /// A key of a planar object beside it; no friction; what a body in space refuses.
    pub fn spatial(&self, text: &SceneText) -> Result<Option<Space>, Faults> {
        let Some(space) = &self.space else {
            return Ok(None);
        };
        let planar = [
            ("block", self.block.is_some()),
            ("mesh", self.mesh.is_some()),
            ("restitution", self.restitution.is_some()),
            ("restrainers", !self.restrainers.is_empty()),
            ("base", self.base.is_some()),
            ("mass_kg", self.mass_kg.is_some()),
            ("motions", !self.motions.is_empty()),
            ("records", !self.records.is_empty()),
            ("reserve", self.reserve.is_some()),
        ];
        let numbers = (self.gravity_m_s2.m_s2(), Ok(1.0));
        space
            .of_scene(text, &planar, (self.friction, self.floor.as_ref()), numbers)
            .map(Some)
    }

    /// All motions with their names, and what their reader has to know.
    pub fn motions(&self, text: &SceneText) -> Result<(Vec<NamedMotion>, Vec<String>), Faults> {
        motions(text, &self.motions, &self.records)
    }

    /// Target to which the motions are scaled.
    pub fn target(&self) -> Result<Target> {
        Ok(match &self.target {
            TargetScene::AsRecorded => Target::AsRecorded,
            TargetScene::Pga { pga_m_s2 } => Target::Pga(*pga_m_s2),
            TargetScene::Spectrum {
                periods_s,
                accelerations_m_s2,
                damping,
            } => {
                let (found, needed) = (accelerations_m_s2.len(), periods_s.len());
                ensure!(
                    found == needed,
                    Fault::new(
                        "target",
                        format!("{needed} periods_s and {found} accelerations_m_s2")
                    )
                    .accepted("as many of each")
                );
                let points = periods_s
                    .iter()
                    .copied()
                    .zip(accelerations_m_s2.iter().copied());
                Target::Spectrum {
                    points: points.collect(),
                    damping: *damping,
                }
            }
        })
    }

    /// The limit states.
    ///
    /// # Errors
    /// None, and every number out of its range.
    pub fn limit_states(&self) -> Result<Vec<LimitState>, Faults> {
        let mut faults = Faults::default();
        let setting = Setting {
            slides: self.friction.is_some(),
            compliant: self.base.is_some(),
            restrained: !self.restrainers.is_empty(),
            one_block: self.space.is_none(),
            neighbour_height: self.neighbour_height_m,
        };
        let none = || Fault::new("", "none").accepted("one or more");
        faults.check(!self.limit_states.is_empty(), none);
        let mut states = Vec::new();
        for (k, limit) in self.limit_states.iter().enumerate() {
            let allowed = limit.allowed_probability;
            faults.check((0.0..=1.0).contains(&allowed), || {
                Fault::new(format!("[{k}].allowed_probability"), allowed).accepted("0 to 1")
            });
            let Some(state) = faults.take(&format!("[{k}]"), limit.state.damage(&setting)) else {
                continue;
            };
            states.push(LimitState { state, allowed });
        }
        faults.or_all(|| Some(states))
    }
}

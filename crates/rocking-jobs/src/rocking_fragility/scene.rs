//! The scene of a fragility.

use klast_rocking::fragility::{BandOptions, DamageState, IntensityMeasure};
use klast_rocking::{Engine, Restitution as Model, RockingBlock};
use klast_runs::ensure;
use klast_runs::error::Result;
use klast_stacks::{Stack, StackOptions};
use schemars::JsonSchema;
use serde::Deserialize;

use super::sheet::{Asked, HazardScene};
use crate::common::block::Block;
use crate::common::floor::Floor;
use crate::common::foundation::{Base, Support};
use crate::common::measure::{Measure, Setting, State, states};
use crate::common::mesh_block::{MeshBlock, object};
use crate::common::records::{NamedMotion, RecordSet, motions};
use crate::common::restitution::{Restitution, engine};
use crate::common::restraint::Restrainer;
use crate::common::space::{Space, SpaceScene};
use crate::common::stack::{Block as StackBlock, Restitution as InterfaceRestitution, stack};
use crate::common::steps::Steps;
use klast_runs::common::duration::Duration;
use klast_runs::common::gravity::Gravity;
use klast_runs::common::motion::Motion;
use klast_runs::faults::{At as _, Fault, Faults};
use klast_runs::text::SceneText;

/// A scene of kind `rocking_fragility`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The block. A scene has one of `block`, `mesh`, `stack` and `space`.
    #[serde(default)]
    block: Option<Block>,
    /// A body from a mesh, in a plane. A scene has one of `block`, `mesh`, `stack` and `space`.
    #[serde(default)]
    mesh: Option<MeshBlock>,
    /// A stack of blocks. A scene has one of `block`, `mesh`, `stack` and `space`. Measures of intensity are computed
    /// as for one rectangle with the size of the whole stack.
    #[serde(default)]
    stack: Option<StackScene>,
    /// A body in space under record triplets, in place of `block`, `mesh` and `stack`. It requires `friction`; the keys
    /// of a planar block and its motions are then refused. Measures of intensity that depend on the object are those of
    /// a symmetric block with the lever of its nearest edge.
    #[serde(default)]
    pub space: Option<SpaceScene>,
    /// Motion of the floor on which the object stands; that of the ground unless stated.
    #[serde(default)]
    pub floor: Option<Floor>,
    /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
    #[serde(default)]
    gravity_m_s2: Gravity,
    /// Restitution at impacts on the base; `housner` unless stated.
    #[serde(default)]
    restitution: Option<Restitution>,
    /// Friction coefficient between block and base, 0 or more. If it is stated, the block can slide, rock, slide while
    /// it rocks, and jump. If it is not stated, the block neither slides nor jumps.
    #[serde(default)]
    friction: Option<f64>,
    /// Restrainers of the block, up to four: anchors, bolts, cables or bars. Without this key there are no restrainers.
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
    /// Motions, listed one by one and not scaled. A scene has `motions`, `records` or both.
    #[serde(default)]
    motions: Vec<Motion>,
    /// Records, given by folders or patterns of file names and not scaled. A scene has `motions`, `records` or both.
    #[serde(default)]
    records: Vec<RecordSet>,
    /// Scale factors of the motions, for the fragility curve.
    pub scales: Steps,
    /// Whether each motion is also run with its sign reversed. Each of the two polarities then counts as half a record.
    #[serde(default)]
    pub both_polarities: bool,
    /// Measure of the intensity of a motion; `pga` unless stated.
    #[serde(default)]
    pub intensity: Measure,
    /// Further measures whose efficiency is compared with that of the measures that need no period.
    #[serde(default)]
    compared_intensities: Vec<Measure>,
    /// Damage states, such as `"uplift"`, `{"rotation": 0.1}`, `{"slip_m": 0.05}` or `"overturning"`. Unless stated,
    /// rotations of 0.01, 0.1, 0.5 and 1, and overturning, which is always among them.
    #[serde(default)]
    damage_states: Option<Vec<State>>,
    /// Height over the base (m), 0 or more, at which the gap of a state `gap_m` is measured; the points lie above the
    /// corners of the base.
    #[serde(default)]
    pub neighbour_height_m: Option<f64>,
    /// Hazard curve, for the annual frequency of each damage state.
    #[serde(default)]
    hazard: Option<HazardScene>,
    /// Uncertainty of the median that records do not show, as of friction, restitution and size: standard deviation of
    /// its natural logarithm, 0 or more; 0 unless stated.
    #[serde(default)]
    model_uncertainty: f64,
    /// Probability, between 0 and 1, for which the acceptable intensity of each damage state is found.
    #[serde(default)]
    acceptable_probability: Option<f64>,
    /// Number of bootstrap resamples of the records, for the band of the fragility curve, 2 to 1,000,000.
    #[serde(default = "replicates")]
    pub replicates: usize,
    /// Seed of the bootstrap, a whole number from 0.
    #[serde(default)]
    pub seed: u64,
    /// Duration of each simulation (s).
    pub duration_s: Duration,
}

/// A stack of rectangles.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StackScene {
    /// The blocks, from the base upwards: one to a hundred.
    blocks: Vec<StackBlock>,
    /// Restitution at impacts on the base; `housner` unless stated.
    #[serde(default)]
    base_restitution: InterfaceRestitution,
    /// Restitution at impacts between blocks; `housner` unless stated.
    #[serde(default)]
    restitution: InterfaceRestitution,
}

fn replicates() -> usize {
    BandOptions::default().replicates
}

impl Scene {
    /// The body in space, if it is one.
    ///
    /// # Errors
    /// A key of a planar block beside it; no friction; what a body in space refuses.
    pub fn spatial(&self, text: &SceneText) -> Result<Option<Space>, Faults> {
        let Some(space) = &self.space else {
            return Ok(None);
        };
        let planar = [
            ("block", self.block.is_some()),
            ("mesh", self.mesh.is_some()),
            ("stack", self.stack.is_some()),
            ("restitution", self.restitution.is_some()),
            ("restrainers", !self.restrainers.is_empty()),
            ("base", self.base.is_some()),
            ("mass_kg", self.mass_kg.is_some()),
            ("motions", !self.motions.is_empty()),
            ("records", !self.records.is_empty()),
            ("both_polarities", self.both_polarities),
        ];
        let numbers = (self.gravity_m_s2.m_s2(), self.duration_s.seconds());
        space
            .of_scene(text, &planar, (self.friction, self.floor.as_ref()), numbers)
            .map(Some)
    }

    /// All motions with their names, and what their reader has to know.
    pub fn motions(&self, text: &SceneText) -> Result<(Vec<NamedMotion>, Vec<String>), Faults> {
        motions(text, &self.motions, &self.records)
    }

    /// The stack, if it is one, and the block that measures are taken with: the block, the body of the mesh, or the
    /// stack as one.
    pub fn structure(
        &self,
        text: &SceneText,
    ) -> Result<(Option<(Stack, StackOptions)>, RockingBlock)> {
        let Some(scene) = &self.stack else {
            return Ok((None, self.object(text)?));
        };
        let given = self.block.is_some() || self.mesh.is_some();
        ensure!(!given, "block, mesh, stack: accepted: one of the three");
        ensure!(
            self.friction.is_none(),
            Fault::new("friction", "a stack neither slides nor jumps here").accepted("none")
        );
        let gravity = self.gravity_m_s2.m_s2()?;
        let built = stack(&scene.blocks, gravity).at("stack")?;
        let options = StackOptions {
            base: scene.base_restitution.into(),
            between: scene.restitution.into(),
            ..StackOptions::until(self.duration_s.seconds()?)
        };
        let width = built.blocks().first().map_or(0.0, |block| block.width);
        let whole = RockingBlock::rectangle(width, built.total_height(), gravity)?;
        Ok((Some((built, options)), whole))
    }

    /// The block or the body of the mesh.
    fn object(&self, text: &SceneText) -> Result<RockingBlock> {
        object(
            self.block.as_ref(),
            self.mesh.as_ref(),
            self.gravity_m_s2.m_s2()?,
            text,
        )
    }

    /// The model: with slip where a friction is given.
    pub fn engine(&self) -> Result<Engine> {
        engine(self.friction)
    }

    /// The restitution of its impacts.
    pub fn restitution(&self) -> Result<Model> {
        Restitution::beside(self.restitution, self.base.is_some())
    }

    /// What holds it and what it stands on.
    pub fn support(&self) -> Result<Support> {
        ensure!(
            self.restrainers.is_empty() && self.base.is_none() || self.stack.is_none(),
            "restrainers, base beside stack: those of a block; accepted: block or mesh"
        );
        Support::build(self.mass_kg, &self.restrainers, self.base.as_ref())
    }

    /// The states of damage, overturning the last but for the total one of a stack.
    pub fn states(&self) -> Result<Vec<DamageState>, Faults> {
        let setting = Setting {
            slides: self.friction.is_some(),
            compliant: self.base.is_some(),
            restrained: !self.restrainers.is_empty(),
            one_block: self.stack.is_none() && self.space.is_none(),
            neighbour_height: self.neighbour_height_m,
        };
        let mut states = states(self.damage_states.as_deref(), &setting)?;
        if self.stack.is_some() {
            states.insert(states.len() - 1, DamageState::TotalOverturning);
        }
        Ok(states)
    }

    /// What is asked beside the curves.
    ///
    /// # Errors
    /// Numbers out of range; a hazard curve beside a measure that is still to be chosen.
    pub fn asked(&self) -> Result<Asked, Faults> {
        let mut faults = Faults::default();
        let hazard = self.hazard.as_ref().map(|hazard| {
            faults.check(self.intensity.chosen().is_some(), || {
                Fault::new("intensity", "most_efficient, beside a hazard")
                    .accepted("the measure of the hazard curve")
            });
            faults.take("hazard", hazard.build())
        });
        let model = self.model_uncertainty;
        faults.check(model >= 0.0 && model.is_finite(), || {
            Fault::new("model_uncertainty", model).accepted("0 or more")
        });
        let acceptable = self.acceptable_probability;
        faults.check(acceptable.is_none_or(|p| p > 0.0 && p < 1.0), || {
            Fault::new("acceptable_probability", acceptable.unwrap_or(f64::NAN))
                .accepted("between 0 and 1")
        });
        faults.or_all(|| {
            Some(Asked {
                hazard: hazard.flatten(),
                model_uncertainty: model,
                acceptable,
            })
        })
    }

    /// The measures whose efficiency is compared, each once.
    ///
    /// # Errors
    /// `most_efficient`, which is none.
    pub fn compared(&self) -> Result<Vec<IntensityMeasure>, Faults> {
        let mut faults = Faults::default();
        let mut measures = IntensityMeasure::WITHOUT_PERIOD.to_vec();
        for (k, measure) in self.compared_intensities.iter().enumerate() {
            match measure.chosen() {
                Some(one) if measures.contains(&one) => {}
                Some(one) => measures.push(one),
                None => faults.check(false, || {
                    Fault::new(format!("compared_intensities[{k}]"), "most_efficient")
                        .accepted("a measure")
                }),
            }
        }
        measures.extend(self.intensity.chosen().filter(|m| !measures.contains(m)));
        faults.or_all(|| Some(measures))
    }
}

//! What a fragility is of: a block or a stack in a plane, or a body in space, with its motions.

use std::ops::Range;

use klast_ground_motion::Component;
use klast_rocking::fragility::{Campaign, DamageState, Intensities, IntensityMeasure, Response};
use klast_rocking::{BatchOptions, Engine, Restitution, RockingBlock, RockingError};
use klast_runs::error::Result;
use klast_stacks::{Stack, StackOptions};

use super::scene::Scene;
use crate::common::floor::Floor;
use crate::common::measure::reach_height;
use crate::common::records::NamedMotion;
use crate::common::space::Space;
use crate::common::trials::responses;
use klast_runs::faults::{Fault, Faults};
use klast_runs::text::SceneText;

/// What is run.
pub struct Structure {
    model: Model,
    /// The block that measures of intensity are taken with.
    block: RockingBlock,
    /// Names of the records.
    pub names: Vec<String>,
    /// Remarks on them.
    pub remarks: Vec<String>,
}

enum Model {
    Planar(Box<Planar>),
    Space(Box<Space>),
}

/// A block or a stack in a plane.
struct Planar {
    stack: Option<(Stack, StackOptions)>,
    restitution: Restitution,
    /// Motions of the ground.
    ground: Vec<Component>,
    /// Motions of the floor, which move it.
    motions: Vec<Component>,
    options: BatchOptions,
}

impl Structure {
    /// The structure of a scene with its motions.
    ///
    /// # Errors
    /// What its keys refuse.
    pub fn build(scene: &Scene, text: &SceneText, states: &[DamageState]) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let space = faults.take("", scene.spatial(text));
        let built = space.and_then(|space| {
            let built = match space {
                Some(space) => Self::spatial(space),
                None => Self::planar(scene, text, states),
            };
            faults.take("", built)
        });
        faults.or_all(|| built)
    }

    fn spatial(mut space: Space) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let block = faults.take("space", space.block());
        faults.or_all(|| {
            Some(Self {
                block: block?,
                names: std::mem::take(&mut space.names),
                remarks: std::mem::take(&mut space.remarks),
                model: Model::Space(Box::new(space)),
            })
        })
    }

    fn planar(scene: &Scene, text: &SceneText, states: &[DamageState]) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let end = faults.take("", scene.duration_s.seconds());
        let motions = faults.take("", scene.motions(text));
        let floors = motions.as_ref().and_then(|(ground, _)| {
            let floors = Floor::in_a_plane(scene.floor.as_ref(), text, ground);
            faults.take("floor", floors)
        });
        let structure = faults.take("", scene.structure(text));
        let support = faults.take("", scene.support());
        let restitution = faults.take("", scene.restitution());
        let engine = faults.take("friction", scene.engine());
        let height = faults.take("", reach_height(scene.neighbour_height_m, states));
        let still = |named: &&NamedMotion| named.motion.peak_acceleration() <= 0.0;
        for NamedMotion { name, .. } in motions.iter().flat_map(|(named, _)| named).filter(still) {
            faults.check(false, || {
                Fault::new("", format!("{name}: its intensity is 0"))
                    .accepted("a motion that moves")
            });
        }
        faults.or_all(|| {
            let ((stack, block), (named, mut remarks)) = (structure?, motions?);
            let (names, ground) = named.into_iter().map(|m| (m.name, m.motion)).unzip();
            let (motions, told) = floors?;
            remarks.extend(told);
            let support = support?;
            let options = BatchOptions {
                engine: engine?,
                restraint: support.restraint,
                foundation: support.foundation,
                reach_height: height?,
                ..BatchOptions::new(end?)
            };
            let planar = Planar {
                stack,
                restitution: restitution?,
                ground,
                motions,
                options,
            };
            Some(Self {
                model: Model::Planar(Box::new(planar)),
                block,
                names,
                remarks,
            })
        })
    }

    /// The signed scales of a campaign; in space each at every angle of incidence.
    pub fn slots(&self, scales: &[f64]) -> Vec<f64> {
        match &self.model {
            Model::Planar(_) => scales.to_vec(),
            Model::Space(space) => space.slots(scales),
        }
    }

    /// Angles of incidence (degrees) of a body in space.
    pub fn angles_deg(&self) -> Vec<f64> {
        match &self.model {
            Model::Planar(_) => Vec::new(),
            Model::Space(space) => space.angles_deg().collect(),
        }
    }

    /// Whether it neither slides nor jumps.
    pub fn sticks(&self) -> bool {
        match &self.model {
            Model::Planar(planar) => planar.options.engine == Engine::NoSlip,
            Model::Space(_) => false,
        }
    }

    /// Whether events are followed.
    pub fn follows(&self) -> bool {
        match &self.model {
            Model::Planar(planar) => planar.options.reach_height.is_some(),
            Model::Space(_) => false,
        }
    }

    /// Responses of some trials, numbered record by record over `slots`.
    ///
    /// # Errors
    /// Those of a run.
    pub fn responses(&self, trials: Range<usize>, slots: &[f64]) -> Result<Vec<Response>> {
        let planar = match &self.model {
            Model::Space(space) => return space.responses(trials, slots),
            Model::Planar(planar) => planar,
        };
        let run = |motions: &[Component], scales: &[f64]| match &planar.stack {
            Some((stack, options)) => stack.campaign(options, motions, scales),
            None => Campaign::run(
                &self.block,
                &planar.restitution,
                motions,
                scales,
                &planar.options,
            ),
        };
        responses(trials, &planar.motions, slots, run)
    }

    /// The intensity of every record of the ground at every scale.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn intensities(
        &self,
        measure: IntensityMeasure,
        magnitudes: Vec<f64>,
    ) -> Result<Intensities, RockingError> {
        match &self.model {
            Model::Planar(planar) => {
                Intensities::of(measure, &self.block, &planar.ground, magnitudes)
            }
            Model::Space(space) => space.intensities(measure, &self.block, magnitudes),
        }
    }
}

//! A body in space: record triplets, angles of incidence, measures over all directions.

use std::ops::Range;

use klast_ground_motion::Component;
use klast_rocking::assess::Target;
use klast_rocking::fragility::{
    Intensities, IntensityMeasure, Response, over_directions, spatial_response,
};
use klast_rocking::spatial::{SpatialBody, SpatialColumn, SpatialMotion, SpatialOptions};
use klast_rocking::{RockingBlock, RockingError};
use klast_runs::error::Result;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

use super::floor::Floor;
use super::mesh_block::MeshBlock;
use super::triplet::{Triplet, Triplets};
use crate::column::scene::Drum;
use klast_runs::faults::{At as _, Fault, Faults};
use klast_runs::text::SceneText;

/// A body in space on a base that moves with three components. It rocks about edges and corners, rolls, slides, twists
/// and jumps; impacts are plastic.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceScene {
    /// A drum or a prism. A scene has either `drum` or `mesh`.
    #[serde(default)]
    drum: Option<Drum>,
    /// A body from a mesh, which touches the base as its convex hull does. Points up to `base_tolerance_m` above the
    /// lowest count as points of the base; `azimuth_deg` has no effect. A scene has either `drum` or `mesh`.
    #[serde(default)]
    mesh: Option<MeshBlock>,
    /// Density of the drum (kg/m³), above 0. It is required for a drum on a plinth, and refused otherwise, because the
    /// motion of a drum that stands alone does not depend on it.
    #[serde(default)]
    density_kg_m3: Option<f64>,
    /// A plinth that stands free on the base and carries the body, with their mass centres on one vertical axis and one
    /// friction under both. Tilt and slip are then the largest of the two, overturning is that of either, and measures
    /// of intensity that depend on the object are those of the body. Without this key the body stands on the base.
    #[serde(default)]
    plinth: Option<Plinth>,
    /// Record triplets: at least one.
    triplets: Vec<Triplet>,
    /// Number of angles of incidence, 1 to 360, equally spaced over the full circle from 0. Each angle counts as its
    /// part of the record.
    #[serde(default = "angles")]
    angles: usize,
    /// Value of the intensity measure over the horizontal directions; `rotd50` unless stated.
    #[serde(default)]
    directions: Directions,
    /// Time step (s), above 0; 0.0005 s unless stated.
    #[serde(default = "step")]
    step_s: f64,
}

/// A plinth.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Plinth {
    /// Its shape.
    shape: Drum,
    /// Density (kg/m³), above 0.
    density_kg_m3: f64,
}

/// A value over the horizontal directions.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Directions {
    /// The median over all directions.
    #[default]
    Rotd50,
    /// The largest over all directions.
    Rotd100,
}

fn angles() -> usize {
    8
}

fn step() -> f64 {
    5e-4
}

/// Points of the circle of a round drum that are contacts where its face strikes.
const FACETS: usize = 24;
/// Density (kg/m³) of a drum, on which its motion does not depend.
const DENSITY: f64 = 1000.0;

/// What is run.
#[derive(Debug, Clone)]
pub struct Space {
    body: SpatialBody,
    /// The body on its plinth, or the body alone.
    column: SpatialColumn,
    /// Motions of the ground.
    triplets: Vec<SpatialMotion>,
    /// Motions of the floor, which move the body.
    floors: Vec<SpatialMotion>,
    /// Names of the triplets.
    pub names: Vec<String>,
    /// Remarks on their records.
    pub remarks: Vec<String>,
    /// Angles of incidence (rad).
    angles: Vec<f64>,
    /// Part of the directions that do not exceed a measure.
    share: f64,
    gravity: f64,
    options: SpatialOptions,
}

impl SpaceScene {
    /// The body of a scene that states a friction, gravity, a duration and perhaps a floor, and none of the `planar`
    /// keys, each with whether it is stated.
    ///
    /// # Errors
    /// A key of a planar block; no friction; what [`Self::build`] refuses.
    pub fn of_scene(
        &self,
        text: &SceneText,
        planar: &[(&str, bool)],
        (friction, floor): (Option<f64>, Option<&Floor>),
        (gravity, duration): (Result<f64, Faults>, Result<f64, Faults>),
    ) -> Result<Space, Faults> {
        let mut faults = Faults::default();
        for (key, given) in planar {
            faults.check(!given, || Fault::new(*key, "beside space").accepted("none"));
        }
        faults.check(friction.is_some(), || {
            Fault::new("friction", "none, with space").accepted("0 or more")
        });
        let gravity = faults.take("", gravity);
        let duration = faults.take("", duration);
        let numbers = gravity.zip(friction).zip(duration);
        let built = numbers.and_then(|((gravity, friction), duration)| {
            faults.take("space", self.build(text, (gravity, friction, duration)))
        });
        let stands = built.as_ref().and_then(|built: &Space| {
            faults.take("floor", Floor::in_space(floor, text, &built.triplets))
        });
        faults.or_all(|| {
            let (mut built, (floors, remarks)) = (built?, stands?);
            built.floors = floors;
            built.remarks.extend(remarks);
            Some(built)
        })
    }

    /// What is run, with a friction and up to a duration (s).
    ///
    /// # Errors
    /// A body that does not stand, motions that are none, numbers out of range.
    fn build(
        &self,
        text: &SceneText,
        (gravity, friction, duration): (f64, f64, f64),
    ) -> Result<Space, Faults> {
        let mut faults = Faults::default();
        let body = faults.take("", self.body(text));
        let column = body.as_ref().and_then(|body| {
            let column = self.on_its_plinth(body);
            faults.take("plinth", column)
        });
        let accepted = "1 to 360";
        faults.check((1..=360).contains(&self.angles), || {
            Fault::new("angles", self.angles).accepted(accepted)
        });
        faults.check(!self.triplets.is_empty(), || {
            Fault::new("triplets", "none").accepted("one or more")
        });
        let triplets = faults.take("", Triplets::build(&self.triplets, text));
        let options = SpatialOptions {
            step: self.step_s,
            ..SpatialOptions::new(duration, friction)
        };
        faults.take("", options.check());
        let turn = std::f64::consts::TAU;
        faults.or_all(|| {
            let triplets = triplets?;
            Some(Space {
                body: body?,
                column: column?,
                floors: triplets.motions.clone(),
                triplets: triplets.motions,
                names: triplets.names,
                remarks: triplets.remarks,
                angles: (0..self.angles)
                    .map(|k| turn * k as f64 / self.angles as f64)
                    .collect(),
                share: match self.directions {
                    Directions::Rotd50 => 0.5,
                    Directions::Rotd100 => 1.0,
                },
                gravity,
                options,
            })
        })
    }

    fn body(&self, text: &SceneText) -> Result<SpatialBody, Faults> {
        let mut faults = Faults::default();
        match (&self.drum, &self.mesh) {
            (Some(drum), None) => {
                let density = self.density_kg_m3.unwrap_or(DENSITY);
                let wanted = self.density_kg_m3.is_some() == self.plinth.is_some();
                faults.check(wanted, || {
                    let found = match self.density_kg_m3 {
                        Some(_) => "stated, without plinth",
                        None => "none, with plinth",
                    };
                    Fault::new("density_kg_m3", found).accepted("for a drum on a plinth")
                });
                let body = faults.take("", drum.build(FACETS, density).at("drum"));
                faults.or_all(|| body)
            }
            (None, Some(mesh)) => {
                faults.check(self.density_kg_m3.is_none(), || {
                    Fault::new("density_kg_m3", "beside mesh").accepted("that of the mesh")
                });
                let body = faults.take("", mesh.spatial(text).at("mesh"));
                faults.or_all(|| body)
            }
            _ => {
                let found = "both or none";
                faults.check(false, || {
                    Fault::new("drum, mesh", found).accepted("one of the two")
                });
                faults.or_all(|| None)
            }
        }
    }
}

impl SpaceScene {
    /// The body on its plinth, or alone.
    fn on_its_plinth(&self, body: &SpatialBody) -> Result<SpatialColumn> {
        let mut bodies = Vec::new();
        if let Some(plinth) = &self.plinth {
            bodies.push(plinth.shape.build(FACETS, plinth.density_kg_m3)?);
        }
        bodies.push(body.clone());
        Ok(SpatialColumn::new(bodies)?)
    }
}

impl Space {
    /// The block that measures of intensity are taken with.
    ///
    /// # Errors
    /// A body that does not stand.
    pub fn block(&self) -> Result<RockingBlock> {
        Ok(self.body.planar(self.gravity)?)
    }

    /// Duration (s) after which no triplet moves the base.
    pub fn longest(&self) -> f64 {
        let all = self.floors.iter().flat_map(|floor| &floor.components);
        all.map(Component::duration).fold(0.0, f64::max)
    }

    /// The same up to another end (s).
    ///
    /// # Errors
    /// An end that is none.
    pub fn until(mut self, duration: f64) -> Result<Self, RockingError> {
        self.options.duration = duration;
        self.options.check()?;
        Ok(self)
    }

    /// A measure of a triplet over its directions.
    fn value(
        &self,
        measure: IntensityMeasure,
        block: &RockingBlock,
        triplet: &SpatialMotion,
    ) -> Result<f64, RockingError> {
        let [x, y, _] = &triplet.components;
        over_directions(measure, block, [x, y], self.share)
    }

    /// Scales every triplet to a target by its value over the directions; the factors.
    ///
    /// # Errors
    /// Those of the target.
    pub fn scale_to(
        &mut self,
        target: &Target,
        block: &RockingBlock,
    ) -> Result<Vec<f64>, RockingError> {
        let mut factors = Vec::with_capacity(self.triplets.len());
        for triplet in &self.triplets {
            let of = |measure| self.value(measure, block, triplet);
            let spectral =
                |period, damping| of(IntensityMeasure::SpectralAcceleration { period, damping });
            factors.push(target.factor_by(|| of(IntensityMeasure::Pga), spectral)?);
        }
        let floors = self.floors.iter_mut().zip(&factors);
        for (motion, factor) in self.triplets.iter_mut().zip(&factors).chain(floors) {
            *motion = motion.incident(0.0, *factor)?;
        }
        Ok(factors)
    }

    /// PGA (m/s²) and PGV (m/s) of the floor in every triplet over its directions.
    ///
    /// # Errors
    /// Components without a sum.
    pub fn peaks(&self, block: &RockingBlock) -> Result<Vec<(f64, f64)>, RockingError> {
        let one = |triplet: &SpatialMotion| {
            let of = |measure| self.value(measure, block, triplet);
            Ok((of(IntensityMeasure::Pga)?, of(IntensityMeasure::Pgv)?))
        };
        self.floors.iter().map(one).collect()
    }

    /// Angles of incidence (degrees).
    pub fn angles_deg(&self) -> impl Iterator<Item = f64> {
        self.angles.iter().map(|angle| angle.to_degrees())
    }

    /// Every scale at every angle: the scales of a campaign, whose angles count as parts of a record.
    pub fn slots(&self, scales: &[f64]) -> Vec<f64> {
        let at = |scale: &f64| std::iter::repeat_n(*scale, self.angles.len());
        scales.iter().flat_map(at).collect()
    }

    /// Responses of some trials, numbered record by record over `slots`.
    ///
    /// # Errors
    /// Those of a run.
    pub fn responses(&self, trials: Range<usize>, slots: &[f64]) -> Result<Vec<Response>> {
        let width = slots.len().max(1);
        let one = |trial: usize| -> Result<Response, RockingError> {
            let slot = trial % width;
            let angle = self.angles.get(slot % self.angles.len().max(1));
            let scale = slots.get(slot).copied().unwrap_or(0.0);
            let Some(floor) = self.floors.get(trial / width) else {
                return Ok(Response::default());
            };
            let motion = floor.incident(angle.copied().unwrap_or(0.0), scale)?;
            spatial_response(&self.column, &motion, self.gravity, &self.options)
        };
        let found: Result<Vec<Response>, RockingError> = trials.into_par_iter().map(one).collect();
        Ok(found?)
    }

    /// The intensities of all triplets over their horizontal directions.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn intensities(
        &self,
        measure: IntensityMeasure,
        block: &RockingBlock,
        magnitudes: Vec<f64>,
    ) -> Result<Intensities, RockingError> {
        Intensities::by(measure, &self.triplets, magnitudes, |triplet, scale| {
            self.value(measure, block, &triplet.incident(0.0, scale)?)
        })
    }
}

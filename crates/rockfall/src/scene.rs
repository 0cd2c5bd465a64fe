//! Everything that makes a run of many rocks.

use super::collector::Collector;
use super::error::RockfallError;
use super::ground::Ground;
use super::raster::RasterFrame;
use super::rock_group::RockGroup;
use super::seeder::Seeder;
use super::stop::StopConditions;
use crate::lumped::ReboundLaw;
use crate::rigid::{RigidOptions, RigidRock};
use glam::DVec3;
use klast_geometry::ConvexPolyhedron;
use klast_geometry::terrain::Terrain;

/// Which engine moves the rocks.
#[derive(Debug, Clone, PartialEq)]
pub enum Engine {
    /// Points with the inertia of a sphere.
    Lumped(ReboundLaw),
    /// Convex rigid bodies.
    Rigid(RigidOptions),
}

/// Everything that makes a run. Check it once with [`Simulation::new`](crate::Simulation::new).
pub struct Scene {
    /// The ground's shape.
    pub terrain: Box<dyn Terrain>,
    /// Its materials.
    pub ground: Ground,
    /// Sources of rocks.
    pub seeders: Vec<Seeder>,
    /// Engine that moves the rocks.
    pub engine: Engine,
    /// Stop conditions.
    pub stop: StopConditions,
    /// Gravity (m/s²).
    pub gravity: DVec3,
    /// Barriers and collectors.
    pub collectors: Vec<Collector>,
    /// Frame of the hazard raster.
    pub raster: Option<RasterFrame>,
    /// Seed of the run.
    pub seed: u64,
}

impl Scene {
    /// The shape of a group's rocks with a volume of 1 m³, as it moves.
    pub(crate) fn hull(&self, group: &RockGroup) -> Result<ConvexPolyhedron, RockfallError> {
        let unit = group.shape.unit()?;
        match &self.engine {
            Engine::Lumped(_) => Ok(unit),
            Engine::Rigid(options) => options.moving_hull(unit),
        }
    }

    /// What follows one rigid body; none where rocks are lumped masses.
    pub(crate) fn rigid_rock<'a>(&'a self, stop: &'a StopConditions) -> Option<RigidRock<'a>> {
        let Engine::Rigid(options) = &self.engine else {
            return None;
        };
        let rock = RigidRock::new(&*self.terrain, &self.ground).with_options(options);
        Some(RigidRock {
            stop,
            gravity: self.gravity,
            ..rock
        })
    }
}

//! Polyhedra with a penalty law, stepped by hand.

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use glam::DVec3;
use klast_bodies_jobs::bodies::scene::Scene as Bodies;
use klast_dem::{LawTable, Motion, Particle, PenaltyLaw, Release, Rotation, Settings, Wall};
use numpy::PyReadwriteArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::Columns;
use crate::errors::input;
use crate::scene::Scene;
use crate::states::{BodyState, fill};
use crate::watch::stepped;

/// The bodies and planes of a scene of kind `bodies` under penalty laws.
#[pyclass(module = "klast._klast")]
pub struct Particles {
    world: klast_dem::World,
    names: Vec<String>,
}

/// One law for every pair.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Law {
    normal_stiffness_n_per_m: f64,
    tangential_stiffness_n_per_m: f64,
    exponent: f64,
    friction: f64,
    restitution: f64,
    damping_rate_per_s: f64,
}

impl Law {
    fn table(&self) -> Result<LawTable> {
        let law = PenaltyLaw::elastic(self.normal_stiffness_n_per_m, self.exponent)?
            .with_restitution(self.restitution, Release::default())?
            .with_friction(self.friction, self.tangential_stiffness_n_per_m)?;
        Ok(LawTable::new(1, law)?)
    }
}

fn build(scene: &Scene, law: &str) -> Result<Particles> {
    let law: Law = serde_json::from_str(law).context("law")?;
    let text = scene.scene.text();
    let bodies: Bodies = text.parse()?;
    let built = bodies.build(text, bodies.seed)?;
    let source = &built.world;
    let (mut particles, mut motions) = (Vec::new(), Vec::new());
    for (k, state) in source.states().enumerate() {
        let body = source.body(k).context("a body without a shape")?;
        ensure!(
            source.is_free(k),
            "{}: moved_by; accepted: free bodies and planes",
            built.names[k]
        );
        let shape = Arc::new(body.shape().clone());
        particles.push(Particle::new(shape, body.mass(), body.inertia(), 0)?);
        motions.push(Motion {
            position: state.pose.translation,
            velocity: state.velocity.linear,
            rotation: Rotation::from_angular_velocity(
                state.pose.rotation,
                state.velocity.angular,
                body.inertia(),
            ),
        });
    }
    let wall = |plane: &klast_geometry::Plane| Wall {
        plane: *plane,
        speed: 0.0,
        material: 0,
    };
    let settings = Settings {
        gravity: DVec3::from(bodies.gravity_m_s2),
        damping_rate: law.damping_rate_per_s,
        ..Settings::new(bodies.solver.step_s)
    };
    let walls = source.planes().map(wall).collect();
    let world = klast_dem::World::new(particles, motions, walls, law.table()?, settings)?;
    Ok(Particles {
        world,
        names: built.names,
    })
}

#[pymethods]
impl Particles {
    #[new]
    fn new(py: Python, scene: &Scene, law: &str) -> PyResult<Self> {
        py.detach(|| build(scene, law)).map_err(input)
    }

    /// Does `count` steps.
    fn step(&mut self, py: Python, count: u64) -> PyResult<()> {
        let mut left = count;
        stepped(py, || {
            if left == 0 {
                return Ok(false);
            }
            left -= 1;
            self.world.step()?;
            Ok(true)
        })
    }

    #[getter]
    fn time(&self) -> f64 {
        self.world.time()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Longest stable step (s).
    #[getter]
    fn stable_step_s(&self) -> f64 {
        self.world.stability_limit()
    }

    /// What looks wrong now.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.world
            .warnings()
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// Mean number of contacts of a particle.
    #[getter]
    fn coordination(&self) -> f64 {
        self.world.coordination()
    }

    /// Kinetic energy of translation and of rotation, elastic, tangential and potential energy (J).
    #[getter]
    fn energy(&self) -> [f64; 5] {
        let e = self.world.energy();
        [
            e.translation,
            e.rotation,
            e.elastic,
            e.tangential,
            e.gravity,
        ]
    }

    /// Puts the mass centres, the turns of the principal axes (w x y z), and velocities with spins into arrays.
    fn fill(
        &self,
        positions: PyReadwriteArray2<f64>,
        quaternions: PyReadwriteArray2<f64>,
        velocities: PyReadwriteArray2<f64>,
    ) -> PyResult<()> {
        let bodies = self.world.motions().iter().zip(self.world.particles());
        let states = bodies.map(|(motion, particle)| BodyState {
            position: motion.position,
            turn: motion.rotation.orientation,
            velocity: motion.velocity,
            spin: motion.rotation.angular_velocity(particle.inertia),
        });
        fill(positions, quaternions, velocities, states)
    }

    /// Pairs in contact: the force acts on the second.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let contacts: Vec<_> = self.world.contacts().collect();
        let each = || contacts.iter();
        Ok(Columns::new(py)
            .numbers("first", each().map(|c| c.first as i64))?
            .numbers("second", each().map(|c| c.second as i64))?
            .numbers("depth_m", each().map(|c| c.depth))?
            .vectors("force_n", each().map(|c| c.force))?
            .vectors("point_m", each().map(|c| c.point))?
            .finish())
    }
}

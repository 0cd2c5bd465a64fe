//! Bodies in contact, stepped by hand.

use glam::DVec3;
use klast_bodies_jobs::bodies::build::Built;
use klast_bodies_jobs::bodies::loads::{LoadEntry, TieEntry};
use klast_bodies_jobs::bodies::scene::Scene as Bodies;
use klast_dynamics::{State, StepReport, Twist};
use klast_geometry::Pose;
use numpy::{PyArray2, PyReadwriteArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{Columns, object, rows};
use crate::errors::{failed, input};
use crate::scene::Scene;
use crate::states::{BodyState, fill};
use crate::watch::stepped;

/// Corners, and the corners of each facet.
type Shape<'py> = (Bound<'py, PyArray2<f64>>, Vec<Vec<usize>>);

/// The world of a scene of kind `bodies`: what `klast run` steps.
#[pyclass(module = "klast._klast")]
pub struct World {
    built: Built,
    report: StepReport,
}

impl World {
    /// Where the shape stands, in the coordinates that it was given in.
    fn pose(&self, body: usize, state: &State) -> Pose {
        match self.built.world.body(body) {
            Some(b) => state.pose.mul(&b.frame().inverse()),
            None => state.pose,
        }
    }

    fn known(&self, body: usize) -> PyResult<()> {
        let count = self.built.world.len();
        match body < count {
            true => Ok(()),
            false => Err(input(anyhow::anyhow!(
                "body: {body}; accepted: 0 to {}",
                count.saturating_sub(1)
            ))),
        }
    }
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (scene, seed=None))]
    fn new(py: Python, scene: &Scene, seed: Option<u64>) -> PyResult<Self> {
        let text = scene.scene.text();
        let build = || {
            let bodies: Bodies = text.parse()?;
            bodies.build(text, seed.unwrap_or(bodies.seed))
        };
        Ok(Self {
            built: py.detach(build).map_err(input)?,
            report: StepReport::default(),
        })
    }

    /// Does `count` steps of `step` seconds; of the size that was set last without one.
    fn step(&mut self, py: Python, step: Option<f64>, count: u64) -> PyResult<()> {
        if let Some(step) = step
            && step != self.built.world.settings().step
        {
            let settings = klast_dynamics::WorldSettings {
                step,
                ..*self.built.world.settings()
            };
            self.built.world.set_settings(settings).map_err(input)?;
        }
        let mut left = count;
        stepped(py, || {
            if left == 0 {
                return Ok(false);
            }
            left -= 1;
            self.built.remove_due()?;
            self.report = self.built.world.step()?;
            Ok(true)
        })
    }

    #[getter]
    fn time(&self) -> f64 {
        self.built.world.time()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.built.names.clone()
    }

    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.built.remarks.clone()
    }

    /// Whether gravity and contacts move each body.
    #[getter]
    fn free(&self) -> Vec<bool> {
        let world = &self.built.world;
        (0..world.len()).map(|k| world.is_free(k)).collect()
    }

    /// Mass of each body (kg).
    #[getter]
    fn mass(&self) -> Vec<f64> {
        let world = &self.built.world;
        let mass = |k| world.body(k).map_or(f64::NAN, |b| b.mass());
        (0..world.len()).map(mass).collect()
    }

    /// Corners (m) of a body's shape and the corners of its facets, in the coordinates that it was given in.
    fn shape<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Shape<'py>> {
        self.known(body)?;
        let Some(body) = self.built.world.body(body) else {
            return Ok((rows::<3>(py, [])?, Vec::new()));
        };
        let frame = body.frame();
        let corners = body
            .vertices()
            .iter()
            .map(|v| frame.transform_point(*v).to_array());
        let shape = body.shape();
        let facet = |f: usize| {
            shape
                .facet_vertices(f)
                .iter()
                .map(|k| *k as usize)
                .collect()
        };
        let facets = (0..shape.facets().len()).map(facet).collect();
        Ok((rows(py, corners)?, facets))
    }

    /// Puts where the shapes stand and how fast the mass centres move into arrays (N, 3), (N, 4) as w x y z, (N, 6) as
    /// velocity and spin.
    fn fill(
        &self,
        positions: PyReadwriteArray2<f64>,
        quaternions: PyReadwriteArray2<f64>,
        velocities: PyReadwriteArray2<f64>,
    ) -> PyResult<()> {
        let states = self.built.world.states().enumerate().map(|(body, state)| {
            let pose = self.pose(body, state);
            BodyState {
                position: pose.translation,
                turn: pose.rotation,
                velocity: state.velocity.linear,
                spin: state.velocity.angular,
            }
        });
        fill(positions, quaternions, velocities, states)
    }

    /// Sets velocity (m/s) and spin (rad/s) of a body.
    fn set_velocity(&mut self, body: usize, linear: [f64; 3], angular: [f64; 3]) -> PyResult<()> {
        self.known(body)?;
        let velocity = Twist::new(DVec3::from(linear), DVec3::from(angular)).map_err(input)?;
        self.built.world.set_velocity(body, velocity).map_err(input)
    }

    /// Adds a load, with the keys of a load in a scene; its number.
    fn add_load(&mut self, entry: &str) -> PyResult<usize> {
        let entry: LoadEntry = serde_json::from_str(entry).map_err(input)?;
        let gravity = self.built.world.settings().gravity.length();
        entry.add(&mut self.built, gravity).map_err(input)
    }

    /// Ends a load.
    fn end_load(&mut self, number: usize) -> PyResult<()> {
        self.built.world.set_load(number, None).map_err(input)
    }

    /// Adds a tie, with the keys of a tie in a scene; its number.
    fn add_tie(&mut self, entry: &str) -> PyResult<usize> {
        let entry: TieEntry = serde_json::from_str(entry).map_err(input)?;
        entry.add(&mut self.built).map_err(input)
    }

    /// Cuts a tie.
    fn cut_tie(&mut self, number: usize) -> PyResult<()> {
        self.built.world.cut_tie(number).map_err(input)
    }

    /// Force (N), elongation and its part that stays (m), and whether a tie has broken.
    fn tie(&self, number: usize) -> Option<([f64; 3], f64, f64, bool)> {
        let tie = self.built.world.tie(number)?;
        Some((
            tie.force.to_array(),
            tie.elongation,
            tie.plastic,
            tie.broken,
        ))
    }

    /// Takes out a body.
    fn remove(&mut self, name: &str) -> PyResult<()> {
        let body = self.built.body(name).map_err(input)?;
        self.built.world.remove(body).map_err(input)
    }

    /// The contacts of the last step; a second body below 0 is plane -1 - k.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let contacts = self.built.world.contacts();
        let each = || contacts.iter();
        let second = |c: &klast_dynamics::WorldContact| match c.plane() {
            Some(plane) => -1 - plane as i64,
            None => i64::from(c.second),
        };
        Ok(Columns::new(py)
            .numbers("first", each().map(|c| i64::from(c.first)))?
            .numbers("second", each().map(second))?
            .vectors("point_m", each().map(|c| c.point))?
            .vectors("normal", each().map(|c| c.normal))?
            .numbers("gap_m", each().map(|c| c.gap))?
            .numbers("friction", each().map(|c| c.friction))?
            .numbers("restitution", each().map(|c| c.restitution))?
            .vectors("impulse_n_s", each().map(|c| c.impulse))?
            .vectors("velocity_m_s", each().map(|c| c.velocity))?
            .finish())
    }

    /// What the last step did.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.report)
    }

    /// Sums over all steps.
    fn ledger<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, self.built.world.ledger())
    }

    /// Kinetic, potential and elastic energy (J).
    #[getter]
    fn energy(&self) -> (f64, f64, f64) {
        let world = &self.built.world;
        (
            world.kinetic_energy(),
            world.potential_energy(),
            world.elastic_energy(),
        )
    }

    /// The state as text, for `restore`.
    fn snapshot(&self) -> PyResult<String> {
        serde_json::to_string(&self.built.world.snapshot()).map_err(failed)
    }

    /// Back to a state of this world.
    fn restore(&mut self, snapshot: &str) -> PyResult<()> {
        let snapshot = serde_json::from_str(snapshot).map_err(input)?;
        self.built.world.restore(&snapshot).map_err(input)
    }
}

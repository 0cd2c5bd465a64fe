//! A row of blocks in a shaken basin, followed by hand.

use klast_assembly::{Assembly, Event};
use klast_basin_jobs::assembly::scene::Scene as AssemblyScene;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::Columns;
use crate::errors::input;
use crate::scene::Scene;
use crate::watch::stepped;

/// Steps of a stretch, so that signals are answered.
const PARTS: u32 = 1000;

/// The row of a scene of kind `assembly`.
#[pyclass(module = "klast._klast")]
pub struct Row {
    row: Assembly,
}

#[pymethods]
impl Row {
    #[new]
    fn new(py: Python, scene: &Scene) -> PyResult<Self> {
        let text = scene.scene.text();
        let build = || {
            let scene: AssemblyScene = text.parse()?;
            anyhow::Ok(scene.row.build(text)?.release()?)
        };
        let mut row = py.detach(build).map_err(input)?;
        row.record_events();
        Ok(Self { row })
    }

    /// Follows the row to a time (s).
    fn advance_to(&mut self, py: Python, time: f64) -> PyResult<()> {
        let from = self.row.time();
        if !(time.is_finite() && time >= from) {
            return Err(input(anyhow::anyhow!(
                "time_s: {time}; accepted: {from} or later"
            )));
        }
        // Stops in between disturb nothing: events are found by themselves.
        let mut part = 0;
        stepped(py, || {
            part += 1;
            let until = match part < PARTS {
                true => from + (time - from) * f64::from(part) / f64::from(PARTS),
                false => time,
            };
            self.row.advance_to(until)?;
            Ok(part < PARTS)
        })
    }

    #[getter]
    fn time(&self) -> f64 {
        self.row.time()
    }

    /// Position (m) and velocity (m/s) of the basin.
    #[getter]
    fn basin(&self) -> (f64, f64) {
        let basin = self.row.basin_state();
        (basin.position, basin.velocity)
    }

    /// State of every block.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let blocks = self.row.state();
        let each = || blocks.iter();
        Ok(Columns::new(py)
            .numbers("left_m", each().map(|b| b.left))?
            .numbers("right_m", each().map(|b| b.right))?
            .numbers("velocity_m_s", each().map(|b| b.velocity))?
            .numbers("slip_m_s", each().map(|b| b.slip))?
            .finish())
    }

    /// What happened since they were asked for last.
    fn events<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let events = self.row.take_events();
        let each = || events.iter();
        let kind = |event: &Event| {
            let word = match event {
                Event::Impact(_) => "impact",
                Event::Stop { .. } => "stop",
                Event::Slip { .. } => "slip",
                Event::Join { .. } => "join",
            };
            word.to_owned()
        };
        let blocks = |event: &Event| match event {
            Event::Impact(impact) => impact.blocks,
            Event::Stop { blocks, .. }
            | Event::Slip { blocks, .. }
            | Event::Join { blocks, .. } => *blocks,
        };
        let impulse = |event: &Event| match event {
            Event::Impact(impact) => impact.impulse,
            _ => f64::NAN,
        };
        let dissipated = |event: &Event| match event {
            Event::Impact(impact) => impact.dissipated,
            _ => f64::NAN,
        };
        Ok(Columns::new(py)
            .numbers("time_s", each().map(Event::time))?
            .words("event", each().map(kind))?
            .numbers("first_block", each().map(|e| blocks(e).0 as i64))?
            .numbers("last_block", each().map(|e| blocks(e).1 as i64))?
            .numbers("impulse_n_s", each().map(impulse))?
            .numbers("dissipated_j", each().map(dissipated))?
            .finish())
    }

    /// Energy that no term of the balance explains, over the energy turned over.
    #[getter]
    fn energy_residual(&self) -> f64 {
        self.row.energy().relative_residual()
    }

    /// Blocks that move as one.
    #[getter]
    fn clusters(&self) -> Vec<(usize, usize)> {
        self.row.clusters()
    }

    /// A copy that goes on by itself.
    fn copy(&self) -> PyResult<Self> {
        Ok(Self {
            row: self.row.clone(),
        })
    }
}

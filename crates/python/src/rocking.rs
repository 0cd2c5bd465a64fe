//! Base motions, and many blocks in one call.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, ensure};
use klast_ground_motion::Component;
use klast_rocking::{
    BatchOptions, BatchWorkspace, Case, CaseResult, Fate, Restitution, RockingBlock, Side,
};
use klast_rocking_jobs::common::restitution::{
    Equation as EquationEntry, Restitution as RestitutionEntry, engine,
};
use klast_runs::common::motion::Motion as MotionEntry;
use klast_runs::text::SceneText;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::columns::Columns;
use crate::errors::input;
use crate::watch::{Watch, watched};

/// Blocks that one task runs; a block's result does not depend on it.
const CHUNK: usize = 256;
/// Up to so many blocks a call is over before a signal could be asked for.
const UNINTERRUPTED_BLOCKS: usize = 256;

/// One component of a base motion, as scenes build it.
#[pyclass(frozen, module = "klast._klast")]
pub struct Motion {
    component: Component,
    remarks: Vec<String>,
}

#[pymethods]
impl Motion {
    /// From what a scene says of it, with the files at hand that it names.
    #[new]
    #[pyo3(signature = (entry, base, files=None))]
    fn new(
        py: Python,
        entry: &str,
        base: PathBuf,
        files: Option<BTreeMap<String, Vec<u8>>>,
    ) -> PyResult<Self> {
        let build = || -> Result<Self> {
            let entry: MotionEntry = serde_json::from_str(entry).context("motion")?;
            let header = r#"{"schema": 1, "kind": "rocking"}"#.to_owned();
            let scene =
                SceneText::new("motion", base, header)?.with_files(files.unwrap_or_default());
            Ok(Self {
                component: entry.build(&scene)?,
                remarks: entry.remarks(&scene)?,
            })
        };
        py.detach(build).map_err(input)
    }

    /// What the reader has to know of a record.
    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }

    /// Duration (s).
    #[getter]
    fn duration_s(&self) -> f64 {
        self.component.duration()
    }

    /// Peak acceleration (m/s²).
    #[getter]
    fn pga_m_s2(&self) -> f64 {
        self.component.intensity().pga
    }

    /// Peak velocity (m/s).
    #[getter]
    fn pgv_m_s(&self) -> f64 {
        self.component.intensity().pgv
    }

    /// Acceleration (m/s²), velocity (m/s) and displacement (m) at some times (s).
    fn at<'py>(
        &self,
        py: Python<'py>,
        times: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<[Bound<'py, PyArray1<f64>>; 3]> {
        let times: Vec<f64> = times.as_array().to_vec();
        let of = |f: &dyn Fn(f64) -> f64| {
            let values: Vec<f64> = times.iter().map(|t| f(*t)).collect();
            values.into_pyarray(py)
        };
        let c = &self.component;
        Ok([
            of(&|t| c.acceleration(t)),
            of(&|t| c.velocity(t)),
            of(&|t| c.displacement(t)),
        ])
    }
}

/// How all blocks of a call are run.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    /// `rectangle` (width, height) or `slenderness` (angle, half diagonal).
    block: String,
    restitution: RestitutionEntry,
    equation: EquationEntry,
    friction: Option<f64>,
    gravity_m_s2: f64,
    duration_s: f64,
    overturned_at_rad: f64,
    /// Whether blocks whose fate is decided are followed to rest.
    follow: bool,
}

impl Options {
    fn batch(&self) -> Result<(BatchOptions, Restitution)> {
        let options = BatchOptions {
            engine: engine(self.friction)?,
            equation: self.equation.into(),
            overturned_at: self.overturned_at_rad,
            follow: self.follow,
            ..BatchOptions::new(self.duration_s)
        };
        Ok((options, self.restitution.build()?))
    }

    fn block(&self, [a, b]: [f64; 2]) -> Result<RockingBlock> {
        Ok(match self.block.as_str() {
            "rectangle" => RockingBlock::rectangle(a, b, self.gravity_m_s2)?,
            _ => RockingBlock::from_slenderness(a, b, self.gravity_m_s2)?,
        })
    }
}

/// What differs from block to block: two sizes, the number of the motion and the factor on it, the rotation at the
/// start.
struct Varied<'a> {
    sizes: [&'a [f64]; 2],
    motion: &'a [i64],
    scale: &'a [f64],
    rotation: &'a [f64],
}

impl Varied<'_> {
    fn case(
        &self,
        k: usize,
        options: &Options,
        restitution: Restitution,
        motions: &[Component],
    ) -> Result<Case> {
        let motion = usize::try_from(self.motion[k])
            .ok()
            .and_then(|m| motions.get(m));
        let motion = motion.with_context(|| {
            format!(
                "motion: {}; accepted: 0 to {}",
                self.motion[k],
                motions.len() - 1
            )
        })?;
        let scale = self.scale[k];
        ensure!(scale.is_finite(), "scale: {scale}; accepted: finite");
        Ok(Case {
            block: options.block(self.sizes.map(|size| size[k]))?,
            restitution,
            motion: match scale {
                1.0 => motion.clone(),
                scale => motion.scaled(scale),
            },
            rotation: self.rotation[k],
        })
    }

    /// Runs all blocks in parallel until told to stop. Each task keeps its memory from chunk to chunk.
    fn run(&self, options: &Options, motions: &[Component], stop: &AtomicBool) -> Result<Vec<Row>> {
        let (batch, restitution) = options.batch()?;
        let mut rows = vec![Row::default(); self.scale.len()];
        let chunks = rows.par_chunks_mut(CHUNK).enumerate();
        chunks.try_for_each_init(Default::default, |kept, (chunk, rows)| -> Result<()> {
            let (cases, workspace): &mut (Vec<Case>, BatchWorkspace) = kept;
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            cases.clear();
            for k in (chunk * CHUNK..).take(rows.len()) {
                let case = self.case(k, options, restitution, motions);
                cases.push(case.with_context(|| format!("block {k}"))?);
            }
            let results = workspace.simulate(cases, &batch)?;
            for (row, result) in rows.iter_mut().zip(results) {
                *row = Row::of(result);
            }
            Ok(())
        })?;
        Ok(rows)
    }
}

/// What is told of a block.
#[derive(Clone, Copy, Default)]
struct Row {
    fate: i8,
    overturned: bool,
    impacts: i64,
    max_rotation_rad: f64,
    max_slip_m: f64,
    unresolved: i64,
    end_time_s: f64,
}

impl Row {
    fn of(result: &CaseResult) -> Self {
        let fate = match result.fate {
            Fate::Rest => 0,
            Fate::Slid => 1,
            Fate::Stable => 2,
            Fate::Rocking => 3,
            Fate::Overturned(mode) => match mode.side {
                Side::Right => 4,
                Side::Left => 5,
            },
        };
        Self {
            fate,
            overturned: matches!(result.fate, Fate::Overturned(_)),
            impacts: result.impacts as i64,
            max_rotation_rad: result.largest_rotation,
            max_slip_m: result.largest_slip.unwrap_or(f64::NAN),
            unresolved: result.unresolved as i64,
            end_time_s: result.end_time,
        }
    }
}

/// Many blocks, a row each; `options` as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "columns of one Python call")]
pub fn rock_many<'py>(
    py: Python<'py>,
    options: &str,
    first_size: PyReadonlyArray1<'py, f64>,
    second_size: PyReadonlyArray1<'py, f64>,
    motion: PyReadonlyArray1<'py, i64>,
    scale: PyReadonlyArray1<'py, f64>,
    rotation: PyReadonlyArray1<'py, f64>,
    motions: Vec<PyRef<'py, Motion>>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let options: Options = serde_json::from_str(options).map_err(input)?;
    let motions: Vec<Component> = motions.iter().map(|m| m.component.clone()).collect();
    let gaps = |_| input(anyhow::anyhow!("an array with gaps; accepted: contiguous"));
    let varied = Varied {
        sizes: [
            first_size.as_slice().map_err(gaps)?,
            second_size.as_slice().map_err(gaps)?,
        ],
        motion: motion.as_slice().map_err(gaps)?,
        scale: scale.as_slice().map_err(gaps)?,
        rotation: rotation.as_slice().map_err(gaps)?,
    };
    let results = if threads.is_none() && varied.scale.len() <= UNINTERRUPTED_BLOCKS {
        py.detach(|| varied.run(&options, &motions, &AtomicBool::new(false)))
    } else {
        let watch = Watch::default();
        watched(py, &watch, threads, None, || {
            varied.run(&options, &motions, watch.stop_flag())
        })?
    };
    told(py, &results.map_err(input)?)
}

fn told<'py>(py: Python<'py>, rows: &[Row]) -> PyResult<Bound<'py, PyDict>> {
    let each = || rows.iter();
    Ok(Columns::new(py)
        .numbers("fate", each().map(|r| r.fate))?
        .numbers("overturned", each().map(|r| r.overturned))?
        .numbers("impacts", each().map(|r| r.impacts))?
        .numbers("max_rotation_rad", each().map(|r| r.max_rotation_rad))?
        .numbers("max_slip_m", each().map(|r| r.max_slip_m))?
        .numbers("unresolved", each().map(|r| r.unresolved))?
        .numbers("end_time_s", each().map(|r| r.end_time_s))?
        .finish())
}

//! Scenes: read, checked, run, and parts that are joined.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use glam::DVec2;
use klast_runs::files::{Files, Folder, Memory};
use klast_runs::manifest::parts_in_order;
use klast_runs::run_folder::RunFolder;
use klast_runs::shard::Shard;
use klast_runs::text::ENDS;
use klast_runs::{Job, Outcome as Ran, Run, Silent};
use klast_scenes::kinds::{KINDS, find};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{failed, input};
use crate::outcome::{Outcome, held};
use crate::watch::{Watch, watched};

/// A scene that was read: its kind is known and its header right. The rest is checked by `check` and `run`.
#[pyclass(frozen, module = "klast._klast")]
pub struct Scene {
    pub scene: Arc<klast_scenes::Scene>,
    warnings: Vec<String>,
}

#[pymethods]
impl Scene {
    /// From a text; files that it names are among `files` by their name there, or on the disk from `base` on.
    #[new]
    #[pyo3(signature = (text, base, name="scene", files=None))]
    fn new(
        text: &str,
        base: PathBuf,
        name: &str,
        files: Option<BTreeMap<String, Vec<u8>>>,
    ) -> PyResult<Self> {
        let (scene, warnings) = klast_scenes::Scene::named(name, text, base).map_err(input)?;
        Ok(Self {
            scene: Arc::new(scene.with_files(files.unwrap_or_default())),
            warnings,
        })
    }

    /// From a file.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        let (scene, warnings) = klast_scenes::Scene::read(&path).map_err(input)?;
        Ok(Self {
            scene: Arc::new(scene),
            warnings,
        })
    }

    /// The kind.
    #[getter]
    fn kind(&self) -> &str {
        self.scene.kind().name
    }

    /// The text.
    #[getter]
    fn text(&self) -> &str {
        &self.scene.text().text
    }

    /// The folder that relative names in the scene start from.
    #[getter]
    fn base(&self) -> &Path {
        &self.scene.text().folder
    }

    /// Every file that was read so far, by its name in the scene: after `check` all that the scene names, and what
    /// stands beside them. A raster of which only tiles are read stays on its disk.
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<BTreeMap<String, Bound<'py, PyBytes>>> {
        let text = self.scene.text();
        let named = text.inputs().into_iter();
        let whole = named.filter(|(_, digest)| !digest.starts_with(ENDS));
        let read = whole.map(|(name, _)| {
            let bytes = py.detach(|| text.read_bytes(&name)).map_err(input)?;
            Ok((name, PyBytes::new(py, &bytes)))
        });
        read.collect()
    }

    /// Numbers that are probably in another unit than their key says.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Checks the scene and every file that it names: what would be run, and what was understood of the files.
    fn check(&self, py: Python) -> PyResult<(String, Vec<String>, bool, bool)> {
        py.detach(|| {
            let job = self.scene.job()?;
            let (parts, draws) = (job.has_parts(), job.draws());
            Ok((job.describe(), self.scene.text().notes(), parts, draws))
        })
        .map_err(|error: anyhow::Error| input(error))
    }

    /// Runs it. `folder` keeps the state of a run that is interrupted, and is not complete before `write`; without one
    /// nothing touches the disk.
    #[pyo3(signature = (seed=None, threads=None, shard=None, progress=None, keep_rocks=false, folder=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of one Python call")]
    fn run(
        &self,
        py: Python,
        seed: Option<u64>,
        threads: Option<usize>,
        shard: Option<(u64, u64)>,
        progress: Option<&Bound<PyAny>>,
        keep_rocks: bool,
        folder: Option<PathBuf>,
    ) -> PyResult<Outcome> {
        let job = py.detach(|| self.scene.job()).map_err(input)?;
        let shard = self.accepts(&*job, seed, shard).map_err(input)?;
        let folder = folder.map(|path| held(&path, self.scene.text(), seed, shard));
        let folder = folder.transpose()?;
        let watch = match keep_rocks {
            true => Watch::keeping_rocks(),
            false => Watch::default(),
        };
        let (job, ran) = watched(py, &watch, threads, progress, || {
            let ran = in_files(folder, |files| {
                let mut run = Run::new(&watch, files);
                (run.seed, run.shard) = (seed, shard);
                run.warnings(&self.warnings);
                let results = job.run(&mut run)?;
                Ok(run.end(results))
            });
            (job, ran)
        })?;
        let (ran, files) = ran.map_err(failed)?;
        let (scene, rocks) = (self.scene.clone(), watch.into_rocks());
        Ok(Outcome::new(scene, &*job, ran, files, shard, rocks))
    }
}

impl Scene {
    /// A keyword that would do nothing is a mistake.
    fn accepts(
        &self,
        job: &dyn Job,
        seed: Option<u64>,
        shard: Option<(u64, u64)>,
    ) -> Result<Option<Shard>> {
        let kind = self.kind();
        if seed.is_some() && !job.draws() {
            bail!("seed: a scene of kind '{kind}' draws nothing at random; accepted: None");
        }
        let Some((index, count)) = shard else {
            return Ok(None);
        };
        ensure!(
            job.has_parts(),
            "shard: this scene of kind '{kind}' {}; accepted: None",
            job.why_whole()
        );
        ensure!(
            1 <= index && index <= count,
            "shard: ({index}, {count}); accepted: (k, n) with 1 <= k <= n"
        );
        Ok(Some(Shard { index, count }))
    }
}

/// Where files go that are written on the way, and those that were: in memory without a folder.
fn in_files(
    folder: Option<RunFolder>,
    work: impl FnOnce(&mut dyn Files) -> Result<Ran>,
) -> Result<(Ran, Memory)> {
    let Some(mut folder) = folder else {
        let mut memory = Memory::default();
        let ran = work(&mut memory)?;
        return Ok((ran, memory));
    };
    let ran = work(&mut folder.files);
    let noted = folder.unfinished();
    let ran = ran?;
    noted?;
    Ok((ran, copied(&folder.files)?))
}

/// The files of a folder in memory.
fn copied(folder: &Folder) -> Result<Memory> {
    use klast_runs::files::FilesExt as _;
    let mut memory = Memory::default();
    for name in folder.names() {
        let bytes = folder.read(name).with_context(|| name.clone())?;
        memory.bytes(name, &bytes)?;
    }
    Ok(memory)
}

/// The whole from the folders of all parts.
#[pyfunction]
pub fn merge(py: Python, scene: &Scene, folders: Vec<PathBuf>) -> PyResult<Outcome> {
    let joined = py.detach(|| -> Result<_> {
        let parts = parts_in_order(&folders)?;
        let Some((first, _)) = parts.first() else {
            bail!("parts: none; accepted: every part of a run");
        };
        let job = scene.scene.job_of_parts(first)?;
        let folders: Vec<PathBuf> = parts.iter().map(|(_, folder)| folder.clone()).collect();
        let mut memory = Memory::default();
        let mut run = Run::new(&Silent, &mut memory);
        run.seed = first.seed;
        run.warnings(&scene.warnings);
        let results = job.merge(&folders, &mut run)?;
        let ran = run.end(results);
        Ok((job, ran, memory))
    });
    let (job, ran, memory) = joined.map_err(input)?;
    Ok(Outcome::new(
        scene.scene.clone(),
        &*job,
        ran,
        memory,
        None,
        None,
    ))
}

/// Every kind of scene with a line on it.
#[pyfunction]
pub fn kinds() -> Vec<(&'static str, &'static str)> {
    KINDS.iter().map(|kind| (kind.name, kind.summary)).collect()
}

/// The JSON Schema of a kind of scene, or of its results.
#[pyfunction]
pub fn schema(kind: &str, results: bool) -> PyResult<String> {
    let kind = find(kind).map_err(input)?;
    let schema = match results {
        true => kind.results_schema(),
        false => kind.schema(),
    };
    serde_json::to_string(&schema).map_err(failed)
}

/// An example of a kind, and the files that it names.
#[pyfunction]
pub fn example<'py>(
    py: Python<'py>,
    kind: &str,
) -> PyResult<(&'static str, BTreeMap<&'static str, Bound<'py, PyBytes>>)> {
    let kind = find(kind).map_err(input)?;
    let files = kind
        .files
        .iter()
        .map(|(name, bytes)| (*name, PyBytes::new(py, bytes)));
    Ok((kind.example, files.collect()))
}

/// A raster as a GeoTIFF: rows from south to north, `west` and `south` the centre of the lower left cell.
#[pyfunction]
pub fn geotiff<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    cell: f64,
    west: f64,
    south: f64,
    epsg: Option<u16>,
) -> PyResult<Bound<'py, PyBytes>> {
    use klast_files::raster::geotiff;
    let shape = values.shape();
    let (rows, columns) = (shape[0], shape[1]);
    let cells = values
        .as_slice()
        .map_err(|e| input(anyhow::anyhow!("{e}")))?;
    let centre = DVec2::new(west, south);
    let crs = epsg.map(|code| klast_files::crs::Crs::from_epsg(u32::from(code)));
    let crs = crs.transpose().map_err(input)?;
    let shape = (columns, rows);
    let bytes = geotiff::write(
        shape,
        cell,
        centre,
        |k| cells[k],
        crs.as_ref(),
        geotiff::Digits::Double,
    );
    Ok(PyBytes::new(py, &bytes.map_err(input)?))
}

//! What a run gave, as Python sees it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::Result;
use klast_report::{Page, Section, introduce, report};
use klast_rockfall::RockResult;
use klast_runs::files::{Files, FilesExt as _, Folder, Memory};
use klast_runs::manifest::Manifest;
use klast_runs::run_folder::{RunFolder, earlier_files};
use klast_runs::shard::Shard;
use klast_runs::text::SceneText;
use klast_runs::{Job, Outcome as Ran};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::columns::object;
use crate::errors::{failed, input};
use crate::{rockfall, table};

/// What a run gave. Tables, maps and figures are made when they are asked for.
#[pyclass(frozen, module = "klast._klast")]
pub struct Outcome {
    scene: Arc<klast_scenes::Scene>,
    described: String,
    ran: Ran,
    on_the_way: Memory,
    shard: Option<Shard>,
    rocks: Option<Vec<(u64, RockResult)>>,
    files: OnceLock<Memory>,
}

impl Outcome {
    pub fn new(
        scene: Arc<klast_scenes::Scene>,
        job: &dyn Job,
        ran: Ran,
        on_the_way: Memory,
        shard: Option<Shard>,
        rocks: Option<Vec<(u64, RockResult)>>,
    ) -> Self {
        Self {
            scene,
            described: job.describe(),
            ran,
            on_the_way,
            shard,
            rocks,
            files: OnceLock::new(),
        }
    }

    /// All files but figures and pages.
    fn files(&self) -> Result<&Memory> {
        if let Some(files) = self.files.get() {
            return Ok(files);
        }
        let mut files = self.on_the_way.clone();
        self.ran.results.write(&mut files)?;
        Ok(self.files.get_or_init(|| files))
    }

    /// Figures, and the page that holds them, into some files.
    fn report(&self, files: &mut dyn Files) -> Result<Page> {
        let name = &self.scene.text().name;
        let stem = Path::new(name).file_stem().unwrap_or("scene".as_ref());
        let mut page = Page::new(&stem.to_string_lossy());
        introduce(&self.scene, &mut page);
        let said: Vec<String> = self.described.lines().map(str::to_owned).collect();
        page.list(Section::Method, &said);
        report(&self.ran, &mut page, files)?;
        Ok(page)
    }

    fn write_files(&self, folder: &mut RunFolder, figures: bool) -> Result<()> {
        let files = self.files()?;
        for name in files.names() {
            folder
                .files
                .bytes(name, &files.read(name).unwrap_or_default())?;
        }
        if figures {
            let mut page = self.report(&mut folder.files)?;
            page.files(folder.files.names());
            folder.files.text("index.html", &page.html())?;
        }
        folder.manifest.end(self.scene.text(), &self.ran);
        Ok(folder.finish()?)
    }

    /// Writes into a folder as the program does: it is held meanwhile, and complete at the end.
    fn write_into(&self, py: Python, path: &Path, figures: bool) -> PyResult<()> {
        py.detach(|| {
            let mut folder = held(path, self.scene.text(), self.ran.seed, self.shard)?;
            self.write_files(&mut folder, figures).map_err(failed)
        })
    }

    fn file(&self, name: &str) -> PyResult<Vec<u8>> {
        let files = self.files().map_err(failed)?;
        files.read(name).ok_or_else(|| {
            let names = files.names().join(", ");
            PyKeyError::new_err(format!("'{name}': no such file; accepted: {names}"))
        })
    }
}

/// The folder of a run: new, empty or of an earlier run, which is replaced.
pub fn held(
    path: &Path,
    scene: &SceneText,
    seed: Option<u64>,
    shard: Option<Shard>,
) -> PyResult<RunFolder> {
    let earlier = earlier_files(path).map_err(input)?;
    let folder = Folder::open(path).map_err(failed)?;
    let lock = folder.lock().map_err(input)?;
    let manifest = Manifest::begun(scene, seed, shard);
    RunFolder::begin(folder, lock, earlier, manifest).map_err(failed)
}

#[pymethods]
impl Outcome {
    #[getter]
    fn kind(&self) -> &str {
        self.scene.kind().name
    }

    #[getter]
    fn described(&self) -> &str {
        &self.described
    }

    #[getter]
    fn seed(&self) -> Option<u64> {
        self.ran.seed
    }

    #[getter]
    fn shard(&self) -> Option<(u64, u64)> {
        self.shard.map(|shard| (shard.index, shard.count))
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.ran.warnings.clone()
    }

    #[getter]
    fn sentence(&self) -> Option<String> {
        self.ran.results.sentence()
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.ran.counts)
    }

    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.ran.results.summary().map_err(failed)?)
    }

    /// Names of the files: tables, maps, paths, frames.
    fn names(&self, py: Python) -> PyResult<Vec<String>> {
        py.detach(|| self.files().map(|files| files.names().to_vec()))
            .map_err(failed)
    }

    /// The bytes of a file.
    fn read<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.file(name))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// A table: name and values of every column; of `words` as they stand.
    fn table<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        words: Vec<String>,
    ) -> PyResult<Bound<'py, PyList>> {
        let bytes = py.detach(|| self.file(name))?;
        table::columns(py, &bytes, &words)
    }

    /// Figures as SVG, by name.
    fn figures(&self, py: Python) -> PyResult<Vec<(String, String)>> {
        py.detach(|| -> Result<_> {
            let mut files = Memory::default();
            self.report(&mut files)?;
            let text = |name: &String| {
                let bytes = files.read(name).unwrap_or_default();
                (name.clone(), String::from_utf8_lossy(&bytes).into_owned())
            };
            let drawn = files.names().iter().filter(|name| name.ends_with(".svg"));
            Ok(drawn.map(text).collect())
        })
        .map_err(failed)
    }

    /// Writes what the program writes: tables, maps, figures, a page, a manifest.
    fn write(&self, py: Python, folder: PathBuf) -> PyResult<()> {
        self.write_into(py, &folder, true)
    }

    /// Writes what a merge of parts reads.
    fn write_part(&self, py: Python, folder: PathBuf) -> PyResult<()> {
        self.write_into(py, &folder, false)
    }

    /// The rocks that a run with `keep_rocks` kept.
    fn rocks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let rocks = self.rocks.as_ref();
        let kept = rocks.map(|rocks| rockfall::ends(py, &*self.ran.results, rocks));
        kept.transpose()
    }

    /// Maps of a rockfall run: place of the lower left corner, side of a cell, columns, rows, and name, words and
    /// values of each.
    fn maps<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        rockfall::maps(py, &*self.ran.results)
    }

    /// The coordinate reference system of a rockfall run.
    #[getter]
    fn crs(&self) -> PyResult<Option<String>> {
        rockfall::crs(&*self.ran.results)
    }

    /// The exact paths of some rocks: all arcs, and where each rock's begin.
    fn paths<'py>(&self, py: Python<'py>, rocks: Vec<u64>) -> PyResult<Bound<'py, PyDict>> {
        rockfall::paths(py, &*self.ran.results, &rocks)
    }
}

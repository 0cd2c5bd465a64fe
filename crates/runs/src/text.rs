//! Reading a scene file: one cause, one place, one hint.
//!
//! A scene is a JSON object with `schema` (the version of its kind), `kind`, and the keys of that kind with their units
//! in the name; beside them the keys of a title block ([`title_block::KEYS`]) and
//! `$schema` (for editors). Unknown keys are refused. Lines that start with `//` are comments.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::bail;
use crate::error::{Context as _, Error, Outside as _, Result};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::faults::{Fault, Faults};
use crate::parse::{parse, value};
use crate::title_block;
use klast_files::raster::geotiff::{self, Bytes, Layout, OnDisk};
use klast_files::raster::{Beside, Raster};
use klast_files::text::strict;

/// A larger scene is a mistake: rasters and records are files of their own.
const LARGEST_BYTES: u64 = 64 << 20;

/// What the digest of a file begins with of which only the length and the ends were looked at.
pub const ENDS: &str = "ends:";

/// The text of a scene, where it was found, and its kind.
#[derive(Debug, Clone)]
pub struct SceneText {
    /// The file, for messages.
    pub name: String,
    /// The folder that relative paths in the scene start from.
    pub folder: std::path::PathBuf,
    /// The whole text.
    pub text: String,
    /// The value of `kind`; empty if there is none.
    pub kind: String,
    /// The scene as it is parsed: without the keys that every kind has.
    body: Value,
    /// SHA-256 of every file read so far, by its name in the scene; copies share it.
    inputs: Arc<Mutex<BTreeMap<String, String>>>,
    /// What was understood of the files read so far, a line each; copies share it.
    notes: Arc<Mutex<Vec<String>>>,
    /// Files that are at hand, by their name in the scene; all others are on the disk.
    attached: Arc<BTreeMap<String, Vec<u8>>>,
    /// What is allowed and probably not meant; copies share it.
    cautions: Arc<Mutex<Vec<String>>>,
    /// Keys that are not known, found when the scene was parsed; copies share them.
    unknown: Arc<Mutex<Vec<Fault>>>,
}

#[derive(Deserialize, JsonSchema)]
struct Header {
    schema: Option<u32>,
    kind: Option<String>,
    project: Option<String>,
    client: Option<String>,
    author: Option<String>,
    reference: Option<String>,
    date: Option<String>,
    version: Option<String>,
}

impl Header {
    /// The values of [`title_block::KEYS`], in their order.
    fn title_block(self) -> [Option<String>; title_block::KEYS.len()] {
        [
            self.project,
            self.client,
            self.author,
            self.reference,
            self.date,
            self.version,
        ]
    }
}

impl SceneText {
    /// Reads the file and its header.
    ///
    /// # Errors
    /// A file that cannot be read, is not UTF-8 or not a JSON object, has no kind, or is of another version.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let metadata = std::fs::metadata(path)
            .outside()
            .with_context(|| format!("{name}: cannot be read"))?;
        if !metadata.is_file() {
            bail!("{name}: not a file; accepted: a JSON scene (`klast new KIND` prints one)");
        }
        if metadata.len() > LARGEST_BYTES {
            bail!(
                "{name}: {} bytes; accepted: up to {LARGEST_BYTES}",
                metadata.len()
            );
        }
        let bytes = std::fs::read(path)
            .outside()
            .with_context(|| format!("{name}: cannot be read"))?;
        let text = strict(&bytes).with_context(|| name.clone())?;
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        Self::new(&name, folder, text)
    }

    /// The same from a text at hand.
    ///
    /// # Errors
    /// As [`SceneText::read`].
    pub fn new(name: &str, folder: std::path::PathBuf, text: String) -> Result<Self> {
        // Some editors begin a file with the mark of its byte order.
        let text = without_comments(text.strip_prefix('\u{feff}').unwrap_or(&text));
        let read = value(&text).and_then(|body| match parse::<Header>(&body, &text)? {
            (header, mended) if mended.is_empty() => Ok((header, body)),
            (_, mended) => Err(Faults::of(mended, &text)),
        });
        let (header, mut body) = read.with_context(|| name.to_owned())?;
        match header.schema {
            Some(1) => {}
            Some(other) => bail!("{name}: schema {other}; accepted: 1"),
            None => bail!("{name}: no \"schema\"; accepted: 1"),
        }
        if let Some(keys) = body.as_object_mut() {
            let titles = title_block::KEYS.iter().map(|(key, ..)| *key);
            for key in titles.chain(["schema", "kind", "$schema"]) {
                keys.remove(key);
            }
        }
        Ok(Self {
            name: name.to_owned(),
            folder,
            text,
            kind: header.kind.unwrap_or_default(),
            body,
            inputs: Arc::default(),
            notes: Arc::default(),
            attached: Arc::default(),
            cautions: Arc::default(),
            unknown: Arc::default(),
        })
    }

    /// The same with files at hand: what the scene names is looked for among them before the disk.
    #[must_use]
    pub fn with_files(mut self, files: BTreeMap<String, Vec<u8>>) -> Self {
        self.attached = Arc::new(files);
        self
    }

    /// A text that is a part of this scene: what it reads is read by the scene.
    pub fn inner(&self, text: &str) -> Result<Self> {
        let other = Self::new(&self.name, self.folder.clone(), text.to_owned())?;
        Ok(Self {
            text: other.text,
            kind: other.kind,
            body: other.body,
            unknown: other.unknown,
            ..self.clone()
        })
    }

    /// The whole scene as the type of its kind. Keys that it does not know are kept for [`SceneText::checked`].
    ///
    /// # Errors
    /// Everything that is not of the shape of the type, with path, line and column, what is accepted, and the nearest
    /// known key.
    pub fn parse<T: DeserializeOwned + JsonSchema>(&self) -> Result<T, Faults> {
        let (read, unknown) = parse(&self.body, &self.text)?;
        *self.unknown.lock().unwrap_or_else(PoisonError::into_inner) = unknown;
        Ok(read)
    }

    /// What was made of the scene, if nothing is wrong with it.
    ///
    /// # Errors
    /// Every fault with its place in the text, the keys that are not known among them.
    pub fn checked<T>(&self, made: Result<T>) -> Result<T, Faults> {
        let unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
        match made {
            Ok(made) if unknown.is_empty() => Ok(made),
            made => Err(Faults::in_scene(made.err(), unknown.clone(), &self.text)),
        }
    }

    /// The bytes of a file named in the scene. What is read decides the results: its digest is kept.
    ///
    /// # Errors
    /// As [`klast_files::reading::bytes`].
    pub fn read_bytes(&self, named: &str) -> Result<Vec<u8>> {
        let bytes = match self.attached.get(named) {
            Some(bytes) => bytes.clone(),
            None => klast_files::reading::bytes(&self.path(named))?,
        };
        let digest = klast_files::reading::sha256(&bytes);
        let mut inputs = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        inputs.insert(named.to_owned(), digest);
        Ok(bytes)
    }

    /// A raster named in the scene, with what stands beside it: place, CRS, metadata, mask. All of it decides the
    /// results.
    ///
    /// # Errors
    /// As [`klast_files::by_ending::raster`].
    pub fn read_raster(&self, named: &str) -> Result<Raster> {
        use klast_files::{Kind, Refusal, by_ending, command::Command};
        // A folder has no bytes.
        if !self.attached.contains_key(named) && self.path(named).is_dir() {
            let stem = named.trim_end_matches('/');
            let command = Command::new("gdal_translate").word(named);
            let folder = Refusal::new(Kind::Foreign, "a folder, as a grid of ArcInfo is one")
                .accepting("an ESRI ASCII grid (.asc), GeoTIFF (.tif)")
                .cured_by(command.word(format!("{stem}.tif")));
            return Err(Error::from(folder).of(named));
        }
        let beside = || Beside::find(named, |file| self.read_beside(file));
        if let Some(tiff) = self.tiff_on_disk(named)? {
            let read = geotiff::read_from(&tiff, &beside()?);
            return crate::error::of_file(named, read);
        }
        let bytes = self.read_bytes(named)?;
        by_ending::raster(named, &bytes, &beside()?).with_context(|| named.to_owned())
    }

    /// A GeoTIFF, which is not taken into memory: a raster may be large.
    fn tiff_on_disk(&self, named: &str) -> Result<Option<OnDisk>> {
        let path = self.path(named);
        if self.attached.contains_key(named) || !is_tiff(named) || !path.is_file() {
            return Ok(None);
        }
        let cannot = || format!("{}: cannot be read", path.display());
        let tiff = OnDisk::open(&path).outside().with_context(cannot)?;
        let start = tiff.at(0, 2);
        if !matches!(start.as_deref(), Some(b"II" | b"MM")) {
            return Ok(None);
        }
        let digest = klast_files::reading::sha256_of_file(&path);
        let digest = digest.outside().with_context(cannot)?;
        let mut inputs = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        inputs.insert(named.to_owned(), digest);
        Ok(Some(tiff))
    }

    /// Columns and rows of a GeoTIFF raster named in the scene, both from the south-west, which `choose` takes from
    /// all; the rest stays on the disk. The digest is that of the length and the ends of the file.
    ///
    /// # Errors
    /// As [`geotiff::read_part`]; a file that is no GeoTIFF, or cannot be read.
    pub fn read_raster_part(
        &self,
        named: &str,
        choose: &dyn Fn(&Layout) -> klast_files::refusal::Result<[Range<usize>; 2]>,
    ) -> Result<Raster> {
        if !is_tiff(named) {
            bail!(Fault::of_file(named, "read by tiles").accepted("a GeoTIFF (.tif)"));
        }
        let beside = Beside::find(named, |file| self.read_beside(file))?;
        let on_disk;
        let at_hand;
        let source: &dyn Bytes = match self.attached.get(named) {
            Some(bytes) => {
                at_hand = bytes.as_slice();
                &at_hand
            }
            None => {
                let path = self.path(named);
                klast_files::reading::check(&path)?;
                let opened = OnDisk::open(&path).outside();
                on_disk = opened.with_context(|| format!("{}: cannot be read", path.display()))?;
                &on_disk
            }
        };
        let length = source.length();
        let end = length.min(4096);
        let ends = [0, length - end].map(|at| source.at(at, end as usize).unwrap_or_default());
        let digest = klast_files::reading::sha256(format!("{length} {ends:?}"));
        let mut inputs = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        inputs.insert(named.to_owned(), format!("{ENDS}{digest}"));
        drop(inputs);
        geotiff::read_part(source, &beside, choose).with_context(|| named.to_owned())
    }

    /// The text of a file named in the scene.
    ///
    /// # Errors
    /// As [`klast_files::reading::text`].
    pub fn read_text(&self, named: &str) -> Result<String> {
        Ok(klast_files::reading::utf8(
            &self.path(named),
            &self.read_bytes(named)?,
        )?)
    }

    /// Names of the files that are at hand.
    pub fn attached(&self) -> impl Iterator<Item = &str> {
        self.attached.keys().map(String::as_str)
    }

    /// SHA-256 of every file read so far, by its name in the scene.
    #[must_use]
    pub fn inputs(&self) -> BTreeMap<String, String> {
        self.inputs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Keeps a line of what was understood of a file, once, for `klast check`.
    pub fn note(&self, line: String) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if !notes.contains(&line) {
            notes.push(line);
        }
    }

    /// What was understood of the files read so far.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.notes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Keeps a warning about the files of the scene, once: what is allowed and probably not meant.
    pub fn caution(&self, line: String) {
        let mut cautions = self.cautions.lock().unwrap_or_else(PoisonError::into_inner);
        if !cautions.contains(&line) {
            cautions.push(line);
        }
    }

    /// The warnings so far.
    #[must_use]
    pub fn cautions(&self) -> Vec<String> {
        self.cautions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The shapes of a file named in the scene, with what stands beside it.
    ///
    /// # Errors
    /// As [`klast_files::shapes::Shapes::read`].
    pub fn read_shapes(&self, named: &str) -> Result<klast_files::shapes::Shapes> {
        use klast_files::{Kind, Refusal, command::Command, shapes::Shapes};
        // A folder has no bytes.
        if let Some(stem) = named.trim_end_matches('/').strip_suffix(".gdb") {
            let layers = Command::new("ogrinfo")
                .word(named)
                .noted(" lists its layers");
            let command = Command::new("ogr2ogr").word(format!("{stem}.geojson"));
            let command = command.word(named).word("LAYER").noted("; ").then(layers);
            let base = Refusal::new(Kind::Foreign, "a geodatabase is not read")
                .accepting("GeoJSON, shapefile (.shp), points in columns (.csv)")
                .cured_by(command);
            return Err(Error::from(base).of(named));
        }
        let bytes = self.read_bytes(named)?;
        let shapes = Shapes::read(named, &bytes, &mut |file| {
            self.read_beside(file).map_err(Error::into_refusal)
        });
        shapes.with_context(|| named.to_owned())
    }

    /// The bytes of a file that need not be there.
    pub fn read_beside(&self, file: &str) -> Result<Option<Vec<u8>>> {
        match self.attached.contains_key(file) || self.path(file).is_file() {
            true => self.read_bytes(file).map(Some),
            false => Ok(None),
        }
    }

    /// What the scene states of the title block of its report: heading and value.
    #[must_use]
    pub fn title_block(&self) -> Vec<(&'static str, String)> {
        let header = value(&self.text).and_then(|body| parse::<Header>(&body, &self.text));
        let Ok((header, _)) = header else {
            return vec![];
        };
        let headings = title_block::KEYS.iter().map(|(_, heading, _)| *heading);
        let stated = headings.zip(header.title_block());
        stated
            .filter_map(|(heading, value)| Some((heading, value?)))
            .filter(|(_, value)| !value.trim().is_empty())
            .collect()
    }

    /// SHA-256 of the text.
    #[must_use]
    pub fn sha256(&self) -> String {
        klast_files::reading::sha256(&self.text)
    }

    /// A name for what decides the results but the seed and the part: the version, the scene, and the files that it
    /// names.
    #[must_use]
    pub fn key(&self) -> String {
        let (version, inputs) = (env!("CARGO_PKG_VERSION"), self.inputs());
        klast_files::reading::sha256(format!("{version} {} {inputs:?}", self.sha256()))
    }

    /// A path named in the scene, from the scene's own folder.
    #[must_use]
    pub fn path(&self, named: &str) -> std::path::PathBuf {
        self.folder.join(named)
    }
}

/// Whether the name of a file is that of a GeoTIFF.
#[must_use]
pub fn is_tiff(named: &str) -> bool {
    let ending = klast_files::command::split(named).1.to_ascii_lowercase();
    ["tif", "tiff"].contains(&ending.as_str())
}

/// The text with its comment lines empty, so that the lines keep their numbers.
fn without_comments(text: &str) -> String {
    let keep = |line| {
        if str::trim_start(line).starts_with("//") {
            "\n"
        } else {
            line
        }
    };
    text.split_inclusive('\n').map(keep).collect()
}

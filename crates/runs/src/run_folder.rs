//! A folder of results while its run is at work: held, and never without a manifest that says whose it is.

use std::collections::HashSet;
use std::path::{Component, Path};
use std::time::Instant;

use crate::bail;
use crate::error::Result;

use crate::files::{Files as _, FilesExt as _, Folder, Lock};
use crate::manifest::{MANIFEST, Manifest};

/// The folder of one run.
#[derive(Debug)]
pub struct RunFolder {
    /// Where files go.
    pub files: Folder,
    /// What the folder says about itself.
    pub manifest: Manifest,
    /// Files of an earlier run into the same folder.
    earlier: Vec<String>,
    /// No other run writes there meanwhile.
    _lock: Lock,
    started: Instant,
}

impl RunFolder {
    /// From the first moment on the folder says whose it is and that it is not complete. `earlier` is of
    /// [`earlier_files`], asked before the folder was made.
    ///
    /// # Errors
    /// A manifest that cannot be written.
    pub fn begin(
        files: Folder,
        lock: Lock,
        earlier: Vec<String>,
        manifest: Manifest,
    ) -> Result<Self> {
        files.remove_halves();
        let mut begun = Self {
            files,
            manifest,
            earlier,
            _lock: lock,
            started: Instant::now(),
        };
        begun.unfinished()?;
        Ok(begun)
    }

    /// How long it is at work (s).
    #[must_use]
    pub fn elapsed_s(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// The manifest of a run that is not complete: every file in the folder, so that the next run may replace it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn unfinished(&mut self) -> Result<()> {
        let written = self.files.names().iter().filter(|f| *f != MANIFEST);
        let mut files: Vec<String> = self.earlier.iter().chain(written).cloned().collect();
        files.sort();
        files.dedup();
        self.manifest.files = files;
        self.manifest.wall_time_s = self.elapsed_s();
        self.files.json(MANIFEST, &self.manifest)
    }

    /// Removes what an earlier run left, and writes the manifest of a run that [`Manifest::end`] was told of.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&mut self) -> Result<()> {
        remove_earlier(&self.files, &self.earlier);
        let files = self.files.names().iter().filter(|f| *f != MANIFEST);
        self.manifest.files = files.cloned().collect();
        self.manifest.wall_time_s = self.elapsed_s();
        self.files.json(MANIFEST, &self.manifest)
    }
}

/// The files that an earlier run of klast wrote into a folder.
///
/// # Errors
/// A folder that holds files of something else.
pub fn earlier_files(folder: &Path) -> Result<Vec<String>> {
    let Ok(mut entries) = std::fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    if entries.next().is_none() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(folder.join(MANIFEST)).unwrap_or_default();
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(manifest) if manifest.get("klast").is_some() => Ok(manifest["files"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|f| f.as_str().map(str::to_owned))
            .collect()),
        _ => bail!(
            "{}: holds files of something else; accepted: a new or empty folder, or one of an earlier run (--out DIR)",
            folder.display()
        ),
    }
}

/// Removes what an earlier run left and this one has not written anew: names in the folder itself alone, since a
/// manifest may say anything.
pub fn remove_earlier(folder: &Folder, earlier: &[String]) {
    let written: HashSet<&String> = folder.names().iter().collect();
    for name in earlier.iter().filter(|n| !written.contains(n)) {
        let mut parts = Path::new(name).components();
        if matches!(
            (parts.next(), parts.next()),
            (Some(Component::Normal(_)), None)
        ) {
            let _ = std::fs::remove_file(folder.path().join(name));
        }
    }
}

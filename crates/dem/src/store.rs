//! Layers in a folder, so that a layer that was made once is not made again.
//!
//! A layer is named by the hash of its specification. A file is written under another name and then renamed, so that it
//! is whole or not there.

use crate::error::DemError;
use crate::packing::{Packing, PackingProgress, PackingSpec};
use std::path::{Path, PathBuf};

/// A folder for layers.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens or makes the folder.
    ///
    /// # Errors
    /// [`DemError::Saved`] if it cannot be made.
    pub fn new(folder: &Path) -> Result<Self, DemError> {
        std::fs::create_dir_all(folder).map_err(|e| failed("folder", folder, &e))?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// The folder named by `KLAST_CACHE`, or `klast` in the user's cache folder, or in the temporary one.
    #[must_use]
    pub fn default_folder() -> PathBuf {
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        variable("KLAST_CACHE")
            .map(PathBuf::from)
            .or_else(|| variable("XDG_CACHE_HOME").map(|p| PathBuf::from(p).join("klast")))
            .or_else(|| variable("HOME").map(|p| PathBuf::from(p).join(".cache").join("klast")))
            .unwrap_or_else(|| std::env::temp_dir().join("klast"))
    }

    /// Where the layer of this specification is or will be.
    #[must_use]
    pub fn packing_path(&self, spec: &PackingSpec) -> PathBuf {
        self.folder.join(format!("{:016x}.packing", spec.hash()))
    }

    /// The layer, loaded or made and saved; and whether it was loaded. A file that does not fit is made again.
    ///
    /// # Errors
    /// As [`Packing::make`]; a folder that cannot be written.
    pub fn packing(
        &self,
        spec: &PackingSpec,
        progress: impl FnMut(PackingProgress),
    ) -> Result<(Packing, bool), DemError> {
        let path = self.packing_path(spec);
        let saved = std::fs::read(&path).ok();
        if let Some(packing) = saved.and_then(|bytes| Packing::from_bytes(&bytes).ok())
            && packing.spec_hash == spec.hash()
        {
            return Ok((packing, true));
        }
        let packing = Packing::make(spec, progress)?;
        self.write(&path, &packing.to_bytes())?;
        Ok((packing, false))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), DemError> {
        let part = path.with_extension(format!("part{}", std::process::id()));
        std::fs::write(&part, bytes).map_err(|e| failed("file", &part, &e))?;
        std::fs::rename(&part, path).map_err(|e| failed("file", path, &e))
    }
}

fn failed(what: &'static str, path: &Path, error: &std::io::Error) -> DemError {
    DemError::Saved {
        what,
        reason: format!("{}: {error}", path.display()),
    }
}

//! What a folder of results says about itself, and the parts of a run in order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::bail;
use crate::error::{Context as _, Outside as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::job::Outcome;
use crate::shard::Shard;
use crate::text::SceneText;

/// Name of its file.
pub const MANIFEST: &str = "manifest.json";

/// What a folder of results says about itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of klast.
    pub klast: String,
    /// Commit that the program is built from; none where it does not know it.
    #[serde(default)]
    pub commit: Option<String>,
    /// Kind of the scene.
    pub kind: String,
    /// The scene file.
    pub scene: PathBuf,
    /// SHA-256 of its text.
    pub scene_sha256: String,
    /// SHA-256 of the files that it names.
    pub inputs_sha256: BTreeMap<String, String>,
    /// The seed, if any.
    pub seed: Option<u64>,
    /// Which part of how many.
    pub shard: Option<String>,
    /// Whether the run came to its end.
    pub complete: bool,
    /// Counts and numbers of the run.
    #[serde(default)]
    pub counts: Map<String, Value>,
    /// What is allowed and probably not meant, or what the results do not rest on.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// How long it took (s).
    pub wall_time_s: f64,
    /// The files in the folder but this one.
    pub files: Vec<String>,
}

impl Manifest {
    /// Of a run that has not come to its end.
    #[must_use]
    pub fn begun(scene: &SceneText, seed: Option<u64>, shard: Option<Shard>) -> Self {
        let file = std::path::absolute(&scene.name).unwrap_or_else(|_| scene.name.clone().into());
        Self {
            klast: env!("CARGO_PKG_VERSION").to_owned(),
            commit: None,
            kind: scene.kind.clone(),
            scene: file,
            scene_sha256: scene.sha256(),
            inputs_sha256: scene.inputs(),
            seed,
            shard: shard.map(|s| s.to_string()),
            complete: false,
            counts: Map::new(),
            warnings: Vec::new(),
            wall_time_s: 0.0,
            files: Vec::new(),
        }
    }

    /// The run has come to its end.
    pub fn end(&mut self, scene: &SceneText, outcome: &Outcome) {
        self.complete = true;
        self.inputs_sha256 = scene.inputs();
        self.seed = outcome.seed;
        self.counts = outcome.counts.clone();
        self.warnings.clone_from(&outcome.warnings);
    }

    /// That of a folder.
    ///
    /// # Errors
    /// A folder without one, with its name.
    pub fn read(folder: &Path) -> Result<Self> {
        let file = folder.join(MANIFEST);
        let name = file.display();
        let text = std::fs::read_to_string(&file)
            .outside()
            .with_context(|| format!("{name}: cannot be read; accepted: a finished part"))?;
        serde_json::from_str(&text)
            .outside()
            .with_context(|| format!("{name}: not a manifest"))
    }
}

/// The parts of a run by number; every one of them, of one scene and one seed.
///
/// # Errors
/// What is no finished part, is missing, or is of another run.
pub fn parts_in_order(folders: &[PathBuf]) -> Result<Vec<(Manifest, PathBuf)>> {
    let mut parts = Vec::new();
    for folder in folders {
        let manifest = Manifest::read(folder)?;
        let name = folder.join(MANIFEST);
        let name = name.display();
        if !manifest.complete {
            bail!("{name}: an interrupted run; accepted: a finished part");
        }
        let shard: Shard = manifest
            .shard
            .as_deref()
            .with_context(|| format!("{name}: a whole run; accepted: parts run with --shard I/N"))?
            .parse()
            .map_err(|e| crate::said!("{name}: shard {e}"))?;
        parts.push((shard, manifest, folder.clone()));
    }
    parts.sort_by_key(|(shard, _, _)| (shard.count, shard.index));
    let Some((head, first, _)) = parts.first() else {
        bail!("no parts");
    };
    for (shard, manifest, folder) in &parts {
        let name = folder.display();
        if (shard.count, &manifest.scene_sha256, manifest.seed)
            != (head.count, &first.scene_sha256, first.seed)
        {
            bail!("{name}: of another run; accepted: parts of one scene, one seed, one N");
        }
        let made_by = |m: &Manifest| (m.klast.clone(), m.commit.clone());
        if made_by(manifest) != made_by(first) || manifest.inputs_sha256 != first.inputs_sha256 {
            bail!(
                "{name}: run by another version or with other files; accepted: parts with the same"
            );
        }
    }
    let found: Vec<u64> = parts.iter().map(|(shard, _, _)| shard.index).collect();
    if !found.iter().copied().eq(1..=head.count) {
        bail!(
            "parts {found:?} of {}; accepted: every part once",
            head.count
        );
    }
    Ok(parts.into_iter().map(|(_, m, f)| (m, f)).collect())
}

//! `klast merge`: the parts of a run (`--shard I/N`) become the whole, with the same bits as one run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::Deserialize;

use klast_scenes::failure::input;
use klast_scenes::kinds::prepare;
use klast_scenes::scene::SceneText;
use klast_scenes::session::{Options, Session, Shard, sha256};

/// The parts.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Folders of results of all parts of one run
    #[arg(required = true, value_name = "OUT")]
    parts: Vec<PathBuf>,
    /// The scene, where it is not the file that the parts were run from
    #[arg(long)]
    scene: Option<PathBuf>,
}

/// What a part says about itself.
#[derive(Debug, Deserialize)]
struct Manifest {
    klast: String,
    scene: PathBuf,
    scene_sha256: String,
    inputs_sha256: BTreeMap<String, String>,
    seed: Option<u64>,
    shard: Option<String>,
    complete: bool,
}

/// `klast merge OUT...`.
pub fn run(arguments: &Arguments, options: &Options) -> Result<()> {
    let parts = input(in_order(&arguments.parts))?;
    let Some((first, _)) = parts.first() else {
        bail!("no parts");
    };
    let path = arguments.scene.as_ref().unwrap_or(&first.scene);
    let scene = input(SceneText::read(path))?;
    if sha256(&scene.text) != first.scene_sha256 {
        return input(Err(anyhow::anyhow!(
            "{}: not the scene that the parts were run from; accepted: the same text (--scene FILE)",
            path.display()
        )));
    }
    let job = input(prepare(&scene))?;
    let inputs = scene.inputs();
    if let Some(file) = inputs
        .keys()
        .find(|&f| inputs.get(f) != first.inputs_sha256.get(f))
    {
        return input(Err(anyhow::anyhow!(
            "{}: not the file that the parts were run with; accepted: the same bytes",
            scene.path(file).display()
        )));
    }
    if first.klast != env!("CARGO_PKG_VERSION") {
        return input(Err(anyhow::anyhow!(
            "parts of version {}; accepted: {}",
            first.klast,
            env!("CARGO_PKG_VERSION")
        )));
    }
    let mut options = options.clone();
    options.seed = first.seed;
    let folders: Vec<PathBuf> = parts.into_iter().map(|(_, folder)| folder).collect();
    let whole = Session::folder(&scene, &options);
    if folders.iter().any(|f| same(f, &whole)) {
        return input(Err(anyhow::anyhow!(
            "{}: is one of the parts; accepted: another folder (--out DIR)",
            whole.display()
        )));
    }
    let mut session = Session::start(&scene, &options)?;
    session.page.text(&job.describe());
    Session::keeps_state(false);
    job.merge(&folders, &mut session)?;
    session.finish()
}

fn same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// The parts by number; every one of them, of one scene and one seed.
fn in_order(folders: &[PathBuf]) -> Result<Vec<(Manifest, PathBuf)>> {
    let mut parts = Vec::new();
    for folder in folders {
        let file = folder.join("manifest.json");
        let name = file.display();
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("{name}: cannot be read; accepted: a finished part"))?;
        let manifest: Manifest =
            serde_json::from_str(&text).with_context(|| format!("{name}: not a manifest"))?;
        if !manifest.complete {
            bail!("{name}: an interrupted run; accepted: a finished part");
        }
        let shard: Shard = manifest
            .shard
            .as_deref()
            .with_context(|| format!("{name}: a whole run; accepted: parts run with --shard I/N"))?
            .parse()
            .map_err(|e| anyhow::anyhow!("{name}: shard {e}"))?;
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
        if (&manifest.klast, &manifest.inputs_sha256) != (&first.klast, &first.inputs_sha256) {
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

//! `klast merge`: the parts of a run (`--shard I/N`) become the whole, with the same bits as one run.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use klast_runs::Keeps;
use klast_runs::manifest::parts_in_order;
use klast_scenes::Scene;

use crate::failure::input;
use crate::interrupt;
use crate::session::{Options, Session};

/// The parts.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Folders of results of all parts of one run
    #[arg(required = true, value_name = "OUT")]
    parts: Vec<PathBuf>,
    /// Path of the scene, if the file is not at the path at which the parts read it
    #[arg(long)]
    scene: Option<PathBuf>,
}

/// `klast merge OUT...`.
pub fn run(arguments: &Arguments, options: &Options) -> Result<()> {
    let parts = input(parts_in_order(&arguments.parts))?;
    let Some((first, _)) = parts.first() else {
        bail!("no parts");
    };
    let path = arguments.scene.as_ref().unwrap_or(&first.scene);
    let (scene, warnings) = input(Scene::read(path))?;
    let job = input(scene.job_of_parts(first))?;
    let mut options = options.clone();
    options.seed = first.seed;
    let folders: Vec<PathBuf> = parts.into_iter().map(|(_, folder)| folder).collect();
    let whole = Session::folder(scene.text(), &options);
    if folders.iter().any(|f| same(f, &whole)) {
        return input(Err(anyhow::anyhow!(
            "{}: is one of the parts; accepted: another folder (--out DIR)",
            whole.display()
        )));
    }
    let mut session = Session::start(&scene, &options)?;
    session.describe(&*job);
    interrupt::expect(Keeps::Nothing);
    session.complete(&warnings, |run| Ok(job.merge(&folders, run)?))
}

fn same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

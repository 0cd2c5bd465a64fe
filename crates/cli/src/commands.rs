//! The commands that serve every kind of scene.

use std::path::Path;

use anyhow::{Result, bail};

use crate::commented::commented;
use crate::failure::input;
use crate::kinds::{Job, KINDS, find};
use crate::scene::SceneText;
use crate::session::{Options, Session};

/// `klast run SCENE`.
pub fn run(path: &Path, options: &Options) -> Result<()> {
    let scene = input(SceneText::read(path))?;
    let job = input(prepare(&scene))?;
    input(accepts(&*job, &scene, options))?;
    let mut session = input(Session::start(&scene, options))?;
    session.page.text(&job.describe());
    Session::keeps_state(job.keeps_state());
    job.run(&mut session)?;
    session.finish()
}

/// An option that would do nothing is a mistake.
fn accepts(job: &dyn Job, scene: &SceneText, options: &Options) -> Result<()> {
    if options.shard.is_some() && !job.has_parts() {
        bail!(
            "--shard: a scene of kind '{}' runs in one piece",
            scene.kind
        );
    }
    if options.seed.is_some() && !job.draws() {
        bail!(
            "--seed: a scene of kind '{}' draws nothing at random",
            scene.kind
        );
    }
    Ok(())
}

/// `klast check SCENE`.
pub fn check(path: &Path) -> Result<()> {
    let scene = input(SceneText::read(path))?;
    println!("{}", input(prepare(&scene))?.describe());
    Ok(())
}

/// Reads and validates a scene by its kind.
///
/// # Errors
/// What is wrong with it.
pub fn prepare(scene: &SceneText) -> Result<Box<dyn Job>> {
    use anyhow::Context as _;
    let kind = find(&scene.kind).with_context(|| scene.name.clone())?;
    (kind.prepare)(scene)
}

/// `klast new [KIND]`.
pub fn new(kind: Option<&str>) -> Result<()> {
    match kind {
        Some(name) => {
            let kind = input(find(name))?;
            let schema = serde_json::to_value((kind.schema)())?;
            print!("{}", commented(kind.example, &schema));
        }
        None => list(),
    }
    Ok(())
}

/// `klast schema [KIND]`.
pub fn schema(kind: Option<&str>) -> Result<()> {
    match kind {
        Some(name) => {
            let schema = (input(find(name))?.schema)();
            println!("{}", serde_json::to_string_pretty(&schema)?);
        }
        None => list(),
    }
    Ok(())
}

fn list() {
    for kind in KINDS {
        println!("{:<18} {}", kind.name, kind.summary);
    }
}

//! The commands that serve every kind of scene.

use std::path::Path;

use anyhow::{Result, bail};

use crate::commented::commented;
use crate::failure::input;
use crate::kinds::{FILES, Job, KINDS, find};
use crate::output::Output;
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
            "--shard: this scene of kind '{}' runs in one piece; accepted: rockfall, and maps that run every cell (no adaptive_stride)",
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

/// `klast new [KIND]`: the scene alone, or with `--out` a folder of it and the files it names.
pub fn new(kind: Option<&str>, options: &Options) -> Result<()> {
    let Some(name) = kind else {
        list();
        return Ok(());
    };
    let kind = input(find(name))?;
    let schema = serde_json::to_value((kind.schema)())?;
    let scene = commented(kind.example, &schema);
    let named = FILES.iter().filter(|(of, _, _)| *of == kind.name);
    let scene_file = format!("{name}.json");
    let mut files = vec![(scene_file.as_str(), scene.as_bytes())];
    files.extend(named.map(|(_, file, bytes)| (*file, *bytes)));
    let Some(folder) = &options.out else {
        print!("{scene}");
        if files.len() > 1 {
            let names: Vec<&str> = files[1..].iter().map(|(file, _)| *file).collect();
            let names = names.join(", ");
            eprintln!(
                "klast: note: it names {names}: `klast new {name} --out DIR` writes all of them"
            );
        }
        return Ok(());
    };
    if let Some((file, _)) = files.iter().find(|(file, _)| folder.join(file).exists()) {
        let path = folder.join(file);
        return input(Err(anyhow::anyhow!(
            "{}: is there already; accepted: a folder without it (--out DIR)",
            path.display()
        )));
    }
    let mut output = input(Output::open(folder))?;
    for (file, bytes) in files {
        output.bytes(file, bytes)?;
        println!("{}", folder.join(file).display());
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

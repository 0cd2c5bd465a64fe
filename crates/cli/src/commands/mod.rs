//! The commands of the program; those in this file serve every kind of scene.

pub mod assembly;
pub mod contact;
pub mod convert;
pub mod dem;
pub mod mass;
pub mod merge;
pub mod plot;
pub mod record;
pub mod rockfall;
pub mod rocking;
mod segments;

use std::path::Path;

use anyhow::{Result, bail};

use klast_scenes::commented::commented;
use klast_scenes::failure::input;
use klast_scenes::kinds::{FILES, Job, KINDS, find, prepare};
use klast_scenes::output::{Output, say, tell};
use klast_scenes::scene::SceneText;
use klast_scenes::session::{Options, Session};

/// `klast run SCENE`.
pub fn run(path: &Path, options: &Options) -> Result<()> {
    let scene = input(SceneText::read(path))?;
    let job = input(prepare(&scene))?;
    input(accepts(&*job, &scene, options))?;
    let mut session = Session::start(&scene, options)?;
    session.page.text(&job.describe());
    Session::keeps_state(job.keeps_state());
    match job.run(&mut session) {
        Ok(()) => session.finish(),
        Err(error) => {
            session.leave();
            Err(error)
        }
    }
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
pub fn check(path: &Path, options: &Options) -> Result<()> {
    let scene = input(SceneText::read(path))?;
    let job = input(prepare(&scene))?;
    input(accepts(&*job, &scene, options))?;
    say(job.describe())?;
    scene.notes().iter().try_for_each(say)
}

/// `klast new [KIND]`: the scene alone, or with `--out` a folder of it and the files it names.
pub fn new(kind: Option<&str>, options: &Options) -> Result<()> {
    let Some(name) = kind else {
        return list();
    };
    let kind = input(find(name))?;
    let schema = serde_json::to_value((kind.schema)())?;
    let scene = commented(kind.example, &schema);
    let named = FILES.iter().filter(|(of, _, _)| *of == kind.name);
    let scene_file = format!("{name}.json");
    let mut files = vec![(scene_file.as_str(), scene.as_bytes())];
    files.extend(named.map(|(_, file, bytes)| (*file, *bytes)));
    let Some(folder) = &options.out else {
        say(scene.trim_end())?;
        if files.len() > 1 {
            let names: Vec<&str> = files[1..].iter().map(|(file, _)| *file).collect();
            let names = names.join(", ");
            tell(format_args!(
                "klast: note: it names {names}: `klast new {name} --out DIR` writes all of them"
            ));
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
    let mut output = Output::open(folder)?;
    for (file, bytes) in files {
        output.bytes(file, bytes)?;
        say(folder.join(file).display())?;
    }
    Ok(())
}

/// `klast schema [KIND]`.
pub fn schema(kind: Option<&str>) -> Result<()> {
    match kind {
        Some(name) => {
            let schema = (input(find(name))?.schema)();
            say(serde_json::to_string_pretty(&schema)?)?;
        }
        None => list()?,
    }
    Ok(())
}

fn list() -> Result<()> {
    for kind in KINDS {
        say(format_args!("{:<18} {}", kind.name, kind.summary))?;
    }
    Ok(())
}

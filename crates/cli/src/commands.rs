//! The commands that serve every kind of scene.

use std::path::Path;

use anyhow::{Result, bail};

use crate::commented::commented;
use crate::failure::input;
use crate::kinds::{FILES, Job, KINDS, find};
use crate::output::{Output, say, tell};
use crate::scene::SceneText;
use crate::session::{Options, Session};

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
    say(job.describe())
}

/// Reads and validates a scene by its kind.
///
/// # Errors
/// What is wrong with it.
pub fn prepare(scene: &SceneText) -> Result<Box<dyn Job>> {
    use anyhow::Context as _;
    let kind = find(&scene.kind).with_context(|| scene.name.clone())?;
    (kind.prepare)(scene).map_err(|error| {
        // Readers and checks of single values know their key, not the scene it stands in.
        if error.to_string().starts_with(&scene.name) {
            error
        } else {
            error.context(scene.name.clone())
        }
    })
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

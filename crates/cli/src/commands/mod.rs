//! The commands of the program; those in this file serve every kind of scene.

pub mod contact;
pub mod convert;
pub mod desk;
pub mod ground_classes;
pub mod mass;
pub mod merge;
pub mod record;
pub mod rockyfor3d;
pub mod search;
#[cfg(feature = "verify")]
pub mod verify;

use std::path::Path;

use anyhow::{Result, bail};
use klast_runs::Job;
use klast_runs::commented::commented;
use klast_runs::files::{FilesExt as _, Folder};
use klast_scenes::Scene;
use klast_scenes::kinds::{KINDS, find};

use crate::failure::input;
use crate::interrupt;
use crate::scene_file;
use crate::session::{Options, Session};
use crate::terminal::{stderr_line, stdout_line};

/// `klast run SCENE`.
///
/// # Errors
/// Bad input; what kept the run from its end.
pub fn run(path: &Path, sets: &[String], options: &Options) -> Result<()> {
    let (scene, warnings) = input(scene_file::read(path, sets))?;
    complete(&scene, &warnings, &scene_file::of_sets(sets, ""), options)
}

/// Checks and runs a scene into its folder; `sets` are the options that put values into it, by their keys.
fn complete(
    scene: &Scene,
    warnings: &[String],
    sets: &[(String, String)],
    options: &Options,
) -> Result<()> {
    let job = input(checked(scene, sets))?;
    input(accepts(&*job, scene, options))?;
    let mut session = Session::start(scene, options)?;
    session.describe(&*job);
    interrupt::expect(job.keeps());
    session.complete(warnings, |run| Ok(job.run(run)?))
}

/// The job of a scene, or everything that is wrong with it.
fn checked(scene: &Scene, sets: &[(String, String)]) -> Result<Box<dyn Job>> {
    scene.job().map_err(|first| {
        // What is doubtful about a file is often why something else does not fit to it.
        for caution in scene.text().cautions() {
            stderr_line(format_args!("klast: warning: {caution}"));
        }
        scene_file::said_of_options(first, scene, sets).into()
    })
}

/// An option that would do nothing is a mistake.
fn accepts(job: &dyn Job, scene: &Scene, options: &Options) -> Result<()> {
    let kind = scene.kind().name;
    if options.shard.is_some() && !job.has_parts() {
        bail!(
            "--shard: this scene of kind '{kind}' {}; accepted: a scene whose runs are independent of each other, as a study without a bisection, a rockfall, or a map that runs every cell",
            job.why_whole()
        );
    }
    if options.seed.is_some() && !job.draws() {
        bail!("--seed: a scene of kind '{kind}' draws nothing at random");
    }
    Ok(())
}

/// `klast check SCENE`: what would be run and what was understood of its files, as JSON with `--json`.
///
/// # Errors
/// Bad input.
pub fn check(path: &Path, sets: &[String], options: &Options) -> Result<()> {
    let (scene, warnings) = input(scene_file::read(path, sets))?;
    let job = input(checked(&scene, &scene_file::of_sets(sets, "")))?;
    input(accepts(&*job, &scene, options))?;
    let warnings: Vec<String> = warnings
        .into_iter()
        .chain(scene.text().cautions())
        .collect();
    let notes = scene.text().notes();
    if options.json {
        let told = serde_json::json!({
            "file": path.display().to_string(),
            "kind": scene.kind().name,
            "understood": job.describe().lines().chain(notes.iter().map(String::as_str)).collect::<Vec<_>>(),
            "warnings": warnings,
        });
        return stdout_line(serde_json::to_string_pretty(&told)?);
    }
    for warning in warnings {
        stderr_line(format_args!("klast: warning: {warning}"));
    }
    stdout_line(job.describe())?;
    notes.iter().try_for_each(stdout_line)
}

/// `klast new [KIND]`: the scene alone, or with `--out` a folder of it, its schema and the files it names.
///
/// # Errors
/// An unknown kind; a folder that has such files already.
pub fn new(kind: Option<&str>, comments: bool, options: &Options) -> Result<()> {
    let Some(name) = kind else {
        return list();
    };
    let kind = input(find(name))?;
    let name = kind.name;
    let schema_file = format!("{name}.schema.json");
    let schema = format!("{}\n", serde_json::to_string_pretty(&kind.schema())?);
    // Editors complete and check a scene by the schema that it names.
    let example = kind
        .example
        .replacen('{', &format!("{{\n  \"$schema\": \"{schema_file}\","), 1);
    let (scene_file, scene) = match comments {
        true => (format!("{name}.jsonc"), commented(&example, &kind.schema())),
        false => (format!("{name}.json"), example),
    };
    let mut files = vec![
        (scene_file.as_str(), scene.as_bytes()),
        (schema_file.as_str(), schema.as_bytes()),
    ];
    files.extend(kind.files);
    let Some(folder) = &options.out else {
        stdout_line(scene.trim_end())?;
        if files.len() > 2 {
            let names: Vec<&str> = files[2..].iter().map(|(file, _)| *file).collect();
            let names = names.join(", ");
            stderr_line(format_args!(
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
    let mut output = Folder::open(folder)?;
    for (file, bytes) in files {
        output.bytes(file, bytes)?;
        stdout_line(folder.join(file).display())?;
    }
    Ok(())
}

/// `klast schema [KIND] [--results]`.
///
/// # Errors
/// An unknown kind.
pub fn schema(kind: Option<&str>, results: bool) -> Result<()> {
    match kind {
        Some(name) => {
            let kind = input(find(name))?;
            let schema = match results {
                true => kind.results_schema(),
                false => kind.schema(),
            };
            stdout_line(serde_json::to_string_pretty(&schema)?)?;
        }
        None => list()?,
    }
    Ok(())
}

fn list() -> Result<()> {
    for kind in KINDS {
        stdout_line(format_args!("{:<18} {}", kind.name, kind.summary))?;
    }
    Ok(())
}

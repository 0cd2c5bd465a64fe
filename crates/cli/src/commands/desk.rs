//! Commands around the runs: open a report, run again on every save, completions of a shell, the manual page.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::input;
use crate::interrupt::interrupted;
use crate::scene_file;
use crate::session::Options;
use crate::terminal::{stderr_line, stdout_line};

/// Arguments of `klast open`.
#[derive(Args)]
pub struct Open {
    /// A folder of results, or a scene NAME.json whose results are in the folder out/NAME
    results: PathBuf,
    /// Print the path of the report in place of opening it
    #[arg(long)]
    print: bool,
}

/// `klast open RESULTS`: shows the report in the browser.
///
/// # Errors
/// A folder without a report; a system without a browser.
pub fn open(arguments: &Open) -> Result<()> {
    let given = &arguments.results;
    let stem = given.file_stem().unwrap_or_default();
    let places = [
        given.join("index.html"),
        Path::new("out").join(stem).join("index.html"),
        given.clone(),
    ];
    let page = places
        .iter()
        .find(|p| p.is_file() && p.extension().is_some_and(|e| e == "html"));
    let page = input(page.with_context(|| {
        format!(
            "{}: no report there; accepted: a folder of results, or a scene that was run into out/",
            given.display()
        )
    }))?;
    stdout_line(page.display())?;
    if arguments.print {
        return Ok(());
    }
    open::that(page).with_context(|| format!("{}: no program opens it here", page.display()))
}

/// Arguments of `klast watch`.
#[derive(Args)]
pub struct Watch {
    /// Path of the scene
    scene: PathBuf,
    /// Number of runs after which the command ends; unless stated, it ends with Ctrl-C
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Replace a value of the scene, for example materials.0.friction=0.5; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// `klast watch SCENE`: runs a scene, and again whenever it or a file that it names is saved. What is wrong with it is
/// said, and the watch continues.
///
/// # Errors
/// A scene that is not there at the start.
pub fn watch(arguments: &Watch, options: &Options) -> Result<()> {
    let path = &arguments.scene;
    input(std::fs::metadata(path).with_context(|| format!("{}: cannot be read", path.display())))?;
    let mut done = 0;
    loop {
        let files = watched(path, &arguments.set);
        let seen = stamps(&files);
        if let Err(error) = super::run(path, &arguments.set, options) {
            if crate::failure::is_interrupted(&error) {
                return Err(error);
            }
            crate::failure::say(&error, options.json);
        }
        done += 1;
        if arguments.runs.is_some_and(|runs| done >= runs) {
            return Ok(());
        }
        if !options.quiet {
            stderr_line(format_args!(
                "klast: watching {}; Ctrl-C ends",
                path.display()
            ));
        }
        while stamps(&files) == seen {
            if interrupted() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(250));
        }
    }
}

/// A scene and the files that it names with these values.
fn watched(path: &Path, sets: &[String]) -> Vec<PathBuf> {
    let mut files = vec![path.to_owned()];
    if let Ok((scene, _)) = scene_file::read(path, sets) {
        // What it names is known when it was read, be it good or not.
        let _ = scene.job();
        let text = scene.text();
        files.extend(text.inputs().keys().map(|name| text.path(name)));
    }
    files
}

/// When files were last written.
fn stamps(files: &[PathBuf]) -> Vec<Option<SystemTime>> {
    let written = |file: &PathBuf| std::fs::metadata(file).and_then(|m| m.modified()).ok();
    files.iter().map(written).collect()
}

/// Arguments of `klast completions`.
#[derive(Args)]
pub struct Completions {
    /// Shell for which the completions are printed
    shell: Shell,
}

/// `klast completions SHELL`.
///
/// # Errors
/// A standard output that cannot be written.
pub fn completions(arguments: &Completions, mut command: Command) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "klast", &mut text);
    stdout_line(String::from_utf8(text)?.trim_end())
}

/// `klast man`: the manual page in roff, the commands below one another.
///
/// # Errors
/// A standard output that cannot be written.
pub fn man(command: Command) -> Result<()> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for part in command.get_subcommands().filter(|c| c.get_name() != "help") {
        let page = clap_mangen::Man::new(part.clone());
        page.render_name_section(&mut text)?;
        page.render_synopsis_section(&mut text)?;
        page.render_options_section(&mut text)?;
    }
    stdout_line(String::from_utf8(text)?.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_sees_the_files_of_its_values() {
        let work = tempfile::tempdir().unwrap();
        let path = work.path().join("fit.json");
        std::fs::write(&path, include_str!("../../../../examples/rocking-fit.json")).unwrap();
        let history = include_str!("../../../../examples/rocking-history.csv");
        let other = work.path().join("other.csv");
        std::fs::write(&other, history).unwrap();
        let files = watched(&path, &["history=other.csv".to_owned()]);
        assert_eq!(files, [path, other.clone()]);
        let seen = stamps(&files);
        std::fs::remove_file(other).unwrap();
        assert_ne!(stamps(&files), seen);
    }
}

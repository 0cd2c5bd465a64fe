//! What a failed command tells the shell.

use std::io::IsTerminal as _;
use std::path::Path;

use anyhow::{Error, Result};
use klast_runs::faults::{Fault, Faults};

use crate::terminal::{stderr_line, stdout_line};

/// The input is wrong: nothing was run and nothing was written. Exit code 2.
#[derive(Debug)]
pub struct BadInput(pub Error);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl std::error::Error for BadInput {}

/// The user stopped it, with what is left of it. Exit code 130.
#[derive(Debug)]
pub struct Stopped(pub &'static str);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "interrupted; {}", self.0)
    }
}

impl std::error::Error for Stopped {}

/// An error after results that are on the standard output as JSON: it is said on the standard error stream alone, since
/// two documents are none.
#[derive(Debug)]
pub struct AfterResults(pub Error);

impl std::fmt::Display for AfterResults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl std::error::Error for AfterResults {}

/// Marks every error of a step that only reads and validates.
pub fn input<T, E: Into<Error>>(result: Result<T, E>) -> Result<T> {
    result.map_err(|e| {
        let error = e.into();
        if error.is::<BadInput>() {
            error
        } else {
            BadInput(error).into()
        }
    })
}

/// Longest message; a cause may quote a whole scene.
const LONGEST: usize = 1200;

/// What the command line gets wrong, on one line; help and version where they are asked for.
pub fn usage(error: &clap::Error) -> u8 {
    use clap::error::ErrorKind;
    let help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if help || !error.use_stderr() {
        error.exit();
    }
    if cfg!(not(feature = "verify")) && typed_command(error) == Some("verify") {
        stderr_line(format_args!(
            "klast: this program was built without `verify`; accepted: a released program or wheel, or one of `cargo install --path crates/cli --features verify,geopackage`"
        ));
        return 2;
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let said: Vec<&str> = lines
        .take_while(|l| !l.starts_with("Usage:") && !l.starts_with("For more"))
        .map(|l| l.strip_prefix("error: ").unwrap_or(l))
        .collect();
    let nearest = nearest_command(error).filter(|_| !text.contains("similar"));
    let nearest = nearest.map_or(String::new(), |name| format!("; nearest known: '{name}'"));
    stderr_line(format_args!(
        "klast: {}{nearest} (`klast --help`)",
        shortened(&said.join("; ").replace(":; ", ": "))
    ));
    2
}

/// What stands in the place of a command and is none.
fn typed_command(error: &clap::Error) -> Option<&str> {
    use clap::error::{ContextKind, ContextValue};
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(typed)) => Some(typed),
        _ => None,
    }
}

/// The command that a misspelt one is nearest to, letters that changed places counted as one change.
fn nearest_command(error: &clap::Error) -> Option<&'static str> {
    const COMMANDS: [&str; 16] = [
        "run",
        "check",
        "new",
        "schema",
        "sweep",
        "limit",
        "watch",
        "open",
        "merge",
        "convert",
        "record",
        "mass",
        "contact",
        "ground-classes",
        "completions",
        "man",
    ];
    let typed = typed_command(error)?;
    let far = |name: &&str| strsim::damerau_levenshtein(typed, name);
    COMMANDS
        .into_iter()
        .min_by_key(|n| far(n))
        .filter(|n| far(n) <= 2)
}

/// The text, without its middle where it is too long to read.
fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONGEST {
        return text.to_owned();
    }
    let start: String = text.chars().take(LONGEST * 2 / 3).collect();
    let end: String = text.chars().skip(count - LONGEST / 3).collect();
    format!("{start} … {end}")
}

/// A line on the standard error stream for each error with the place of the scene below it, and the exit code; as JSON
/// on the standard output too, where results would be JSON.
pub fn exit(result: Result<()>, json: bool) -> u8 {
    let Err(error) = result else {
        return 0;
    };
    let (error, json) = match error.downcast::<AfterResults>() {
        Ok(after) => (after.0, false),
        Err(error) => (error, json),
    };
    say(&error, json);
    code(&error)
}

/// The error of a scene or of its run, if it is one.
fn of_runs(error: &Error) -> Option<&klast_runs::Error> {
    error.chain().find_map(|e| e.downcast_ref())
}

/// Whether the user stopped it.
pub fn is_interrupted(error: &Error) -> bool {
    error.is::<Stopped>() || of_runs(error).is_some_and(klast_runs::Error::is_interrupted)
}

fn code(error: &Error) -> u8 {
    if error.is::<BadInput>() {
        2
    } else if is_interrupted(error) {
        130
    } else {
        1
    }
}

/// What a file holds may be anything: a terminal must not obey it.
fn shown(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    shortened(&line)
}

/// Says an error.
pub fn say(error: &Error, json: bool) {
    let word = if code(error) == 1 { "failed: " } else { "" };
    let inner = error.downcast_ref::<BadInput>().map_or(error, |bad| &bad.0);
    let problems = of_runs(inner).and_then(klast_runs::Error::faults);
    if json {
        say_json(error, inner, problems);
    }
    let Some(problems) = problems else {
        stderr_line(format_args!(
            "klast: {word}{}",
            shown(&format!("{error:#}"))
        ));
        return say_where(inner);
    };
    let above = above(inner);
    for problem in &problems.list {
        stderr_line(format_args!(
            "klast: {word}{}",
            shown(&format!("{above}{problem}"))
        ));
        if let Some(snippet) = snippet(problem, above.trim_end_matches(": "), &problems.text) {
            stderr_line(snippet.trim_end());
        }
    }
    say_where(inner);
}

/// Says in which folder the commands of a message are to be typed, where that is not the folder of the user: names of
/// files in a scene begin at its folder.
fn say_where(error: &Error) {
    if let Some(folder) = folder_of_commands(error) {
        stderr_line(format_args!(
            "klast: note: type the command in the folder {}",
            shown(&folder)
        ));
    }
}

/// The folder of the scene that an error begins with, if a command cures a file that the scene names.
fn folder_of_commands(error: &Error) -> Option<String> {
    let of_runs = of_runs(error)?;
    let faults = of_runs.faults().map_or(&[][..], |faults| &faults.list);
    let scene = (!faults.is_empty()).then(|| error.to_string())?;
    faults.iter().find(|fault| fault.remedy.is_some())?;
    let folder = Path::new(&scene).parent()?.to_str()?;
    (!folder.is_empty() && folder != ".").then(|| folder.to_owned())
}

/// What stands before the problems of a scene: its name.
fn above(error: &Error) -> String {
    let is_scene = |e: &&(dyn std::error::Error + 'static)| {
        let own = e.downcast_ref::<klast_runs::Error>();
        matches!(own, Some(klast_runs::Error::Scene(_)))
    };
    let names = error.chain().take_while(|e| !is_scene(e));
    names.map(|e| format!("{e}: ")).collect()
}

fn say_json(error: &Error, inner: &Error, problems: Option<&Faults>) {
    let list = problems.map(|p| &p.list[..]).unwrap_or_default();
    let list: Vec<serde_json::Value> = list
        .iter()
        .map(|p| serde_json::json!({"line": p.line, "column": p.column, "key": p.path, "message": p.sentence()}))
        .collect();
    let told = serde_json::json!({"error": {
        "exit_code": code(error), "message": format!("{inner:#}"), "problems": list,
    }});
    let _ = stdout_line(serde_json::to_string_pretty(&told).unwrap_or_default());
}

/// The line of the scene with a mark below what a problem is about.
fn snippet(problem: &Fault, name: &str, text: &str) -> Option<String> {
    use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind, Source};
    const LONGEST: usize = 200;
    let span = problem.span.clone()?;
    let start = text.get(..span.start)?.rfind('\n').map_or(0, |k| k + 1);
    let end = text
        .get(span.start..)?
        .find('\n')
        .map_or(text.len(), |k| span.start + k);
    // Lines of thousands of characters, and bytes that a terminal would obey, are not shown.
    let line = text.get(start..end)?;
    if line.len() > LONGEST
        || line
            .chars()
            .any(|c| c.is_control() && c != '\t' && c != '\r')
    {
        return None;
    }
    let terminal = std::io::stderr().is_terminal();
    let config = Config::default()
        .with_color(crate::terminal::colours(terminal))
        .with_char_set(if terminal {
            CharSet::Unicode
        } else {
            CharSet::Ascii
        })
        .with_index_type(IndexType::Byte)
        .with_compact(true);
    let span = span.start..span.end.min(end).max(span.start + 1).min(text.len());
    let mut out = Vec::new();
    Report::build(ReportKind::Error, (name, span.clone()))
        .with_config(config)
        .with_label(Label::new((name, span)))
        .finish()
        .write((name, Source::from(text)), &mut out)
        .ok()?;
    // The first line would say "Error" again.
    let said = String::from_utf8(out).ok()?;
    let lines: Vec<&str> = said.lines().skip(1).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use klast_files::command::Command;
    use klast_runs::progress::Interrupted;

    use super::*;

    #[test]
    fn commands_for_files_of_a_scene_are_typed_in_its_folder() {
        let cured = || {
            let mut fault = Fault::new("sources[0].release", "'.dxf' is not read");
            fault.remedy = Some(Box::new(Command::new("ogr2ogr {out}.geojson {in}.dxf")));
            fault
        };
        let misspelt = || Fault::new("rock", "unknown key `ogr2ogr a b`");
        for (scene, fault, folder) in [
            ("../slope/a.json", cured(), Some("../slope")),
            ("a.json", cured(), None),
            ("slope/a.json", misspelt(), None),
        ] {
            let error = klast_runs::Error::from(fault).of(scene);
            assert_eq!(
                folder_of_commands(&error.into()).as_deref(),
                folder,
                "{scene}"
            );
        }
    }

    #[test]
    fn a_stop_of_the_user_is_no_failure() {
        assert_eq!(code(&Stopped("nothing is written").into()), 130);
        assert_eq!(code(&klast_runs::Error::from(Interrupted).into()), 130);
        assert_eq!(code(&BadInput(Error::msg("wrong")).into()), 2);
        assert_eq!(code(&Error::msg("cannot")), 1);
    }
}

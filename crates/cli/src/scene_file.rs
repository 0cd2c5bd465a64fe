//! The scene of a command: a file or the standard input, with values that are set on the command line.

use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use klast_runs::Error;
use klast_runs::faults::Fault;
use klast_runs::spans::{locate, members};
use klast_scenes::Scene;
use serde_json::Value;

/// Reads a scene; `-` is the standard input, whose files are looked for from the working folder. Each of `sets` is
/// `KEY=VALUE` with a key such as `materials.0.friction`.
///
/// # Errors
/// A scene that cannot be read, a key that is not there, a scene that its values break.
pub fn read(path: &Path, sets: &[String]) -> Result<(Scene, Vec<String>)> {
    let (scene, warnings) = match path == Path::new("-") {
        true => {
            let mut text = String::new();
            let input = std::io::stdin().read_to_string(&mut text);
            input.context("the standard input cannot be read as a scene")?;
            Scene::named("stdin", &text, ".")?
        }
        false => Scene::read(path)?,
    };
    if sets.is_empty() {
        return Ok((scene, warnings));
    }
    let mut text = scene.text().text.clone();
    for set in sets {
        let Some((key, new)) = set.split_once('=') else {
            bail!("--set {set}; accepted: KEY=VALUE, as materials.0.friction=0.5");
        };
        put(&mut text, key, &parsed(new)).with_context(|| format!("--set {set}"))?;
    }
    with(&scene, &text)
}

/// The same scene with another text.
///
/// # Errors
/// As for any scene.
pub fn with(scene: &Scene, text: &str) -> Result<(Scene, Vec<String>)> {
    let (name, folder): (&str, PathBuf) = (&scene.text().name, scene.text().folder.clone());
    Ok(Scene::named(name, text, folder)?)
}

/// A value of the command line: JSON where it is JSON, a word otherwise.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// Puts a value into the text of a scene under a key whose parts are parted by points; every part but the last must be
/// there. All else stays on its line.
///
/// # Errors
/// A part that is not there, with those that are.
pub fn put(text: &mut String, key: &str, new: &Value) -> Result<()> {
    let scene: Value = serde_json::from_str(text)?;
    let (steps, new) = (steps(key), new.to_string());
    let known = leads(&scene, key)?;
    let (last, parents) = steps.split_last().context("no key")?;
    let found = locate(text, if known { &steps } else { parents });
    let found = found.with_context(|| format!("{key}: not found in the text"))?;
    if known {
        text.replace_range(found, &new);
    } else {
        let first = text.get(found.start + 1..found.end.saturating_sub(1));
        let comma = if first.is_some_and(|rest| rest.trim().is_empty()) {
            ""
        } else {
            ", "
        };
        let member = format!("{}: {new}{comma}", Value::from(last.as_str()));
        text.insert_str(found.start + 1, &member);
    }
    Ok(())
}

fn steps(key: &str) -> Vec<String> {
    key.split('.').map(str::to_owned).collect()
}

/// Whether a key is there.
///
/// # Errors
/// A part before the last that is not there.
fn leads(scene: &Value, key: &str) -> Result<bool> {
    let (mut place, mut way) = (scene, String::new());
    let parts: Vec<&str> = key.split('.').collect();
    for (k, part) in parts.iter().enumerate() {
        place = match place {
            Value::Object(keys) => match keys.get(*part) {
                Some(value) => value,
                None if k + 1 == parts.len() => return Ok(false),
                None => {
                    let known: Vec<&str> = keys.keys().map(String::as_str).collect();
                    bail!(
                        "{key}: no key '{part}' in {}; there: {}",
                        named(&way),
                        known.join(", ")
                    );
                }
            },
            Value::Array(items) => {
                let count = items.len();
                let found = part.parse::<usize>().ok().and_then(|i| items.get(i));
                found.with_context(|| {
                    format!(
                        "{key}: no item '{part}' in {}; accepted: 0 to {}",
                        named(&way),
                        count.saturating_sub(1)
                    )
                })?
            }
            _ => bail!("{key}: {} has no parts", named(&way)),
        };
        if !way.is_empty() {
            way.push('.');
        }
        way.push_str(part);
    }
    Ok(true)
}

fn named(way: &str) -> &str {
    if way.is_empty() { "the scene" } else { way }
}

/// An error of a scene with the option in the place of the line where an option put in what is wrong: each has its key
/// and its words.
#[must_use]
pub fn said_of_options(error: Error, scene: &Scene, options: &[(String, String)]) -> Error {
    let Some(problems) = error.faults() else {
        return error;
    };
    let text = &scene.text().text;
    let all = members(text);
    let places: Vec<(Range<usize>, &str)> = options
        .iter()
        .filter_map(|(key, words)| {
            let value = locate(text, &steps(key))?;
            let member = all.iter().find(|m| m.value == value);
            let start = member.map_or(value.start, |m| m.key.start.saturating_sub(1));
            Some((start..value.end, words.as_str()))
        })
        .collect();
    let mut problems = problems.clone();
    for problem in &mut problems.list {
        let Some(span) = &problem.span else { continue };
        let within = |place: &Range<usize>| place.start <= span.start && span.end <= place.end;
        if let Some((_, words)) = places.iter().rfind(|(place, _)| within(place)) {
            *problem = Fault::new(*words, problem.sentence());
        }
    }
    Error::from(problems).of(&scene.text().name)
}

/// The options of `--set`, each with its key below `part` of the scene, and its words.
#[must_use]
pub fn of_sets(sets: &[String], part: &str) -> Vec<(String, String)> {
    let pairs = sets
        .iter()
        .filter_map(|set| Some((set, set.split_once('=')?)));
    pairs
        .map(|(set, (key, _))| (format!("{part}{key}"), format!("--set {set}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put_where_keys_lead() {
        let mut scene =
            "{\n\"materials\": [{\"friction\": 0.4}],\n \"duration_s\": 1, \"solver\": {}}"
                .to_owned();
        let put = |scene: &mut String, key: &str, new: &str| super::put(scene, key, &parsed(new));
        put(&mut scene, "materials.0.friction", "0.5").unwrap();
        put(&mut scene, "engine", "no_slip").unwrap();
        put(&mut scene, "solver.step_s", "1e-3").unwrap();
        // Every line is where it was.
        assert_eq!(
            scene,
            "{\"engine\": \"no_slip\", \n\"materials\": [{\"friction\": 0.5}],\n \"duration_s\": 1, \"solver\": {\"step_s\": 0.001}}"
        );
        for (key, said) in [
            ("materials.1.friction", "accepted: 0 to 0"),
            ("material.0", "there: duration_s, engine, materials, solver"),
            ("duration_s.x", "duration_s has no parts"),
        ] {
            let error = put(&mut scene, key, "null").unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}

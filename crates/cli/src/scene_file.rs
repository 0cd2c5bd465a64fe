//! The scene of a command: a file or the standard input, with values that are set on the command line.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
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
    let mut value: Value =
        serde_json::from_str(&scene.text().text).with_context(|| scene.text().name.clone())?;
    for set in sets {
        let Some((key, text)) = set.split_once('=') else {
            bail!("--set {set}; accepted: KEY=VALUE, as materials.0.friction=0.5");
        };
        put(&mut value, key, parsed(text))?;
    }
    with(&scene, &value)
}

/// The same scene with other values.
///
/// # Errors
/// As for any scene.
pub fn with(scene: &Scene, value: &Value) -> Result<(Scene, Vec<String>)> {
    let text = serde_json::to_string_pretty(value)?;
    let (name, folder): (&str, PathBuf) = (&scene.text().name, scene.text().folder.clone());
    Scene::named(name, &text, folder)
}

/// A value of the command line: JSON where it is JSON, a word otherwise.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// Puts a value under a key whose parts are parted by points; every part but the last must be there.
///
/// # Errors
/// A part that is not there, with those that are.
pub fn put(scene: &mut Value, key: &str, new: Value) -> Result<()> {
    let mut place = scene;
    let mut way = String::new();
    let parts: Vec<&str> = key.split('.').collect();
    for (k, part) in parts.iter().enumerate() {
        let last = k + 1 == parts.len();
        place = match place {
            Value::Object(keys) => {
                if !keys.contains_key(*part) && !last {
                    let known: Vec<&str> = keys.keys().map(String::as_str).collect();
                    bail!(
                        "{key}: no key '{part}' in {}; there: {}",
                        named(&way),
                        known.join(", ")
                    );
                }
                keys.entry(*part).or_insert(Value::Null)
            }
            Value::Array(items) => {
                let count = items.len();
                let found = part.parse::<usize>().ok().and_then(|i| items.get_mut(i));
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
    *place = new;
    Ok(())
}

fn named(way: &str) -> &str {
    if way.is_empty() { "the scene" } else { way }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put_where_keys_lead() {
        let mut scene = serde_json::json!({"materials": [{"friction": 0.4}], "duration_s": 1});
        put(&mut scene, "materials.0.friction", parsed("0.5")).unwrap();
        put(&mut scene, "engine", parsed("no_slip")).unwrap();
        let expected = serde_json::json!({"materials": [{"friction": 0.5}], "duration_s": 1, "engine": "no_slip"});
        assert_eq!(scene, expected);
        for (key, said) in [
            ("materials.1.friction", "accepted: 0 to 0"),
            ("material.0", "there: duration_s, engine, materials"),
            ("duration_s.x", "duration_s has no parts"),
        ] {
            let error = put(&mut scene, key, Value::Null).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}

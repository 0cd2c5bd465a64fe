//! `klast sweep` and `klast limit`: short spellings of a study of the scene in a file.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use klast_runs::{study, title_block};
use klast_scenes::Scene;
use serde_json::{Value, json};

use crate::failure::input;
use crate::scene_file;
use crate::session::Options;

/// Arguments of `klast sweep`.
#[derive(Args)]
pub struct Sweep {
    /// Path of the scene; - for the standard input
    scene: PathBuf,
    /// A key and its values: KEY=A,B,C or KEY=FROM:TO:COUNT; state the option twice for two keys
    #[arg(long, required = true, value_name = "KEY=VALUES")]
    over: Vec<String>,
    /// Replace a value of the scene, for example materials.0.friction=0.5; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// Arguments of `klast limit`.
#[derive(Args)]
pub struct Limit {
    /// Path of the scene; - for the standard input
    scene: PathBuf,
    /// Key of the scene whose value is varied, for example materials.0.friction
    #[arg(long, value_name = "KEY")]
    over: String,
    /// Value of the key at one end of the search
    #[arg(long, allow_hyphen_values = true)]
    from: f64,
    /// Value of the key at the other end of the search, where the verdict differs
    #[arg(long, allow_hyphen_values = true)]
    to: f64,
    /// Width of the bracket at which the search ends, over the distance between FROM and TO
    #[arg(long, default_value_t = 1e-3)]
    tolerance: f64,
    /// Replace a value of the scene, for example materials.0.friction=0.5; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// `klast sweep SCENE --over KEY=VALUES`.
///
/// # Errors
/// Bad input; files that cannot be written.
pub fn sweep(arguments: &Sweep, options: &Options) -> Result<()> {
    let axes: Result<Vec<Value>> = arguments.over.iter().map(|text| axis(text)).collect();
    let rest = json!({ "over": input(axes)? });
    run((&arguments.scene, &arguments.set), "sweep", &rest, options)
}

/// `klast limit SCENE --over KEY --from A --to B`.
///
/// # Errors
/// Bad input; files that cannot be written.
pub fn limit(arguments: &Limit, options: &Options) -> Result<()> {
    let Limit {
        from,
        to,
        tolerance,
        ..
    } = *arguments;
    let rest = json!({
        "over": [{"key": arguments.over, "range": {"from": from, "to": to, "count": 2}}],
        "method": {"bisection": {"tolerance": tolerance}},
    });
    run((&arguments.scene, &arguments.set), "limit", &rest, options)
}

/// Runs a study of the scene in a file. It goes to `out/NAME-COMMAND` unless the options say where.
fn run(
    (path, sets): (&Path, &[String]),
    command: &str,
    rest: &Value,
    options: &Options,
) -> Result<()> {
    let (scene, warnings) = input(scene_file::read(path, sets))?;
    let text = scene.text();
    let stem = Path::new(&text.name)
        .file_stem()
        .unwrap_or("scene".as_ref());
    let folder = Path::new("out").join(format!("{}-{command}", stem.to_string_lossy()));
    let (study, _) = input(study_of(&scene, rest))?;
    let mut options = options.clone();
    options.out.get_or_insert(folder);
    let sets = scene_file::of_sets(sets, "scene.");
    super::complete(&study, &warnings, &sets, &options)
}

/// The text of the scene within that of its study, so that lines keep their numbers; the title block is that of both.
fn study_of(scene: &Scene, rest: &Value) -> Result<(Scene, Vec<String>)> {
    let text = scene.text();
    let (own, mut rest): (Value, Value) = (serde_json::from_str(&text.text)?, rest.clone());
    for (key, ..) in title_block::KEYS {
        if let Some(stated) = own.get(key) {
            rest[key] = stated.clone();
        }
    }
    let rest = rest.to_string();
    let rest = rest.trim_start_matches('{');
    let whole = format!(
        "{{\"schema\": 1, \"kind\": \"{}\", \"scene\": {}, {rest}",
        study::NAME,
        text.text.trim_end()
    );
    Ok(Scene::named(&text.name, &whole, text.folder.clone())?)
}

/// `KEY=A,B,C` or `KEY=FROM:TO:COUNT` as a key of a study.
fn axis(text: &str) -> Result<Value> {
    let accepted = "accepted: KEY=A,B,C or KEY=FROM:TO:COUNT, as materials.0.friction=0.3:0.6:7";
    let (key, values) = text
        .split_once('=')
        .with_context(|| format!("--over {text}; {accepted}"))?;
    let parts: Vec<&str> = values.split(':').collect();
    let axis = match parts[..] {
        [from, to, count] => {
            let end = |t: &str| t.parse::<f64>().ok().filter(|x| x.is_finite());
            let range = end(from).zip(end(to)).zip(count.parse::<usize>().ok());
            let ((from, to), count) =
                range.with_context(|| format!("--over {text}; {accepted}"))?;
            json!({"key": key, "range": {"from": from, "to": to, "count": count}})
        }
        _ => {
            let value = |v: &str| serde_json::from_str(v).unwrap_or_else(|_| Value::from(v));
            let list = values.split(',').filter(|v| !v.is_empty());
            let list: Vec<Value> = list.map(value).collect();
            ensure!(!list.is_empty(), "--over {text}; {accepted}");
            json!({"key": key, "values": list})
        }
    };
    ensure!(!key.is_empty(), "--over {text}; {accepted}");
    Ok(axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_listed_or_spread() {
        let range = json!({"from": 1.0, "to": 2.0, "count": 3});
        assert_eq!(
            axis("a.0.b=1:2:3").unwrap(),
            json!({"key": "a.0.b", "range": range})
        );
        assert_eq!(
            axis("engine=no_slip,0.5").unwrap(),
            json!({"key": "engine", "values": ["no_slip", 0.5]})
        );
        for wrong in ["a", "=1", "a=", "a=1:x:3", "a=1:2:-1"] {
            assert!(axis(wrong).is_err(), "{wrong}");
        }
    }
}

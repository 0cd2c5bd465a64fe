//! Digests of what the motion of the rocks depends on, by key of the scene: kept paths are those of one motion only.
//!
//! Most of them are of what the scene was read as, with its defaults and the contents of its files: a value that is
//! stated and one that is the same by default are one motion. `Debug` prints every bit of a number.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use klast_rockfall::Scene;
use serde_json::Value;

use klast_files::reading::sha256;
use klast_runs::text::SceneText;

/// SHA-256 by key.
pub fn of(text: &SceneText, scene: &Scene) -> BTreeMap<String, String> {
    let mut digests = BTreeMap::new();
    let mut add = |key: &str, what: String| digests.insert(key.to_owned(), sha256(what));
    add("engine", format!("{:?} {:?}", scene.engine, scene.gravity));
    add("stop", format!("{:?}", scene.stop));
    add("sources", format!("{:?}", scene.seeders));
    add("version of klast", env!("CARGO_PKG_VERSION").to_owned());
    let ground = &scene.ground;
    add("layout", format!("{:?}", ground.layout()));
    for (number, material) in ground.materials().iter().enumerate() {
        let mut what = format!("{number} {material:?} {:?}", ground.weights());
        for class in 0..ground.classes(number).max(1) {
            // Writing to a text does not fail.
            let _ = write!(what, " {:?}", ground.alternatives(number, class));
        }
        add(&format!("material '{}'", material.name), what);
    }
    let origin = scene.terrain.origin();
    add(
        "terrain",
        format!("{} {origin:?}", as_stated(text, "terrain")),
    );
    add("earthworks", as_stated(text, "earthworks"));
    digests
}

/// A key as the scene states it, with the digest of each file and of those beside it in place of its name.
fn as_stated(text: &SceneText, key: &str) -> String {
    let scene: Value = text.parse().unwrap_or_default();
    let inputs = text.inputs();
    let mut stated = scene.get(key).cloned().unwrap_or_default();
    if stated.as_array().is_some_and(Vec::is_empty) {
        stated = Value::Null;
    }
    contents(&mut stated, &inputs);
    stated.to_string()
}

fn contents(value: &mut Value, inputs: &BTreeMap<String, String>) {
    match value {
        Value::String(name) => {
            let stem = name
                .rsplit_once('.')
                .map_or(name.as_str(), |(stem, _)| stem);
            // World files, masks and what else stands beside a raster have its name and another ending.
            let beside = format!("{stem}.");
            let read = inputs.iter().filter(|(file, _)| file.starts_with(&beside));
            let digests: Vec<String> = read
                .map(|(file, digest)| format!("{} {digest}", &file[stem.len()..]))
                .collect();
            if inputs.contains_key(name) {
                *name = digests.join(", ");
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|v| contents(v, inputs)),
        Value::Object(map) => map.values_mut().for_each(|v| contents(v, inputs)),
        _ => {}
    }
}

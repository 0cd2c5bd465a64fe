//! Scenes in spellings of before run as they did, each with a warning that names the present spelling.

use klast_rocking_jobs::rocking;
use klast_scenes::Scene;
use klast_scenes::kinds::KINDS;
use serde_json::Value;

const OLD_ROCKING: &str = r#"{
    "schema": 1, "kind": "rocking",
    "block": { "shape": "rectangle", "width_m": 0.5, "height_m": 2.0 },
    "restitution": { "model": "housner" }, "gravity_m_per_s2": 9.81,
    "horizontal": { "kind": "waves", "amplitude_m_per_s2": 4.8065, "frequency_hz": 2.0 },
    "angular_velocity_rad_per_s": 0.1,
    "duration_s": 1
}"#;

#[test]
fn an_old_scene_gives_the_same_numbers_and_says_what_is_new() {
    let present = OLD_ROCKING
        .replace("\"shape\"", "\"kind\"")
        .replace("\"model\"", "\"kind\"")
        .replace("_per_s", "_s");
    let run = |text: &str| {
        let (scene, warnings) = Scene::parse(text, ".").unwrap();
        let outcome = scene.job().unwrap().run_silently().unwrap();
        let results = outcome.results.take::<rocking::result::Results>().unwrap();
        (serde_json::to_string(&results).unwrap(), warnings)
    };
    let (new, none) = run(&present);
    let (old, warnings) = run(OLD_ROCKING);
    assert!(none.is_empty(), "{none:?}");
    assert_eq!(old, new);
    for expected in [
        "scene: line 3, block: 'shape' is an old spelling; write 'kind'",
        "scene: line 4, restitution: 'model' is an old spelling; write 'kind'",
        "scene: line 4, 'gravity_m_per_s2' is an old spelling; write 'gravity_m_s2'",
        "scene: line 5, horizontal: 'amplitude_m_per_s2' is an old spelling; write 'amplitude_m_s2'",
        "scene: line 6, 'angular_velocity_rad_per_s' is an old spelling; write 'angular_velocity_rad_s'",
    ] {
        assert!(
            warnings.iter().any(|w| w == expected),
            "{expected}: {warnings:?}"
        );
    }
    assert_eq!(warnings.len(), 5);
}

/// An error behind an old key keeps its line and names the key as it is written now.
#[test]
fn an_error_in_an_old_scene_keeps_its_line() {
    let broken = OLD_ROCKING.replace("4.8065", "\"much\"");
    let (scene, _) = Scene::parse(&broken, ".").unwrap();
    let said = format!("{:#}", scene.job().err().unwrap());
    assert!(
        said.contains("line 5, horizontal.amplitude_m_s2: "),
        "{said}"
    );
    let twice = OLD_ROCKING.replace("\"duration_s\"", "\"gravity_m_s2\": 9.81, \"duration_s\"");
    let (scene, _) = Scene::parse(&twice, ".").unwrap();
    let said = format!("{:#}", scene.job().err().unwrap());
    assert!(said.contains("`gravity_m_s2` is there twice"), "{said}");
}

/// Every key of every kind follows the one spelling: snake_case, a tag called `kind`, units without "per" where they
/// are those of velocity, acceleration or density.
#[test]
fn every_key_and_every_kind_is_spelled_one_way() {
    let mut keys = Vec::new();
    for kind in KINDS {
        keys.push(kind.name.to_owned());
        collect(&kind.schema(), &mut keys);
        collect(&Value::from((kind.results)()), &mut keys);
    }
    // One key is spelled as editors look for it.
    for key in keys.into_iter().filter(|key| key != "$schema") {
        let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(key.chars().all(snake), "{key}");
        for old in [
            "_m_per_s",
            "_m_per_s2",
            "_rad_per_s",
            "_rad_per_s2",
            "_kg_per_m3",
        ] {
            assert!(!key.ends_with(old), "{key}");
        }
        // As a word of its own: `jumps` is none of speeds.
        assert!(!key.split('_').any(|word| word == "mps"), "{key}");
        assert!(!["type", "model", "law"].contains(&key.as_str()), "{key}");
    }
}

fn collect(schema: &Value, keys: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(properties) = map.get("properties").and_then(Value::as_object) {
                keys.extend(properties.keys().cloned());
            }
            map.values().for_each(|v| collect(v, keys));
        }
        Value::Array(list) => list.iter().for_each(|v| collect(v, keys)),
        _ => {}
    }
}

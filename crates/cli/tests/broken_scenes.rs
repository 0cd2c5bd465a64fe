//! Broken scenes: a line for each thing that is wrong, exit code 2, no panic, nothing written.

use std::path::Path;
use std::process::{Command, Output};

use klast_scenes::Scene;
use klast_scenes::kinds::KINDS;
use serde_json::Value;

fn klast(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Runs the bytes as a scene beside files; returns what was said.
fn refused(name: &str, bytes: &[u8], files: &[(&str, &[u8])]) -> String {
    let work = tempfile::tempdir().unwrap();
    for (file, bytes) in files {
        std::fs::write(work.path().join(file), bytes).unwrap();
    }
    std::fs::write(work.path().join("scene.json"), bytes).unwrap();
    let output = klast(&["run", "scene.json", "--out", "results"], work.path());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{name}: {said}");
    assert_eq!(problems(&said).len(), 1, "{name}: {said}");
    assert!(said.starts_with("klast: "), "{name}: {said}");
    let written: Vec<_> = std::fs::read_dir(work.path()).unwrap().collect();
    assert_eq!(
        written.len(),
        1 + files.len(),
        "{name}: something was written"
    );
    said
}

/// The lines that say what is wrong; between them stand the lines of the scene with marks below.
fn problems(said: &str) -> Vec<&str> {
    said.lines().filter(|l| l.starts_with("klast: ")).collect()
}

fn edited(example: &str, edit: impl Fn(&mut serde_json::Map<String, Value>)) -> Vec<u8> {
    let mut scene: Value = serde_json::from_str(example).unwrap();
    edit(scene.as_object_mut().unwrap());
    serde_json::to_vec_pretty(&scene).unwrap()
}

/// Every way a text can be broken whatever its kind: a name, the bytes, what the message must say.
fn breakages(example: &str) -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let with = |key: &'static str, value: Value| {
        edited(example, move |scene| {
            scene.insert(key.to_owned(), value.clone());
        })
    };
    let without = |key: &'static str| {
        edited(example, move |scene| {
            scene.remove(key);
        })
    };
    let text = |from: &str, to: &str| example.replacen(from, to, 1).into_bytes();
    vec![
        ("empty", Vec::new(), "ends too early"),
        (
            "cut in half",
            example.as_bytes()[..example.len() / 2].to_vec(),
            "line",
        ),
        ("not UTF-8", [example.as_bytes(), &[0xff]].concat(), "UTF-8"),
        ("a list", format!("[{example}]").into_bytes(), "line"),
        ("a word", b"\"rockfall\"".to_vec(), "line"),
        (
            "text after the end",
            format!("{example} {{}}").into_bytes(),
            "after the end",
        ),
        (
            "a comment behind a value",
            text("\"schema\": 1", "\"schema\": 1 // one"),
            "line",
        ),
        (
            "an unknown key",
            with("colour_of_rock", Value::from("red")),
            "nearest known",
        ),
        ("no schema", without("schema"), "schema"),
        (
            "another schema",
            with("schema", Value::from(99)),
            "accepted: 1",
        ),
        (
            "a schema that is a word",
            with("schema", Value::from("one")),
            "schema",
        ),
        ("no kind", without("kind"), "kind"),
        (
            "an unknown kind",
            with("kind", Value::from("rockfal-slope")),
            "nearest known",
        ),
        (
            "a kind that is a number",
            with("kind", Value::from(3)),
            "kind",
        ),
        ("NaN", text("\"schema\": 1", "\"schema\": NaN"), "line"),
        (
            "a huge number",
            text("\"schema\": 1", "\"schema\": 1e999"),
            "line",
        ),
        (
            "a key twice",
            text("\"schema\": 1", "\"schema\": 1, \"schema\": 1"),
            "is there twice",
        ),
    ]
}

#[test]
fn every_kind_refuses_every_breakage_with_one_line() {
    assert!(!KINDS.is_empty());
    for kind in KINDS {
        for (name, bytes, needed) in breakages(kind.example) {
            let said = refused(&format!("{}: {name}", kind.name), &bytes, kind.files);
            assert!(said.contains(needed), "{}: {name}: {said}", kind.name);
        }
    }
}

#[test]
fn every_number_may_be_wrong_without_a_panic() {
    let work = tempfile::tempdir().unwrap();
    for kind in KINDS {
        let scene: Value = serde_json::from_str(kind.example).unwrap();
        let mut places = Vec::new();
        numbers(&scene, String::new(), &mut places);
        for place in places {
            for wrong in [
                Value::from(-1.0),
                Value::from(0),
                Value::from(1e300),
                Value::from(-1e308),
                Value::from(5e-324),
                Value::from(1_000_000_000_000_000_000u64),
                Value::from(u64::MAX),
                Value::Null,
                Value::Array(Vec::new()),
                Value::from("1"),
            ] {
                let mut broken = scene.clone();
                *broken.pointer_mut(&place).unwrap() = wrong.clone();
                let text = serde_json::to_string_pretty(&broken).unwrap();
                // In the process itself: a panic fails the test with the place that caused it.
                let scene = Scene::parse(&text, work.path());
                let verdict = scene.and_then(|(s, _)| s.job().map(|_| ()));
                let never_a_number = wrong.is_string();
                assert!(
                    !never_a_number || verdict.is_err(),
                    "{}: {place}: {wrong}",
                    kind.name
                );
            }
        }
    }
}

/// JSON pointers to every number.
fn numbers(value: &Value, place: String, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(place),
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                numbers(item, format!("{place}/{i}"), found);
            }
        }
        Value::Object(keys) => {
            for (key, item) in keys {
                numbers(item, format!("{place}/{key}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn what_is_not_a_file_is_refused() {
    let work = tempfile::tempdir().unwrap();
    std::fs::create_dir(work.path().join("folder.json")).unwrap();
    for (path, needed) in [
        ("folder.json", "not a file"),
        ("absent.json", "cannot be read"),
    ] {
        let output = klast(&["run", path], work.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{path}: {said}");
        assert!(said.contains(needed), "{path}: {said}");
    }
}

#[test]
fn every_example_is_valid_and_says_what_it_runs() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for kind in KINDS {
        let (scene, warnings) = Scene::parse(kind.example, &examples).unwrap();
        assert!(warnings.is_empty(), "{}: {warnings:?}", kind.name);
        let job = scene
            .job()
            .unwrap_or_else(|e| panic!("{}: {e:#}", kind.name));
        assert!(!job.describe().trim().is_empty(), "{}", kind.name);
        let commented = klast_runs::commented::commented(kind.example, &kind.schema());
        assert!(
            commented.contains("// "),
            "{}: no key is described",
            kind.name
        );
        let (scene, _) = Scene::parse(&commented, &examples).unwrap();
        assert!(
            scene.job().is_ok(),
            "{}: what `klast new` prints",
            kind.name
        );
    }
}

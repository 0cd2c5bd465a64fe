//! Parts of a map, joined: the same files as one run, bit by bit.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn klast(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn scene(example: &str, edits: &[(&str, Value)]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(folder.join(example)).unwrap();
    let mut scene: Value = serde_json::from_str(&text).unwrap();
    for (place, value) in edits {
        match scene.pointer_mut(place) {
            Some(old) => *old = value.clone(),
            None => scene[place.trim_start_matches('/')] = value.clone(),
        }
    }
    scene.to_string()
}

/// Runs the whole and its three parts on other numbers of threads, joins these, and compares the files.
fn compare(text: &str, files: &[&str]) {
    let work = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = klast(arguments, work.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
    };
    std::fs::write(work.path().join("map.json"), text).unwrap();
    run(&["run", "map.json", "--out", "whole", "--quiet"]);
    for part in ["1/3", "2/3", "3/3"] {
        let out = format!("part-{}", &part[..1]);
        run(&[
            "run",
            "map.json",
            "--shard",
            part,
            "--out",
            &out,
            "--threads",
            "1",
            "--quiet",
        ]);
    }
    run(&[
        "merge", "part-3", "part-1", "part-2", "--out", "joined", "--quiet",
    ]);
    for file in files {
        let read = |folder: &str| std::fs::read(work.path().join(folder).join(file)).unwrap();
        assert_eq!(read("whole"), read("joined"), "{file}");
    }
    // A part is missing: refused.
    let output = klast(&["merge", "part-1", "part-3", "--out", "less"], work.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(!work.path().join("less").exists());
}

#[test]
fn a_stability_map_in_parts() {
    let text = scene(
        "rocking-map.json",
        &[
            ("/rows/count", Value::from(37)),
            ("/columns/count", Value::from(41)),
        ],
    );
    let files = ["map.txt", "lower-border.csv", "map.svg", "index.html"];
    compare(&text, &files);
}

#[test]
fn an_overturning_map_in_parts() {
    let text = scene(
        "stack-map.json",
        &[
            ("/cells", serde_json::json!([11, 9])),
            ("/adaptive_stride", Value::from(1)),
        ],
    );
    compare(&text, &["map.txt", "map.svg", "result.json", "index.html"]);
}

/// An adaptive map goes over the whole: refused, and nothing written.
#[test]
fn an_adaptive_map_has_no_parts() {
    let work = tempfile::tempdir().unwrap();
    let text = scene("rocking-map.json", &[("/adaptive_stride", Value::from(8))]);
    std::fs::write(work.path().join("map.json"), text).unwrap();
    let output = klast(&["run", "map.json", "--shard", "1/2"], work.path());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("one piece") && said.contains("adaptive_stride"),
        "{said}"
    );
}

//! Scenes of a row of blocks that cannot be one: the message names the quantity, what was found and what is accepted.

use std::process::Command;

use serde_json::{Value, json};

const EXAMPLE: &str = include_str!("../../../examples/assembly.json");

const SWEEP: &str = include_str!("../../../examples/assembly-sweep.json");

/// Runs an example with one value replaced; returns what was said.
fn refused(example: &str, pointer: &str, value: Value) -> String {
    let mut scene: Value = serde_json::from_str(example).unwrap();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = scene.pointer_mut(parent).unwrap();
    match parent {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        other => other[key] = value,
    }
    let work = tempfile::tempdir().unwrap();
    std::fs::write(work.path().join("scene.json"), scene.to_string()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(["run", "scene.json", "--out", "results"])
        .current_dir(work.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{pointer}: {said}");
    assert!(!work.path().join("results").exists(), "{pointer}");
    said
}

#[test]
fn bad_rows_are_refused() {
    let cases = [
        ("/row/basin/length_m", json!(0.1), "do not fit"),
        (
            "/row/gaps_m",
            json!([0.0, 0.0, -0.01, 0.0]),
            "gap (m)[2] is -0.01; accepted: a finite number of at least 0",
        ),
        (
            "/row/gaps_m",
            json!([0.0, 0.0]),
            "number of gaps is 2; accepted: 4, one a block",
        ),
        (
            "/row/basin/restitution_wall",
            json!(1.2),
            "at the wall is 1.2",
        ),
        (
            "/row/basin/restitution_block",
            json!(-0.1),
            "between blocks is -0.1",
        ),
        ("/row/blocks/0/mass_kg", json!(0.0), "block mass (kg)"),
        ("/row/blocks/0/size_m", json!(0.0), "block size (m)"),
        ("/row/blocks/0/friction", json!(-1.0), "block friction"),
        (
            "/row/blocks/0/count",
            json!(0),
            "number of blocks is 0; accepted: 1 or more",
        ),
        ("/row/drive/harmonic/frequency_hz", json!(0.0), "frequency"),
        ("/row/drive/harmonic/lead_in_s", json!(-1.0), "lead-in (s)"),
        (
            "/row/drive/harmonic/amplitude_m",
            json!("NaN"),
            "amplitude_m",
        ),
        (
            "/row/drive/harmonic/amplitude_m",
            json!(1e200),
            "reach of the basin",
        ),
        (
            "/row/drive",
            json!({ "waves": [{ "amplitude_m": 0.01, "frequency_hz": -1.0, "phase_rad": 0.0 }] }),
            "wave angular frequency",
        ),
        ("/duration_s", json!(-1.0), "duration_s: -1"),
    ];
    for (pointer, value, message) in cases {
        let said = refused(EXAMPLE, pointer, value);
        assert!(said.contains(message), "{pointer}: {said}");
    }
}

#[test]
fn a_long_time_without_a_period_is_refused() {
    let constant =
        json!({ "ground": { "kind": "constant", "acceleration_m_s2": 1.0, "duration_s": 1.0 } });
    let mut scene: Value = serde_json::from_str(SWEEP).unwrap();
    let inner = scene["scene"].as_object_mut().unwrap();
    inner.insert("schema".to_owned(), json!(1));
    let scene = scene["scene"].to_string();
    let said = refused(&scene, "/row/drive", constant);
    assert!(said.contains("row.drive: "), "{said}");
}

#[test]
fn a_run_of_a_study_that_fails_says_which_it_is() {
    let mut scene: Value = serde_json::from_str(SWEEP).unwrap();
    // The blocks do not fit into the second basin: the study goes on without them.
    scene["over"] = json!([
        { "key": "row.basin.length_m", "values": [0.394, 0.01, 0.4] },
        { "key": "row.blocks.0.friction", "values": [0.1, 0.3] }
    ]);
    let work = tempfile::tempdir().unwrap();
    std::fs::write(work.path().join("scene.json"), scene.to_string()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(["run", "scene.json", "--out", "results", "--quiet"])
        .current_dir(work.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let table = std::fs::read_to_string(work.path().join("results/study.csv")).unwrap();
    let rows: Vec<&str> = table.lines().skip(1).collect();
    let begins = [
        "0.394,0.1,",
        "0.394,0.3,",
        "0.01,0.1,",
        "0.01,0.3,",
        "0.4,0.1,",
        "0.4,0.3,",
    ];
    for (k, (row, begin)) in rows.iter().zip(begins).enumerate() {
        assert!(row.starts_with(begin), "{row}");
        assert_eq!(row.contains(",failed,"), k / 2 == 1, "{row}");
    }
    let result = std::fs::read(work.path().join("results/result.json")).unwrap();
    let result: Value = serde_json::from_slice(&result).unwrap();
    assert_eq!(result["failed"], 2);
}

//! Parts of a run, joined: the same files as one run, bit by bit.

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
    // Each part says numbers of its own.
    for part in ["part-1", "part-2", "part-3"] {
        let numbers = std::fs::read(work.path().join(part).join("result.json")).unwrap();
        let numbers: Value = serde_json::from_slice(&numbers).unwrap();
        let counts = ["cells", "runs", "trials", "sets", "seeded"];
        let count = counts.iter().find_map(|key| numbers[key].as_u64());
        assert!(count.is_some_and(|n| n > 0), "{part}: {numbers}");
        let fractions = numbers.as_object().unwrap().iter();
        let fractions = fractions.filter(|(key, _)| key.ends_with("_fraction"));
        let within = |value: &Value| (0.0..=1.0).contains(&value.as_f64().unwrap());
        assert!(fractions.map(|(_, value)| value).all(within), "{numbers}");
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

#[test]
fn a_fragility_in_parts() {
    let text = scene("rocking-fragility.json", &[]);
    let files = ["trials.csv", "fractions.csv", "thresholds.csv"];
    compare(
        &text,
        &[&files[..], &["result.json", "index.html"]].concat(),
    );
}

#[test]
fn a_study_in_parts() {
    let text = scene("assembly-sweep.json", &[("/over/0/range/count", 9.into())]);
    let files = ["study.csv", "lists.csv", "result.json", "index.html"];
    compare(&text, &files);
    let distribution = |key: &str, ends: [f64; 2]| serde_json::json!({"key": key, "distribution": {"uniform": ends}});
    let amplitude = distribution("horizontal.amplitude_m_s2", [2.0, 6.0]);
    let over = serde_json::json!([amplitude, distribution("block.width_m", [0.4, 0.6])]);
    for (method, table) in [("sample", "quantiles.csv"), ("sobol", "indices.csv")] {
        let count = if method == "sobol" { "sets" } else { "runs" };
        let edits = [
            ("/over", over.clone()),
            ("/method", serde_json::json!({method: {count: 7}})),
            ("/scene/duration_s", 3.into()),
        ];
        let text = scene("study.json", &edits);
        compare(&text, &["study.csv", table, "result.json", "index.html"]);
    }
}

#[test]
fn an_assessment_in_parts() {
    let text = scene("assess.json", &[]);
    let files = ["result.json", "index.html"];
    let tables = ["records.csv", "fractions.csv"];
    compare(&text, &[&files[..], &tables].concat());
}

/// Files that a scene names stand beside it in the examples.
fn beside(mut scene: Value, keys: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for key in keys {
        let file = folder.join(scene[key].as_str().unwrap());
        scene[key] = file.to_str().unwrap().into();
    }
    scene.to_string()
}

#[test]
fn a_calibration_in_parts() {
    let edits = [
        ("/sets", Value::from(6)),
        ("/retained_fractions", serde_json::json!([0.125, 0.25])),
        ("/refinement_rocks", Value::from(2)),
        ("/rocks", Value::from(4)),
    ];
    let text = scene("rockfall-calibration.json", &edits);
    let text = beside(
        serde_json::from_str(&text).unwrap(),
        &["terrain", "releases", "depositions", "blocks"],
    );
    compare(
        &text,
        &[
            "result.json",
            "runs.csv",
            "forecasts.csv",
            "sets.csv",
            "index.html",
        ],
    );
}

#[test]
fn studies_in_parts() {
    let methods = [
        (
            serde_json::json!({"morris": {"trajectories": 3}}),
            "effects.csv",
        ),
        // The third is that of the example.
        (Value::Null, "sets.csv"),
    ];
    for (method, table) in methods {
        let mut edits = vec![("/rocks", Value::from(20))];
        if !method.is_null() {
            edits.push(("/method", method));
        }
        let text = scene("rockfall-study.json", &edits);
        compare(&text, &[table, "result.json", "index.html"]);
    }
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
    assert!(said.contains("neighbours"), "{said}");
}

#[test]
fn parts_on_other_ground_are_not_joined() {
    let work = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for file in ["rockfall-terrain.asc", "rockfall-release.geojson"] {
        std::fs::copy(examples.join(file), work.path().join(file)).unwrap();
    }
    let engine = serde_json::json!({"lumped_mass": {}});
    let text = scene("rockfall.json", &[("/engine", engine)]);
    std::fs::write(work.path().join("s.json"), text).unwrap();
    let run = |arguments: &[&str]| {
        let output = klast(arguments, work.path());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let part =
        |part: &str, out: &str| run(&["run", "s.json", "--shard", part, "--out", out, "--quiet"]);
    assert_eq!(part("1/2", "a").0, Some(0));
    let file = work.path().join("rockfall-terrain.asc");
    let ground = std::fs::read_to_string(&file).unwrap();
    // A space more is the same ground in other bytes: what is compared are the bytes.
    std::fs::write(&file, format!("{ground} ")).unwrap();
    assert_eq!(part("2/2", "b").0, Some(0));
    let (code, said) = run(&["merge", "a", "b", "--out", "joined"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("other files"), "{said}");
    // Parts of one ground, and the ground changed since.
    assert_eq!(part("1/2", "a").0, Some(0));
    std::fs::write(&file, &ground).unwrap();
    let (code, said) = run(&["merge", "a", "b", "--out", "joined"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("rockfall-terrain.asc: not the file"),
        "{said}"
    );
    std::fs::write(&file, format!("{ground} ")).unwrap();
    let (code, said) = run(&["merge", "a", "b", "--out", "joined", "--quiet"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_layout_that_does_not_fit_is_refused() {
    let work = tempfile::tempdir().unwrap();
    let check = |terrain: Value, angles: [f64; 2], names: [&str; 2], segments: &[&str]| {
        let material = |k: usize| serde_json::json!({"name": names[k], "normal_restitution": 0.3, "friction_angle_deg": angles[k]});
        let scene = serde_json::json!({
            "schema": 1, "kind": "rockfall", "terrain": terrain,
            "materials": [material(0), material(1)],
            "layout": {"segments": segments},
            "sources": [{"name": "s", "release": {"point": [1, 0]}, "rocks": 1,
                "shapes": [{"shape": "sphere", "volume_m3": 1}]}],
        });
        std::fs::write(work.path().join("s.json"), scene.to_string()).unwrap();
        let output = klast(&["check", "s.json"], work.path());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let profile =
        || serde_json::json!({"profile": {"points_m": [[0, 10], [10, 5], [20, 2], [30, 0]]}});
    let slope = serde_json::json!({"slope": {"angle_deg": 30}});
    let (ok, own) = ([30.0, 40.0], ["a", "b"]);
    assert_eq!(check(profile(), ok, own, &["a", "b", "a"]).0, Some(0));
    for segments in [&["a", "b"][..], &["a", "b", "a", "b", "a"], &[]] {
        let (code, said) = check(profile(), ok, own, segments);
        let wanted = format!("{} names for 3 segments", segments.len());
        assert!(code == Some(2) && said.contains(&wanted), "{said}");
    }
    assert_eq!(check(slope, ok, own, &["a"]).0, Some(2));
    let twice = check(profile(), ok, ["a", "a"], &["a", "a", "a"]);
    assert!(
        twice.0 == Some(2) && twice.1.contains("'a' is there twice"),
        "{}",
        twice.1
    );
    let steep = check(profile(), [30.0, 190.0], own, &["a", "b", "a"]);
    assert!(
        steep.0 == Some(2) && steep.1.contains("materials[1].friction_angle_deg: "),
        "{}",
        steep.1
    );
}

//! A run in parts, a run that was interrupted and went on, and a run at one go write the same bytes.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const KLAST: &str = env!("CARGO_BIN_EXE_klast");

/// An empty folder for one test, with a scene of so many rocks on the raster of the examples.
fn folder(name: &str, rocks: u64) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("klast-parts-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for file in ["rockfall-terrain.asc", "rockfall-release.geojson"] {
        std::fs::copy(examples.join(file), folder.join(file)).unwrap();
    }
    let text = std::fs::read_to_string(examples.join("rockfall.json")).unwrap();
    let mut scene: serde_json::Value = serde_json::from_str(&text).unwrap();
    scene["engine"] = serde_json::json!({"lumped_mass": {}});
    // Smooth enough for some rocks to come to the road.
    scene["materials"][0]["friction"] = 0.3.into();
    scene["materials"][0]["tangential_restitution"] = 0.95.into();
    scene["sources"][0]["rocks"] = rocks.into();
    scene["return_periods_a"] = serde_json::json!([30, 100]);
    scene["write_trajectories"] = 3.into();
    // Two sources: a rank goes over both.
    let mut second = scene["sources"][0].clone();
    second["rocks"] = (rocks / 3).into();
    scene["sources"].as_array_mut().unwrap().push(second);
    std::fs::write(folder.join("scene.json"), scene.to_string()).unwrap();
    folder
}

fn klast(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(KLAST);
    command.current_dir(folder).args(arguments).arg("--quiet");
    command.output().unwrap()
}

fn done(folder: &Path, arguments: &[&str]) {
    let output = klast(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {error}");
}

/// Every file of a folder of results but the manifest, which tells the time.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        })
        .filter(|(name, _)| name != "manifest.json")
        .collect()
}

fn assert_same(a: &Path, b: &Path) {
    let (a, b) = (files(a), files(b));
    assert!(a.len() > 30, "{:?}", a.keys());
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in &a {
        assert!(bytes == &b[name], "{name} differs");
    }
}

/// Starts a run and interrupts it as Ctrl-C does once it has begun, which its manifest shows.
fn interrupted(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(KLAST);
    command.current_dir(folder).args(arguments);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let out = arguments.iter().skip_while(|a| **a != "--out").nth(1);
    let manifest = folder.join(out.unwrap()).join("manifest.json");
    while !manifest.exists() {
        assert!(child.try_wait().unwrap().is_none(), "ended at once");
        std::thread::sleep(Duration::from_millis(1));
    }
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
    assert!(
        rest.last().unwrap().contains("goes on from here"),
        "{rest:?}"
    );
}

#[test]
fn parts_join_to_the_bytes_of_one_run() {
    let here = folder("join", 600);
    done(
        &here,
        &["run", "scene.json", "--out", "whole", "--threads", "2"],
    );
    for part in ["1/3", "2/3", "3/3"] {
        let out = format!("part-{}", &part[..1]);
        done(
            &here,
            &["run", "scene.json", "--shard", part, "--out", &out],
        );
    }
    done(
        &here,
        &["merge", "part-3", "part-1", "part-2", "--out", "joined"],
    );
    assert_same(&here.join("whole"), &here.join("joined"));
    // The band of the 95 % energy is that of one run: at 100, 200, 400, 800 (all) rocks.
    let settling = std::fs::read_to_string(here.join("joined/barrier_settling.csv")).unwrap();
    let rocks: Vec<&str> = settling
        .lines()
        .filter_map(|l| l.strip_prefix("net,")?.split(',').next())
        .collect();
    assert_eq!(rocks, ["100", "200", "400", "800"]);
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    let here = folder("interrupt", 6_000);
    done(&here, &["run", "scene.json", "--out", "whole"]);
    let command = ["run", "scene.json", "--out", "twice", "--threads", "1"];
    interrupted(&here, &command);
    assert!(here.join("twice/state.json").exists());
    assert!(!here.join("twice/part.cbor.z").exists());
    done(&here, &command);
    assert_same(&here.join("whole"), &here.join("twice"));
    // A part that was interrupted and went on is a part like any other.
    let part = [
        "run",
        "scene.json",
        "--shard",
        "1/2",
        "--out",
        "a",
        "--threads",
        "1",
    ];
    interrupted(&here, &part);
    done(&here, &part);
    done(
        &here,
        &["run", "scene.json", "--shard", "2/2", "--out", "b"],
    );
    done(&here, &["merge", "a", "b", "--out", "joined"]);
    assert_same(&here.join("whole"), &here.join("joined"));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let here = folder("refuse", 30);
    for (part, seed, out) in [("1/2", "1", "a"), ("2/2", "1", "b"), ("2/2", "2", "other")] {
        done(
            &here,
            &[
                "run",
                "scene.json",
                "--shard",
                part,
                "--seed",
                seed,
                "--out",
                out,
            ],
        );
    }
    done(&here, &["run", "scene.json", "--out", "whole"]);
    for (parts, reason) in [
        (vec!["a"], "every part once"),
        (vec!["a", "a"], "every part once"),
        (vec!["a", "other"], "of another run"),
        (vec!["a", "whole"], "a whole run"),
        (vec!["a", "nowhere"], "cannot be read"),
        (vec!["a", "b", "--out", "a"], "one of the parts"),
        (vec!["a", "b", "--scene", "changed.json"], "not the scene"),
    ] {
        let changed = std::fs::read_to_string(here.join("scene.json")).unwrap() + " ";
        std::fs::write(here.join("changed.json"), changed).unwrap();
        let arguments: Vec<&str> = ["merge"].into_iter().chain(parts).collect();
        let output = klast(&here, &arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn interrupted_rigid_rocks_go_on_to_the_same_bytes() {
    let here = folder("rigid", 300);
    let text = std::fs::read_to_string(here.join("scene.json")).unwrap();
    let mut scene: serde_json::Value = serde_json::from_str(&text).unwrap();
    scene["engine"] = serde_json::json!({"rigid_body": {"contact_step_s": 0.02}});
    std::fs::write(here.join("scene.json"), scene.to_string()).unwrap();
    done(&here, &["run", "scene.json", "--out", "whole"]);
    let command = ["run", "scene.json", "--out", "twice", "--threads", "1"];
    interrupted(&here, &command);
    assert!(here.join("twice/state.json").exists());
    done(&here, &command);
    assert_same(&here.join("whole"), &here.join("twice"));
    std::fs::remove_dir_all(here).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_rate_and_time_left() {
    let here = folder("terminal", 6_000);
    let run = format!("'{KLAST}' run scene.json --out shown --threads 1");
    // A terminal of 120 columns.
    let mut command = Command::new("script");
    command.current_dir(&here).env("COLUMNS", "120");
    let output = command.args(["-qec", &run, "/dev/null"]).output();
    let output = output.expect("`script` of bsdutils makes the terminal");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}");
    let drawn = |l: &&str| l.contains("rocks") && l.contains("/s, ") && l.contains(" left)");
    let line = said.split(['\r', '\n']).find(drawn);
    assert!(line.is_some(), "{said:?}");
    // No lines by tenths as in a file.
    assert!(!said.contains("10 %"), "{said:?}");
    std::fs::remove_dir_all(here).unwrap();
}

/// A map of return periods is empty without a frequency, and short of the sources that have none: the run says so.
#[test]
fn return_periods_without_a_frequency_are_warned_of() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(examples.join("rockfall.json")).unwrap();
    let mut scene: serde_json::Value = serde_json::from_str(&text).unwrap();
    scene["sources"][0]["rocks"] = 2.into();
    let work = tempfile::tempdir().unwrap();
    for file in ["rockfall-terrain.asc", "rockfall-release.geojson"] {
        std::fs::copy(examples.join(file), work.path().join(file)).unwrap();
    }
    let warnings = |scene: &serde_json::Value| {
        std::fs::write(work.path().join("s.json"), scene.to_string()).unwrap();
        let run = Command::new(env!("CARGO_BIN_EXE_klast"))
            .args(["run", "s.json", "--out", "out", "--quiet"])
            .current_dir(work.path())
            .status();
        assert!(run.unwrap().success());
        let manifest = std::fs::read_to_string(work.path().join("out/manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        // Two rocks may also be faster than those that were seen in the field, or stay where they are.
        let told = manifest["warnings"].as_array().unwrap().iter();
        let told = told.map(|w| w.as_str().unwrap().to_owned());
        let of_frequencies = |w: &String| {
            ["annual_frequency", "map_cell_m"]
                .iter()
                .any(|key| w.contains(key))
        };
        let told: Vec<String> = told.filter(of_frequencies).collect();
        told.join("\n")
    };
    assert_eq!(warnings(&scene), "");
    scene["sources"][0]["annual_frequency"] = serde_json::Value::Null;
    assert!(warnings(&scene).contains("annual_frequency"));
    scene["map_cell_m"] = serde_json::Value::Null;
    assert!(warnings(&scene).contains("map_cell_m"));
    scene["return_periods_a"] = serde_json::json!([]);
    scene["return_period_energies_kj"] = serde_json::json!([]);
    assert_eq!(warnings(&scene), "");
}

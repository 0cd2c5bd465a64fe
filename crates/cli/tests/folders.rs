//! What happens to a folder of results when two runs want it, when a run is ended from outside, when there is no room.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

const KLAST: &str = env!("CARGO_BIN_EXE_klast");

/// A folder with a scene of rocks that takes a second or so.
fn work() -> tempfile::TempDir {
    let work = tempfile::tempdir().unwrap();
    let scene = serde_json::json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"profile": {"points_m": [[0, 100], [60, 40], [200, 0]]}},
        "materials": [{"name": "scree", "normal_restitution": 0.35, "friction": 0.4,
            "roughness_deg": {"uniform": [-10, 10]}}],
        "sources": [{"name": "cliff", "release": {"point": [1, 0]}, "rocks": 8000, "height_m": 1,
            "shapes": [{"shape": "cube", "volume_m3": 1}]}],
        "engine": {"lumped_mass": {}},
        "collectors": [{"name": "road", "line_m": [[100, -50], [100, 50]]}],
        "write_trajectories": 2
    });
    std::fs::write(work.path().join("scene.json"), scene.to_string()).unwrap();
    work
}

/// Starts a run, waits until it has begun, which its manifest shows, and stops it: whatever comes next comes in time.
fn begun(work: &Path, out: &str) -> (Child, impl Iterator<Item = String> + use<>) {
    // A signal that this process handles is its default in a program that it starts, also where this process was
    // started with the signal ignored (`nohup`), which the run would heed.
    signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::default()).unwrap();
    let mut command = Command::new(KLAST);
    command
        .current_dir(work)
        .args(["run", "scene.json", "--threads", "1", "--out", out]);
    let mut child = command
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let manifest = work.join(out).join("manifest.json");
    while !manifest.exists() {
        assert!(child.try_wait().unwrap().is_none(), "ended at once");
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "-STOP");
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    (child, lines.map_while(Result::ok))
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

fn run(work: &Path, out: &str) -> std::process::Output {
    let mut command = Command::new(KLAST);
    command
        .current_dir(work)
        .args(["run", "scene.json", "--quiet", "--out", out]);
    command.output().unwrap()
}

/// Every file but the manifest, which tells the time.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path());
    let named = entries.map(|p| {
        (
            p.file_name().unwrap().to_string_lossy().into_owned(),
            std::fs::read(&p).unwrap(),
        )
    });
    named.filter(|(name, _)| name != "manifest.json").collect()
}

#[test]
fn a_second_run_is_kept_out_and_ends_from_outside_keep_the_state() {
    let work = work();
    assert!(run(work.path(), "whole").status.success());
    let whole = files(&work.path().join("whole"));
    for (name, by) in [("term", "-TERM"), ("hup", "-HUP"), ("int", "-INT")] {
        let (mut child, lines) = begun(work.path(), name);
        let second = run(work.path(), name);
        let said = String::from_utf8_lossy(&second.stderr).into_owned();
        assert_eq!(second.status.code(), Some(2), "{said}");
        assert!(
            said.contains("another run is at work in this folder"),
            "{said}"
        );
        signal(&child, by);
        signal(&child, "-CONT");
        let rest: Vec<String> = lines.collect();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
        assert!(
            rest.last().unwrap().contains("goes on from here"),
            "{rest:?}"
        );
        assert!(work.path().join(name).join("state.json").is_file());
        // A state that somebody has changed is none: the run begins anew, to the same bytes.
        if name == "hup" {
            let state = work.path().join(name).join("state.json");
            let text = std::fs::read_to_string(&state).unwrap();
            std::fs::write(&state, text.replacen("\"next\":", "\"next\":1", 1)).unwrap();
        }
        assert!(run(work.path(), name).status.success());
        assert!(files(&work.path().join(name)) == whole, "{name}");
    }
    // Killed, it leaves whole files or none, and the same command gives the same bytes.
    let (mut child, lines) = begun(work.path(), "killed");
    signal(&child, "-KILL");
    child.wait().unwrap();
    drop(lines);
    std::fs::write(work.path().join("killed/.result.json.part"), "{\"half").unwrap();
    assert!(run(work.path(), "killed").status.success());
    assert!(files(&work.path().join("killed")) == whole);
}

/// Where no file may be larger than a few kilobytes, as on a disk that fills up: an error, whole files or none.
#[test]
fn no_room_leaves_whole_files_or_none() {
    let work = work();
    let script =
        format!("trap '' XFSZ; ulimit -f 16; exec {KLAST} run scene.json --quiet --out full");
    let output = Command::new("sh")
        .current_dir(work.path())
        .args(["-c", &script])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let left = files(&work.path().join("full"));
    assert!(
        !left.keys().any(|name| name.ends_with(".part")),
        "{:?}",
        left.keys()
    );
    assert!(run(work.path(), "whole").status.success());
    let whole = files(&work.path().join("whole"));
    for (name, bytes) in &left {
        assert!(whole.get(name) == Some(bytes), "{name} is not whole");
    }
    let manifest = std::fs::read_to_string(work.path().join("full/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["complete"], false);
}

/// Links in a folder and names in its manifest lead nowhere.
#[test]
fn planted_links_and_manifests_do_no_harm() {
    let work = work();
    let mine = work.path().join("mine.txt");
    std::fs::write(&mine, "mine").unwrap();
    let out = work.path().join("out");
    std::fs::create_dir(&out).unwrap();
    for name in [
        "result.json",
        ".result.json.part",
        "runout.csv",
        ".manifest.json.part",
    ] {
        std::os::unix::fs::symlink(&mine, out.join(name)).unwrap();
    }
    let files = [
        "../mine.txt",
        mine.to_str().unwrap(),
        "..",
        "result.json",
        "other",
    ];
    let manifest = serde_json::json!({"klast": "0", "files": files});
    std::fs::write(out.join("manifest.json"), manifest.to_string()).unwrap();
    let output = run(work.path(), "out");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), "mine");
    assert!(
        !std::fs::symlink_metadata(out.join("result.json"))
            .unwrap()
            .is_symlink()
    );
}

#[test]
fn a_name_too_long_for_a_file_is_refused_before_the_run() {
    let work = work();
    let path = work.path().join("scene.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(
        &path,
        text.replace("\"road\"", &format!("\"{}\"", "x".repeat(300))),
    )
    .unwrap();
    let output = run(work.path(), "long");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("300") && said.contains("120"), "{said}");
    assert!(!work.path().join("long").exists());
}

//! Scenes of many bodies: what stands stands, what falls falls, audits close, and broken scenes say why.

use std::path::Path;
use std::process::Command;

use klast_scenes::Scene;
use serde_json::{Value, json};

fn describe(text: &str) -> anyhow::Result<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (scene, _) = Scene::parse(text, folder)?;
    Ok(scene.job()?.describe())
}

/// A cube of 1 m on a plane tilted by turning gravity, slope in units of the friction.
fn on_a_slope(slope: f64) -> Value {
    let angle = (0.5 * slope).atan();
    json!({
        "schema": 1,
        "kind": "bodies",
        "gravity_m_s2": [9.81 * angle.sin(), 0.0, -9.81 * angle.cos()],
        "materials": { "stone": { "friction": 0.5 } },
        "bodies": [{
            "name": "block", "material": "stone", "at_m": [0, 0, 0.25],
            "shape": { "kind": "box", "edges_m": [1, 1, 0.5] }
        }],
        "planes": [{ "material": "stone", "normal": [0, 0, 1] }],
        "solver": { "step_s": 0.005, "effort": { "kind": "residual", "tolerance": 1e-9 } },
        "duration_s": 2.0,
        "stands_within_m": 0.01,
        "frames": 4
    })
}

/// Runs a scene in a folder of its own with some words more; returns the folder.
fn run(scene: &Value, words: &[&str]) -> tempfile::TempDir {
    let work = tempfile::tempdir().unwrap();
    std::fs::write(work.path().join("scene.json"), scene.to_string()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(["run", "scene.json", "--out", "out", "--quiet"])
        .args(words)
        .current_dir(work.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    work
}

fn result(work: &tempfile::TempDir) -> Value {
    let text = std::fs::read_to_string(work.path().join("out/result.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Friction decides: 1 % below its slope a block stays, 1 % above it slides ½ g (sin − μ cos) t².
#[test]
fn a_block_stands_or_slides_on_a_slope() {
    let stands = result(&run(&on_a_slope(0.99), &[]));
    assert_eq!(stands["verdict"], "stands");
    assert!(stands["max_displacement_m"].as_f64().unwrap() < 1e-6);
    let falls = result(&run(&on_a_slope(1.01), &[]));
    assert_eq!(falls["verdict"], "falls");
    let angle = (0.505f64).atan();
    let way = 0.5 * 9.81 * (angle.sin() - 0.5 * angle.cos()) * 4.0;
    // θ = 1 steps of 5 ms go ½ h t too far: 0.25 % of the way in 2 s.
    let found = falls["max_displacement_m"].as_f64().unwrap();
    assert!((found / way - 1.0).abs() < 5e-3, "{found} {way}");
}

/// A column of the audit.
fn energy(out: &std::path::Path, column: &str) -> Vec<f64> {
    let mut energy = csv::Reader::from_path(out.join("energy.csv")).unwrap();
    let names = energy.headers().unwrap();
    let column = names.iter().position(|h| h == column).unwrap();
    energy
        .records()
        .map(|r| r.unwrap()[column].parse().unwrap())
        .collect()
}

/// Every line of the audit closes, and all files are there and whole.
#[test]
fn the_audit_closes_and_every_file_is_there() {
    let work = run(&on_a_slope(1.2), &[]);
    let out = work.path().join("out");
    let rows = energy(&out, "energy_residual_j");
    assert!(rows.len() > 100);
    // Rounding of 400 steps of sums of some 10 kJ.
    assert!(rows.iter().all(|b| b.abs() < 1e-7), "{rows:?}");
    let series = std::fs::read_to_string(out.join("bodies.pvd")).unwrap();
    assert_eq!(series.matches("<DataSet").count(), 5);
    for file in [
        "frame-0004.vtp",
        "bodies.csv",
        "contacts.csv",
        "start.svg",
        "end.svg",
        "energy.svg",
        "displacement.svg",
        "index.html",
        "manifest.json",
    ] {
        assert!(out.join(file).metadata().unwrap().len() > 100, "{file}");
    }
    assert!(!out.join("pause.json").exists());
}

/// The same on springs: what they hold is a part of it, W²/8k at rest on four corners.
#[test]
fn the_audit_closes_on_springs() {
    let (mut scene, k) = (on_a_slope(0.0), 1e8);
    scene["solver"]["stiffness_n_per_m"] = json!(k);
    let work = run(&scene, &[]);
    let out = work.path().join("out");
    let rows = energy(&out, "energy_residual_j");
    assert!(rows.iter().all(|b| b.abs() < 1e-7), "{rows:?}");
    let weight = 0.5 * 2700.0 * 9.81;
    let held = weight * weight / (8.0 * k);
    let last = *energy(&out, "elastic_j").last().unwrap();
    assert!((last / held - 1.0).abs() < 1e-6, "{last} {held}");
}

/// Poured blocks of chance come to rest and stop the run; another seed is another heap, the same seed the same bits on
/// any number of threads.
#[test]
fn poured_stones_stop_at_rest_with_the_bits_of_their_seed() {
    let scene = json!({
        "schema": 1,
        "kind": "bodies",
        "materials": { "stone": { "friction": 0.6 } },
        "bodies": [{
            "name": "stone", "material": "stone", "at_m": [-0.6, -0.6, 1.0], "tumbled": true,
            "shape": { "kind": "stones", "count": 5, "corners": 12, "volume_m3": 0.3 },
            "copies": [{ "count": 2, "shift_m": [1.2, 0, 0] }, { "count": 2, "shift_m": [0, 1.2, 0] }, { "count": 3, "shift_m": [0, 0, 1.2] }]
        }],
        "containers": [{ "material": "stone", "low_m": [-1.4, -1.4, 0], "high_m": [1.4, 1.4, 5] }],
        "solver": { "step_s": 0.005 },
        "duration_s": 20,
        "stop_at_rest": { "speed_m_s": 0.01, "for_s": 0.2 },
        "seed": 7,
        "frames": 0
    });
    let first = run(&scene, &["--threads", "1"]);
    let again = run(&scene, &["--threads", "3", "--seed", "7"]);
    let other = run(&scene, &["--seed", "8"]);
    assert_eq!(result(&first)["stopped_by"], "rest");
    assert_eq!(result(&first)["steps_with_energy_gain"], 0);
    let read = |w: &tempfile::TempDir| std::fs::read(w.path().join("out/energy.csv")).unwrap();
    assert!(read(&first) == read(&again));
    assert!(read(&first) != read(&other));
}

/// A run that was stopped goes on with the same bits.
#[cfg(unix)]
#[test]
fn a_stopped_run_goes_on_with_the_same_bits() {
    let mut scene = on_a_slope(1.1);
    scene["duration_s"] = json!(600.0);
    scene["stands_within_m"] = json!(1e9);
    let whole = run(&scene, &[]);
    let work = tempfile::tempdir().unwrap();
    std::fs::write(work.path().join("scene.json"), scene.to_string()).unwrap();
    let start = || {
        let mut klast = Command::new(env!("CARGO_BIN_EXE_klast"));
        klast
            .args(["run", "scene.json", "--out", "out", "--quiet"])
            .current_dir(work.path());
        klast
    };
    // A whole run was there before: what it has left is replaced, and never taken for the frames of the run that goes
    // on.
    assert!(start().status().unwrap().success());
    std::fs::remove_file(work.path().join("out/frame-0000.vtp")).unwrap();
    let mut running = start().spawn().unwrap();
    // The first frame is written when the handler of interruptions stands.
    while !work.path().join("out/frame-0000.vtp").exists() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let _ = Command::new("kill")
        .args(["-INT", &running.id().to_string()])
        .status()
        .unwrap();
    let stopped = running.wait().unwrap().code();
    assert!(stopped == Some(130) || stopped == Some(0), "{stopped:?}");
    if stopped == Some(130) {
        assert!(work.path().join("out/pause.json").exists());
        let manifest = std::fs::read_to_string(work.path().join("out/manifest.json")).unwrap();
        assert!(manifest.contains("\"pause.json\""), "{manifest}");
        assert!(start().status().unwrap().success());
    }
    let all = [
        "energy.csv",
        "bodies.csv",
        "result.json",
        "index.html",
        "frame-0000.vtp",
    ];
    for file in all {
        let read = |folder: &Path| std::fs::read(folder.join("out").join(file)).unwrap();
        assert!(read(whole.path()) == read(work.path()), "{file}");
    }
}

#[test]
fn broken_scenes_say_why() {
    let broken = |edit: &dyn Fn(&mut Value), needed: &str| {
        let mut scene = on_a_slope(1.0);
        edit(&mut scene);
        let error = format!("{:#}", describe(&scene.to_string()).unwrap_err());
        assert!(error.contains(needed), "{needed}: {error}");
    };
    broken(&|s| s["bodies"] = json!([]), "bodies: none");
    broken(
        &|s| s["bodies"][0]["material"] = json!("oak"),
        "bodies[0].material: block: 'oak': not among materials; accepted: stone",
    );
    broken(
        &|s| s["bodies"][0]["shape"] = json!({ "kind": "cone" }),
        "`cone` is not known",
    );
    broken(
        &|s| s["bodies"][0]["shape"]["edges_m"] = json!([1, -1, 1]),
        "edges",
    );
    broken(
        &|s| {
            s["bodies"][0]["shape"] = json!({ "kind": "points", "points_m": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] })
        },
        "bodies[0].shape: block: ",
    );
    broken(
        &|s| s["bodies"][0]["shape"] = json!({ "kind": "file", "file": "nowhere.obj" }),
        "nowhere.obj: cannot be read",
    );
    broken(
        &|s| s["bodies"][0]["poses_file"] = json!("nowhere.txt"),
        "nowhere.txt: cannot be read",
    );
    broken(
        &|s| s["bodies"][0]["copies"] = json!([{ "count": 0 }]),
        "copies[0].count: block: 0 of 1",
    );
    broken(
        &|s| s["bodies"][0]["copies"] = json!([{ "count": 40000 }, { "count": 40000 }]),
        "copies[1].count: block: 40000 of",
    );
    broken(
        &|s| s["bodies"][0]["turn"] = json!({ "axis": [0, 0, 0], "angle_deg": 3 }),
        "axis",
    );
    broken(
        &|s| {
            s["bodies"][0]["turn"] = json!({ "axis": [0, 0, 1], "angle_deg": 3 });
            s["bodies"][0]["quaternion_wxyz"] = json!([1, 0, 0, 0]);
        },
        "accepted: one of them",
    );
    broken(
        &|s| s["bodies"][0]["moved_by"] = json!({ "kind": "fixed" }),
        "bodies: none is free",
    );
    broken(
        &|s| {
            s["bodies"][0]["moved_by"] = json!({ "kind": "shaken", "horizontal": { "kind": "record", "file": "nowhere.AT2" } })
        },
        "nowhere.AT2",
    );
    broken(
        &|s| s["planes"][0]["normal"] = json!([0, 0, 0]),
        "planes[0].normal: ",
    );
    broken(
        &|s| {
            s["containers"] =
                json!([{ "material": "stone", "low_m": [0, 0, 0], "high_m": [1, 0, 1] }])
        },
        "containers[0]",
    );
    broken(
        &|s| s["materials"]["stone"]["friction"] = json!(-0.1),
        "friction",
    );
    broken(
        &|s| s["materials"]["stone"]["restitution"] = json!(1.1),
        "restitution",
    );
    broken(
        &|s| s["solver"]["step_s"] = json!(0),
        "solver.step_s: 0; accepted: finite and above 0",
    );
    broken(&|s| s["solver"]["theta"] = json!(0.2), "theta");
    for bad in [0.0, -1e9] {
        let needed = format!("solver.stiffness_n_per_m: {bad}; accepted: finite and above 0");
        broken(&|s| s["solver"]["stiffness_n_per_m"] = json!(bad), &needed);
    }
    broken(
        &|s| {
            s["solver"] = json!({
                "step_s": 0.005,
                "effort": { "kind": "sweeps", "count": 20 },
                "stiffness_n_per_m": 1e9
            })
        },
        "solver.effort: sweeps beside stiffness_n_per_m; accepted: auto or residual",
    );
    broken(
        &|s| s["solver"]["effort"] = json!({ "kind": "auto", "tolerance": 0 }),
        "tolerance",
    );
    broken(
        &|s| s["solver"]["effort"] = json!({ "kind": "sweeps", "count": 0 }),
        "solver.effort.count: 0",
    );
    broken(&|s| s["duration_s"] = json!(-1), "duration_s: -1");
    broken(&|s| s["duration_s"] = json!(1e12), "steps; accepted");
    // No step at all would say of anything that it stands.
    broken(
        &|s| s["solver"]["step_s"] = json!(5.0),
        "solver.step_s: 5; accepted: up to duration_s, 2",
    );
    broken(&|s| s["sample_s"] = json!(1e-9), "lines; accepted");
    broken(&|s| s["frames"] = json!(10_001), "frames: 10001");
    broken(
        &|s| s["relative_to"] = json!("table"),
        "relative_to: 'table': no such body",
    );
    broken(
        &|s| s["stop_at_rest"] = json!({ "speed_m_s": -1, "for_s": 1 }),
        "stop_at_rest.speed_m_s: -1",
    );
}

/// Shapes and poses from files: a hull by its corners in a list, a mesh in OBJ, poses a line each.
#[test]
fn shapes_and_poses_come_from_files() {
    let work = tempfile::tempdir().unwrap();
    let corners = "x_m,y_m,z_m\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n# the fifth is inside\n0.1,0.1,0.1\n";
    std::fs::write(work.path().join("corners.csv"), corners).unwrap();
    std::fs::write(
        work.path().join("wedge.obj"),
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n",
    )
    .unwrap();
    std::fs::write(work.path().join("poses.txt"), "0 0 1 1 0 0 0\n3 0 1\n").unwrap();
    let mut scene = on_a_slope(1.0);
    let from = |file: &str| {
        json!({
            "name": file, "material": "stone", "poses_file": "poses.txt",
            "shape": { "kind": "file", "file": file, "scale": 0.5 }
        })
    };
    scene["bodies"] = json!([from("corners.csv"), from("wedge.obj")]);
    let (scene, _) = Scene::parse(&scene.to_string(), work.path()).unwrap();
    let job = scene.job().unwrap();
    assert!(
        job.describe().starts_with("bodies: 4 free"),
        "{}",
        job.describe()
    );
    std::fs::write(work.path().join("poses.txt"), "0 0 1 1\n").unwrap();
    let error = scene.job().err().unwrap();
    assert!(
        format!("{error:#}").contains("line 1: 4 numbers"),
        "{error:#}"
    );
}

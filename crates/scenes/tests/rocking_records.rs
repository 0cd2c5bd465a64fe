//! Records in scenes: what is read, what is said of it, sets of files, and fragilities whose answer is no curve.
use crate::common::refused::{names, one_names};
use klast_scenes::Scene;

/// What was understood of the files, and what would run.
fn scene(folder: &std::path::Path, text: &str) -> Result<(Vec<String>, String), String> {
    let scene = Scene::parse(text, folder).map_err(|e| format!("{e:#}"))?.0;
    let job = scene.job().map_err(|e| format!("{e:#}"))?;
    Ok((scene.text().notes(), job.describe()))
}

fn fragility(records: &str) -> String {
    format!(
        r#"{{"schema": 1, "kind": "rocking_fragility", "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}},
        "records": [{records}], "scales": {{"from": 1, "to": 5, "count": 3}}, "duration_s": 4.0}}"#
    )
}

#[test]
fn sets_of_records_are_read_in_the_order_of_their_names() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path().join("records");
    std::fs::create_dir(&folder).unwrap();
    let columns = "time_s,acceleration_m_s2\n0,0\n0.01,2\n0.02,-2\n0.03,0\n";
    for name in ["b.csv", "a.csv"] {
        std::fs::write(folder.join(name), columns).unwrap();
    }
    std::fs::write(folder.join("c.dat"), "0 2 -2 0\n").unwrap();
    let (notes, told) = scene(work.path(), &fragility(r#"{"files": "records/*.csv"}"#)).unwrap();
    assert_eq!(told, "2 motions at 3 scales");
    assert!(
        notes.len() == 2 && notes[0].contains("a.csv") && notes[0].contains("PGA 2.0000 m/s²"),
        "{notes:?}"
    );
    // a folder holds all; the one without times needs its step and unit
    let missing = scene(work.path(), &fragility(r#"{"files": "records"}"#)).unwrap_err();
    assert!(
        names(&missing, &["1 of 3"]) && names(&missing, &["step_s", "records/*.csv"]),
        "{missing}"
    );
    // What is accepted is said once.
    let download = work.path().join("download");
    std::fs::create_dir(&download).unwrap();
    std::fs::write(download.join("a.csv"), columns).unwrap();
    for name in ["a.VT2", "b.VT2", "a.DT2"] {
        let series = if name.ends_with("VT2") {
            "VELOCITY"
        } else {
            "DISPLACEMENT"
        };
        let text =
            format!("PEER\nX\n{series} TIME SERIES IN UNITS OF CM\nNPTS= 2, DT= .01 SEC\n1 2\n");
        std::fs::write(download.join(name), text).unwrap();
    }
    let other = scene(work.path(), &fragility(r#"{"files": "download"}"#)).unwrap_err();
    assert!(names(&other, &["3 of 4"]), "{other}");
    assert_eq!(other.matches("accelerations").count(), 1, "{other}");
    assert!(other.contains("download/*.csv"), "{other}");
    for name in [".DS_Store", "Thumbs.db", "desktop.ini", "~$a.csv"] {
        std::fs::write(folder.join(name), "no record").unwrap();
    }
    let with_others = scene(work.path(), &fragility(r#"{"files": "records"}"#)).unwrap_err();
    assert!(names(&with_others, &["1 of 3"]), "{with_others}");
    let mixed =
        r#"{"files": "records/*.csv"}, {"files": "records/c.dat", "step_s": 0.01, "unit": "m_s2"}"#;
    assert_eq!(
        scene(work.path(), &fragility(mixed)).unwrap().1,
        "3 motions at 3 scales"
    );
    let none = scene(work.path(), &fragility(r#"{"files": "records/*.AT2"}"#)).unwrap_err();
    assert!(names(&none, &["records/*.AT2", "0 files"]), "{none}");
}

/// Of the three components of a station the one called UP, by its title or by its file, is said to be vertical; a set
/// of horizontal ones leaves it out.
#[test]
fn a_vertical_record_among_horizontal_ones_is_told() {
    let work = tempfile::tempdir().unwrap();
    let write = |file: &str, title: &str| {
        let text = format!(
            "PEER NGA\nEl Centro Array #9, {title}\nIN UNITS OF G\nNPTS= 4, DT= .01 SEC\n0 .2 -.2 0\n"
        );
        std::fs::write(work.path().join(file), text).unwrap();
    };
    for (file, title) in [("a180.AT2", "180"), ("a270.AT2", "270"), ("a-UP.AT2", "UP")] {
        write(file, title);
    }
    let cautions = |records: &str| {
        let scene = Scene::parse(&fragility(records), work.path()).unwrap().0;
        let told = scene.job().unwrap().describe();
        (told, scene.text().cautions())
    };
    let (told, said) = cautions(r#"{"files": "*.AT2"}"#);
    assert_eq!(told, "3 motions at 3 scales");
    assert!(
        said.len() == 1 && said[0].starts_with("a-UP.AT2"),
        "{said:?}"
    );
    let horizontal = r#"{"files": "*.AT2", "components": "horizontal"}"#;
    assert_eq!(
        cautions(horizontal),
        ("2 motions at 3 scales".to_owned(), vec![])
    );
    write("a-UP.AT2", "unknown");
    assert_eq!(cautions(r#"{"files": "*.AT2"}"#).1.len(), 1);
    write("b.AT2", "UP");
    assert_eq!(cautions(r#"{"files": "b.AT2"}"#).1.len(), 1);
}

/// What `klast record` says of a file, a check of a scene says too.
#[test]
fn a_check_says_what_is_doubtful_in_a_record() {
    let work = tempfile::tempdir().unwrap();
    let gap =
        "time_s,acceleration_m_s2\n0,0\n0.01,20\n0.02,-20\n0.5,0\n0.51,60\n0.52,-60\n0.53,0\n";
    std::fs::write(work.path().join("gap.csv"), gap).unwrap();
    let single = r#"{"schema": 1, "kind": "rocking", "block": {"kind": "rectangle", "width_m": 0.5, "height_m": 2.0},
        "horizontal": {"kind": "record", "file": "gap.csv"}, "duration_s": 1.0}"#;
    for text in [fragility(r#"{"files": "*.csv"}"#), single.to_owned()] {
        let (notes, _) = scene(work.path(), &text).unwrap();
        for said in [
            "gap.csv: 1 steps are longer than 1.5 times the shortest (0.01 s; the longest is 0.48 s)",
            "gap.csv: a peak of 60.0 m/s² is above any record: is the unit right?",
        ] {
            assert_eq!(
                notes.iter().filter(|n| n.contains(said)).count(),
                1,
                "{said}: {notes:?}"
            );
        }
    }
}

/// What `result.json` would hold, and the warnings.
fn results(text: &str, folder: &std::path::Path) -> (serde_json::Value, Vec<String>) {
    let scene = Scene::parse(text, folder).unwrap().0;
    let outcome = scene.job().unwrap().run_silently().unwrap();
    (outcome.results.summary().unwrap(), outcome.warnings)
}

#[test]
fn a_fragility_of_which_nothing_overturns_is_a_result() {
    let work = tempfile::tempdir().unwrap();
    let text = r#"{"schema": 1, "kind": "rocking_fragility", "block": {"kind": "rectangle", "width_m": 0.5, "height_m": 2.0},
        "motions": [{"kind": "waves", "amplitude_m_s2": 1.0, "frequency_hz": 0.8},
            {"kind": "waves", "amplitude_m_s2": 1.0, "frequency_hz": 2.0, "waves": 3}],
        "scales": {"from": 0.1, "to": 0.5, "count": 5}, "both_polarities": true, "duration_s": 10.0}"#;
    let (result, _) = results(text, work.path());
    let overturning = result["states"].as_array().unwrap().last().unwrap();
    // 0 of 2 records: 1 − 0.025^(1/2)
    let most = overturning["probability_at_most"].as_f64().unwrap();
    assert!((most - 0.841_886).abs() < 1e-6, "{overturning}");
    let told = result["overturning"].as_str().unwrap();
    assert!(names(told, &["2 records"]), "{told}");
}

/// An assessment by five motions.
const FIVE_MOTIONS: &str = r#"{
  "schema": 1,
  "kind": "assess",
  "block": { "kind": "rectangle", "width_m": 0.4, "height_m": 1.6 },
  "restitution": { "kind": "housner" },
  "friction": 0.5,
  "motions": [
    { "kind": "waves", "amplitude_m_s2": 1.0, "frequency_hz": 0.8 },
    { "kind": "waves", "amplitude_m_s2": 1.0, "frequency_hz": 1.0, "phase_rad": 0.6 },
    { "kind": "waves", "amplitude_m_s2": 1.0, "frequency_hz": 1.3, "waves": 2 },
    { "kind": "waves", "amplitude_m_s2": 1.0, "frequency_hz": 1.6, "phase_rad": 1.5 },
    { "kind": "waves", "amplitude_m_s2": 1.0, "frequency_hz": 2.0, "waves": 3 }
  ],
  "target": { "kind": "pga", "pga_m_s2": 3.0 },
  "limit_states": [
    { "state": { "rotation": 0.1 }, "allowed_probability": 0.5 },
    { "state": "overturning", "allowed_probability": 0.1 }
  ],
  "duration_s": 15.0
}"#;

#[test]
fn an_assessment_gives_a_verdict_for_each_limit_state_and_what_it_rests_on() {
    let work = tempfile::tempdir().unwrap();
    let example = FIVE_MOTIONS;
    let (result, _) = results(example, work.path());
    let states = result["limit_states"].as_array().unwrap();
    assert_eq!(states.len(), 2);
    for state in states {
        let verdict = state["verdict"].as_str().unwrap();
        let (low, high, allowed) = (
            state["probability_at_least"].as_f64().unwrap(),
            state["probability_at_most"].as_f64().unwrap(),
            state["allowed_probability"].as_f64().unwrap(),
        );
        let by_bounds = if high <= allowed {
            "met"
        } else if low > allowed {
            "not met"
        } else {
            "undecided"
        };
        assert_eq!(verdict, by_bounds, "{state}");
    }
    // five records cannot show a probability of 0.1
    let sentence = states[1]["sentence"].as_str().unwrap();
    assert!(names(sentence, &["36 records"]), "{sentence}");
    assert_eq!(result["undecided_runs"], 0);
    assert!(result["not_covered"].as_array().unwrap().len() > 3);
    // tan α = 0.25 < 0.5: it rocks; below it slides
    assert_eq!(result["slides_before_it_rocks"], false);
    let (slippery, warnings) = results(
        &example.replace("\"friction\": 0.5", "\"friction\": 0.1"),
        work.path(),
    );
    assert_eq!(slippery["slides_before_it_rocks"], true);
    assert_eq!(slippery["motions_that_slide"], 5);
    assert!(one_names(&warnings, &["5 of 5"]), "{warnings:?}");
    let (without, _) = results(&example.replace("\"friction\": 0.5,", ""), work.path());
    assert_eq!(without["slides_before_it_rocks"], serde_json::Value::Null);
}

#[test]
fn objects_come_from_outlines_and_meshes() {
    let work = tempfile::tempdir().unwrap();
    // a closed prism 0.4 x 0.4 x 1.6 m as OBJ
    let obj = "v 0 0 0\nv 0.4 0 0\nv 0.4 0.4 0\nv 0 0.4 0\nv 0 0 1.6\nv 0.4 0 1.6\nv 0.4 0.4 1.6\nv 0 0.4 1.6\n\
        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    std::fs::write(work.path().join("prism.obj"), obj).unwrap();
    let example = FIVE_MOTIONS;
    let block = r#""block": { "kind": "rectangle", "width_m": 0.4, "height_m": 1.6 }"#;
    assert!(example.contains(block));
    let (plain, _) = results(example, work.path());
    let mesh = example.replace(
        block,
        r#""mesh": { "file": "prism.obj", "density_kg_m3": 2500 }"#,
    );
    let (meshed, _) = results(&mesh, work.path());
    for key in ["lift_off_m_s2", "balance_velocity_m_s"] {
        let (a, b) = (plain[key].as_f64().unwrap(), meshed[key].as_f64().unwrap());
        assert!((a - b).abs() < 1e-12 * a, "{key}: {a} {b}");
    }
    let drum = example.replace(
        block,
        r#""block": { "kind": "revolved", "outline_m": [[0.2, 0], [0.2, 1.6]] }"#,
    );
    let (drum, _) = results(&drum, work.path());
    assert!((drum["lift_off_m_s2"].as_f64().unwrap() - 9.81 * 0.25).abs() < 1e-12);
    let both = example.replace(
        block,
        &format!("{block}, \"mesh\": {{ \"file\": \"prism.obj\", \"density_kg_m3\": 2500 }}"),
    );
    let read = Scene::parse(&both, work.path()).and_then(|(scene, _)| scene.job());
    let error = read.map(|_| ()).unwrap_err();
    assert!(names(&format!("{error:#}"), &["block", "mesh"]));
}

/// A prism 0.4 m wide, 0.3 m deep and 1.6 m high rocks along x, where its slenderness is atan(0.2/0.8); along y it is
/// atan(0.15/0.8).
#[test]
fn a_mesh_that_is_less_stable_in_another_plane_is_told() {
    let work = tempfile::tempdir().unwrap();
    let obj = "v 0 0 0\nv 0.4 0 0\nv 0.4 0.3 0\nv 0 0.3 0\nv 0 0 1.6\nv 0.4 0 1.6\nv 0.4 0.3 1.6\nv 0 0.3 1.6\n\
        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    std::fs::write(work.path().join("prism.obj"), obj).unwrap();
    let example = FIVE_MOTIONS;
    let block = r#""block": { "kind": "rectangle", "width_m": 0.4, "height_m": 1.6 }"#;
    let cautions = |more: &str| {
        let mesh = format!(r#""mesh": {{ "file": "prism.obj", "density_kg_m3": 2500{more} }}"#);
        let (scene, _) =
            klast_scenes::Scene::parse(&example.replace(block, &mesh), work.path()).unwrap();
        scene.job().unwrap();
        scene.text().cautions()
    };
    let along_x = cautions("");
    let said = ["prism.obj", "90.0", "10.620", "azimuth_deg 0", "14.036"];
    assert!(one_names(&along_x, &said), "{along_x:?}");
    let along_y = cautions(r#", "azimuth_deg": 90"#);
    assert!(!one_names(&along_y, &["prism.obj", "10.6"]), "{along_y:?}");
    // Sheared by 0.5 m along y its mass centre is 0.4 m behind the front edge, and the base 0.3 m deep.
    let sheared = obj
        .replace("0 1.6", "0.5 1.6")
        .replace("0.3 1.6", "0.8 1.6");
    std::fs::write(work.path().join("prism.obj"), sheared).unwrap();
    let falls = cautions("");
    let said = "prism.obj: the body does not stand: its mass centre is not within the edge of its base towards 90.0 degrees";
    assert!(falls.iter().any(|w| w.starts_with(said)), "{falls:?}");
}

/// A fraction of SplitMix64 (Steele, Lea and Flood 2014).
fn fraction(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// The example has 40 motions, drawn with the seeds 1 to 40: a frequency of 0.6 to 2.4 Hz, uniform in its logarithm, a
/// phase, and one to five waves. Its band at the median is one that can be used.
#[test]
fn the_example_of_a_fragility_has_motions_of_stated_seeds_and_a_band() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(folder.join("rocking-fragility.json")).unwrap();
    let scene: serde_json::Value = serde_json::from_str(&text).unwrap();
    let motions = scene["motions"].as_array().unwrap();
    assert_eq!(motions.len(), 40);
    for (seed, motion) in (1u64..).zip(motions) {
        let mut state = seed;
        let drawn = [0, 1, 2].map(|_| fraction(&mut state));
        let expected = [
            0.6 * 4f64.powf(drawn[0]),
            std::f64::consts::TAU * drawn[1],
            1.0 + (5.0 * drawn[2]).floor(),
        ];
        for (key, expected) in ["frequency_hz", "phase_rad", "waves"]
            .into_iter()
            .zip(expected)
        {
            // Written with four places.
            assert!(
                (motion[key].as_f64().unwrap() - expected).abs() < 6e-5,
                "{seed} {key}"
            );
        }
    }
    let (result, warnings) = results(&text, &folder);
    assert_eq!(result["warning"], serde_json::Value::Null, "{warnings:?}");
    let states = result["states"].as_array().unwrap();
    let overturning = states.last().unwrap();
    let end = |k: usize| overturning["band_at_median"][k].as_f64().unwrap();
    // 40 records at the median tell a probability to about ±2 √(0.25/40) = 0.16, if each had one outcome.
    assert!(end(0) > 0.25 && end(1) < 0.75, "{overturning}");
    let medians: Vec<f64> = states.iter().filter_map(|s| s["median"].as_f64()).collect();
    assert!(
        medians.len() > 2 && medians.windows(2).all(|pair| pair[0] <= pair[1]),
        "{medians:?}"
    );
}

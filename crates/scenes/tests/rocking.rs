//! Scenes of a rocking block through the program's own readers.
use crate::common::refused::paths;
use klast_ground_motion::GroundMotion;
use klast_rocking::{Options, Restitution, RestitutionModel, RockingBlock, simulate};
use klast_rocking_jobs::rocking_fit::result::Results as Fit;
use klast_runs::answer::Judgement;
use klast_runs::fit::{Beside, Interval, Optimum};
use klast_scenes::Scene;
use klast_scenes::kinds::find;
use serde_json::json;

fn prepare(kind: &str, text: &str) -> klast_runs::error::Result<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let (scene, _) = Scene::parse(text, folder)?;
    assert_eq!(scene.kind().name, kind);
    Ok(scene.job()?.describe())
}

#[test]
fn every_example_is_accepted() {
    for kind in ["rocking", "rocking_map", "rocking_fit", "rocking_fragility"] {
        let example = find(kind).unwrap().example;
        let description = prepare(kind, example).unwrap();
        assert!(!description.is_empty(), "{kind}");
    }
}

#[test]
fn wrong_scenes_are_refused_with_their_cause() {
    let example = find("rocking").unwrap();
    let found = [
        (example, "\"width_m\": 0.5", "\"width_m\": 0"),
        (example, "\"width_m\"", "\"width\""),
        (
            example,
            "{ \"kind\": \"housner\" }",
            "{ \"kind\": \"given\", \"eta\": 1.5 }",
        ),
        (example, "\"frequency_hz\": 2.0", "\"frequency_hz\": 0"),
        (example, "\"duration_s\": 10.0", "\"duration_s\": -1"),
        (
            example,
            "{ \"kind\": \"waves\", \"amplitude_m_s2\": 4.8065, \"frequency_hz\": 2.0 }",
            "{ \"kind\": \"record\", \"file\": \"nowhere.AT2\" }",
        ),
    ]
    .map(|(kind, from, to)| {
        assert!(kind.example.contains(from), "{from}");
        paths(prepare(kind.name, &kind.example.replace(from, to))).join(" ")
    });
    let expected = [
        "block.width_m",
        "block.width",
        "restitution.eta",
        "horizontal.frequency_hz",
        "duration_s",
        "horizontal",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_quantity_of_a_map_that_decides_nothing_is_refused() {
    let scene = |columns: &str, fixed: &str| {
        format!(
            r#"{{"schema": 1, "kind": "rocking_map",
            "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2}}, "motion": "sine", "duration_s": 1,
            "rows": {{"quantity": "amplitude_over_lift_off", "from": 1, "to": 2, "count": 2}},
            "columns": {{"quantity": "{columns}", "from": 0.5, "to": 1, "count": 2}},
            "fixed": [{{"quantity": "{fixed}", "value": 2}}]}}"#
        )
    };
    assert!(prepare("rocking_map", &scene("eta", "frequency_hz")).is_ok());
    // One of the two would win and the other change nothing; a sine has no duration of a pulse. Each is about two keys,
    // so that the sentence says which.
    for (columns, fixed, told) in [
        ("frequency_hz", "amplitude_m_s2", "both are the amplitude"),
        ("frequency_hz", "omega_over_p", "both are the frequency"),
        ("pulse_duration_s", "frequency_hz", "no duration of a pulse"),
    ] {
        let refused = prepare("rocking_map", &scene(columns, fixed)).unwrap_err();
        assert!(format!("{refused:#}").contains(told), "{refused:#}");
    }
    // A coefficient of the map would win over the one stated.
    let stated = |text: String| {
        text.replace(
            "\"motion\"",
            "\"restitution\": {\"kind\": \"housner\"}, \"motion\"",
        )
    };
    for (columns, fixed) in [("eta", "frequency_hz"), ("frequency_hz", "eta")] {
        let refused = prepare("rocking_map", &stated(scene(columns, fixed)));
        assert_eq!(paths(refused), ["restitution"]);
    }
    assert!(
        prepare(
            "rocking_map",
            &stated(scene("frequency_hz", "half_diagonal_m"))
        )
        .is_ok()
    );
}

#[test]
fn a_friction_that_an_engine_takes_no_notice_of_is_refused() {
    for (engine, named) in [
        (
            r#"{"kind": "contact", "step_s": 1e-3, "depth_m": 1, "base_friction": 0.5, "friction": 0.5}"#,
            "friction",
        ),
        (r#"{"kind": "no_slip"}"#, ""),
    ] {
        let scene = |friction: &str| {
            format!(
                r#"{{"schema": 1, "kind": "stack", "blocks": [{{"width_m": 0.4, "height_m": 1.2, "mass_kg": 1}}],
                "duration_s": 1, {friction} "engine": {engine}}}"#
            )
        };
        assert!(prepare("stack", &scene("")).is_ok(), "{engine}");
        let beside = prepare("stack", &scene("\"friction\": 0.5,"));
        match named.is_empty() {
            true => assert!(beside.is_ok(), "{engine}"),
            false => assert_eq!(paths(beside), [named], "{engine}"),
        }
    }
}

#[test]
fn a_record_is_read_by_its_content_whatever_its_name() {
    let work = tempfile::tempdir().unwrap();
    let said = |name: &str, bytes: &[u8], more: &str| {
        std::fs::write(work.path().join(name), bytes).unwrap();
        let text = format!(
            r#"{{"schema": 1, "kind": "rocking", "duration_s": 1,
            "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2}},
            "horizontal": {{"kind": "record", "file": "{name}"{more}}}}}"#
        );
        let (scene, _) = Scene::parse(&text, work.path()).unwrap();
        scene.job().map(|job| job.describe())
    };
    // The largest of each record is 2 m/s².
    let columns = b"Temps (s)\tAcc\xe9l\xe9ration (m/s\xb2)\n0\t0\n0.5\t-2.0D+00\n1\t0\n";
    let peer = b"C\xf4te\nB\nUNITS OF CM/S2\nNPTS= 3, DT= .5\n-100.000-200.000 0.00\n";
    for name in ["a.txt", "a.at2", "a.csv", "a"] {
        for bytes in [&columns[..], &peer[..]] {
            let found = said(name, bytes, "").unwrap();
            assert!(found.contains("PGA 2.000"), "{name}: {found}");
        }
    }
    let bare = b"0 0\n0.5 0.2\n1 0\n";
    let given = said("a.dat", bare, r#", "unit": "g", "gravity_m_s2": 10"#).unwrap();
    assert!(given.contains("PGA 2.000"), "{given}");
    assert_eq!(paths(said("a.dat", bare, "")), ["horizontal"]);
    let other = said("a.dat", bare, r#", "unit": "m_s2", "gravity_m_s2": 10"#);
    assert_eq!(paths(other), ["horizontal.gravity_m_s2"]);
}

#[test]
fn the_engine_of_a_stack_is_checked_before_it_runs() {
    let scene = |engine: &str| {
        format!(
            r#"{{"schema": 1, "kind": "stack", "blocks": [{{"width_m": 0.4, "height_m": 1.2, "mass_kg": 1}}],
            "duration_s": 1, "engine": {engine}}}"#
        )
    };
    let contact = |key: &str, value: f64| {
        let mut engine = serde_json::json!({
            "kind": "contact", "step_s": 1e-3, "depth_m": 1, "base_friction": 0.5, "friction": 0.5,
        });
        engine[key] = value.into();
        prepare("stack", &scene(&engine.to_string()))
    };
    assert!(contact("step_s", 1e-3).is_ok());
    for (key, value) in [
        ("step_s", 0.0),
        ("step_s", 1e-10),
        ("depth_m", -1.0),
        ("friction", -0.1),
        ("restitution", 2.0),
    ] {
        // A step of 0 is refused by its range and by the number of samples that it would make.
        let mut found = paths(contact(key, value));
        found.dedup();
        assert_eq!(found, [format!("engine.{key}")], "{value}");
    }
    // The scheme of the thesis is a check of the program, and no engine.
    let newmark = prepare("stack", &scene(r#"{"kind": "newmark", "step_s": 1e-3}"#));
    assert_eq!(paths(newmark), ["engine.kind"]);
}

#[test]
fn histories_are_read_with_their_unit_and_refused_without() {
    use klast_rocking_jobs::rocking_fit::job::read_history;
    let text = "time_s,rotation_deg\n0.1,10\n0.2,5\n0.3,-2\n0.4,1\n";
    let history = read_history(text).unwrap();
    assert!((history.rotations()[0] - 10f64.to_radians()).abs() < 1e-16);
    assert_eq!(history.times()[0], 0.0);
    // As spreadsheets of other countries write it.
    for other in [
        "time_s;rotation_deg\r\n0.1;10\r\n0.2;5\r\n0.3;-2\r\n0.4;1\r\n;\r\n",
        "\u{feff}sep=;\r\ntime_s;rotation_deg\r\n0,1;10\r\n0,2;5,0\r\n0,3;-2\r\n0,4;1\r\n",
        "\u{feff}# a comment\ntime_s\trotation_deg\n0,1\t10\n0,2\t5\n0,3\t-2\n0,4\t1\n",
    ] {
        assert_eq!(read_history(other).unwrap(), history, "{other}");
    }
    for bad in [
        "",
        "0,1\n",
        "time_s,rotation\n0,1\n",
        "time_s,rotation_rad\n0,0.1\n1,NaN\n",
        "time_s;rotation_rad\n0,0;0,1\n0.1;0,1\n0,2;0\n0,3;0\n",
        "time_s,rotation_rad\n0,0.1\n0,0.1\n1,0\n2,0\n",
        "time_s,rotation_rad\n0,0\n1,0\n2,0\n3,0\n",
    ] {
        assert!(read_history(bad).is_err(), "{bad}");
    }
}

/// Free rocking from 0.4 rad of a block with a coefficient of restitution, filmed at 150 Hz, as a table.
fn filmed(eta: f64, tilt: f64, length_s: f64) -> String {
    let block = RockingBlock::rectangle(0.045, 0.0675, 9.81).unwrap();
    let restitution = Restitution::new(RestitutionModel::Given { eta }).unwrap();
    let options = Options {
        sample: Some(1.0 / 150.0),
        ..Options::released(length_s, tilt)
    };
    let run = simulate(&block, &restitution, &GroundMotion::at_rest(), &options).unwrap();
    let rows = run
        .samples
        .iter()
        .map(|s| format!("{},{}\n", s.time, s.rotation));
    format!("time_s,rotation_rad\n{}", rows.collect::<String>())
}

fn fit(histories: &[String], window: &str) -> klast_runs::error::Result<Fit> {
    let names: Vec<String> = (0..histories.len()).map(|k| format!("{k}.csv")).collect();
    let text = json!({
        "schema": 1, "kind": "rocking_fit",
        "block": {"kind": "rectangle", "width_m": 0.045, "height_m": 0.0675},
        "history": if names.len() == 1 { json!(names[0]) } else { json!(names) },
        "window": window, "resamples": 200,
    });
    let (scene, _) = Scene::parse(&text.to_string(), ".")?;
    let files = names
        .into_iter()
        .zip(histories.iter().map(|h| h.clone().into_bytes()));
    let job = scene.with_files(files.collect()).job()?;
    Ok(*job.run_silently()?.results.take::<Fit>().unwrap())
}

/// Five releases with coefficients around 0.7: the fit is their middle, the interval holds it, and histories that the
/// fit has not seen are nearer to it than to Housner's 0.538.
#[test]
fn several_histories_give_an_interval_and_are_held_out_in_turn() {
    let etas = [0.69, 0.695, 0.7, 0.705, 0.71];
    let histories = etas.map(|eta| filmed(eta, 0.4, 0.3));
    let found = fit(&histories, "full").unwrap();
    let s = &found.summary;
    assert_eq!(s.histories, 5);
    assert!((s.eta.value - 0.7).abs() < 2e-3, "{:?}", s.eta);
    assert!(s.eta.low < 0.7 && 0.7 < s.eta.high && s.eta.high - s.eta.low < 0.02);
    assert_eq!(
        (s.eta.optimum, s.eta.interval, s.held_out.beside_reference),
        (Optimum::Inside, Interval::Closed, Beside::Better)
    );
    assert!(s.held_out_rms_rad.unwrap() >= s.rms_rad);
    assert_eq!(found.answer().judgement, Judgement::Measured);
    // One history has no scatter.
    let found = fit(&histories[2..3], "full").unwrap();
    let s = &found.summary;
    assert_eq!(
        (s.eta.interval, s.held_out.beside_reference),
        (Interval::None, Beside::NotTested)
    );
    // Half of the digits of the place of a minimum, of a history written to all of its digits.
    assert!((s.eta.value - 0.7).abs() < 1e-7, "{:?}", s.eta);
    // A block that loses nothing at all.
    let found = fit(&[filmed(1.0, 0.4, 0.3)], "full").unwrap();
    assert_eq!(found.summary.eta.optimum, Optimum::AtUpperEnd);
    assert_eq!(found.answer().judgement, Judgement::Undecided);
}

/// Whatever a run would refuse the check refuses: a release beyond the balance (0.588 rad), a window without two
/// impacts, one without two samples.
#[test]
fn the_check_of_a_fit_refuses_what_its_run_would() {
    let level = "time_s,rotation_rad\n0,0.4\n0.1,0.3\n0.2,0.2\n0.3,0.1\n";
    let apart = "time_s,rotation_rad\n0,0.4\n0.1,-0.3\n0.2,0.2\n0.9,0.1\n";
    let beyond = "time_s,rotation_rad\n0,0.6\n0.1,0.3\n0.2,0.2\n0.3,0.1\n";
    for (history, window, path) in [
        (level, "first_half_period", "history"),
        (apart, "middle_half", "history"),
        (beyond, "full", "history"),
    ] {
        assert_eq!(
            paths(fit(&[history.to_owned()], window)),
            [path],
            "{window}"
        );
    }
    assert!(fit(&[], "full").is_err());
}

/// A text where a number is needed, a key that is not known, one that is misspelt: what else is wrong is told with it,
/// and nothing of what was put in its place.
#[test]
fn what_is_of_the_wrong_shape_hides_no_other_fault() {
    let told = |height: &str, duration: &str| {
        let text = format!(
            r#"{{"schema": 1, "kind": "rocking",
            "block": {{"kind": "rectangle", "width_m": -0.5, "height_m": {height}}},
            "horizontal": {{"kind": "waves", "amplitude_m_s2": 2, "frequency_hz": 0}},
            {duration}, "colour": 3, "friction": -1}}"#
        );
        paths(prepare("rocking", &text))
    };
    let [width, height] = ["block.width_m", "block.height_m"];
    let others = [
        "horizontal.frequency_hz",
        "duration_s",
        "colour",
        "friction",
    ];
    assert_eq!(
        told("2.0", "\"duration_s\": \"ten\""),
        [&[width][..], &others].concat()
    );
    assert_eq!(
        told("\"2.0\"", "\"duration_s\": -1"),
        [&[width, height][..], &others].concat()
    );
    // The key that was meant is not in the text; what is wrong with its value is told first.
    let misspelt = ["horizontal.frequency_hz", "duraton_s", "colour", "friction"];
    assert_eq!(
        told("2.0", "\"duraton_s\": -1"),
        [&["duration_s", width][..], &misspelt].concat()
    );
}

/// Housner's coefficient of a rectangle is 1 − 3/2 sin² α, below 0 for a width over √2 heights.
#[test]
fn a_block_too_bulky_to_rock_is_refused_before_it_is_fitted() {
    let example = find("rocking_fit").unwrap().example;
    let of = |height: f64| {
        let width = "\"width_m\": 0.045, \"height_m\": 0.0675";
        assert!(example.contains(width));
        let other = format!("\"width_m\": {}, \"height_m\": {height}", 1.42 * height);
        prepare("rocking_fit", &example.replace(width, &other))
    };
    assert_eq!(paths(of(0.0675)), ["block"]);
}

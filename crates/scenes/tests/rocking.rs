//! Scenes of a rocking block through the program's own readers.
use klast_scenes::Scene;
use klast_scenes::kinds::find;

fn prepare(kind: &str, text: &str) -> klast_runs::error::Result<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let (scene, _) = Scene::parse(text, folder)?;
    assert_eq!(scene.kind().name, kind);
    Ok(scene.job()?.describe())
}

#[test]
fn every_example_is_accepted() {
    for kind in [
        "rocking",
        "rocking_map",
        "rocking_fit",
        "rocking_spectrum",
        "rocking_fragility",
    ] {
        let example = find(kind).unwrap().example;
        let description = prepare(kind, example).unwrap();
        assert!(!description.is_empty(), "{kind}");
    }
}

#[test]
fn wrong_scenes_are_refused_with_their_cause() {
    let example = find("rocking").unwrap().example;
    let broken = |from: &str, to: &str| {
        assert!(example.contains(from), "{from}");
        format!(
            "{:#}",
            prepare("rocking", &example.replace(from, to)).unwrap_err()
        )
    };
    assert!(broken("\"width_m\": 0.5", "\"width_m\": 0").contains("width"));
    assert!(broken("\"width_m\"", "\"width\"").contains("width_m"));
    assert!(
        broken(
            "{ \"kind\": \"housner\" }",
            "{ \"kind\": \"given\", \"eta\": 1.5 }"
        )
        .contains("eta")
    );
    assert!(broken("\"frequency_hz\": 2.0", "\"frequency_hz\": 0").contains("omega"));
    assert!(broken("\"duration_s\": 10.0", "\"duration_s\": -1").contains("duration"));
    let record = broken(
        "{ \"kind\": \"waves\", \"amplitude_m_s2\": 4.8065, \"frequency_hz\": 2.0 }",
        "{ \"kind\": \"record\", \"file\": \"nowhere.AT2\" }",
    );
    assert!(record.contains("nowhere.AT2"), "{record}");
    let map = find("rocking_map").unwrap().example;
    let missing = map.replace("omega_over_p", "tilt_rad");
    assert!(format!("{:#}", prepare("rocking_map", &missing).unwrap_err()).contains("frequency"));
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
    let said = |columns, fixed| {
        format!(
            "{:#}",
            prepare("rocking_map", &scene(columns, fixed)).unwrap_err()
        )
    };
    assert!(prepare("rocking_map", &scene("eta", "frequency_hz")).is_ok());
    // One of the two would win and the other change nothing.
    let twice = said("frequency_hz", "amplitude_m_s2");
    assert!(twice.contains("both are the amplitude"), "{twice}");
    let again = said("frequency_hz", "omega_over_p");
    assert!(again.contains("both are the frequency"), "{again}");
    let unused = said("pulse_duration_s", "frequency_hz");
    assert!(unused.contains("no duration of a pulse"), "{unused}");
    // A coefficient of the map would win over the one stated.
    let stated = |text: String| {
        text.replace(
            "\"motion\"",
            "\"restitution\": {\"kind\": \"housner\"}, \"motion\"",
        )
    };
    for (columns, fixed) in [("eta", "frequency_hz"), ("frequency_hz", "eta")] {
        let said = format!(
            "{:#}",
            prepare("rocking_map", &stated(scene(columns, fixed))).unwrap_err()
        );
        assert!(said.contains("restitution: beside eta"), "{said}");
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
            "engine.friction and engine.base_friction",
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
        match prepare("stack", &scene("\"friction\": 0.5,")) {
            Ok(_) => assert!(named.is_empty(), "{engine}"),
            Err(error) => assert!(format!("{error:#}").contains(named), "{engine}: {error:#}"),
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
        match scene.job() {
            Ok(job) => job.describe(),
            Err(error) => format!("{error:#}"),
        }
    };
    // The largest of each record is 2 m/s².
    let columns = b"Temps (s)\tAcc\xe9l\xe9ration (m/s\xb2)\n0\t0\n0.5\t-2.0D+00\n1\t0\n";
    let peer = b"C\xf4te\nB\nUNITS OF CM/S2\nNPTS= 3, DT= .5\n-100.000-200.000 0.00\n";
    for name in ["a.txt", "a.at2", "a.csv", "a"] {
        for bytes in [&columns[..], &peer[..]] {
            let found = said(name, bytes, "");
            assert!(found.contains("PGA 2.000"), "{name}: {found}");
        }
    }
    let bare = b"0 0\n0.5 0.2\n1 0\n";
    let given = said("a.dat", bare, r#", "unit": "g", "gravity_m_s2": 10"#);
    assert!(given.contains("PGA 2.000"), "{given}");
    let unstated = said("a.dat", bare, "");
    assert!(
        unstated.contains("a.dat") && unstated.contains("UNITS OF G"),
        "{unstated}"
    );
    let other = said("a.dat", bare, r#", "unit": "m_s2", "gravity_m_s2": 10"#);
    assert!(other.contains("for a record in g"), "{other}");
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
    for (key, value, field) in [
        ("step_s", 0.0, "step"),
        ("step_s", 1e-10, "engine.step_s"),
        ("depth_m", -1.0, "depth"),
        ("friction", -0.1, "friction"),
        ("restitution", 2.0, "restitution"),
    ] {
        let said = format!("{:#}", contact(key, value).unwrap_err());
        assert!(said.contains(field), "{key} {value}: {said}");
    }
    // The scheme of the thesis is a check of the program, and no engine.
    let said = format!(
        "{:#}",
        prepare("stack", &scene(r#"{"kind": "newmark", "step_s": 1e-3}"#)).unwrap_err()
    );
    assert!(said.contains("accepted: no_slip, contact"), "{said}");
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

//! Records in scenes: what is read, what is said of it, sets of files, and fragilities whose answer is no curve.
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
        missing.contains("1 of 3 files are no records") && missing.contains("step_s"),
        "{missing}"
    );
    let mixed =
        r#"{"files": "records/*.csv"}, {"files": "records/c.dat", "step_s": 0.01, "unit": "m_s2"}"#;
    assert_eq!(
        scene(work.path(), &fragility(mixed)).unwrap().1,
        "3 motions at 3 scales"
    );
    let none = scene(work.path(), &fragility(r#"{"files": "records/*.AT2"}"#)).unwrap_err();
    assert!(none.contains("records/*.AT2: 0 files"), "{none}");
}

//! Scenes of a rocking block through the program's own readers.
use klast_cli::kinds::find;
use klast_cli::scene::SceneText;

fn prepare(kind: &str, text: &str) -> anyhow::Result<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let scene = SceneText::new("scene.json", folder.into(), text.to_owned())?;
    Ok((find(kind)?.prepare)(&scene)?.describe())
}

#[test]
fn every_example_is_accepted() {
    for kind in [
        "rocking",
        "rocking-map",
        "rocking-fit",
        "rocking-spectrum",
        "rocking-fragility",
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
            "{ \"model\": \"housner\" }",
            "{ \"model\": \"given\", \"eta\": 1.5 }"
        )
        .contains("eta")
    );
    assert!(broken("\"frequency_hz\": 2.0", "\"frequency_hz\": 0").contains("omega"));
    assert!(broken("\"duration_s\": 10.0", "\"duration_s\": -1").contains("duration"));
    let record = broken(
        "{ \"kind\": \"waves\", \"amplitude_m_per_s2\": 4.8065, \"frequency_hz\": 2.0 }",
        "{ \"kind\": \"record\", \"file\": \"nowhere.AT2\" }",
    );
    assert!(record.contains("nowhere.AT2"), "{record}");
    let map = find("rocking-map").unwrap().example;
    let missing = map.replace("omega_over_p", "eta");
    assert!(format!("{:#}", prepare("rocking-map", &missing).unwrap_err()).contains("frequency"));
}

//! Scenes of restrained blocks through the program's own readers.

use klast_rocking_jobs::{assess, rocking};
use klast_scenes::Scene;

use klast_runs::Outcome;

fn read(text: &str) -> anyhow::Result<Outcome> {
    let (scene, _) = Scene::parse(text, ".")?;
    scene.job()?.run_silently()
}

const BOLT: &str = r#"{"block_x_m": -0.25, "stiffness_n_per_m": 2e5, "strength_n": 5e3}"#;

fn rocking(restrainers: &str, more: &str) -> anyhow::Result<Outcome> {
    read(&format!(
        r#"{{"schema": 1, "kind": "rocking", "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}},
        "restrainers": [{restrainers}], {more} "duration_s": 3,
        "horizontal": {{"kind": "waves", "amplitude_m_s2": -6.0, "frequency_hz": 0.8}}}}"#
    ))
}

#[test]
fn a_restrainer_that_breaks_is_in_verdict_events_and_result() {
    let outcome = rocking(BOLT, r#""mass_kg": 800,"#).unwrap();
    let results = outcome.results.of::<rocking::result::Results>().unwrap();
    let json = serde_json::to_value(&results.summary).unwrap();
    let broke = json["restraint"]["restrainers"][0]["broke_s"]
        .as_f64()
        .unwrap();
    let sentence = outcome.results.sentence().unwrap();
    assert!(
        sentence.contains(&format!("the restrainer broke at {broke:.3} s")),
        "{sentence}"
    );
    let event = results.events.iter().find(|e| e.event == "broke").unwrap();
    assert_eq!((event.time_s, event.restrainer), (broke, Some(1)));
    // F²/(2 k) of the scene.
    let lost = json["restraint"]["restrainers"][0]["dissipated_rupture_j"]
        .as_f64()
        .unwrap();
    assert!((lost / 62.5 - 1.0).abs() < 1e-10, "{lost}");
    let strong = BOLT.replace("5e3", "1e9");
    let held = rocking(&strong, r#""mass_kg": 800,"#).unwrap();
    let sentence = held.results.sentence().unwrap();
    // It falls about the corner at the bolt, which cannot pull it back: that the corner jumps in the fall decides
    // nothing.
    assert!(
        sentence.contains("past its balance from") && sentence.contains("the restrainer held"),
        "{sentence}"
    );
}

#[test]
fn what_does_not_go_with_restrainers_is_refused_by_name() {
    let refused = |restrainers: &str, more: &str, word: &str| {
        let error = format!("{:#}", rocking(restrainers, more).unwrap_err());
        assert!(
            error.contains(word) && error.contains("accepted"),
            "{error}"
        );
    };
    let mass = r#""mass_kg": 800,"#;
    refused(BOLT, "", "mass_kg");
    refused("", mass, "mass_kg: without restrainers");
    refused(
        BOLT,
        r#""mass_kg": 800, "engine": "slide_rock", "friction": 0.5,"#,
        "slide_rock",
    );
    refused(
        BOLT,
        r#""mass_kg": 800, "equation": "linearised","#,
        "equation",
    );
    // A friction alone leaves the model without slip, which says when it is exceeded.
    let slides = rocking(BOLT, r#""mass_kg": 800, "friction": 0.1,"#).unwrap();
    let sentence = slides.results.sentence().unwrap();
    assert!(sentence.starts_with("The no-slip model ends"), "{sentence}");
}

#[test]
fn anchors_are_assessed_and_their_ruptures_counted() {
    let scene = |strength: f64| {
        format!(
            r#"{{"schema": 1, "kind": "assess", "block": {{"kind": "rectangle", "width_m": 0.4, "height_m": 1.6}},
            "mass_kg": 500, "restrainers": [
              {{"block_x_m": -0.2, "stiffness_n_per_m": 1e5, "strength_n": {strength}}},
              {{"block_x_m": 0.2, "stiffness_n_per_m": 1e5, "strength_n": {strength}}}],
            "motions": [
              {{"kind": "waves", "amplitude_m_s2": 5.0, "frequency_hz": 0.8}},
              {{"kind": "waves", "amplitude_m_s2": 5.0, "frequency_hz": 1.3, "waves": 2}}],
            "factors": {{"from": 0.5, "to": 1.0, "count": 2}}, "replicates": 20,
            "limit_states": [{{"state": "overturning", "allowed_probability": 0.1}}], "duration_s": 12}}"#
        )
    };
    let counted = |strength: f64| {
        let outcome = read(&scene(strength)).unwrap();
        let results = outcome.results.of::<assess::result::Results>().unwrap();
        let summary = serde_json::to_value(&results.summary).unwrap();
        let breaks = results
            .records
            .iter()
            .filter(|r| r.restrainer_breaks)
            .count();
        assert_eq!(summary["motions_that_break_restrainers"], breaks);
        let said = summary["thresholds"].to_string();
        assert!(said.contains("Restrainers: under the target"), "{said}");
        (
            breaks,
            results.records.iter().filter(|r| r.overturned).count(),
        )
    };
    let (weak, strong) = (counted(100.0), counted(1e9));
    assert_eq!((weak.0, strong), (2, (0, 0)));
    // Weak anchors do not keep the block from falling under the longer pulse.
    assert!(weak.1 > 0);
    let beside = scene(1e9).replace("\"mass_kg\"", "\"friction\": 0.4, \"mass_kg\"");
    let error = format!("{:#}", read(&beside).unwrap_err());
    assert!(error.contains("restrainers: beside friction"), "{error}");
}

fn on_base(kind: &str, more: &str) -> anyhow::Result<Outcome> {
    read(&format!(
        r#"{{"schema": 1, "kind": "rocking", "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}},
        "mass_kg": 800, "base": {kind}, {more} "duration_s": 6,
        "horizontal": {{"kind": "waves", "amplitude_m_s2": 3.0, "frequency_hz": 1.5, "waves": 2}}}}"#
    ))
}

const SPRINGS: &str =
    r#"{"kind": "two_springs", "stiffness_n_per_m": 1e6, "damping_n_s_per_m": 2e4}"#;
const BED: &str = r#"{"kind": "winkler", "stiffness_n_per_m2": 6e6, "damping_n_s_per_m2": 8e4}"#;

#[test]
fn a_block_on_springs_says_when_its_base_lifts() {
    for kind in [SPRINGS, BED] {
        let outcome = on_base(kind, "").unwrap();
        let results = outcome.results.of::<rocking::result::Results>().unwrap();
        let json = serde_json::to_value(&results.summary).unwrap();
        assert_eq!(json["engine"], "compliant_base");
        let first = json["compliant_base"]["first_uplift_s"].as_f64().unwrap();
        let sentence = outcome.results.sentence().unwrap();
        let said = format!("edge of the base lifts first at {first:.3} s");
        assert!(sentence.contains(&said), "{sentence}");
        // W/(2 k b) of the springs, W/(2 b² k) of the bed.
        let uplift = if kind == SPRINGS {
            7848.0 / (2.0 * 1e6 * 0.25)
        } else {
            7848.0 / (2.0 * 0.0625 * 6e6)
        };
        let told = json["compliant_base"]["static_uplift_rad"]
            .as_f64()
            .unwrap();
        assert!((told / f64::asin(uplift) - 1.0).abs() < 1e-12, "{told}");
        assert_eq!(results.history.len(), 1201);
    }
}

#[test]
fn what_does_not_go_with_a_compliant_base_is_refused_by_name() {
    let refused = |more: &str, word: &str| {
        let error = format!("{:#}", on_base(SPRINGS, more).unwrap_err());
        assert!(
            error.contains(word) && error.contains("accepted"),
            "{error}"
        );
    };
    refused(
        r#""restitution": {"kind": "housner"},"#,
        "restitution: beside base",
    );
    refused(r#""engine": "slide_rock", "friction": 0.5,"#, "slide_rock");
    refused(
        &format!(r#""restrainers": [{BOLT}],"#),
        "restrainers: beside base",
    );
    let stiffness = SPRINGS.replace("1e6", "-1e6");
    let error = format!("{:#}", on_base(&stiffness, "").unwrap_err());
    assert!(error.contains("stiffness of the base"), "{error}");
}

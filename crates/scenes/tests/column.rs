//! Scenes of kind `column`: what a user reads of a prism, a cylinder and a column of drums in space.

use klast_rocking_jobs::column;
use klast_runs::Outcome;
use klast_runs::answer::Judgement;
use klast_scenes::Scene;
use serde_json::Value;

const G: f64 = 9.81;

fn read(text: &str) -> klast_runs::error::Result<Outcome> {
    let (scene, _) = Scene::parse(text, ".")?;
    scene.job()?.run_silently()
}

fn column(drums: &str, more: &str) -> klast_runs::error::Result<Outcome> {
    read(&format!(
        r#"{{"schema": 1, "kind": "column", "density_kg_m3": 2500, "drums": [{drums}], {more}}}"#
    ))
}

fn summary(outcome: &Outcome) -> Value {
    let results = outcome.results.of::<column::result::Results>().unwrap();
    serde_json::to_value(&results.summary).unwrap()
}

const PRISM: &str = r#"{"kind": "prism", "width_m": 0.5, "depth_m": 0.4, "height_m": 1.0}"#;
const DRUM: &str = r#"{"kind": "cylinder", "radius_m": 0.25, "height_m": 0.5}"#;

#[test]
fn what_stands_on_a_base_at_rest_stays_at_rest() {
    let outcome = column(
        &format!("{DRUM}, {DRUM}"),
        r#""friction": 0.6, "facets": 8, "duration_s": 0.2"#,
    )
    .unwrap();
    let answer = outcome.results.answer().unwrap();
    assert_eq!(answer.judgement, Judgement::Holds, "{}", answer.verdict);
    assert_eq!(answer.outcome, "rest");
    let found = summary(&outcome);
    assert_eq!(found["half_step"]["outcome"], "rest");
    // Two drums of 0.5 m: their centre is 0.5 m above the base, a circle.
    let critical = found["drums"][0]["critical_tilt_rad"].as_f64().unwrap();
    assert!((critical - 0.5f64.atan()).abs() < 1e-12, "{critical}");
}

/// A base that starts with a jerk: the block slides by (a − μg) a T²/(2 μ g), back and without rocking.
#[test]
fn a_block_that_slides_has_the_offset_of_the_closed_form() {
    let motion =
        r#""horizontal": {"kind": "constant", "acceleration_m_s2": 2.943, "duration_s": 0.2}"#;
    let more = format!(r#""friction": 0.1, "duration_s": 1.0, {motion}"#);
    let outcome = column(PRISM, &more).unwrap();
    let found = summary(&outcome);
    let offset = found["drums"][0]["residual_offset_x_m"].as_f64().unwrap();
    let (a, mu) = (0.3 * G, 0.1);
    let expected = -(a - mu * G) * a * 0.04 / (2.0 * mu * G);
    assert!(
        (offset / expected - 1.0).abs() < 5e-3,
        "{offset} {expected}"
    );
    assert!(
        found["largest_tilt_rad"].as_f64().unwrap() < 1e-6,
        "{found}"
    );
    assert_eq!(found["outcome"], "settled");
    let verdict = outcome.results.answer().unwrap().verdict;
    assert!(verdict.contains("0.1177 m"), "{verdict}");
}

/// The largest offset is that of all steps, whatever is sampled.
#[test]
fn the_largest_offset_does_not_depend_on_the_samples() {
    let motion = r#""horizontal": {"kind": "waves", "amplitude_m_s2": 2.943, "frequency_hz": 2.0}"#;
    let largest = |sample: f64| {
        let more = format!(r#""friction": 0.1, "duration_s": 1.0, "sample_s": {sample}, {motion}"#);
        let found = summary(&column(PRISM, &more).unwrap());
        found["drums"][0]["largest_offset_m"].as_f64().unwrap()
    };
    assert_eq!(largest(0.01), largest(1.0));
}

#[test]
fn a_prism_released_beyond_its_critical_tilt_overturns_to_its_side() {
    let critical = (0.2f64 / 0.5).atan();
    let at = |part: f64| {
        let tilt = part * critical;
        let more = format!(
            r#""friction": 0.8, "tilt_rad": {tilt}, "azimuth_rad": {}, "duration_s": 2.0"#,
            std::f64::consts::FRAC_PI_2
        );
        column(PRISM, &more).unwrap()
    };
    let falls = at(1.03);
    let answer = falls.results.answer().unwrap();
    assert_eq!(answer.judgement, Judgement::Fails, "{}", answer.verdict);
    let azimuth = summary(&falls)["overturned_azimuth_rad"].as_f64().unwrap();
    assert!((azimuth - std::f64::consts::FRAC_PI_2).abs() < 1e-3);
    let stands = summary(&at(0.97));
    assert_ne!(stands["outcome"], "overturned");
    let ratio = stands["largest_tilt_over_critical"].as_f64().unwrap();
    assert!((ratio - 0.97).abs() < 1e-3, "{ratio}");
}

#[test]
fn what_is_no_column_is_refused_with_its_key() {
    let good = r#""friction": 0.5, "duration_s": 0.1"#;
    for (drums, more, word) in [
        ("", good, "bodies of a column"),
        (
            r#"{"kind": "cylinder", "radius_m": 0, "height_m": 1}"#,
            good,
            "drums[0]",
        ),
        (DRUM, r#""friction": -0.1, "duration_s": 1"#, "friction"),
        (
            DRUM,
            r#""friction": 0.5, "duration_s": 1, "facets": 2"#,
            "facets",
        ),
        (
            DRUM,
            r#""friction": 0.5, "duration_s": 1, "tilt_rad": 1.7"#,
            "tilt_rad",
        ),
        (
            DRUM,
            r#""friction": 0.5, "duration_s": 1, "step_s": 0"#,
            "step_s",
        ),
        (
            DRUM,
            r#""friction": 0.5, "duration_s": 1, "restrainers": []"#,
            "restrainers",
        ),
    ] {
        let error = format!("{:#}", column(drums, more).unwrap_err());
        assert!(error.contains(word), "{word}: {error}");
    }
}

/// Restrainers and a compliant base belong to one block: other scenes that name them are refused, with the
/// key, why, and what is accepted.
#[test]
fn restrainers_and_a_compliant_base_are_refused_where_there_is_more_than_a_block() {
    for kind in ["stack", "stack_map", "column"] {
        for key in ["restrainers", "base"] {
            let text = format!(r#"{{"schema": 1, "kind": "{kind}", "{key}": []}}"#);
            let error = format!("{:#}", read(&text).unwrap_err());
            for said in [
                &format!("unknown key `{key}`: "),
                "one block in the plane, in the kinds rocking, rocking_map, rocking_fragility and assess; accepted: ",
            ] {
                assert!(error.contains(said), "{kind} {key}: {error}");
            }
        }
    }
}

/// A column of two round drums tips over the circle of its base at g 0.25/0.8 = 3.07 m/s², where a hexagon in its place
/// would at 2.65. Under waves of 3 m/s² that go round it stands, with six points of contact and with twelve: once it
/// leans by next to nothing it leans on its circle.
#[test]
fn a_column_of_few_points_tips_over_its_circle() {
    let drum = r#"{"kind": "cylinder", "radius_m": 0.25, "height_m": 0.8}"#;
    let waves = |phase: f64, amplitude: f64| {
        format!(
            r#"{{"kind": "waves", "amplitude_m_s2": {amplitude}, "frequency_hz": 1.2, "phase_rad": {phase}, "waves": 2}}"#
        )
    };
    let more = format!(
        r#""friction": 0.7, "facets": 6, "duration_s": 2.0, "step_s": 0.004, "horizontal": {}, "transverse": {}"#,
        waves(0.0, 3.0),
        waves(1.57, 2.4)
    );
    let outcome = column(&format!("{drum}, {drum}"), &more).unwrap();
    let found = summary(&outcome);
    let answer = outcome.results.answer().unwrap();
    assert_eq!(answer.judgement, Judgement::Holds, "{}", answer.verdict);
    for at in ["", "/half_step", "/twice_the_sides"] {
        let at = format!("{at}/largest_tilt_over_critical");
        let ratio = found.pointer(&at).and_then(Value::as_f64).unwrap();
        assert!(ratio < 1e-3, "{at} {ratio}");
    }
}

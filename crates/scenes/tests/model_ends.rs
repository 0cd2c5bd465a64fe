//! A model that ends says so: in the verdict, in the warnings, and in the counts.

use crate::common::refused::{names, paths};
use klast_rocking_jobs::{rocking, rocking_map, stack};
use klast_scenes::Scene;

use klast_runs::Outcome;

fn run(text: &str) -> Outcome {
    let (scene, _) = Scene::parse(text, ".").unwrap();
    scene.job().unwrap().run_silently().unwrap()
}

fn slides(more: &str) -> Outcome {
    run(&format!(
        r#"{{"schema": 1, "kind": "rocking", "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}},
        "friction": 0.2, "duration_s": 10, {more}
        "horizontal": {{"kind": "waves", "amplitude_m_s2": 14.0, "frequency_hz": 1.0}}}}"#
    ))
}

/// μ = 0.2 is below b/h = 0.25: the base reaches μg at asin(0.2 g/14)/2π = 0.0224 s, before the 0.028 s at which it
/// could lift off, and the block slides, for good.
#[test]
fn a_block_that_slides_is_not_said_to_overturn() {
    let onset = (0.2f64 * 9.81 / 14.0).asin() / std::f64::consts::TAU;
    let outcome = slides("");
    let sentence = outcome.results.sentence().unwrap();
    let said = format!("The block slides from {onset:.3} s, never rocks and at the end rests");
    assert!(sentence.starts_with(&said), "{sentence}");
    let end = format!("the no-slip model ends at {onset:.3} s: it slides");
    assert!(outcome.warnings.contains(&end), "{:?}", outcome.warnings);
    let results = outcome.results.of::<rocking::result::Results>().unwrap();
    let json = serde_json::to_value(&results.summary).unwrap();
    assert_eq!(json["outcome"], "slid");
    assert_eq!(json["engine"], "slide_rock");
    assert_eq!(json["slip"]["first_rock_s"], serde_json::Value::Null);
    assert_eq!(json["max_rotation_rad"], 0.0);
}

#[test]
fn the_model_without_slip_is_headed_by_its_end() {
    let outcome = slides(r#""engine": "no_slip","#);
    let sentence = outcome.results.sentence().unwrap();
    assert!(names(&sentence, &["0.022 s"]), "{sentence}");
    assert_eq!(outcome.warnings.len(), 1);
    assert!(names(&outcome.warnings[0], &["0.022 s"]));
    let results = outcome.results.of::<rocking::result::Results>().unwrap();
    let no_slip = results.summary.no_slip.unwrap();
    assert!(!no_slip.holds && no_slip.ends_as == Some("slides"));
}

#[test]
fn without_a_coefficient_the_needed_friction_is_given() {
    let outcome = run(
        r#"{"schema": 1, "kind": "rocking", "block": {"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}, "duration_s": 5,
        "horizontal": {"kind": "waves", "amplitude_m_s2": 4.0, "frequency_hz": 2.0}}"#,
    );
    let results = outcome.results.of::<rocking::result::Results>().unwrap();
    let needed = results.summary.no_slip.unwrap().needed_friction.unwrap();
    assert!(needed >= 0.25, "at lift-off it is b/h: {needed}");
    let sentence = outcome.results.sentence().unwrap();
    assert!(names(&sentence, &[&format!("{needed:.3}")]), "{sentence}");
    assert!(outcome.warnings.is_empty());
}

#[test]
fn slip_beside_what_knows_none_is_refused() {
    let job = |more: &str| {
        let text = format!(
            r#"{{"schema": 1, "kind": "rocking", "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}}, {more} "duration_s": 1}}"#
        );
        Scene::parse(&text, ".").unwrap().0.job()
    };
    for more in [
        r#""friction": 0.5,"#,
        r#""friction": 0.5, "friction_at_rest": 0.6,"#,
    ] {
        assert!(job(more).is_ok(), "{more}");
    }
    let found = [
        r#""engine": "slide_rock","#,
        r#""friction": -0.5,"#,
        r#""friction": 0.5, "friction_at_rest": 0.4,"#,
        r#""friction": 0.5, "engine": "slide_rock", "equation": "linearised","#,
        r#""friction": 0.5, "engine": "no_slip", "friction_at_rest": 0.6,"#,
    ]
    .map(|more| paths(job(more)).join(" "));
    assert_eq!(
        found,
        [
            "engine",
            "friction",
            "friction_at_rest",
            "engine",
            "friction_at_rest"
        ]
    );
}

/// 5 % of loss at the base of a shut stack open the interface above: 1b, by an impact that is resolved.
#[test]
fn a_loss_at_the_base_opens_a_shut_stack() {
    let outcome = run(
        r#"{"schema": 1, "kind": "stack", "duration_s": 0.15, "relative_rotation_rad": [-0.02, 0.0],
        "blocks": [{"width_m": 0.045, "height_m": 0.2025, "mass_kg": 1.0896}, {"width_m": 0.045, "height_m": 0.10125, "mass_kg": 0.5444}],
        "base_restitution": {"kind": "relative", "ratio": 0.95}, "restitution": {"kind": "housner"}}"#,
    );
    let results = outcome.results.of::<stack::result::Results>().unwrap();
    assert_eq!(results.summary.unresolved, Some(0));
    let events = results.events.as_ref().unwrap();
    let impact = events.iter().find(|event| event.event == "impact").unwrap();
    assert_eq!(impact.after, "1b");
    // It holds under a friction, and says under which.
    assert!(results.summary.no_slip.is_some());
    let sentence = outcome.results.sentence().unwrap();
    assert!(sentence.contains("friction"), "{sentence}");
}

#[test]
fn a_map_with_friction_tells_the_cells_that_slide() {
    let map = |more: &str| {
        run(&format!(
            r#"{{"schema": 1, "kind": "rocking_map", "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}},
            "motion": "sine", "duration_s": 5, "friction": 0.2, {more}
            "rows": {{"quantity": "amplitude_m_s2", "from": 1.0, "to": 9.0, "count": 5}},
            "columns": {{"quantity": "frequency_hz", "from": 1.0, "to": 2.0, "count": 2}}}}"#
        ))
    };
    let count = |outcome: &Outcome| {
        let results = outcome
            .results
            .of::<rocking_map::result::Results>()
            .unwrap();
        (results.summary.rest, results.summary.slides_first)
    };
    // 1 m/s² is under μg; all other rows slide, in either model
    let (with, without) = (map(""), map(r#""engine": "no_slip","#));
    assert_eq!(count(&with), (2, 8));
    assert_eq!(count(&without), (2, 8));
    assert!(with.warnings.is_empty());
    assert_eq!(without.warnings.len(), 1, "{:?}", without.warnings);
}

/// μ = 0.2 is below b/h = 0.25, so no motion overturns the block; it slides, and a fragility says how far.
#[test]
fn a_fragility_tells_that_the_block_slides() {
    let fragility = |friction: &str| {
        run(&format!(
            r#"{{"schema": 1, "kind": "rocking_fragility", "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}},
            {friction} "duration_s": 10, "scales": {{"from": 1.0, "to": 7.0, "count": 4}},
            "motions": [{{"kind": "waves", "amplitude_m_s2": 1.0, "frequency_hz": 1.0}},
                {{"kind": "waves", "amplitude_m_s2": 1.0, "frequency_hz": 1.5}}]}}"#
        ))
    };
    // 1 m/s² is under μg = 1.96 m/s²; 3, 5 and 7 m/s² are not: three scales of two motions.
    let outcome = fragility(r#""friction": 0.2,"#);
    let slides = |w: &&String| names(w, &["6 of 8"]);
    assert_eq!(
        outcome.warnings.iter().filter(slides).count(),
        1,
        "{:?}",
        outcome.warnings
    );
    let held = fragility("");
    assert!(
        held.warnings.iter().all(|w| !names(w, &[" of 8"])),
        "{:?}",
        held.warnings
    );
}

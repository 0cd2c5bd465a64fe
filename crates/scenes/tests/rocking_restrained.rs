//! Scenes of blocks with restrainers, on a compliant base and with slip, alone and together, through the program's own
//! readers.

use crate::common::refused::paths;
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::compliant::{Foundation, FoundationKind};
use klast_rocking::{
    Base, Friction, Restitution, Restrainer, Restraint, RockingBlock, SlideRockOptions,
    SlideRockRun, simulate_slide_rock,
};
use klast_rocking_jobs::{assess, rocking, rocking_fragility, rocking_map};
use klast_scenes::Scene;

use klast_runs::Outcome;

fn read(text: &str) -> klast_runs::error::Result<Outcome> {
    let (scene, _) = Scene::parse(text, ".")?;
    scene.job()?.run_silently()
}

const BOLT: &str = r#"{"block_x_m": -0.25, "stiffness_n_per_m": 2e5, "strength_n": 5e3}"#;

fn rocking(restrainers: &str, more: &str) -> klast_runs::error::Result<Outcome> {
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
    assert!(sentence.contains(&format!("{broke:.3} s")), "{sentence}");
    let event = results.events.iter().find(|e| e.event == "broke").unwrap();
    assert_eq!((event.time_s, event.restrainer), (broke, Some(1)));
    // F²/(2 k) of the scene.
    let lost = json["restraint"]["restrainers"][0]["dissipated_j"]
        .as_f64()
        .unwrap();
    assert!((lost / 62.5 - 1.0).abs() < 1e-10, "{lost}");
    let strong = BOLT.replace("5e3", "1e9");
    let held = rocking(&strong, r#""mass_kg": 800,"#).unwrap();
    let results = held.results.of::<rocking::result::Results>().unwrap();
    let json = serde_json::to_value(&results.summary).unwrap();
    let restrainer = &json["restraint"]["restrainers"][0];
    assert_eq!(restrainer["broke_s"], serde_json::Value::Null);
    // It falls about the corner at the bolt, which cannot pull it back: that the corner jumps in the fall decides
    // nothing.
    assert_eq!(held.results.answer().unwrap().outcome, "overturns");
}

#[test]
fn what_does_not_go_with_restrainers_is_refused_by_name() {
    let mass = r#""mass_kg": 800,"#;
    let taut = BOLT.replace('}', r#", "pretension_n": 10}"#);
    let bar = BOLT.replace('}', r#", "pushes": true}"#);
    let linearised = r#""mass_kg": 800, "equation": "linearised","#;
    let found = [
        (BOLT, ""),
        ("", mass),
        (&taut, mass),
        (&bar, mass),
        (BOLT, linearised),
    ]
    .map(|(restrainers, more)| paths(rocking(restrainers, more)).join(" "));
    let pretension = "restrainers[0].pretension_n";
    // The length that is missing has no place; the equation is refused by the scene and by the model.
    assert_eq!(
        found,
        ["restrainers", "mass_kg", pretension, "", "restrainers "]
    );
    // The model without slip says when a friction is exceeded; the friction alone lets the block slide.
    let no_slip = r#""mass_kg": 800, "friction": 0.1, "engine": "no_slip","#;
    let sticks = rocking(BOLT, no_slip).unwrap();
    let results = sticks.results.of::<rocking::result::Results>().unwrap();
    assert!(!results.summary.no_slip.unwrap().holds);
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
        assert!(said.contains("Restrainers"), "{said}");
        (
            breaks,
            results.records.iter().filter(|r| r.overturned).count(),
        )
    };
    let (weak, strong) = (counted(100.0), counted(1e9));
    assert_eq!((weak.0, strong), (2, (0, 0)));
    // Weak anchors do not keep the block from falling under the longer pulse.
    assert!(weak.1 > 0);
}

fn on_base(kind: &str, more: &str) -> klast_runs::error::Result<Outcome> {
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
    let stiffness = SPRINGS.replace("1e6", "-1e6");
    let found = [
        (SPRINGS, r#""restitution": {"kind": "housner"},"#),
        (SPRINGS, r#""equation": "linearised","#),
        (&stiffness, ""),
    ]
    .map(|(base, more)| paths(on_base(base, more)).join(" "));
    assert_eq!(found, ["restitution", "base", "base.stiffness_n_per_m"]);
}

/// A block of 500 kg with friction 0.25 on a bed, held by two pretensioned rods, of which one is ductile.
const ANCHORED: &str = r#""block": {"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}, "mass_kg": 500, "friction": 0.25,
    "base": {"kind": "winkler", "stiffness_n_per_m2": 3.75e6, "damping_n_s_per_m2": 5e4}, "restrainers": [
      {"block_x_m": -0.25, "block_z_m": 0.8, "base_x_m": -0.6, "base_z_m": 0, "pretension_n": 250,
       "stiffness_n_per_m": 125e3, "strength_n": 2500},
      {"block_x_m": 0.25, "block_z_m": 0.8, "base_x_m": 0.6, "base_z_m": 0, "pretension_n": 250,
       "stiffness_n_per_m": 125e3, "strength_n": 2500, "ductility": 3}]"#;

fn anchored(amplitude: f64, waves: f64) -> Outcome {
    read(&format!(
        r#"{{"schema": 1, "kind": "rocking", {ANCHORED}, "duration_s": 3, "sample_s": 0.5,
        "horizontal": {{"kind": "waves", "amplitude_m_s2": {amplitude}, "frequency_hz": 1.0, "waves": {waves}}}}}"#
    ))
    .unwrap()
}

/// The same by the engine itself.
fn engine(amplitude: f64, waves: f64) -> SlideRockRun {
    let rod = |x: f64, ductility: f64| Restrainer {
        block_point: (x, 0.8),
        base_point: (2.4 * x, 0.0),
        pretension: 250.0,
        ductility,
        ..Restrainer::bolt(x, 125e3, 2500.0)
    };
    let bed = Foundation::new(500.0, FoundationKind::Winkler, 3.75e6, 5e4).unwrap();
    let options = SlideRockOptions {
        base: Base::Compliant(bed),
        restraint: Some(Restraint::new(500.0, &[rod(-0.25, 1.0), rod(0.25, 3.0)]).unwrap()),
        sample: Some(0.5),
        ..SlideRockOptions::new(3.0, Friction::new(0.25).unwrap())
    };
    let block = RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap();
    let wave = Component::waves(amplitude, Frequency::hertz(1.0), 0.0, waves).unwrap();
    let motion = GroundMotion::horizontal(wave);
    simulate_slide_rock(&block, &Restitution::housner(), &motion, &options).unwrap()
}

/// Numbers of the independent integration in `crates/rocking/tests/absolute` with steps of 2e-5 s; with 4e-5 s they
/// differ by 6e-12 rad and 1e-10 s. Steps of 1e-11 of the engine grow in the fall by less than a hundred.
#[test]
fn friction_restrainers_and_a_compliant_base_are_one_run() {
    let outcome = anchored(5.0, 2.0);
    let results = outcome.results.of::<rocking::result::Results>().unwrap();
    let reference = [
        (-0.09570829914462735, 0.0),
        (0.195046302939791, 0.0),
        (0.6196676183555605, -0.07175940494733701),
    ];
    for (row, (rotation, slip)) in results.history[1..].iter().zip(reference) {
        assert!((row.rotation_rad - rotation).abs() < 1e-8, "{row:?}");
        assert!((row.slip_m - slip).abs() < 1e-8, "{row:?}");
    }
    let summary = &results.summary;
    assert_eq!((summary.engine, results.history.len()), ("slide_rock", 4));
    let restraint = summary.restraint.as_ref().unwrap();
    let broke = [0.8423060340430156, 0.48226927810972015];
    for (restrainer, time) in restraint.restrainers.iter().zip(broke) {
        assert!((restrainer.broke_s.unwrap() - time).abs() < 1e-9);
        let event = |e: &&rocking::event::EventRow| e.event == "broke";
        let mut events = results.events.iter().filter(event);
        assert!(events.any(|e| Some(e.time_s) == restrainer.broke_s));
    }
    let run = engine(5.0, 2.0);
    let (slip, base) = (
        summary.slip.as_ref().unwrap(),
        summary.compliant_base.unwrap(),
    );
    assert_eq!(slip.max_slip_m, run.largest_slip);
    assert_eq!(base.max_settlement_m, run.largest_settlement);
    assert_eq!(restraint.dissipated_yielding_j_kg, run.energy.yielding);
    assert_eq!(
        restraint.restrainers[1].yielded_s,
        run.restrainers[1].yielded
    );
    // Energy of 1 J/kg; a thousand steps of 1e-11.
    assert!(base.energy_residual_j_kg.abs() < 1e-7, "{base:?}");
    let said = outcome.results.sentence().unwrap();
    let up = run.first_uplift.unwrap();
    for part in [
        "slides from",
        "overturns to the right",
        "restrainer 1 broke at 0.842 s, restrainer 2 broke at 0.482 s",
        &format!("edge of the base lifts first at {up:.3} s"),
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // Without a friction the same block does not slide, and says what friction that needs.
    let text = ANCHORED.replace(r#" "friction": 0.25,"#, "");
    let sticks = read(&format!(
        r#"{{"schema": 1, "kind": "rocking", {text}, "duration_s": 1,
        "horizontal": {{"kind": "waves", "amplitude_m_s2": 5.0, "frequency_hz": 1.0}}}}"#
    ));
    let sticks = sticks.unwrap();
    let results = sticks.results.of::<rocking::result::Results>().unwrap();
    assert_eq!(
        (results.summary.engine, results.events[0].restrainer),
        ("compliant_base", Some(2))
    );
    assert!(results.summary.no_slip.is_some());
    let said = sticks.results.sentence().unwrap();
    assert!(said.contains("restrainer 2"), "{said}");
}

/// A map, a fragility and an assessment with all three say of each motion what a run of it says.
#[test]
fn maps_fragilities_and_assessments_take_all_three() {
    let map = read(&format!(
        r#"{{"schema": 1, "kind": "rocking_map", {ANCHORED}, "duration_s": 3, "motion": "sine",
        "rows": {{"quantity": "amplitude_m_s2", "from": 2, "to": 8, "count": 3}},
        "columns": {{"quantity": "frequency_hz", "from": 1, "to": 2, "count": 2}}}}"#
    ))
    .unwrap();
    let map = map.results.of::<rocking_map::result::Results>().unwrap();
    let motion = r#"{"kind": "waves", "amplitude_m_s2": 1.0, "frequency_hz": 1.0}"#;
    let fragility = read(&format!(
        r#"{{"schema": 1, "kind": "rocking_fragility", {ANCHORED}, "duration_s": 3, "motions": [{motion}],
        "scales": {{"from": 2, "to": 8, "count": 3}}}}"#
    ))
    .unwrap();
    let trials = &fragility
        .results
        .of::<rocking_fragility::result::Results>()
        .unwrap()
        .trials;
    let slenderness = 0.25f64.atan();
    let mut seen = [0; 3];
    for (row, amplitude) in [2.0, 5.0, 8.0].into_iter().enumerate() {
        let (run, trial) = (engine(amplitude, 1.0), &trials[row]);
        assert!(
            (trial.peak_over_slenderness * slenderness / run.largest_rotation - 1.0).abs() < 1e-12
        );
        assert_eq!(trial.max_slip_m, run.largest_slip);
        let cell = map.cells[2 * row].words();
        let overturned = cell.starts_with("overturned");
        assert_eq!(overturned, trial.overturned, "{amplitude} {cell}");
        seen[0] += usize::from(overturned);
        seen[1] += usize::from(!overturned);
        seen[2] += usize::from(run.largest_slip > 1e-3);
    }
    assert!(seen.iter().all(|n| *n > 0), "{seen:?}");
    // Without slip the block falls and tears its upright cable; with a friction of 0.1 it only slides, by less than the
    // (1.8² − 1.6²)^½ m = 0.82 m at which the cable is taut.
    let breaks = |friction: &str| {
        let text = format!(
            r#"{{"schema": 1, "kind": "assess", "block": {{"kind": "rectangle", "width_m": 0.4, "height_m": 1.6}},
            "mass_kg": 500, {friction} "base": {SPRINGS}, "restrainers": [
              {{"block_x_m": -0.2, "block_z_m": 1.6, "base_z_m": 0, "stiffness_n_per_m": 1e5, "strength_n": 100,
               "slack_m": 0.2}}],
            "motions": [{{"kind": "waves", "amplitude_m_s2": 12.0, "frequency_hz": 1.6}},
              {{"kind": "waves", "amplitude_m_s2": 14.0, "frequency_hz": 1.8}}],
            "factors": {{"from": 0.5, "to": 1.0, "count": 2}}, "replicates": 20, "duration_s": 5,
            "limit_states": [{{"state": "overturning", "allowed_probability": 0.1}}]}}"#
        );
        let outcome = read(&text).unwrap();
        let results = outcome.results.of::<assess::result::Results>().unwrap();
        let slip = results
            .records
            .iter()
            .fold(0.0f64, |m, r| m.max(r.max_slip_m));
        (results.summary.motions_that_break_restrainers, slip)
    };
    assert_eq!(breaks(""), (Some(2), 0.0));
    let (broken, slip) = breaks(r#""friction": 0.1,"#);
    assert!(
        broken == Some(0) && slip > 0.1 && slip < 0.82,
        "{broken:?} {slip}"
    );
}

#[test]
fn a_map_of_sizes_is_refused_beside_what_has_one_size() {
    let refused = |(more, rows): (&str, &str)| {
        paths(read(&format!(
            r#"{{"schema": 1, "kind": "rocking_map", {ANCHORED}, "duration_s": 3, "motion": "sine", {more}
            "rows": {{"quantity": "{rows}", "from": 0.5, "to": 0.9, "count": 2}},
            "columns": {{"quantity": "frequency_hz", "from": 1, "to": 2, "count": 2}},
            "fixed": [{{"quantity": "amplitude_m_s2", "value": 2}}]}}"#
        )))
        .join(" ")
    };
    let found = [
        ("", "half_diagonal_m"),
        ("", "eta"),
        (r#""engine": "no_slip","#, "tilt_rad"),
        (r#""restitution": {"kind": "housner"},"#, "tilt_rad"),
    ]
    .map(refused);
    assert_eq!(found, ["restrainers", "base", "restrainers", "restitution"]);
}

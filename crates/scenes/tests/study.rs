//! Studies of scenes of several kinds: the same numbers as the engines and as single runs, and what is no study.

use std::collections::BTreeMap;
use std::path::Path;

use klast_assembly::analysis::{PeriodSearch, Scenario, Survey, survey};
use klast_assembly::{
    AssemblyError, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity,
};
use klast_ground_motion::{Component, Frequency as Hertz, GroundMotion};
use klast_rocking::{
    Engine, Options, Outcome, Restitution as Model, RestitutionModel, linspace, rocking_spectrum,
};
use klast_runs::answer::Judgement;
use klast_runs::study::result::{Cells, Results, Row};
use klast_scenes::Scene;
use klast_stacks::{Stack, StackBlock, StackOptions};
use serde_json::{Value, json};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

fn run(scene: &Value) -> Box<Results> {
    let (scene, _) = Scene::parse(&scene.to_string(), EXAMPLES).unwrap();
    scene
        .job()
        .unwrap()
        .run_silently()
        .unwrap()
        .results
        .take()
        .unwrap()
}

fn example(name: &str) -> Value {
    let text = std::fs::read_to_string(Path::new(EXAMPLES).join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn cell(cells: &Cells, name: &str) -> Value {
    let found = cells.0.iter().find(|(key, _)| key == name);
    found
        .unwrap_or_else(|| panic!("{name}: {cells:?}"))
        .1
        .clone()
}

fn number(cells: &Cells, name: &str) -> f64 {
    cell(cells, name).as_f64().unwrap()
}

#[test]
fn a_spectrum_has_the_bits_of_the_engine() {
    let found = run(&example("rocking-spectrum.json"));
    let wave = Component::waves(4.0, Hertz::hertz(1.2), 0.0, 1.0).unwrap();
    let motion = GroundMotion::horizontal(wave);
    let restitution = Model::new(RestitutionModel::Housner).unwrap();
    let mut expected = Vec::new();
    for slenderness in [0.15, 0.25] {
        let periods = linspace(1.0, 8.0, 71);
        let options = Options::new(20.0);
        let spectrum = rocking_spectrum(
            &motion,
            slenderness,
            &restitution,
            &periods,
            9.81,
            &options,
            Engine::NoSlip,
        );
        expected.extend(spectrum.unwrap());
    }
    assert_eq!(found.runs.len(), expected.len());
    for (row, point) in found.runs.iter().zip(&expected) {
        assert_eq!(number(&row.keys, "block.period_s"), point.period);
        assert_eq!(
            number(&row.numbers, "max_rotation_rad"),
            point.largest_rotation
        );
        assert_eq!(
            number(&row.numbers, "max_angular_velocity_rad_s"),
            point.largest_velocity
        );
        let fell = matches!(point.outcome, Outcome::Overturned(_));
        assert_eq!(
            cell(&row.numbers, "max_rotation_rad").as_f64() > Some(1.0),
            fell
        );
    }
}

#[test]
fn a_bisection_holds_the_least_factor_of_the_engine() {
    let found = run(&example("stack-scale.json"));
    let block = |width, mass| StackBlock::new(width, 1.5, mass).unwrap();
    let blocks = [block(1.0, 3063.0), block(0.96, 2823.0), block(0.92, 2592.0)];
    let stack = Stack::new(&blocks, 9.81).unwrap();
    let wave =
        |size, hertz, waves| Component::waves(size, Hertz::hertz(hertz), 0.0, waves).unwrap();
    let motion = GroundMotion::new(wave(1.0, 0.8, 2.0), wave(0.4, 2.5, 6.0));
    let options = StackOptions::until(20.0);
    let scan = stack
        .outcomes_by_scale(&motion, &options, (1.0, 4.5), 15)
        .unwrap();
    let key = "horizontal.amplitude_m_s2 (factor)";
    for at in &scan {
        let own = |row: &&Row| number(&row.keys, key) == at.factor;
        let row = found.runs.iter().find(own).unwrap();
        assert_eq!(
            cell(&row.numbers, "mode"),
            at.outcome.mode(3),
            "{}",
            at.factor
        );
    }
    let least = stack
        .overturning_scale(&motion, &options, (1.0, 4.5), 15)
        .unwrap()
        .unwrap();
    let limit = found.summary.limit.as_ref().unwrap();
    // Both bisections end with a width of some 1e-8; each has its own middles.
    assert!(limit.after - limit.before < 1.1e-8, "{limit:?}");
    assert!(
        limit.before < least.factor + 1e-8 && least.factor - 1e-8 < limit.after,
        "{limit:?}"
    );
}

#[test]
fn a_sweep_of_a_row_has_the_bits_of_the_library() {
    let mut scene = example("assembly-sweep.json");
    let amplitudes = [0.02, 0.041, 0.075];
    scene["over"] = json!([
        {"key": "row.drive.harmonic.amplitude_m", "values": amplitudes},
        {"key": "row.blocks.0.count", "values": [3, 4]}
    ]);
    let found = run(&scene);
    let search = PeriodSearch {
        sections: 40,
        longest: 8,
        ..PeriodSearch::default()
    };
    let plan = Survey {
        transient: 40,
        search,
        ..Survey::default()
    };
    let block = Block {
        size: 0.04,
        mass: 0.05224,
        friction: 0.03,
    };
    let restitution = Restitution::new(0.6, 0.6).unwrap();
    let mut rows = found.runs.iter();
    let mut centroids = found
        .lists
        .iter()
        .filter(|item| item.list == "long_time.centroid_m");
    for amplitude in amplitudes {
        for count in [3, 4] {
            let motion = BasinMotion::harmonic(amplitude, Frequency::hertz(2.0)).unwrap();
            let scenario = Scenario {
                basin: Basin::new(0.394, motion, restitution).unwrap(),
                row: BlockRow::uniform(count, block).unwrap(),
                start: Start {
                    gaps: vec![0.0; count],
                    velocity: StartVelocity::WithBasin,
                },
                rule: ImpactRule::Complementarity,
            };
            let expected = survey::<AssemblyError>(&scenario, &plan, || Ok(())).unwrap();
            let row = rows.next().unwrap();
            let of = |name: &str| number(&row.numbers, &format!("long_time.{name}"));
            assert_eq!(of("max_approach_energy_j"), expected.largest_impact);
            assert_eq!(of("inertia_index_mean"), expected.inertia_index.1);
            assert_eq!(of("impacts_per_period"), expected.impacts.0);
            for (section, (centroid, _)) in expected.sections.iter().enumerate() {
                let item = centroids.next().unwrap();
                assert_eq!((item.item, item.value.as_f64()), (section, Some(*centroid)));
            }
        }
    }
    assert!(rows.next().is_none() && centroids.next().is_none());
}

/// A block on a wave, of which every run is short.
fn block(over: &Value, more: &Value) -> Value {
    let mut scene = json!({
        "schema": 1, "kind": "study",
        "scene": {
            "kind": "rocking",
            "block": {"kind": "rectangle", "width_m": 0.5, "height_m": 2.0},
            "horizontal": {"kind": "waves", "amplitude_m_s2": 4.0, "frequency_hz": 1.2},
            "duration_s": 2.0
        },
        "over": over
    });
    for (key, value) in more.as_object().unwrap() {
        scene[key] = value.clone();
    }
    scene
}

#[test]
fn a_row_is_what_the_scene_answers_with_its_values() {
    let over = json!([
        {"key": "horizontal.amplitude_m_s2", "range": {"from": 2, "to": 6, "count": 3}},
        {"key": "friction", "values": [null, 0.3]}
    ]);
    let study = block(&over, &json!({"look_at": ["outcome", "impacts"]}));
    let found = run(&study);
    let mut rows = found.runs.iter();
    for amplitude in [2, 4, 6] {
        for friction in [Value::Null, json!(0.3)] {
            let mut scene = study["scene"].clone();
            scene["schema"] = json!(1);
            scene["horizontal"]["amplitude_m_s2"] = json!(amplitude);
            scene["friction"] = friction.clone();
            let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
            let single = scene.job().unwrap().run_silently().unwrap().results;
            let (answer, summary) = (single.answer().unwrap(), single.summary().unwrap());
            let row = rows.next().unwrap();
            assert_eq!(cell(&row.keys, "horizontal.amplitude_m_s2"), amplitude);
            assert_eq!(cell(&row.keys, "friction"), friction);
            assert_eq!(
                (&row.outcome, row.judgement),
                (&answer.outcome, Some(answer.judgement))
            );
            assert_eq!(row.verdict, answer.verdict);
            for (figure, (_, value)) in answer.figures.iter().zip(&row.numbers.0) {
                assert_eq!(value.as_f64(), figure.value);
            }
            assert_eq!(cell(&row.numbers, "outcome"), summary["outcome"]);
            assert_eq!(cell(&row.numbers, "impacts"), summary["impacts"]);
        }
    }
    assert!(rows.next().is_none());
    let counted: usize = found.summary.outcomes.iter().map(|c| c.runs).sum();
    assert_eq!(
        (found.summary.runs, found.summary.failed, counted),
        (6, 0, 6)
    );
}

#[test]
fn one_key_at_a_time_leaves_the_others_as_they_are() {
    let over = json!([
        {"key": "horizontal.amplitude_m_s2", "range": {"from": 2, "to": 6, "count": 3}},
        {"key": "tilt_rad", "values": [0.01, 0.05]}
    ]);
    let more = json!({"method": "one_at_a_time", "look_at": ["pga_m_s2"]});
    let found = run(&block(&over, &more));
    let peaks: Vec<f64> = found
        .runs
        .iter()
        .map(|r| number(&r.numbers, "pga_m_s2"))
        .collect();
    // The scene has an amplitude of 4 m/s²; a sine of one wave reaches it to a rounding.
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(
        peaks
            .iter()
            .zip([2.0, 4.0, 6.0, 4.0, 4.0])
            .all(|(a, b)| near(*a, b)),
        "{peaks:?}"
    );
    let change = |key: &str| {
        let mut rows = found
            .changes
            .iter()
            .filter(|c| c.number == "pga_m_s2" && c.key == key);
        rows.next().unwrap().clone()
    };
    let (own, other) = (change("horizontal.amplitude_m_s2"), change("tilt_rad"));
    assert!(
        near(own.min, 2.0) && near(own.max, 6.0) && near(own.relative_range, 4.0 / 6.0),
        "{own:?}"
    );
    assert_eq!(other.relative_range, 0.0);
}

#[test]
fn samples_follow_their_distributions_and_indices_their_keys() {
    let uniform =
        |key: &str, ends: [f64; 2]| json!({"key": key, "distribution": {"uniform": ends}});
    let over = json!([
        uniform("horizontal.amplitude_m_s2", [2.0, 6.0]),
        uniform("block.width_m", [0.4, 0.6])
    ]);
    let look = json!({"method": {"sample": {"runs": 400}}, "look_at": ["pga_m_s2"]});
    let found = run(&block(&over, &look));
    let row = found
        .quantiles
        .iter()
        .find(|q| q.number == "pga_m_s2")
        .unwrap();
    // Mean 4 and deviation 4/√12 of a uniform number; four standard errors of 400 draws.
    let deviation = 4.0 / 12.0_f64.sqrt();
    let error = deviation / 20.0;
    assert_eq!(row.runs, 400);
    assert!((row.mean - 4.0).abs() < 4.0 * error, "{row:?}");
    assert!(
        (row.standard_deviation / deviation - 1.0).abs() < 0.1,
        "{row:?}"
    );
    // A quantile p has the error √(p (1 − p)/n) of its rank: 0.011 at 5 %, four of them over a range of 4.
    for (found, expected) in [(row.q05, 2.2), (row.q50, 4.0), (row.q95, 5.8)] {
        assert!((found - expected).abs() < 4.0 * 4.0 * 0.025, "{row:?}");
    }
    let look = json!({"method": {"sobol": {"sets": 60}}, "look_at": ["pga_m_s2"]});
    let found = run(&block(&over, &look));
    assert_eq!(found.runs.len(), 240);
    let of = |key: &str| {
        let mut rows = found
            .indices
            .iter()
            .filter(|i| i.number == "pga_m_s2" && i.key == key);
        rows.next().unwrap().clone()
    };
    // The peak of the base is that of its motion, whatever block stands on it.
    let (own, other) = (of("horizontal.amplitude_m_s2"), of("block.width_m"));
    assert_eq!((other.first_order, other.total, other.sets), (0.0, 0.0, 60));
    assert!(own.total_lower <= 1.0 && 1.0 <= own.total_upper, "{own:?}");
}

#[test]
fn a_bisection_without_a_change_or_an_answer_decides_nothing() {
    let ends = |from: f64, to: f64| json!([{"key": "horizontal.amplitude_m_s2", "range": {"from": from, "to": to, "count": 2}}]);
    let bisection = json!({"method": {"bisection": {"tolerance": 0.1}}});
    let answer = |found: &Results| (found.answer().judgement, found.summary.limit.is_some());
    // The base has to exceed g tan α = 9.81 / 4 = 2.4525 m/s².
    let found = run(&block(&ends(1.0, 2.0), &bisection));
    assert_eq!(
        (answer(&found), found.runs.len()),
        ((Judgement::Undecided, false), 2)
    );
    let found = run(&block(&ends(2.0, 3.0), &bisection));
    assert_eq!(answer(&found), (Judgement::Measured, true));
    let limit = found.summary.limit.unwrap();
    assert!(limit.before < 2.4525 && 2.4525 < limit.after && limit.after - limit.before <= 0.1);
    // A number that the run does not compute is on no side of a threshold.
    let unknown = json!({"method": {"bisection": {"look_at": "slip.max_slip_m", "above": 0}}});
    let found = run(&block(&ends(2.0, 3.0), &unknown));
    assert_eq!(answer(&found), (Judgement::Undecided, false));
}

#[test]
fn every_file_of_a_folder_is_a_value() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path().join("records");
    std::fs::create_dir(&folder).unwrap();
    let record = |size: f64| -> String {
        let row = |k: i32| {
            format!(
                "{} {}\n",
                0.01 * f64::from(k),
                size * (0.06 * f64::from(k)).sin()
            )
        };
        (0..200).map(row).collect()
    };
    for (name, size) in [("b.txt", 3.0), ("a.txt", 1.0), ("c.csv", 9.0)] {
        std::fs::write(folder.join(name), record(size)).unwrap();
    }
    let over =
        json!([{"key": "horizontal.file", "files": {"folder": "records", "ending": ".txt"}}]);
    let mut study = block(&over, &json!({"look_at": ["pga_m_s2"]}));
    study["scene"]["horizontal"] = json!({"kind": "record", "file": "", "unit": "m_s2"});
    let (scene, _) = Scene::parse(&study.to_string(), work.path()).unwrap();
    let found = scene.job().unwrap().run_silently().unwrap().results;
    let rows = &found.of::<Results>().unwrap().runs;
    let files: Vec<Value> = rows
        .iter()
        .map(|r| cell(&r.keys, "horizontal.file"))
        .collect();
    assert_eq!(files, ["records/a.txt", "records/b.txt"]);
    assert!(number(&rows[0].numbers, "pga_m_s2") < number(&rows[1].numbers, "pga_m_s2"));
    // What was read is known, and enough to run the study where there is no such folder.
    let inputs = scene.text().inputs();
    assert_eq!(
        inputs.keys().collect::<Vec<_>>(),
        ["records/a.txt", "records/b.txt"]
    );
    let files: BTreeMap<String, Vec<u8>> = inputs
        .into_keys()
        .map(|name| (name.clone(), std::fs::read(work.path().join(name)).unwrap()))
        .collect();
    let (elsewhere, _) = Scene::parse(&study.to_string(), "/nowhere").unwrap();
    let elsewhere = elsewhere.with_files(files);
    let again = elsewhere.job().unwrap().run_silently().unwrap().results;
    assert_eq!(again.of::<Results>().unwrap().runs, *rows);
}

#[test]
fn what_cannot_be_studied_is_refused_at_its_place() {
    let amplitude = || json!([{"key": "horizontal.amplitude_m_s2", "values": [2, 3]}]);
    let over = |axis: Value| block(&json!([axis]), &json!({}));
    let range = |from: f64, to: f64, count: usize| {
        over(json!({"key": "tilt_rad", "range": {"from": from, "to": to, "count": count}}))
    };
    let mut of_study = block(&amplitude(), &json!({}));
    of_study["scene"]["kind"] = json!("study");
    let mut unknown = block(&amplitude(), &json!({}));
    unknown["scene"]["kind"] = json!("rokking");
    let mut broken = block(&amplitude(), &json!({}));
    broken["scene"]["block"]["width_m"] = json!(-1);
    let no_scene = block(&amplitude(), &json!({"scene": 3}));
    let twice = block(&json!([amplitude()[0], amplitude()[0]]), &json!({}));
    let drawn = json!({"key": "tilt_rad", "distribution": {"uniform": [0.0, 0.1]}});
    let bisection = |over: Value| block(&over, &json!({"method": {"bisection": {}}}));
    for (scene, path) in [
        (of_study, "scene.kind"),
        (unknown, "scene.kind"),
        (broken, "scene.block.width_m"),
        (no_scene, "scene"),
        (twice, "over[1].key"),
        (block(&json!([]), &json!({})), "over"),
        (
            over(json!({"key": "block.breadth_m.x", "values": [1]})),
            "over[0].key",
        ),
        (
            over(json!({"key": "restrainers.0.x", "values": [1]})),
            "over[0].key",
        ),
        (over(json!({"key": "tilt_rad", "values": []})), "over[0]"),
        (
            over(json!({"key": "duration_s", "values": [1, -1]})),
            "over[0]",
        ),
        (
            over(json!({"key": "kind", "as_factor": true, "values": [2]})),
            "over[0]",
        ),
        (
            over(json!({"key": "tilt_rad", "files": {"folder": "nowhere"}})),
            "over[0].files.folder",
        ),
        (range(0.0, 0.1, 1), "over[0].range"),
        (range(0.1, 0.1, 2), "over[0].range"),
        (range(0.0, 0.1, 300_000), "over[0].range"),
        (over(drawn.clone()), "over[0]"),
        (
            block(&amplitude(), &json!({"method": {"sobol": {"sets": 8}}})),
            "over[0]",
        ),
        (
            block(
                &json!([drawn]),
                &json!({"method": {"sobol": {"sets": 100_000}}}),
            ),
            "",
        ),
        (
            bisection(json!([{"key": "friction", "values": [0.3]}])),
            "over",
        ),
        (
            bisection(json!([{"key": "engine", "values": ["no_slip", "slide_rock"]}])),
            "over",
        ),
        (
            block(
                &amplitude(),
                &json!({"method": {"bisection": {"tolerance": 0.5}}}),
            ),
            "method.bisection.tolerance",
        ),
    ] {
        let (read, _) = Scene::parse(&scene.to_string(), EXAMPLES).unwrap();
        let error = read.job().map(|_| ()).expect_err(&scene.to_string());
        let faults = error.faults().unwrap_or_else(|| panic!("{error:#}"));
        let paths: Vec<&str> = faults.list.iter().map(|f| f.path.as_str()).collect();
        assert!(paths.contains(&path), "{path}: {paths:?}: {error:#}");
    }
    // What a path is good for shows when a run has ended.
    for path in ["impacts.x", "nothing", "no_slip"] {
        let scene = block(&amplitude(), &json!({"look_at": [path]}));
        let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
        assert!(scene.job().unwrap().run_silently().is_err(), "{path}");
    }
}

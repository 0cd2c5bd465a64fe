//! Sensitivity and back analysis of a rockfall over its numbers.

use crate::common::refused::{Refused, paths};
use klast_rockfall_jobs::rockfall::result::Results as Rockfall;
use klast_rockfall_jobs::rockfall_study::result::Results as Study;
use klast_runs::Results;
use klast_scenes::Scene;
use serde_json::{Value, json};

fn run(scene: &Value) -> Box<dyn Results> {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    scene.job().unwrap().run_silently().unwrap().results
}

fn study(scene: &Value) -> Box<Study> {
    run(scene).take().unwrap()
}

fn refused(scene: &Value) -> Vec<String> {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    paths(scene.job())
}

const TRUTH: [f64; 2] = [0.8, 0.45];

/// A section with a cliff, a talus of known numbers and a flat foot.
fn section() -> Value {
    json!({
        "terrain": {"profile": {"points_m": [[0, 60], [30, 40], [90, 10], [130, 4], [400, 0]]}},
        "materials": [
            {"name": "rock", "normal_restitution": 0.4, "tangential_restitution": 0.85, "friction": 0.5},
            {"name": "soil", "normal_restitution": 0.3, "tangential_restitution": TRUTH[0], "friction": TRUTH[1]}
        ],
        "layout": {"segments": ["rock", "soil", "soil", "soil"]},
        "sources": [{
            "name": "edge", "release": {"point": [2, 0]}, "rocks": 60, "height_m": {"uniform": [0.5, 3]},
            "velocity_m_s": [{"uniform": [0.5, 2.5]}, 0, 0],
            "shapes": [{"shape": "sphere", "volume_m3": 0.5}]
        }],
        "engine": {"lumped_mass": {}},
        "collectors": [{"name": "trees", "line_m": [[50, -50], [50, 50]]}],
        "write_trajectories": 0
    })
}

fn varied(method: &Value) -> Value {
    json!({
        "schema": 1, "kind": "rockfall_study", "scene": section(), "rocks": 60,
        "vary": [
            {"key": "/materials/1/tangential_restitution", "lower": 0.6, "upper": 0.95},
            {"key": "/materials/1/friction", "lower": 0.2, "upper": 0.9}
        ],
        "method": method
    })
}

#[test]
fn a_back_analysis_finds_the_numbers_of_a_known_section_within_its_band() {
    // What is found on the slope was made by other rocks than those of the trials.
    let mut truth = section();
    truth["schema"] = json!(1);
    truth["kind"] = json!("rockfall");
    truth["seed"] = json!(9);
    let made = run(&truth).take::<Rockfall>().unwrap();
    let made: &Rockfall = &made;
    let runouts: Vec<f64> = made
        .rocks
        .rows()
        .unwrap()
        .into_iter()
        .take(30)
        .map(|r| r.runout_m)
        .collect();
    let height = |k| {
        let rock = made.simulation.rock(k, &mut |_| {});
        rock.passages.first().map(|p| p.height)
    };
    let heights: Vec<f64> = (0..30).filter_map(height).collect();
    let found = study(&varied(&json!({"back_analysis": {
        "sets": 120, "retained_fraction": 0.1, "runouts_m": runouts,
        "witnesses": [{"at": "trees", "heights_m": heights}]
    }})));
    assert_eq!(found.summary.retained, 12);
    for (row, truth) in found.found.iter().zip(TRUTH) {
        assert!((row.q05..=row.q95).contains(&truth), "{row:?} {truth}");
    }
    // Both together decide the runout; a band as wide as the range would find nothing.
    assert!(
        found.found.iter().any(|row| row.open < 0.7),
        "{:?}",
        found.found
    );
    let best = format!("{}", found.summary.retained);
    assert!(found.sentence().unwrap().contains(&best));
}

#[test]
fn effects_of_a_number_without_effect_are_none() {
    // R_t of the cliff's rock acts; the density of a lumped mass moves it in no way, and its energy in proportion.
    let mut scene = varied(&json!({"morris": {"trajectories": 4}}));
    scene["vary"] = json!([
        {"key": "/materials/1/friction", "lower": 0.3, "upper": 0.9},
        {"key": "/sources/0/shapes/0/density_kg_m3", "lower": 2000, "upper": 3000}
    ]);
    scene["scene"]["sources"][0]["shapes"][0]["density_kg_m3"] = json!(2700);
    let found = study(&scene);
    let effect = |outcome: &str, key: &str| {
        let mut rows = found.effects.iter();
        let row = rows.find(|e| e.outcome == outcome && e.key.ends_with(key));
        row.unwrap().clone()
    };
    assert_eq!(effect("runout_50_m", "density_kg_m3").mean_absolute, 0.0);
    assert!(effect("runout_50_m", "friction").mean < -1.0);
    let energy = effect("trees: energy_95_kj", "density_kg_m3");
    assert!(energy.mean > 0.0 && energy.effects > 0, "{energy:?}");
}

#[test]
fn what_cannot_be_studied_is_refused() {
    let mut scene = varied(&json!({"morris": {"trajectories": 2}}));
    scene["vary"][0]["key"] = json!("/materials/7/friction");
    assert_eq!(refused(&scene), ["vary[0].key"]);
    let mut scene = varied(&json!({"morris": {"trajectories": 2}}));
    scene["vary"][0]["upper"] = json!(1.5);
    let varied_key = "scene.materials[1].tangential_restitution";
    assert_eq!(refused(&scene), [varied_key]);
    let scene = varied(&json!({"back_analysis": {"sets": 20, "retained_fraction": 0.1}}));
    assert_eq!(refused(&scene), ["method.back_analysis"]);
    let scene = varied(
        &json!({"back_analysis": {"sets": 20, "retained_fraction": 0.1,
        "witnesses": [{"at": "nowhere", "heights_m": [1]}]}}),
    );
    assert_eq!(refused(&scene), ["method.back_analysis"]);
}

#[test]
fn runouts_are_those_of_rocks_that_settle() {
    // Hardly any friction: what does not stop within the time has no runout.
    let mut scene = varied(&json!({"morris": {"trajectories": 2}}));
    scene["scene"]["stop"] = json!({"maximum_time_s": 1});
    let found = study(&scene);
    let effects = |outcome: &str| -> Vec<f64> {
        let rows = found.effects.iter().filter(|r| r.outcome == outcome);
        rows.map(|r| r.mean_absolute).collect()
    };
    assert_eq!(effects("settled_fraction"), [0.0, 0.0]);
    assert!(effects("runout_50_m").is_empty());
    // Then no set explains what was found.
    scene["method"] =
        json!({"back_analysis": {"sets": 10, "retained_fraction": 0.1, "runouts_m": [100]}});
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    let said = scene.job().unwrap().run_silently().unwrap_err();
    assert!(matches!(said, klast_runs::Error::Said(_)), "{said:#}");
}

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
const LINES: [[[f64; 2]; 2]; 2] = [
    [[2_600_010.0, 1_200_100.0], [2_600_280.0, 1_200_100.0]],
    [[2_600_010.0, 1_200_060.0], [2_600_250.0, 1_200_150.0]],
];

/// A rockfall on a section along a line of the example's raster.
fn on_line(line: &[[f64; 2]; 2]) -> Value {
    json!({
        "terrain": {"section": {"file": "rockfall-terrain.asc", "line_m": line, "station_m": 7.5}},
        "materials": [{"name": "soil", "normal_restitution": 0.3, "tangential_restitution": 0.8, "friction": 0.6}],
        "sources": [{
            "name": "edge", "release": {"point": [5, 0]}, "rocks": 250, "height_m": {"uniform": [0.5, 3]},
            "velocity_m_s": [{"uniform": [0.5, 2.5]}, 0, 0],
            "shapes": [{"shape": "sphere", "volume_m3": 0.5}]
        }],
        "engine": {"lumped_mass": {}},
        "collectors": [{"name": "road", "line_m": [[100, -50], [100, 50]]}]
    })
}

fn run_in_examples(scene: &Value) -> Box<dyn Results> {
    let (scene, _) = Scene::parse(&scene.to_string(), EXAMPLES).unwrap();
    scene.job().unwrap().run_silently().unwrap().results
}

#[test]
fn sections_of_one_run_are_those_of_each_alone_and_their_envelopes_those_of_all_rocks() {
    let names = ["straight", "oblique"];
    let lines: Vec<Value> = names
        .iter()
        .zip(&LINES)
        .map(|(name, line)| json!({"name": name, "line_m": line}))
        .collect();
    let found = run_in_examples(&json!({
        "schema": 1, "kind": "rockfall_study", "scene": on_line(&LINES[0]),
        "method": {"sections": {"lines": lines}}
    }));
    let study = found.take::<Study>().unwrap();
    assert_eq!((study.summary.trials, study.summary.rocks), (2, 250));
    for (name, line) in names.iter().zip(&LINES) {
        let mut scene = on_line(line);
        scene["schema"] = json!(1);
        scene["kind"] = json!("rockfall");
        scene["write_rocks"] = json!(250);
        let alone = run_in_examples(&scene).take::<Rockfall>().unwrap();
        let own: Vec<_> = study
            .stations
            .iter()
            .filter(|s| s.section == *name)
            .map(|s| s.station)
            .collect();
        assert_eq!(own, alone.stations, "{name}");
        // Every rock passes the station where it is let go and rests at one; what is greatest over the stations is what
        // is greatest over the rocks, which the rocks' own table knows. Heights on a station are taken on the ground
        // too.
        let stations = &alone.stations;
        assert_eq!(alone.rocks.len(), 250);
        assert_eq!(stations[0].rocks, 250);
        let at_rest: u64 = stations.iter().map(|s| s.at_rest).sum();
        let stopped = alone
            .rocks
            .rows()
            .unwrap()
            .into_iter()
            .filter(|r| r.outcome == "stopped");
        assert_eq!(at_rest, stopped.count() as u64);
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let of_rocks = most(
            &mut alone
                .rocks
                .rows()
                .unwrap()
                .into_iter()
                .map(|r| r.greatest_energy_kj),
        );
        let of_stations = most(&mut stations.iter().filter_map(|s| s.max_energy_kj));
        assert!(
            (of_rocks - of_stations).abs() < 1e-9 * of_rocks,
            "{of_rocks} {of_stations}"
        );
        let of_rocks = most(
            &mut alone
                .rocks
                .rows()
                .unwrap()
                .into_iter()
                .map(|r| r.greatest_height_m),
        );
        let of_stations = most(&mut stations.iter().filter_map(|s| s.max_height_m));
        // Stations look at pieces of an arc, rocks at whole arcs: the ground may bend between the looks, by some 0.1 m
        // over stations of 7.5 m.
        assert!(
            (of_rocks - of_stations).abs() < 0.3,
            "{of_rocks} {of_stations}"
        );
        // The settled share is that of the rocks that stopped.
        let share = study
            .sections
            .iter()
            .find(|s| s.section == *name && s.outcome == "settled_fraction");
        assert_eq!(share.unwrap().found, Some(at_rest as f64 / 250.0));
    }
    assert!(study.answer().verdict.contains("2 sections"));
}

#[test]
fn sections_that_cannot_be_are_refused() {
    let lines = json!({"sections": {"lines": [{"name": "a", "line_m": LINES[0]}]}});
    // The terrain is a profile.
    let scene = json!({
        "schema": 1, "kind": "rockfall_study", "scene": section(), "method": lines
    });
    assert_eq!(refused(&scene), ["method"]);
    let mut scene = varied(&lines);
    scene["scene"] = on_line(&LINES[0]);
    assert_eq!(refused(&scene), ["vary", "vary[0].key", "vary[1].key"]);
    let twice = |second: &str| {
        let scene = json!({
            "schema": 1, "kind": "rockfall_study", "scene": on_line(&LINES[0]),
            "method": {"sections": {"lines": [
                {"name": "a", "line_m": LINES[0]}, {"name": second, "line_m": [[0, 0], [1, 1]]}
            ]}}
        });
        let (scene, _) = Scene::parse(&scene.to_string(), EXAMPLES).unwrap();
        Refused::from(scene.job().map(|_| ()).unwrap_err())
    };
    assert_eq!(twice("a").paths(), ["method.sections.lines[1].name"]);
    // A line off the map, with its name.
    let off = twice("b");
    assert_eq!(off.paths(), ["scene.terrain"]);
    assert!(off.names(&["'b'"]), "{off:?}");
}

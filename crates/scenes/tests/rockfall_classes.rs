//! Classes of rock: a calibration finds a drag for each, and a forecast takes that of the class its rocks have.

use crate::common::refused::{names, one_names};
use klast_rockfall_jobs::rockfall::result::Results as Rockfall;
use klast_rockfall_jobs::rockfall_calibration::result::Results as Calibration;
use klast_runs::files::{Files as _, Memory};
use klast_runs::{Job, Results, Run, Silent};
use klast_scenes::Scene;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn job(scene: &Value, folder: &Path) -> klast_runs::error::Result<Box<dyn Job>> {
    Scene::parse(&scene.to_string(), folder)?.0.job()
}

fn refused(scene: &Value, folder: &Path) -> String {
    format!("{:#}", job(scene, folder).map(|_| ()).unwrap_err())
}

fn run(scene: &Value, folder: &Path) -> (Box<dyn Results>, Vec<String>, Memory) {
    let mut files = Memory::default();
    let mut run = Run::new(&Silent, &mut files);
    let results = job(scene, folder).unwrap().run(&mut run).unwrap();
    let outcome = run.end(results);
    (outcome.results, outcome.warnings, files)
}

/// The example of a calibration in a folder of its own, with another table of blocks.
fn campaign(blocks: &str) -> (tempfile::TempDir, Value) {
    let folder = tempfile::tempdir().unwrap();
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for file in [
        "rockfall-terrain.asc",
        "rockfall-calibration-releases.csv",
        "rockfall-calibration-depositions.csv",
    ] {
        std::fs::copy(examples.join(file), folder.path().join(file)).unwrap();
    }
    std::fs::write(
        folder.path().join("rockfall-calibration-blocks.csv"),
        blocks,
    )
    .unwrap();
    let text = std::fs::read_to_string(examples.join("rockfall-calibration.json")).unwrap();
    let mut scene: Value = serde_json::from_str(&text).unwrap();
    // Enough for every table; what is fitted is judged elsewhere.
    for (key, value) in [
        ("sets", 4),
        ("refinement_rocks", 0),
        ("rocks", 2),
        ("maximum_time_s", 6),
    ] {
        scene[key] = json!(value);
    }
    (folder, scene)
}

fn blocks(classes: Option<[&str; 2]>) -> String {
    let column = |k: usize| classes.map_or(String::new(), |c| format!(",{}", c[k]));
    let header = classes.map_or("", |_| ",class");
    format!(
        "block_id,mass_kg,size_x_m,size_y_m,size_z_m{header}\n\
         1,600,0.8,0.7,0.75{}\n2,450,0.9,0.6,0.5{}\n",
        column(0),
        column(1)
    )
}

fn calibrated(blocks: &str) -> (Box<Calibration>, Vec<String>, Memory) {
    let (folder, scene) = campaign(blocks);
    let (results, warnings, mut files) = run(&scene, folder.path());
    let results = results.take::<Calibration>().unwrap();
    results.write(&mut files).unwrap();
    (results, warnings, files)
}

fn text(files: &Memory, name: &str) -> String {
    String::from_utf8(files.read(name).unwrap()).unwrap()
}

#[test]
fn one_class_is_fitted_as_none() {
    let (plain, _, without) = calibrated(&blocks(None));
    let (one, _, with) = calibrated(&blocks(Some(["rock", "rock"])));
    for file in ["runs.csv", "runs.json", "forecasts.csv"] {
        assert_eq!(text(&with, file), text(&without, file), "{file}");
    }
    // Parameters are named as the columns of the sets, which have the name of the class.
    let named = text(&with, "result.json").replace("\"rock_", "\"");
    assert_eq!(named, text(&without, "result.json"));
    let drag = |line: &str| line.split(',').nth(6).unwrap().to_owned();
    let drags = |files: &Memory| {
        text(files, "sets.csv")
            .lines()
            .skip(1)
            .map(drag)
            .collect::<Vec<_>>()
    };
    assert_eq!(drags(&with), drags(&without));
    assert!(plain.classes.is_empty() && without.read("classes.csv").is_none());
    let posterior = |set: usize| {
        let set = &one.posterior.sets[set];
        (set.friction, set.classes["rock"].drag_per_s)
    };
    let sets = plain.posterior.sets.iter();
    for (k, set) in sets.enumerate() {
        assert_eq!((set.friction, set.drag_per_s.unwrap()), posterior(k));
    }
}

#[test]
fn scores_are_fair_and_the_posterior_carries_the_verdict() {
    let (results, _, files) = calibrated(&blocks(None));
    // Two rocks a and b of each run, y observed: the mean of |a − y| and |b − y|, less half of |a − b|.
    for line in &results.runs {
        let rocks = results.forecasts.iter().filter(|f| f.run == line.run);
        let places: Vec<[f64; 3]> = rocks.map(|f| [f.runout_m, f.x_m, f.y_m]).collect();
        let [[a, ax, ay], [b, bx, by]] = places[..] else {
            panic!("{places:?}");
        };
        let y = line.observed_runout_m;
        let fair = 0.5 * ((a - y).abs() + (b - y).abs() - (a - b).abs());
        // The table is rounded to a millimetre.
        assert!((line.crps_m - fair).abs() < 2e-3, "{} {fair}", line.crps_m);
        let apart = (ax - bx).hypot(ay - by);
        let energy = line.plan_error_m - 0.5 * apart;
        assert!(
            (line.energy_score_m - energy).abs() < 3e-3,
            "{} {energy}",
            line.energy_score_m
        );
        // A certainty has the score of its error.
        let others = results.runs.iter().filter(|l| l.run != line.run);
        let mut others: Vec<f64> = others.map(|l| l.observed_runout_m).collect();
        others.sort_by(f64::total_cmp);
        let (low, high) = (others[(others.len() - 1) / 2], others[others.len() / 2]);
        let error = (0.5 * (low + high) - y).abs();
        assert!((line.median_null_crps_m - error).abs() < 1e-9);
    }
    let posterior: Value = serde_json::from_str(&text(&files, "posterior.json")).unwrap();
    let answer: Value = serde_json::from_str(&text(&files, "result.json")).unwrap();
    let told = &posterior["verdict"];
    assert_eq!(told["sentence"], answer["answer"]["verdict"]);
    let beside = match answer["answer"]["judgement"].as_str().unwrap() {
        "holds" => "better",
        "fails" => "worse",
        _ => "undecided",
    };
    assert_eq!(told["beside_null_models"], beside);
}

#[test]
fn more_classes_than_the_sets_tell_apart_are_refused() {
    let table = |classes: usize| {
        let row = |k: usize| format!("{k},600,0.8,0.7,0.75,kind {k}\n");
        let rows: String = (1..=classes).map(row).collect();
        format!("block_id,mass_kg,size_x_m,size_y_m,size_z_m,class\n{rows}")
    };
    let (folder, scene) = campaign(&table(5));
    job(&scene, folder.path()).unwrap();
    let (folder, scene) = campaign(&table(6));
    let said = refused(&scene, folder.path());
    assert!(names(&said, &["6 classes", "5"]), "{said}");
}

#[test]
fn classes_stand_in_every_result() {
    let (results, warnings, files) = calibrated(&blocks(Some(["compact", "plate"])));
    let header = text(&files, "sets.csv").lines().next().unwrap().to_owned();
    assert_eq!(
        header,
        "set,normal_restitution,friction,scarring,scarring_growth_per_m,roughness_deg,compact_drag_per_s,\
         compact_sharpness,plate_drag_per_s,plate_sharpness,mean_loss_m,retained"
    );
    let names: Vec<&str> = results.classes.iter().map(|c| c.class.as_str()).collect();
    assert_eq!(names, ["compact", "plate"]);
    let runs: usize = results.classes.iter().map(|c| c.runs).sum();
    assert_eq!(runs, results.runs.len());
    assert_eq!(text(&files, "classes.csv").lines().count(), 3);
    assert_eq!(results.posterior.classes(), ["compact", "plate"]);
    assert!(!one_names(&warnings, &["class '"]), "{warnings:?}");
    let unseen = blocks(Some(["compact", "plate"])) + "3,450,0.9,0.6,0.5,wheel\n";
    let (_, warnings, _) = calibrated(&unseen);
    assert!(
        one_names(&warnings, &["'wheel'", "drag", "sharpness"]),
        "{warnings:?}"
    );
    for (class, cause) in [
        (
            "",
            "row 2: class ''; accepted: a name of up to 40 letters, digits, spaces, - and _ in each row, or no such column",
        ),
        ("=a", "row 2: class '=a'; accepted: "),
    ] {
        let (folder, scene) = campaign(&blocks(Some(["compact", class])));
        let said = refused(&scene, folder.path());
        assert!(said.contains(cause), "{said}");
    }
}

/// A posterior of two equal sets in which plates are braked by 5 1/s anywhere over the ground, and nothing else is.
fn posterior(folder: &Path) {
    let set = json!({"weight": 0.5, "normal_restitution": 0.2, "friction": 0.5, "scarring": 0.0, "scarring_growth_per_m": 1.0,
        "roughness_deg": 0.0, "classes": {"compact": {"drag_per_s": 0.0, "sharpness": 2.0}, "plate": {"drag_per_s": 5.0, "sharpness": 2.0}}});
    let file = json!({"schema": 1, "kind": "rockfall_posterior", "runs": 18, "sets_tried": 240, "drag_height_m": 1000,
        "correction": 1.0, "sets": [set, set]});
    std::fs::write(folder.join("posterior.json"), file.to_string()).unwrap();
}

fn forecast(classes: [Option<&str>; 2]) -> Value {
    let shape = |class: Option<&str>| {
        let mut shape = json!({"shape": "cube", "volume_m3": 0.5});
        if let Some(class) = class {
            shape["class"] = json!(class);
        }
        shape
    };
    json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"profile": {"points_m": [[0, 12], [20, 0], [60, 0]]}},
        "ground": {"posterior": "posterior.json"},
        "sources": [{"name": "edge", "release": {"point": [2, 0]}, "rocks": 12, "height_m": 20, "shapes": classes.map(shape)}],
        "write_trajectories": 0
    })
}

fn forecasted(scene: &Value, folder: &Path) -> Box<Rockfall> {
    run(scene, folder).0.take().unwrap()
}

#[test]
fn a_rock_is_braked_as_its_class_is() {
    let folder = tempfile::tempdir().unwrap();
    posterior(folder.path());
    let scene = forecast([Some("plate"), Some("compact")]);
    let results = forecasted(&scene, folder.path());
    let speeds = |shape: usize| {
        let rocks = results
            .rocks
            .rows()
            .unwrap()
            .into_iter()
            .filter(move |r| r.shape == shape);
        rocks.map(|r| r.greatest_speed_m_s).collect::<Vec<_>>()
    };
    let (plates, compact) = (speeds(1), speeds(2));
    assert!(!plates.is_empty() && !compact.is_empty());
    // Falling with drag a plate is never faster than g/5 = 1.962 m/s, but for rounding, and 20 m take it there
    // (exp(−5 · 10)); without drag 20 m give 19.8 m/s.
    let most = 9.81 / 5.0 * (1.0 + 1e-12);
    let least = 9.81 / 5.0 * (1.0 - 1e-12);
    assert!(plates.iter().all(|v| *v > least), "{plates:?}");
    assert!(plates.iter().all(|v| *v < most), "{plates:?}");
    assert!(
        compact
            .iter()
            .all(|v| *v > (2.0 * 9.81 * 20.0f64).sqrt() - 1e-9),
        "{compact:?}"
    );
    let drags = results
        .ground
        .iter()
        .filter(|r| r.parameter == "drag_per_s");
    let drags: Vec<_> = drags.map(|r| (r.rock_class.as_deref(), r.median)).collect();
    assert_eq!(drags, [(Some("plate"), 5.0), (Some("compact"), 0.0)]);
    // As a material of several, and where all rocks are of one class.
    let mut material = forecast([Some("plate"), Some("compact")]);
    material.as_object_mut().unwrap().remove("ground");
    material["materials"] = json!([{"name": "calibrated", "posterior": "posterior.json"}]);
    let same = forecasted(&material, folder.path()).rocks;
    assert_eq!(same.rows().unwrap(), results.rocks.rows().unwrap());
    let plates = forecasted(&forecast([Some("plate"); 2]), folder.path());
    assert!(
        plates
            .rocks
            .rows()
            .unwrap()
            .into_iter()
            .all(|r| r.greatest_speed_m_s < most)
    );
    let row = plates.ground.iter().find(|r| r.parameter == "drag_per_s");
    assert_eq!(row.unwrap().rock_class.as_deref(), Some("plate"));
}

#[test]
fn a_class_that_the_ground_does_not_know_is_refused_with_those_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    posterior(folder.path());
    let said = refused(&forecast([Some("wheel"), None]), folder.path());
    for cause in [
        ["'edge'", "shape 1", "'wheel'", "compact, plate"],
        ["'edge'", "shape 2", "compact, plate", "posterior.json"],
    ] {
        assert!(names(&said, &cause), "{said}");
    }
    let mut plain = forecast([Some("plate"), None]);
    plain.as_object_mut().unwrap().remove("ground");
    plain["materials"] = json!([{"name": "talus", "normal_restitution": 0.3, "friction": 0.5}]);
    let said = refused(&plain, folder.path());
    assert!(names(&said, &["class", "'plate'"]), "{said}");
    // Sets of which one has no classes.
    let file = folder.path().join("posterior.json");
    let mut mixed: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    mixed["sets"][1]["classes"] = json!({});
    std::fs::write(&file, mixed.to_string()).unwrap();
    let said = refused(&forecast([Some("plate"); 2]), folder.path());
    assert!(
        names(&said, &["set 2", "drag_per_s", "sharpness"]),
        "{said}"
    );
}

/// pandas writes whole numbers of a column with gaps as 1.0.
#[test]
fn a_block_that_is_not_there_is_refused_with_those_that_are() {
    let (folder, scene) = campaign(&blocks(None));
    let releases = folder.path().join("rockfall-calibration-releases.csv");
    let text = std::fs::read_to_string(&releases).unwrap();
    let text: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(k, line)| match k {
            1 => format!("{line}.0"),
            _ => line.to_owned(),
        })
        .collect();
    std::fs::write(&releases, text.join("\n")).unwrap();
    let said = refused(&scene, folder.path());
    let names = "no block '1.0'; accepted: a block_id of the table of blocks: 1, 2";
    assert!(said.contains(names), "{said}");
}

/// σ and ρ of a prior stand in every set, and the ground of a forecast yields by them.
#[test]
fn a_yield_pressure_is_fitted_and_forecast_with() {
    let (folder, mut scene) = campaign(&blocks(Some(["round", "flat"])));
    scene["prior"] = json!({"ejected_density_kg_m3": [1500, 1800]});
    refused(&scene, folder.path());
    scene["prior"]["yield_pressure_kpa"] = json!([100, 1000]);
    let (results, _, mut files) = run(&scene, folder.path());
    let results = results.take::<Calibration>().unwrap();
    results.write(&mut files).unwrap();
    for set in &results.posterior.sets {
        let (sigma, rho) = (set.yield_pressure_kpa, set.ejected_density_kg_m3);
        assert!((100.0..=1000.0).contains(&sigma.unwrap()), "{sigma:?}");
        assert!((1500.0..=1800.0).contains(&rho.unwrap()), "{rho:?}");
    }
    let header = text(&files, "sets.csv");
    let columns: Vec<&str> = header.lines().next().unwrap().split(',').collect();
    let fitted = results.summary.parameters.iter();
    let fitted: Vec<&str> = fitted.map(|f| f.parameter.as_str()).collect();
    for name in ["yield_pressure_kpa", "ejected_density_kg_m3"] {
        assert!(columns.contains(&name) && fitted.contains(&name), "{name}");
    }
    std::fs::write(
        folder.path().join("posterior.json"),
        text(&files, "posterior.json"),
    )
    .unwrap();
    let results = forecasted(&forecast([Some("round"), Some("flat")]), folder.path());
    let depth = results.summary.penetration.unwrap().greatest_depth_m;
    let rows = results.rocks.rows().unwrap();
    let deepest = rows.iter().map(|row| row.greatest_depth_m.unwrap());
    assert_eq!(deepest.fold(0.0, f64::max), depth);
    assert!(depth > 0.0);
    // Without a yield pressure the ground is rigid.
    posterior(folder.path());
    let results = forecasted(&forecast([Some("compact"), Some("plate")]), folder.path());
    assert!(results.summary.penetration.is_none());
    let rows = results.rocks.rows().unwrap();
    assert!(rows.iter().all(|row| row.greatest_depth_m.is_none()));
}

//! A rockfall as it is used: starts that are known, a ground that was calibrated, nets that tear, and what is said of
//! all that.

use crate::common::refused::{names, one_names, paths};
use std::path::Path;

use klast_rockfall_jobs::rockfall::design::Verdict;
use klast_rockfall_jobs::rockfall::result::Results as Rockfall;
use klast_scenes::Scene;
use serde_json::{Value, json};

use klast_rockfall_jobs::rockfall::part::Part;
use klast_runs::answer::Judgement;
use klast_runs::files::Memory;
use klast_runs::shard::Shard;
use klast_runs::{Job, Results, Run, Silent};

fn job(scene: &Value, folder: &Path) -> klast_runs::error::Result<Box<dyn Job>> {
    Scene::parse(&scene.to_string(), folder)?.0.job()
}

fn run_part<R: Results>(
    scene: &Value,
    folder: &Path,
    shard: Option<Shard>,
) -> (Box<R>, Vec<String>, Memory) {
    let mut files = Memory::default();
    let mut run = Run::new(&Silent, &mut files);
    run.shard = shard;
    let results = job(scene, folder).unwrap().run(&mut run).unwrap();
    let outcome = run.end(results);
    let results = outcome.results.take::<R>().unwrap();
    (results, outcome.warnings, files)
}

fn run(scene: &Value, folder: &Path) -> (Box<Rockfall>, Vec<String>) {
    let (results, warnings, _) = run_part(scene, folder, None);
    (results, warnings)
}

fn refused(scene: &Value, folder: &Path) -> String {
    format!("{:#}", job(scene, folder).map(|_| ()).unwrap_err())
}

fn paths_of(scene: &Value, folder: &Path) -> Vec<String> {
    paths(job(scene, folder))
}

/// A lumped mass on a frictionless plane of 30°.
fn slide() -> Value {
    json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"slope": {"angle_deg": 30}},
        "materials": [{"name": "ice", "normal_restitution": 0.0, "friction": 0.0}],
        "sources": [{"name": "edge", "release": {"point": [0, 0]}, "rocks": 3,
                     "shapes": [{"shape": "sphere", "mass_kg": 1000}]}],
        "engine": {"lumped_mass": {"rebound": "rocfall3_translation"}},
        "stop": {"maximum_time_s": 10},
        "write_trajectories": 0
    })
}

/// Energy (kJ) of 1 t that slides without friction from x = 0 to x on 30°.
fn energy(x: f64) -> f64 {
    9.81 * x * 30f64.to_radians().tan()
}

#[test]
fn a_torn_net_leaves_what_it_does_not_take() {
    for engine in [
        json!({"lumped_mass": {"rebound": "rocfall3_translation"}}),
        json!({"rigid_body": {}}),
    ] {
        let mut scene = slide();
        scene["engine"] = engine;
        scene["sources"][0]["upright"] = json!(true);
        let net = |name: &str, x: f64, capacity: f64| {
            json!({
                "name": name, "line_m": [[x, -50], [x, 50]], "height_m": 5, "capacity_kj": capacity,
                "flexible": {"service_energy_kj": 50, "elongation_m": 4, "residual_height_fraction": 0.5}
            })
        };
        // Three in a row: the first takes 100 kJ, the second 60 kJ, the third holds what is left.
        scene["barriers"] = json!([
            net("first", 40.0, 100.0),
            net("second", 50.0, 60.0),
            net("third", 60.0, 900.0)
        ]);
        let (results, _) = run(&scene, Path::new("."));
        let sheet = |k: usize| &results.barriers[k];
        let left = [
            energy(40.0) - 100.0,
            energy(50.0) - 160.0,
            energy(60.0) - 160.0,
        ];
        for (k, left) in left.into_iter().enumerate() {
            let found = match k {
                2 => results.statistics.collectors[2].energy.mean().unwrap() * 1e-3,
                _ => results.statistics.collectors[k].residual.mean().unwrap() * 1e-3,
            };
            assert!((found / left - 1.0).abs() < 1e-9, "{k}: {found} {left}");
        }
        assert_eq!((sheet(0).torn, sheet(0).held), (Some(3), Some(0)));
        assert_eq!((sheet(2).torn, sheet(2).held), (Some(0), Some(3)));
        assert_eq!(sheet(2).held_above_service, Some(3));
        assert_eq!(sheet(0).residual_height_m, Some(2.5));
        assert_eq!(results.statistics.account.caught, [0, 0, 3]);
        assert!(results.statistics.account.balances());
    }
}

#[test]
fn starts_are_replayed_as_they_were_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let table = "x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s,shape,mass_kg\n\
                 1.5,2.0,9.0,0.5,0.5,0.5,0.5,3.0,0.0,1.0,0.1,0.2,0.3,2,750\n\
                 2.5,-4.0,8.0,1,0,0,0,0,0,0,0,0,0,1,1250\n";
    std::fs::write(folder.path().join("starts.csv"), table).unwrap();
    let mut scene = slide();
    scene["engine"] = json!({"rigid_body": {}});
    let source = scene["sources"][0].as_object_mut().unwrap();
    source["release"] = json!({"starts": "starts.csv"});
    source["rocks"] = json!(5);
    source["shapes"] =
        json!([{"shape": "cube", "mass_kg": 1}, {"shape": {"box": [3, 2, 1]}, "mass_kg": 1}]);
    let (results, _) = run(&scene, folder.path());
    assert_eq!(results.rocks.len(), 5);
    for (k, row) in results.rocks.rows().unwrap().into_iter().enumerate() {
        let first = k % 2 == 0;
        let place = [row.release_x_m, row.release_y_m, row.release_z_m];
        assert_eq!(
            place,
            if first {
                [1.5, 2.0, 9.0]
            } else {
                [2.5, -4.0, 8.0]
            }
        );
        assert_eq!(row.mass_kg, if first { 750.0 } else { 1250.0 });
        assert_eq!((row.shape, row.qx), if first { (2, 0.5) } else { (1, 0.0) });
        assert!(row.greatest_speed_m_s > 0.0 && row.greatest_height_m > 5.0);
    }
    // As many as there are where no number is given; a column of no name and half a quaternion are refused.
    scene["sources"][0].as_object_mut().unwrap().remove("rocks");
    assert_eq!(run(&scene, folder.path()).0.rocks.len(), 2);
    for (table, needed) in [
        ("x_m,y_m,speed\n1,2,3\n", "columns speed"),
        ("x_m,y_m,qw,qx\n1,2,1,0\n", "2 of the columns qw"),
        ("x_m,y_m,shape\n1,2,3\n", "shape is 3; accepted: 1 to 2"),
        ("x_m,y_m\n", "no rows"),
    ] {
        std::fs::write(folder.path().join("starts.csv"), table).unwrap();
        let said = refused(&scene, folder.path());
        assert!(said.contains(needed), "{said}");
    }
}

/// Two sets of a ground: one that brakes and one that does not.
fn posterior(folder: &Path, frictions: [f64; 2]) {
    let set = |friction: f64| {
        json!({"weight": 0.5, "normal_restitution": 0.2, "friction": friction, "scarring": 0.0, "scarring_growth_per_m": 1.0,
               "roughness_deg": 0.0, "drag_per_s": 0.0, "sharpness": 2.0})
    };
    let file = json!({
        "schema": 1, "kind": "rockfall_posterior", "runs": 18, "sets_tried": 600, "drag_height_m": 0.5, "correction": 1.0,
        "sets": frictions.map(set)
    });
    std::fs::write(folder.join("posterior.json"), file.to_string()).unwrap();
}

fn forecast() -> Value {
    json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"profile": {"points_m": [[0, 12], [20, 0], [60, 0]]}},
        "ground": {"posterior": "posterior.json"},
        "sources": [{"name": "edge", "release": {"point": [2, 0]}, "rocks": 40, "height_m": 1,
                     "shapes": [{"shape": "cube", "volume_m3": 0.5}]}],
        "barriers": [{"name": "net", "line_m": [[12, -500], [12, 500]], "height_m": 9, "capacity_kj": 2000,
            "design": {"percentile": 95, "energy_level": "maximum", "standard": {"stated": {
                "name": "factors of one", "speed": 1, "mass": 1, "height": 1, "capacity": 1, "clearance_m": 0, "elongation": 1}}}}],
        "write_trajectories": 0
    })
}

#[test]
fn a_calibrated_ground_spreads_the_results_and_parts_add_up_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    posterior(folder.path(), [0.2, 1.0]);
    let (whole, warnings) = run(&forecast(), folder.path());
    assert!(one_names(&warnings, &["2 sets"]), "{warnings:?}");
    // What the two sets draw together: around 0.2 and around 1.
    let mut rows = whole.ground.iter();
    let friction = rows.find(|r| r.parameter == "friction").unwrap();
    assert!(friction.q05 < 0.3 && friction.q95 > 0.7, "{friction:?}");
    let row = &whole.barrier_ground[0];
    assert_eq!((row.sets, row.rocks_per_set), (2, 20));
    // Friction of 1 holds a cube on 31° (tan 0.6) where it does not tumble on; friction of 0.2 lets all of them go.
    assert_eq!(row.arrived_fraction_95, Some(1.0));
    let (low, mean) = (
        row.arrived_fraction_05.unwrap(),
        row.arrived_fraction.unwrap(),
    );
    assert!(low <= mean && (mean - 0.5 * (low + 1.0)).abs() < 1e-12);
    assert!(
        whole
            .rocks
            .rows()
            .unwrap()
            .into_iter()
            .enumerate()
            .all(|(k, r)| r.ground_set as usize == 1 + k % 2)
    );
    let part = |k: u64| {
        run_part::<Part>(
            &forecast(),
            folder.path(),
            Some(Shard { index: k, count: 3 }),
        )
        .0
    };
    let mut sum = part(1).statistics;
    sum.merge(&part(2).statistics).unwrap();
    sum.merge(&part(3).statistics).unwrap();
    assert_eq!(sum, whole.statistics);
}

#[test]
fn a_verdict_says_what_it_rests_on_and_waits_for_rocks() {
    let folder = tempfile::tempdir().unwrap();
    posterior(folder.path(), [0.2, 0.25]);
    let mut scene = forecast();
    let (results, _) = run(&scene, folder.path());
    let design = &results.barrier_design[0];
    // 40 rocks do not bound a 95 % quantile: it takes 72.
    assert_eq!(design.verdict, Verdict::Undecided);
    scene["sources"][0]["rocks"] = json!(100);
    let (results, _) = run(&scene, folder.path());
    let design = &results.barrier_design[0];
    assert_eq!(design.verdict, Verdict::Holds, "{}", design.sentence);
    assert!(names(&design.sentence, &["2 sets"]), "{}", design.sentence);
    // Half a cubic metre of 2,700 kg/m³ cannot have more than its fall: 10.8 m of ground, 1 m over it and half a
    // diagonal.
    assert!(design.energy_kj.unwrap() < 1.35 * 9.81 * 8.0);
    scene["barriers"][0]["capacity_kj"] = json!(1);
    let (results, _) = run(&scene, folder.path());
    assert_eq!(results.barrier_design[0].verdict, Verdict::Fails);
    scene["barriers"][0]["design"]["percentile"] = json!(90);
    let percentile = ["barriers[0].design.percentile"];
    assert_eq!(paths_of(&scene, folder.path()), percentile);
    scene["materials"] = json!([{"name": "a", "class": "stone_marl"}]);
    let both = ["barriers[0].design.percentile", "ground"];
    assert_eq!(paths_of(&scene, folder.path()), both);
}

/// A line beside the terrain is refused by its path, alone and among others, before any rock is computed.
#[test]
fn a_barrier_or_collector_beside_the_terrain_is_refused_by_its_line() {
    let mut scene = slide();
    scene["terrain"] = json!({"profile": {"points_m": [[0, 12], [20, 0], [60, 0]]}});
    scene["sources"][0]["release"] = json!({"point": [2, 0]});
    let far = json!([[1e4, 0.0], [1e4, 10.0]]);
    scene["barriers"] = json!([{"name": "far", "line_m": far, "height_m": 3, "capacity_kj": 500}]);
    assert_eq!(paths_of(&scene, Path::new(".")), ["barriers[0].line_m"]);
    scene["collectors"] = json!([{"name": "far too", "line_m": far}]);
    let both = ["barriers[0].line_m", "collectors[0].line_m"];
    assert_eq!(paths_of(&scene, Path::new(".")), both);
}

#[test]
fn a_class_tells_where_it_comes_from_and_what_it_was_not_made_for() {
    let mut scene = slide();
    scene["stop"]["maximum_time_s"] = json!(4);
    scene["materials"] = json!([{"name": "marl", "class": "stone_marl", "friction": 0.1}]);
    let (results, warnings) = run(&scene, Path::new("."));
    // The run is cut short on purpose, which is said, and nothing else.
    assert_eq!(results.summary.timed_out, 3);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let row = |name: &str| {
        let row = results.ground.iter().find(|r| r.parameter == name);
        row.unwrap().clone()
    };
    // 0.55 within ±10 %, and a key in place of the class's friction.
    assert!((row("normal_restitution").median - 0.55).abs() < 1e-12);
    assert_eq!(row("friction").median, 0.1);
    let source = row("normal_restitution").source.unwrap();
    assert!(names(source, &["Alvioli", "2021"]), "{source}");
    // The scene's own friction and a roughness that the class does not give are not the source's.
    assert_eq!(row("friction").source, None);
    assert_eq!(row("roughness_95_percent_deg").source, None);
    scene["engine"] = json!({"rigid_body": {}});
    let (results, warnings) = run(&scene, Path::new("."));
    let made_for = ["marl", "stone_marl"];
    assert!(one_names(&warnings, &made_for), "{warnings:?}");
    let tangential = results
        .ground
        .iter()
        .find(|r| r.parameter == "tangential_restitution");
    assert!(!tangential.unwrap().used);
    scene["materials"][0]["class"] = json!("granite");
    assert_eq!(paths_of(&scene, Path::new(".")), ["materials[0].class"]);
}

#[test]
fn what_the_field_has_not_seen_is_said() {
    // Without friction over 200 m of 30° a mass is 34 m/s fast after 7 s.
    let (_, warnings) = run(&slide(), Path::new("."));
    let mut scene = slide();
    scene["stop"]["maximum_time_s"] = json!(7);
    let (results, faster) = run(&scene, Path::new("."));
    let greatest = results.rocks.rows().unwrap()[0].greatest_speed_m_s;
    assert!((greatest - 9.81 * 0.5 * 7.0).abs() < 1e-9, "{greatest}");
    for said in [warnings, faster] {
        assert!(one_names(&said, &["25", "30 m/s"]), "{said:?}");
    }
    scene["stop"]["maximum_time_s"] = json!(5);
    // The run is cut short on purpose, which is said, and nothing else.
    let (results, slower) = run(&scene, Path::new("."));
    assert_eq!(results.summary.timed_out, 3);
    assert_eq!(slower.len(), 1, "{slower:?}");
}

/// A barrier that no rock of [`slide`] passes beside.
fn wall(name: &str, x: f64, capacity: f64) -> Value {
    json!({"name": name, "line_m": [[x, -50], [x, 50]], "height_m": 5, "capacity_kj": capacity})
}

#[test]
fn a_barrier_that_fails_is_told_beside_one_with_a_design() {
    let mut scene = slide();
    scene["sources"][0]["rocks"] = json!(100);
    let mut designed = wall("designed", 10.0, 9000.0);
    // It stands where no rock passes.
    designed["line_m"] = json!([[-20, -50], [-20, 50]]);
    designed["design"] = json!({"percentile": 95, "energy_level": "maximum", "standard": {"stated": {
        "name": "factors of one", "speed": 1, "mass": 1, "height": 1, "capacity": 1, "clearance_m": 0, "elongation": 1}}});
    scene["barriers"] = json!([designed, wall("weak", 40.0, 1.0)]);
    let (results, _) = run(&scene, Path::new("."));
    let answer = results.answer();
    assert_eq!(answer.judgement, Judgement::Fails, "{}", answer.verdict);
    assert_eq!(answer.outcome, "weak fails");
    assert!(
        answer.verdict.contains("'weak'") && answer.verdict.contains("'designed'"),
        "{}",
        answer.verdict
    );
}

#[test]
fn what_no_rock_reaches_or_too_few_bound_is_undecided() {
    let mut scene = slide();
    scene["barriers"] = json!([wall("behind", -20.0, 9000.0)]);
    let judged = |scene: &Value| run(scene, Path::new(".")).0.answer().judgement;
    assert_eq!(judged(&scene), Judgement::Undecided);
    // All are alike: 100 bound the 95 % quantile, 3 do not.
    scene["barriers"] = json!([wall("below", 40.0, 9000.0)]);
    assert_eq!(judged(&scene), Judgement::Undecided);
    scene["sources"][0]["rocks"] = json!(100);
    assert_eq!(judged(&scene), Judgement::Holds);
}

#[test]
fn features_share_the_releases_of_a_year_by_their_rocks() {
    let folder = tempfile::tempdir().unwrap();
    let square = |x: f64, rocks: u64| {
        json!({"type": "Feature", "properties": {"rocks": rocks}, "geometry": {"type": "Polygon", "coordinates":
            [[[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0], [x, 0.0]]]}})
    };
    let file = json!({"type": "FeatureCollection", "features": [square(0.0, 6), square(3.0, 2)]});
    std::fs::write(folder.path().join("cliff.geojson"), file.to_string()).unwrap();
    let mut scene = slide();
    let source = scene["sources"][0].as_object_mut().unwrap();
    source.remove("rocks");
    source.insert("release".into(), json!({"file": "cliff.geojson"}));
    source.insert("annual_frequency".into(), json!(0.8));
    let (results, _) = run(&scene, folder.path());
    let seeders = &results.simulation.scene().seeders;
    let yearly: Vec<f64> = seeders.iter().filter_map(|s| s.annual_frequency).collect();
    assert_eq!(yearly.len(), 2);
    // 6 and 2 of 8 rocks, to rounding.
    for (found, wanted) in yearly.iter().zip([0.6, 0.2]) {
        assert!((found - wanted).abs() < 1e-15, "{yearly:?}");
    }
}

#[test]
fn every_start_meets_every_set_of_the_ground() {
    let folder = tempfile::tempdir().unwrap();
    posterior(folder.path(), [0.2, 0.4]);
    std::fs::write(folder.path().join("starts.csv"), "x_m,y_m\n2,0\n3,0\n").unwrap();
    let mut scene = forecast();
    scene["sources"][0]["release"] = json!({"starts": "starts.csv"});
    let (results, _) = run(&scene, folder.path());
    let met: std::collections::BTreeSet<(u64, u32)> = results
        .rocks
        .rows()
        .unwrap()
        .into_iter()
        .map(|r| (r.release_x_m.round() as u64, r.ground_set))
        .collect();
    assert_eq!(met.len(), 4, "{met:?}");
}

#[test]
fn a_collector_after_the_run_reads_what_it_would_have_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = slide();
    scene["sources"][0]["rocks"] = json!(12);
    scene["sources"][0]["height_m"] = json!({"uniform": [0, 3]});
    scene["materials"][0]["normal_restitution"] = json!({"uniform": [0.2, 0.6]});
    scene["barriers"] = json!([wall("net", 60.0, 300.0)]);
    let line = |x: f64| json!([{"name": "road", "line_m": [[x, -50], [x + 3.0, 50]]}]);
    scene["collectors"] = line(20.0);
    scene["write_paths"] = json!(12);
    let (results, _) = run(&scene, folder.path());
    let mut kept = Memory::default();
    results.write(&mut kept).unwrap();
    let bytes = klast_runs::files::Files::read(&kept, "paths.json").unwrap();
    std::fs::write(folder.path().join("paths.json"), bytes).unwrap();
    // Elsewhere.
    scene["write_paths"] = json!(0);
    scene["collectors"] = line(41.0);
    let (run_with_it, _) = run(&scene, folder.path());
    scene["paths"] = json!("paths.json");
    let (asked, _) = run(&scene, folder.path());
    assert!(asked.barriers[1].arrived > 0);
    assert_eq!(asked.statistics, run_with_it.statistics);
    let rows = [&asked.rocks, &run_with_it.rocks].map(|rocks| rocks.rows().unwrap());
    assert_eq!(rows[0], rows[1]);
    // What the paths are not of.
    let mut other = scene.clone();
    other["seed"] = json!(9);
    assert!(names(&refused(&other, folder.path()), &["paths", "seed 0"]));
    let mut other = scene.clone();
    other["barriers"][0]["capacity_kj"] = json!(5);
    assert!(names(
        &refused(&other, folder.path()),
        &["paths", "barriers"]
    ));
    let mut other = scene.clone();
    other["sources"][0]["shapes"][0]["mass_kg"] = json!(999);
    assert!(names(
        &refused(&other, folder.path()),
        &["paths", ": sources;"]
    ));
    let mut other = scene.clone();
    other["sources"][0]["rocks"] = json!(11);
    assert!(names(
        &refused(&other, folder.path()),
        &["paths", ": sources;"]
    ));
}

#[test]
fn paths_of_another_motion_are_refused_by_the_key_that_differs() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = slide();
    scene["materials"][0]["friction"] = json!(0.1);
    scene["write_paths"] = json!(3);
    scene["collectors"] = json!([{"name": "road", "line_m": [[30, -50], [30, 50]]}]);
    let (results, _) = run(&scene, folder.path());
    let mut kept = Memory::default();
    results.write(&mut kept).unwrap();
    let bytes = klast_runs::files::Files::read(&kept, "paths.json").unwrap();
    let read: Value = serde_json::from_slice(&bytes).unwrap();
    // A plane begins at the zero of the map.
    assert_eq!(read["origin_m"], json!([0.0, 0.0, 0.0]));
    std::fs::write(folder.path().join("paths.json"), bytes).unwrap();
    scene["paths"] = json!("paths.json");
    // What is the same, also where a default is stated, and what may differ.
    for (pointer, value) in [
        ("/write_paths", json!(0)),
        ("/collectors/0/line_m", json!([[40, -50], [40, 50]])),
        ("/materials/0/roughness_deg", json!(0)),
        ("/map_cell_m", Value::Null),
    ] {
        let mut same = scene.clone();
        set(&mut same, pointer, value);
        assert!(job(&same, folder.path()).is_ok(), "{pointer}");
    }
    for (pointer, value, key) in [
        ("/materials/0/friction", json!(0.2), "material 'ice'"),
        (
            "/materials/0/normal_restitution",
            json!(0.1),
            "material 'ice'",
        ),
        ("/engine/lumped_mass/rebound", json!("rocfall3"), "engine"),
        ("/stop/maximum_time_s", json!(9), "stop"),
        ("/sources/0/height_m", json!(0.5), "sources"),
        ("/terrain/slope/angle_deg", json!(31), "terrain"),
    ] {
        let mut other = scene.clone();
        set(&mut other, pointer, value);
        let told = refused(&other, folder.path());
        let differs = format!(": {key};");
        assert!(names(&told, &["paths", &differs]), "{pointer}: {told}");
    }
    // An engine with another step.
    scene["engine"] = json!({"rigid_body": {"contact_step_s": 0.01}});
    assert!(names(
        &refused(&scene, folder.path()),
        &["paths", ": engine;"]
    ));
}

/// What stands beside a raster decides where it has ground: paths kept without it are those of another terrain.
#[test]
fn paths_know_the_files_beside_a_raster() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..9).map(|_| "60 50 40 30 20 10 0\n").collect();
    let raster = format!("ncols 7\nnrows 9\nxllcorner 0\nyllcorner 0\ncellsize 10\n{rows}");
    std::fs::write(folder.path().join("dem.asc"), raster).unwrap();
    let mut scene = slide();
    scene["terrain"] = json!({"raster": {"file": "dem.asc"}});
    scene["sources"][0]["release"] = json!({"point": [10, 45]});
    scene["write_paths"] = json!(3);
    scene["collectors"] = json!([{"name": "road", "line_m": [[30, 10], [30, 80]]}]);
    let (results, _) = run(&scene, folder.path());
    let mut kept = Memory::default();
    results.write(&mut kept).unwrap();
    let bytes = klast_runs::files::Files::read(&kept, "paths.json").unwrap();
    std::fs::write(folder.path().join("paths.json"), bytes).unwrap();
    scene["paths"] = json!("paths.json");
    assert!(job(&scene, folder.path()).is_ok());
    let missing = r#"<PAMDataset><PAMRasterBand band="1"><NoDataValue>10</NoDataValue></PAMRasterBand></PAMDataset>"#;
    std::fs::write(folder.path().join("dem.asc.aux.xml"), missing).unwrap();
    let told = refused(&scene, folder.path());
    assert!(names(&told, &["paths", ": terrain;"]), "{told}");
}

fn set(scene: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = match parent.is_empty() {
        true => scene,
        false => scene.pointer_mut(parent).unwrap(),
    };
    parent[key] = value;
}

#[test]
fn trajectories_are_written_as_a_picture_needs_them() {
    let mut scene = slide();
    scene["sources"][0]["rocks"] = json!(2);
    scene["sources"][0]["height_m"] = json!(1.0 / 3.0);
    scene["write_trajectories"] = json!(2);
    let (results, _) = run(&scene, Path::new("."));
    let mut files = Memory::default();
    results.write(&mut files).unwrap();
    let table = klast_runs::files::Files::read(&files, "trajectories.csv").unwrap();
    let table = String::from_utf8(table).unwrap();
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let digits = |cell: &str| cell.split_once('.').map_or(0, |(_, d)| d.len());
    let mut count = 0;
    for (line, exact) in lines.zip(&results.trajectories) {
        count += 1;
        for (name, cell) in header.iter().zip(line.split(',')) {
            let most = match *name {
                "x_m" | "y_m" | "z_m" | "height_m" => 4,
                _ => 6,
            };
            assert!(digits(cell) <= most, "{name}: {cell}");
        }
        let place: f64 = line.split(',').nth(2).unwrap().parse().unwrap();
        // Half a tenth of a millimetre.
        assert!(
            (place - exact.x_m).abs() <= 0.5001e-4,
            "{place} {}",
            exact.x_m
        );
    }
    assert_eq!(count, results.trajectories.len());
    assert!(count > 10);
}

/// The slide with starts at these places across the slope (m).
fn slides_at(folder: &Path, across: &[f64]) -> Value {
    let rows = across.iter().map(|y| format!("0,{y}\n"));
    let table = format!("x_m,y_m\n{}", rows.collect::<String>());
    std::fs::write(folder.join("starts.csv"), table).unwrap();
    let mut scene = slide();
    let source = scene["sources"][0].as_object_mut().unwrap();
    source.remove("rocks");
    source.insert("release".into(), json!({"starts": "starts.csv"}));
    scene
}

#[test]
fn rocks_that_go_round_a_barrier_are_counted_and_told() {
    let folder = tempfile::tempdir().unwrap();
    // Straight down the plane: three of seven meet the net, two pass beside either end.
    let mut scene = slides_at(folder.path(), &[-90.0, -5.0, -2.0, 0.0, 2.0, 5.0, 9.0]);
    let net = |line: [[f64; 2]; 2], name: &str| json!({"name": name, "line_m": line, "height_m": 5, "capacity_kj": 9000});
    scene["barriers"] = json!([net([[40.0, -3.0], [40.0, 3.0]], "net")]);
    let (results, warnings) = run(&scene, folder.path());
    assert_eq!(results.barriers[0].arrived, 3);
    assert_eq!(results.barriers[0].passed_beside, Some(4));
    let told = "4 of 7";
    assert!(one_names(&warnings, &["'net'", told]), "{warnings:?}");
    let answer = results.answer();
    assert!(answer.verdict.contains(told), "{}", answer.verdict);
    assert_eq!(answer.outcome, "net is undecided with rocks beside it");
    // With a design too, whether it holds or not.
    for (capacity, begin) in [
        (1e6, "holds the rocks that arrive at it, but 4 of 7"),
        (1.0, "does not hold"),
    ] {
        let mut designed = scene.clone();
        designed["barriers"][0]["capacity_kj"] = json!(capacity);
        designed["barriers"][0]["design"] = json!({"percentile": 95, "energy_level": "maximum",
            "standard": {"stated": {"name": "one", "speed": 1, "mass": 1, "height": 1, "capacity": 1,
                                    "clearance_m": 0, "elongation": 1}}});
        let (results, _) = run(&designed, folder.path());
        let row = &results.barrier_design[0];
        assert_eq!(row.passed_beside, 4);
        if row.verdict != Verdict::Undecided {
            assert!(row.sentence.contains(begin), "{}", row.sentence);
        }
        assert!(row.sentence.contains(told), "{}", row.sentence);
    }
    // Rocks that another barrier holds do not go round; a bent line is prolonged along its last pieces, a closed one
    // has no ends.
    scene["barriers"] = json!([
        net([[40.0, -3.0], [40.0, 3.0]], "net"),
        net([[60.0, 4.0], [60.0, 20.0]], "other")
    ]);
    let (results, _) = run(&scene, folder.path());
    assert_eq!(results.barriers[0].passed_beside, Some(2));
    // The three are held above the other, two cross its prolongation.
    assert_eq!(results.barriers[1].passed_beside, Some(2));
    scene["barriers"] = json!([net([[40.0, -3.0], [40.0, 3.0]], "net")]);
    scene["barriers"][0]["line_m"] = json!([[40, -3], [40, 3], [50, 3], [50, -3], [40, -3]]);
    let (results, warnings) = run(&scene, folder.path());
    assert_eq!(results.barriers[0].passed_beside, Some(0));
    assert!(
        !warnings.iter().any(|w| w.contains("beside")),
        "{warnings:?}"
    );
    assert!(!results.answer().verdict.contains("beside"));
}

#[test]
fn the_energy_behind_a_barrier_is_that_of_every_rock_that_passes_it() {
    // Over the top with all of its energy, through a rigid barrier likewise, through a net with what is left.
    let flexible =
        json!({"service_energy_kj": 50, "elongation_m": 4, "residual_height_fraction": 0.5});
    for (height, capacity, flexible, left) in [
        (0.1, 1e4, Some(flexible.clone()), energy(40.0)),
        (5.0, 100.0, None, energy(40.0)),
        (5.0, 100.0, Some(flexible), energy(40.0) - 100.0),
    ] {
        let mut scene = slide();
        scene["barriers"] = json!([wall("net", 40.0, capacity)]);
        scene["barriers"][0]["height_m"] = json!(height);
        if let Some(flexible) = flexible {
            scene["barriers"][0]["flexible"] = flexible;
        }
        scene["collectors"] = json!([{"name": "road", "line_m": [[50, -50], [50, 50]]}]);
        let (results, _) = run(&scene, Path::new("."));
        assert_eq!(results.barriers[0].passed, Some(3));
        let found = results.barriers[0].residual_energy_95_kj.unwrap();
        // A bin of the histogram is up to a 64th of the value wide.
        assert!(
            (found / left - 1.0).abs() < 1.0 / 64.0,
            "{height} {capacity}: {found} {left}"
        );
        // A collector holds nothing and has nothing behind it.
        let road = &results.barriers[1];
        assert_eq!(
            (road.passed, road.passed_beside, road.residual_energy_95_kj),
            (None, None, None)
        );
    }
}

#[test]
fn positions_behind_a_barrier_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = slides_at(folder.path(), &[-9.0, -2.0, 0.0, 2.0, 9.0]);
    scene["barriers"] = json!([wall("net", 40.0, 9000.0)]);
    scene["barriers"][0]["line_m"] = json!([[40, -3], [40, 3]]);
    scene["sweeps"] =
        json!([{"name": "line", "line_m": [[20, -1], [20, 50]], "shift_m": [15, 0], "places": 4}]);
    let (results, warnings) = run(&scene, folder.path());
    // At 20 and 35 m three of the rocks come to the line; at 50 and 65 m the net has two of them.
    let found: Vec<(u64, u64)> = results
        .sweep
        .iter()
        .map(|r| (r.arrived, r.held_before))
        .collect();
    assert_eq!(found, [(3, 0), (3, 0), (1, 2), (1, 2)]);
    assert!(one_names(&warnings, &["'line'", "3", "4"]), "{warnings:?}");
    scene.as_object_mut().unwrap().remove("barriers");
    let (results, warnings) = run(&scene, folder.path());
    assert!(
        results
            .sweep
            .iter()
            .all(|r| (r.arrived, r.held_before) == (3, 0))
    );
    assert!(!one_names(&warnings, &["'line'"]), "{warnings:?}");
}

#[test]
fn rocks_that_do_not_begin_to_run_are_told() {
    // 20 m down at 30° and then level ground with friction: those released at the edge run, the others lie.
    let folder = tempfile::tempdir().unwrap();
    for (lying, told) in [(3, false), (4, true)] {
        let starts: String = (0..6)
            .map(|k| if k < lying { "40,0\n" } else { "0,0\n" })
            .collect();
        std::fs::write(
            folder.path().join("starts.csv"),
            format!("x_m,y_m\n{starts}"),
        )
        .unwrap();
        let mut scene = slide();
        scene["terrain"] = json!({"profile": {"points_m": [[0, 11.5], [20, 0], [90, 0]]}});
        scene["materials"][0]["friction"] = json!(0.3);
        let source = scene["sources"][0].as_object_mut().unwrap();
        source.remove("rocks");
        source.insert("release".into(), json!({"starts": "starts.csv"}));
        scene["stop"]["maximum_time_s"] = json!(60);
        let (results, warnings) = run(&scene, folder.path());
        assert_eq!(results.summary.stopped, 6);
        let sentence = format!(
            "{lying} of 6 rocks end within 5 m of their release in plan (more than 50 % is told)"
        );
        assert_eq!(
            warnings.iter().any(|w| w.contains(&sentence)),
            told,
            "{warnings:?}"
        );
    }
}

#[test]
fn a_forecast_repeats_what_its_calibration_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("posterior.json");
    let better = json!({"beside_null_models": "better", "sentence": "-"});
    let undecided = json!({"beside_null_models": "undecided", "sentence": "-"});
    let worse = json!({"beside_null_models": "worse", "sentence": "-"});
    for (verdict, runs, told) in [
        (Some(better.clone()), 10, None),
        (
            Some(better),
            9,
            Some("on 9 observed runs; fewer than 10 runs are few."),
        ),
        (
            Some(undecided),
            18,
            Some(
                "on 18 observed runs; whether its forecasts are better than those of null models is undecided.",
            ),
        ),
        (
            Some(worse),
            18,
            Some("its forecasts are worse than those of null models."),
        ),
        (
            None,
            18,
            Some("its file does not say whether its forecasts are better"),
        ),
    ] {
        posterior(folder.path(), [0.2, 0.25]);
        let mut read: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        read["runs"] = json!(runs);
        if let Some(verdict) = verdict {
            read["verdict"] = verdict;
        }
        std::fs::write(&file, read.to_string()).unwrap();
        let mut scene = forecast();
        let (designed, warnings) = run(&scene, folder.path());
        let said = |text: &str| text.contains(told.unwrap_or("The ground was calibrated"));
        assert_eq!(
            warnings.iter().any(|w| said(w)),
            told.is_some(),
            "{warnings:?}"
        );
        // In the sentence of a design once, and of a barrier without one, a collector and a runout.
        assert_eq!(
            designed
                .answer()
                .verdict
                .matches("The ground was calibrated")
                .count(),
            usize::from(told.is_some())
        );
        assert_eq!(said(&designed.barrier_design[0].sentence), told.is_some());
        scene["barriers"][0]
            .as_object_mut()
            .unwrap()
            .remove("design");
        assert_eq!(
            said(&run(&scene, folder.path()).0.answer().verdict),
            told.is_some()
        );
        scene["collectors"] = json!([{"name": "road", "line_m": [[12, -500], [12, 500]]}]);
        scene.as_object_mut().unwrap().remove("barriers");
        assert_eq!(
            said(&run(&scene, folder.path()).0.answer().verdict),
            told.is_some()
        );
        scene.as_object_mut().unwrap().remove("collectors");
        assert_eq!(
            said(&run(&scene, folder.path()).0.answer().verdict),
            told.is_some()
        );
    }
}

#[test]
fn sets_of_which_few_rocks_arrive_are_told() {
    let folder = tempfile::tempdir().unwrap();
    posterior(folder.path(), [0.2, 0.25]);
    let mut scene = forecast();
    // 19 and 20 rocks of the two sets; on 31° with these frictions all of them come down.
    for (rocks, few) in [(39, 1), (40, 0)] {
        scene["sources"][0]["rocks"] = json!(rocks);
        let (results, warnings) = run(&scene, folder.path());
        let row = &results.barrier_ground[0];
        assert_eq!(results.barriers[0].arrived, rocks);
        assert_eq!(
            (row.arrived_per_set, row.sets_with_few_arrivals),
            (Some(rocks / 2), few)
        );
        let told = "'net': of 1 of 2 sets of the ground, fewer than 20 rocks arrive (at least 19)";
        assert_eq!(
            warnings.iter().any(|w| w.contains(told)),
            few == 1,
            "{warnings:?}"
        );
    }
}

#[test]
fn a_net_and_a_class_are_refused_in_the_words_of_the_scene() {
    let net = |key: &str, value: Value| {
        let mut scene = slide();
        scene["barriers"] = json!([wall("upper", 40.0, 3000.0)]);
        scene["barriers"][0]["flexible"] =
            json!({"service_energy_kj": 1000, "elongation_m": 4, "residual_height_fraction": 0.5});
        scene["barriers"][0]["flexible"][key] = value;
        refused(&scene, Path::new("."))
    };
    for (key, value, told) in [
        (
            "service_energy_kj",
            json!(50000),
            "50000; accepted: above 0 kJ, up to 3000 kJ",
        ),
        ("service_energy_kj", json!(0), "0; accepted: above 0 kJ"),
        ("elongation_m", json!(-1), "-1; accepted: 0 m or more"),
        (
            "residual_height_fraction",
            json!(1.5),
            "1.5; accepted: 0 to 1",
        ),
    ] {
        let found = net(key, value);
        let told = format!("barriers[0].flexible.{key}: barrier 'upper': {told}");
        assert!(found.contains(&told), "{found}");
    }
    let mut scene = slide();
    scene["materials"] = json!([{"name": "cliff", "class": "stone_carbonat"}]);
    assert_eq!(paths_of(&scene, Path::new(".")), ["materials[0].class"]);
}

#[test]
fn a_bound_that_few_rocks_leave_open_is_told_in_words() {
    let mut scene = slide();
    scene["barriers"] = json!([wall("net", 40.0, 9000.0)]);
    scene["barriers"][0]["design"] = json!({"percentile": 95, "energy_level": "maximum",
        "standard": {"stated": {"name": "one", "speed": 1, "mass": 1, "height": 1, "capacity": 1,
                                "clearance_m": 0, "elongation": 1}}});
    let (results, _) = run(&scene, Path::new("."));
    let sentence = &results.barrier_design[0].sentence;
    // Three equal rocks: of the 95 % quantile of three the lower bound is the least.
    let told = format!(
        "with 95 % confidence, the 95 % energy is at least {:.0} kJ; there are too few rocks for an upper bound",
        energy(40.0)
    );
    assert!(sentence.contains(&told), "{sentence}");
}

/// Of two starts 0.3 m and 0.6 m below the ground one is raised by up to half a metre, and then slides as one that was
/// let go on the ground; the other is not run.
#[test]
fn starts_in_the_ground_are_raised_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let table = "x_m,y_m,z_m\n0,0,-0.3\n0,5,-0.6\n";
    std::fs::write(folder.path().join("starts.csv"), table).unwrap();
    let mut scene = slide();
    scene["sources"][0]["release"] = json!({"starts": "starts.csv"});
    scene["sources"][0].as_object_mut().unwrap().remove("rocks");
    let counts = |scene: &Value| {
        let summary = run(scene, folder.path()).0.summary;
        (summary.raised_starts, summary.released_below_ground)
    };
    assert_eq!(counts(&scene), (0, 2));
    scene["sources"][0]["raise_buried_up_to_m"] = json!(0.5);
    assert_eq!(counts(&scene), (1, 1));
    let raised = run(&scene, folder.path()).0;
    let speed = raised.statistics.speed.quantile(0.99).unwrap();
    // v = g t sin θ after 10 s; a class of the histogram is 2 % wide.
    assert!((speed / (98.1 * 30f64.to_radians().sin()) - 1.0).abs() < 0.02);
    scene["sources"][0]["raise_buried_up_to_m"] = json!(-1);
    assert!(job(&scene, folder.path()).is_err());
}

/// A named rebound takes the materials that go with it, and `manual` what it belongs to.
#[test]
fn keys_of_engines_go_together_or_are_refused() {
    let half = json!({"half_speed_m_s": 5});
    let manual = |value: Value| json!({"rigid_body": {"manual": value}});
    let lumped = |rebound: &str| json!({"lumped_mass": {"rebound": rebound}});
    let with = |mut engine: Value, kind: &str, key: &str, value: Value| {
        engine[kind][key] = value;
        engine
    };
    for (engine, by_speed, accepted) in [
        (lumped("rocfall3"), None, true),
        (lumped("pfeiffer_bowen"), None, true),
        (lumped("pfeiffer_bowen"), Some(&half), false),
        (lumped("bourrier_hungr"), Some(&half), true),
        (lumped("bourrier_hungr"), None, false),
        (
            with(
                lumped("rocfall3_translation"),
                "lumped_mass",
                "manual",
                json!("as_printed"),
            ),
            None,
            true,
        ),
        (
            with(
                lumped("pfeiffer_bowen"),
                "lumped_mass",
                "manual",
                json!("as_printed"),
            ),
            None,
            false,
        ),
        (manual(json!("ramms")), None, true),
        (manual(json!({"facets": 8})), None, true),
        (manual(json!({"facets": 7})), None, false),
        (
            with(
                manual(json!("ramms")),
                "rigid_body",
                "contact_step_s",
                json!(0.001),
            ),
            None,
            false,
        ),
        (
            with(
                manual(json!("against_incoming_slip")),
                "rigid_body",
                "impact_law",
                json!("stronge"),
            ),
            None,
            false,
        ),
    ] {
        let mut scene = slide();
        scene["engine"] = engine.clone();
        if let Some(law) = by_speed {
            scene["materials"][0]["restitution_by_speed"] = law.clone();
        }
        let taken = job(&scene, Path::new("."));
        assert_eq!(taken.is_ok(), accepted, "{engine} {by_speed:?}");
    }
}

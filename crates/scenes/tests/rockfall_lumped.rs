//! Lumped-mass scenes: releases in parts, the ground's resolution, and keys of old.

use std::path::Path;

use klast_rockfall_jobs::rockfall::result::Results as Rockfall;
use klast_scenes::Scene;
use serde_json::{Value, json};

use klast_runs::files::Memory;
use klast_runs::{Job, Run, Silent};

fn scene() -> Value {
    json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"profile": {"points_m": [[0, 60], [60, 20], [200, 20]]}},
        "materials": [{"name": "rock", "normal_restitution": 0.4, "tangential_restitution": 0.9, "friction": 0.5}],
        "sources": [{"name": "cliff", "release": {"point": [5, 0]}, "rocks": 40, "height_m": 2.0,
                     "shapes": [{"shape": "sphere", "volume_m3": 1.0}], "velocity_m_s": [{"uniform": [0, 3]}, 0, 0]}],
        "engine": {"lumped_mass": {}},
        "write_trajectories": 10
    })
}

fn job(scene: &Value, folder: &Path) -> klast_runs::error::Result<Box<dyn Job>> {
    Scene::parse(&scene.to_string(), folder)?.0.job()
}

fn refused(scene: &Value) -> String {
    format!("{:#}", job(scene, Path::new(".")).map(|_| ()).unwrap_err())
}

/// Runs a scene: its results and its warnings.
fn run(scene: &Value, folder: &Path) -> (Box<Rockfall>, Vec<String>) {
    let mut files = Memory::default();
    let mut run = Run::new(&Silent, &mut files);
    let results = job(scene, folder).unwrap().run(&mut run).unwrap();
    let outcome = run.end(results);
    let results = outcome.results.take::<Rockfall>().unwrap();
    (results, outcome.warnings)
}

#[test]
fn a_resolution_below_zero_is_refused_by_its_key() {
    let mut scene = scene();
    scene["terrain"]["profile"]["vertical_resolution_m"] = json!(-0.1);
    let said = refused(&scene);
    assert!(
        said.contains("vertical_resolution_m") && said.contains("-0.1"),
        "{said}"
    );
}

/// Each part of a file gives its share of the rocks: here 1 : 3 by area, 1 : 1 : 1 by points.
#[test]
fn every_part_of_a_release_file_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let square =
        |x: f64, width: f64| json!([[[x, 0], [x + width, 0], [x + width, 1], [x, 1], [x, 0]]]);
    let feature =
        |geometry: Value| json!({"type": "Feature", "properties": {}, "geometry": geometry});
    let all = |features: Value| json!({"type": "FeatureCollection", "features": features});
    let (a, b) = (square(2.0, 1.0), square(20.0, 3.0));
    let polygon = |c: &Value| feature(json!({"type": "Polygon", "coordinates": c}));
    let files = [
        (all(json!([polygon(&a), polygon(&b)])), 0.25),
        (
            feature(json!({"type": "MultiPolygon", "coordinates": [a, b]})),
            0.25,
        ),
        (
            feature(json!({"type": "MultiPoint", "coordinates": [[2, 0], [20, 0], [21, 0]]})),
            1.0 / 3.0,
        ),
        (
            all(json!([
                feature(json!({"type": "Point", "coordinates": [2, 0]})),
                feature(json!({"type": "Point", "coordinates": [20, 0]}))
            ])),
            0.5,
        ),
    ];
    for (k, (file, share)) in files.into_iter().enumerate() {
        std::fs::write(folder.path().join("release.geojson"), file.to_string()).unwrap();
        let mut scene = scene();
        scene["sources"][0]["release"] = json!({"file": "release.geojson"});
        scene["sources"][0]["rocks"] = json!(400);
        scene["write_trajectories"] = json!(400);
        let (results, _) = run(&scene, folder.path());
        let from: Vec<f64> = results.paths.iter().map(|p| p.moments[0].x_m).collect();
        assert_eq!(from.len(), 400);
        let found = from.iter().filter(|x| **x < 10.0).count() as f64 / 400.0;
        // Four standard deviations of a share of 400.
        assert!((found - share).abs() < 0.1, "{k}: {found} {share}");
    }
    let mixed = all(json!([
        feature(json!({"type": "Point", "coordinates": [2, 0]})),
        polygon(&square(2.0, 1.0))
    ]));
    std::fs::write(folder.path().join("mixed.geojson"), mixed.to_string()).unwrap();
    let mut scene = scene();
    scene["sources"][0]["release"] = json!({"file": "mixed.geojson"});
    let error = job(&scene, folder.path()).map(|_| ());
    assert!(format!("{:#}", error.unwrap_err()).contains("one kind"));
}

/// Heights of two decimals on a slope with a point each metre: the result says what they leave open, and what the
/// cutoffs do.
#[test]
fn coarse_heights_are_told() {
    let told = |decimals: i32| {
        let scale = 10f64.powi(decimals);
        let height = |x: f64| ((100.0 - 0.7 * x).max(0.0) * scale).round() / scale;
        let points = (0..300).map(|k| [f64::from(k), height(f64::from(k) * 0.999)]);
        let mut scene = scene();
        scene["terrain"]["profile"]["points_m"] = json!(points.collect::<Vec<_>>());
        run(&scene, Path::new("."))
    };
    let (coarse, warnings) = told(2);
    assert!(
        warnings.iter().any(|w| w.contains("0.01 m")),
        "{warnings:?}"
    );
    let lumped = coarse.summary.lumped_mass.as_ref().unwrap();
    assert!(lumped.unresolved_edges > 0 && lumped.unresolved_energy_share > 0.01);
    let (fine, warnings) = told(6);
    assert!(warnings.is_empty(), "{warnings:?}");
    let cutoffs = fine
        .summary
        .lumped_mass
        .as_ref()
        .and_then(|l| l.cutoffs.clone());
    let cutoffs = cutoffs.unwrap();
    assert_eq!((cutoffs.rocks, cutoffs.normal_velocity_m_s), (4, 0.1));
    assert!(cutoffs.mean_runout_m > 0.0 && cutoffs.mean_runout_with_half_m > 0.0);
}

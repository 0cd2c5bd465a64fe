//! Lumped-mass scenes: releases in parts, the ground's resolution, shards, and keys of old.

use klast_scenes::scene::SceneText;
use klast_scenes::session::{Options, Session, Shard};
use serde_json::{Value, json};
use std::path::Path;

fn scene() -> Value {
    json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"profile": {"points_m": [[0, 60], [60, 20], [200, 20]]}},
        "materials": [{"name": "rock", "normal_restitution": 0.4, "tangential_restitution": 0.9, "friction_coefficient": 0.5}],
        "sources": [{"name": "cliff", "release": {"point": [5, 0]}, "rocks": 40, "height_m": 2.0,
                     "shapes": [{"shape": "sphere", "volume_m3": 1.0}], "velocity_m_per_s": [{"uniform": [0, 3]}, 0, 0]}],
        "engine": {"lumped_mass": {}},
        "write_trajectories": 10
    })
}

fn text(scene: &Value, folder: &Path) -> SceneText {
    SceneText::new("scene.json", folder.into(), scene.to_string()).unwrap()
}

fn refused(scene: &Value) -> String {
    let error = klast_scenes::kinds::prepare(&text(scene, Path::new("."))).map(|_| ());
    format!("{:#}", error.unwrap_err())
}

/// Runs a scene into a folder and reads a file of it.
fn run(
    scene: &Value,
    folder: &Path,
    out: &str,
    shard: Option<Shard>,
) -> impl Fn(&str) -> String + use<> {
    let text = text(scene, folder);
    let out = folder.join(out);
    let options = Options {
        out: Some(out.clone()),
        quiet: true,
        shard,
        ..Options::default()
    };
    let job = klast_scenes::kinds::prepare(&text).unwrap();
    let mut session = Session::start(&text, &options).unwrap();
    job.run(&mut session).unwrap();
    session.finish().unwrap();
    move |file| std::fs::read_to_string(out.join(file)).unwrap_or_default()
}

#[test]
fn feet_are_refused_and_metres_are_not() {
    let mut scene = scene();
    scene["engine"] = json!({"lumped_mass": {"imperial": true}});
    let said = refused(&scene);
    assert!(
        said.contains("imperial is true") && said.contains("0.3048 m"),
        "{said}"
    );
    scene["engine"] = json!({"lumped_mass": {"imperial": false}});
    assert!(klast_scenes::kinds::prepare(&text(&scene, Path::new("."))).is_ok());
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
        let read = run(&scene, folder.path(), &format!("out{k}"), None);
        let table = read("trajectories.csv");
        let first = table
            .lines()
            .skip(1)
            .filter(|l| l.split(',').nth(1) == Some("0"));
        let from: Vec<f64> = first
            .map(|l| l.split(',').nth(2).unwrap().parse().unwrap())
            .collect();
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
    let error = klast_scenes::kinds::prepare(&text(&scene, folder.path())).map(|_| ());
    assert!(format!("{:#}", error.unwrap_err()).contains("one kind"));
}

/// A part of a run writes the trajectories of its own rocks, and no others.
#[test]
fn a_shard_computes_its_own_trajectories() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene();
    let rocks = |out: &str, shard| -> Vec<u64> {
        let table = run(&scene, folder.path(), out, shard)("trajectories.csv");
        let rocks = table
            .lines()
            .skip(1)
            .filter_map(|l| l.split(',').next()?.parse().ok());
        let mut rocks: Vec<u64> = rocks.collect();
        rocks.dedup();
        rocks
    };
    let whole: Vec<u64> = (0..10).collect();
    assert_eq!(rocks("whole", None), whole);
    let parts =
        (1..=8).flat_map(|index| rocks(&format!("part{index}"), Some(Shard { index, count: 8 })));
    assert_eq!(parts.collect::<Vec<_>>(), whole);
}

/// Heights of two decimals on a slope with a point each metre: the result says what they leave open, and what the cutoffs do.
#[test]
fn coarse_heights_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let told = |decimals: i32| -> Value {
        let scale = 10f64.powi(decimals);
        let height = |x: f64| ((100.0 - 0.7 * x).max(0.0) * scale).round() / scale;
        let points: Vec<[f64; 2]> = (0..300)
            .map(|k| [f64::from(k), height(f64::from(k) * 0.999)])
            .collect();
        let mut scene = scene();
        scene["terrain"]["profile"]["points_m"] = json!(points);
        let read = run(&scene, folder.path(), &format!("out{decimals}"), None);
        serde_json::from_str(&read("manifest.json")).unwrap()
    };
    let (coarse, fine) = (told(2), told(6));
    assert!(
        coarse["warnings"].to_string().contains("0.01 m"),
        "{coarse}"
    );
    assert_eq!(fine["warnings"], json!([]), "{fine}");
    assert!(
        fine.to_string().contains("cutoff_effect_runout_m"),
        "{fine}"
    );
}

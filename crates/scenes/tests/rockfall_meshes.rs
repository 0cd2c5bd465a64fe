//! Several meshes as the ground of a rockfall, each with its material.

use crate::common::refused::{names, one_names};
use klast_rockfall_jobs::rockfall::result::Results as Rockfall;
use klast_runs::files::Memory;
use klast_runs::{Run, Silent};
use klast_scenes::Scene;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

struct Ran {
    results: Box<Rockfall>,
    notes: Vec<String>,
    warnings: Vec<String>,
}

fn run(scene: &Value, folder: &Path) -> Ran {
    let (scene, _) = Scene::parse(&scene.to_string(), folder).unwrap();
    let job = scene.job().unwrap();
    let notes = scene.text().notes();
    let mut files = Memory::default();
    let mut run = Run::new(&Silent, &mut files);
    let results = job.run(&mut run).unwrap();
    let outcome = run.end(results);
    let results = outcome.results.take::<Rockfall>().unwrap();
    Ran {
        results,
        notes,
        warnings: outcome.warnings,
    }
}

fn refused(scene: &Value, folder: &Path) -> String {
    let job = Scene::parse(&scene.to_string(), folder).and_then(|s| s.0.job());
    format!("{:#}", job.map(|_| ()).unwrap_err())
}

/// Nodes of a sheet over stations and rows, whose height is that of a station and a row.
fn nodes(x: &[f64], y: &[f64], height: impl Fn(f64, f64) -> f64) -> String {
    let mut text = String::new();
    for &y in y {
        for &x in x {
            writeln!(text, "v {x} {y} {}", height(x, y)).unwrap();
        }
    }
    text
}

/// Triangles of a sheet of that many stations and rows, whose first node has this number (from 1).
fn faces(columns: usize, rows: usize, first: usize) -> String {
    let mut text = String::new();
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let a = first + row * columns + column;
            let (b, c, d) = (a + 1, a + columns, a + columns + 1);
            writeln!(text, "f {a} {b} {d}\nf {a} {d} {c}").unwrap();
        }
    }
    text
}

fn sheet(x: &[f64], y: &[f64], height: impl Fn(f64, f64) -> f64) -> String {
    nodes(x, y, height) + &faces(x.len(), y.len(), 1)
}

/// A lumped mass that slides over two meshes.
fn two_planes() -> Value {
    json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"meshes": {"parts": [
            {"file": "above.obj", "material": "rock"},
            {"file": "below.obj", "material": "scree"}
        ]}},
        "materials": [
            {"name": "rock", "normal_restitution": 0.0, "friction": 0.25},
            {"name": "scree", "normal_restitution": 0.0, "friction": 1.25}
        ],
        "sources": [{"name": "edge", "release": {"point": [10, 3]}, "rocks": 2,
                     "shapes": [{"shape": "sphere", "mass_kg": 1000}]}],
        "engine": {"lumped_mass": {"rebound": "rocfall3_translation"}},
        "write_trajectories": 0
    })
}

/// Tangent 3/4: sine 0.6, cosine 0.8.
fn plane(x: f64, _: f64) -> f64 {
    -0.75 * x
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

fn planes(folder: &Path) {
    write(
        folder,
        "above.obj",
        &sheet(&[0.0, 50.0], &[-10.0, 10.0], plane),
    );
    let below = sheet(&[50.0, 120.0], &[-10.0, 1.0, 10.0], plane);
    write(folder, "below.obj", &below);
}

#[test]
fn a_mass_that_slides_from_rock_onto_scree_stops_where_friction_says() {
    let folder = tempfile::tempdir().unwrap();
    planes(folder.path());
    let ran = run(&two_planes(), folder.path());
    // 50 m along the slope with g (0.6 - 0.25 · 0.8) = 0.4 g, then g (1.25 · 0.8 - 0.6) = 0.4 g against it: 50 m more,
    // 80 m in plan. Without the second material it would leave the map.
    assert_eq!(ran.results.summary.stopped, 2);
    for rock in &ran.results.rocks.rows().unwrap() {
        // Rows are rounded to a millimetre.
        assert!((rock.end_x_m - 90.0).abs() < 0.501e-3, "{}", rock.end_x_m);
    }
    let said = ran.notes.join("\n");
    for line in [
        "terrain above.obj: 2 triangles, x 0 to 50, y -10 to 10, heights -37.5 to 0 m; material rock",
        "terrain below.obj: 4 triangles, x 50 to 120, y -10 to 10, heights -90 to -37.5 m; material scree",
        "terrain: above.obj and below.obj touch along 20 m in plan",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    assert!(ran.warnings.is_empty(), "{:?}", ran.warnings);
}

#[test]
fn rigid_rocks_on_two_meshes_do_what_they_do_on_one_with_polygons() {
    let folder = tempfile::tempdir().unwrap();
    let y: Vec<f64> = (0..=8).map(|k| 5.0 * f64::from(k) - 20.0).collect();
    let x = |from: u32, to: u32| -> Vec<f64> { (from..=to).map(|k| 5.0 * f64::from(k)).collect() };
    let height = |x: f64, y: f64| -0.7 * x + 0.8 * (0.3 * x).sin() * (0.2 * y).cos();
    let (above, below) = (x(0, 10), x(10, 24));
    write(folder.path(), "above.obj", &sheet(&above, &y, height));
    write(folder.path(), "below.obj", &sheet(&below, &y, height));
    let whole = nodes(&above, &y, height)
        + &nodes(&below, &y, height)
        + &faces(above.len(), y.len(), 1)
        + &faces(below.len(), y.len(), 1 + above.len() * y.len());
    write(folder.path(), "whole.obj", &whole);
    // A hair beyond the border, where the first part is the ground.
    let polygon = json!({"type": "FeatureCollection", "features": [{
        "type": "Feature", "properties": {"material": "rock"},
        "geometry": {"type": "Polygon", "coordinates":
            [[[-1, -30], [50.000001, -30], [50.000001, 30], [-1, 30], [-1, -30]]]}
    }]});
    write(folder.path(), "rock.geojson", &polygon.to_string());
    let mut parts = two_planes();
    parts["materials"] = json!([
        {"name": "rock", "normal_restitution": 0.4, "friction": 0.5},
        {"name": "scree", "normal_restitution": 0.1, "friction": {"uniform": [0.9, 1.1]}, "drag_per_s": 0.5, "drag_height_m": 1.0}
    ]);
    parts["engine"] = json!({"rigid_body": {}});
    parts["sources"][0]["rocks"] = json!(40);
    parts["sources"][0]["height_m"] = json!(2.0);
    parts["sources"][0]["shapes"] = json!([{"shape": "cube", "mass_kg": 1000}]);
    let mut one = parts.clone();
    one["terrain"] = json!({"mesh": {"file": "whole.obj"}});
    one["layout"] = json!({"polygons": {"file": "rock.geojson", "elsewhere": "scree"}});
    let (parts, one) = (
        run(&parts, folder.path()).results,
        run(&one, folder.path()).results,
    );
    // The facets come in another order, which may change the last bits of a contact at the border and, as rocks that
    // bounce are chaotic, all that follows for this rock; a wrong material or a seam would change most of them. Of
    // 40 rocks 39 are the same.
    let pairs = parts
        .rocks
        .rows()
        .unwrap()
        .into_iter()
        .zip(one.rocks.rows().unwrap());
    let same = pairs.filter(|(a, b)| a == b).count();
    assert!(same >= 38 && parts.rocks.len() == 40, "{same}");
    // Rocks come to rest on both.
    let beyond = parts
        .rocks
        .rows()
        .unwrap()
        .into_iter()
        .filter(|r| r.end_x_m > 50.0)
        .count();
    assert!(parts.summary.stopped > 0 && beyond > 0, "{beyond}");
}

#[test]
fn overlaps_and_gaps_are_told() {
    let folder = tempfile::tempdir().unwrap();
    planes(folder.path());
    let over = sheet(&[48.0, 120.0], &[-10.0, 10.0], |x, y| plane(x, y) + 0.1);
    write(folder.path(), "below.obj", &over);
    let mut rigid = two_planes();
    rigid["engine"] = json!({"rigid_body": {}});
    let warnings = run(&rigid, folder.path()).warnings.join("\n");
    for told in [["40 m²", "0.1 m"], ["above.obj", "0.1 m high"]] {
        assert!(names(&warnings, &told), "{told:?}\n{warnings}");
    }
    // A lumped mass would slide on under the second.
    let found = refused(&two_planes(), folder.path());
    assert!(names(&found, &["40 m²", "lumped_mass"]), "{found}");
    // A tenth of a metre without ground, into which the sliding masses run.
    let apart = sheet(&[50.1, 120.0], &[-10.0, 10.0], plane);
    write(folder.path(), "below.obj", &apart);
    let ran = run(&two_planes(), folder.path());
    let warnings = ran.warnings.join("\n");
    let told = "above.obj and below.obj have a gap between them, about 20 m long and up to 0.1 m wide in plan";
    assert!(warnings.contains(told), "{warnings}");
    assert_eq!(ran.results.summary.left_map, 2);
    for rock in &ran.results.rocks.rows().unwrap() {
        // Rows are rounded to a millimetre; an end is known to the rounding of a slide.
        assert!((rock.end_x_m - 50.0).abs() < 1e-3, "{}", rock.end_x_m);
    }
}

#[test]
fn a_step_between_meshes_is_a_wall() {
    let folder = tempfile::tempdir().unwrap();
    planes(folder.path());
    let higher = sheet(&[50.0, 120.0], &[-10.0, 1.0, 10.0], |x, y| {
        plane(x, y) + 5.0
    });
    write(folder.path(), "below.obj", &higher);
    let found = refused(&two_planes(), folder.path());
    assert!(names(&found, &["5 m high", "lumped_mass"]), "{found}");
    for shape in ["cube", "sphere"] {
        let mut scene = two_planes();
        scene["engine"] = json!({"rigid_body": {}});
        scene["sources"][0]["shapes"][0]["shape"] = json!(shape);
        scene["sources"][0]["rocks"] = json!(20);
        scene["materials"][0]["normal_restitution"] = json!(0.3);
        let ran = run(&scene, folder.path());
        let warnings = ran.warnings.join("\n");
        let told = "above.obj and below.obj have a step between them, up to 5 m high: a steep facet of the higher one";
        assert!(warnings.contains(told), "{warnings}");
        // Rocks of 0.7 m that slide or roll down come to a wall of 5 m.
        for rock in &ran.results.rocks.rows().unwrap() {
            assert!(rock.end_x_m < 50.0, "{shape} {}", rock.end_x_m);
        }
    }
}

#[test]
fn meshes_that_cannot_be_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    planes(folder.path());
    let far = sheet(&[5000.0, 5070.0], &[-10.0, 10.0], plane);
    write(folder.path(), "far.obj", &far);
    write(
        folder.path(),
        "upright.obj",
        "v 0 0 0\nv 0 0 9\nv 9 0 0\nf 1 2 3\n",
    );
    let with = |place: &str, value: Value| {
        let mut scene = two_planes();
        *scene.pointer_mut(place).unwrap() = value;
        refused(&scene, folder.path())
    };
    let part = "/terrain/meshes/parts/1";
    for (place, value, said) in [
        (
            part,
            json!({"file": "far.obj", "material": "scree"}),
            "terrain.meshes.parts: far.obj does not meet above.obj: 2 triangles, x 5000 to 5070",
        ),
        (
            part,
            json!({"file": "below.obj", "material": "mud"}),
            "terrain.meshes: below.obj: no material 'mud'; accepted: rock, scree",
        ),
        (
            part,
            json!({"file": "above.obj", "material": "scree"}),
            "terrain.meshes.parts: above.obj is there twice; accepted: each file once",
        ),
        (
            part,
            json!({"file": "upright.obj", "material": "scree"}),
            "upright.obj: the mesh lies on its side",
        ),
        (
            "/terrain/meshes/parts",
            json!([]),
            "terrain.meshes.parts: none; accepted: one or more",
        ),
    ] {
        let found = with(place, value);
        assert!(found.contains(said), "{said}\n{found}");
    }
    let mut beside = two_planes();
    beside["layout"] = json!({"segments": ["rock"]});
    let found = refused(&beside, folder.path());
    assert!(names(&found, &["layout:", "terrain.meshes"]), "{found}");
    let mut calibrated = two_planes();
    calibrated["ground"] = json!({"posterior": "posterior.json"});
    let found = refused(&calibrated, folder.path());
    assert!(names(&found, &["ground:", "terrain.meshes"]), "{found}");
    let mut spare = two_planes();
    let mud = json!({"name": "mud", "normal_restitution": 0.0, "friction": 0.5});
    spare["materials"].as_array_mut().unwrap().push(mud);
    let warnings = run(&spare, folder.path()).warnings;
    assert_eq!(warnings, ["material 'mud' lies nowhere: no mesh has it"]);
}

/// The overhang of a mesh is told, a lumped mass refuses it, and rigid rocks that bounce back at it do not get under
/// it: none ends lower than the ground, nor behind the edge that it fell from.
#[test]
fn rocks_do_not_get_under_an_overhang() {
    let folder = tempfile::tempdir().unwrap();
    // A cliff of 20 m whose edge stands 2 m in front of its foot. A bank in front throws rocks back at it.
    let section = [
        [0.0, 22.0],
        [30.0, 20.0],
        [28.0, 12.0],
        [28.2, 0.0],
        [34.0, 0.0],
        [40.0, 7.0],
        [70.0, 7.0],
    ];
    let stations: Vec<f64> = (0..section.len()).map(|k| k as f64).collect();
    let rows: Vec<f64> = (0..9).map(|k| 5.0 * f64::from(k)).collect();
    let mut text = String::new();
    for y in &rows {
        for [x, z] in section {
            writeln!(text, "v {x} {y} {z}").unwrap();
        }
    }
    text += &faces(stations.len(), rows.len(), 1);
    write(folder.path(), "cliff.obj", &text);
    let mut scene = json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"mesh": {"file": "cliff.obj"}},
        "materials": [{"name": "rock", "normal_restitution": 0.6, "friction": 0.3}],
        "sources": [{"name": "top", "release": {"line": [[27.0, 12.0], [27.0, 28.0]]}, "rocks": 60, "height_m": 1.0,
                     "velocity_m_s": [6.0, 0.0, 0.0],
                     "shapes": [{"shape": "cube", "mass_kg": 500}, {"shape": "tetrahedron", "mass_kg": 500}]}],
        "engine": {"rigid_body": {}}, "seed": 3
    });
    let ran = run(&scene, folder.path());
    let told = ["cliff.obj", "40 m", "20 m"];
    assert!(one_names(&ran.warnings, &told), "{:?}", ran.warnings);
    assert_eq!(ran.results.rocks.len(), 60);
    for rock in &ran.results.rocks.rows().unwrap() {
        let (x, z) = (rock.end_x_m, rock.end_z_m);
        assert!(if x < 30.0 { z > 20.0 } else { z > 0.0 }, "x {x}, z {z}");
    }
    scene["engine"] = json!({"lumped_mass": {}});
    let said = refused(&scene, folder.path());
    assert!(
        said.contains("overhangs") && said.contains("lumped_mass"),
        "{said}"
    );
}

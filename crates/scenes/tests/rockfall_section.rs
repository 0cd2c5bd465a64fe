//! A surveyed section with faces and overhangs, a line that is moved over a slope, and other cells of the ground.

use crate::common::refused::names;
use klast_rockfall_jobs::rockfall::result::Results as Rockfall;
use klast_runs::files::Memory;
use klast_runs::{Results as _, Run, Silent};
use klast_scenes::Scene;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

const G: f64 = 9.81;

fn run(scene: &Value, folder: &Path) -> (Box<Rockfall>, Vec<String>) {
    let job = Scene::parse(&scene.to_string(), folder).and_then(|s| s.0.job());
    let mut files = Memory::default();
    let mut run = Run::new(&Silent, &mut files);
    let results = job.unwrap().run(&mut run).unwrap();
    let outcome = run.end(results);
    let results = outcome.results.take::<Rockfall>().unwrap();
    (results, outcome.warnings)
}

fn refused(scene: &Value) -> String {
    let job = Scene::parse(&scene.to_string(), Path::new(".")).and_then(|s| s.0.job());
    format!("{:#}", job.map(|_| ()).unwrap_err())
}

/// A lumped mass that slides over a plateau without friction at 8 m/s, falls over its edge at 10 m, and stops where it
/// comes down.
fn over_the_edge(points: &[[f64; 2]], layout: &[&str]) -> Value {
    json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"profile": {"points_m": points}},
        "materials": [
            {"name": "ice", "normal_restitution": 0.0, "friction": 0.0},
            {"name": "sand", "normal_restitution": 0.0, "tangential_restitution": 0.0, "friction": 1.0}
        ],
        "layout": {"segments": layout},
        "sources": [{"name": "edge", "release": {"point": [5, 0]}, "rocks": 2, "velocity_m_s": [8, 0, 0],
                     "shapes": [{"shape": "sphere", "mass_kg": 1000}]}],
        "engine": {"lumped_mass": {"rebound": "rocfall3_translation"}},
        "write_trajectories": 0
    })
}

const FACE: [[f64; 2]; 4] = [[0.0, 20.0], [10.0, 20.0], [10.0, 0.0], [100.0, 0.0]];
const ROOF: [[f64; 2]; 5] = [
    [0.0, 20.0],
    [10.0, 20.0],
    [7.0, 12.0],
    [8.0, 0.0],
    [100.0, 0.0],
];

#[test]
fn a_mass_over_a_face_or_an_overhang_lands_where_ballistics_says() {
    // The parabola from the edge at 10 m, 20 m down.
    let lands = 10.0 + 8.0 * (2.0 * 20.0 / G).sqrt();
    let face = over_the_edge(&FACE, &["ice", "ice", "sand"]);
    let roof = over_the_edge(&ROOF, &["ice", "ice", "ice", "sand"]);
    for scene in [&face, &roof] {
        let (results, _) = run(scene, Path::new("."));
        assert_eq!(results.summary.stopped, 2);
        for rock in &results.rocks.rows().unwrap() {
            // Rows of rocks are rounded to a millimetre.
            assert!(
                (rock.end_x_m - lands).abs() < 0.501e-3,
                "{} {lands}",
                rock.end_x_m
            );
        }
    }
    let said = |scene: &Value| run(scene, Path::new(".")).1.join("\n");
    assert!(names(&said(&roof), &["7", "10 m"]), "{}", said(&roof));
    assert!(!said(&face).contains("overhang"));
    // Beneath the roof is no room.
    let mut beneath = roof.clone();
    beneath["sources"][0]["release"] = json!({"point": [9, 0]});
    beneath["sources"][0]["elevation_m"] = json!(5);
    let found = refused(&beneath);
    assert!(names(&found, &["5 m", "20 m"]), "{found}");
}

#[test]
fn a_face_is_a_profile_that_leans_by_a_millimetre() {
    let leaning = |by: f64| {
        let mut points = FACE;
        points[2][0] += by;
        points
    };
    let tumbling = |points: &[[f64; 2]], height: f64| {
        let mut scene = over_the_edge(points, &["ice", "sand", "sand"]);
        scene["materials"][1] = json!({"name": "sand", "normal_restitution": 0.3, "friction": 0.6});
        scene["engine"] = json!({"rigid_body": {}});
        scene["sources"][0]["rocks"] = json!(6);
        scene["sources"][0]["height_m"] = json!(height);
        scene["sources"][0]["shapes"] = json!([{"shape": "cube", "mass_kg": 1000}]);
        scene["collectors"] = json!([{"name": "road", "line_m": [[20, -500], [20, 500]]}]);
        run(&scene, Path::new(".")).0
    };
    // Cubes that tumble over the edge do the same to the last bit on the profile that is written so.
    let (face, written) = (tumbling(&FACE, 0.0), tumbling(&leaning(1e-3), 0.0));
    assert_eq!(face.statistics, written.statistics);
    assert_eq!(face.rocks.rows().unwrap(), written.rocks.rows().unwrap());
    assert_eq!(face.summary.seeded, 6);
    assert!(face.statistics.account.balances());
    // Cubes in free flight over the edge pass 15 m on as a parabola does; a face that leans ten times as far is as
    // good.
    for points in [FACE, leaning(1e-2)] {
        let results = tumbling(&points, 4.0);
        let road = &results.statistics.collectors[0];
        let drop = 0.5 * G * (15.0f64 / 8.0).powi(2);
        let energy = 1000.0 * (0.5 * 8.0 * 8.0 + G * drop);
        let found = road.energy.mean().unwrap();
        assert_eq!(road.arrived(), 6);
        // Means are sums in fixed point.
        assert!((found / energy - 1.0).abs() < 1e-8, "{found} {energy}");
    }
}

#[test]
fn sections_that_bound_no_ground_are_refused_by_their_segments() {
    let crossing = [
        [0.0, 0.0],
        [10.0, 10.0],
        [10.0, 0.0],
        [5.0, 8.0],
        [20.0, 8.0],
    ];
    let found = refused(&over_the_edge(&crossing, &["ice"; 4]));
    assert!(names(&found, &["segments", "0", "2"]), "{found}");
    // A name for each surveyed segment, of which two are not ground.
    let found = refused(&over_the_edge(&ROOF, &["ice"; 3]));
    assert!(names(&found, &["3", "4 segments"]), "{found}");
}

#[test]
fn a_line_that_is_moved_over_the_slope_meets_the_parabola_where_it_is() {
    // A mass that leaves a slope of 30° at 20 m/s comes down after 2 v² tan θ/g = 47.1 m, and stops there.
    let tangent = 30f64.to_radians().tan();
    let v = 20.0;
    let scene = json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"slope": {"angle_deg": 30}},
        "materials": [{"name": "sand", "normal_restitution": 0.0, "tangential_restitution": 0.0, "friction": 1.0}],
        "sources": [{"name": "edge", "release": {"point": [0, 0]}, "rocks": 5, "velocity_m_s": [v, 0, 0],
                     "height_m": 1, "shapes": [{"shape": "sphere", "mass_kg": 1000}]}],
        "engine": {"lumped_mass": {"rebound": "rocfall3_translation"}},
        "collectors": [{"name": "alone", "line_m": [[30, -50], [30, 50]]}],
        "sweeps": [{"name": "net", "line_m": [[10, -50], [10, 50]], "shift_m": [10, 0], "places": 6}],
        "write_trajectories": 0
    });
    let (results, _) = run(&scene, Path::new("."));
    assert_eq!(results.sweep.len(), 6);
    let start = results.rocks.rows().unwrap()[0].release_z_m;
    // Where the parabola from the release meets the slope.
    let (a, b) = (0.5 * G / (v * v), tangent);
    let lands = (b + (b * b + 4.0 * a * start).sqrt()) / (2.0 * a);
    let radius = (0.75 * 1000.0 / 2700.0 / std::f64::consts::PI).cbrt();
    for (k, row) in results.sweep.iter().enumerate() {
        let x = 10.0 * (k + 1) as f64;
        assert_eq!((row.place as usize, row.shift_m), (k + 1, x - 10.0));
        // Counted from where the rocks end.
        let beyond = results
            .rocks
            .rows()
            .unwrap()
            .into_iter()
            .filter(|r| r.end_x_m > x)
            .count() as u64;
        assert_eq!(row.arrived, beyond);
        assert_eq!(beyond, if x < lands { 5 } else { 0 }, "{x} {lands}");
        assert_eq!(row.arrived_fraction, beyond as f64 / 5.0);
        let (Some(energy), Some(top)) = (row.energy_95_kj, row.top_95_m) else {
            assert_eq!(beyond, 0);
            continue;
        };
        let drop = 0.5 * G * (x / v).powi(2);
        let exact = 0.5 * v * v + G * drop;
        let centre = start - drop + x * tangent;
        // Quantiles are exact to a bin of 1.6 %.
        assert!(
            (energy / exact - 1.0).abs() < 0.016,
            "{x}: {energy} {exact}"
        );
        // Height of the top of the rock over the ground.
        let exact = centre + radius;
        assert!((top / exact - 1.0).abs() < 0.016, "{x}: {top} {exact}");
    }
    // The third position is the collector that stands there.
    let (alone, third) = (&results.statistics.collectors[0], &results.sweep[2]);
    assert_eq!(third.arrived, alone.arrived());
    assert_eq!(
        third.energy_99_kj,
        alone.energy.quantile(0.99).map(|e| 1e-3 * e)
    );
    assert_eq!(third.top_99_m, alone.top.quantile(0.99));
}

/// A raster of 81 x 21 nodes of 2 m that falls by 1 in 2 along x, with bumps.
fn raster(folder: &Path, bumps: f64) {
    let mut text =
        "ncols 81\nnrows 21\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -9999\n".to_owned();
    for row in 0..21 {
        for column in 0..81 {
            let wave = f64::from(column * 7 + row * 3).sin();
            let height = 100.0 - f64::from(column) + bumps * wave;
            write!(text, "{height:.6} ").unwrap();
        }
        text.push('\n');
    }
    std::fs::write(folder.join("ground.asc"), text).unwrap();
}

#[test]
fn a_plane_is_the_same_at_every_cell_and_a_bumpy_slope_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let scene = json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"raster": {"file": "ground.asc", "crs": "local"}},
        "materials": [{"name": "scree", "normal_restitution": 0.0, "friction": 0.8}],
        "sources": [{"name": "edge", "release": {"line": [[10.5, 10.3], [10.5, 30.3]]}, "rocks": 20,
                     "velocity_m_s": [{"uniform": [8, 16]}, 0, 0],
                     "shapes": [{"shape": "sphere", "mass_kg": 1000}]}],
        "engine": {"lumped_mass": {"rebound": "rocfall3_translation"}},
        "repeat_at_cells_m": [4, 5],
        "collectors": [{"name": "road", "line_m": [[20, 0], [20, 42]]}],
        "write_trajectories": 0
    });
    raster(folder.path(), 0.0);
    let (results, _) = run(&scene, folder.path());
    let cells: Vec<f64> = results.cells.iter().map(|r| r.cell_m).collect();
    assert_eq!(cells, [2.0, 4.0, 5.0]);
    for row in &results.cells {
        assert_eq!(
            (row.rocks, row.settled, row.arrived),
            (20, 20, results.cells[0].arrived)
        );
        let own = &results.cells[0];
        for (found, exact) in [
            (row.runout_50_m, own.runout_50_m),
            (row.runout_95_m, own.runout_95_m),
            (row.speed_95_m_s, own.speed_95_m_s),
            (row.energy_95_kj, own.energy_95_kj),
        ] {
            let (found, exact) = (found.unwrap(), exact.unwrap());
            // Sampled anew, a plane is the same plane, and its values fall in the same bins.
            assert!((found / exact - 1.0).abs() < 1e-6, "{found} {exact}");
        }
    }
    raster(folder.path(), 0.1);
    let (results, _) = run(&scene, folder.path());
    let runouts: Vec<f64> = results.cells.iter().filter_map(|r| r.runout_50_m).collect();
    let (low, high) = (
        runouts.iter().copied().fold(f64::INFINITY, f64::min),
        runouts.iter().copied().fold(0.0, f64::max),
    );
    assert_eq!(runouts.len(), 3);
    assert!(high > 1.05 * low, "{runouts:?}");
    // The rows are a table of the results.
    let mut files = Memory::default();
    results.write(&mut files).unwrap();
    let table = klast_runs::files::Files::read(&files, "cells.csv").unwrap();
    let table = String::from_utf8(table).unwrap();
    assert_eq!(
        table.lines().filter(|l| !l.starts_with('#')).count(),
        4,
        "{table}"
    );
}

/// A face of 30 m that looks up the slope: cubes that slide down to it stay in front of it, whatever way a step of
/// sustained contact goes. The face is a millimetre wide in plan.
#[test]
fn rigid_cubes_that_slide_do_not_pass_a_vertical_face() {
    let scene = json!({
        "schema": 1, "kind": "rockfall", "seed": 1,
        "terrain": {"profile": {"points_m": [[0, 0], [50, -37.5], [50, -7.5], [120, -60]]}},
        "materials": [{"name": "rock", "friction": 0.25, "normal_restitution": 0.3, "tangential_restitution": 0.9}],
        "sources": [{"name": "slope", "release": {"point": [5, 0]}, "rocks": 20,
                     "shapes": [{"shape": "cube", "mass_kg": 1000}]}],
        "engine": {"rigid_body": {}},
        "write_trajectories": 0
    });
    let (results, _) = run(&scene, Path::new("."));
    let account = &results.statistics.account;
    assert_eq!((account.seeded, account.stopped), (20, 20), "{account:?}");
    // The mass centre of a cube lies within the radius of its sphere of the face, in front of it.
    let side = (1000.0_f64 / 2700.0).cbrt();
    let reach = 0.5 * 3.0_f64.sqrt() * side;
    for rock in &results.rocks.rows().unwrap() {
        let x = rock.end_x_m;
        assert!((50.0 - reach - 0.1..50.0).contains(&x), "{x}");
    }
}

/// In the corner under a low face some points of a body close while others leave it. Without friction no impact gains
/// energy, and no rock climbs above its release.
#[test]
fn rigid_bodies_in_a_corner_gain_no_energy() {
    let points = [
        [0.0, 0.0],
        [50.0, -37.5],
        [50.0, -37.0],
        [80.0, -57.0],
        [80.0, -69.5],
        [120.0, -89.5],
    ];
    let scene = json!({
        "schema": 1, "kind": "rockfall", "seed": 1,
        "terrain": {"profile": {"points_m": points}},
        "materials": [{"name": "rock", "friction": 0.0, "normal_restitution": 0.95}],
        "sources": [{"name": "slope", "release": {"point": [5, 0]}, "rocks": 20,
                     "shapes": [{"shape": "tetrahedron", "mass_kg": 1000}]}],
        "engine": {"rigid_body": {}},
        "write_trajectories": 0
    });
    let (results, _) = run(&scene, Path::new("."));
    assert_eq!(results.statistics.energy_gains, 0);
    for rock in &results.rocks.rows().unwrap() {
        // The slope is 0.75 high on 1; a rock is less than a metre across.
        assert!(rock.end_x_m > 5.0 - 1.0 / 0.75, "{rock:?}");
    }
}

/// The mass centre of a convex body on a plane is at least its inradius away. Sharp and slender rocks turn fast near
/// the ground, and their vertices come down between two looks of the contact at it.
#[test]
fn rigid_rocks_of_any_shape_rest_on_the_ground_and_not_in_it() {
    let slope = 14.0_f64.to_radians();
    let plane = json!([[-200.0, 200.0 * slope.tan()], [400.0, -400.0 * slope.tan()]]);
    let on_plane = |x: f64, z: f64| (z + slope.tan() * x) * slope.cos();
    let ditch = json!([[-20, 40], [10, 10], [20, 10], [20, 30], [60, 30]]);
    // A slope of 45°, a floor, a wall.
    let in_ditch = |x: f64, z: f64| match x < 10.0 {
        true => (z + x - 20.0) * 0.5_f64.sqrt(),
        false => (z - 10.0).min(20.0 - x),
    };
    type Height<'a> = &'a dyn Fn(f64, f64) -> f64;
    let grounds: [(_, Height, _, _); 3] = [
        (&plane, &on_plane, [-14.0, 0.0], (0.2, 0.35)),
        (&ditch, &in_ditch, [-2.0, 0.0], (0.2, 0.35)),
        (&ditch, &in_ditch, [-2.0, 0.0], (0.0, 0.2)),
    ];
    // Inradius and circumradius of a body of 1 m³: edge³ = 6 √2 V, and edges of 6:1:1.
    let edge = (6.0 * 2.0_f64.sqrt()).cbrt();
    let side = 6.0_f64.cbrt().recip();
    let shapes = [
        (
            json!("tetrahedron"),
            edge / 24.0_f64.sqrt(),
            edge * 0.375_f64.sqrt(),
        ),
        (
            json!({"box": [6, 1, 1]}),
            0.5 * side,
            0.5 * side * 38.0_f64.sqrt(),
        ),
    ];
    for (points, height, release, (restitution, friction)) in grounds {
        for (shape, inner, outer) in &shapes {
            let scene = json!({
                "schema": 1, "kind": "rockfall", "seed": 5,
                "terrain": {"profile": {"points_m": points}},
                "materials": [{"name": "m", "normal_restitution": restitution, "friction": friction}],
                "sources": [{"name": "s", "release": {"point": release}, "rocks": 300, "height_m": {"uniform": [0.2, 3]},
                             "shapes": [{"shape": shape, "volume_m3": 1}]}],
                "engine": {"rigid_body": {}},
                "write_trajectories": 0
            });
            let (results, _) = run(&scene, Path::new("."));
            let stopped = results
                .rocks
                .rows()
                .unwrap()
                .into_iter()
                .filter(|r| r.outcome == "stopped");
            assert!(stopped.clone().count() > 100);
            for rock in stopped {
                // A thousandth of the radius is left to a body on facets; places are given to a millimetre.
                let least = inner - 2e-3 * outer - 1e-3;
                assert!(
                    height(rock.end_x_m, rock.end_z_m) > least,
                    "{shape}: {rock:?}"
                );
                assert!(rock.end_z_m < rock.release_z_m, "{shape}: {rock:?}");
            }
        }
    }
}

/// A wall of a tenth of a metre is as thick as the vertices of a metre's rock go in a step: the way out of it is where
/// they came in.
#[test]
fn rigid_rocks_stop_before_a_thin_wall() {
    let points = json!([[-40, 0], [3, 0], [3, 4], [3.15, 4], [3.15, 0], [80, 0]]);
    for shape in [json!("cube"), json!("tetrahedron")] {
        let scene = json!({
            "schema": 1, "kind": "rockfall", "seed": 3,
            "terrain": {"profile": {"points_m": points}},
            "materials": [{"name": "m", "normal_restitution": 0.0, "friction": 0.4}],
            "sources": [{"name": "s", "release": {"point": [0, 0]}, "rocks": 60, "velocity_m_s": [6, 0, 0],
                         "shapes": [{"shape": shape, "volume_m3": 1}]}],
            "engine": {"rigid_body": {}},
            "write_trajectories": 0
        });
        let (results, _) = run(&scene, Path::new("."));
        let behind = results
            .rocks
            .rows()
            .unwrap()
            .into_iter()
            .filter(|r| r.end_x_m > 3.0);
        assert_eq!(behind.count(), 0, "{shape}");
    }
}

/// Cubes are let go with their mass centre beyond the edge of a cliff: they tip over it, whatever the ground resists to
/// rolling. Soft ground holds slow rocks only where it carries them.
#[test]
fn soft_ground_does_not_hold_rocks_over_an_edge() {
    let side = 0.5f64.cbrt();
    for resistance in [0.0, 0.1, 0.3] {
        let scene = json!({
            "schema": 1, "kind": "rockfall",
            "terrain": {"profile": {"points_m": [[0, 50], [30, 50], [30, 10], [80, 10]]}},
            "materials": [{"name": "m", "normal_restitution": 0.3, "friction": 0.5,
                           "rolling_resistance": resistance}],
            "sources": [{"name": "s", "release": {"line": [[30.05, 0.0], [30.35, 0.0]]}, "upright": true, "rocks": 20,
                         "elevation_m": 50.0 + 0.5 * side + 1e-3,
                         "shapes": [{"shape": "cube", "volume_m3": 0.5}]}],
            "engine": {"rigid_body": {}}, "seed": 1
        });
        let (results, _) = run(&scene, Path::new("."));
        assert_eq!(results.rocks.len(), 20);
        for rock in &results.rocks.rows().unwrap() {
            assert!(rock.end_z_m < 12.0, "{resistance}: {}", rock.end_z_m);
        }
    }
}

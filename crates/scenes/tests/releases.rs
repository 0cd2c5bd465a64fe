//! Releases, layouts and barriers from files, on a plane in the Swiss frame that falls to the east.

use klast_rockfall_jobs::rockfall;
#[path = "common/case.rs"]
mod case;
use crate::common::plane;
use crate::common::rockfall_scene;

use klast_scenes::Scene;
use serde_json::{Value, json};

use case::{
    Case,
    Right::{Read, Refused},
    judge,
};
use plane::plane;
use rockfall_scene::scene;

/// Runs a scene with files beside it; rocks seeded, off the map, and those that left it.
fn run(files: &[(&str, String)], changes: &[(&str, Value)]) -> anyhow::Result<String> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("dem.asc"), plane())?;
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text)?;
    }
    let scene = scene(changes);
    let (scene, _) = Scene::parse(&scene.to_string(), folder.path())?;
    let outcome = scene.job()?.run_silently()?;
    let Some(results) = outcome.results.take::<rockfall::result::Results>() else {
        anyhow::bail!("no rockfall");
    };
    let s = &results.summary;
    if let [net] = &results.barriers[..] {
        // A net of great capacity takes whatever arrives at it.
        let all = net.arrived > 0 && s.caught[0].rocks == net.arrived;
        return Ok(format!(
            "{}: {}",
            net.name,
            if all { "takes all" } else { "torn" }
        ));
    }
    Ok(format!(
        "{} seeded, {} off the map, {} left it",
        s.seeded, s.released_off_map, s.left_map
    ))
}

fn ring(x: f64, y: f64, size: f64) -> Value {
    json!([
        [x, y],
        [x + size, y],
        [x + size, y + size],
        [x, y + size],
        [x, y]
    ])
}

fn feature(geometry: &Value, properties: &Value) -> String {
    json!({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": properties, "geometry": geometry}]})
        .to_string()
}

fn cases() -> Vec<Case> {
    let (x, y) = (2_600_000.0, 1_200_000.0);
    let square = |dx: f64, dy: f64, size: f64| json!({"type": "Polygon", "coordinates": [ring(x + dx, y + dy, size)]});
    let from_file = |text: String| {
        run(
            &[("r.geojson", text)],
            &[
                ("/sources/0/release", json!({"file": "r.geojson"})),
                ("/sources/0/rocks", Value::Null),
            ],
        )
    };
    let counted = |text: String| {
        run(
            &[("r.geojson", text)],
            &[("/sources/0/release", json!({"file": "r.geojson"}))],
        )
    };
    let layout = |text: String| {
        run(
            &[("l.geojson", text)],
            &[(
                "/layout",
                json!({"polygons": {"file": "l.geojson", "elsewhere": "rock"}}),
            )],
        )
    };
    let both = json!({"type": "GeometryCollection", "geometries": [square(10.0, 10.0, 5.0), square(10.0, 60.0, 5.0)]});
    let hole = json!({"type": "Polygon", "coordinates": [ring(x - 50.0, y - 50.0, 400.0), ring(x - 20.0, y - 20.0, 300.0)]});
    let swamp = json!({"material": "swamp"});
    let swapped = json!({"type": "Point", "coordinates": [46.9512, 7.43875]});
    let net = |key: &str| {
        let line =
            json!({"type": "LineString", "coordinates": [[x + 100.0, y], [x + 100.0, y + 100.0]]});
        let mut properties = json!({"NAME": "net", "HEIGHT_M": 4.0});
        properties[key] = json!(1e6);
        run(
            &[("n.geojson", feature(&line, &properties))],
            &[("/barriers_file", json!("n.geojson"))],
        )
    };
    vec![
        Case::new(
            "a collection of two polygons: rocks by attribute, in all",
            from_file(feature(&both, &json!({"rocks": 6}))),
            Read("6 seeded, 0 off the map, 6 left it"),
        ),
        Case::new(
            "rocks as a text (CSV columns turned to GeoJSON)",
            from_file(feature(&square(10.0, 10.0, 5.0), &json!({"ROCKS": " 7 "}))),
            Read("7 seeded, 0 off the map, 7 left it"),
        ),
        Case::new(
            "rocks in words",
            from_file(feature(
                &square(10.0, 10.0, 5.0),
                &json!({"rocks": "seven"}),
            )),
            Refused(&["feature 1", "rocks", "seven"]),
        ),
        Case::new(
            "two and a half rocks",
            from_file(feature(&square(10.0, 10.0, 5.0), &json!({"rocks": 2.5}))),
            Refused(&["feature 1", "2.5"]),
        ),
        Case::new(
            "fewer rocks than none",
            from_file(feature(&square(10.0, 10.0, 5.0), &json!({"rocks": -3}))),
            Refused(&["feature 1", "-3"]),
        ),
        Case::new(
            "latitude and longitude exchanged",
            counted(feature(&swapped, &json!({}))),
            Refused(&["r.geojson"]),
        ),
        Case::new(
            "a layout with a hole: rocks in the hole are elsewhere",
            layout(feature(&hole, &swamp)),
            Read("20 seeded, 0 off the map, 20 left it"),
        ),
        Case::new(
            "a layout without a hole stops them",
            layout(feature(&square(-50.0, -50.0, 400.0), &swamp)),
            Read("20 seeded, 0 off the map, 0 left it"),
        ),
        Case::new(
            "a layout beside a terrain in its own grid changes nothing: no degrees lead to that grid",
            run(
                &[(
                    "l.geojson",
                    feature(
                        &json!({"type": "Polygon", "coordinates": [ring(-5.0, -5.0, 4.0)]}),
                        &swamp,
                    ),
                )],
                &[
                    ("/terrain/raster/crs", json!("local")),
                    (
                        "/layout",
                        json!({"polygons": {"file": "l.geojson", "elsewhere": "rock"}}),
                    ),
                ],
            ),
            Read("20 seeded, 0 off the map, 20 left it"),
        ),
        Case::new(
            "a material that the scene has not",
            layout(feature(
                &square(-50.0, -50.0, 400.0),
                &json!({"material": "snow"}),
            )),
            Refused(&["feature 1", "snow"]),
        ),
        Case::new(
            "a layout of points",
            layout(feature(
                &json!({"type": "Point", "coordinates": [x, y]}),
                &swamp,
            )),
            Refused(&["point"]),
        ),
        Case::new(
            "names cut to ten letters (shapefile)",
            net("CAPACITY_K"),
            Read("net: takes all"),
        ),
    ]
}

/// A second set.
fn more() -> Vec<Case> {
    let (x, y) = (2_600_000.0, 1_200_000.0);
    let square = |dx: f64, dy: f64, size: f64| json!({"type": "Polygon", "coordinates": [ring(x + dx, y + dy, size)]});
    let released = |geometry: &Value, properties: &Value| {
        run(
            &[("r.geojson", feature(geometry, properties))],
            &[
                ("/sources/0/release", json!({"file": "r.geojson"})),
                ("/sources/0/rocks", Value::Null),
            ],
        )
    };
    let net = |properties: Value| {
        let line =
            json!({"type": "LineString", "coordinates": [[x + 100.0, y], [x + 100.0, y + 100.0]]});
        run(
            &[("n.geojson", feature(&line, &properties))],
            &[("/barriers_file", json!("n.geojson"))],
        )
    };
    let five = json!({"rocks": 5});
    let off = json!({"type": "MultiPolygon", "coordinates": [[ring(x + 10.0, y + 10.0, 5.0)], [ring(x - 900.0, y, 5.0)]]});
    let degrees = json!({"type": "Polygon", "coordinates": [ring(7.4389, 46.9512, 0.0001)]});
    let sized = json!([{"shape": "sphere"}]);
    let negative = run(
        &[(
            "r.geojson",
            feature(
                &square(10.0, 10.0, 5.0),
                &json!({"rocks": 5, "volume_m3": -1}),
            ),
        )],
        &[
            ("/sources/0/release", json!({"file": "r.geojson"})),
            ("/sources/0/rocks", Value::Null),
            ("/sources/0/shapes", sized),
        ],
    );
    let collector = run(
        &[(
            "c.geojson",
            feature(
                &json!({"type": "Point", "coordinates": [x, y]}),
                &json!({"name": "c"}),
            ),
        )],
        &[("/collectors_file", json!("c.geojson"))],
    );
    vec![
        Case::new(
            "a release in degrees without a CRS",
            released(&degrees, &five),
            Read("5 seeded, 0 off the map, 5 left it"),
        ),
        Case::new(
            "a part off the map",
            released(&off, &five),
            Refused(&["off the map"]),
        ),
        Case::new(
            "no rocks",
            released(&square(10.0, 10.0, 5.0), &json!({"rocks": 0})),
            Refused(&["rocks"]),
        ),
        Case::new("a negative volume", negative, Refused(&["-1"])),
        Case::new(
            "a collector that is a point",
            collector,
            Refused(&["point"]),
        ),
        Case::new(
            "a height with its unit",
            net(json!({"name": "net", "height_m": "4 m"})),
            Refused(&["height_m", "4 m"]),
        ),
        Case::new(
            "a net without height",
            net(json!({"name": "net", "height_m": 0, "capacity_kj": 5})),
            Refused(&["height"]),
        ),
        Case::new(
            "a capacity below zero",
            net(json!({"name": "net", "height_m": 4, "capacity_kj": -5})),
            Refused(&["capacity"]),
        ),
        Case::new(
            "an empty file",
            run(
                &[(
                    "r.geojson",
                    r#"{"type":"FeatureCollection","features":[]}"#.to_owned(),
                )],
                &[("/sources/0/release", json!({"file": "r.geojson"}))],
            ),
            Refused(&["no geometry"]),
        ),
    ]
}

#[test]
fn releases_layouts_and_barriers_are_read_or_refused_as_is_right() {
    judge(&cases());
    judge(&more());
}

//! Files that users have, on a scene of rocks: what is read, what is refused, and what is said of it.

use std::path::Path;

use crate::common::plane;
use crate::common::refused::{Refused, names, one_names};
use crate::common::rockfall_scene;
use klast_files::Kind;
use klast_rockfall_jobs::rockfall;
use klast_runs::Results;
use klast_scenes::Scene;
use plane::plane;
use rockfall_scene::scene;
use serde_json::{Value, json};

fn terrain(folder: &Path) {
    std::fs::write(folder.join("dem.asc"), plane()).unwrap();
}

struct Said {
    notes: Vec<String>,
    warnings: Vec<String>,
    results: Box<klast_rockfall_jobs::rockfall::result::Results>,
}

fn run(folder: &Path, changes: &[(&str, Value)]) -> Result<Said, Refused> {
    let (scene, _) = Scene::parse(&scene(changes).to_string(), folder)?;
    let outcome = scene.job().and_then(|job| job.run_silently())?;
    let results = outcome.results.take::<rockfall::result::Results>().unwrap();
    Ok(Said {
        notes: scene.text().notes(),
        warnings: outcome.warnings,
        results,
    })
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    terrain(folder.path());
    folder
}

fn polygon(corners: [[f64; 2]; 4], properties: &Value) -> Value {
    let mut ring = corners.to_vec();
    ring.push(corners[0]);
    json!({"type": "Feature", "properties": properties, "geometry": {"type": "Polygon", "coordinates": [ring]}})
}

fn collection(features: &[Value], crs: Option<&str>) -> String {
    let mut all = json!({"type": "FeatureCollection", "features": features});
    if let Some(name) = crs {
        all["crs"] = json!({"type": "name", "properties": {"name": name}});
    }
    all.to_string()
}

fn square(x: f64, y: f64, size: f64) -> [[f64; 2]; 4] {
    [[x, y], [x + size, y], [x + size, y + size], [x, y + size]]
}

/// The whole terrain under swamp, in three frames: the rocks stop where they fall. LV03 is LV95 less 2,000 km and 1,000
/// km; the corner of the terrain is at 7.4386° E, 46.9511° N (the origin of the Swiss frames, WGS 84).
#[test]
fn a_layout_is_brought_into_the_crs_of_the_terrain_or_refused() {
    let folder = folder();
    let swamp = json!({"material": "swamp"});
    let layout = json!({"polygons": {"file": "layout.geojson", "elsewhere": "rock"}});
    let far = run(folder.path(), &[]).unwrap().results.summary.left_map;
    assert!(far > 0, "without swamp rocks leave the map");
    for (corners, crs, said) in [
        (square(2_599_900.0, 1_199_900.0, 500.0), None, "1 of 1"),
        (
            square(599_900.0, 199_900.0, 500.0),
            Some("urn:ogc:def:crs:EPSG::21781"),
            "EPSG:21781",
        ),
        (square(7.43, 46.945, 0.02), None, "EPSG:4326"),
        (
            square(7.43, 46.945, 0.02),
            Some("urn:ogc:def:crs:OGC:1.3:CRS84"),
            "EPSG:4326",
        ),
    ] {
        std::fs::write(
            folder.path().join("layout.geojson"),
            collection(&[polygon(corners, &swamp)], crs),
        )
        .unwrap();
        let run = run(folder.path(), &[("/layout", layout.clone())]).unwrap();
        assert_eq!(run.results.summary.left_map, 0, "{crs:?}: {:?}", run.notes);
        let marks = ["layout.geojson", said];
        assert!(one_names(&run.notes, &marks), "{said}: {:?}", run.notes);
        let inside = ["layout.geojson", "1 of 1"];
        assert!(one_names(&run.notes, &inside), "{said}: {:?}", run.notes);
    }
    for (corners, crs, kind) in [
        (square(599_900.0, 199_900.0, 500.0), None, None),
        (
            square(599_900.0, 199_900.0, 500.0),
            Some("EPSG:99"),
            Some(Kind::Crs),
        ),
        (
            square(2_599_900.0, 1_199_900.0, 500.0),
            Some("urn:ogc:def:crs:EPSG::26717"),
            Some(Kind::Crs),
        ),
    ] {
        std::fs::write(
            folder.path().join("layout.geojson"),
            collection(&[polygon(corners, &swamp)], crs),
        )
        .unwrap();
        let refused = run(folder.path(), &[("/layout", layout.clone())])
            .err()
            .unwrap();
        assert_eq!(refused.kind(), kind, "{refused:?}");
        assert!(refused.names(&["layout.geojson"]), "{refused:?}");
        let transforms = refused.is_cured_by(&["ogr2ogr", "-t_srs", "EPSG:2056"]);
        assert_eq!(transforms, crs.is_some_and(|crs| crs.ends_with("26717")));
    }
    let unnamed = polygon(
        square(2_599_900.0, 1_199_900.0, 500.0),
        &json!({"name": "fan"}),
    );
    std::fs::write(
        folder.path().join("layout.geojson"),
        collection(&[unnamed], None),
    )
    .unwrap();
    let refused = run(folder.path(), &[("/layout", layout)]).err().unwrap();
    assert!(
        refused.names(&["feature 1", "'fan'", "'material'"]),
        "{refused:?}"
    );
}

#[test]
fn a_layout_raster_beside_the_terrain_or_in_another_frame_is_refused() {
    let folder = folder();
    let raster = |x: f64, prj: Option<&str>| {
        let text = format!(
            "ncols 3\nnrows 3\nxllcorner {x}\nyllcorner 1199900\ncellsize 100\n1 1 1\n1 1 1\n1 1 1\n"
        );
        std::fs::write(folder.path().join("layout.asc"), text).unwrap();
        let _ = std::fs::remove_file(folder.path().join("layout.prj"));
        if let Some(prj) = prj {
            std::fs::write(folder.path().join("layout.prj"), prj).unwrap();
        }
        run(
            folder.path(),
            &[(
                "/layout",
                json!({"raster": {"file": "layout.asc", "elsewhere": "rock"}}),
            )],
        )
    };
    assert_eq!(
        raster(2_599_950.0, None).unwrap().results.summary.left_map,
        0
    );
    assert!(raster(2_599_950.0, Some("EPSG:2056")).is_ok());
    let off = raster(600_000.0, None).err().unwrap();
    let beside = ["layout.asc", "600000", "600300", "2600000", "2600200"];
    assert!(off.names(&beside), "{off:?}");
    let other = raster(2_599_950.0, Some("EPSG:32632")).err().unwrap();
    assert!(
        other.is_cured_by(&[
            "gdalwarp",
            "-t_srs",
            "EPSG:2056",
            "-overwrite",
            "-r",
            "near"
        ]),
        "{other:?}"
    );
    let part = raster(2_600_100.0, None).unwrap();
    assert!(
        one_names(&part.warnings, &["layout.asc"]),
        "{:?}",
        part.warnings
    );
}

#[test]
fn all_parts_of_a_release_count_and_attributes_say_how_many() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let file = |name: &str| ("/sources/0/release", json!({"file": name}));
    let west = polygon(
        square(2_600_010.0, 1_200_010.0, 5.0),
        &json!({"rocks": 7, "volume_m3": 0.5, "name": "west"}),
    );
    let east = polygon(
        square(2_600_050.0, 1_200_010.0, 5.0),
        &json!({"rocks": 3, "volume_m3": 2.0}),
    );
    write("two.geojson", &collection(&[west.clone(), east], None));
    let both = run(
        folder.path(),
        &[file("two.geojson"), ("/sources/0/rocks", Value::Null)],
    )
    .unwrap();
    assert_eq!(both.results.summary.seeded, 10);
    let names: Vec<&str> = both
        .results
        .simulation
        .scene()
        .seeders
        .iter()
        .map(|s| s.name.as_str())
        .collect();
    assert_eq!(names, ["cliff: feature 1 ('west')", "cliff: feature 2"]);
    // The scene's number is the one that counts, and it is said.
    let told = run(folder.path(), &[file("two.geojson")]).unwrap();
    assert_eq!(told.results.summary.seeded, 20);
    assert!(
        told.notes.iter().any(|n| n.contains("'rocks'")),
        "{:?}",
        told.notes
    );
    assert!(!both.notes.iter().any(|n| n.contains("'rocks'")));
    let sized = json!([{"shape": "sphere"}]);
    let changes = [
        file("two.geojson"),
        ("/sources/0/rocks", Value::Null),
        ("/sources/0/shapes", sized),
    ];
    assert_eq!(
        run(folder.path(), &changes).unwrap().results.summary.seeded,
        10
    );
    let bare = polygon(square(2_600_010.0, 1_200_010.0, 5.0), &json!({}));
    write("bare.geojson", &collection(&[west, bare], None));
    let refused = run(
        folder.path(),
        &[file("bare.geojson"), ("/sources/0/rocks", Value::Null)],
    )
    .err()
    .unwrap();
    assert_eq!(refused.paths(), ["sources[0].release"]);
    assert!(refused.names(&["feature 2", "'rocks'"]), "{refused:?}");
    write(
        "points.csv",
        "name;x_m;y_m;rocks\na;2600020;1200050;4\nb;2600022;1200060;5\n",
    );
    let columns = run(
        folder.path(),
        &[file("points.csv"), ("/sources/0/rocks", Value::Null)],
    )
    .unwrap();
    assert_eq!(columns.results.summary.seeded, 9);
    write("degrees.csv", "lon,lat\n7.43875,46.9512\n");
    let degrees = run(folder.path(), &[file("degrees.csv")]).unwrap();
    assert_eq!(
        (
            degrees.results.summary.seeded,
            degrees.results.summary.released_off_map
        ),
        (20, 0)
    );
    write("off.csv", "x_m,y_m\n0,0\n");
    let refused = run(folder.path(), &[file("off.csv")]).err().unwrap();
    assert_eq!(refused.paths(), ["sources[0].release"]);
    assert!(
        refused.names(&["off.csv", "2600000", "2600200"]),
        "{refused:?}"
    );
    write("some.csv", "x_m,y_m\n0,0\n2600020,1200050\n");
    let some = run(folder.path(), &[file("some.csv")]).err().unwrap();
    assert_eq!(some.paths(), ["sources[0].release"]);
    assert!(some.names(&["some.csv", "row 1", "(0, 0)"]), "{some:?}");
    let refused = run(folder.path(), &[file("release.gpkg")]).err().unwrap();
    assert_eq!(refused.kind(), Some(Kind::Unreadable), "{refused:?}");
    write("release.kml", "x");
    let refused = run(folder.path(), &[file("release.kml")]).err().unwrap();
    assert!(
        refused.is_cured_by(&["ogr2ogr", "release.geojson", "release.kml"]),
        "{refused:?}"
    );
}

#[test]
fn barriers_and_collectors_come_from_lines_of_files() {
    let folder = folder();
    let line = |x: f64, properties: Value| {
        json!({"type": "Feature", "properties": properties,
            "geometry": {"type": "LineString", "coordinates": [[x, 1_200_000.0], [x, 1_200_100.0]]}})
    };
    let net = line(
        2_600_100.0,
        json!({"name": "net", "height_m": 4, "capacity_kj": 1e6}),
    );
    let road = line(2_600_050.0, json!({"name": "road"}));
    std::fs::write(folder.path().join("nets.geojson"), collection(&[net], None)).unwrap();
    std::fs::write(
        folder.path().join("roads.geojson"),
        collection(std::slice::from_ref(&road), None),
    )
    .unwrap();
    let changes = [
        ("/barriers_file", json!("nets.geojson")),
        ("/collectors_file", json!("roads.geojson")),
    ];
    let found = run(folder.path(), &changes).unwrap().results;
    let names: Vec<&str> = found.barriers.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["net", "road"]);
    assert_eq!(found.barriers[1].arrived, 20);
    assert_eq!(found.summary.caught[0].rocks, found.barriers[0].arrived);
    let refused = run(folder.path(), &[("/barriers_file", json!("roads.geojson"))])
        .err()
        .unwrap();
    assert_eq!(refused.kind(), Some(Kind::Missing));
    assert!(
        refused.names(&["feature 1", "'road'", "'height_m'"])
            && refused.is_cured_by(&["ogr2ogr", "height_m", "capacity_kj", "roads"]),
        "{refused:?}"
    );
    let twice = [
        ("/collectors_file", json!("roads.geojson")),
        (
            "/collectors",
            json!([{"name": "road", "line_m": [[2_600_050.0, 1_200_000.0], [2_600_050.0, 1_200_100.0]]}]),
        ),
    ];
    let refused = run(folder.path(), &twice).err().unwrap();
    let twice = ["collectors_file", "'road'", "collectors[0].name"];
    assert!(refused.names(&twice), "{refused:?}");
}

#[test]
fn the_crs_of_a_terrain_is_known_or_refused() {
    let folder = folder();
    let with = |crs: &str| run(folder.path(), &[("/terrain/raster/crs", json!(crs))]);
    // No code, a map that stretches, degrees, feet.
    for (crs, key, kind) in [
        ("LV95", "terrain.raster.crs", Kind::Crs),
        ("EPSG:3857", "terrain.raster.file", Kind::Crs),
        ("EPSG:4326", "terrain.raster.file", Kind::Crs),
        ("EPSG:2264", "terrain.raster.file", Kind::Unit),
    ] {
        let refused = with(crs).err().unwrap();
        assert_eq!(refused.paths(), [key], "{refused:?}");
        assert_eq!(refused.kind(), Some(kind), "{refused:?}");
    }
    assert!(with("local").is_ok());
    // The Swiss coordinates in a zone of UTM lie far outside of it.
    let far = with("EPSG:32632").unwrap();
    assert!(
        one_names(&far.warnings, &["dem.asc", "CRS"]),
        "{:?}",
        far.warnings
    );
    std::fs::write(folder.path().join("dem.prj"), "EPSG:21781").unwrap();
    let refused = with("EPSG:2056").err().unwrap();
    assert!(
        refused.names(&["EPSG:2056", "dem.asc", "EPSG:21781"]),
        "{refused:?}"
    );
}

/// Results say where they are, in the ways that QGIS and GDAL read, and maps lie over the cells of the terrain.
#[test]
fn results_carry_the_crs_and_lie_over_the_terrain() {
    let folder = folder();
    let changes = [
        ("/map_cell_m", json!(5)),
        ("/write_ascii_maps", json!(true)),
        ("/wgs84_lines", json!(true)),
        ("/write_trajectories", json!(2)),
        (
            "/collectors",
            json!([{"name": "road", "line_m": [[2_600_100.0, 1_200_000.0], [2_600_100.0, 1_200_100.0]]}]),
        ),
    ];
    let run = run(folder.path(), &changes).unwrap();
    let mut files = klast_runs::files::Memory::default();
    run.results.write(&mut files).unwrap();
    use klast_runs::files::Files as _;
    let text = |name: &str| String::from_utf8(files.read(name).unwrap()).unwrap();
    for name in ["trajectories.geojson", "barriers.geojson"] {
        assert!(text(name).contains("urn:ogc:def:crs:EPSG::2056"), "{name}");
    }
    let degrees = text("barriers_wgs84.geojson");
    assert!(
        !degrees.contains("crs") && degrees.contains("[7.4399"),
        "{degrees}"
    );
    let named = text("energy_95.prj");
    assert_eq!(named.split('"').nth(1), Some("CH1903+ / LV95"));
    let asc = text("energy_95.asc");
    let head: Vec<&str> = asc
        .lines()
        .take(5)
        .flat_map(|line| line.split(' ').nth(1))
        .collect();
    assert_eq!(head, ["41", "21", "2599997.5", "1199997.5", "5"]);
    assert!(
        asc.split_whitespace().all(|w| w.len() <= 14),
        "numbers carry seven digits"
    );
    let tif = files.read("height_95.tif").unwrap();
    let raster = klast_files::raster::geotiff::read(&tif, &Default::default()).unwrap();
    assert_eq!(
        (raster.columns, raster.rows, raster.south_west),
        (41, 21, glam::DVec2::new(2_600_000.0, 1_200_000.0))
    );
    assert_eq!(raster.crs.unwrap().epsg, Some(2056));
    assert!(
        files.read(klast_runs::parts::PACKED).is_none(),
        "only parts of a run need it"
    );
    assert!(
        one_names(&run.notes, &["dem.asc", "41", "21", "5 m"]),
        "{:?}",
        run.notes
    );
}

/// A hole of missing heights under the path of the rocks is said with its count.
#[test]
fn rocks_that_holes_swallow_are_counted() {
    let folder = folder();
    let text = std::fs::read_to_string(folder.path().join("dem.asc")).unwrap();
    let holed = text.lines().enumerate().map(|(k, line)| match k {
        5.. => {
            let words = line.split(' ').enumerate();
            let words = words.map(|(k, w)| if (15..20).contains(&k) { "-9999" } else { w });
            words.collect::<Vec<_>>().join(" ")
        }
        _ => line.to_owned(),
    });
    std::fs::write(
        folder.path().join("dem.asc"),
        holed.collect::<Vec<_>>().join("\n"),
    )
    .unwrap();
    let found = run(folder.path(), &[]).unwrap();
    assert!(
        one_names(&found.warnings, &["20 of 20"]),
        "{:?}",
        found.warnings
    );
}

/// A bow-tie: its wings meet at (2600045, 1200045), and its area by the corners is 0 or that of one wing less the
/// other.
#[test]
fn rings_that_cross_themselves_are_refused_with_their_feature() {
    let folder = folder();
    let tie = [
        [2_600_040.0, 1_200_040.0],
        [2_600_050.0, 1_200_050.0],
        [2_600_050.0, 1_200_040.0],
        [2_600_040.0, 1_200_050.0],
    ];
    // Wings of 10 m and 20 m: y = x and y = 10 - x/2 of the corner meet at 20/3 m.
    let unequal = [
        [2_600_040.0, 1_200_040.0],
        [2_600_060.0, 1_200_060.0],
        [2_600_060.0, 1_200_040.0],
        [2_600_040.0, 1_200_050.0],
    ];
    let whole = polygon(
        square(2_600_020.0, 1_200_020.0, 5.0),
        &json!({"material": "swamp"}),
    );
    let refused = |ring, change: &[(&str, Value)]| {
        let crossed = polygon(ring, &json!({"material": "swamp", "name": "scree"}));
        std::fs::write(
            folder.path().join("a.geojson"),
            collection(&[whole.clone(), crossed], None),
        )
        .unwrap();
        run(folder.path(), change).err().unwrap()
    };
    let layout = [(
        "/layout",
        json!({"polygons": {"file": "a.geojson", "elsewhere": "rock"}}),
    )];
    let release = [("/sources/0/release", json!({"file": "a.geojson"}))];
    for change in [&layout, &release] {
        let said = refused(tie, change);
        assert!(
            said.names(&["a.geojson", "feature 2", "(2600045, 1200045)"]),
            "{said:?}"
        );
        let cure = ["ogr2ogr", "-makevalid", "a-new.geojson", "a.geojson"];
        assert!(said.is_cured_by(&cure), "{said:?}");
        let said = refused(unequal, change);
        assert!(said.names(&["feature 2", "(2600046.66666666"]), "{said:?}");
    }
}

#[test]
fn a_geodatabase_is_refused_with_the_line_that_reads_it() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("release.gdb")).unwrap();
    let release = [("/sources/0/release", json!({"file": "release.gdb"}))];
    let said = run(folder.path(), &release).err().unwrap();
    let cure = ["ogr2ogr", "release.geojson", "release.gdb", "LAYER"];
    assert!(said.is_cured_by(&cure), "{said:?}");
}

/// A start off the map is refused by its row; one in the ground is told before the run leaves it out.
#[test]
fn starts_off_the_ground_are_named_by_their_rows() {
    let folder = folder();
    let release = [
        ("/sources/0/release", json!({"starts": "starts.csv"})),
        ("/sources/0/rocks", json!(2)),
    ];
    let write = |text: &str| std::fs::write(folder.path().join("starts.csv"), text).unwrap();
    write("x_m,y_m\n2600020,1200050\n2610020,1200050\n");
    let said = run(folder.path(), &release).err().unwrap();
    let place = ["starts.csv", "row 2", "(2610020, 1200050)"];
    let ground = ["2600000", "2600200", "1200000", "1200100"];
    assert!(said.names(&place) && said.names(&ground), "{said:?}");
    write("x_m,y_m,z_m\n2600020,1200050,5000\n2600030,1200050,-5000\n");
    let told = run(folder.path(), &release).unwrap().warnings;
    assert!(one_names(&told, &["1 of 2"]), "{told:?}");
    assert!(one_names(&told, &["row 2", "z_m", "-5000"]), "{told:?}");
}

/// GDAL writes features line by line, RFC 8142 behind marks of records; GDAL's own reader takes map coordinates in them
/// for degrees.
#[test]
fn a_sequence_of_features_is_read_where_its_coordinates_lie() {
    let folder = folder();
    let release = [("/sources/0/release", json!({"file": "a.geojson"}))];
    let at = |x: f64| json!({"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [x, 1200050.0]}});
    let (one, other) = (at(2_600_020.0), at(2_600_030.0));
    let collection = json!({"type": "FeatureCollection", "features": [other]});
    for text in [
        format!("{one}\n{other}\n"),
        format!("{one}\r\n\r\n{other}"),
        format!("\u{1e}{one:#}\n\u{1e}{other:#}\n"),
        format!("{one}\n{collection}\n"),
        format!("{}\n{}\n", one["geometry"], other["geometry"]),
    ] {
        std::fs::write(folder.path().join("a.geojson"), text).unwrap();
        let said = run(folder.path(), &release).unwrap();
        let places: std::collections::BTreeSet<i64> = said
            .results
            .rocks
            .rows()
            .unwrap()
            .into_iter()
            .map(|rock| rock.release_x_m as i64)
            .collect();
        assert_eq!(places, [2_600_020, 2_600_030].into(), "{places:?}");
    }
    let crs = |code: u32| json!({"type": "name", "properties": {"name": format!("EPSG:{code}")}});
    let (mut one, mut other) = (one, other);
    (one["crs"], other["crs"]) = (crs(2056), crs(21781));
    std::fs::write(folder.path().join("a.geojson"), format!("{one}\n{other}\n")).unwrap();
    let said = run(folder.path(), &release).err().unwrap();
    assert_eq!(said.kind(), Some(Kind::Crs), "{said:?}");
}

/// GDAL reads decimal commas of a grid; commas that may part numbers get no such command.
#[test]
fn decimal_commas_of_a_grid_are_named() {
    let folder = folder();
    let terrain = [("/terrain", json!({"raster": {"file": "c.asc"}}))];
    let grid = "ncols 2\nnrows 2\nxllcorner 2600000\nyllcorner 1200000\ncellsize 50\n";
    let command = ["gdal_translate", "c.asc", "c-new.tif"];
    for (text, named) in [
        (
            format!("{}1,5 2\n3 4\n", grid.replace("2600000", "2600000,0")),
            true,
        ),
        (format!("{grid}1,5 2,5\n3,5 4,5\n"), true),
        (format!("{grid}1,2\n3,4\n"), false),
        (format!("{grid}1,2,3,4\n"), false),
    ] {
        std::fs::write(folder.path().join("c.asc"), &text).unwrap();
        let said = run(folder.path(), &terrain).err().unwrap();
        assert_eq!(said.is_cured_by(&command), named, "{said:?}");
        assert!(said.names(&[","]), "{said:?}");
    }
}

/// A block of 0.8 m and 600 kg at 2,700 kg/m³ fills half of its box; in tonnes or centimetres nothing of it.
#[test]
fn a_mass_that_does_not_fit_the_sizes_is_told() {
    let folder = folder();
    let write = |file: &str, text: &str| std::fs::write(folder.path().join(file), text).unwrap();
    write(
        "releases.csv",
        "trajectory_id,x_m,y_m,vx_mps,vy_mps,vz_mps,block_id\nrun1,2600020,1200050,0.5,0,0,1\nrun2,2600020,1200060,0.5,0,0,1\n",
    );
    write(
        "rests.csv",
        "trajectory_id,x_m,y_m\nrun1,2600145.7,1200052.3\nrun2,2600120,1200061\n",
    );
    let scene = json!({"schema": 1, "kind": "rockfall_calibration", "terrain": "dem.asc", "releases": "releases.csv",
        "depositions": "rests.csv", "blocks": "blocks.csv", "sets": 4, "rocks": 2})
    .to_string();
    for (block, told) in [
        ("600,0.8,0.7,0.75", false),
        ("0.6,0.8,0.7,0.75", true),
        ("600,80,70,75", true),
    ] {
        write(
            "blocks.csv",
            &format!("block_id,mass_kg,size_x_m,size_y_m,size_z_m\n1,{block}\n"),
        );
        let (scene, _) = Scene::parse(&scene, folder.path()).unwrap();
        scene.job().unwrap();
        let cautions = scene.text().cautions();
        let doubted = cautions.iter().any(|c| names(c, &["blocks.csv", "row 1"]));
        assert_eq!(doubted, told, "{block}: {cautions:?}");
    }
}

/// A file whose coordinates are those of the map under the name of degrees, as a program writes that takes GeoJSON for
/// degrees; and a file under the name of another map.
#[test]
fn coordinates_of_another_crs_than_the_file_states_are_named() {
    let folder = folder();
    let release = [("/sources/0/release", json!({"file": "a.geojson"}))];
    let point = json!({"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [2600020.0, 1200050.0]}});
    let command = [
        "ogr2ogr",
        "-a_srs",
        "EPSG:2056",
        "a-new.geojson",
        "a.geojson",
    ];
    for crs in ["urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:32632"] {
        let text = collection(std::slice::from_ref(&point), Some(crs));
        std::fs::write(folder.path().join("a.geojson"), text).unwrap();
        let said = run(folder.path(), &release).err().unwrap();
        assert!(said.is_cured_by(&command), "{said:?}");
    }
}

/// The parts of a line of several are barriers of their own, each with a name.
#[test]
fn parts_of_a_barrier_have_names_of_their_own() {
    let folder = folder();
    let line = |x: f64| json!([[x, 1200010.0], [x, 1200090.0]]);
    let net = json!({"type": "Feature", "properties": {"name": "net", "height_m": 4, "capacity_kj": 1000},
        "geometry": {"type": "MultiLineString", "coordinates": [line(2_600_100.0), line(2_600_120.0)]}});
    std::fs::write(
        folder.path().join("nets.geojson"),
        collection(&[net], Some("EPSG:2056")),
    )
    .unwrap();
    let said = run(folder.path(), &[("/barriers_file", json!("nets.geojson"))]).unwrap();
    let names: Vec<&str> = said
        .results
        .barriers
        .iter()
        .map(|b| b.name.as_str())
        .collect();
    assert_eq!(names, ["net part 1", "net part 2"]);
    assert!(
        one_names(&said.notes, &["'net'", "2 parts"]),
        "{:?}",
        said.notes
    );
}

/// A campaign whose tables are between semicolons; changed, a table is refused by row and name.
#[test]
fn places_of_rest_lie_over_the_terrain_once_each() {
    let folder = folder();
    let releases = "trajectory_id;x_m;y_m;vx_mps;vy_mps;vz_mps;block_id\n\
        run1;2600020;1200050;0.5;0;0;1\nrun2;2600020;1200060;0.5;0;0;1\n";
    let rests = "trajectory_id;x_m;y_m\nrun1;2600145.7;1200052.3\nrun2;2600120;1200061\n";
    let blocks = "block_id;mass_kg;size_x_m;size_y_m;size_z_m\n1;600;0.8;0.7;0.75\n";
    let scene = json!({"schema": 1, "kind": "rockfall_calibration", "terrain": "dem.asc", "releases": "releases.csv",
        "depositions": "rests.csv", "blocks": "blocks.csv", "sets": 4, "rocks": 2})
    .to_string();
    let check = |file: &str, text: String| -> Result<(), Refused> {
        for (file, text) in [
            ("releases.csv", releases),
            ("rests.csv", rests),
            ("blocks.csv", blocks),
        ] {
            std::fs::write(folder.path().join(file), text).unwrap();
        }
        std::fs::write(folder.path().join(file), text).unwrap();
        let (scene, _) = Scene::parse(&scene, folder.path())?;
        scene.job()?;
        Ok(())
    };
    check("rests.csv", rests.to_owned()).unwrap();
    for (file, text, marks) in [
        (
            "rests.csv",
            rests.replace("2600145.7;1200052.3", "600145.7;200052.3"),
            ["row 1", "'run1'", "x_m 600145.7, y_m 200052.3"],
        ),
        (
            "releases.csv",
            releases.replace("2600020;1200060", "600020;200060"),
            ["row 2", "'run2'", "x_m 600020, y_m 200060"],
        ),
        (
            "rests.csv",
            format!("{rests}run1;2600100;1200050\n"),
            ["row 3", "trajectory_id", "'run1'"],
        ),
        (
            "rests.csv",
            format!("{rests}run-1;2600100;1200050\n"),
            ["row 3", "'run-1'", "releases.csv"],
        ),
        (
            "rests.csv",
            rests.replace("2600145.7", "2600145,7"),
            ["row 1", "'x_m'", "'2600145,7'"],
        ),
    ] {
        let said = check(file, text).unwrap_err();
        assert!(said.names(&[&[file], &marks[..]].concat()), "{said:?}");
    }
    // Every row that is wrong, in one error.
    let wrong = rests
        .replace("2600145.7;1200052.3", "600145.7;200052.3")
        .replace("2600120", "east");
    let said = check("rests.csv", wrong).unwrap_err();
    let row = ["row 1", "trajectory_id", "row 2", "'x_m'", "'east'"];
    assert!(said.names(&row), "{said:?}");
    let wrong = "block_id;mass_kg;size_x_m;size_y_m;size_z_m\n1;-600;0.8;0.7;0.75\n2;600;0;0.7;x\n";
    let said = check("blocks.csv", wrong.to_owned()).unwrap_err();
    for row in [["row 1", "mass_kg", "-600"], ["row 2", "size_x_m", "0"]] {
        assert!(said.names(&row), "{said:?}");
    }
    let said = check("blocks.csv", "block_id;mass;size_x_m\n1;2;3\n".to_owned()).unwrap_err();
    assert_eq!(said.kind(), Some(Kind::Syntax), "{said:?}");
    let columns = [
        "blocks.csv",
        "mass_kg, size_y_m, size_z_m",
        "block_id, mass, size_x_m",
    ];
    assert!(said.names(&columns), "{said:?}");
    let packed = String::from_utf8_lossy(b"PK\x03\x04\0\0").into_owned();
    let said = check("blocks.csv", packed).unwrap_err();
    assert_eq!(said.kind(), Some(Kind::Syntax), "{said:?}");
    // No height at (2600120, 1200060), and so none in the four cells around it.
    let dem = std::fs::read_to_string(folder.path().join("dem.asc")).unwrap();
    let mut lines: Vec<String> = dem.lines().map(str::to_owned).collect();
    let row = 5 + 20 - 12;
    lines[row] = lines[row].replace(" 416.000 ", " -9999 ");
    let dem = lines
        .join("\n")
        .replacen("cellsize 5", "cellsize 5\nNODATA_value -9999", 1);
    let said = check("dem.asc", dem).unwrap_err();
    let place = ["rests.csv", "row 2", "'run2'", "x_m 2600120, y_m 1200061"];
    assert!(said.names(&place), "{said:?}");
}

/// What a file of a release holds beyond what is read of it is said: heights, other attributes, features without
/// geometry.
#[test]
fn what_is_passed_over_in_a_vector_file_is_said() {
    let folder = folder();
    let release = [("/sources/0/release", json!({"file": "a.geojson"}))];
    let write = |text: String| std::fs::write(folder.path().join("a.geojson"), text).unwrap();
    let point = json!({"type": "Feature", "properties": {"name": "a", "height_m": 7},
        "geometry": {"type": "Point", "coordinates": [2600020.0, 1200050.0, 530.0]}});
    let empty = json!({"type": "Feature", "properties": {}, "geometry": null});
    write(json!({"type": "FeatureCollection", "features": [point, empty]}).to_string());
    let said = run(folder.path(), &release).unwrap();
    for (told, of) in [
        (&said.notes, "heights"),
        (&said.notes, "height_m"),
        (&said.warnings, "1 features"),
    ] {
        assert!(one_names(told, &["a.geojson", of]), "{told:?}");
    }
    for (text, kind, mark) in [
        (
            format!("{point}\n{{\"type\": 3}}\n"),
            Kind::Syntax,
            "object 2",
        ),
        (
            r#"{"geometryType": "esriGeometryPoint", "features": []}"#.to_owned(),
            Kind::Foreign,
            "Esri",
        ),
        (
            r#"{"type": "Topology", "arcs": []}"#.to_owned(),
            Kind::Foreign,
            "TopoJSON",
        ),
        (
            "{\"type\": \"FeatureCollection\",\n\"features\": [],\n}".to_owned(),
            Kind::Syntax,
            "line 3",
        ),
    ] {
        write(text);
        let refused = run(folder.path(), &release).err().unwrap();
        assert_eq!(refused.kind(), Some(kind), "{refused:?}");
        assert!(refused.names(&[mark]), "{refused:?}");
    }
}

/// A release of which a fifth lies beyond the rim of the terrain, at x = 2600000: a check says how much, and a rock
/// from there keeps its place in the results.
#[test]
fn a_release_that_lies_partly_off_the_ground_is_told() {
    let folder = folder();
    let square = |west: f64| {
        json!([
            [west, 1_200_040.0],
            [2_600_040.0, 1_200_040.0],
            [2_600_040.0, 1_200_060.0],
            [west, 1_200_060.0]
        ])
    };
    let release = |west| [("/sources/0/release", json!({"polygon": square(west)}))];
    let share = |warnings: &[String]| {
        warnings.iter().find_map(|line| {
            let (_, rest) = line.split_once("source 'cliff': about ")?;
            rest.split_once(" % of the release")?.0.parse::<f64>().ok()
        })
    };
    assert_eq!(
        share(&run(folder.path(), &release(2_600_000.5)).unwrap().warnings),
        None
    );
    let said = run(folder.path(), &release(2_599_990.0)).unwrap();
    // A thousand places: a standard deviation of 1.3 %.
    let found = share(&said.warnings).unwrap();
    assert!((found - 20.0).abs() < 4.0, "{found}");
}

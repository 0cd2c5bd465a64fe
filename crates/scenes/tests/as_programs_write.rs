//! Files and scenes as programs and hands write them: read to their values, or refused with what is wrong and where.

use std::path::Path;

use klast_scenes::Scene;
use serde_json::{Value, json};

use crate::common::refused::{Refused, names};
use crate::common::rockfall_scene;
use klast_files::by_ending::{ground, mesh_from, raster};
use klast_files::raster::Beside;
use klast_files::shapes::Shapes;

const GRID: &str = "ncols 3\nnrows 2\nxllcorner 2600000\nyllcorner 1200000\ncellsize 50\n500 490 480\n500 490 480\n";

/// A scene on it, of two rocks.
fn scene(changes: &[(&str, Value)]) -> Value {
    let own = [
        (
            "/sources/0/release",
            json!({"point": [2_600_050.0, 1_200_050.0]}),
        ),
        ("/sources/0/rocks", json!(2)),
    ];
    rockfall_scene::scene(&[&own, changes].concat())
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("dem.asc"), GRID).unwrap();
    folder
}

/// What is wrong with a scene, with all its problems.
fn refused(folder: &Path, text: &str) -> klast_runs::Error {
    match Scene::named("scene.json", text, folder) {
        Ok((scene, _)) => match scene.job() {
            Ok(_) => panic!("accepted: {text}"),
            Err(first) => first,
        },
        Err(error) => error,
    }
}

#[test]
fn packed_files_are_refused_by_the_name_of_what_packed_them() {
    let zip = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0dem.ascncols";
    for (bytes, ending, by, command) in [
        (&b"\x1f\x8b\x08\0"[..], "gz", "gzip", "`gunzip -k dem.gz`"),
        (
            b"\x1f\x8b\x08\0",
            "asc",
            "gzip",
            "`gunzip < dem.asc > dem-new.asc`",
        ),
        (b"BZh91AY", "bz2", "bzip2", "`bunzip2 -k dem.bz2`"),
        (b"\xfd7zXZ\0", "xz", "xz", "`unxz -k dem.xz`"),
        (zip, "zip", "zip that holds dem.asc", "`unzip dem.zip`"),
        (b"7z\xbc\xaf\x27\x1c", "7z", "7-Zip", "`7z x dem.7z`"),
    ] {
        let file = format!("dem.{ending}");
        let said = format!(
            "{:#}",
            raster(&file, bytes, &Beside::default()).unwrap_err()
        );
        assert!(said.contains(by) && said.contains(command), "{said}");
        let said = format!(
            "{:#}",
            Shapes::read(&file, bytes, &mut |_| Ok(None)).unwrap_err()
        );
        assert!(said.contains(by) && said.contains(command), "{said}");
        let said = format!("{:#}", mesh_from(ending, bytes).unwrap_err());
        assert!(said.contains(by), "{said}");
    }
}

#[test]
fn rasters_of_other_formats_are_known_by_their_bytes() {
    for (bytes, what) in [
        (&b"CDF\x01\0\0\0\0"[..], "netCDF"),
        (b"CDF\x02\0\0\0\0", "netCDF"),
        (b"\x89HDF\r\n\x1a\n\0", "HDF5"),
        (b"EHFA_HEADER_TAG\0", "Imagine"),
        (b"SQLite format 3\0", "GeoPackage"),
        (b"\x01\0\0\0\x02", "no text"),
    ] {
        for file in ["a/dem.grd", "a/dem.asc", "a/dem.txt", "a/dem"] {
            let said = format!("{:#}", raster(file, bytes, &Beside::default()).unwrap_err());
            let source = if what == "HDF5" { "NETCDF:" } else { "" };
            let command = format!("`gdal_translate {source}{file} a/dem.tif`");
            assert!(said.contains(what) && said.contains(&command), "{said}");
        }
    }
}

/// A foot is 0.3048 m.
#[test]
fn heights_in_feet_of_a_prj_of_esri_are_applied() {
    let folder = folder();
    let plan = r#"PROJCS["CH1903+_LV95",GEOGCS["GCS_CH1903+",DATUM["D_CH1903+",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Hotine_Oblique_Mercator_Azimuth_Center"],PARAMETER["False_Easting",2600000.0],PARAMETER["False_Northing",1200000.0],PARAMETER["Scale_Factor",1.0],PARAMETER["Azimuth",90.0],PARAMETER["Longitude_Of_Center",7.439583333333333],PARAMETER["Latitude_Of_Center",46.95240555555556],UNIT["Meter",1.0]]"#;
    let feet = format!(
        "{plan},VERTCS[\"a\",VDATUM[\"b\"],PARAMETER[\"Vertical_Shift\",0.0],PARAMETER[\"Direction\",1.0],UNIT[\"Foot\",0.3048]]"
    );
    std::fs::write(folder.path().join("dem.prj"), feet).unwrap();
    let read = ground(&folder.path().join("dem.asc")).unwrap();
    use klast_geometry::terrain::Terrain as _;
    assert!((read.grid.heights().at([0])[0] - 500.0 * 0.3048).abs() < 1e-9);
    assert_eq!(read.grid.resolution(), 50.0);
}

#[test]
fn an_attribute_without_a_value_is_not_one_that_is_missing() {
    let folder = folder();
    let line = |properties: Value| {
        json!({"type": "Feature", "properties": properties, "geometry":
            {"type": "LineString", "coordinates": [[2600100.0, 1200010.0], [2600100.0, 1200090.0]]}})
        .to_string()
    };
    let file = folder.path().join("nets.geojson");
    let text = scene(&[("/barriers_file", json!("nets.geojson"))]);
    let text = serde_json::to_string_pretty(&text).unwrap();
    for (properties, said) in [
        (
            json!({"name": "net1", "height_m": null, "capacity_kj": 1000}),
            "attribute 'height_m' has no value",
        ),
        (
            json!({"name": "net1", "height_m": "", "capacity_kj": 1000}),
            "attribute 'height_m' has no value",
        ),
        (
            json!({"name": "net1", "heigth": 4, "capacity_kj": 1000}),
            "no attribute 'height_m' (there are: capacity_kj, heigth, name)",
        ),
    ] {
        std::fs::write(&file, line(properties)).unwrap();
        let error = refused(folder.path(), &text);
        let told = format!("{error:#}");
        assert!(told.contains(said), "{told}");
        // The place is that of the file, not of a number of the scene that is in the words.
        let problems = error.faults().unwrap();
        let span = problems.list[0].span.clone().unwrap();
        assert_eq!(&text[span], "\"nets.geojson\"");
    }
}

#[test]
fn what_is_no_json_is_told_where_it_stands() {
    let folder = folder();
    let good = serde_json::to_string_pretty(&scene(&[])).unwrap();
    let line = 1 + good
        .lines()
        .position(|l| l.contains("\"height_m\""))
        .unwrap();
    for value in [
        "NaN",
        "Infinity",
        "-Infinity",
        ".5",
        "one",
        "0x1",
        "1,5",
        "'1'",
    ] {
        let text = good.replace("\"height_m\": 1", &format!("\"height_m\": {value}"));
        let error = refused(folder.path(), &text);
        let problems = error.faults().unwrap();
        assert_eq!(problems.list[0].line, line, "{value}: {error:#}");
    }
    // A comma that is missing is missed where the next key begins.
    let text = good.replace("\"height_m\": 1,", "\"height_m\": 1");
    let error = refused(folder.path(), &text);
    let problems = error.faults().unwrap();
    assert_eq!(problems.list[0].line, line + 1, "{error:#}");
}

#[cfg(not(windows))]
#[test]
fn backslashes_of_windows_are_named() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    let text = scene(&[("/terrain/raster/file", json!("data\\dem.asc"))]);
    let said = format!("{:#}", refused(folder.path(), &text.to_string()));
    assert!(
        said.contains("backslash") && said.contains("data/dem.asc"),
        "{said}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_in_letters_of_another_case_is_told_the_one_that_is_there() {
    let folder = folder();
    for (named, said) in [
        ("DEM.asc", "there is 'dem.asc'"),
        ("dem.asc ", "there is 'dem.asc'"),
        ("~/dem.asc", "~ is no folder"),
    ] {
        let text = scene(&[("/terrain/raster/file", json!(named))]);
        let told = format!("{:#}", refused(folder.path(), &text.to_string()));
        assert!(told.contains(said), "{told}");
    }
}

#[test]
fn numbers_in_files_are_doubted_as_those_of_a_scene_are() {
    let folder = folder();
    let line = json!({"type": "Feature", "properties": {"name": "net", "height_m": 400, "capacity_kj": 1_000_000},
        "geometry": {"type": "LineString", "coordinates": [[2600100.0, 1200010.0], [2600100.0, 1200090.0]]}});
    std::fs::write(folder.path().join("nets.geojson"), line.to_string()).unwrap();
    std::fs::write(
        folder.path().join("starts.csv"),
        "x_m,y_m,vx_m_s,vy_m_s,vz_m_s\n2600050,1200050,500,0,0\n",
    )
    .unwrap();
    let text = scene(&[
        ("/barriers_file", json!("nets.geojson")),
        ("/sources/0/release", json!({"starts": "starts.csv"})),
    ]);
    let (scene, _) = Scene::parse(&text.to_string(), folder.path()).unwrap();
    scene.job().unwrap();
    let told = scene.text().cautions().join("\n");
    // A height in cm, an energy in J.
    assert!(
        names(&told, &["height_m", "400"]) && names(&told, &["capacity_kj", " J "]),
        "{told}"
    );
}

/// Heights in decimetres on the side of a cell in metres, a raster of slopes, and a map of classes that count from 1.
#[test]
fn rasters_that_are_none_of_what_is_meant_are_told() {
    let folder = folder();
    let head = "ncols 3\nnrows 2\nxllcorner 2600000\nyllcorner 1200000\ncellsize 50\n";
    let cautions = |rows: &str| {
        std::fs::write(folder.path().join("dem.asc"), format!("{head}{rows}")).unwrap();
        let (scene, _) = Scene::parse(&scene(&[]).to_string(), folder.path()).unwrap();
        let _ = scene.job();
        scene.text().cautions().join("; ")
    };
    let steep = cautions("5000 4500 4000\n5000 4500 4000\n");
    assert!(names(&steep, &["dem.asc", "63 degrees"]), "{steep}");
    let alike = cautions("35 35 35\n35 35 35\n");
    assert!(names(&alike, &["dem.asc"]) && alike != steep, "{alike}");
    assert_eq!(cautions("500 490 480\n500 490 480\n"), "");
    let layout = |rows: &str| {
        std::fs::write(folder.path().join("classes.asc"), format!("{head}{rows}")).unwrap();
        let changes = [(
            "/layout",
            json!({"raster": {"file": "classes.asc", "elsewhere": "rock"}}),
        )];
        let (scene, _) = Scene::parse(&scene(&changes).to_string(), folder.path()).unwrap();
        match scene.job() {
            Ok(_) => scene.text().notes().join("; "),
            Err(error) => format!("{error:#}"),
        }
    };
    let said = layout("1 1 2\n1 1 2\n");
    let classes = ["classes.asc", "2", "0 (rock)", "1 (swamp)"];
    assert!(names(&said, &classes), "{said}");
    let said = layout("0 0 1\n0 0 -9999\n");
    assert!(
        said.contains("elsewhere") && said.contains("rock 66.") && said.contains("swamp 16."),
        "{said}"
    );
}

#[test]
fn shapes_with_north_before_east_are_told_so() {
    let folder = folder();
    for place in [[1200050.0, 2600050.0], [46.9516, 7.4390]] {
        let point = json!({"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": place}});
        std::fs::write(folder.path().join("start.geojson"), point.to_string()).unwrap();
        let text = scene(&[("/sources/0/release", json!({"file": "start.geojson"}))]);
        let said = format!("{:#}", refused(folder.path(), &text.to_string()));
        assert!(said.contains("x and y seem to be exchanged"), "{said}");
    }
}

#[test]
fn a_folder_in_the_place_of_a_raster_is_named() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("grid")).unwrap();
    let text = scene(&[("/terrain/raster/file", json!("grid"))]);
    let said = Refused::from(refused(folder.path(), &text.to_string()));
    let cure = ["gdal_translate", "grid", "grid.tif"];
    assert!(said.is_cured_by(&cure), "{said:?}");
}

#[test]
fn a_material_that_is_not_there_is_told_with_those_that_are() {
    let folder = folder();
    let ring = [
        [2600000.0, 1200000.0],
        [2600100.0, 1200000.0],
        [2600100.0, 1200100.0],
        [2600000.0, 1200000.0],
    ];
    let area = json!({"type": "Feature", "properties": {"material": "Scree"},
        "geometry": {"type": "Polygon", "coordinates": [ring]}});
    std::fs::write(folder.path().join("layout.geojson"), area.to_string()).unwrap();
    let layout = json!({"polygons": {"file": "layout.geojson", "elsewhere": "rock"}});
    let text = scene(&[("/layout", layout)]);
    let said = format!("{:#}", refused(folder.path(), &text.to_string()));
    assert!(names(&said, &["'Scree'", "rock,", "swamp"]), "{said}");
}

/// 2.7 g/cm³ is 2,700 kg/m³.
#[test]
fn a_density_in_another_unit_is_told_before_the_run() {
    let folder = folder();
    let text = scene(&[("/sources/0/shapes/0/density_kg_m3", json!(2.7))]);
    let (_, warnings) = Scene::named("scene.json", &text.to_string(), folder.path()).unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let density = ["density_kg_m3", "2.7", "kg/m³"];
    assert!(names(&warnings[0], &density), "{warnings:?}");
}

/// Lines in WGS 84 of a terrain from which only a grid of shifts leads there: the message has no command, as there is
/// no file that one would transform.
#[test]
fn lines_in_wgs_84_need_a_known_shift() {
    let folder = folder();
    let grid = GRID
        .replace("2600000", "500000")
        .replace("1200000", "4000000");
    std::fs::write(folder.path().join("dem.asc"), grid).unwrap();
    let text = scene(&[
        ("/terrain/raster/crs", json!("EPSG:26717")),
        (
            "/sources/0/release",
            json!({"point": [500_050.0, 4_000_050.0]}),
        ),
        ("/wgs84_lines", json!(true)),
    ]);
    let error = refused(folder.path(), &text.to_string());
    let said = format!("{error:#}");
    assert_eq!(Refused::from(error).paths(), ["wgs84_lines"], "{said}");
    assert!(names(&said, &["EPSG:26717", "EPSG:4326"]), "{said}");
    // No command knows the shift between the datums.
    assert!(!said.contains(['`', '{']), "{said}");
}

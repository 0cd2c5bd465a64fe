//! GeoPackages: what is read of them, and what is refused by name. Databases are written here as the standard has them
//! (OGC 12-128r19), and by GDAL.

use std::process::Command;

use klast_files::shapes::{Form, Shapes};
use klast_files::{Kind, Refusal};
use rusqlite::Connection;

/// A point, a polygon with a hole and two points together, in three orders and forms.
const POINT: &str = "47500001";
const PLAIN: &str = "0101000000000000000000F03F0000000000000040";
const BIG_WITH_HEIGHT: &str = "00000003E93FF000000000000040000000000000004008000000000000";
const TWO: &str = "01040000000200000001010000000000000000000000000000000000000001010000000000000000000840000000000000F03F";
const CURVE: &str = "010800000000000000";

/// The bytes of a database with one layer of rows (name, WKB in hex); `change` is run on it.
fn package(rows: &[(&str, &str)], change: &str) -> Vec<u8> {
    let mut database = Connection::open_in_memory().unwrap();
    let tables = "CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY, organization TEXT, \
         organization_coordsys_id INTEGER, definition TEXT);
         INSERT INTO gpkg_spatial_ref_sys VALUES ('LV95', 2056, 'EPSG', 2056, 'undefined'), ('none', 0, 'NONE', 0, '');
         CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, srs_id INTEGER);
         CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
         CREATE TABLE cliff (fid INTEGER PRIMARY KEY, geom BLOB, name TEXT, rocks INTEGER, height_m REAL);
         INSERT INTO gpkg_contents VALUES ('cliff', 'features', 2056);
         INSERT INTO gpkg_geometry_columns VALUES ('cliff', 'geom', 2056);";
    database.execute_batch(tables).unwrap();
    for (name, wkb) in rows {
        // Header: version 0, flags little-endian without envelope, srs_id.
        let row = format!(
            "INSERT INTO cliff (geom, name, rocks, height_m) VALUES (x'{POINT}08080000{wkb}', '{name}', 20, 1.5)"
        );
        database.execute_batch(&row).unwrap();
    }
    database.execute_batch(change).unwrap();
    database.serialize("main").unwrap().to_vec()
}

fn read(bytes: &[u8]) -> Result<Shapes, Refusal> {
    Shapes::read("release.gpkg", bytes, &mut |_| Ok(None))
}

fn points(shapes: &Shapes) -> Vec<[f64; 2]> {
    let all = shapes.list.iter().map(|shape| match &shape.form {
        Form::Point(p) => [p.x, p.y],
        other => panic!("{}", other.kind()),
    });
    all.collect()
}

#[test]
fn geometries_in_both_byte_orders_with_their_attributes() {
    let rows = [("a", PLAIN), ("b", BIG_WITH_HEIGHT), ("", TWO)];
    let shapes = read(&package(&rows, "")).unwrap();
    assert_eq!(
        points(&shapes),
        [[1.0, 2.0], [1.0, 2.0], [0.0, 0.0], [3.0, 1.0]]
    );
    assert_eq!(shapes.list[1].name, "feature 2 ('b')");
    assert_eq!(shapes.list[3].name, "feature 3");
    assert_eq!(shapes.list[0].properties["rocks"], 20);
    assert_eq!(shapes.list[0].properties["height_m"], 1.5);
    assert!(shapes.crs.as_ref().unwrap().label().contains("2056"));
}

#[test]
fn what_is_not_read_is_refused_by_name() {
    let row = [("a", PLAIN)];
    let second = "CREATE TABLE road (fid INTEGER PRIMARY KEY, geom BLOB);
         INSERT INTO road (geom) SELECT geom FROM cliff;
         INSERT INTO gpkg_contents VALUES ('road', 'features', 2056);
         INSERT INTO gpkg_geometry_columns VALUES ('road', 'geom', 2056);";
    let extended = "UPDATE cliff SET geom = x'4750002108080000'";
    for (bytes, kind, place) in [
        (package(&row, second), Kind::Several, ""),
        (
            package(&[("a", CURVE)], ""),
            Kind::Unsupported,
            "feature 1 ('a')",
        ),
        (
            package(&[("a", &PLAIN[..30])], ""),
            Kind::Truncated,
            "feature 1 ('a')",
        ),
        (
            package(&row, extended),
            Kind::Unsupported,
            "feature 1 ('a')",
        ),
        (package(&[], ""), Kind::Missing, ""),
        (
            package(&row, "UPDATE gpkg_geometry_columns SET srs_id = 0"),
            Kind::Crs,
            "",
        ),
        (
            package(&row, "UPDATE gpkg_geometry_columns SET srs_id = 7"),
            Kind::Syntax,
            "",
        ),
        (
            package(
                &row,
                "ALTER TABLE cliff RENAME TO own; CREATE VIEW cliff AS SELECT * FROM own",
            ),
            Kind::Unsupported,
            "",
        ),
        (package(&row, "DROP TABLE gpkg_contents"), Kind::Syntax, ""),
        (b"x".to_vec(), Kind::Syntax, ""),
    ] {
        let refused = read(&bytes).unwrap_err();
        assert_eq!(refused.kind, kind, "{refused}");
        assert!(refused.place.ends_with(place), "{refused}");
    }
    for ending in ["gpkg-wal", "gpkg-journal"] {
        let mut log = |file: &str| Ok(file.ends_with(ending).then(|| vec![1]));
        let refused = Shapes::read("release.gpkg", &package(&row, ""), &mut log).unwrap_err();
        assert!(refused.to_string().contains(ending), "{refused}");
    }
}

#[test]
fn a_broken_file_is_a_value_or_an_error() {
    let bytes = package(&[("a", PLAIN), ("b", TWO)], "");
    let mut state = 1_u64;
    for _ in 0..500 {
        let mut broken = bytes.clone();
        for _ in 0..4 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let at = (state >> 33) as usize % broken.len();
            broken[at] = (state >> 20) as u8;
        }
        let _ = read(&broken);
    }
}

/// A name of a column that is not UTF-8, and one with quotes: an error, and a column as any other.
#[test]
fn columns_may_have_any_name() {
    let mut bytes = package(&[("a", PLAIN)], "");
    let name = b"height_m REAL";
    let at = bytes.windows(name.len()).position(|w| w == name).unwrap();
    bytes[at] = 0xff;
    assert!(read(&bytes).is_err());
    let change = "ALTER TABLE cliff RENAME COLUMN rocks TO \"a \"\"b\"\" c\"";
    let shapes = read(&package(&[("a", PLAIN)], change)).unwrap();
    assert_eq!(shapes.list[0].properties["a \"b\" c"], 20);
}

/// What GDAL writes of a GeoJSON is what is read of the GeoJSON itself.
#[test]
fn a_file_of_gdal_is_read_as_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let source = r#"{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2056"}},
        "features": [
        {"type": "Feature", "properties": {"name": "a", "rocks": 3}, "geometry": {"type": "MultiPolygon", "coordinates":
          [[[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]], [[2, 2], [2, 3], [3, 3], [3, 2], [2, 2]]], [[[20, 0], [21, 0], [21, 1], [20, 0]]]]}},
        {"type": "Feature", "properties": {"name": "b", "rocks": 4}, "geometry": {"type": "MultiPolygon", "coordinates":
          [[[[40, 0], [41, 0], [41, 1], [40, 0]]]]}}]}"#;
    std::fs::write(path("in.geojson"), source).unwrap();
    let written = Command::new("ogr2ogr")
        .args([path("out.gpkg"), path("in.geojson")])
        .status();
    let asked = std::env::var_os("KLAST_GDAL").is_some();
    match written {
        Ok(status) => assert!(status.success()),
        Err(error) => {
            assert!(!asked, "KLAST_GDAL is set and there is no ogr2ogr: {error}");
            eprintln!("no ogr2ogr: not compared");
            return;
        }
    }
    let by = |name: &str| {
        let bytes = std::fs::read(path(name)).unwrap();
        Shapes::read(name, &bytes, &mut |_| Ok(None)).unwrap()
    };
    let (own, gdal) = (by("in.geojson"), by("out.gpkg"));
    assert_eq!(
        gdal.crs.as_ref().unwrap().label(),
        own.crs.as_ref().unwrap().label()
    );
    assert_eq!(gdal.list.len(), own.list.len());
    for (a, b) in gdal.list.iter().zip(&own.list) {
        assert_eq!((&a.form, &a.name), (&b.form, &b.name));
        assert_eq!(a.properties["rocks"], b.properties["rocks"]);
    }
}

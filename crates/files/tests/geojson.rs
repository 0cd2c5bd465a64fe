//! GeoJSON: what is kept, what is written, and what is no geometry.

use glam::DVec2;
use klast_files::crs::Crs;
use klast_files::shapes::Form;
use klast_files::shapes::geojson::{read, write_lines, write_lines_wgs84};
use serde_json::Map as JsonObject;

#[test]
fn a_polygon_keeps_its_properties_and_loses_its_closing_point() {
    let text = r#"{"type":"Feature","properties":{"material":"scree"},"geometry":
        {"type":"Polygon","coordinates":[[[0,0],[2,0],[2,1],[0,0]]]}}"#;
    let shapes = read(text.as_bytes()).unwrap().list;
    assert_eq!(shapes[0].properties["material"], "scree");
    let ring = vec![DVec2::ZERO, DVec2::new(2.0, 0.0), DVec2::new(2.0, 1.0)];
    assert_eq!(shapes[0].form, Form::Polygon(vec![ring]));
}

#[test]
fn what_is_written_reads_back() {
    let text = write_lines(
        vec![(
            vec![vec![0.1, 0.2, 3.0], vec![1.0, 2.0, 3.0]],
            JsonObject::new(),
        )],
        None,
    );
    let shapes = read(text.as_bytes()).unwrap().list;
    assert_eq!(
        shapes[0].form,
        Form::Line(vec![DVec2::new(0.1, 0.2), DVec2::new(1.0, 2.0)])
    );
}

#[test]
fn the_crs_is_read_and_written_and_features_are_named() {
    let crs = Crs::from_epsg(2056).unwrap();
    let line = || {
        vec![(
            vec![
                vec![2_600_000.0, 1_200_000.0],
                vec![2_600_001.0, 1_200_000.0],
            ],
            JsonObject::new(),
        )]
    };
    let text = write_lines(line(), Some(&crs));
    assert_eq!(read(text.as_bytes()).unwrap().crs.unwrap().epsg, Some(2056));
    let degrees = write_lines_wgs84(line(), &crs, None).unwrap();
    let degrees = read(degrees.as_bytes()).unwrap();
    let Form::Line(points) = &degrees.list[0].form else {
        panic!("a line")
    };
    // The old observatory of Bern: 7°26'19.1\" E, 46°57'03.9\" N (WGS 84).
    assert!(
        (points[0] - DVec2::new(7.438_632, 46.951_083)).length() < 1e-5,
        "{}",
        points[0]
    );
    let broken = r#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"scar"},
        "geometry":{"type":"LineString","coordinates":[[0,0]]}}]}"#;
    let said = format!("{:#}", read(broken.as_bytes()).unwrap_err());
    assert!(
        said.contains("feature 1 ('scar'): a line of 1 points"),
        "{said}"
    );
    let unknown = text.replace("EPSG::2056", "EPSG::1");
    assert!(read(unknown.as_bytes()).is_err());
}

#[test]
fn broken_files_are_refused() {
    for text in [
        "",
        "{}",
        r#"{"type":"FeatureCollection","features":[]}"#,
        r#"{"type":"Point","coordinates":[]}"#,
        r#"{"type":"LineString","coordinates":[[0,0]]}"#,
        r#"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}"#,
    ] {
        assert!(read(text.as_bytes()).is_err(), "{text}");
    }
    assert!(read(&[0xff]).is_err());
}

/// RFC 7946, 3.1: coordinates without a position may be taken for no geometry, as GDAL and QGIS do.
#[test]
fn a_geometry_without_coordinates_is_none() {
    let feature = |kind: &str, coordinates: &str| {
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{}},\"geometry\":{{\"type\":\"{kind}\",\"coordinates\":{coordinates}}}}}"
        )
    };
    let good = feature("Polygon", "[[[0,0],[1,0],[0,1],[0,0]]]");
    for (kind, coordinates) in [
        ("Polygon", "[]"),
        ("Polygon", "[[]]"),
        ("MultiPolygon", "[]"),
        ("MultiPolygon", "[[[]]]"),
        ("LineString", "[]"),
        ("MultiLineString", "[[]]"),
        ("MultiPoint", "[]"),
    ] {
        let empty = feature(kind, coordinates);
        let all = format!("{{\"type\":\"FeatureCollection\",\"features\":[{empty},{good}]}}");
        let shapes = read(all.as_bytes()).unwrap_or_else(|e| panic!("{kind} {coordinates}: {e:#}"));
        assert_eq!(shapes.list.len(), 1, "{kind} {coordinates}");
        assert_eq!(shapes.list[0].name, "feature 2");
        assert_eq!(
            shapes.cautions,
            ["1 features without a geometry are passed over"]
        );
        assert!(
            read(empty.as_bytes()).is_err(),
            "{kind} {coordinates}: nothing is left"
        );
    }
    for (kind, coordinates) in [("Polygon", "[[[0,0],[1,0]]]"), ("LineString", "[[0,0]]")] {
        assert!(
            read(feature(kind, coordinates).as_bytes()).is_err(),
            "{kind} {coordinates}"
        );
    }
}

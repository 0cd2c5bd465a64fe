//! Shapes: GeoJSON of several programs, columns of spreadsheets and loggers, shapefiles in letters of their own.

use std::io::Cursor;

use klast_files::shapes::{Form, Shapes};
use shapefile::{NO_DATA, Point, PointM, PointZ, Polygon, PolygonRing, Polyline, PolylineM};

use super::{
    Case,
    Right::{self, Read, Refused},
};

type Beside<'a> = &'a [(&'a str, &'a [u8])];

/// Kinds and numbers, CRS, first point, the material of the first.
fn said(file: &str, bytes: &[u8], beside: Beside) -> anyhow::Result<String> {
    let mut read = |name: &str| {
        let found = beside.iter().find(|(n, _)| *n == name);
        Ok(found.map(|(_, bytes)| bytes.to_vec()))
    };
    let shapes = Shapes::read(file, bytes, &mut read)?;
    let first = &shapes.list[0];
    let at = match &first.form {
        Form::Polygon(rings) => format!("{} rings", rings.len()),
        form => form.points().next().unwrap_or_default().to_string(),
    };
    let crs = match shapes.crs.as_ref().and_then(|c| c.epsg) {
        Some(code) => format!(", EPSG:{code}"),
        None => String::new(),
    };
    let material = match first.word(&["material"]) {
        Some(word) => format!(", {word}"),
        None => String::new(),
    };
    Ok(format!("{}: {at}{crs}{material}", shapes.counted()))
}

fn text(name: &'static str, file: &str, text: &str, right: Right) -> Case {
    Case::new(name, said(file, text.as_bytes(), &[]), right)
}

/// A table of one column `material` of one row, in bytes of an encoding, with its language byte.
fn table(word: &[u8], language: u8) -> Vec<u8> {
    let mut bytes = vec![3, 124, 1, 1];
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(65_u16.to_le_bytes());
    bytes.extend(21_u16.to_le_bytes());
    bytes.resize(32, 0);
    bytes[29] = language;
    bytes.extend(b"MATERIAL\0\0\0C");
    bytes.extend([0, 0, 0, 0, 20, 0]);
    bytes.resize(64, 0);
    bytes.push(0x0d);
    bytes.push(b' ');
    bytes.extend(word);
    bytes.resize(65 + 21, b' ');
    bytes.push(0x1a);
    bytes
}

fn shp(write: impl FnOnce(shapefile::ShapeWriter<Cursor<&mut Vec<u8>>>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(shapefile::ShapeWriter::new(Cursor::new(&mut bytes)));
    bytes
}

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        text(
            "a collection of geometries in a collection (PostGIS)",
            "a.geojson",
            r#"{"type":"GeometryCollection","geometries":[{"type":"GeometryCollection","geometries":[
            {"type":"Point","coordinates":[1,2]},{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],
            [[[5,5],[6,5],[6,6],[5,5]]]]}]},{"type":"LineString","coordinates":[[0,0],[1,1]]}]}"#,
            Read("1 point, 1 line, 2 polygons: [1, 2]"),
        ),
        text(
            "features without geometry, boxes, heights and measures",
            "a.geojson",
            r#"{"type":"FeatureCollection","bbox":[0,0,9,9],"features":[{"type":"Feature","geometry":null,"properties":null},
            {"type":"Feature","bbox":[1,2,1,2],"id":7,"geometry":{"type":"Point","coordinates":[1,2,400,0.5]},"properties":{}}]}"#,
            Read("1 point: [1, 2]"),
        ),
        text(
            "features line by line (GeoJSONSeq of ogr2ogr)",
            "a.geojsonl",
            "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}\n\
             {\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[3,4]}}\n",
            Read("2 points: [1, 2]"),
        ),
        text(
            "TopoJSON",
            "a.json",
            r#"{"type":"Topology","objects":{},"arcs":[]}"#,
            Refused(&["TopoJSON", "ogr2ogr"]),
        ),
        text(
            "JSON of ArcGIS",
            "a.json",
            r#"{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":2056},"features":[{"attributes":{},"geometry":{"x":1,"y":2}}]}"#,
            Refused(&["GeoJSON"]),
        ),
        text(
            "DXF in text (AutoCAD)",
            "a.dxf",
            "  0\nSECTION\n  2\nHEADER\n  9\n$ACADVER\n  1\nAC1015\n",
            Refused(&["ogr2ogr a.geojson a.dxf"]),
        ),
        text(
            "DXF in bytes",
            "B.DXF",
            "AutoCAD Binary DXF\r\n\u{1a}\0",
            Refused(&["ogr2ogr B.geojson B.DXF"]),
        ),
        text(
            "a track of a GPS logger",
            "a.gpx",
            "<?xml version=\"1.0\"?><gpx><wpt lat=\"46.9\" lon=\"7.4\"/></gpx>",
            Refused(&["ogr2ogr a.geojson a.gpx"]),
        ),
        text(
            "capital X;Y;Z with a byte order mark (Excel)",
            "a.csv",
            "\u{feff}Nr;X;Y;Z;Material\r\n1;2600020.5;1200050;512;rock\r\n",
            Read("1 point: [2600020.5, 1200050], rock"),
        ),
        text(
            "latitude before longitude (GPS logger)",
            "a.csv",
            "time,Latitude,Longitude,ele\n2024-05-01T10:00:00Z,46.95,7.44,512\n",
            Read("1 point: [7.44, 46.95], EPSG:4326"),
        ),
        text(
            "decimal commas between semicolons",
            "a.csv",
            "x;y\n2600020,5;1200050\n",
            Read("1 point: [2600020.5, 1200050]"),
        ),
        text(
            "thousands in quotes (American Excel)",
            "a.csv",
            "x,y\n\"2,600,020.5\",\"1,200,050\"\n",
            Refused(&["row 1", "2,600,020.5"]),
        ),
        text(
            "thousands by apostrophes (Swiss Excel)",
            "a.csv",
            "x;y\n2'600'020;1'200'050\n",
            Refused(&["row 1", "2'600'020"]),
        ),
        text(
            "WKT in a column (QGIS)",
            "a.csv",
            "WKT,name\n\"POINT (1 2)\",a\n",
            Refused(&["columns WKT, name"]),
        ),
        text(
            "columns with the frame in their names",
            "a.csv",
            "Id,E_LV95,N_LV95\n1,2600020,1200050\n",
            Refused(&["columns Id, E_LV95, N_LV95"]),
        ),
    ];
    let corner = |x: f64, y: f64| Point::new(x, y);
    let outer = PolygonRing::Outer(vec![
        corner(0.0, 0.0),
        corner(0.0, 9.0),
        corner(9.0, 9.0),
        corner(9.0, 0.0),
    ]);
    let hole = PolygonRing::Inner(vec![
        corner(3.0, 3.0),
        corner(6.0, 3.0),
        corner(6.0, 6.0),
        corner(3.0, 6.0),
    ]);
    let polygon = shp(|w| {
        w.write_shapes(&[Polygon::with_rings(vec![outer, hole])])
            .unwrap()
    });
    let with = |name, beside: &[(&str, Vec<u8>)], right| {
        let beside: Vec<(&str, &[u8])> = beside.iter().map(|(n, b)| (*n, b.as_slice())).collect();
        Case::new(name, said("a.shp", &polygon, &beside), right)
    };
    let hall = |word: &[u8], language| ("a.dbf", table(word, language));
    // "осыпь", scree: in DOS 866 and in Windows 1251.
    let dos = [0xae, 0xe1, 0xeb, 0xaf, 0xec];
    let windows = [0xee, 0xf1, 0xfb, 0xef, 0xfc];
    cases.extend([
        with("no table beside it", &[], Read("1 polygon: 2 rings")),
        with(
            "Russian of DOS by the language byte",
            &[hall(&dos, 0x65)],
            Read("1 polygon: 2 rings, осыпь"),
        ),
        with(
            "Russian of Windows by .cpg",
            &[hall(&windows, 0), ("a.cpg", b"1251\r\n".to_vec())],
            Read("1 polygon: 2 rings, осыпь"),
        ),
        with(
            "Chinese by .cpg",
            &[hall(&[0xd1, 0xd2, 0xca, 0xaf], 0), ("a.cpg", b"GBK".to_vec())],
            Read("1 polygon: 2 rings, 岩石"),
        ),
        with(
            "Japanese by .cpg",
            &[hall(&[0x8a, 0xe2], 0), ("a.cpg", b"Shift_JIS".to_vec())],
            Read("1 polygon: 2 rings, 岩"),
        ),
        with(
            "UTF-8 by .cpg against a language byte of Windows (QGIS)",
            &[hall("Geröll".as_bytes(), 0x57), ("a.cpg", b"UTF-8".to_vec())],
            Read("1 polygon: 2 rings, Geröll"),
        ),
        with(
            "a .cpg that nobody knows",
            &[hall(b"rock", 0), ("a.cpg", b"KLINGON".to_vec())],
            Refused(&["KLINGON"]),
        ),
        with(
            "the .prj of ArcGIS",
            &[(
                "a.prj",
                b"PROJCS[\"CH1903+_LV95\",GEOGCS[\"GCS_CH1903+\",DATUM[\"D_CH1903+\",SPHEROID[\"Bessel_1841\",6377397.155,299.1528128]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION[\"Hotine_Oblique_Mercator_Azimuth_Center\"],PARAMETER[\"False_Easting\",2600000.0],PARAMETER[\"False_Northing\",1200000.0],PARAMETER[\"Scale_Factor\",1.0],PARAMETER[\"Azimuth\",90.0],PARAMETER[\"Longitude_Of_Center\",7.439583333333333],PARAMETER[\"Latitude_Of_Center\",46.95240555555556],UNIT[\"Meter\",1.0]]".to_vec(),
            )],
            Read("1 polygon: 2 rings, EPSG:2056"),
        ),
    ]);
    let file = |name, bytes: Vec<u8>, right| Case::new(name, said("a.shp", &bytes, &[]), right);
    let track = [PointM::new(1.0, 2.0, NO_DATA), PointM::new(3.0, 4.0, 7.0)];
    cases.extend([
        file(
            "points with heights and no measures (survey)",
            shp(|w| {
                w.write_shapes(&[PointZ::new(1.0, 2.0, 512.0, NO_DATA)])
                    .unwrap();
            }),
            Read("1 point: [1, 2]"),
        ),
        file(
            "lines with measures (ArcGIS)",
            shp(|w| w.write_shapes(&[PolylineM::new(track.to_vec())]).unwrap()),
            Read("1 line: [1, 2]"),
        ),
        file(
            "a line in two parts",
            shp(|w| {
                let part = |x: f64| vec![corner(x, 2.0), corner(x + 1.0, 4.0)];
                w.write_shapes(&[Polyline::with_parts(vec![part(1.0), part(5.0)])])
                    .unwrap();
            }),
            Read("2 lines: [1, 2]"),
        ),
    ]);
    cases
}

/// A second set.
pub fn more() -> Vec<Case> {
    let point = |member: &str| {
        format!(
            r#"{{"type":"FeatureCollection",{member}"features":[{{"type":"Feature","properties":{{}},"geometry":{{"type":"Point","coordinates":[1,2]}}}}]}}"#
        )
    };
    let line = shp(|w| {
        w.write_shapes(&[Polyline::new(vec![
            Point::new(1.0, 2.0),
            Point::new(3.0, 4.0),
        ])])
        .unwrap();
    });
    let many = shp(|w| {
        let points = vec![Point::new(1.0, 2.0), Point::new(3.0, 4.0)];
        w.write_shapes(&[shapefile::Multipoint::new(points)])
            .unwrap();
    });
    let twice: Vec<u8> = {
        let mut bytes = table(b"rock", 0);
        bytes[4] = 2;
        bytes.pop();
        bytes.extend([b' '; 21]);
        bytes.push(0x1a);
        bytes
    };
    vec![
        text(
            "degrees with blanks about their names",
            "b.csv",
            "Id, Lon , Lat \n1, 7.44 , 46.95 \n",
            Read("1 point: [7.44, 46.95], EPSG:4326"),
        ),
        text(
            "y before x, between tabs",
            "b.txt",
            "Y\tX\n1200050\t2600020\n",
            Read("1 point: [2600020, 1200050]"),
        ),
        text(
            "a row of empty cells, as spreadsheets leave below a table",
            "b.csv",
            "x,y\n1,2\n,\n",
            Read("1 point: [1, 2]"),
        ),
        text(
            "a row of units",
            "b.csv",
            "x,y\nm,m\n1,2\n",
            Refused(&["row 1"]),
        ),
        text("an empty table", "b.csv", "", Refused(&["an empty file"])),
        text(
            "a workbook named .csv",
            "b.csv",
            "PK\u{3}\u{4}",
            Refused(&["points"]),
        ),
        text(
            "coordinates as texts",
            "b.geojson",
            r#"{"type":"Point","coordinates":["1","2"]}"#,
            Refused(&["GeoJSON"]),
        ),
        text(
            "a coordinate that is NaN (Python)",
            "b.geojson",
            r#"{"type":"Point","coordinates":[NaN,2]}"#,
            Refused(&["GeoJSON"]),
        ),
        text(
            "a ring that is not closed",
            "b.geojson",
            r#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}"#,
            Read("1 polygon: 1 rings"),
        ),
        text(
            "a comma too many",
            "b.geojson",
            r#"{"type":"Point","coordinates":[1,2,]}"#,
            Refused(&["GeoJSON"]),
        ),
        text(
            "a map of the web",
            "b.geojson",
            &point(r#""crs":{"type":"name","properties":{"name":"EPSG:3857"}},"#),
            Read("1 point: [1, 2], EPSG:3857"),
        ),
        text(
            "a CRS by a link",
            "b.geojson",
            &point(r#""crs":{"type":"link","properties":{"href":"http://a.b/2056"}},"#),
            Refused(&["crs"]),
        ),
        text(
            "a CRS that is null",
            "b.geojson",
            &point(r#""crs":null,"#),
            Read("1 point: [1, 2]"),
        ),
        text(
            "types in small letters",
            "b.geojson",
            r#"{"type":"point","coordinates":[1,2]}"#,
            Refused(&["GeoJSON"]),
        ),
        text(
            "KMZ",
            "b.kmz",
            "PK\u{3}\u{4}",
            Refused(&["ogr2ogr b.geojson b.kmz"]),
        ),
        text(
            "MapInfo",
            "b.tab",
            "!table",
            Refused(&["ogr2ogr b.geojson b.tab"]),
        ),
        text(
            "FlatGeobuf",
            "b.fgb",
            "fgb",
            Refused(&["ogr2ogr b.geojson b.fgb"]),
        ),
        text(
            "GML",
            "b.gml",
            "<gml/>",
            Refused(&["ogr2ogr b.geojson b.gml"]),
        ),
        Case::new(
            "a shapefile that breaks off",
            said("b.shp", &line[..line.len() - 9], &[]),
            Refused(&["shapefile"]),
        ),
        Case::new(
            "points together in a shapefile",
            said("b.shp", &many, &[]),
            Read("2 points: [1, 2]"),
        ),
        Case::new(
            "a table with a row too many",
            said("b.shp", &line, &[("b.dbf", &twice)]),
            Refused(&["1 geometries and 2 rows"]),
        ),
    ]
}

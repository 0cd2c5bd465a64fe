//! Shapefiles with their attributes, in the letters that they state; deleted rows, broken files.

use std::io::Cursor;

use dbase::FieldValue;
use klast_files::Kind;
use klast_files::shapes::Form;
use klast_files::shapes::shapefile::read;
use shapefile::{Point, Polygon, PolygonRing};

/// A table of one column of 10 bytes with a language byte, a row each.
fn table(language: u8, rows: &[&[u8]]) -> Vec<u8> {
    let mut bytes = vec![3, 126, 1, 1];
    bytes.extend((rows.len() as u32).to_le_bytes());
    bytes.extend([65, 0, 11, 0]);
    bytes.resize(32, 0);
    bytes[29] = language;
    bytes.extend(b"material\0\0\0C\0\0\0\0\x0a\0");
    bytes.resize(64, 0);
    bytes.push(13);
    for row in rows {
        // A row that is deleted begins with an asterisk.
        let (mark, cells) = row.strip_prefix(b"*").map_or((b' ', *row), |c| (b'*', c));
        bytes.push(mark);
        bytes.extend(cells);
        bytes.resize(bytes.len() + 10 - cells.len(), b' ');
    }
    bytes
}

fn points(count: usize) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let points = vec![Point::new(1.0, 2.0); count];
    shapefile::ShapeWriter::new(&mut bytes)
        .write_shapes(&points)
        .unwrap();
    bytes.into_inner()
}

/// Bytes of "Geröll", "łupek", "岩" by the tables of each code page.
#[test]
fn letters_are_those_that_are_stated() {
    let word = |language: u8, cell: &[u8], codepage: Option<&[u8]>| {
        let shapes = read(&points(1), Some(&table(language, &[cell])), codepage).unwrap();
        shapes.list[0].properties["material"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (utf, western, dos) = (
        "Geröll".as_bytes(),
        b"Ger\xf6ll".as_slice(),
        b"Ger\x94ll".as_slice(),
    );
    for (language, cell, codepage) in [
        (0, utf, None),
        (0, utf, Some("UTF-8\r\n")),
        (0x57, utf, Some("\u{feff}65001")),
        (0, western, None),
        (0x57, western, None),
        (0, western, Some("1252")),
        (0, western, Some("ISO-8859-1")),
        (0, western, Some("88591")),
        (0, western, Some("ANSI 1252")),
        (3, western, None),
        (1, dos, None),
        (2, dos, Some("OEM")),
        (0, dos, Some("850")),
    ] {
        let found = word(language, cell, codepage.map(str::as_bytes));
        assert_eq!(found, "Geröll", "{language} {codepage:?}");
    }
    assert_eq!(word(0xc8, b"\xb3upek", None), "łupek");
    assert_eq!(word(0, b"\xb3upek", Some(b"ISO-8859-2")), "łupek");
    assert_eq!(word(0, b"\x8a\xe2", Some(b"932")), "岩");
    // What says UTF-8 as two bytes a letter where the table is western is none of them: the stated letters hold.
    assert_eq!(word(3, utf, None), "GerÃ¶ll");
    let refused = read(&points(1), Some(&table(0, &[utf])), Some(b"klingon"));
    assert_eq!(refused.unwrap_err().kind, Kind::Letters);
    let refused = read(&points(1), Some(&table(0x68, &[utf])), None);
    assert_eq!(refused.unwrap_err().kind, Kind::Letters);
}

/// Two squares, one with a hole, as one record; another as a second one: with attributes, written by the library.
fn example() -> (Vec<u8>, Vec<u8>) {
    let square = |x: f64, y: f64, size: f64| -> Vec<Point> {
        [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]
            .map(|(u, v)| Point::new(x + size * u, y + size * v))
            .to_vec()
    };
    let several = Polygon::with_rings(vec![
        PolygonRing::Outer(square(0.0, 0.0, 10.0)),
        PolygonRing::Inner(square(2.0, 2.0, 3.0)),
        PolygonRing::Outer(square(20.0, 0.0, 5.0)),
    ]);
    let one = Polygon::new(PolygonRing::Outer(square(40.0, 0.0, 2.0)));
    let (mut shp, mut shx, mut dbf) = (
        Cursor::new(Vec::new()),
        Cursor::new(Vec::new()),
        Cursor::new(Vec::new()),
    );
    {
        let table = dbase::TableWriterBuilder::new()
            .add_character_field("material".try_into().unwrap(), 20)
            .add_numeric_field("volume_m3".try_into().unwrap(), 12, 3)
            .build_with_dest(&mut dbf);
        let shapes = shapefile::ShapeWriter::with_shx(&mut shp, &mut shx);
        let mut writer = shapefile::Writer::new(shapes, table);
        for (polygon, name, volume) in [(several, "scree", Some(1.5)), (one, "rock", None)] {
            let mut record = dbase::Record::default();
            record.insert(
                "material".to_owned(),
                FieldValue::Character(Some(name.to_owned())),
            );
            record.insert("volume_m3".to_owned(), FieldValue::Numeric(volume));
            writer.write_shape_and_record(&polygon, &record).unwrap();
        }
    }
    (shp.into_inner(), dbf.into_inner())
}

#[test]
fn all_parts_come_with_their_attributes() {
    let (shp, dbf) = example();
    let shapes = read(&shp, Some(&dbf), None).unwrap();
    assert_eq!(shapes.counted(), "3 polygons");
    let rings = |k: usize| match &shapes.list[k].form {
        Form::Polygon(rings) => rings.iter().map(Vec::len).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        [rings(0), rings(1), rings(2)],
        [vec![4, 4], vec![4], vec![4]]
    );
    assert_eq!(shapes.list[1].word(&["material"]).as_deref(), Some("scree"));
    assert_eq!(shapes.list[1].number(&["volume_m3"]).unwrap(), Some(1.5));
    assert_eq!(shapes.list[2].number(&["volume_m3"]).unwrap(), None);
    assert_eq!(shapes.list[2].name, "record 2");
    assert_eq!(read(&shp, None, None).unwrap().list.len(), 3);
}

#[test]
fn a_deleted_row_takes_its_geometry_with_it() {
    let (shp, _) = example();
    let rows = table(0, &[b"*scree", b"rock"]);
    let shapes = read(&shp, Some(&rows), None).unwrap();
    assert_eq!(shapes.list.len(), 1);
    assert_eq!(shapes.list[0].word(&["material"]).as_deref(), Some("rock"));
    assert_eq!(shapes.list[0].name, "record 2");
}

#[test]
fn broken_files_are_errors() {
    let (shp, dbf) = example();
    for end in 0..shp.len() {
        let _ = read(&shp[..end], None, None);
    }
    for at in 0..shp.len() {
        let mut broken = shp.clone();
        broken[at] ^= 0xff;
        let _ = read(&broken, None, None);
    }
    for end in 0..dbf.len() {
        let _ = read(&shp, Some(&dbf[..end]), None);
    }
    for at in 0..dbf.len() {
        let mut broken = dbf.clone();
        broken[at] ^= 0xff;
        let _ = read(&shp, Some(&broken), None);
    }
}

//! Shapefiles: geometries of `.shp`, attributes of `.dbf`.

use std::io::Cursor;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use dbase::encoding::DynEncoding;
use dbase::{CodePageMark, FieldValue};
use glam::DVec2;
use serde_json::{Map, Value};
use shapefile::{PolygonRing, Shape as Record};

use super::shapes::{Form, Shape, Shapes};

/// Reads every part of every record.
///
/// # Errors
/// What is no shapefile; a coordinate that is not finite, with its record; attributes of another number of records.
pub fn read(bytes: &[u8], table: Option<&[u8]>, codepage: Option<&[u8]>) -> Result<Shapes> {
    ensure!(bytes.len() >= 100, "shapefile: the header breaks off");
    let mut reader =
        shapefile::ShapeReader::new(Cursor::new(bytes)).map_err(|e| anyhow!("shapefile: {e}"))?;
    let attributes = match table {
        Some(table) => attributes(table, codepage)?,
        None => Vec::new(),
    };
    let mut list = Vec::new();
    let mut count = 0;
    for (number, record) in reader.iter_shapes().enumerate() {
        let record = record.map_err(|e| anyhow!("shapefile: record {}: {e}", number + 1))?;
        count += 1;
        let properties = match attributes.get(number) {
            Some(None) => continue,
            Some(Some(own)) => own.clone(),
            None => Map::new(),
        };
        let name = match properties
            .iter()
            .find(|(k, _)| k.eq_ignore_ascii_case("name"))
        {
            Some((_, Value::String(s))) if !s.is_empty() => {
                format!("record {} ('{}')", number + 1, super::text::excerpt(s))
            }
            _ => format!("record {}", number + 1),
        };
        for form in forms(record).with_context(|| format!("shapefile: {name}"))? {
            let finite = form.points().all(DVec2::is_finite);
            ensure!(finite, "shapefile: {name}: a coordinate that is not finite");
            list.push(Shape {
                form,
                properties: properties.clone(),
                name: name.clone(),
            });
        }
    }
    ensure!(
        !list.is_empty(),
        "shapefile: no geometry; accepted: one or more"
    );
    ensure!(
        attributes.is_empty() || attributes.len() == count,
        "shapefile: {count} geometries and {} rows of attributes (.dbf); accepted: as many",
        attributes.len()
    );
    Ok(Shapes { list, crs: None })
}

/// The rows of the table; none of a row that is marked as deleted, whose geometry is deleted with it.
fn attributes(table: &[u8], codepage: Option<&[u8]>) -> Result<Vec<Option<Map<String, Value>>>> {
    // The library counts on lengths that the header states.
    let word = |at: usize| Some(u16::from_le_bytes(table.get(at..at + 2)?.try_into().ok()?));
    let (header, row) = (word(8).unwrap_or(0), word(10).unwrap_or(0));
    let rows = table
        .get(4..8)
        .and_then(|b| Some(u32::from_le_bytes(b.try_into().ok()?)))
        .unwrap_or(0);
    let needed = u64::from(header) + u64::from(row) * u64::from(rows);
    ensure!(
        header >= 33 && row >= 1 && needed <= table.len() as u64,
        "attributes (.dbf): the file is shorter than its header says"
    );
    let letters = letters(table, codepage)?;
    let mut reader = dbase::ReaderBuilder::new()
        .with_encoding(letters)
        .build(Cursor::new(table))
        .map_err(|e| anyhow!("attributes (.dbf): {e}"))?;
    let mut records = reader.iter_records();
    let mut list = Vec::new();
    for number in 0..rows as usize {
        // An asterisk before its cells marks a row as deleted; the library passes over it.
        if table.get(usize::from(header) + number * usize::from(row)) == Some(&b'*') {
            list.push(None);
            continue;
        }
        let Some(record) = records.next() else { break };
        let record = record.map_err(|e| anyhow!("attributes (.dbf), row {}: {e}", number + 1))?;
        let entries = record.into_iter().map(|(name, value)| (name, json(value)));
        list.push(Some(entries.collect()));
    }
    Ok(list)
}

/// The letters of a table: what the `.cpg` beside it says, else the language byte of its header, else UTF-8 if it is
/// UTF-8, else those of Windows in the west.
fn letters(table: &[u8], codepage: Option<&[u8]>) -> Result<DynEncoding> {
    let stated = codepage.map(String::from_utf8_lossy).unwrap_or_default();
    let stated = stated.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\0'));
    let name = stated.to_ascii_lowercase();
    let name = ["ansi ", "oem ", "cp", "ibm", "windows-", "iso-"]
        .iter()
        .find_map(|start| name.strip_prefix(start))
        .unwrap_or(&name)
        .trim();
    let by_name = |label: &str| encoding_rs::Encoding::for_label(label.as_bytes());
    let mark = match name {
        // The system that wrote the file, which nobody knows any more.
        "" | "system" | "ansi" | "oem" => CodePageMark::from(*table.get(29).unwrap_or(&0)),
        "437" => CodePageMark::CP437,
        "850" => CodePageMark::CP850,
        "852" => CodePageMark::CP852,
        "861" => CodePageMark::CP861,
        "865" => CodePageMark::CP865,
        "65001" => CodePageMark::Utf8,
        _ => {
            let found = match name.strip_prefix("8859") {
                Some(part) => by_name(&format!("iso-8859-{}", part.trim_start_matches(['-', '_']))),
                None => match name {
                    "932" => Some(encoding_rs::SHIFT_JIS),
                    "936" => Some(encoding_rs::GBK),
                    "949" => Some(encoding_rs::EUC_KR),
                    "950" => Some(encoding_rs::BIG5),
                    number => by_name(&format!("windows-{number}")).or_else(|| by_name(number)),
                },
            };
            let found = found.map(|e| dbase::encoding::EncodingRs::from(e).into());
            return found.with_context(|| {
                format!(
                    "letters '{}' (.cpg) are not known; accepted: UTF-8, a code page such as 1252, none \
                     (`ogr2ogr -lco ENCODING=UTF-8 out.shp in.shp`)",
                    super::text::excerpt(stated)
                )
            });
        }
    };
    let utf_8 = std::str::from_utf8(table.get(32..).unwrap_or_default()).is_ok();
    match mark {
        CodePageMark::Utf8 => Ok(dbase::encoding::UnicodeLossy.into()),
        CodePageMark::Undefined | CodePageMark::Invalid if utf_8 => {
            Ok(dbase::encoding::UnicodeLossy.into())
        }
        CodePageMark::Undefined | CodePageMark::Invalid => {
            Ok(dbase::encoding::EncodingRs::from(encoding_rs::WINDOWS_1252).into())
        }
        mark => mark.to_encoding().with_context(|| {
            format!(
                "attributes (.dbf): letters of {mark:?} are not read; accepted: UTF-8 \
                 (`ogr2ogr -lco ENCODING=UTF-8 out.shp in.shp`)"
            )
        }),
    }
}

fn json(value: FieldValue) -> Value {
    match value {
        FieldValue::Character(text) => text.map_or(Value::Null, Value::from),
        FieldValue::Numeric(number) => number.map_or(Value::Null, Value::from),
        FieldValue::Float(number) => number.map_or(Value::Null, |n| f64::from(n).into()),
        FieldValue::Integer(number) => number.into(),
        FieldValue::Double(number) | FieldValue::Currency(number) => number.into(),
        FieldValue::Logical(yes) => yes.map_or(Value::Null, Value::from),
        FieldValue::Memo(text) => text.into(),
        FieldValue::Date(_) | FieldValue::DateTime(_) => Value::Null,
    }
}

fn forms(record: Record) -> Result<Vec<Form>> {
    Ok(match record {
        Record::NullShape => Vec::new(),
        Record::Point(p) => vec![Form::Point(DVec2::new(p.x, p.y))],
        Record::PointM(p) => vec![Form::Point(DVec2::new(p.x, p.y))],
        Record::PointZ(p) => vec![Form::Point(DVec2::new(p.x, p.y))],
        Record::Multipoint(m) => several(m.points().iter().map(|p| [p.x, p.y])),
        Record::MultipointM(m) => several(m.points().iter().map(|p| [p.x, p.y])),
        Record::MultipointZ(m) => several(m.points().iter().map(|p| [p.x, p.y])),
        Record::Polyline(l) => lines(
            l.parts()
                .iter()
                .map(|l| l.iter().map(|p| [p.x, p.y]).collect()),
        )?,
        Record::PolylineM(l) => lines(
            l.parts()
                .iter()
                .map(|l| l.iter().map(|p| [p.x, p.y]).collect()),
        )?,
        Record::PolylineZ(l) => lines(
            l.parts()
                .iter()
                .map(|l| l.iter().map(|p| [p.x, p.y]).collect()),
        )?,
        Record::Polygon(p) => polygons(p.rings().iter().map(|r| ring(r, |p| [p.x, p.y])))?,
        Record::PolygonM(p) => polygons(p.rings().iter().map(|r| ring(r, |p| [p.x, p.y])))?,
        Record::PolygonZ(p) => polygons(p.rings().iter().map(|r| ring(r, |p| [p.x, p.y])))?,
        Record::Multipatch(_) => bail!("a multipatch; accepted: points, lines, polygons"),
    })
}

fn several(points: impl Iterator<Item = [f64; 2]>) -> Vec<Form> {
    points.map(|p| Form::Point(DVec2::from_array(p))).collect()
}

fn lines(parts: impl Iterator<Item = Vec<[f64; 2]>>) -> Result<Vec<Form>> {
    let line = |points: Vec<[f64; 2]>| {
        ensure!(
            points.len() >= 2,
            "a line of {} points; accepted: 2 or more",
            points.len()
        );
        Ok(Form::Line(
            points.into_iter().map(DVec2::from_array).collect(),
        ))
    };
    parts.map(line).collect()
}

/// A ring, whether it is a border, and its points.
fn ring<P>(ring: &PolygonRing<P>, plan: impl Fn(&P) -> [f64; 2]) -> (bool, Vec<DVec2>) {
    let mut points: Vec<DVec2> = ring
        .points()
        .iter()
        .map(|p| DVec2::from_array(plan(p)))
        .collect();
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    (matches!(ring, PolygonRing::Outer(_)), points)
}

/// Borders with the holes that lie in them, each in the smallest one; a hole without a border is one that was drawn the
/// wrong way round.
fn polygons(rings: impl Iterator<Item = (bool, Vec<DVec2>)>) -> Result<Vec<Form>> {
    let mut borders: Vec<Vec<Vec<DVec2>>> = Vec::new();
    let mut holes = Vec::new();
    for (border, points) in rings {
        ensure!(
            points.len() >= 3,
            "a ring of {} points; accepted: 3 or more",
            points.len()
        );
        match border {
            true => borders.push(vec![points]),
            false => holes.push(points),
        }
    }
    for hole in holes {
        let around = borders.iter_mut().filter(|b| contains(&b[0], hole[0]));
        let smallest = around.min_by(|a, b| area(&a[0]).total_cmp(&area(&b[0])));
        match smallest {
            Some(border) => border.push(hole),
            None => borders.push(vec![hole]),
        }
    }
    Ok(borders.into_iter().map(Form::Polygon).collect())
}

fn area(ring: &[DVec2]) -> f64 {
    let sides = ring.iter().zip(ring.iter().cycle().skip(1));
    // From the first corner: the sum keeps its digits far from the origin of the map.
    let triangle = |(a, b): (&DVec2, &DVec2)| (*a - ring[0]).perp_dot(*b - ring[0]);
    0.5 * sides.map(triangle).sum::<f64>().abs()
}

fn contains(ring: &[DVec2], p: DVec2) -> bool {
    let sides = ring.iter().zip(ring.iter().cycle().skip(1));
    let crossed = sides.filter(|(a, b)| {
        (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * ((b.x - a.x) / (b.y - a.y))
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use shapefile::{Point, Polygon};

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

    /// Bytes of "Geröll", "łupek", "岩" by the tables of each code page.
    #[test]
    fn letters_are_those_that_are_stated() {
        let word = |language: u8, cell: &[u8], codepage: Option<&[u8]>| {
            let rows = attributes(&table(language, &[cell]), codepage).unwrap();
            rows[0].as_ref().unwrap()["material"]
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
        let refused = attributes(&table(0, &[utf]), Some(b"klingon"))
            .unwrap_err()
            .to_string();
        assert!(refused.contains("letters 'klingon' (.cpg)"), "{refused}");
        let refused = attributes(&table(0x68, &[utf]), None)
            .unwrap_err()
            .to_string();
        assert!(refused.contains("CP895 are not read"), "{refused}");
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

    /// An island in a lake in an island: the pond of the inner one is no hole of the outer one.
    #[test]
    fn a_hole_is_of_the_smallest_ring_around_it() {
        let square = |from: f64, to: f64| {
            [[from, from], [from, to], [to, to], [to, from]]
                .map(DVec2::from_array)
                .to_vec()
        };
        let rings = [
            (true, square(0.0, 10.0)),
            (true, square(2.0, 8.0)),
            (false, square(1.0, 9.0)),
            (false, square(4.0, 5.0)),
        ];
        let forms = polygons(rings.into_iter()).unwrap();
        let corner = |k: usize| match &forms[k] {
            Form::Polygon(rings) => [rings.len() as f64, rings[1][0].x],
            other => panic!("{other:?}"),
        };
        assert_eq!([corner(0), corner(1)], [[2.0, 1.0], [2.0, 4.0]]);
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
}

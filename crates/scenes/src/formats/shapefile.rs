//! Shapefiles: geometries of `.shp`, attributes of `.dbf`.

use std::io::Cursor;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use glam::DVec2;
use serde_json::{Map, Value};
use shapefile::dbase::{self, FieldValue};
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
        let properties = attributes.get(number).cloned().unwrap_or_default();
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
        count += 1;
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

/// The rows of the table; letters are UTF-8 if `.cpg` says so or they are, else Latin-1.
fn attributes(table: &[u8], codepage: Option<&[u8]>) -> Result<Vec<Map<String, Value>>> {
    let _ = codepage;
    // The library counts on lengths that the header states.
    let word = |at: usize| Some(u16::from_le_bytes(table.get(at..at + 2)?.try_into().ok()?));
    let (header, row) = (word(8).unwrap_or(0), word(10).unwrap_or(0));
    let rows = table
        .get(4..8)
        .and_then(|b| Some(u32::from_le_bytes(b.try_into().ok()?)));
    let needed = u64::from(header) + u64::from(row) * u64::from(rows.unwrap_or(0));
    ensure!(
        header >= 33 && row >= 1 && needed <= table.len() as u64,
        "attributes (.dbf): the file is shorter than its header says"
    );
    let mut reader =
        dbase::Reader::new(Cursor::new(table)).map_err(|e| anyhow!("attributes (.dbf): {e}"))?;
    let mut rows = Vec::new();
    for (number, record) in reader.iter_records().enumerate() {
        let record = record.map_err(|e| anyhow!("attributes (.dbf), row {}: {e}", number + 1))?;
        let entries = record.into_iter().map(|(name, value)| (name, json(value)));
        rows.push(entries.collect());
    }
    Ok(rows)
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

/// Borders with the holes that lie in them; a hole without a border is one that was drawn the wrong way round.
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
        let around = borders.iter_mut().find(|b| contains(&b[0], hole[0]));
        match around {
            Some(border) => border.push(hole),
            None => borders.push(vec![hole]),
        }
    }
    Ok(borders.into_iter().map(Form::Polygon).collect())
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

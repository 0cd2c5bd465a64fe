//! Shapefiles: geometries of `.shp`, attributes of `.dbf`.

mod attributes;
mod forms;

use crate::refusal::{Context as _, Result, ensure, refusal};
use std::io::Cursor;

use glam::DVec2;
use serde_json::{Map, Value};

use crate::shapes::{Shape, Shapes};
use attributes::attributes;
use forms::taken;

/// Reads every part of every record.
///
/// # Errors
/// What is no shapefile; a coordinate that is not finite, with its record; attributes of another number of records.
pub fn read(bytes: &[u8], table: Option<&[u8]>, codepage: Option<&[u8]>) -> Result<Shapes> {
    ensure!(
        bytes.len() >= 100,
        Truncated,
        "shapefile: the header breaks off"
    );
    let mut reader = shapefile::ShapeReader::new(Cursor::new(bytes))
        .map_err(|e| refusal!(Syntax, "shapefile: {e}"))?;
    let attributes = match table {
        Some(table) => attributes(table, codepage)?,
        None => Vec::new(),
    };
    let mut list = Vec::new();
    let (mut count, mut empty, mut heights) = (0, 0, false);
    let mut cautions = Vec::new();
    for (number, record) in reader.iter_shapes().enumerate() {
        let record =
            record.map_err(|e| refusal!(Syntax, "shapefile: record {}: {e}", number + 1))?;
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
                format!("record {} ('{}')", number + 1, crate::text::excerpt(s))
            }
            _ => format!("record {}", number + 1),
        };
        let own = taken(record).with_context(|| format!("shapefile: {name}"))?;
        empty += usize::from(own.forms.is_empty());
        heights |= own.heights;
        if own.doubted {
            cautions.push(format!(
                "{name}: a ring that turns as a border does lies in another; it is a hole"
            ));
        }
        for form in own.forms {
            let finite = form.points().all(DVec2::is_finite);
            ensure!(
                finite,
                Value,
                "shapefile: {name}: a coordinate that is not finite"
            );
            list.push(Shape {
                form,
                properties: properties.clone(),
                name: name.clone(),
            });
        }
    }
    ensure!(!list.is_empty(), Missing, "shapefile: no geometry"; "one or more");
    ensure!(attributes.is_empty() || attributes.len() == count, Syntax, "shapefile: {count} geometries and {} rows of attributes (.dbf)", attributes.len(); "as many");
    cautions.extend(Shapes::without_geometry(empty));
    Ok(Shapes {
        list,
        heights,
        cautions,
        crs: None,
    })
}

#[cfg(test)]
mod tests {
    use super::attributes::tests::table;
    use super::*;
    use crate::shapes::Form;
    use dbase::FieldValue;
    use shapefile::{Point, Polygon, PolygonRing};

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
}

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
    ensure!(
        attributes.is_empty() || attributes.len() == count,
        Syntax, "shapefile: {count} geometries and {} rows of attributes (.dbf)", attributes.len(); "as many"
    );
    cautions.extend(Shapes::without_geometry(empty));
    Ok(Shapes {
        list,
        heights,
        cautions,
        crs: None,
    })
}

//! GeoJSON: points, lines and polygons with their properties in, features out.

use anyhow::{Context as _, Result, ensure};
use geojson::{Feature, FeatureCollection, GeoJson, Geometry, GeometryValue, JsonObject};
use glam::DVec2;

/// One geometry with the properties of its feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The geometry.
    pub form: Form,
    /// The properties of its feature.
    pub properties: JsonObject,
}

/// A geometry in plan, in map coordinates. Heights in the file are passed over.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A point.
    Point(DVec2),
    /// A line of two or more points.
    Line(Vec<DVec2>),
    /// Rings of three or more points each, not closed: the border, then holes.
    Polygon(Vec<Vec<DVec2>>),
}

/// Reads every geometry of a file; multiple geometries and collections are taken apart.
///
/// # Errors
/// Anything that is not GeoJSON, a coordinate that is not finite, a line or ring that is too short.
pub fn read(bytes: &[u8]) -> Result<Vec<Shape>> {
    let text = super::text::strict(bytes).context("GeoJSON")?;
    let parsed: GeoJson = text.parse().context("GeoJSON")?;
    let mut shapes = Vec::new();
    match parsed {
        GeoJson::Geometry(geometry) => take(&geometry.value, &JsonObject::new(), &mut shapes)?,
        GeoJson::Feature(feature) => take_feature(&feature, &mut shapes)?,
        GeoJson::FeatureCollection(all) => {
            for feature in &all.features {
                take_feature(feature, &mut shapes)?;
            }
        }
    }
    ensure!(
        !shapes.is_empty(),
        "GeoJSON: no geometry; accepted: one or more"
    );
    Ok(shapes)
}

fn take_feature(feature: &Feature, shapes: &mut Vec<Shape>) -> Result<()> {
    let properties = feature.properties.clone().unwrap_or_default();
    match &feature.geometry {
        Some(geometry) => take(&geometry.value, &properties, shapes),
        None => Ok(()),
    }
}

fn take(value: &GeometryValue, properties: &JsonObject, shapes: &mut Vec<Shape>) -> Result<()> {
    let mut push = |form| {
        shapes.push(Shape {
            form,
            properties: properties.clone(),
        });
    };
    match value {
        GeometryValue::Point { coordinates } => push(Form::Point(point(coordinates)?)),
        GeometryValue::MultiPoint { coordinates } => {
            for p in coordinates {
                push(Form::Point(point(p)?));
            }
        }
        GeometryValue::LineString { coordinates } => push(Form::Line(line(coordinates)?)),
        GeometryValue::MultiLineString { coordinates } => {
            for l in coordinates {
                push(Form::Line(line(l)?));
            }
        }
        GeometryValue::Polygon { coordinates } => push(Form::Polygon(rings(coordinates)?)),
        GeometryValue::MultiPolygon { coordinates } => {
            for p in coordinates {
                push(Form::Polygon(rings(p)?));
            }
        }
        GeometryValue::GeometryCollection { geometries } => {
            for geometry in geometries {
                take(&geometry.value, properties, shapes)?;
            }
        }
    }
    Ok(())
}

fn point(position: &geojson::Position) -> Result<DVec2> {
    let (Some(&x), Some(&y)) = (position.as_slice().first(), position.as_slice().get(1)) else {
        anyhow::bail!(
            "GeoJSON: a position of {} numbers; accepted: 2 or 3",
            position.as_slice().len()
        );
    };
    let point = DVec2::new(x, y);
    ensure!(point.is_finite(), "GeoJSON: a position that is not finite");
    Ok(point)
}

fn line(positions: &[geojson::Position]) -> Result<Vec<DVec2>> {
    ensure!(
        positions.len() >= 2,
        "GeoJSON: a line of {} points; accepted: 2 or more",
        positions.len()
    );
    positions.iter().map(point).collect()
}

fn rings(polygon: &[Vec<geojson::Position>]) -> Result<Vec<Vec<DVec2>>> {
    ensure!(!polygon.is_empty(), "GeoJSON: a polygon without a border");
    polygon
        .iter()
        .map(|ring| {
            let mut points = ring.iter().map(point).collect::<Result<Vec<_>>>()?;
            if points.len() > 1 && points.first() == points.last() {
                points.pop();
            }
            ensure!(
                points.len() >= 3,
                "GeoJSON: a ring of {} points; accepted: 3 or more",
                points.len()
            );
            Ok(points)
        })
        .collect()
}

/// The points of a line, each of two or three numbers, and its properties.
pub type Line = (Vec<Vec<f64>>, JsonObject);

/// Writes lines with properties: trajectories, collectors, borders. A point may carry its height.
#[must_use]
pub fn write_lines(lines: Vec<Line>) -> String {
    let features = lines.into_iter().map(|(points, properties)| {
        let coordinates = points.into_iter().map(Into::into).collect();
        let geometry = Geometry::new(GeometryValue::LineString { coordinates });
        Feature {
            bbox: None,
            geometry: Some(geometry),
            id: None,
            properties: Some(properties),
            foreign_members: None,
        }
    });
    GeoJson::FeatureCollection(FeatureCollection {
        bbox: None,
        features: features.collect(),
        foreign_members: None,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polygon_keeps_its_properties_and_loses_its_closing_point() {
        let text = r#"{"type":"Feature","properties":{"material":"scree"},"geometry":
            {"type":"Polygon","coordinates":[[[0,0],[2,0],[2,1],[0,0]]]}}"#;
        let shapes = read(text.as_bytes()).unwrap();
        assert_eq!(shapes[0].properties["material"], "scree");
        let ring = vec![DVec2::ZERO, DVec2::new(2.0, 0.0), DVec2::new(2.0, 1.0)];
        assert_eq!(shapes[0].form, Form::Polygon(vec![ring]));
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = write_lines(vec![(
            vec![vec![0.1, 0.2, 3.0], vec![1.0, 2.0, 3.0]],
            JsonObject::new(),
        )]);
        let shapes = read(text.as_bytes()).unwrap();
        assert_eq!(
            shapes[0].form,
            Form::Line(vec![DVec2::new(0.1, 0.2), DVec2::new(1.0, 2.0)])
        );
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
}

//! GeoJSON: points, lines and polygons with their properties in, features out.

use crate::command::Command;
use crate::refusal::{Context as _, Refusal, Result, bail, ensure, refusal};
use geojson::{Feature, FeatureCollection, GeoJson, Geometry, GeometryValue, JsonObject};
use glam::DVec2;

use crate::crs::Crs;
use crate::shapes::{Form, Shape, Shapes};

/// Reads every geometry of a file; multiple geometries and collections are taken apart. The CRS is that of the member
/// `crs`, which programs wrote before RFC 7946 and write where coordinates are no degrees.
///
/// # Errors
/// Anything that is not GeoJSON, a coordinate that is not finite, a line or ring that is too short, with its feature; a
/// CRS that is not known.
pub fn read(bytes: &[u8]) -> Result<Shapes> {
    let text = crate::text::strict(bytes).context("GeoJSON")?;
    crate::json::keys_once(&text)
        .map_err(|e| refusal!(Syntax, "GeoJSON: {e}"; "each key of an object once"))?;
    let parsed: GeoJson = match text.parse() {
        Ok(parsed) => parsed,
        Err(error) => match sequence(&text) {
            Some(features) => features.context("GeoJSON, an object a line")?,
            None => {
                let other = other_json(&text).unwrap_or(error.into());
                return Err(other.at("GeoJSON"));
            }
        },
    };
    let (mut list, mut empty) = (Vec::new(), 0);
    let foreign = match &parsed {
        GeoJson::Geometry(geometry) => {
            take(
                &geometry.value,
                &JsonObject::new(),
                "the geometry",
                &mut list,
            )?;
            &geometry.foreign_members
        }
        GeoJson::Feature(feature) => {
            empty += usize::from(!take_feature(feature, 0, &mut list)?);
            &feature.foreign_members
        }
        GeoJson::FeatureCollection(all) => {
            for (number, feature) in all.features.iter().enumerate() {
                empty += usize::from(!take_feature(feature, number, &mut list)?);
            }
            &all.foreign_members
        }
    };
    ensure!(!list.is_empty(), Missing, "GeoJSON: no geometry"; "one or more");
    let crs = foreign.as_ref().and_then(|members| members.get("crs"));
    Ok(Shapes {
        list,
        crs: crs.map(crs_of).transpose()?.flatten(),
        heights: heights(&parsed),
        cautions: Shapes::without_geometry(empty).into_iter().collect(),
    })
}

/// The features of a sequence of objects, one a line (GeoJSONSeq of GDAL) or each behind a mark of records (RFC 8142);
/// none of another text. GDAL itself takes their coordinates for degrees whatever they are, so that its command would
/// not make a good file of a sequence in map coordinates.
fn sequence(text: &str) -> Option<Result<GeoJson>> {
    const RECORD: char = '\u{1e}';
    let marked = text.trim_start().starts_with(RECORD);
    let parts = text.split(move |c| if marked { c == RECORD } else { c == '\n' });
    let parts: Vec<&str> = parts.filter(|part| !part.trim().is_empty()).collect();
    let first_is_one = parts.first()?.parse::<GeoJson>().is_ok();
    ((marked || parts.len() > 1) && first_is_one).then(|| collected(&parts))
}

fn collected(parts: &[&str]) -> Result<GeoJson> {
    let (mut features, mut crs) = (Vec::new(), Vec::new());
    for (k, part) in parts.iter().enumerate() {
        let object = || format!("object {}", k + 1);
        let members = match part.parse().with_context(object)? {
            GeoJson::Geometry(geometry) => {
                let members = geometry.foreign_members.clone();
                features.push(geometry.into());
                members
            }
            GeoJson::Feature(mut feature) => {
                let members = feature.foreign_members.take();
                features.push(feature);
                members
            }
            GeoJson::FeatureCollection(all) => {
                features.extend(all.features);
                all.foreign_members
            }
        };
        crs.push(members.and_then(|mut members| members.remove("crs")));
    }
    ensure!(crs.iter().all(|one| *one == crs[0]), Crs, "objects of several CRS"; "one CRS");
    let members = crs.swap_remove(0).map(|crs| {
        let mut members = JsonObject::new();
        members.insert("crs".to_owned(), crs);
        members
    });
    Ok(GeoJson::FeatureCollection(FeatureCollection {
        bbox: None,
        features,
        foreign_members: members,
    }))
}

/// What a text is that is no GeoJSON, with the command that makes it one.
fn other_json(text: &str) -> Option<Refusal> {
    let whole: serde_json::Value = serde_json::from_str(text).ok()?;
    let has = |key: &str| whole.get(key).is_some();
    let what = match has("geometryType") || has("spatialReference") {
        true => "JSON of Esri",
        false if whole["type"] == "Topology" => "TopoJSON",
        false => return None,
    };
    let command = Command::new("ogr2ogr {out}.geojson {in}.geojson");
    Some(refusal!(Foreign, "{what}"; "one object of GeoJSON" => command))
}

/// Whether a position of the file has a height.
fn heights(parsed: &GeoJson) -> bool {
    match parsed {
        GeoJson::Geometry(geometry) => has_height(&geometry.value),
        GeoJson::Feature(feature) => feature.geometry.iter().any(|g| has_height(&g.value)),
        GeoJson::FeatureCollection(all) => all
            .features
            .iter()
            .flat_map(|f| &f.geometry)
            .any(|g| has_height(&g.value)),
    }
}

/// Whether the first position of a geometry has a height.
pub(super) fn has_height(value: &GeometryValue) -> bool {
    let high = |p: &geojson::Position| p.as_slice().len() > 2;
    match value {
        GeometryValue::Point { coordinates } => high(coordinates),
        GeometryValue::MultiPoint { coordinates } | GeometryValue::LineString { coordinates } => {
            coordinates.first().is_some_and(high)
        }
        GeometryValue::MultiLineString { coordinates } | GeometryValue::Polygon { coordinates } => {
            coordinates.iter().flatten().next().is_some_and(high)
        }
        GeometryValue::MultiPolygon { coordinates } => coordinates
            .iter()
            .flatten()
            .flatten()
            .next()
            .is_some_and(high),
        GeometryValue::GeometryCollection { geometries } => {
            geometries.iter().any(|g| has_height(&g.value))
        }
    }
}

/// `{"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2056"}}`.
fn crs_of(member: &serde_json::Value) -> Result<Option<Crs>> {
    let properties = &member["properties"];
    let name = properties["name"].as_str().map(str::to_owned);
    let code = properties["code"].as_u64().map(|c| format!("EPSG:{c}"));
    match (member, name.or(code)) {
        (serde_json::Value::Null, _) => Ok(None),
        (_, Some(name)) => Crs::parse(&name).context("GeoJSON: crs").map(Some),
        _ => bail!(Crs, "GeoJSON: crs is {member}"; "a name such as urn:ogc:def:crs:EPSG::2056"),
    }
}

/// What a feature is called in messages: its number from 1, and its name or id.
fn called(feature: &Feature, number: usize) -> String {
    let named = |key: &str| Some(feature.property(key)?.as_str()?.to_owned());
    let id = match &feature.id {
        Some(geojson::feature::Id::String(id)) => Some(id.clone()),
        Some(geojson::feature::Id::Number(id)) => Some(id.to_string()),
        None => None,
    };
    match named("name").or(named("id")).or(id) {
        Some(name) => format!("feature {} ('{}')", number + 1, crate::text::excerpt(&name)),
        None => format!("feature {}", number + 1),
    }
}

/// Takes the geometry of a feature apart, and says whether it has one.
fn take_feature(feature: &Feature, number: usize, shapes: &mut Vec<Shape>) -> Result<bool> {
    let properties = feature.properties.clone().unwrap_or_default();
    let (name, before) = (called(feature, number), shapes.len());
    if let Some(geometry) = &feature.geometry {
        take(&geometry.value, &properties, &name, shapes)
            .with_context(|| format!("GeoJSON: {name}"))?;
    }
    Ok(shapes.len() > before)
}

/// Takes a geometry apart. One without coordinates is none (RFC 7946, 3.1), as programs write it of a feature whose
/// geometry was deleted.
pub(super) fn take(
    value: &GeometryValue,
    properties: &JsonObject,
    name: &str,
    shapes: &mut Vec<Shape>,
) -> Result<()> {
    let mut push = |form| {
        shapes.push(Shape {
            form,
            properties: properties.clone(),
            name: name.to_owned(),
        });
    };
    match value {
        GeometryValue::Point { coordinates } if coordinates.as_slice().is_empty() => {}
        GeometryValue::Point { coordinates } => push(Form::Point(point(coordinates)?)),
        GeometryValue::MultiPoint { coordinates } => {
            for p in coordinates {
                push(Form::Point(point(p)?));
            }
        }
        GeometryValue::LineString { coordinates } if coordinates.is_empty() => {}
        GeometryValue::LineString { coordinates } => push(Form::Line(line(coordinates)?)),
        GeometryValue::MultiLineString { coordinates } => {
            for l in coordinates.iter().filter(|line| !line.is_empty()) {
                push(Form::Line(line(l)?));
            }
        }
        GeometryValue::Polygon { coordinates } if !has_positions(coordinates) => {}
        GeometryValue::Polygon { coordinates } => push(Form::Polygon(rings(coordinates)?)),
        GeometryValue::MultiPolygon { coordinates } => {
            for p in coordinates.iter().filter(|rings| has_positions(rings)) {
                push(Form::Polygon(rings(p)?));
            }
        }
        GeometryValue::GeometryCollection { geometries } => {
            for geometry in geometries {
                take(&geometry.value, properties, name, shapes)?;
            }
        }
    }
    Ok(())
}

fn point(position: &geojson::Position) -> Result<DVec2> {
    let (Some(&x), Some(&y)) = (position.as_slice().first(), position.as_slice().get(1)) else {
        bail!(Value, "a position of {} numbers", position.as_slice().len(); "2 or 3");
    };
    let point = DVec2::new(x, y);
    ensure!(point.is_finite(), Value, "a position that is not finite");
    Ok(point)
}

fn line(positions: &[geojson::Position]) -> Result<Vec<DVec2>> {
    ensure!(positions.len() >= 2, Value, "a line of {} points", positions.len(); "2 or more");
    positions.iter().map(point).collect()
}

fn has_positions(rings: &[Vec<geojson::Position>]) -> bool {
    rings.iter().any(|ring| !ring.is_empty())
}

fn rings(polygon: &[Vec<geojson::Position>]) -> Result<Vec<Vec<DVec2>>> {
    polygon
        .iter()
        .map(|ring| {
            let mut points = ring.iter().map(point).collect::<Result<Vec<_>>>()?;
            if points.len() > 1 && points.first() == points.last() {
                points.pop();
            }
            ensure!(points.len() >= 3, Value, "a ring of {} points", points.len(); "3 or more");
            Ok(points)
        })
        .collect()
}

/// The points of a line, each of two or three numbers, and its properties.
pub type Line = (Vec<Vec<f64>>, JsonObject);

/// Writes lines with properties: trajectories, collectors, borders. A point may carry its height. The member `crs` says
/// what QGIS and GDAL read: without it they take coordinates for degrees.
#[must_use]
pub fn write_lines(lines: Vec<Line>, crs: Option<&Crs>) -> String {
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
    let code = crs
        .and_then(|c| c.epsg)
        .filter(|code| u32::from(*code) != crate::crs::WGS84);
    let member = code.map(|code| {
        let name = format!("urn:ogc:def:crs:EPSG::{code}");
        let mut members = JsonObject::new();
        let crs = serde_json::json!({"type": "name", "properties": {"name": name}});
        members.insert("crs".to_owned(), crs);
        members
    });
    GeoJson::FeatureCollection(FeatureCollection {
        bbox: None,
        features: features.collect(),
        foreign_members: member,
    })
    .to_string()
}

/// The same lines in WGS 84, longitude first, as RFC 7946 has them, by the shift of the datum at a place (longitude and
/// latitude, degrees).
///
/// # Errors
/// A CRS from which no transformation to WGS 84 is known.
pub fn write_lines_wgs84(lines: Vec<Line>, crs: &Crs, at: Option<DVec2>) -> Result<String> {
    let transform = crs.to(&Crs::from_epsg(crate::crs::WGS84)?, at)?;
    let moved = lines.into_iter().map(|(points, properties)| {
        let points = points.into_iter().map(|mut p| {
            let there = transform.apply(DVec2::new(p[0], p[1]))?;
            // A hundredth of a millimetre on the ground.
            let round = |v: f64| (v * 1e10).round() / 1e10;
            (p[0], p[1]) = (round(there.x), round(there.y));
            Ok(p)
        });
        Ok((points.collect::<Result<_>>()?, properties))
    });
    Ok(write_lines(moved.collect::<Result<_>>()?, None))
}

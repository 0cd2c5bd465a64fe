//! Shapes of files as releases, layouts, barriers and collectors: in the CRS of the terrain, with what they meet.

use glam::DVec2;
use klast_geometry::terrain::Area;
use klast_rockfall::{Polygon, Release, RockfallError};
use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};

use super::ground_extent::Land;
use super::scene;
use klast_files::command::{Command, quoted, split};
use klast_files::crs::Crs;
use klast_files::shapes::{Form, Shape, Shapes};
use klast_files::{Kind, Refusal};
use klast_runs::error::{in_command, of_file};
use klast_runs::faults::Fault;
use klast_runs::plausible;
use klast_runs::text::SceneText;

/// Role of the polygons of materials.
const LAYOUT: &str = "layout";

/// The shapes of a file in the CRS of the terrain. Says what was understood, and warns of those that lie beside it.
fn shapes(
    role: &str,
    file: &str,
    text: &SceneText,
    land: &Land,
    attributes: &[&str],
) -> Result<Shapes> {
    let mut shapes = text.read_shapes(file)?;
    let extent = land.extent();
    let crs = of_file(file, shapes.onto(land.crs.as_ref(), extent))?;
    let (all, meeting) = (shapes.list.len(), shapes.meeting(extent));
    let around = shapes.around();
    // Materials of a map in the terrain's own grid may lie beside a part of it; anywhere else a CRS is probably wrong.
    let of_this_grid = role == LAYOUT && land.crs.as_ref().is_some_and(Crs::is_local);
    if meeting == 0 && !of_this_grid {
        let said = klast_runs::said!(
            "{file}: none of its {} meets the terrain: {around} beside {extent} ({crs}); accepted: coordinates of the terrain, \
             or a file that states its CRS{}",
            shapes.counted(),
            way_onto(file, text, land)
        );
        return Err(said);
    }
    text.note(format!(
        "{role} {file}: {}, {crs}; {meeting} of {all} inside the terrain",
        shapes.counted()
    ));
    if shapes.heights {
        text.note(format!(
            "{role} {file}: its heights are not used: the terrain has its own"
        ));
    }
    let others = shapes.other_attributes(attributes);
    if !others.is_empty() {
        text.note(format!(
            "{role} {file}: attributes that are not used: {}",
            others.join(", ")
        ));
    }
    for caution in &shapes.cautions {
        text.caution(format!("{role} {file}: {caution}"));
    }
    if meeting < all {
        text.caution(format!(
            "{role} {file}: {} of {all} shapes lie beside the terrain",
            all - meeting
        ));
    }
    Ok(shapes)
}

/// What is said of shapes that would meet the terrain if the coordinates of each point were exchanged, or if the file
/// stated the CRS of the terrain.
fn way_onto(file: &str, text: &SceneText, land: &Land) -> String {
    let (crs, extent) = (land.crs.as_ref(), land.extent());
    let meets = || -> Result<String> {
        let mut shapes = text.read_shapes(file)?;
        if let Some(mut way) = shapes.restated(crs, extent) {
            way.name(file);
            return Ok(format!("; {way}"));
        }
        shapes.exchange();
        shapes.onto(crs, extent)?;
        Ok(match shapes.meeting(extent) {
            0 => String::new(),
            _ => EXCHANGED.to_owned(),
        })
    };
    meets().unwrap_or_default()
}

/// What is said where exchanged coordinates would do.
pub const EXCHANGED: &str =
    "; x and y seem to be exchanged (longitude stands before latitude, east before north)";

/// Rocks that come from one release.
pub struct Part {
    /// What its feature is called.
    pub name: String,
    /// Where rocks are released.
    pub release: Release,
    /// Number of rocks.
    pub rocks: u64,
    /// Volume of each, where the feature says it (m³).
    pub volume: Option<f64>,
}

/// The releases of a file: one of all its parts, or one for each feature where the features say how many rocks come
/// from them, or how large they are, and the source does not.
///
/// # Errors
/// Shapes of several kinds, a number of rocks that is none, attributes that are missing; with the feature.
pub fn release(
    file: &str,
    source: &scene::Source,
    text: &SceneText,
    land: &Land,
) -> Result<Vec<Part>> {
    let read = ["rocks", "volume_m3", "name"];
    let shapes = shapes("release", file, text, land, &read)?;
    for shape in &shapes.list {
        stands(shape, land).with_context(|| file.to_owned())?;
    }
    if let Some(said) = outlines(file, &shapes) {
        text.caution(format!("release {file}: {said}"));
    }
    let has = |key: &str| shapes.list.iter().any(|s| s.word(&[key]).is_some());
    let sized = source
        .shapes
        .iter()
        .all(|r| r.volume_m3.is_some() || r.mass_kg.is_some());
    let by_volume = !sized && has("volume_m3");
    for (key, told) in [("rocks", source.rocks.is_some()), ("volume_m3", sized)] {
        if told && has(key) {
            text.note(format!(
                "release {file}: the attribute '{key}' is not used: the scene says it"
            ));
        }
    }
    if let Some(rocks) = source.rocks {
        ensure!(
            !by_volume,
            Fault::of_file(file, "the features say volumes").accepted(
                "an attribute 'rocks' in each of them too, in place of `rocks` in the source"
            )
        );
        return Ok(vec![Part {
            name: String::new(),
            release: of_file(file, joined(shapes.list.iter()))?,
            rocks,
            volume: None,
        }]);
    }
    // The parts of one feature stand side by side.
    let mut parts = Vec::new();
    for feature in shapes.list.chunk_by(|a, b| a.name == b.name) {
        let part = || -> Result<Part> {
            let first = &feature[0];
            let rocks = first.number(&["rocks"])?;
            let rocks = rocks.with_context(|| {
                format!(
                    "{}: {}; accepted: a number, or 'rocks' in the source",
                    first.name,
                    first.lacks("rocks")
                )
            })?;
            ensure!(
                rocks >= 1.0 && rocks.fract() == 0.0 && rocks <= 1e9,
                "{}: rocks is {rocks}; accepted: a whole number from 1 to 1e9",
                first.name
            );
            let volume = match by_volume {
                true => Some(first.number(&["volume_m3"])?.with_context(|| {
                    format!(
                        "{}: {}; accepted: a number in every feature",
                        first.name,
                        first.lacks("volume_m3")
                    )
                })?),
                false => None,
            };
            let doubt = volume.and_then(|v| plausible::attribute("shapes", "volume_m3", v));
            if let Some(said) = doubt {
                text.caution(format!("release {file}: {}: {said}", first.name));
            }
            Ok(Part {
                name: first.name.clone(),
                release: joined(feature.iter())?,
                rocks: rocks as u64,
                volume,
            })
        };
        parts.push(of_file(file, part())?);
    }
    Ok(parts)
}

/// What is said of closed lines: programs for drawings, and GDAL that reads their files, write the outline of an area
/// as a line.
fn outlines(file: &str, shapes: &Shapes) -> Option<String> {
    let closed =
        |s: &&Shape| matches!(&s.form, Form::Line(p) if p.len() > 3 && p.first() == p.last());
    let closed = shapes.list.iter().filter(closed).count();
    let (stem, _) = split(file);
    (closed > 0).then(|| {
        format!(
            "{closed} of {} closed: rocks start along the line, not on the area inside it; for areas `ogr2ogr -nlt \
             POLYGON {} {}`",
            shapes.counted(),
            quoted(&format!("{stem}-areas.geojson")),
            quoted(file)
        )
    })
}

/// Refuses a point where the terrain has no height, with its feature.
fn stands(shape: &Shape, land: &Land) -> Result<()> {
    match shape.form {
        Form::Point(p) if land.height(p).is_none() => bail!(
            "{}: release at ({}, {}) m is off the map or over missing data; accepted: a place with ground in {}",
            shape.name,
            p.x,
            p.y,
            land.extent()
        ),
        _ => Ok(()),
    }
}

fn joined<'a>(shapes: impl Iterator<Item = &'a Shape>) -> Result<Release> {
    let part = |shape: &Shape| {
        Ok(match &shape.form {
            Form::Point(p) => Release::Point(*p),
            Form::Line(line) => Release::Line(line.clone()),
            Form::Polygon(rings) => {
                Release::Area(area(rings.clone()).with_context(|| shape.name.clone())?)
            }
        })
    };
    let mut parts = shapes.map(part).collect::<Result<Vec<_>>>()?;
    Ok(match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            Release::Parts(parts)
        }
    })
}

/// A polygon of a file; of rings that cross, with the command that parts them.
fn area(rings: Vec<Vec<DVec2>>) -> Result<Polygon> {
    Polygon::new(rings).map_err(|error| match error {
        RockfallError::Crossed { .. } => {
            let command = Command::new("ogr2ogr -makevalid {out}.geojson {in}.geojson");
            let refusal = Refusal::new(Kind::Syntax, error.to_string());
            refusal.cured_by(command).into()
        }
        other => other.into(),
    })
}

/// The polygons of a file with the numbers of their materials.
///
/// # Errors
/// A shape that is no polygon, a polygon without a material or with one that the scene has not; with the feature.
pub fn layout(
    file: &str,
    number: &dyn Fn(&String) -> Result<u32>,
    text: &SceneText,
    land: &Land,
) -> Result<Vec<(Polygon, u32)>> {
    let shapes = shapes(LAYOUT, file, text, land, &["material", "name"])?;
    let polygon = |shape: Shape| -> Result<(Polygon, u32)> {
        let material = shape.word(&["material"]);
        let lacks = shape.lacks("material");
        let Form::Polygon(rings) = shape.form else {
            bail!("a {}; accepted: polygons", shape.form.kind());
        };
        let material = material
            .with_context(|| format!("{lacks}; accepted: the name of a material of the scene"))?;
        Ok((area(rings)?, number(&material)?))
    };
    let named = |shape: Shape| {
        let name = shape.name.clone();
        in_command(file, polygon(shape)).with_context(|| format!("{file}: {name}"))
    };
    let names: Vec<String> = shapes.list.iter().map(|s| s.name.clone()).collect();
    let polygons = shapes.list.into_iter().map(named);
    let polygons = polygons.collect::<Result<Vec<_>>>()?;
    if let Some(said) = overlap(&polygons, &names, land.extent()) {
        text.caution(format!("layout {file}: {said}"));
    }
    Ok(polygons)
}

/// Places a side at which polygons of a layout are looked at.
const LOOKED_AT: usize = 100;

/// What is said of polygons of different materials that lie over one another, by places in equal steps over the
/// terrain.
fn overlap(polygons: &[(Polygon, u32)], names: &[String], extent: Area) -> Option<String> {
    let bounds = |polygon: &Polygon| {
        let points = polygon.rings().iter().flatten();
        points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, u), p| {
            (l.min(*p), u.max(*p))
        })
    };
    let boxes: Vec<_> = polygons.iter().map(|(p, _)| bounds(p)).collect();
    let step = (extent.upper - extent.lower) / LOOKED_AT as f64;
    let (mut count, mut first) = (0, None);
    for k in 0..LOOKED_AT * LOOKED_AT {
        let cell = DVec2::new((k % LOOKED_AT) as f64, (k / LOOKED_AT) as f64);
        let p = extent.lower + step * (cell + 0.5);
        let mut here = (0..polygons.len()).filter(|&n| {
            let (lower, upper) = boxes[n];
            p.cmpge(lower).all() && p.cmple(upper).all() && polygons[n].0.contains(p)
        });
        let Some(top) = here.next() else { continue };
        let Some(below) = here.find(|&n| polygons[n].1 != polygons[top].1) else {
            continue;
        };
        count += 1;
        first.get_or_insert((top, below));
    }
    let (top, below) = first?;
    let share = 100.0 * count as f64 / (LOOKED_AT * LOOKED_AT) as f64;
    Some(format!(
        "polygons of different materials overlap on about {share:.2} % of the terrain ({} and {}, among others): there \
         the one that stands first in the file counts",
        names[top], names[below]
    ))
}

/// A line of a file with its name.
pub struct Line {
    /// The attribute `name`, or the number of the feature.
    pub name: String,
    /// The line.
    pub points: Vec<DVec2>,
    /// The shape with its attributes.
    pub shape: Shape,
}

/// The lines of a file, of which the caller reads some attributes.
///
/// # Errors
/// A shape that is no line; with the feature.
pub fn lines(file: &str, text: &SceneText, land: &Land, attributes: &[&str]) -> Result<Vec<Line>> {
    let read = [&["name"], attributes].concat();
    let shapes = shapes("lines", file, text, land, &read)?;
    let line = |shape: Shape| -> Result<Line> {
        let Form::Line(points) = &shape.form else {
            bail!(
                Fault::of_file(file, format!("{} is a {}", shape.name, shape.form.kind()))
                    .accepted("lines")
            );
        };
        let name = shape.word(&["name"]);
        Ok(Line {
            name: name.unwrap_or_else(|| shape.name.clone()),
            points: points.clone(),
            shape,
        })
    };
    let lines = shapes.list.into_iter().map(line);
    let mut lines: Vec<Line> = lines.collect::<Result<_>>()?;
    number_parts(file, text, &mut lines);
    Ok(lines)
}

/// Numbers the parts of a feature of several lines in their names, as each is a line of its own.
fn number_parts(file: &str, text: &SceneText, lines: &mut [Line]) {
    let features = lines.chunk_by_mut(|a, b| a.shape.name == b.shape.name);
    for parts in features.filter(|parts| parts.len() > 1) {
        text.note(format!(
            "lines {file}: {} has {} parts: each is a line of its own",
            parts[0].shape.name,
            parts.len()
        ));
        for (k, part) in parts.iter_mut().enumerate() {
            part.name = format!("{} part {}", part.name, k + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(lower: [f64; 2], upper: [f64; 2]) -> Polygon {
        let ring = [
            [lower[0], lower[1]],
            [upper[0], lower[1]],
            [upper[0], upper[1]],
            [lower[0], upper[1]],
        ];
        Polygon::new(vec![ring.map(DVec2::from).to_vec()]).unwrap()
    }

    /// A swamp of half the terrain below a scree on all of it: half. Neighbours, and two of one material, do not
    /// overlap.
    #[test]
    fn polygons_of_different_materials_that_overlap_are_told() {
        let extent = Area {
            lower: DVec2::ZERO,
            upper: DVec2::splat(100.0),
        };
        let names = ["scree", "swamp"].map(str::to_owned);
        let said = |a: Polygon, b: Polygon, material: u32| {
            overlap(&[(a, 0), (b, material)], &names, extent)
        };
        let all = || square([0.0, 0.0], [100.0, 100.0]);
        let east = || square([50.0, 0.0], [100.0, 100.0]);
        let told = said(all(), east(), 1).unwrap();
        assert!(
            told.contains("about 50.00 % of the terrain (scree and swamp"),
            "{told}"
        );
        assert_eq!(said(all(), east(), 0), None);
        assert_eq!(said(square([0.0, 0.0], [50.0, 100.0]), east(), 1), None);
    }
}

//! Points, lines and polygons with their attributes, from the files that maps are kept in, and into the CRS of a
//! terrain.

pub mod geojson;
#[cfg(feature = "geopackage")]
pub mod geopackage;
pub mod layers;
pub mod points;
pub mod shapefile;

use crate::command::Command;
use crate::refusal::{Context as _, Result, bail, ensure, refusal};
use glam::DVec2;
use klast_geometry::terrain::Area;
use serde_json::{Map, Value};

use crate::crs::{Crs, Transform, WGS84};

/// One geometry with the attributes of its feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The geometry.
    pub form: Form,
    /// The attributes of its feature.
    pub properties: Map<String, Value>,
    /// What its feature is called in messages.
    pub name: String,
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

impl Form {
    /// What it is.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Point(_) => "point",
            Self::Line(_) => "line",
            Self::Polygon(_) => "polygon",
        }
    }

    /// Every point of it.
    pub fn points(&self) -> impl Iterator<Item = DVec2> + '_ {
        let parts: Vec<&[DVec2]> = match self {
            Self::Point(p) => vec![std::slice::from_ref(p)],
            Self::Line(line) => vec![line],
            Self::Polygon(rings) => rings.iter().map(Vec::as_slice).collect(),
        };
        parts.into_iter().flatten().copied()
    }

    fn points_mut(&mut self) -> impl Iterator<Item = &mut DVec2> {
        let parts: Vec<&mut [DVec2]> = match self {
            Self::Point(p) => vec![std::slice::from_mut(p)],
            Self::Line(line) => vec![line],
            Self::Polygon(rings) => rings.iter_mut().map(Vec::as_mut_slice).collect(),
        };
        parts.into_iter().flatten()
    }

    /// The rectangle around it.
    #[must_use]
    pub fn around(&self) -> Area {
        around(self.points())
    }
}

fn around(points: impl Iterator<Item = DVec2>) -> Area {
    let none = Area {
        lower: DVec2::INFINITY,
        upper: DVec2::NEG_INFINITY,
    };
    points.fold(none, |a, p| Area {
        lower: a.lower.min(p),
        upper: a.upper.max(p),
    })
}

/// The shapes of a file and the CRS that it states.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shapes {
    /// All parts of all features.
    pub list: Vec<Shape>,
    /// CRS.
    pub crs: Option<Crs>,
    /// Whether the file has heights, which are passed over.
    pub heights: bool,
    /// What is probably not meant.
    pub cautions: Vec<String>,
}

impl Shapes {
    /// What is said of features without a geometry, if there are any.
    #[must_use]
    pub fn without_geometry(count: usize) -> Option<String> {
        (count > 0).then(|| format!("{count} features without a geometry are passed over"))
    }

    /// Attributes with a value that are none of those that are read, in order of the alphabet.
    #[must_use]
    pub fn other_attributes(&self, read: &[&str]) -> Vec<String> {
        let mut others = std::collections::BTreeSet::new();
        for (name, value) in self.list.iter().flat_map(|s| &s.properties) {
            if !value.is_null() && !read.iter().any(|r| is_called(name, r)) {
                others.insert(name.clone());
            }
        }
        others.into_iter().collect()
    }

    /// The rectangle around all of them.
    #[must_use]
    pub fn around(&self) -> Area {
        around(self.list.iter().flat_map(|s| s.form.points()))
    }

    /// In the CRS of a terrain that covers an area; says what was done.
    ///
    /// # Errors
    /// A CRS from which no way is known, with the command that cures it; degrees on a terrain without a CRS.
    pub fn onto(&mut self, terrain: Option<&Crs>, extent: Area) -> Result<String> {
        let own = self.around();
        let degrees = own.lower.x >= -180.0
            && own.upper.x <= 180.0
            && own.lower.y >= -90.0
            && own.upper.y <= 90.0;
        let from = match (&self.crs, terrain) {
            (Some(crs), _) => Some(crs.clone()),
            // What RFC 7946 says of a file without a CRS, where the coordinates can be degrees and are none of the map;
            // no degrees lead to a grid of its own.
            (None, Some(ground))
                if degrees && !ground.is_local() && !ground.is_degrees() && !meets(own, extent) =>
            {
                Some(Crs::from_epsg(WGS84)?)
            }
            (None, _) => None,
        };
        // On a terrain without a CRS what meets it is of its map, whatever the file states.
        let of_the_map = terrain.is_none() && meets(own, extent);
        if let Some(from) = from.as_ref().filter(|crs| crs.is_degrees() && !of_the_map) {
            self.are_degrees(from, terrain, extent)?;
        }
        let (Some(from), Some(to)) = (&from, terrain) else {
            ensure!(
                !from.as_ref().is_some_and(Crs::is_degrees) || meets(own, extent),
                Crs, "coordinates in degrees on a terrain without a CRS";
                "`crs` of the terrain in the scene, or coordinates of the map"
            );
            return Ok(match (&from, terrain) {
                (Some(from), None) => format!(
                    "{}, taken as coordinates of the map: the terrain has no CRS",
                    from.title()
                ),
                _ => "coordinates of the map".to_owned(),
            });
        };
        // The shift of a datum is that of the terrain, on which alone the shapes count: those of a country may have
        // their middle in another area.
        let centre = |crs: &Crs, area: Area| crs.degrees(0.5 * (area.lower + area.upper));
        let at = centre(to, extent).or_else(|| centre(from, own));
        let transform = from.to(to, at).map_err(|why| {
            let command = Command::new("ogr2ogr -t_srs").word(to.label());
            let command = command.words("{out}.geojson {in}.geojson");
            why.accepting("one CRS").cured_by(command)
        })?;
        if matches!(transform, Transform::Identity) {
            return Ok(from.title());
        }
        for shape in &mut self.list {
            for point in shape.form.points_mut() {
                *point = transform
                    .apply(*point)
                    .with_context(|| shape.name.clone())?;
            }
        }
        Ok(format!(
            "transformed from {} to {} ({})",
            from.title(),
            to.title(),
            transform.accuracy()
        ))
    }

    /// Refuses coordinates that can be no degrees, of a file that states so.
    fn are_degrees(&self, from: &Crs, terrain: Option<&Crs>, extent: Area) -> Result<()> {
        let own = self.around();
        // Longitudes may be counted to 360.
        let of = Area {
            lower: DVec2::new(-360.0, -90.0),
            upper: DVec2::new(360.0, 90.0),
        };
        if of.contains(own.lower) && of.contains(own.upper) {
            return Ok(());
        }
        let any = || Command::new("ogr2ogr -a_srs EPSG:CODE {out}.geojson {in}.geojson");
        bail!(
            Crs, "the CRS of the file is {}, in degrees, and its coordinates are no degrees: {own}", from.title();
            "degrees, or a file that states the CRS of its coordinates"
                => self.restated(terrain, extent).unwrap_or_else(any)
        )
    }

    /// The command that states the CRS of a terrain for a file that states another one, where its coordinates as they
    /// stand are on the terrain.
    #[must_use]
    pub fn restated(&self, terrain: Option<&Crs>, extent: Area) -> Option<Command> {
        let other = terrain.filter(|ground| self.crs.as_ref().is_some_and(|own| own != *ground));
        let ground = other.filter(|_| meets(self.around(), extent))?;
        let command = Command::new("ogr2ogr -a_srs").word(ground.label());
        let command = command.words("{out}.geojson {in}.geojson");
        Some(command.led("they are on the terrain as coordinates in its CRS: "))
    }

    /// Exchanges the coordinates of every point.
    pub fn exchange(&mut self) {
        let points = self
            .list
            .iter_mut()
            .flat_map(|shape| shape.form.points_mut());
        points.for_each(|point| *point = DVec2::new(point.y, point.x));
    }

    /// How many of them meet an area.
    #[must_use]
    pub fn meeting(&self, extent: Area) -> usize {
        let inside = |shape: &&Shape| meets(shape.form.around(), extent);
        self.list.iter().filter(inside).count()
    }

    /// Kinds and numbers, in words: `3 polygons, 1 point`.
    #[must_use]
    pub fn counted(&self) -> String {
        let kinds = ["point", "line", "polygon"].map(|kind| {
            let count = self.list.iter().filter(|s| s.form.kind() == kind).count();
            match count {
                0 => String::new(),
                1 => format!("1 {kind}"),
                n => format!("{n} {kind}s"),
            }
        });
        kinds
            .into_iter()
            .filter(|k| !k.is_empty())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// Whether two rectangles have a point in common.
#[must_use]
pub fn meets(a: Area, b: Area) -> bool {
    a.lower.cmple(b.upper).all() && b.lower.cmple(a.upper).all()
}

impl Shape {
    /// An attribute as a number, in any case of its name.
    ///
    /// # Errors
    /// One that is there and is none.
    pub fn number(&self, names: &[&str]) -> Result<Option<f64>> {
        let Some((name, value)) = self.attribute(names) else {
            return Ok(None);
        };
        let number = match value {
            Value::Null => return Ok(None),
            Value::Number(n) => n.as_f64(),
            Value::String(s) if s.trim().is_empty() => return Ok(None),
            Value::String(s) => s.trim().parse().ok(),
            _ => None,
        };
        let number = number.filter(|n| n.is_finite());
        number.map(Some).ok_or_else(
            || refusal!(Value, "{}: attribute '{name}' is {value}", self.name; "a finite number"),
        )
    }

    /// An attribute as a text, in any case of its name.
    #[must_use]
    pub fn word(&self, names: &[&str]) -> Option<String> {
        let (_, value) = self.attribute(names)?;
        match value {
            Value::String(s) if !s.trim().is_empty() => Some(s.trim().to_owned()),
            // A table of numbers has 3.0 for what its author sees as 3.
            Value::Number(n) => Some(n.as_f64().map_or(n.to_string(), |v| v.to_string())),
            _ => None,
        }
    }

    /// What is said of an attribute that is asked for and gives nothing: none of that name, or one without a value.
    #[must_use]
    pub fn lacks(&self, name: &str) -> String {
        match self.attribute(&[name]) {
            Some((found, _)) => format!(
                "attribute '{found}' has no value (it is empty or null, or a shapefile has stars for a number too wide \
                 for its column)"
            ),
            None => {
                let others: Vec<String> = self
                    .properties
                    .keys()
                    .take(12)
                    .map(|key| crate::text::excerpt(key))
                    .collect();
                match others.is_empty() {
                    true => format!("no attribute '{name}'"),
                    false => format!("no attribute '{name}' (there are: {})", others.join(", ")),
                }
            }
        }
    }

    /// Whether there is an attribute of a name, with or without a value.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.attribute(&[name]).is_some()
    }

    fn attribute(&self, names: &[&str]) -> Option<(&String, &Value)> {
        let known = |key: &str| names.iter().any(|name| is_called(key, name));
        self.properties.iter().find(|(key, _)| known(key))
    }
}

/// Whether an attribute has a name, in any case; names in shapefiles have ten letters at most.
fn is_called(attribute: &str, name: &str) -> bool {
    attribute.eq_ignore_ascii_case(name)
        || (name.len() > 10 && attribute.eq_ignore_ascii_case(&name[..10]))
}

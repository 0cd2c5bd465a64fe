//! Coordinate reference systems: EPSG codes, WKT and PROJ strings, and the way from one to another.
//!
//! Definitions are those of the EPSG registry as the `crs-definitions` crate prints them, projections those of
//! `proj4rs` (1 mm against PROJ). Between systems of one datum a point keeps its place to that; WGS 84 and the datums
//! of continents are taken as one, which they are to 2 m; between other datums the shift of three or seven parameters
//! that the registry has for the place is taken, and its accuracy is said. Where only a grid of shifts would do, or the
//! datum is not known, the transformation is refused with the command that does it.

mod agree;
mod datums;
mod ground;
mod identify;
mod names;
mod shifts;
mod transform;
mod wkt;

use crate::command::Command;
use crate::refusal::{Context as _, Refusal, Result, bail, ensure, refusal};
use glam::DVec2;
use identify::datum;
use names::ACCEPTED;
use proj4rs::Proj;

pub use agree::agreed;
pub use ground::{Cure, FAR};
pub use transform::Transform;
pub use wkt::Node;

use names::{ArcInfo, arc_info, epsg_code, one_line, shown};

/// Depths in place of heights.
pub(crate) fn depths(what: &str) -> Refusal {
    let edited = Command::new("gdal_edit.py -a_srs EPSG:CODE {out}.tif");
    let negated = Command::new("gdal_calc.py -A {in}.tif --calc=-A --outfile={out}.tif");
    refusal!(Quantity, "{what} counts depths downwards"; "heights" => negated.noted(", then ").then(edited))
}

/// A coordinate reference system.
#[derive(Debug, Clone, PartialEq)]
pub struct Crs {
    /// Code in the EPSG registry.
    pub epsg: Option<u16>,
    /// Name in words.
    pub name: String,
    /// Factor of the heights of a compound system to metres.
    pub vertical: Option<f64>,
    /// Definition in well-known text.
    wkt: Option<String>,
    /// Definition as PROJ reads it; none of a local grid or a system that is known by name only.
    proj: Option<String>,
    /// Name of the datum in the letters of its definition.
    datum: String,
}

/// WGS 84 in degrees, longitude first.
pub const WGS84: u32 = 4326;

impl Crs {
    /// From the text that a user or a file gives.
    ///
    /// # Errors
    /// A text that names no system.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim().trim_end_matches('\0');
        if text.eq_ignore_ascii_case("local") {
            return Ok(Self::named("local"));
        }
        if let Some(code) = epsg_code(text) {
            return Self::from_epsg(code?);
        }
        if text.to_ascii_uppercase().ends_with("CRS84") {
            return Self::from_epsg(WGS84);
        }
        if text.starts_with("+proj") || text.starts_with("+init") {
            return Self::from_proj(text).with_context(|| format!("CRS '{}'", shown(text)));
        }
        let named = || format!("CRS '{}'", shown(text));
        if let Some(ArcInfo { proj, vertical }) = arc_info(text).with_context(named)? {
            let plan = Self::from_proj(&proj).with_context(named)?;
            return Ok(Self { vertical, ..plan });
        }
        if text.contains(['[', '(']) && text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Self::from_wkt(text).with_context(|| format!("CRS '{}'", shown(text)));
        }
        bail!(Crs, "CRS '{}' is not known", shown(text); "{ACCEPTED}")
    }

    /// By its code in the EPSG registry.
    ///
    /// # Errors
    /// A code that is not there.
    pub fn from_epsg(code: u32) -> Result<Self> {
        let known = u16::try_from(code).ok();
        // A code of ESRI's own, and one of the web, for what the registry calls 3857.
        let known = match code {
            102_100 | 900_913 => Some(3857),
            _ => known,
        };
        let found = known.and_then(crs_definitions::from_code);
        let Some(found) = found else {
            bail!(Crs, "EPSG:{code} is not in the registry"; "{ACCEPTED}");
        };
        let node = Node::parse(found.wkt).unwrap_or_default();
        let horizontal = horizontal(&node);
        Ok(Self {
            epsg: Some(found.code),
            name: node.name().to_owned(),
            vertical: vertical(&node)?,
            wkt: Some(found.wkt.to_owned()),
            proj: Some(found.proj4.to_owned()),
            datum: datum(horizontal),
        })
    }

    /// A system that is known by its name only: nothing can be transformed from it or to it.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            epsg: None,
            name: name.to_owned(),
            vertical: None,
            wkt: None,
            proj: None,
            datum: String::new(),
        }
    }

    /// A code that a file states and this registry has not: newer than it, or of another authority's range. Nothing can
    /// be transformed from it or to it.
    #[must_use]
    pub fn unlisted(code: u16) -> Self {
        Self {
            epsg: Some(code),
            ..Self::named("not in the registry here")
        }
    }

    /// From a PROJ string.
    ///
    /// # Errors
    /// One that is not understood.
    pub fn from_proj(text: &str) -> Result<Self> {
        let projection = Proj::from_proj_string(text);
        ensure!(projection.is_ok(), Crs, "the PROJ string is not understood"; "{ACCEPTED}");
        let epsg = identify::epsg(text, "");
        if let Some(code) = epsg {
            return Self::from_epsg(u32::from(code));
        }
        Ok(Self {
            proj: Some(text.to_owned()),
            ..Self::named(text)
        })
    }

    fn from_wkt(text: &str) -> Result<Self> {
        let node = Node::parse(text)?;
        // Heights are in metres once they were read: what is written states the plan.
        let text = Node::plan_of(text);
        let horizontal = horizontal(&node);
        let local = ["LOCAL_CS", "ENGCRS", "ENGINEERINGCRS"];
        let vertical = vertical(&node)?;
        let name = horizontal.name().to_owned();
        let whole = Self {
            vertical,
            wkt: Some(one_line(text)),
            datum: datum(horizontal),
            ..Self::named(&name)
        };
        if local.contains(&horizontal.keyword.as_str()) {
            return Ok(whole);
        }
        let known = [
            "PROJCS",
            "PROJCRS",
            "PROJECTEDCRS",
            "GEOGCS",
            "GEOGCRS",
            "GEODCRS",
            "GEOGRAPHICCRS",
            "GEODETICCRS",
            "BASEGEOGCRS",
        ];
        ensure!(
            known.contains(&horizontal.keyword.as_str()),
            Crs, "'{}' is no projected or geographic system", horizontal.keyword; "{ACCEPTED}"
        );
        let code = horizontal.epsg();
        if let Some(registered) = code.and_then(|code| Self::from_epsg(code).ok()) {
            return Ok(Self {
                vertical,
                ..registered
            });
        }
        let whole = Self {
            epsg: code.and_then(|code| u16::try_from(code).ok()),
            ..whole
        };
        // What the text itself says; the names of datums that have shifts are found in the registry.
        let proj = proj4wkt::wkt_to_projstring(text).ok();
        let proj = proj.filter(|p| Proj::from_proj_string(p).is_ok());
        let Some(proj) = proj else {
            return Ok(whole);
        };
        if let Some(code) = identify::epsg(&proj, &whole.datum).filter(|_| whole.epsg.is_none()) {
            return Ok(Self {
                vertical,
                ..Self::from_epsg(u32::from(code))?
            });
        }
        Ok(Self {
            proj: Some(proj),
            ..whole
        })
    }

    /// What results carry: the code, or the whole definition.
    #[must_use]
    pub fn label(&self) -> String {
        match (self.epsg, &self.wkt, &self.proj) {
            (Some(code), ..) => format!("EPSG:{code}"),
            (None, Some(text), _) | (None, None, Some(text)) => text.clone(),
            _ => self.name.clone(),
        }
    }

    /// The label as a word of a command.
    #[must_use]
    pub fn argument(&self) -> String {
        crate::command::quoted(&self.label())
    }

    /// Code and name, for people.
    #[must_use]
    pub fn title(&self) -> String {
        match self.epsg {
            Some(code) => format!("EPSG:{code} ({})", self.name),
            None => shown(&self.name),
        }
    }

    /// Its definition.
    #[must_use]
    pub fn wkt(&self) -> Option<&str> {
        self.wkt.as_deref()
    }

    /// What a `.prj` file holds: the definition. It does not say how WGS 84 is reached (TOWGS84): with that, QGIS and
    /// GDAL take the system for one of its own, which has no code.
    #[must_use]
    pub fn prj(&self) -> Option<String> {
        let wkt = self.wkt()?;
        let parts = wkt.split_once(",TOWGS84[");
        let rest = parts.and_then(|(head, rest)| Some((head, rest.split_once(']')?.1)));
        Some(rest.map_or_else(|| wkt.to_owned(), |(head, rest)| format!("{head}{rest}")))
    }

    fn projection(&self) -> Option<Proj> {
        Proj::from_proj_string(self.proj.as_deref()?).ok()
    }

    /// Whether coordinates are degrees.
    #[must_use]
    pub fn is_degrees(&self) -> bool {
        let starts = |p: &String| p.contains("+proj=longlat") || p.contains("+proj=latlong");
        self.proj.as_ref().is_some_and(starts)
    }

    /// Whether it is a grid of its own, with no way to any other.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.proj.is_none() && self.name == "local"
    }

    /// The unit of plan in metres; none of degrees.
    #[must_use]
    pub fn unit(&self) -> Option<f64> {
        if self.is_degrees() {
            return None;
        }
        let node = self.wkt.as_deref().and_then(|w| Node::parse(w).ok());
        let stated = node.as_ref().and_then(|n| {
            let unit = horizontal(n).child(&["UNIT", "LENGTHUNIT"])?;
            unit.factor()
        });
        let projected = self.projection().map(|p| p.to_meter());
        Some(projected.or(stated).unwrap_or(1.0))
    }

    /// Longitude and latitude of a point on the system's own datum (degrees).
    #[must_use]
    pub fn degrees(&self, point: DVec2) -> Option<DVec2> {
        let from = self.projection()?;
        if self.is_degrees() {
            return Some(point);
        }
        let (a, b) = from.ellipse_parameters();
        let to = Proj::from_proj_string(&format!("+proj=longlat +a={a} +b={b} +no_defs")).ok()?;
        let mut at = (point.x, point.y, 0.0);
        proj4rs::transform::transform(&from, &to, &mut at).ok()?;
        let degrees = DVec2::new(at.0.to_degrees(), at.1.to_degrees());
        degrees.is_finite().then_some(degrees)
    }
}

/// The system in plan of a compound or bound one.
fn horizontal(node: &Node) -> &Node {
    let inner = match node.keyword.as_str() {
        "COMPD_CS" | "COMPOUNDCRS" => node.children.first(),
        "BOUNDCRS" => node
            .child(&["SOURCECRS"])
            .and_then(|source| source.children.first()),
        _ => None,
    };
    inner.map_or(node, horizontal)
}

/// Metres a unit of the heights of a compound system.
fn vertical(node: &Node) -> Result<Option<f64>> {
    let Some(heights) = node.find(&["VERT_CS", "VERTCRS", "VERTICALCRS", "VERTCS"]) else {
        return Ok(None);
    };
    let axis = heights.find(&["AXIS"]);
    let down = axis.is_some_and(|a| {
        a.values
            .iter()
            .skip(1)
            .any(|v| v.eq_ignore_ascii_case("down"))
    });
    let parameter = |name: &str| -> Option<f64> {
        let is = |n: &&Node| n.keyword == "PARAMETER" && n.name().eq_ignore_ascii_case(name);
        heights.children.iter().find(is)?.factor()
    };
    let down = down || parameter("Direction").is_some_and(|d| d < 0.0);
    let shift = parameter("Vertical_Shift").unwrap_or(0.0);
    ensure!(
        shift == 0.0,
        Crs, "'{}' has a Vertical_Shift of {shift}", heights.name(); "0"
        => Command::new("gdal_calc.py -A {in}.tif --calc=A+SHIFT --outfile={out}.tif").noted(", and 0 in the \
            definition")
    );
    if down {
        return Err(depths(&format!("'{}'", heights.name())));
    }
    let unit = heights.find(&["UNIT", "LENGTHUNIT"]);
    Ok(unit.and_then(Node::factor))
}

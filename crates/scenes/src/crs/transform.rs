//! The way from one system to another.

use anyhow::{Result, bail, ensure};
use glam::DVec2;
use proj4rs::Proj;

use super::Crs;

impl Crs {
    /// The way to another system.
    ///
    /// # Errors
    /// Systems between which no way is known here.
    pub fn to(&self, other: &Self) -> Result<Transform> {
        let refuse = |why: &str| {
            format!(
                "{} to {}: {why}; accepted: one CRS (`ogr2ogr -t_srs {} out.geojson in.geojson`)",
                self.title(),
                other.title(),
                other.argument()
            )
        };
        if self == other || (self.epsg.is_some() && self.epsg == other.epsg) {
            return Ok(Transform::Identity);
        }
        let (Some(from), Some(to)) = (self.projection(), other.projection()) else {
            bail!(refuse("a system that is known by name only"));
        };
        if self.counts_otherwise() || other.counts_otherwise() {
            bail!(refuse(
                "coordinates that do not grow to the east and to the north"
            ));
        }
        let [p, q] = [self, other].map(|crs| crs.proj.as_deref().unwrap_or_default());
        let shift = match (datum_of(p), datum_of(q)) {
            (Datum::Unknown, Datum::Unknown)
                if !self.datum.is_empty() && self.datum == other.datum =>
            {
                Shift::None
            }
            (Datum::Unknown, _) | (_, Datum::Unknown) => {
                bail!(refuse("the shift between the datums is not known here"))
            }
            (a, b) if a == b && self.datum != other.datum => Shift::Ignored,
            (a, b) if a == b => Shift::None,
            _ => Shift::Parameters,
        };
        Ok(Transform::Between {
            from: Box::new(from),
            to: Box::new(to),
            radians: [self.is_degrees(), other.is_degrees()],
            shift,
        })
    }
}

/// What happens to the datum on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    /// It is the same.
    None,
    /// Another one with the same parameters: NAD83 and GDA94 are up to 2 m from WGS 84, ETRS89 is 1 m, CH1903 is up to
    /// 1.6 m from CH1903+.
    Ignored,
    /// Three or seven parameters.
    Parameters,
}

/// A way between two systems.
pub enum Transform {
    /// They are the same.
    Identity,
    /// Through degrees.
    Between {
        /// From this one.
        from: Box<Proj>,
        /// To this one.
        to: Box<Proj>,
        /// Whether each is in degrees, which the library takes in radians.
        radians: [bool; 2],
        /// Whether the datum changes.
        shift: Shift,
    },
}

impl std::fmt::Debug for Transform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.accuracy())
    }
}

impl Transform {
    /// What it holds to.
    #[must_use]
    pub fn accuracy(&self) -> &'static str {
        match self {
            Self::Identity => "as it is",
            Self::Between {
                shift: Shift::None, ..
            } => "to 1 mm",
            Self::Between {
                shift: Shift::Ignored,
                ..
            } => "to about 2 m, the datums are taken as one: check a known point",
            Self::Between {
                shift: Shift::Parameters,
                ..
            } => {
                "to about 1 m, old colonial datums to 100 m, the datum changes: check a known point"
            }
        }
    }

    /// A point in the other system.
    ///
    /// # Errors
    /// A point that has no place there.
    pub fn apply(&self, point: DVec2) -> Result<DVec2> {
        let Self::Between {
            from, to, radians, ..
        } = self
        else {
            return Ok(point);
        };
        let into = |yes: bool, v: f64| if yes { v.to_radians() } else { v };
        let mut at = (into(radians[0], point.x), into(radians[0], point.y), 0.0);
        let moved = proj4rs::transform::transform(from, to, &mut at);
        let out = |yes: bool, v: f64| if yes { v.to_degrees() } else { v };
        let there = DVec2::new(out(radians[1], at.0), out(radians[1], at.1));
        ensure!(
            moved.is_ok() && there.is_finite(),
            "the point {}, {} has no place in the other CRS",
            point.x,
            point.y
        );
        Ok(there)
    }
}

/// What is known of a datum.
#[derive(Debug, PartialEq)]
enum Datum {
    /// WGS 84, or a system that moves with a continent, within two metres of it.
    Global,
    /// Reached by parameters.
    Shifted(String),
    /// Not known here.
    Unknown,
}

/// The datum of a PROJ string.
fn datum_of(proj: &str) -> Datum {
    let value = |key: &str| {
        proj.split_whitespace()
            .find_map(|w| w.strip_prefix('+')?.strip_prefix(key)?.strip_prefix('='))
    };
    if let Some(grids) = value("nadgrids") {
        return match grids {
            "@null" => Datum::Global,
            _ => Datum::Unknown,
        };
    }
    if let Some(shift) = value("towgs84") {
        let zero = shift.split(',').all(|v| v.parse() == Ok(0.0));
        let ellipsoid = value("ellps").unwrap_or_default();
        return match zero {
            true => Datum::Global,
            false => Datum::Shifted(format!("{ellipsoid} {shift}")),
        };
    }
    match (value("datum"), value("ellps")) {
        (Some("WGS84" | "NAD83"), _) | (None, Some("GRS80" | "WGS84")) => Datum::Global,
        (Some("NAD27"), _) => Datum::Unknown,
        (Some(name), _) => Datum::Shifted(name.to_owned()),
        (None, _) => match value("rf").or(value("b")) {
            // WGS 84 and GRS 80 in numbers.
            Some(v) if v.starts_with("298.2572") || v.starts_with("6356752.31") => Datum::Global,
            _ => Datum::Unknown,
        },
    }
}

//! Transformations from one system to another.

use crate::refusal::{Kind, Refusal, Result, ensure};
use glam::DVec2;
use proj4rs::Proj;

use super::Crs;
use super::shifts::Shift;
use crate::digits::short;

impl Crs {
    /// The transformation to another system near a place, its longitude and latitude (degrees): a change of datum takes
    /// the shift of that place, or that of the definition itself where no place is given.
    ///
    /// # Errors
    /// Systems between which no transformation is known here.
    pub fn to(&self, other: &Self, at: Option<DVec2>) -> Result<Transform> {
        let refuse = |why: &str| {
            let why = format!("{} to {}: {why}", self.title(), other.title());
            Err(Refusal::new(Kind::Crs, why))
        };
        if self == other || (self.epsg.is_some() && self.epsg == other.epsg) {
            return Ok(Transform::Identity);
        }
        for crs in [self, other] {
            if let Some(why) = crs.cannot_be_projected() {
                return refuse(why);
            }
        }
        if self.counts_otherwise() || other.counts_otherwise() {
            return refuse("coordinates that do not grow to the east and to the north");
        }
        let [(p, a), (q, b)] = [self, other].map(|crs| crs.shifted(at));
        let change = match (datum_of(&p), datum_of(&q)) {
            (Datum::Unknown, Datum::Unknown)
                if !self.datum.is_empty() && self.datum == other.datum =>
            {
                Change::None
            }
            (Datum::Unknown, _) | (_, Datum::Unknown) => return refuse(SHIFT),
            (a, b) if a == b && self.datum != other.datum => Change::Ignored,
            (a, b) if a == b => Change::None,
            (x, y) => Change::Parameters {
                shifts: a.into_iter().chain(b).collect(),
                // What is reached by parameters is WGS 84.
                ignored: (x == Datum::Global && !self.is_wgs84())
                    || (y == Datum::Global && !other.is_wgs84()),
            },
        };
        let [from, to] = [p, q].map(|proj| Proj::from_proj_string(&proj));
        let (Ok(from), Ok(to)) = (from, to) else {
            return refuse(PROJECTION);
        };
        Ok(Transform::Between {
            from: Box::new(from),
            to: Box::new(to),
            radians: [self.is_degrees(), other.is_degrees()],
            change,
        })
    }

    /// Why coordinates of the system cannot be taken to degrees.
    fn cannot_be_projected(&self) -> Option<&'static str> {
        match &self.proj {
            None => Some("a system that is known by name only"),
            Some(_) if self.projection().is_some() => None,
            // Its definition names grids of shifts.
            Some(proj) if datum_of(proj) == Datum::Unknown => Some(SHIFT),
            Some(_) => Some(PROJECTION),
        }
    }

    fn is_wgs84(&self) -> bool {
        self.datum == "wgs1984"
    }

    /// The PROJ string with the shift to WGS 84 that is the best at a longitude and latitude, and that shift; with its
    /// own parameters, whose accuracy is not known, where the registry has none for the place.
    fn shifted(&self, at: Option<DVec2>) -> (String, Option<Applied>) {
        let proj = self.proj.clone().unwrap_or_default();
        let Datum::Shifted(_) = datum_of(&proj) else {
            return (proj, None);
        };
        let best = at.and_then(|at| Shift::best(&self.datum, at));
        let applied = Applied {
            code: best.map(|(shift, _)| shift.code),
            accuracy: best.map(|(_, accuracy)| accuracy),
        };
        let proj = best.map_or(proj.clone(), |(shift, _)| shift.put_into(&proj));
        (proj, Some(applied))
    }
}

/// Why systems are not transformed into each other.
const SHIFT: &str = "the shift between the datums is not known here";
const PROJECTION: &str = "a projection that is not known here";

/// Largest distance (m) of the datums that are taken as one.
const IGNORED: f64 = 2.0;

/// A shift to WGS 84 that is applied: one of the registry, or that of the definition itself, whose accuracy is not
/// stated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Applied {
    /// Code of the operation in the registry.
    pub code: Option<u32>,
    /// m.
    pub accuracy: Option<f64>,
}

/// What happens to the datum.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// It is the same.
    None,
    /// Another one with the same parameters: NAD83 and GDA94 are up to 2 m from WGS 84, ETRS89 is 1 m, CH1903 is up to
    /// 1.6 m from CH1903+.
    Ignored,
    /// Three or seven parameters, of one system or of both.
    Parameters {
        /// The shifts.
        shifts: Vec<Applied>,
        /// Whether a datum besides is taken as WGS 84.
        ignored: bool,
    },
}

/// A transformation between two systems.
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
        change: Change,
    },
}

impl std::fmt::Debug for Transform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.accuracy())
    }
}

impl Transform {
    /// The accuracy in metres, where it is stated.
    #[must_use]
    pub fn accuracy_m(&self) -> Option<f64> {
        let Self::Between { change, .. } = self else {
            return Some(0.0);
        };
        match change {
            Change::None => Some(1e-3),
            Change::Ignored => Some(IGNORED),
            Change::Parameters { shifts, ignored } => {
                let sum: Option<f64> = shifts.iter().map(|shift| shift.accuracy).sum();
                let besides = if *ignored { IGNORED } else { 0.0 };
                sum.map(|accuracy| (accuracy + besides).max(1e-3))
            }
        }
    }

    /// The accuracy in words.
    #[must_use]
    pub fn accuracy(&self) -> String {
        let Self::Between { change, .. } = self else {
            return "as it is".to_owned();
        };
        match (change, self.accuracy_m()) {
            (Change::None, _) => "to 1 mm".to_owned(),
            (Change::Ignored, _) => {
                "to about 2 m, the datums are taken as one: check a known point".to_owned()
            }
            (Change::Parameters { shifts, ignored }, Some(accuracy)) => {
                let codes = shifts.iter().filter_map(|shift| shift.code);
                let codes: Vec<String> = codes.map(|code| format!("EPSG:{code}")).collect();
                let besides = match ignored {
                    true => ", the other datum is taken as WGS 84",
                    false => "",
                };
                format!(
                    "to about {} m, the datum changes by {}{besides}: check a known point",
                    short(accuracy),
                    codes.join(" and ")
                )
            }
            (Change::Parameters { .. }, None) => {
                "with an accuracy that is not known here and may be 100 m: no shift of the datum is known for the \
                    place; \
                 check a known point"
                    .to_owned()
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
            Crs,
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

//! Which code of the EPSG registry a definition without one has: the same ellipsoid and the same coordinates.

use super::datums;
use super::wkt::Node;
use std::sync::OnceLock;

use proj4rs::Proj;

/// The code of a PROJ string; of several with the same coordinates the one whose datum has this name.
pub fn epsg(proj: &str, datum: &str) -> Option<u16> {
    let mine = Proj::from_proj_string(proj).ok()?;
    let probe = Probe::of(&mine)?;
    let wanted = marks(proj);
    let mut found: Vec<u16> = Vec::new();
    for (code, marks) in registry() {
        // Few share false coordinates and meridian: only these are worth a projection.
        if *marks != wanted {
            continue;
        }
        let Some(definition) = crs_definitions::from_code(*code) else {
            continue;
        };
        let Ok(theirs) = Proj::from_proj_string(definition.proj4) else {
            continue;
        };
        if probe.agrees(&theirs) && same_datum(definition.wkt, datum) {
            found.push(*code);
        }
    }
    match (&found[..], datum) {
        ([only], _) => Some(*only),
        ([first, ..], d) if !d.is_empty() => Some(*first),
        // Without a name of a datum WGS 84 is what a PROJ string with it means.
        (several, _) if proj.contains("WGS84") => {
            let wgs = |code: &&u16| {
                crs_definitions::from_code(**code).is_some_and(|d| d.proj4.contains("datum=WGS84"))
            };
            several.iter().find(wgs).copied()
        }
        _ => None,
    }
}

fn same_datum(wkt: &str, wanted: &str) -> bool {
    if wanted.is_empty() {
        return true;
    }
    let node = super::Node::parse(wkt).unwrap_or_default();
    // The registry holds some systems a second time with their axes the other way round.
    let second = ["(deprecated)", "(N-E)", "(E-N)", "zE-N", "zN-E"];
    datum(&node) == wanted && !second.iter().any(|s| node.name().contains(s))
}

/// What is quickly compared of two definitions: whether coordinates are degrees, false coordinates (dm), central
/// meridian (1e-4 degrees).
type Marks = (bool, i64, i64, i64);

/// The systems in plan of the registry with their marks.
fn registry() -> &'static [(u16, Marks)] {
    static REGISTRY: OnceLock<Vec<(u16, Marks)>> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let plan = ["PROJCS[", "PROJCRS[", "GEOGCS[", "GEOGCRS["];
        let known = (2000..=u16::MAX).filter_map(crs_definitions::from_code);
        let known = known.filter(|d| plan.iter().any(|p| d.wkt.starts_with(p)));
        known.map(|d| (d.code, marks(d.proj4))).collect()
    })
}

fn marks(proj: &str) -> Marks {
    let number = |key: &str| -> Option<f64> {
        proj.split_whitespace()
            .find_map(|w| w.strip_prefix(key)?.parse().ok())
    };
    let degrees = proj.contains("=longlat") || proj.contains("=latlong");
    let zone = number("+zone=");
    let south = proj.split_whitespace().any(|w| w == "+south");
    let x = number("+x_0=").unwrap_or(if zone.is_some() { 5e5 } else { 0.0 });
    let y = number("+y_0=").unwrap_or(if zone.is_some() && south { 1e7 } else { 0.0 });
    let meridian = number("+lon_0=")
        .or(number("+lonc="))
        .or(zone.map(|z| 6.0 * z - 183.0));
    let round = |v: f64, scale: f64| (v * scale).round() as i64;
    (
        degrees,
        round(x, 10.0),
        round(y, 10.0),
        round(meridian.unwrap_or(0.0), 1e4),
    )
}

/// Places of one system, as angles on its ellipsoid and as coordinates.
struct Probe {
    ellipsoid: (f64, f64),
    unit: f64,
    degrees: bool,
    greenwich: f64,
    /// Angles (rad) and coordinates.
    places: Vec<([f64; 2], [f64; 2])>,
}

impl Probe {
    fn of(projection: &Proj) -> Option<Self> {
        let ellipsoid = projection.ellipse_parameters();
        let angles = angles_of(ellipsoid)?;
        let mut places = Vec::new();
        if !projection.is_latlong() {
            let unit = projection.to_meter();
            let start = [projection.false_easting(), projection.false_northing()];
            for (east, north) in [(3e4, 4e4), (-5e4, 9e4)] {
                let at = [(start[0] + east) / unit, (start[1] + north) / unit];
                let mut point = (at[0], at[1], 0.0);
                proj4rs::transform::transform(projection, &angles, &mut point).ok()?;
                places.push(([point.0, point.1], at));
            }
        }
        Some(Self {
            ellipsoid,
            unit: projection.to_meter(),
            degrees: projection.is_latlong(),
            greenwich: projection.from_greenwich(),
            places,
        })
    }

    fn agrees(&self, other: &Proj) -> bool {
        let (a, b) = other.ellipse_parameters();
        let near = |p: f64, q: f64, tolerance: f64| (p - q).abs() <= tolerance;
        let frame = self.degrees == other.is_latlong()
            && near(a, self.ellipsoid.0, 1e-3)
            && near(b, self.ellipsoid.1, 1e-3)
            && near(self.unit, other.to_meter(), 1e-7)
            && near(self.greenwich, other.from_greenwich(), 1e-9);
        let Some(angles) = angles_of(self.ellipsoid).filter(|_| frame) else {
            return false;
        };
        self.places.iter().all(|(angle, at)| {
            let mut point = (angle[0], angle[1], 0.0);
            proj4rs::transform::transform(&angles, other, &mut point).is_ok()
                && near(point.0, at[0], 2e-3)
                && near(point.1, at[1], 2e-3)
        })
    }
}

/// Angles on an ellipsoid without a datum, so that no shift is applied.
fn angles_of((a, b): (f64, f64)) -> Option<Proj> {
    Proj::from_proj_string(&format!("+proj=longlat +a={a} +b={b} +no_defs")).ok()
}

/// The letters of a datum's name, as the registry has them.
pub fn datum(node: &Node) -> String {
    let found = node.find(&["DATUM", "GEODETICDATUM", "TRF", "ENSEMBLE"]);
    let meridian = node.find(&["PRIMEM", "PRIMEMERIDIAN"]);
    datums::plain(
        found.map_or("", Node::name),
        meridian.map_or("greenwich", Node::name),
    )
}

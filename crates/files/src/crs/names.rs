//! Codes in their spellings, the lines of ArcInfo, and names short enough for messages.

use crate::command::Command;
/// The code in the spellings that files use; none if the text names no code.
use crate::refusal::{Result, bail, ensure, refusal};

pub fn epsg_code(text: &str) -> Option<Result<u32>> {
    let lower = text.to_ascii_lowercase();
    let starts = [
        "epsg:",
        "urn:ogc:def:crs:epsg:",
        "urn:x-ogc:def:crs:epsg:",
        "http://www.opengis.net/def/crs/epsg/",
        "https://www.opengis.net/def/crs/epsg/",
        "http://www.opengis.net/gml/srs/epsg.xml#",
        "+init=epsg:",
    ];
    let rest = starts.iter().find_map(|s| lower.strip_prefix(s))?;
    // The plan of EPSG:2056+5728; a version may stand before the code.
    let plan = rest.split('+').next().unwrap_or_default();
    let code = plan.rsplit([':', '/']).next().unwrap_or_default();
    let wrong = |_| refusal!(Crs, "CRS '{}' is not known", shown(text); "{ACCEPTED}");
    Some(code.trim().parse().map_err(wrong))
}

/// What the lines of ArcInfo say.
pub struct ArcInfo {
    /// The system in plan as PROJ reads it.
    pub proj: String,
    /// Metres a unit of height, where that is not the metre.
    pub vertical: Option<f64>,
}

/// Metres in a foot of ArcInfo, which is the survey foot of the United States: 1200/3937.
const FOOT: f64 = 1200.0 / 3937.0;

/// The lines that ArcInfo wrote as `.prj` of a grid: `Projection UTM`, `Zone 32`, `Datum WGS84`, `Zunits FEET`, `Units
/// METERS`, `Xshift 0.0`, `Yshift 0.0`. None of another text or another system.
///
/// # Errors
/// Units of height that are not known, and coordinates that were shifted.
pub fn arc_info(text: &str) -> Result<Option<ArcInfo>> {
    let value = |key: &str| {
        let of_key = |line: &str| {
            let mut words = line.split_whitespace();
            let named = words.next()?.eq_ignore_ascii_case(key);
            named.then(|| words.next().map(str::to_uppercase))?
        };
        text.lines().find_map(of_key)
    };
    let Some(proj) = arc_info_plan(&value) else {
        return Ok(None);
    };
    for key in ["Xshift", "Yshift"] {
        let shift = value(key).unwrap_or("0".to_owned());
        ensure!(
            shift.parse() == Ok(0.0),
            Crs, "{key} is {shift}"; "0"
            => Command::new("gdal_edit.py -a_ullr").noted(" with the true corners, and 0 in the .prj")
        );
    }
    let vertical = match value("zunits").as_deref() {
        None | Some("NO" | "NONE" | "METERS" | "METRES" | "METER" | "METRE" | "1" | "1.0") => None,
        Some("FEET" | "FOOT") => Some(FOOT),
        Some(other) => {
            bail!(
                Unit, "Zunits is {other}"; "METERS, FEET, NO"
                => Command::new("gdal_calc.py -A {in}.tif --calc=A*FACTOR --outfile={out}.tif").noted(", and METERS \
                    in the .prj")
            )
        }
    };
    Ok(Some(ArcInfo { proj, vertical }))
}

/// The system in plan of the lines of ArcInfo.
fn arc_info_plan(value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let datum = match value("datum").or(value("spheroid"))?.as_str() {
        "WGS84" | "WGS_1984" => "+datum=WGS84",
        "NAD83" | "GRS80" => "+ellps=GRS80 +towgs84=0,0,0,0,0,0,0",
        _ => return None,
    };
    match value("projection")?.as_str() {
        "GEOGRAPHIC" => Some(format!("+proj=longlat {datum} +no_defs")),
        "UTM" if value("units").is_none_or(|u| u.starts_with("MET")) => {
            let zone: i32 = value("zone")?.parse().ok()?;
            let south = if zone < 0 { " +south" } else { "" };
            Some(format!(
                "+proj=utm +zone={}{south} {datum} +units=m +no_defs",
                zone.abs()
            ))
        }
        _ => None,
    }
}

/// A text short enough for a message.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = one_line(text);
    match line.chars().count() > LONGEST {
        true => line.chars().take(LONGEST).chain("…".chars()).collect(),
        false => line,
    }
}

/// A text with its white space made single.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a name of a system may be.
pub const ACCEPTED: &str = "an EPSG code such as EPSG:2056, WKT, a PROJ string, or 'local' for a grid of its own in \
    metres";

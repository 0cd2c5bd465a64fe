//! Codes in their spellings, the lines of ArcInfo, and names short enough for messages.

use anyhow::{Context as _, Result};

/// The code in the spellings that files use; none if the text names no code.
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
    let wrong = || format!("CRS '{}' is not known; accepted: {ACCEPTED}", shown(text));
    Some(code.trim().parse().ok().with_context(wrong))
}

/// The lines that ArcInfo wrote as `.prj` of a grid: `Projection UTM`, `Zone 32`, `Datum WGS84`, `Units METERS`.
pub fn arc_info(text: &str) -> Option<String> {
    let value = |key: &str| {
        let words = |l: &str| {
            Some((
                l.split_whitespace().next()?.to_owned(),
                l.split_whitespace().nth(1)?.to_uppercase(),
            ))
        };
        let lines = text.lines().filter_map(words);
        lines
            .into_iter()
            .find(|(k, _)| k.eq_ignore_ascii_case(key))
            .map(|(_, v)| v)
    };
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
pub const ACCEPTED: &str = "an EPSG code such as EPSG:2056, WKT, a PROJ string, or 'local' for a grid of its own in metres";

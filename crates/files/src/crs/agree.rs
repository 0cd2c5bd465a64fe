//! Whether several definitions of the CRS of one file are one system.

use crate::refusal::{Result, bail, ensure};
use glam::DVec2;

use super::Crs;

/// Two ways to write one system differ by the digits of their parameters (m).
const SAME: f64 = 0.01;
/// Parameters of one datum differ between registries by so much (m).
const SAME_DATUM: f64 = 3.0;
/// Metres a degree of a meridian.
const DEGREE: f64 = 111_000.0;

/// The first of several that are given and can be projected; all of them must put a point of the file in one place, and
/// must have one unit of height. Where that cannot be told, a line names both.
///
/// # Errors
/// Two systems that put the point in different places or have different units of height, by both their names.
pub fn agreed(
    found: [(&str, Option<Crs>); 3],
    at: DVec2,
    cautions: &mut Vec<String>,
) -> Result<Option<Crs>> {
    let mut given: Vec<(&str, Crs)> = found
        .into_iter()
        .filter_map(|(name, crs)| Some((name, crs?)))
        .collect();
    // A mere name, which many programs write where they know nothing, stands behind what can be projected.
    given.sort_by_key(|(_, crs)| crs.proj.is_none() && crs.epsg.is_none());
    let mut given = given.into_iter();
    let Some((name, mut crs)) = given.next() else {
        return Ok(None);
    };
    for (other, second) in given {
        let both = format!(
            "the CRS of {name} is {}, that of {other} {}",
            crs.title(),
            second.title()
        );
        match same(&crs, &second, at) {
            Some(true) => {}
            Some(false) => bail!(Crs, "{both}"; "one of them"),
            None => cautions.push(format!(
                "{both}: taken is the first, whether they are one is not known here"
            )),
        }
        if let (Some(a), Some(b)) = (crs.vertical, second.vertical) {
            ensure!(
                (a / b - 1.0).abs() <= 1e-7,
                Crs, "a unit of height is {a} m in the CRS of {name} and {b} m in that of {other}"; "one of them"
            );
        }
        crs.vertical = crs.vertical.or(second.vertical);
    }
    Ok(Some(crs))
}

/// Whether two systems put a point in one place; none where that cannot be told.
fn same(one: &Crs, other: &Crs, at: DVec2) -> Option<bool> {
    if let (Some(a), Some(b)) = (one.epsg, other.epsg) {
        return Some(a == b);
    }
    if one.proj.is_none() && other.proj.is_none() {
        return (one.name == other.name).then_some(true);
    }
    let scale = if other.is_degrees() {
        DEGREE
    } else {
        other.unit().unwrap_or(1.0)
    };
    if let Ok(there) = one.to(other, one.degrees(at)).and_then(|way| way.apply(at)) {
        let same = if one.datum == other.datum {
            SAME
        } else {
            SAME_DATUM
        };
        return Some((there - at).length() * scale < same);
    }
    // Datums that are not known here: on its own ellipsoid each has the same angles.
    let off = (one.degrees(at)? - other.degrees(at)?).length();
    Some(off * DEGREE < SAME)
}

//! Numbers of a scene that are probably in another unit than their key says: nothing of the kind is as large or as
//! small.
//!
//! They are accepted, since a model may be of anything; whoever runs the scene is told.

use serde_json::Value;

use klast_files::table::Row;

/// What is usual of the size of a number other than 0, by its key.
struct Usual {
    /// A key, or the end of one behind an underscore; `object.key` in one object or its lists only.
    key: &'static str,
    low: f64,
    high: f64,
    unit: &'static str,
    /// The unit that is meant where a number is below.
    below: &'static str,
    /// The unit that is meant where it is above.
    above: &'static str,
}

const fn usual(
    key: &'static str,
    (low, high): (f64, f64),
    unit: &'static str,
    (below, above): (&'static str, &'static str),
) -> Usual {
    Usual {
        key,
        low,
        high,
        unit,
        below,
        above,
    }
}

/// The first that fits a key counts.
const TABLE: [Usual; 33] = [
    usual(
        "density_kg_m3",
        (200.0, 20_000.0),
        "kg/m³",
        ("g/cm³ or t/m³", "g/m³"),
    ),
    usual("gravity_m_s2", (0.1, 100.0), "m/s²", ("g", "cm/s²")),
    usual("m_s2", (0.0, 200.0), "m/s²", ("", "cm/s² (gal)")),
    usual("peak_velocity_m_s", (0.0, 20.0), "m/s", ("", "cm/s")),
    usual("velocity_m_s", (0.0, 300.0), "m/s", ("", "cm/s or mm/s")),
    usual(
        "rad",
        (0.0, std::f64::consts::TAU + 1e-4),
        "rad",
        ("", "degrees"),
    ),
    usual("friction_angle_deg", (1.6, 90.0), "degrees", ("rad", "")),
    usual("angle_deg", (0.5, 360.0), "degrees", ("rad", "")),
    usual("slope_deg", (0.5, 360.0), "degrees", ("rad", "")),
    usual("steeper_than_deg", (1.6, 360.0), "degrees", ("rad", "")),
    usual("deg", (0.0, 360.0), "degrees", ("", "another unit")),
    usual("frequency_hz", (1e-3, 1000.0), "Hz", ("kHz", "mHz")),
    usual("capacity_kj", (5.0, 1e5), "kJ", ("MJ", "J")),
    usual("service_energy_kj", (5.0, 1e5), "kJ", ("MJ", "J")),
    usual("barriers.height_m", (0.3, 30.0), "m", ("km", "cm or mm")),
    usual("sources.height_m", (0.0, 2000.0), "m", ("", "cm or mm")),
    usual("block.height_m", (1e-3, 200.0), "m", ("km", "cm or mm")),
    usual("block.width_m", (1e-3, 200.0), "m", ("km", "cm or mm")),
    usual("half_diagonal_m", (1e-3, 200.0), "m", ("km", "cm or mm")),
    usual("centre_height_m", (1e-3, 200.0), "m", ("km", "cm or mm")),
    usual("gyration_radius_m", (1e-3, 200.0), "m", ("km", "cm or mm")),
    usual("radius_m", (1e-6, 200.0), "m", ("km", "cm or mm")),
    usual("diameter_m", (1e-6, 200.0), "m", ("km", "cm or mm")),
    usual("edges_m", (1e-6, 1000.0), "m", ("km", "cm or mm")),
    usual("edge_m", (1e-6, 1000.0), "m", ("km", "cm or mm")),
    usual("vertical_resolution_m", (0.0, 20.0), "m", ("", "mm")),
    usual("volume_m3", (1e-6, 1e5), "m³", ("km³", "dm³ (litres)")),
    usual("mean_size_mm", (0.05, 5000.0), "mm", ("m", "µm")),
    usual("mass_kg", (1e-6, 1e9), "kg", ("kt", "g")),
    usual("step_s", (0.0, 0.5), "s", ("", "ms")),
    usual("duration_s", (0.0, 1e5), "s", ("", "ms")),
    usual("maximum_time_s", (0.0, 1e5), "s", ("", "ms")),
    // A coefficient, whose tangent of 79° is 5.
    usual(
        "friction",
        (0.0, 5.0),
        "a coefficient (the tangent of the angle)",
        ("", "degrees"),
    ),
];

/// More than these are told by the next attempt.
const MAX_REMARKS: usize = 8;

/// What is doubted in the text of a scene, a line each with the way to the number.
#[must_use]
pub fn doubts(text: &str) -> Vec<String> {
    let Ok(scene) = serde_json::from_str::<Value>(text) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    look(&scene, "", "", &mut found);
    found.truncate(MAX_REMARKS);
    found
}

/// What is said of a density (kg/m³) that no solid has.
#[must_use]
pub fn density(value: f64) -> Option<String> {
    doubt("density_kg_m3", "", value).map(|said| format!("the density {said}"))
}

/// What is said of an attribute of a shape, or of a cell of a table, by its name.
#[must_use]
pub fn attribute(object: &str, key: &str, value: f64) -> Option<String> {
    doubt(key, object, value).map(|said| format!("{key} {said}"))
}

/// What is said of the columns of a table: of each the first row with a number that is doubted.
#[must_use]
pub fn columns(rows: &[Row]) -> Vec<String> {
    let names = rows.first().into_iter().flat_map(Row::columns);
    // Tables may have many columns of which nothing is known.
    let names = names.filter(|column| table(column, "").is_some());
    let of_column = |column: &str| {
        rows.iter().find_map(|row| {
            let said = attribute("", column, row.number(column).ok()?)?;
            Some(format!("{}: {said}", row.place()))
        })
    };
    names.filter_map(of_column).collect()
}

/// Looks at all numbers of a value on some way, in an object that a key holds.
fn look(value: &Value, way: &str, object: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let way = match way.is_empty() {
                    true => key.clone(),
                    false => format!("{way}.{key}"),
                };
                if table(key, object).is_some() {
                    numbers(value, &mut |number| {
                        found
                            .extend(doubt(key, object, number).map(|said| format!("{way} {said}")));
                    });
                } else {
                    look(value, &way, key, found);
                }
            }
        }
        Value::Array(items) => {
            for (k, item) in items.iter().enumerate() {
                look(item, &format!("{way}[{k}]"), object, found);
            }
        }
        _ => {}
    }
}

/// Every number of a value: of a distribution those that are values of what is drawn.
fn numbers(value: &Value, tell: &mut dyn FnMut(f64)) {
    match value {
        Value::Number(number) => number.as_f64().into_iter().for_each(tell),
        Value::Array(items) => items.iter().for_each(|item| numbers(item, tell)),
        Value::Object(members) => {
            for (family, value) in members {
                let entries = value.as_array().map_or(&[][..], Vec::as_slice);
                let values = match family.as_str() {
                    // A mean before its deviation, which may be of any size.
                    "normal" | "lognormal" => entries.get(..1),
                    // Two numbers without a unit before the ends.
                    "beta" => entries.get(2..),
                    // The mean is the product of its numbers.
                    "gamma" => None,
                    _ => {
                        numbers(value, tell);
                        None
                    }
                };
                let values = values.unwrap_or_default();
                values.iter().for_each(|value| numbers(value, tell));
            }
        }
        _ => {}
    }
}

fn table(key: &str, object: &str) -> Option<&'static Usual> {
    let ends = |name: &str| {
        key == name
            || key
                .strip_suffix(name)
                .is_some_and(|start| start.ends_with('_'))
    };
    TABLE.iter().find(|usual| match usual.key.split_once('.') {
        Some((of, name)) => of == object && key == name,
        None => ends(usual.key),
    })
}

fn doubt(key: &str, object: &str, value: f64) -> Option<String> {
    let usual = table(key, object)?;
    let size = value.abs();
    let meant = match size {
        0.0 => return None,
        s if s < usual.low => usual.below,
        s if s > usual.high => usual.above,
        _ => return None,
    };
    let range = match usual.low > 0.0 {
        true => format!("{} to {}", usual.low, usual.high),
        false => format!("up to {}", usual.high),
    };
    let question = match meant.is_empty() {
        true => String::new(),
        false => format!(": was {meant} meant?"),
    };
    Some(format!(
        "is {value}, read in {}; usual is {range}{question}",
        usual.unit
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_another_unit_are_doubted() {
        for (scene, said) in [
            // Rock of 2.7 g/cm³.
            (
                r#"{"sources": [{"shapes": [{"density_kg_m3": 2.7}]}]}"#,
                "sources[0].shapes[0].density_kg_m3 is 2.7, read in kg/m³",
            ),
            (
                r#"{"density_kg_m3": {"uniform": [2.5, 2.7]}}"#,
                "density_kg_m3 is 2.5",
            ),
            (
                r#"{"block": {"kind": "slenderness", "slenderness_rad": 14.0}}"#,
                "degrees meant",
            ),
            (
                r#"{"block": {"kind": "rectangle", "width_m": 600, "height_m": 1800}}"#,
                "cm or mm meant",
            ),
            (
                r#"{"barriers": [{"height_m": 400}]}"#,
                "barriers[0].height_m is 400",
            ),
            (r#"{"barriers": [{"capacity_kj": 1000000}]}"#, "was J meant"),
            (r#"{"barriers": [{"capacity_kj": 3}]}"#, "was MJ meant"),
            (r#"{"motion": {"step_s": 5}}"#, "was ms meant"),
            (r#"{"motion": {"amplitude_m_s2": 400}}"#, "gal"),
            (r#"{"gravity_m_s2": 981}"#, "cm/s²"),
            (r#"{"friction": 35}"#, "degrees"),
            (
                r#"{"materials": [{"friction": {"normal": [32, 3]}}]}"#,
                "is 32",
            ),
            (r#"{"density_kg_m3": {"beta": [2, 5, 2.5, 2.8]}}"#, "is 2.5"),
            (r#"{"friction_angle_deg": 0.6}"#, "was rad meant"),
        ] {
            let found = doubts(scene);
            assert!(found.iter().any(|f| f.contains(said)), "{scene}: {found:?}");
        }
        for distribution in [
            r#"{"density_kg_m3": {"normal": [2650, 50]}}"#,
            r#"{"density_kg_m3": {"lognormal": [2650, 50]}}"#,
            r#"{"density_kg_m3": {"beta": [2, 5, 2500, 2800]}}"#,
            r#"{"friction": {"beta": [8, 5, 0.3, 0.9]}}"#,
            r#"{"friction": {"gamma": [25, 0.02]}}"#,
        ] {
            assert_eq!(doubts(distribution), Vec::<String>::new());
        }
        let good = r#"{"density_kg_m3": 2650, "height_m": 0,
            "velocity_m_s": [0, -3, 0], "tilt_rad": -0.01, "friction": 0.6, "sources": [{"height_m": 250}],
            "block": {"width_m": 0.2, "height_m": 1}}"#;
        assert_eq!(doubts(good), Vec::<String>::new());
    }
}

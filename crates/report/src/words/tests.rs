use super::schema::{first_sentence, last_brackets};
use super::*;
use serde_json::Value;

#[test]
fn keys_become_words_and_units() {
    for (key, words, unit) in [
        ("max_rotation_rad", "Max rotation", "rad"),
        ("energy_95_low_kj", "Energy 95 low", "kJ"),
        ("density_kg_m3", "Density", "kg/m³"),
        ("crs", "CRS", ""),
        ("stiffness_n_per_m", "Stiffness", "N/m"),
        ("m", "M", ""),
    ] {
        assert_eq!(of_key(key), (words.to_owned(), unit.to_owned()), "{key}");
    }
}

/// Every key of every scene and of every result: what it ends with is a unit as a whole, and the one of its
/// description.
#[test]
fn every_key_of_every_kind_has_its_unit() {
    const SYMBOLS: [(&str, &str); 28] = [
        ("m", "m"),
        ("s", "s"),
        ("a", "a"),
        ("n", "N"),
        ("j", "J"),
        ("g", "g"),
        ("rad", "rad"),
        ("deg", "°"),
        ("kg", "kg"),
        ("kj", "kJ"),
        ("mj", "MJ"),
        ("kn", "kN"),
        ("nm", "N m"),
        ("hz", "Hz"),
        ("pa", "Pa"),
        ("mm", "mm"),
        ("cm", "cm"),
        ("km", "km"),
        ("us", "µs"),
        ("ms", "ms"),
        ("m2", "m²"),
        ("m3", "m³"),
        ("s2", "s²"),
        ("s3", "s³"),
        ("kg2", "kg²"),
        ("kpa", "kPa"),
        ("w", "W"),
        ("percent", "%"),
    ];
    let symbol = |token: &str| SYMBOLS.iter().find(|(t, _)| *t == token).map(|(_, s)| *s);
    // The last words of a key that are symbols, as a unit: a quotient, or one of the two products that there are.
    let spelled = |tail: &[&str]| -> String {
        let symbols = |part: &[&str]| -> Vec<String> {
            part.iter()
                .map(|t| symbol(t).unwrap_or(t).to_owned())
                .collect()
        };
        match tail {
            ["per", below] => format!("1/{}", symbols(&[below])[0]),
            [above @ .., "per", below] => {
                format!("{}/{}", symbols(above).join(" "), symbols(&[below])[0])
            }
            ["n", "s"] | ["kg", "m2"] => symbols(tail).join(" "),
            tail => symbols(tail).join("/"),
        }
    };
    // Brackets may hold an abbreviation too.
    let a_unit = |told: &str| {
        let first = told.split(['/', ' ']).next();
        SYMBOLS
            .iter()
            .any(|(t, s)| first == Some(t) || first == Some(s))
    };
    let mut keys = Vec::new();
    for kind in klast_scenes::kinds::KINDS {
        described(&kind.schema(), &mut keys);
        described(&kind.results_schema(), &mut keys);
    }
    assert!(keys.len() > 500, "{}", keys.len());
    for (key, description) in keys {
        let parts: Vec<&str> = key.split('_').collect();
        let of_unit = |part: &&&str| symbol(part).is_some() || **part == "per";
        let tail = parts[1..].iter().rev().take_while(of_unit).count();
        // A quaternion is no weight, and a level of 5 % no unit of its quantile.
        let level = key.ends_with("_5_percent");
        let tail = if key.starts_with("quaternion") || level {
            0
        } else {
            tail
        };
        let expected = spelled(&parts[parts.len() - tail..]);
        assert_eq!(of_key(&key).1, expected, "{key}");
        let told = description
            .as_deref()
            .map(first_sentence)
            .and_then(last_brackets);
        if let Some(told) = told.filter(|t| !expected.is_empty() && a_unit(t)) {
            assert_eq!(told.replace("deg", "°"), expected, "{key}: {description:?}");
        }
    }
}

/// The keys that a schema has anywhere, with their descriptions.
fn described(schema: &Value, found: &mut Vec<(String, Option<String>)>) {
    match schema {
        Value::Object(members) => {
            for (key, property) in schema["properties"].as_object().into_iter().flatten() {
                let told = property["description"].as_str().map(str::to_owned);
                found.push((key.clone(), told));
            }
            members.values().for_each(|v| described(v, found));
        }
        Value::Array(items) => items.iter().for_each(|v| described(v, found)),
        _ => {}
    }
}

#[test]
fn rows_say_what_the_type_says_in_the_order_of_the_type() {
    let schema = serde_json::json!({
        "properties": {
            "time_s": {"description": "Time at the end (s)."},
            "energy_j": {"$ref": "#/$defs/Energy", "description": "Where the energy went (J)."},
        },
        "$defs": {"Energy": {"properties": {"drive": {"description": "Work of the basin (J)."}}}},
    });
    let value = Ordered::read(
        r#"{"time_s": 2.50000001, "energy_j": {"drive": 1.25e-7}, "none": null, "range_rad": [-0.5, 0.123456789]}"#,
    );
    let found = groups(&value, Words::of(&schema, ""));
    let of = |rows: &[[&str; 3]]| -> Vec<Vec<String>> {
        rows.iter().map(|r| r.map(str::to_owned).to_vec()).collect()
    };
    let own = of(&[
        ["Time at the end", "2.5", "s"],
        ["Range", "-0.5, 0.1235", "rad"],
    ]);
    let inner = of(&[["Work of the basin", "1.25·10⁻⁷", "J"]]);
    let heading = Some("Where the energy went".to_owned());
    assert_eq!(found, [(None, own), (heading, inner)]);
}

#[test]
fn no_list_of_a_result_is_dropped() {
    let many: Vec<f64> = (0..40).map(|k| 0.5 * f64::from(k)).collect();
    let wide = [0.123_456_7; 12];
    let value = serde_json::json!({
        "slide_m": many, "wide_m": wide, "within": {"falls": [{"block": 1}, {"block": 2}]},
        "remarks": ["a sentence that is longer than sixty letters stands above the table"],
    });
    let value = Ordered::read(&value.to_string()).without_sentences();
    let words = Words::of(&Value::Null, "");
    let found = groups(&value, words).remove(0).1;
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0][1..], ["40 values, 0 to 19.5", "m"]);
    assert!(found[1][1].len() > 60);
    let (heading, count, table) = tables(&value, words, 1).remove(0);
    assert_eq!((heading.as_str(), count), ("Falls", 2));
    assert_eq!(table.rows, [["1"]]);
}

#[test]
fn a_list_of_objects_is_a_table() {
    let items = Ordered::read(
        r#"[{"name": "net", "height_m": 4, "said": "a sentence that is longer than sixty letters is no cell of a table"},
            {"name": "road", "said": "short"}]"#,
    );
    let Ordered::List(items) = items else {
        unreachable!()
    };
    let table = table(&items, Words::of(&Value::Null, ""), 10);
    assert_eq!(table.header[1], ("Height".to_owned(), "m".to_owned()));
    assert_eq!(table.rows[1], ["road", "–"]);
}

#[test]
fn frequencies_and_drawn_volumes_have_their_units() {
    let items = Ordered::read(
        r#"[{"annual_frequency": 0.4, "shapes": [{"volume_m3": {"lognormal": [0.4, 0.3]}}]}]"#,
    );
    let Ordered::List(items) = items else {
        unreachable!()
    };
    let table = table(&items, Words::of(&Value::Null, ""), 10);
    let frequency = ("Annual frequency".to_owned(), "1/a".to_owned());
    assert_eq!(table.header[0], frequency);
    assert_eq!(table.rows[0][1], "volume [m³] (lognormal 0.4, 0.3)");
}

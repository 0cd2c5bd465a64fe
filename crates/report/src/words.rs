//! Keys as words and units, and tables from values whose types describe themselves.

use klast_scenes::answer::short;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::page::Table;

/// Units at the end of a key, the longer before those that they end with.
const UNITS: [(&str, &str); 34] = [
    ("_n_per_m", "N/m"),
    ("_rad_s2", "rad/s²"),
    ("_rad_s", "rad/s"),
    ("_kg_m3", "kg/m³"),
    ("_m2_s2", "m²/s²"),
    ("_m_s2", "m/s²"),
    ("_mm_s2", "mm/s²"),
    ("_cm_s2", "cm/s²"),
    ("_m_s", "m/s"),
    ("_n_s", "N s"),
    ("_per_a", "1/a"),
    ("_per_s", "1/s"),
    ("_rad", "rad"),
    ("_deg", "°"),
    ("_kg", "kg"),
    ("_kj", "kJ"),
    ("_mj", "MJ"),
    ("_kn", "kN"),
    ("_m3", "m³"),
    ("_m2", "m²"),
    ("_mm", "mm"),
    ("_cm", "cm"),
    ("_km", "km"),
    ("_us", "µs"),
    ("_ms", "ms"),
    ("_hz", "Hz"),
    ("_pa", "Pa"),
    ("_j", "J"),
    ("_n", "N"),
    ("_m", "m"),
    ("_s", "s"),
    ("_a", "a"),
    ("_g", "g"),
    ("_percent", "%"),
];

/// A key in words, and its unit; none for a number.
#[must_use]
pub fn of_key(key: &str) -> (String, String) {
    let found = UNITS
        .iter()
        .find_map(|(end, unit)| Some((key.strip_suffix(end)?, *unit)));
    let (name, unit) = found
        .filter(|(name, _)| !name.is_empty())
        .unwrap_or((key, ""));
    let words = name.replace('_', " ");
    let spelled = words.split(' ').map(|word| match word {
        "crs" => "CRS",
        "crps" => "CRPS",
        "pga" => "PGA",
        "pgv" => "PGV",
        "ks" => "Kolmogorov–Smirnov",
        "eta" => "η",
        "mu" => "μ",
        other => other,
    });
    let words = spelled.collect::<Vec<_>>().join(" ");
    (capital(&words), unit.to_owned())
}

/// With a capital letter.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// A value whose members are in the order in which they were written.
#[derive(Debug, Clone, PartialEq)]
pub enum Ordered {
    /// A number, a word, true or false, or nothing.
    Plain(Value),
    /// A list.
    List(Vec<Ordered>),
    /// Members.
    Members(Vec<(String, Ordered)>),
}

impl Ordered {
    /// What a JSON text holds; nothing of another text.
    #[must_use]
    pub fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or(Self::Plain(Value::Null))
    }

    /// In a cell: a number to four figures, a word without its underscores.
    #[must_use]
    pub fn cell(&self) -> String {
        match self {
            Self::Plain(Value::Null) => "–".to_owned(),
            Self::Plain(Value::Bool(yes)) => if *yes { "yes" } else { "no" }.to_owned(),
            Self::Plain(Value::Number(n)) if n.is_f64() => short(n.as_f64().unwrap_or(f64::NAN)),
            Self::Plain(Value::Number(n)) => match n.as_i64() {
                Some(n) if n.abs() < 100_000_000 => short(n as f64),
                _ => n.to_string(),
            },
            Self::Plain(Value::String(text)) => plain_words(text),
            Self::Plain(other) => other.to_string(),
            Self::List(items) if items.len() > MOST_ITEMS => format!("{} values", items.len()),
            Self::List(items) => {
                let cells: Vec<String> = items
                    .iter()
                    .map(|i| match i {
                        Self::List(_) => format!("({})", i.cell()),
                        _ => i.cell(),
                    })
                    .collect();
                cells.join(", ")
            }
            Self::Members(members) => {
                let said = members.iter().map(|(key, value)| {
                    let (words, unit) = of_key(key);
                    match (value, unit.as_str()) {
                        (Self::Plain(Value::Null), _) => words.to_lowercase(),
                        (_, "") => format!("{} {}", words.to_lowercase(), value.cell()),
                        (_, unit) => format!("{} {} {unit}", words.to_lowercase(), value.cell()),
                    }
                });
                said.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// A list of more values than these is told by their number.
const MOST_ITEMS: usize = 12;

/// A name of ours such as `no_slip` in words; anything else as it is.
fn plain_words(text: &str) -> String {
    let ours = text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    if ours {
        text.replace('_', " ")
    } else {
        text.to_owned()
    }
}

/// What a schema says of its properties, by the name of its type.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    root: &'a Value,
    place: Option<&'a Value>,
}

impl<'a> Words<'a> {
    /// Of a type in a schema: its root for an empty name.
    #[must_use]
    pub fn of(root: &'a Value, name: &str) -> Self {
        let place = match name {
            "" => Some(root),
            name => root.pointer(&format!("/$defs/{name}")),
        };
        Self { root, place }
    }

    /// The words and the unit of a key: the first sentence of its description, else the key itself.
    #[must_use]
    pub fn key(&self, key: &str) -> (String, String) {
        const LONGEST: usize = 90;
        let (words, unit) = of_key(key);
        let told = self.property(key).and_then(|p| p["description"].as_str());
        let sentence = told.map(|t| first_sentence(t).replace('\n', " "));
        let unit = match sentence.as_deref().and_then(last_brackets) {
            Some(of_text) if unit.is_empty() && of_text.len() < 9 => of_text.to_owned(),
            _ => unit,
        };
        match sentence.map(|s| bare(&s)) {
            Some(s)
                if !s.is_empty() && s.chars().count() <= LONGEST && !s.starts_with("The same") =>
            {
                (capital(&s), unit)
            }
            _ => (words, unit),
        }
    }

    /// The type of a key.
    #[must_use]
    pub fn within(&self, key: &str) -> Self {
        let place = self.property(key).map(|p| {
            let reference = |v: &'a Value| {
                let name = v["$ref"].as_str()?;
                self.root.pointer(name.trim_start_matches('#'))
            };
            let forms = p["anyOf"].as_array().into_iter().flatten();
            let items = p.get("items").and_then(reference);
            reference(p)
                .or(items)
                .or_else(|| forms.filter_map(reference).next())
                .unwrap_or(p)
        });
        Self {
            root: self.root,
            place,
        }
    }

    fn property(&self, key: &str) -> Option<&'a Value> {
        let place = self.place?;
        let own = place["properties"].get(key);
        let all = place["allOf"].as_array().into_iter().flatten();
        own.or_else(|| all.filter_map(|p| p["properties"].get(key)).next())
    }
}

/// The text before the first full stop that ends a sentence, or before a semicolon.
fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").or_else(|| text.find(".\n"));
    let text = end.map_or(text, |k| &text[..k]);
    text.split("; ").next().unwrap_or(text)
}

/// Without its full stop, code marks, and a unit in brackets at the end.
fn bare(text: &str) -> String {
    // Names of ours stand between code marks.
    let named = text.trim().trim_end_matches('.').split('`').enumerate();
    let said = named.map(|(k, part)| {
        if k % 2 == 1 {
            part.replace('_', " ")
        } else {
            part.to_owned()
        }
    });
    let text: String = said.collect();
    match text.rsplit_once(" (") {
        Some((words, unit)) if unit.ends_with(')') && unit.len() < 12 => words.to_owned(),
        _ => text,
    }
}

fn last_brackets(text: &str) -> Option<&str> {
    let (_, unit) = text.trim_end_matches('.').rsplit_once('(')?;
    unit.strip_suffix(')')
}

/// One row a number of an object and of those within it, each with its words and its unit.
#[must_use]
pub fn rows(value: &Ordered, words: Words) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    collect(value, words, "", &mut found);
    found
}

fn collect(value: &Ordered, words: Words, above: &str, found: &mut Vec<Vec<String>>) {
    let Ordered::Members(members) = value else {
        return;
    };
    for (key, value) in members {
        let (said, unit) = words.key(key);
        let said = match above {
            "" => said,
            above => format!("{above}: {}", lower(&said)),
        };
        match value {
            Ordered::Plain(Value::Null) => {}
            Ordered::Members(_) => collect(value, words.within(key), &said, found),
            Ordered::List(items) if items.is_empty() => {}
            // Lists of objects and long lists are tables of their own, or stay in the file.
            Ordered::List(items)
                if items.len() > MOST_ITEMS
                    || items.iter().any(|i| matches!(i, Ordered::Members(_))) => {}
            value => found.push(vec![said, value.cell(), unit]),
        }
    }
}

/// Without the capital of a first word that is no name.
fn lower(text: &str) -> String {
    let second = text.chars().nth(1);
    match second {
        Some(c) if c.is_lowercase() || c == ' ' => {
            let mut letters = text.chars();
            let first = letters.next().map(|c| c.to_lowercase().to_string());
            first.unwrap_or_default() + letters.as_str()
        }
        _ => text.to_owned(),
    }
}

/// A table of objects: a column a key that one of them has, at most so many rows.
#[must_use]
pub fn table(items: &[Ordered], words: Words, most: usize) -> Table {
    let mut keys: Vec<&str> = Vec::new();
    for item in items {
        if let Ordered::Members(members) = item {
            for (key, value) in members {
                let empty = matches!(value, Ordered::Plain(Value::Null));
                if !empty && !keys.contains(&key.as_str()) {
                    keys.push(key);
                }
            }
        }
    }
    let row = |item: &Ordered| -> Vec<String> {
        let Ordered::Members(members) = item else {
            return vec![item.cell()];
        };
        let cell = |key: &&str| {
            let found = members.iter().find(|(k, _)| k == key);
            found.map_or_else(|| "–".to_owned(), |(_, value)| value.cell())
        };
        keys.iter().map(cell).collect()
    };
    Table {
        header: keys.iter().map(|key| words.key(key)).collect(),
        rows: items.iter().take(most).map(row).collect(),
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Ordered;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("any value")
            }

            fn visit_bool<E>(self, v: bool) -> Result<Ordered, E> {
                Ok(Ordered::Plain(v.into()))
            }

            fn visit_i64<E>(self, v: i64) -> Result<Ordered, E> {
                Ok(Ordered::Plain(v.into()))
            }

            fn visit_u64<E>(self, v: u64) -> Result<Ordered, E> {
                Ok(Ordered::Plain(v.into()))
            }

            fn visit_f64<E>(self, v: f64) -> Result<Ordered, E> {
                Ok(Ordered::Plain(v.into()))
            }

            fn visit_str<E>(self, v: &str) -> Result<Ordered, E> {
                Ok(Ordered::Plain(v.into()))
            }

            fn visit_unit<E>(self) -> Result<Ordered, E> {
                Ok(Ordered::Plain(Value::Null))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Ordered, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Ordered::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Ordered::Members(members))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn rows_say_what_the_type_says_in_the_order_of_the_type() {
        let schema = serde_json::json!({
            "properties": {
                "time_s": {"description": "Time at the end (s)."},
                "energy_j": {"$ref": "#/$defs/Energy", "description": "Where the energy went (J)."},
            },
            "$defs": {"Energy": {"properties": {"drive": {"description": "Work of the basin."}}}},
        });
        let value = Ordered::read(
            r#"{"time_s": 2.50000001, "energy_j": {"drive": 1.25e-7}, "none": null, "range_rad": [-0.5, 0.123456789]}"#,
        );
        let found = rows(&value, Words::of(&schema, ""));
        let cells: Vec<Vec<&str>> = found
            .iter()
            .map(|r| r.iter().map(String::as_str).collect())
            .collect();
        assert_eq!(
            cells,
            [
                vec!["Time at the end", "2.5", "s"],
                vec!["Where the energy went: work of the basin", "1.25·10⁻⁷", ""],
                vec!["Range", "-0.5, 0.1235", "rad"],
            ]
        );
    }

    #[test]
    fn a_list_of_objects_is_a_table() {
        let items = Ordered::read(r#"[{"name": "net", "height_m": 4}, {"name": "road"}]"#);
        let Ordered::List(items) = items else {
            unreachable!()
        };
        let table = table(&items, Words::of(&Value::Null, ""), 10);
        assert_eq!(table.header[1], ("Height".to_owned(), "m".to_owned()));
        assert_eq!(table.rows[1], ["road", "–"]);
    }
}

//! Keys as words and units, and tables from values whose types describe themselves.

use std::collections::BTreeSet;

use klast_scenes::answer::short;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::page::Table;

/// Units at the end of a key, the longer before those that they end with.
const UNITS: [(&str, &str); 40] = [
    ("_n_s_per_m2", "N s/m²"),
    ("_n_s_per_m", "N s/m"),
    ("_n_per_m2", "N/m²"),
    ("_n_per_m", "N/m"),
    ("_per_m", "1/m"),
    ("_kg_m2", "kg m²"),
    ("_j_kg", "J/kg"),
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
    // A level of 5 % in a name is no unit of the value.
    let of_the_value = |(name, unit): &(&str, &str)| {
        let level = *unit == "%" && name.ends_with(|c: char| c.is_ascii_digit());
        !name.is_empty() && !level
    };
    let (name, unit) = found.filter(of_the_value).unwrap_or((key, ""));
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
    /// A text of the user's, shown as it is.
    Name(String),
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

    /// A text that is no word, or a list of such.
    fn is_sentence(&self) -> bool {
        const LONGEST_WORD: usize = 60;
        match self {
            Self::Plain(Value::String(text)) => text.chars().count() >= LONGEST_WORD,
            Self::List(items) => items.iter().any(Self::is_sentence),
            _ => false,
        }
    }

    /// Without sentences, which stand above and not among numbers.
    #[must_use]
    pub fn without_sentences(self) -> Self {
        match self {
            Self::Members(members) => {
                let kept = members.into_iter().filter(|(_, v)| !v.is_sentence());
                Self::Members(kept.map(|(k, v)| (k, v.without_sentences())).collect())
            }
            other => other,
        }
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
            Self::Name(text) => text.clone(),
            Self::List(items) if items.len() > MOST_ITEMS => {
                let numbers = items.iter().map(|i| match i {
                    Self::Plain(Value::Number(x)) => x.as_f64(),
                    _ => None,
                });
                let ends = numbers.collect::<Option<Vec<f64>>>().map(|x| {
                    let fold = |f: fn(f64, f64) -> f64| x.iter().copied().fold(x[0], f);
                    format!(", {} to {}", short(fold(f64::min)), short(fold(f64::max)))
                });
                format!("{} values{}", items.len(), ends.unwrap_or_default())
            }
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

/// A list of more values than these is told by their number and their ends.
const MOST_ITEMS: usize = 12;

/// A name of ours such as `no_slip` in words; anything else as it is.
fn plain_words(text: &str) -> String {
    let ours = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !(text.contains('_') && text.chars().all(ours)) {
        return text.to_owned();
    }
    match of_key(text) {
        (words, unit) if unit.is_empty() => words.to_lowercase(),
        (words, unit) => format!("{} [{unit}]", words.to_lowercase()),
    }
}

/// The keys and the words of kinds of scenes; what else a scene holds are names that its user gave.
#[derive(Debug, Clone, Default)]
pub struct Known {
    keys: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Known {
    /// Those of schemas.
    #[must_use]
    pub fn of(schemas: &[Value]) -> Self {
        let mut known = Self::default();
        schemas.iter().for_each(|schema| known.gather(schema));
        known
    }

    fn gather(&mut self, schema: &Value) {
        match schema {
            Value::Object(members) => {
                let keys = schema["properties"].as_object();
                self.keys
                    .extend(keys.into_iter().flat_map(|k| k.keys().cloned()));
                let choices = schema["enum"].as_array().into_iter().flatten();
                let words = choices
                    .chain(members.get("const"))
                    .filter_map(Value::as_str);
                self.words.extend(words.map(str::to_owned));
                members.values().for_each(|v| self.gather(v));
            }
            Value::Array(items) => items.iter().for_each(|v| self.gather(v)),
            _ => {}
        }
    }

    /// A value with its texts as names where they are no words of the kind.
    #[must_use]
    pub fn names(&self, value: Ordered) -> Ordered {
        match value {
            Ordered::Plain(Value::String(text)) if !self.words.contains(&text) => {
                Ordered::Name(text)
            }
            Ordered::List(items) => {
                Ordered::List(items.into_iter().map(|i| self.names(i)).collect())
            }
            Ordered::Members(members) => {
                let members = members.into_iter().map(|(k, v)| (k, self.names(v)));
                Ordered::Members(members.collect())
            }
            other => other,
        }
    }
}

/// What a schema says of its properties, by the name of its type.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    root: &'a Value,
    place: Option<&'a Value>,
    known: Option<&'a Known>,
}

impl<'a> Words<'a> {
    /// Of a type in a schema: its root for an empty name.
    #[must_use]
    pub fn of(root: &'a Value, name: &str) -> Self {
        let place = match name {
            "" => Some(root),
            name => root.pointer(&format!("/$defs/{name}")),
        };
        Self {
            root,
            place,
            known: None,
        }
    }

    /// Keys as words and units without a schema's sentences; what is no key is a name.
    #[must_use]
    pub fn of_keys(known: &'a Known) -> Self {
        Self {
            root: &Value::Null,
            place: None,
            known: Some(known),
        }
    }

    /// The words and the unit of a key: the first sentence of its description, else the key itself.
    #[must_use]
    pub fn key(&self, key: &str) -> (String, String) {
        const LONGEST: usize = 90;
        if self.named(key) {
            return (key.to_owned(), String::new());
        }
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
        Self { place, ..*self }
    }

    fn named(&self, key: &str) -> bool {
        self.known.is_some_and(|known| !known.keys.contains(key))
    }

    /// The words and the unit of a key below a heading.
    #[must_use]
    pub fn below(&self, heading: &str, key: &str) -> (String, String) {
        let (said, unit) = self.key(key);
        let said = match heading {
            "" => said,
            heading if self.named(key) => format!("{heading}: {said}"),
            heading => format!("{heading}: {}", lower(&said)),
        };
        (said, unit)
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

/// The numbers of an object, then those of each object within it below its words: a row a number with its words and its
/// unit.
#[must_use]
pub fn groups(value: &Ordered, words: Words) -> Vec<(Option<String>, Vec<Vec<String>>)> {
    let Ordered::Members(members) = value else {
        return Vec::new();
    };
    let within = |value: &Ordered| matches!(value, Ordered::Members(_));
    let (inner, own): (Vec<_>, Vec<_>) = members.iter().cloned().partition(|(_, v)| within(v));
    let rows = |value: &Ordered, words: Words| {
        let mut found = Vec::new();
        collect(value, words, ("", ""), &mut found);
        found
    };
    let own = (None, rows(&Ordered::Members(own), words));
    let inner = inner.iter().map(|(key, value)| {
        let heading = Some(words.key(key).0);
        (heading, rows(value, words.within(key)))
    });
    let all = std::iter::once(own).chain(inner);
    all.filter(|(_, rows)| !rows.is_empty()).collect()
}

/// Members that have the unit of the key they stand under.
const OF_THEIR_KEY: [&str; 10] = [
    "from",
    "to",
    "values",
    "mean",
    "median",
    "standard_deviation",
    "min",
    "max",
    "lower",
    "upper",
];

/// The numbers of an object and of those within it, below a heading with its unit.
pub fn collect(
    value: &Ordered,
    words: Words,
    (heading, of_key): (&str, &str),
    found: &mut Vec<Vec<String>>,
) {
    let Ordered::Members(members) = value else {
        return;
    };
    for (key, value) in members {
        let (said, unit) = words.below(heading, key);
        let unit = match unit.is_empty() && OF_THEIR_KEY.contains(&key.as_str()) {
            true => of_key.to_owned(),
            false => unit,
        };
        match value {
            Ordered::Plain(Value::Null) => {}
            Ordered::Members(_) => collect(value, words.within(key), (&said, &unit), found),
            Ordered::List(items) if items.is_empty() || of_objects(items) => {}
            value => found.push(vec![said, value.cell(), unit]),
        }
    }
}

/// Whether a list is a table of its own.
#[must_use]
pub fn of_objects(items: &[Ordered]) -> bool {
    items.iter().any(|i| matches!(i, Ordered::Members(_)))
}

/// The lists of objects within an object, each with its words, its number of rows and its table of at most so many of
/// them.
#[must_use]
pub fn tables(value: &Ordered, words: Words, most: usize) -> Vec<(String, usize, Table)> {
    let Ordered::Members(members) = value else {
        return Vec::new();
    };
    let each = members.iter().flat_map(|(key, value)| match value {
        Ordered::List(items) if of_objects(items) => {
            let own = table(items, words.within(key), most);
            vec![(words.key(key).0, items.len(), own)]
        }
        value => tables(value, words.within(key), most),
    });
    each.collect()
}

/// Without the capital of a first word that is no name.
fn lower(text: &str) -> String {
    const NAMES: [&str; 7] = [
        "Housner",
        "Kolmogorov",
        "Painlevé",
        "Floquet",
        "Arias",
        "Newmark",
        "Poincaré",
    ];
    let second = text.chars().nth(1);
    match second {
        Some(c) if (c.is_lowercase() || c == ' ') && !NAMES.iter().any(|n| text.starts_with(n)) => {
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
    // A sentence in a column makes a table that nobody reads: such columns stay in the file.
    let told = |key: &str| {
        let mut cells = items.iter().filter_map(|item| match item {
            Ordered::Members(members) => members.iter().find(|(k, _)| k == key),
            _ => None,
        });
        cells.any(|(_, value)| value.is_sentence())
    };
    let mut keys: Vec<&str> = Vec::new();
    for item in items {
        if let Ordered::Members(members) = item {
            for (key, value) in members {
                let empty = matches!(value, Ordered::Plain(Value::Null));
                if !empty && !keys.contains(&key.as_str()) && !told(key) {
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

    /// Every key of every scene and of every result: what it ends with is a unit as a whole, and the one of its
    /// description.
    #[test]
    fn every_key_of_every_kind_has_its_unit() {
        const SYMBOLS: [(&str, &str); 27] = [
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
}

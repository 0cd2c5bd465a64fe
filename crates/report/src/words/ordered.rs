//! Values in the order in which they were written, and what a cell says of them.

use klast_runs::answer::short;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::keys::of_key;

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
    pub(super) fn is_sentence(&self) -> bool {
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
                        // A form is called by its name.
                        (value, _) if key == "kind" => value.cell(),
                        (Self::Members(_), unit) if !unit.is_empty() => {
                            format!("{} [{unit}] ({})", words.to_lowercase(), value.cell())
                        }
                        (Self::Members(_), _) => {
                            format!("{} ({})", words.to_lowercase(), value.cell())
                        }
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

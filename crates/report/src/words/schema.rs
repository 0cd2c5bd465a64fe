//! What a schema says of its keys.

use serde_json::Value;

use super::keys::{capital, lower, of_key, unit_within};
use super::known::Known;

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
        let (words, mut unit) = of_key(key);
        if unit.is_empty() {
            unit.push_str(unit_within(key));
        }
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
pub(super) fn first_sentence(text: &str) -> &str {
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

pub(super) fn last_brackets(text: &str) -> Option<&str> {
    let (_, unit) = text.trim_end_matches('.').rsplit_once('(')?;
    unit.strip_suffix(')')
}

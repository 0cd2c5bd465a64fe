//! What is a key or a word of ours, and what a name of the user's.

use std::collections::BTreeSet;

use serde_json::Value;

use super::ordered::Ordered;

/// The keys and the words of kinds of scenes; what else a scene holds are names that its user gave.
#[derive(Debug, Clone, Default)]
pub struct Known {
    pub(super) keys: BTreeSet<String>,
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

//! Rows and tables of a value whose type describes itself.

use serde_json::Value;

use super::ordered::Ordered;
use super::schema::Words;
use crate::page::Table;

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

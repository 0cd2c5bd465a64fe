//! What was understood of a scene, in words and units.

use serde_json::Value;

use crate::page::{Page, Section, Table};
use crate::words::{Ordered, Words, of_key, rows, table};

/// Lists of more objects than these are told by their number.
const SHOWN: usize = 30;

/// Puts a scene on the page: single values in one table, lists of objects in tables of their own.
pub fn show(scene: &str, page: &mut Page) {
    let Ordered::Members(members) = Ordered::read(scene) else {
        return;
    };
    let header = ["schema", "$schema", "kind", "project"];
    let own: Vec<(String, Ordered)> = members
        .into_iter()
        .filter(|(key, _)| !header.contains(&key.as_str()))
        .collect();
    let mut single = Table::new(&[("Input", ""), ("Value", ""), ("Unit", "")]);
    let mut lists = Vec::new();
    for (key, value) in &own {
        gather(key, key, value, &mut single, &mut lists);
    }
    page.table(Section::Inputs, single);
    for (heading, items) in lists {
        page.heading(Section::Inputs, &heading);
        page.table(
            Section::Inputs,
            table(items, Words::of(&Value::Null, ""), SHOWN),
        );
        if items.len() > SHOWN {
            let more = format!("The first {SHOWN} of {}.", items.len());
            page.text(Section::Inputs, &more);
        }
    }
}

/// One input: a row, rows of what is within it, or a table.
fn gather<'a>(
    path: &str,
    key: &str,
    value: &'a Ordered,
    single: &mut Table,
    lists: &mut Vec<(String, &'a [Ordered])>,
) {
    let (words, unit) = of_key(key);
    let heading = || {
        path.split('.')
            .map(|k| of_key(k).0)
            .collect::<Vec<_>>()
            .join(": ")
    };
    match value {
        Ordered::List(items) if items.iter().any(|i| matches!(i, Ordered::Members(_))) => {
            lists.push((heading(), items));
        }
        Ordered::Members(members) if members.iter().all(|(_, v)| !deep(v)) => {
            // A named form: `rigid_body`, `raster`.
            let named = rows(value, Words::of(&Value::Null, ""));
            for row in named {
                let [within, value, unit] = &row[..] else {
                    continue;
                };
                single.rows.push(vec![
                    format!(
                        "{}: {}",
                        heading(),
                        within.to_lowercase().replace("crs", "CRS")
                    ),
                    value.clone(),
                    unit.clone(),
                ]);
            }
        }
        Ordered::Members(members) => {
            for (inner, value) in members {
                gather(&format!("{path}.{inner}"), inner, value, single, lists);
            }
        }
        value => {
            let words = if path == key { words } else { heading() };
            single.rows.push(vec![words, value.cell(), unit]);
        }
    }
}

/// Whether a value has a list of objects in it.
fn deep(value: &Ordered) -> bool {
    match value {
        Ordered::List(items) => {
            items.iter().any(|i| matches!(i, Ordered::Members(_))) || items.len() > 12
        }
        Ordered::Members(members) => members.iter().any(|(_, v)| deep(v)),
        Ordered::Plain(_) => false,
    }
}

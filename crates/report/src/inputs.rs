//! What was understood of a scene, in words and units.

use klast_runs::title_block;

use crate::page::{Page, Section, Table};
use crate::words::{Known, Ordered, Words, collect, of_objects, table};

/// Lists of more objects than these are told by their number.
const SHOWN: usize = 30;

/// Puts a scene on the page: single values in one table, lists of objects in tables of their own.
pub fn show(scene: &str, known: &Known, page: &mut Page) {
    let words = Words::of_keys(known);
    let Ordered::Members(members) = known.names(Ordered::read(scene)) else {
        return;
    };
    let title_block = title_block::KEYS.iter().map(|(key, ..)| *key);
    let header: Vec<&str> = ["schema", "$schema", "kind"]
        .into_iter()
        .chain(title_block)
        .collect();
    let own = members.into_iter();
    let own: Vec<_> = own
        .filter(|(key, _)| !header.contains(&key.as_str()))
        .collect();
    let mut single = Table::new(&[("Input", ""), ("Value", ""), ("Unit", "")]);
    let mut lists = Vec::new();
    for (key, value) in &own {
        gather(words, words.key(key), value, &mut single, &mut lists);
    }
    page.table(Section::Inputs, single);
    for (heading, items) in lists {
        page.heading(Section::Inputs, &heading);
        page.table(Section::Inputs, table(items, words, SHOWN));
        if items.len() > SHOWN {
            let more = format!("The first {SHOWN} of {}.", items.len());
            page.text(Section::Inputs, &more);
        }
    }
}

/// One input: a row, rows of what is within it, or a table.
fn gather<'a>(
    words: Words,
    (heading, unit): (String, String),
    value: &'a Ordered,
    single: &mut Table,
    lists: &mut Vec<(String, &'a [Ordered])>,
) {
    match value {
        Ordered::List(items) if of_objects(items) => lists.push((heading, items)),
        // A named form: `rigid_body`, `raster`.
        Ordered::Members(members) if members.iter().all(|(_, v)| !deep(v)) => {
            collect(value, words, (&heading, &unit), &mut single.rows);
        }
        Ordered::Members(members) => {
            for (key, value) in members {
                gather(words, words.below(&heading, key), value, single, lists);
            }
        }
        value => single.rows.push(vec![heading, value.cell(), unit]),
    }
}

/// Whether a value has a list of objects in it.
fn deep(value: &Ordered) -> bool {
    match value {
        Ordered::List(items) => of_objects(items),
        Ordered::Members(members) => members.iter().any(|(_, v)| deep(v)),
        Ordered::Plain(_) | Ordered::Name(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_user_are_no_keys() {
        let schema = serde_json::json!({
            "properties": {
                "materials": {"additionalProperties": {"properties": {"density_kg_m3": {}}}},
                "engine": {"enum": ["no_slip"]},
                "motion": {"properties": {"pga_g": {}, "record": {}}},
                "period_s": {"properties": {"from": {}, "count": {}}},
            },
        });
        let scene = r#"{
            "engine": "no_slip",
            "materials": {"Old_wall_m": {"density_kg_m3": 2700}},
            "motion": {"pga_g": 0.3, "record": "la_union_ew"},
            "period_s": {"from": 1, "count": 5}
        }"#;
        let mut page = Page::new("names");
        show(scene, &Known::of(&[schema]), &mut page);
        let html = page.html();
        for row in [
            "<td>Engine</td><td>no slip</td>",
            "<td>Materials: Old_wall_m: density</td><td class=\"n\">2700</td><td>kg/m³</td>",
            "<td>Motion: PGA</td><td class=\"n\">0.3</td><td>g</td>",
            "<td>Motion: record</td><td>la_union_ew</td>",
            "<td>Period: from</td><td class=\"n\">1</td><td>s</td>",
            "<td>Period: count</td><td class=\"n\">5</td><td></td>",
        ] {
            assert!(html.contains(row), "{row} in {html}");
        }
    }
}

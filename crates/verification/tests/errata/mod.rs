//! Every erratum is computed here: as printed, as corrected, and the corrected number a second time by another
//! formulation. None of it uses the library.

mod cubes;
mod one_block;
mod readings;
mod rockfill;
mod row_of_blocks;
mod small;
mod stack;
mod stack_impacts;
mod steps;
mod undefined;

use std::collections::BTreeMap;
use std::path::Path;

use klast_comparison::{Effect, Errata};

/// What an erratum makes of a number: as printed (no number where the printed form has no value), as corrected, and
/// corrected by the second formulation.
type Check = (&'static str, fn() -> [f64; 3]);

/// Central differences and steps of integration leave about 1e-9; a sign or a term changes far more.
const BOUND: f64 = 2e-6;

fn sheets() -> Vec<Errata> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verification/errata");
    ["lumped", "paper", "rocfall3", "thesis"]
        .map(|name| {
            let file = folder.join(format!("{name}.json"));
            Errata::parse(&std::fs::read_to_string(file).unwrap()).unwrap()
        })
        .into()
}

fn close(a: f64, b: f64, bound: f64) -> bool {
    (a - b).abs() <= bound * a.abs().max(b.abs()).max(1e-3)
}

#[test]
fn every_row_is_computed_twice() {
    let checks: BTreeMap<_, _> = [
        small::CHECKS,
        cubes::CHECKS,
        rockfill::CHECKS,
        one_block::CHECKS,
        row_of_blocks::CHECKS,
        readings::CHECKS,
        undefined::CHECKS,
        stack::CHECKS,
        stack_impacts::CHECKS,
    ]
    .concat()
    .into_iter()
    .collect();
    let sheets = sheets();
    let rows: BTreeMap<_, _> = sheets
        .iter()
        .flat_map(Errata::rows)
        .map(|r| (r.id.as_str(), r))
        .collect();
    let mut wrong = Vec::new();
    for (id, check) in &checks {
        let [printed, right, second] = check();
        if !close(right, second, BOUND) || close(printed, right, 1e-6) {
            wrong.push(format!(
                "{id}: printed {printed}, right {right}, second {second}"
            ));
        }
        // The sheet has the numbers to six digits.
        let known = rows.get(id).is_some_and(|row| {
            let Effect {
                printed: p,
                right: r,
                ..
            } = row.effect;
            let same = p.map_or(printed.is_nan(), |p| close(p, printed, 1e-5));
            same && close(r, right, 1e-5)
        });
        if !known {
            wrong.push(format!("SHEET {id} {printed:.6e} {right:.6e}"));
        }
    }
    for id in rows.keys().filter(|id| !checks.contains_key(*id)) {
        wrong.push(format!("no test computes {id}"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A row or a note may name a table that shows the difference too; the table is there.
#[test]
fn tables_that_errata_name_are_there() {
    let suite = klast_verification::suite().unwrap();
    let tables: Vec<&str> = suite
        .chosen(None)
        .unwrap()
        .iter()
        .map(|t| t.id.as_str())
        .collect();
    let sheets = sheets();
    let rows = sheets.iter().flat_map(Errata::rows);
    let notes = sheets.iter().flat_map(|sheet| &sheet.notes);
    let said = rows
        .map(|row| (&row.id, &row.right))
        .chain(notes.map(|note| (&note.id, &note.note)));
    for (id, text) in said {
        let quoted = text.split('`').skip(1).step_by(2);
        for name in quoted.filter(|name| name.contains('/')) {
            assert!(tables.contains(&name), "{id}: no table '{name}'");
        }
    }
}

#[test]
fn errata_that_cannot_be_sent_are_refused() {
    let good = r#"{"schema": 1, "document": "d", "title": "D", "sections": [{"rows": [
        {"id": "A1", "place": "(1)", "printed": "2", "right": "3",
         "effect": {"of": "x", "unit": "m", "printed": 2.0, "right": 3.0}, "derived": "by hand"}]}]}"#;
    Errata::parse(good).unwrap();
    // A row without numbers, or without a second formulation, cannot be written at all.
    for (from, to) in [
        ("\"right\": 3.0", "\"right\": 2.0"),
        (", \"derived\": \"by hand\"", ""),
        ("\"derived\": \"by hand\"", "\"derived\": \" \""),
        (
            "\"derived\": \"by hand\"",
            "\"derived\": \"by hand\", \"no_number\": \"words\"",
        ),
        (
            "\"effect\": {\"of\": \"x\", \"unit\": \"m\", \"printed\": 2.0, \"right\": 3.0}, ",
            "",
        ),
        ("\"right\": 3.0", "\"right\": null"),
        ("\"(1)\"", "\" \""),
        ("\"schema\": 1", "\"schema\": 2"),
        (
            "\"sections\"",
            "\"notes\": [{\"id\": \"A1\", \"place\": \"(2)\", \"printed\": \"n\", \"note\": \"m\"}], \"sections\"",
        ),
    ] {
        assert!(good.contains(from), "{from}");
        assert!(Errata::parse(&good.replacen(from, to, 1)).is_err(), "{to}");
    }
    let undefined = good.replacen("\"printed\": 2.0", "\"printed\": null", 1);
    assert_eq!(Errata::parse(&undefined).unwrap().rows().count(), 1);
}

//! Every erratum with an effect in numbers is computed here: as printed, as corrected, and the corrected number a
//! second time by another formulation. None of it uses the library.

mod one_block;
mod readings;
mod small;
mod stack;
mod stack_impacts;

use std::collections::BTreeMap;
use std::path::Path;

use klast_comparison::Errata;

/// What an erratum makes of a number: as printed, as corrected, and corrected by the second formulation.
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
fn every_effect_is_computed_twice() {
    let checks: BTreeMap<_, _> = [
        small::CHECKS,
        one_block::CHECKS,
        readings::CHECKS,
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
        let known = rows.get(id).and_then(|r| r.effect.as_ref());
        if !known.is_some_and(|e| close(e.printed, printed, 1e-5) && close(e.right, right, 1e-5)) {
            wrong.push(format!("SHEET {id} {printed:.6e} {right:.6e}"));
        }
    }
    for (id, row) in &rows {
        if row.effect.is_some() && !checks.contains_key(id) {
            wrong.push(format!("{id} has an effect that no test computes"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A row without a number may name a table that shows the difference; the table is there.
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
    let said = sheets.iter().flat_map(Errata::rows);
    for row in said.filter(|row| row.no_number.is_some()) {
        let text = row.no_number.as_deref().unwrap();
        for name in text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|n| n.contains('/'))
        {
            assert!(tables.contains(&name), "{}: no table '{name}'", row.id);
        }
    }
}

#[test]
fn errata_that_cannot_be_sent_are_refused() {
    let good = r#"{"schema": 1, "document": "d", "title": "D", "sections": [{"rows": [
        {"id": "A1", "place": "(1)", "printed": "2", "right": "3",
         "effect": {"of": "x", "unit": "m", "printed": 2.0, "right": 3.0}, "derived": "by hand"}]}]}"#;
    Errata::parse(good).unwrap();
    for (from, to, reason) in [
        (
            "\"right\": 3.0",
            "\"right\": 2.0",
            "two numbers that differ",
        ),
        (
            ", \"derived\": \"by hand\"",
            "",
            "with its second formulation",
        ),
        (
            "\"derived\": \"by hand\"",
            "\"derived\": \"by hand\", \"no_number\": \"words\"",
            "the reason that there is none",
        ),
        ("\"(1)\"", "\" \"", "accepted: id, place"),
        ("\"schema\": 1", "\"schema\": 2", "accepted: 1"),
    ] {
        let error = format!(
            "{:#}",
            Errata::parse(&good.replacen(from, to, 1)).unwrap_err()
        );
        assert!(error.contains(reason), "{to}: {error}");
    }
}

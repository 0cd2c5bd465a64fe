//! A printed number is counted once, in the class that its inputs and its digits give it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use klast_comparison::{
    Case, CellResult, Context, Inputs, Met, Outcome, Report, Shown, Suite, Table, Value,
};
use klast_verification::registry;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verification")
}

/// Every table of the project, the long ones too.
fn tables() -> Vec<Table> {
    let read = |id: &str| Table::read(&folder().join(format!("{id}.json")), id).unwrap();
    registry::cases().iter().map(|c| read(c.id)).collect()
}

/// The tables of a folder whose cases take no time.
fn run(filter: &str) -> Report {
    let suite = Suite::open(&folder(), &registry::cases()).unwrap();
    suite.run(Some(filter), &Context::default()).unwrap()
}

#[test]
fn no_printed_number_is_counted_twice() {
    let tables = tables();
    // By document and place: a printed number has one value.
    let mut places: BTreeMap<(String, String), (Value, String)> = BTreeMap::new();
    // By document, row and value, for tables that are not named after a printed table: the same row in two tables is
    // one printed value, unless both say where theirs is printed.
    let mut rows: BTreeMap<(String, String, String), (String, bool)> = BTreeMap::new();
    for table in &tables {
        for (row, column, at, shown) in table.printed() {
            if !matches!(shown, Shown::Number | Shown::Statement) {
                continue;
            }
            let document = table.source.document.clone();
            let value = row.values[&column.id].value().clone();
            let found = (value.clone(), row.unit.clone());
            let before = places.entry((document.clone(), at.clone()));
            let before = before.or_insert_with(|| found.clone());
            let alike = shown == Shown::Statement || *before == found;
            assert!(
                alike,
                "{}: row '{}': two numbers at '{at}'",
                table.id, row.id
            );
            if !table.id.contains("/table-") {
                let said = row.printed.as_ref().is_some_and(|p| p.at.is_some());
                let key = (document, row.id.clone(), value.to_string());
                let first = rows.entry(key).or_insert_with(|| (at.clone(), said));
                assert!(
                    first.0 == at || first.1 && said,
                    "{}: row '{}' stands in another table too; accepted: 'at'",
                    table.id,
                    row.id
                );
            }
        }
    }
    // The rigid manual's tables, counted by hand: rows times columns, without dashes.
    let rigid = places.keys().filter(|(_, at)| at.starts_with("rocfall3/"));
    assert_eq!(rigid.count(), 167);
}

/// Half a unit of the last digit, from the digits themselves.
fn half(text: &str) -> f64 {
    let digits = text.split_once('.').map_or(0, |(_, tail)| tail.len());
    0.5 / 10.0_f64.powi(digits as i32)
}

/// Every number that is met with stated inputs lies within half a digit, and takes nothing that was fitted.
#[test]
fn what_is_met_with_stated_inputs_takes_no_fitted_setting() {
    let mut drawn = 0;
    for filter in ["rocfall3/table", "rocking/table", "stacks/geometry"] {
        let report = run(filter);
        for cell in report.tables.iter().flat_map(|t| &t.cells) {
            let Some(printed) = &cell.printed else {
                continue;
            };
            let place = format!("{} {} [{}]", cell.table, cell.row, cell.column);
            let named = printed.settings.iter().all(|s| !s.trim().is_empty());
            let stated = printed.inputs == Inputs::Stated;
            assert_eq!(
                stated,
                printed.settings.is_empty(),
                "{place}: {:?}",
                printed.settings
            );
            assert!(named, "{place}");
            // A run as another program ran it takes settings that were found from its print.
            let as_run = cell.column.ends_with("_as_run") || cell.series.starts_with("as_");
            assert!(
                !as_run || printed.inputs == Inputs::Fitted,
                "{place}: {:?}",
                printed.inputs
            );
            if let (Met::Stated, Value::Number(e), Some(Value::Number(c))) =
                (printed.met, &cell.expected, &cell.computed)
            {
                // No printed number has fewer digits than its value here; zeros at its end may have gone.
                // A number with a period is printed with all its digits.
                let bound = half(&e.to_string()).max(5e-13);
                assert!(
                    (c - e).abs() <= bound * (1.0 + 1e-9),
                    "{place}: {c} for {e}"
                );
                assert!(printed.half_digit.unwrap() <= bound, "{place}");
                drawn += 1;
            }
        }
    }
    // 51 of the rigid manual, and the geometry, periods and coefficients of the thesis.
    assert!(drawn > 200, "{drawn}");
}

/// Words by which a table says that an input was found from the results: such a table has fitted columns.
#[test]
fn a_table_that_speaks_of_fitting_has_a_fitted_column() {
    let words = [
        "fitted to",
        "found from the printed",
        "identified settings",
        "found by fitting",
    ];
    let mut found = 0;
    for table in tables() {
        let mut text = format!("{} {} {}", table.claim, table.source.obtained, table.inputs);
        for row in &table.rows {
            text.push_str(&serde_json::to_string(&row.values).unwrap());
        }
        let printed = table.printed().next().is_some();
        if printed && words.iter().any(|w| text.contains(w)) {
            let of = |p: &Option<klast_comparison::Print>| p.as_ref().and_then(|p| p.inputs);
            let fitted = table
                .columns
                .iter()
                .any(|c| of(&c.printed) == Some(Inputs::Fitted));
            assert!(fitted, "{}", table.id);
            found += 1;
        }
    }
    assert!(found > 3, "{found}");
}

const TOY: &str = r#"{
  "schema": 1, "id": "toy/fall", "title": "Free fall", "claim": "A drop",
  "source": {"document": "Galilei 1638", "place": "-", "obtained": "typed in"},
  "columns": [
    {"id": "print", "kind": "published", "against": "ours", "printed": {"inputs": "stated", "last_digit": 0.01},
     "tolerance": {"abs": 1.0, "why": "wide"}},
    {"id": "print as run", "kind": "published", "against": "as_run",
     "printed": {"inputs": "fitted", "settings": ["a drop of 5.1 m"], "column": "print", "last_digit": 0.01},
     "tolerance": {"abs": 1.0, "why": "wide"}}
  ],
  "rows": [
    {"id": "v", "quantity": "v", "unit": "m/s", "values": {"print": 10.1, "print as run": 10.1}},
    {"id": "t", "quantity": "t", "unit": "s", "values": {"print": 1.0}},
    {"id": "g", "quantity": "g", "unit": "m/s2", "values": {"print": 10.0}, "printed": {"shown": "echo"}},
    {"id": "h", "quantity": "h", "unit": "m", "values": {"print": 5.3}},
    {"id": "h again", "quantity": "h", "unit": "m", "values": {"print": 5.3}, "printed": {"at": "toy/fall#h [print]"}}
  ],
  "cells": 6
}"#;

fn fall(_: &Table, _: &Context) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::new();
    for (row, value) in [
        ("v", 10.0),
        ("t", 1.004),
        ("g", 10.0),
        ("h", 5.0),
        ("h again", 5.0),
    ] {
        outcome.set(row, "ours", value);
    }
    outcome.set("v", "as_run", 10.1);
    Ok(outcome)
}

fn toy(text: &str) -> anyhow::Result<Report> {
    let root = tempfile::tempdir()?;
    std::fs::create_dir(root.path().join("toy"))?;
    std::fs::write(root.path().join("toy/fall.json"), text)?;
    let case = Case {
        id: "toy/fall",
        run: fall,
    };
    Suite::open(root.path(), &[case])?.run(None, &Context::default())
}

#[test]
fn four_classes_count_each_number_once() {
    let report = toy(TOY).unwrap();
    assert!(report.holds(), "{}", report.summary());
    let count = report.distinct(Shown::Number);
    // v by two columns, t, h by two rows; g is an echo.
    assert_eq!((count.of, count.classes()), (3, [1, 0, 1, 1]));
    assert_eq!(count.within_tolerance, 1);
    assert_eq!(report.distinct(Shown::Echo).of, 1);
    let said = "printed numbers                        3: 1 met with stated inputs, 1 with fitted settings, 1 not met";
    assert!(report.summary().contains(said), "{}", report.summary());
    // One digit fewer: 10.0 and 5.0 are no 10.1 and 5.3 still; a digit more, and t is not met.
    let finer = toy(&TOY.replace("\"last_digit\": 0.01}", "\"last_digit\": 0.001}")).unwrap();
    assert_eq!(finer.distinct(Shown::Number).classes(), [0, 0, 1, 2]);
    let met = |cell: &CellResult| cell.printed.as_ref().map(|p| p.met);
    let cells: Vec<_> = report.tables[0].cells.iter().map(met).collect();
    assert_eq!(
        cells[..3],
        [Some(Met::Not), Some(Met::Fitted), Some(Met::Stated)]
    );
}

#[test]
fn what_a_table_must_say_of_a_printed_cell() {
    for (from, to, reason) in [
        (
            ", \"settings\": [\"a drop of 5.1 m\"]",
            "",
            "with the settings by name",
        ),
        (
            "[\"a drop of 5.1 m\"]",
            "[\" \"]",
            "with the settings by name",
        ),
        (
            "\"inputs\": \"stated\"",
            "\"inputs\": \"stated\", \"settings\": [\"x\"]",
            "with the settings by name",
        ),
        (
            "\"inputs\": \"stated\", ",
            "",
            "accepted: 'printed' with 'inputs'",
        ),
        (
            "\"print\": 1.0",
            "\"print\": [0.9, 1.1]",
            "a range without 'shown'",
        ),
        (
            "\"last_digit\": 0.01}",
            "\"last_digit\": 0}",
            "last_digit 0",
        ),
        (
            "\"kind\": \"published\"",
            "\"kind\": \"peer\"",
            "and in no other",
        ),
    ] {
        let bad = TOY.replacen(from, to, 1);
        assert_ne!(bad, TOY, "{from}");
        let error = format!("{:#}", toy(&bad).expect_err(to));
        assert!(error.contains(reason), "{to}: {error}");
    }
}

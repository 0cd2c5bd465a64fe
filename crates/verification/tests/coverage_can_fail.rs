//! The list of what the documents show must see every way to be incomplete.

use klast_comparison::{Case, Context, Document, ItemVerdict, Outcome, Suite, Table};

const TABLE: &str = r#"{
  "schema": 1, "id": "toy/fall", "title": "Free fall", "claim": "A drop",
  "source": {"document": "Galilei 1638", "place": "-", "obtained": "typed in"},
  "columns": [
    {"id": "print", "kind": "published", "against": "ours",
     "printed": {"inputs": "stated", "shown": "number"}},
    {"id": "exact", "kind": "closed_form", "against": "ours",
     "tolerance": {"abs": 1e-9, "why": "rounding"}}
  ],
  "rows": [
    {"id": "figure-1 v", "quantity": "v", "unit": "m/s", "values": {"print": [9, 11], "exact": 10.0}},
    {"id": "figure-2 v", "quantity": "v", "unit": "m/s",
     "values": {"print": {"value": [1, 2], "not_reproduced": "another planet"}}},
    {"id": "figure-3 v", "quantity": "v", "unit": "m/s", "values": {"exact": 10.0}}
  ],
  "cells": 4
}"#;

const LIST: &str = r#"{
  "schema": 1, "document": "galilei", "title": "Galilei 1638",
  "counts": {"figure": 5},
  "items": [
    {"id": "1/figure-1", "kind": "figure", "shows": "a fall", "rows": ["toy/fall#figure-1"], "pictures": ["toy/fall#fall"]},
    {"id": "1/figure-2", "kind": "figure", "shows": "another", "rows": ["toy/fall#figure-2"]},
    {"id": "1/figure-both", "kind": "figure", "shows": "both", "rows": ["toy/fall#figure-1", "toy/fall#figure-2"]},
    {"id": "2/figure-3", "kind": "figure", "shows": "a curve", "rows": ["toy/fall#figure-3"]},
    {"id": "2/figure-4", "kind": "figure", "shows": "a tower", "reason": "a picture of apparatus"}
  ]
}"#;

fn fall(_: &Table, _: &Context) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::new();
    for row in ["figure-1 v", "figure-2 v", "figure-3 v"] {
        outcome.set(row, "ours", 10.0);
    }
    outcome.draw("fall", "A fall", "<svg/>".to_owned());
    Ok(outcome)
}

fn open(table: &str, list: &str) -> anyhow::Result<Suite> {
    let root = tempfile::tempdir()?;
    for (folder, name, text) in [("toy", "fall", table), ("coverage", "galilei", list)] {
        std::fs::create_dir(root.path().join(folder))?;
        std::fs::write(root.path().join(folder).join(format!("{name}.json")), text)?;
    }
    Suite::open(
        root.path(),
        &[Case {
            id: "toy/fall",
            run: fall,
        }],
    )
}

#[test]
fn every_item_has_its_verdict() {
    let report = open(TABLE, LIST)
        .unwrap()
        .run(None, &Context::default())
        .unwrap();
    use ItemVerdict::{Computed, InPart, NotComputed, NotReproduced, Reproduced};
    let verdicts: Vec<_> = report.items.iter().map(|i| i.verdict).collect();
    assert_eq!(
        verdicts,
        [Reproduced, NotReproduced, InPart, Computed, NotComputed]
    );
    assert!(report.holds());
    assert!(
        report.items[1]
            .because
            .iter()
            .any(|b| b.ends_with("planet") && b.contains("shown") && b.contains("ours"))
    );
}

#[test]
fn an_item_without_a_row_a_missing_row_and_a_dropped_item_are_errors() {
    for (from, to, reason) in [
        (
            ", \"rows\": [\"toy/fall#figure-3\"]",
            "",
            "accepted: rows, or the reason",
        ),
        (
            "#figure-3",
            "#figure-5",
            "no row of 'toy/fall' begins with 'figure-5'",
        ),
        ("toy/fall#figure-3", "toy/flight", "no table 'toy/flight'"),
        (
            "\"a picture of apparatus\"",
            "\" \"",
            "accepted: rows, or the reason",
        ),
        ("\"figure\": 5", "\"figure\": 6", "accepted: the stated"),
        ("2/figure-3", "1/figure-2", "two items"),
        (
            "\"id\": \"2/figure-4\"",
            "\"id\": \"figure-4\"",
            "<chapter>/<name>",
        ),
    ] {
        let wrong = LIST.replacen(from, to, 1);
        assert_ne!(wrong, LIST, "{from}");
        let error = format!("{:#}", open(TABLE, &wrong).unwrap_err());
        assert!(error.contains(reason), "{to}: {error}");
    }
}

#[test]
fn a_picture_that_is_not_drawn_and_a_failing_row_fail_the_item() {
    let run = |table: &str, list: &str| {
        let suite = open(table, list).unwrap();
        suite.run(None, &Context::default()).unwrap()
    };
    let report = run(TABLE, &LIST.replace("#fall\"", "#flight\""));
    assert_eq!(report.items[0].verdict, ItemVerdict::Failed);
    assert!(!report.holds());
    let report = run(&TABLE.replace("[9, 11]", "[9, 9.5]"), LIST);
    assert_eq!(report.items[0].verdict, ItemVerdict::Failed);
    assert_eq!(report.items[3].verdict, ItemVerdict::Computed);
}

#[test]
fn a_filter_names_a_document_or_a_chapter() {
    let suite = open(TABLE, LIST).unwrap();
    for (filter, count) in [
        ("galilei", 1),
        ("galilei/1", 1),
        ("galilei/2", 1),
        ("fall", 1),
    ] {
        assert_eq!(suite.chosen(Some(filter)).unwrap().len(), count, "{filter}");
    }
    let error = suite.chosen(Some("galilei/7")).unwrap_err().to_string();
    assert!(error.contains("(galilei)"), "{error}");
}

#[test]
fn a_conclusion_without_a_printed_value_says_what_ours_is() {
    let list = LIST
        .replace("\"figure\": 5", "\"conclusion\": 1, \"figure\": 4")
        .replace(
            "\"figure\", \"shows\": \"a curve\"",
            "\"conclusion\", \"shows\": \"a curve\"",
        );
    let error = format!("{:#}", open(TABLE, &list).unwrap_err());
    assert!(error.contains("2/figure-3"), "{error}");
    let said = list.replace(
        "\"shows\": \"a curve\"",
        "\"shows\": \"a curve\", \"reason\": \"ours is one\"",
    );
    open(TABLE, &said).unwrap();
}

/// The lists of the project: each item is counted, and each must say where it is computed or why not.
#[test]
fn no_item_of_the_documents_can_drop_out() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verification/coverage");
    let mut tried = 0;
    for name in ["lumped", "paper", "rocfall3", "thesis"] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        let list: serde_json::Value = serde_json::from_str(&text).unwrap();
        let parsed = |list: &serde_json::Value| Document::parse(&list.to_string());
        let whole = parsed(&list).unwrap();
        for k in 0..whole.items.len() {
            let mut without = list.clone();
            without["items"].as_array_mut().unwrap().remove(k);
            let error = parsed(&without).unwrap_err().to_string();
            let kind = format!("{:?}: ", whole.items[k].kind);
            assert!(error.contains(&kind), "{name} {k}: {error}");
            let mut empty = list.clone();
            let item = empty["items"][k].as_object_mut().unwrap();
            item.remove("rows");
            item.remove("reason");
            let error = parsed(&empty).unwrap_err().to_string();
            let id = list["items"][k]["id"].as_str().unwrap();
            assert!(error.contains(id), "{name} {k}: {error}");
            tried += 1;
        }
    }
    // The items of four documents.
    assert!(tried > 300, "{tried}");
}

//! A verifier that cannot fail verifies nothing: every way to be wrong must be seen.

use std::path::Path;

use klast_verification::{Case, Context, Outcome, Report, Suite, Table, Verdict};

/// Free fall from 5 m: v = √(2 g h), t = √(2 h / g), with g = 10 so that the truth is exact.
const TRUTH: &str = r#"{
  "schema": 1, "id": "toy/fall", "title": "Free fall", "claim": "A drop of 5 m",
  "source": {"document": "Galilei 1638", "place": "-", "obtained": "closed form"},
  "inputs": {"drop_m": 5.0, "g_m_s2": 10.0},
  "columns": [
    {"id": "exact", "kind": "closed_form", "against": "ours",
     "tolerance": {"abs": 1e-9, "rel": 1e-9, "why": "rounding"}},
    {"id": "print", "kind": "published", "against": "ours"}
  ],
  "rows": [
    {"id": "v", "quantity": "v", "unit": "m/s", "values": {"exact": 10.0,
      "print": {"value": 10.02, "tolerance": {"abs": 0.05, "why": "two digits"}}}},
    {"id": "t", "quantity": "t", "unit": "s", "values": {"exact": 1.0,
      "print": {"value": 2.0, "tolerance": {"abs": 0.05, "why": "two digits"}, "erratum": "misprint"}}},
    {"id": "end", "quantity": "outcome", "unit": "-", "values": {"exact": "down"}}
  ],
  "cells": 5
}"#;

fn fall(table: &Table, _: &Context) -> anyhow::Result<Outcome> {
    let (h, g) = (table.input("drop_m")?, table.input("g_m_s2")?);
    let mut outcome = Outcome::new();
    outcome.set("v", "ours", (2.0 * g * h).sqrt());
    outcome.set("t", "ours", (2.0 * h / g).sqrt());
    outcome.set("end", "ours", "down");
    Ok(outcome)
}

fn not_a_number(table: &Table, context: &Context) -> anyhow::Result<Outcome> {
    let mut outcome = fall(table, context)?;
    outcome.set("v", "ours", f64::NAN);
    Ok(outcome)
}

fn forgets_a_row(_: &Table, _: &Context) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::new();
    outcome.set("v", "ours", 10.0);
    outcome.set("end", "ours", "down");
    Ok(outcome)
}

fn breaks(_: &Table, _: &Context) -> anyhow::Result<Outcome> {
    anyhow::bail!("the engine stopped")
}

type Run = fn(&Table, &Context) -> anyhow::Result<Outcome>;

fn folder(text: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("toy")).unwrap();
    std::fs::write(root.path().join("toy/fall.json"), text).unwrap();
    root
}

fn open(root: &Path, run: Run) -> anyhow::Result<Suite> {
    Suite::open(
        root,
        &[Case {
            id: "toy/fall",
            run,
        }],
    )
}

fn report(text: &str, run: Run) -> Report {
    let suite = open(folder(text).path(), run).unwrap();
    suite.run(None, &Context::default()).unwrap()
}

fn verdicts(report: &Report) -> Vec<Verdict> {
    report.tables[0].cells.iter().map(|c| c.verdict).collect()
}

#[test]
fn the_truth_holds() {
    let report = report(TRUTH, fall);
    assert!(report.holds(), "{}", report.summary());
    use Verdict::{Erratum, Pass};
    assert_eq!(verdicts(&report), [Pass, Pass, Pass, Erratum, Pass]);
}

#[test]
fn a_table_shifted_by_three_tolerances_fails_in_each_shifted_cell() {
    let shifted = TRUTH
        .replace("\"exact\": 10.0", "\"exact\": 10.00000003")
        .replace("\"value\": 10.02", "\"value\": 10.17")
        .replace("\"exact\": 1.0", "\"exact\": 0.999999997");
    let report = report(&shifted, fall);
    assert!(!report.holds());
    use Verdict::{Erratum, Fail, Pass};
    assert_eq!(verdicts(&report), [Fail, Fail, Fail, Erratum, Pass]);
}

#[test]
fn a_word_that_differs_fails() {
    let report = report(&TRUTH.replace("\"down\"", "\"up\""), fall);
    assert_eq!(verdicts(&report)[4], Verdict::Fail);
    assert!(!report.holds());
}

#[test]
fn an_erratum_that_agrees_after_all_fails() {
    let report = report(&TRUTH.replace("\"value\": 2.0", "\"value\": 1.0"), fall);
    assert_eq!(verdicts(&report)[3], Verdict::ErratumAgrees);
    assert!(!report.holds());
}

#[test]
fn nan_fails() {
    let report = report(TRUTH, not_a_number);
    assert_eq!(verdicts(&report)[0], Verdict::Invalid);
    assert!(!report.holds());
}

#[test]
fn a_missing_row_fails() {
    let report = report(TRUTH, forgets_a_row);
    assert_eq!(
        verdicts(&report)[2..4],
        [Verdict::Missing, Verdict::Missing]
    );
    assert!(!report.holds());
}

#[test]
fn a_case_that_breaks_fails() {
    let report = report(TRUTH, breaks);
    assert!(!report.holds());
    assert!(report.summary().contains("the engine stopped"));
}

#[test]
fn a_missing_case_is_an_error() {
    let error = Suite::open(folder(TRUTH).path(), &[]).unwrap_err();
    assert!(
        format!("{error:#}").contains("a table without a case"),
        "{error:#}"
    );
}

#[test]
fn a_missing_table_is_an_error() {
    let root = tempfile::tempdir().unwrap();
    let error = open(root.path(), fall).unwrap_err();
    assert!(format!("{error:#}").contains("has no table"), "{error:#}");
}

#[test]
fn a_dropped_cell_is_an_error() {
    let dropped = TRUTH.replace(
        "{\"id\": \"end\", \"quantity\": \"outcome\", \"unit\": \"-\", \"values\": {\"exact\": \"down\"}}",
        "",
    );
    let dropped = dropped.replace("\"misprint\"}}},\n    \n", "\"misprint\"}}}\n");
    let error = open(folder(&dropped).path(), fall).unwrap_err();
    assert!(
        format!("{error:#}").contains("4 cells; accepted: the stated 5"),
        "{error:#}"
    );
}

#[test]
fn bad_tables_are_refused_with_the_reason() {
    for (from, to, reason) in [
        ("\"schema\": 1", "\"schema\": 2", "accepted: 1"),
        ("toy/fall", "toy/other", "its place"),
        (
            "\"why\": \"two digits\"",
            "\"why\": \" \"",
            "without a reason",
        ),
        ("\"abs\": 0.05, ", "\"abs\": 0.0, ", "finite and positive"),
        ("\"claim\"", "\"clam\"", "unknown field"),
        ("\"exact\": 1.0", "\"exakt\": 1.0", "no column 'exakt'"),
        ("\"id\": \"t\"", "\"id\": \"v\"", "two rows"),
        ("\"rel\": 1e-9", "\"rel\": -1", "finite and positive"),
    ] {
        let bad = TRUTH.replacen(from, to, 1);
        let error = format!("{:#}", open(folder(&bad).path(), fall).unwrap_err());
        assert!(error.contains(reason), "{to}: {error}");
    }
}

#[test]
fn a_filter_that_matches_nothing_is_an_error() {
    let suite = open(folder(TRUTH).path(), fall).unwrap();
    assert!(suite.run(Some("nothing"), &Context::default()).is_err());
}

#[test]
fn reports_are_whole() {
    let report = report(TRUTH, fall);
    let root = tempfile::tempdir().unwrap();
    report.write_json(&root.path().join("all.json")).unwrap();
    report.write_markdown(root.path()).unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(root.path().join("all.json")).unwrap())
            .unwrap();
    let cell = &json["tables"][0]["cells"][1];
    assert_eq!(cell["column"], "print");
    assert_eq!(cell["verdict"], "pass");
    assert_eq!(cell["why"], "two digits");
    let read = |name: &str| std::fs::read_to_string(root.path().join(name)).unwrap();
    let (chapter, cells) = (read("verification.md"), read("cells/toy.md"));
    assert!(chapter.contains("`toy/fall`") && chapter.contains("**1 of 1 tables hold"));
    assert!(cells.contains("toy/fall") && cells.contains("misprint"));
}

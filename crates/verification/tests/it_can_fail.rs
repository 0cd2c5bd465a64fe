//! A verifier that cannot fail verifies nothing: every way to be wrong must be seen.

use std::path::Path;

use klast_comparison::{Case, Claim, Context, Outcome, Report, Suite, Table, Verdict};

/// Free fall from 5 m: v = √(2 g h), t = √(2 h / g), with g = 10 so that the truth is exact.
const TRUTH: &str = r#"{
  "schema": 1, "id": "toy/fall", "title": "Free fall", "claim": "A drop of 5 m",
  "source": {"document": "Galilei 1638", "place": "-", "obtained": "closed form"},
  "inputs": {"drop_m": 5.0, "g_m_s2": 10.0},
  "columns": [
    {"id": "exact", "kind": "closed_form", "against": "ours",
     "tolerance": {"abs": 1e-9, "rel": 1e-9, "why": "rounding"}},
    {"id": "print", "kind": "published", "against": "ours", "printed": {"inputs": "stated", "shown": "number"}}
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

/// The error of an engine.
const STOPPED: &str = "the engine stopped";

fn breaks(_: &Table, _: &Context) -> anyhow::Result<Outcome> {
    anyhow::bail!(STOPPED)
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
    use Verdict::{Exact, Misprint, Reproduced};
    assert_eq!(
        verdicts(&report),
        [Exact, Reproduced, Exact, Misprint, Exact]
    );
}

#[test]
fn a_table_shifted_by_three_tolerances_fails_in_each_shifted_cell() {
    let shifted = TRUTH
        .replace("\"exact\": 10.0", "\"exact\": 10.00000003")
        .replace("\"value\": 10.02", "\"value\": 10.17")
        .replace("\"exact\": 1.0", "\"exact\": 0.999999997");
    let report = report(&shifted, fall);
    assert!(!report.holds());
    use Verdict::{Exact, Fail, Misprint};
    assert_eq!(verdicts(&report), [Fail, Fail, Fail, Misprint, Exact]);
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
    assert_eq!(verdicts(&report)[3], Verdict::AgreesAfterAll);
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
    assert!(report.summary().contains(STOPPED));
}

#[test]
fn a_missing_case_is_an_error() {
    let error = Suite::open(folder(TRUTH).path(), &[]).unwrap_err();
    assert!(format!("{error:#}").contains("toy/fall"), "{error:#}");
}

#[test]
fn a_missing_table_is_an_error() {
    let root = tempfile::tempdir().unwrap();
    let error = open(root.path(), fall).unwrap_err();
    assert!(format!("{error:#}").contains("toy/fall"), "{error:#}");
}

#[test]
fn a_dropped_cell_is_an_error() {
    let dropped = TRUTH.replace(
        "{\"id\": \"end\", \"quantity\": \"outcome\", \"unit\": \"-\", \"values\": {\"exact\": \"down\"}}",
        "",
    );
    let dropped = dropped.replace("\"misprint\"}}},\n    \n", "\"misprint\"}}}\n");
    let error = open(folder(&dropped).path(), fall).unwrap_err();
    let said = format!("{error:#}");
    assert!(said.contains("4 cells") && said.contains('5'), "{said}");
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
    assert_eq!(cell["verdict"], "reproduced");
    assert_eq!(cell["why"], "two digits");
    let read = |name: &str| std::fs::read_to_string(root.path().join(name)).unwrap();
    assert_eq!(json["counts"]["printed"]["misprints"], 1);
    assert_eq!(json["counts"]["reference"]["agree"], 3);
    let (chapter, cells) = (read("verification.md"), read("cells/toy.md"));
    assert!(chapter.contains("`toy/fall`") && chapter.contains("**1 of 1"));
    assert!(cells.contains("toy/fall") && cells.contains("misprint"));
}

/// Three claims and a pin on one quantity: 10 m/s, of which the document shows another range for a stated reason.
const CLAIMS: &str = r#"{
  "schema": 1, "id": "toy/fall", "title": "Free fall", "claim": "A drop of 5 m",
  "source": {"document": "Galilei 1638", "place": "-", "obtained": "closed form"},
  "inputs": {"drop_m": 5.0, "g_m_s2": 10.0},
  "columns": [
    {"id": "print", "kind": "published", "against": "ours", "printed": {"inputs": "stated", "shown": "number"}},
    {"id": "exact", "kind": "closed_form", "against": "ours",
     "tolerance": {"abs": 1e-9, "rel": 1e-9, "why": "rounding"}},
    {"id": "shipped", "kind": "as_shipped", "against": "ours",
     "tolerance": {"abs": 1e-9, "rel": 1e-9, "why": "rounding"}},
    {"id": "golden", "kind": "pinned", "against": "ours",
     "tolerance": {"abs": 0.5, "why": "a change of 1 m/s is news"}}
  ],
  "rows": [
    {"id": "v", "quantity": "v", "unit": "m/s", "values": {
      "print": {"value": [11, 12], "not_reproduced": "the drop was longer",
        "acceptance": {"from": 9.5, "to": 10.5, "why": "5 % of air"}},
      "exact": 10.0, "shipped": 10.0, "golden": 10.1}}
  ],
  "cells": 4
}"#;

#[test]
fn three_claims_are_counted_apart_and_a_band_of_ours_is_no_reproduction() {
    let report = report(CLAIMS, fall);
    assert!(report.holds(), "{}", report.summary());
    use Verdict::{AsShipped, Exact, Kept, NotReproduced};
    assert_eq!(verdicts(&report), [NotReproduced, Exact, AsShipped, Kept]);
    for (claim, agree) in Claim::ALL.into_iter().zip([0, 1, 1, 1]) {
        let count = report.count(claim);
        assert_eq!((count.of, count.agree), (1, agree), "{claim:?}");
    }
    let row = report.tables[0].rows()[0];
    assert_eq!(row.printed, Some(NotReproduced));
    assert_eq!(row.shipped, Some(AsShipped));
    let lines = report.summary();
    let told = |line: &str| {
        ["toy/fall v", "11 to 12", "10"]
            .iter()
            .all(|mark| line.contains(mark))
    };
    assert!(lines.lines().any(told), "{lines}");
}

#[test]
fn a_wrong_printed_value_a_wrong_band_and_a_changed_pin_fail() {
    use Verdict::{AgreesAfterAll, Fail, OutsideAcceptance};
    for (from, to, cell, verdict) in [
        // The print now says what we get: the reason explains a difference that is none.
        ("[11, 12]", "[9, 12]", 0, AgreesAfterAll),
        (", \"not_reproduced\": \"the drop was longer\"", "", 0, Fail),
        ("\"from\": 9.5", "\"from\": 10.1", 0, OutsideAcceptance),
        ("\"exact\": 10.0", "\"exact\": 10.1", 1, Fail),
        ("\"shipped\": 10.0", "\"shipped\": 10.1", 2, Fail),
        ("\"golden\": 10.1", "\"golden\": 11.0", 3, Fail),
    ] {
        let wrong = CLAIMS.replacen(from, to, 1);
        assert_ne!(wrong, CLAIMS, "{from}");
        let report = report(&wrong, fall);
        assert_eq!(verdicts(&report)[cell], verdict, "{to}");
        assert!(!report.holds(), "{to}");
    }
}

#[test]
fn a_reproduced_range_is_reproduced() {
    let agrees = CLAIMS.replacen("[11, 12]", "[9, 12]", 1);
    let agrees = agrees.replacen(", \"not_reproduced\": \"the drop was longer\"", "", 1);
    let agrees = agrees.replacen("\"not_reproduced\": \"the drop was longer\",", "", 1);
    let report = report(&agrees, fall);
    assert_eq!(verdicts(&report)[0], Verdict::Reproduced);
    assert!(report.holds());
}

#[test]
fn what_a_claim_may_not_say_is_refused() {
    for (from, to, reason) in [
        ("[11, 12]", "[12, 11]", "two ascending numbers"),
        ("the drop was longer", " ", "without a reason"),
        (
            "\"5 % of air\"",
            "\"\"",
            "an ascending band with its reason",
        ),
        (
            "\"exact\": 10.0",
            "\"exact\": {\"value\": 9.0, \"not_reproduced\": \"so\"}",
            "accepted: in a column of printed, measured or shipped values",
        ),
        (
            "\"exact\": 10.0",
            "\"exact\": {\"value\": 10.0, \"acceptance\": {\"from\": 1, \"to\": 20, \"why\": \"wide\"}}",
            "accepted: in a column of printed or measured values",
        ),
        (
            "\"shipped\": 10.0",
            "\"shipped\": {\"value\": 9.0, \"erratum\": \"so\"}",
            "accepted: in a column of printed, measured or reference values",
        ),
        (
            "\"cells\": 4",
            "\"cells\": 4, \"full\": true",
            "core_minutes",
        ),
    ] {
        let bad = CLAIMS.replacen(from, to, 1);
        assert_ne!(bad, CLAIMS, "{from}");
        let error = format!("{:#}", open(folder(&bad).path(), fall).unwrap_err());
        assert!(error.contains(reason), "{to}: {error}");
    }
}

#[test]
fn junit_shows_a_stated_difference_without_failing_and_a_failure_as_one() {
    let read = |text: &str| {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("junit.xml");
        report(text, fall).write_junit(&file).unwrap();
        std::fs::read_to_string(file).unwrap()
    };
    let good = read(CLAIMS);
    for count in ["tests=\"4\"", "failures=\"0\"", "errors=\"0\""] {
        assert!(good.contains(count), "{count}");
    }
    // The reason that the table states.
    let reason = CLAIMS.split("\"not_reproduced\": \"").nth(1).unwrap();
    assert!(good.contains(reason.split('"').next().unwrap()));
    let bad = read(&CLAIMS.replacen("\"golden\": 10.1", "\"golden\": 11.0", 1));
    assert!(bad.contains("failures=\"1\"") && bad.contains("<failure "));
}

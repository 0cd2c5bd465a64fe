//! `cargo xtask bench`: criterion's medians as one table, saved, compared, and in the docs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::page;
use crate::run::{cargo, target};

/// A change smaller than this is noise on a shared machine, whatever the spread says.
const NOISE: f64 = 0.10;

/// One benchmark: median and median absolute deviation in nanoseconds, and what is counted.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Measure {
    median_ns: f64,
    spread_ns: f64,
    elements: Option<u64>,
}

type Measures = BTreeMap<String, Measure>;

/// Runs the benches, writes the table, saves and compares.
pub fn bench(filter: Option<&str>, save: Option<&str>, compare: Option<&str>) -> Result<ExitCode> {
    let mut arguments = vec!["bench", "--workspace", "--benches"];
    if let Some(filter) = filter {
        arguments.extend(["--", filter]);
    }
    let started = std::time::SystemTime::now();
    if !cargo(&arguments, &[])?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let measures = collect(&target().join("criterion"), started)?;
    ensure!(!measures.is_empty(), "no benchmark ran");
    let table = table(&measures);
    println!("{table}");
    if filter.is_none() {
        page::insert_into("docs/src/benches.md", "bench table", &table)?;
    }
    if let Some(name) = save {
        let file = saved(name);
        std::fs::create_dir_all(file.parent().context("no folder")?)?;
        std::fs::write(&file, serde_json::to_string_pretty(&measures)?)?;
    }
    match compare {
        None => Ok(ExitCode::SUCCESS),
        Some(name) => {
            let file = saved(name);
            let text = std::fs::read_to_string(&file)
                .with_context(|| format!("nothing saved as '{name}' ({})", file.display()))?;
            print!("{}", changes(&serde_json::from_str(&text)?, &measures));
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn saved(name: &str) -> PathBuf {
    target().join("bench").join(format!("{name}.json"))
}

/// Every benchmark under criterion's folder that ran since `started`.
fn collect(folder: &Path, started: std::time::SystemTime) -> Result<Measures> {
    let mut measures = Measures::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if !path.is_dir() {
                continue;
            }
            let estimates = path.join("estimates.json");
            let fresh = |p: &Path| {
                p.metadata()
                    .and_then(|m| m.modified())
                    .is_ok_and(|t| t >= started)
            };
            if path.ends_with("new") && fresh(&estimates) {
                let (name, measure) = read(&path)?;
                measures.insert(name, measure);
            } else {
                open.push(path);
            }
        }
    }
    Ok(measures)
}

fn read(folder: &Path) -> Result<(String, Measure)> {
    let json = |file: &str| -> Result<serde_json::Value> {
        Ok(serde_json::from_str(&std::fs::read_to_string(
            folder.join(file),
        )?)?)
    };
    let (benchmark, estimates) = (json("benchmark.json")?, json("estimates.json")?);
    let number = |key: &str| {
        estimates[key]["point_estimate"]
            .as_f64()
            .with_context(|| format!("no {key}"))
    };
    let measure = Measure {
        median_ns: number("median")?,
        spread_ns: number("median_abs_dev")?,
        elements: benchmark["throughput"]["Elements"].as_u64(),
    };
    let name = benchmark["full_id"]
        .as_str()
        .context("a benchmark without a name")?;
    Ok((name.to_owned(), measure))
}

fn table(measures: &Measures) -> String {
    let mut text = String::from("| bench | median | spread | throughput |\n|---|---|---|---|\n");
    for (name, m) in measures {
        let rate = m.elements.map_or("–".to_owned(), |n| {
            format!("{} /s", short(n as f64 / m.median_ns * 1e9))
        });
        let spread = 100.0 * m.spread_ns / m.median_ns;
        let _ = writeln!(
            text,
            "| {name} | {} | {spread:.0} % | {rate} |",
            time(m.median_ns)
        );
    }
    text
}

fn changes(before: &Measures, now: &Measures) -> String {
    let mut text = String::new();
    for (name, m) in now {
        let Some(b) = before.get(name) else {
            let _ = writeln!(text, "new     {name}");
            continue;
        };
        let ratio = m.median_ns / b.median_ns;
        let noise = NOISE.max(3.0 * (m.spread_ns / m.median_ns + b.spread_ns / b.median_ns));
        let word = match ratio {
            r if r > 1.0 + noise => "SLOWER",
            r if r < 1.0 / (1.0 + noise) => "faster",
            _ => "same",
        };
        let _ = writeln!(
            text,
            "{word:<7} {name}: x{ratio:.2} (noise ±{:.0} %)",
            100.0 * noise
        );
    }
    for name in before.keys().filter(|n| !now.contains_key(*n)) {
        let _ = writeln!(text, "gone    {name}");
    }
    text
}

fn time(ns: f64) -> String {
    match ns {
        n if n < 1e3 => format!("{n:.1} ns"),
        n if n < 1e6 => format!("{:.2} µs", n / 1e3),
        n if n < 1e9 => format!("{:.2} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}

fn short(rate: f64) -> String {
    match rate {
        r if r < 1e3 => format!("{r:.1}"),
        r if r < 1e6 => format!("{:.1} thousand", r / 1e3),
        r => format!("{:.2} million", r / 1e6),
    }
}

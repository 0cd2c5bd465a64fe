//! `klast sweep`: every run of a grid of values.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use klast_runs::Progress as _;
use serde_json::Value;

use super::sheet::{self, Findings};
use super::{Point, Study, figures, number};
use crate::failure::input;
use crate::progress::Terminal;
use crate::session::Options;

/// Most runs of a sweep.
const MOST: usize = 10_000;

/// Arguments of `klast sweep`.
#[derive(Args)]
pub struct Sweep {
    /// Path of the scene; - for the standard input
    scene: PathBuf,
    /// A key and its values: KEY=A,B,C or KEY=FROM:TO:COUNT; state the option twice for two keys
    #[arg(long, required = true, value_name = "KEY=VALUES")]
    over: Vec<String>,
    /// Replace a value of the scene, for example materials.0.friction=0.5; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// `klast sweep SCENE --over KEY=VALUES`.
///
/// # Errors
/// Bad input; files that cannot be written.
pub fn sweep(arguments: &Sweep, options: &Options) -> Result<()> {
    let axes = input(
        arguments
            .over
            .iter()
            .map(|o| axis(o))
            .collect::<Result<Vec<_>>>(),
    )?;
    input(match axes.len() {
        1 | 2 => Ok(()),
        n => Err(anyhow::anyhow!(
            "--over {n} times; accepted: once for a curve, twice for a map"
        )),
    })?;
    let counts = axes.iter().map(|(_, values)| values.len());
    let runs = counts.fold(1, usize::saturating_mul);
    if runs > MOST {
        return input(Err(anyhow::anyhow!("{runs} runs; accepted: up to {MOST}")));
    }
    let keys = axes.iter().map(|(key, _)| key.clone()).collect();
    let study = input(Study::new(&arguments.scene, &arguments.set, keys, options))?;
    let grid = grid(&axes);
    input(study.check(grid.first().map_or(&[][..], Vec::as_slice)))?;
    let place = study.folder("sweep")?;
    let display = Terminal::new(options.quiet || options.json);
    display.begin("runs", grid.len() as u64);
    let mut points = Vec::new();
    for values in grid {
        points.push(study.run(values)?);
        display.add(1);
    }
    display.finish();
    let figure = match &axes[..] {
        [_] => figures::curves(&study.keys, &points, None)?,
        [rows, columns] => figures::map(&study.keys, (&rows.1, &columns.1), &points)?,
        _ => None,
    };
    let findings = Findings {
        command: "sweep",
        verdict: &verdict(&points),
        points: &points,
        figure,
    };
    sheet::write(&study, place, &findings)
}

/// All combinations of the values of the axes, the last axis fastest.
fn grid(axes: &[(String, Vec<Value>)]) -> Vec<Vec<Value>> {
    let mut grid = vec![Vec::new()];
    for (_, values) in axes {
        let longer = |head: Vec<Value>| {
            let with = move |v| [&head[..], std::slice::from_ref(v)].concat();
            values.iter().map(with)
        };
        grid = grid.into_iter().flat_map(longer).collect();
    }
    grid
}

/// The outcomes and the failures of all runs in words.
fn verdict(points: &[Point]) -> String {
    let mut outcomes: Vec<&str> = Vec::new();
    for answer in points.iter().filter_map(|p| p.answer.as_ref().ok()) {
        if !outcomes.contains(&answer.outcome.as_str()) {
            outcomes.push(&answer.outcome);
        }
    }
    let failed = points.iter().filter(|p| p.answer.is_err()).count();
    let mut verdict = match outcomes.len() {
        0 => "None of the runs came to an end.".to_owned(),
        1 if failed == 0 => format!("All {} runs say: {}.", points.len(), outcomes[0]),
        1 => format!(
            "All {} runs that came to an end say: {}.",
            points.len() - failed,
            outcomes[0]
        ),
        n => format!(
            "{n} outcomes in {} runs: {}.",
            points.len(),
            outcomes.join("; ")
        ),
    };
    if failed > 0 {
        verdict += &format!(" {failed} runs failed: see the table.");
    }
    verdict
}

/// `KEY=A,B,C` or `KEY=FROM:TO:COUNT`.
fn axis(text: &str) -> Result<(String, Vec<Value>)> {
    let accepted = "accepted: KEY=A,B,C or KEY=FROM:TO:COUNT, as materials.0.friction=0.3:0.6:7";
    let (key, values) = text
        .split_once('=')
        .with_context(|| format!("--over {text}; {accepted}"))?;
    let parts: Vec<&str> = values.split(':').collect();
    let list = match parts[..] {
        [from, to, count] => {
            let end = |t: &str| t.parse::<f64>().ok().filter(|x| x.is_finite());
            let count = count
                .parse::<usize>()
                .ok()
                .filter(|n| (2..=MOST).contains(n));
            let (Some(from), Some(to), Some(count)) = (end(from), end(to), count) else {
                bail!("--over {text}; {accepted}, 2 to {MOST} of them");
            };
            let at = |k: usize| from + (to - from) * k as f64 / (count - 1) as f64;
            (0..count).map(|k| number(at(k))).collect()
        }
        _ => {
            let value = |v: &str| serde_json::from_str(v).unwrap_or_else(|_| Value::from(v));
            values
                .split(',')
                .filter(|v| !v.is_empty())
                .map(value)
                .collect::<Vec<_>>()
        }
    };
    ensure!(
        !key.is_empty() && !list.is_empty(),
        "--over {text}; {accepted}"
    );
    Ok((key.to_owned(), list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_listed_or_spread() {
        let (key, values) = axis("a.0.b=1:2:3").unwrap();
        assert_eq!(
            (key.as_str(), values),
            ("a.0.b", vec![1.into(), 1.5.into(), 2.into()])
        );
        let (_, values) = axis("engine=no_slip,slide").unwrap();
        assert_eq!(values, ["no_slip", "slide"]);
        for wrong in ["a", "=1", "a=", "a=1:2:1", "a=1:x:3", "a=1:2:10001"] {
            assert!(axis(wrong).is_err(), "{wrong}");
        }
    }
}

//! `klast limit`: where a verdict changes along a key, by bisection.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::Args;
use klast_scenes::Progress as _;

use super::{Study, figures, number, sheet};
use crate::failure::input;
use crate::progress::Terminal;
use crate::session::Options;

/// Arguments of `klast limit`.
#[derive(Args)]
pub struct Limit {
    /// The scene; - for the standard input
    scene: PathBuf,
    /// The key
    #[arg(long, value_name = "KEY")]
    over: String,
    /// One end of the search
    #[arg(long, allow_hyphen_values = true)]
    from: f64,
    /// The other end, where the verdict is another
    #[arg(long, allow_hyphen_values = true)]
    to: f64,
    /// Width of the bracket at the end, over the distance of the two ends
    #[arg(long, default_value_t = 1e-3)]
    tolerance: f64,
    /// A value in place of the scene's, as materials.0.friction=0.5
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// `klast limit SCENE --over KEY --from A --to B`.
///
/// # Errors
/// Bad input; a verdict that is the same at both ends; files that cannot be written.
pub fn limit(arguments: &Limit, options: &Options) -> Result<()> {
    let good =
        arguments.from.is_finite() && arguments.to.is_finite() && arguments.from != arguments.to;
    let fine = (1e-12..0.5).contains(&arguments.tolerance);
    if !(good && fine) {
        return input(Err(anyhow::anyhow!(
            "--from {} --to {} --tolerance {}; accepted: two different numbers, a tolerance of 1e-12 to 0.5",
            arguments.from,
            arguments.to,
            arguments.tolerance
        )));
    }
    let keys = vec![arguments.over.clone()];
    let study = input(Study::new(&arguments.scene, &arguments.set, keys, options))?;
    input(study.check(&[number(arguments.from)]))?;
    input(study.check(&[number(arguments.to)]))?;
    let place = study.folder("limit")?;
    let display = Terminal::new(options.quiet || options.json);
    let steps = (1.0 / arguments.tolerance).log2().ceil() as u64;
    display.begin("runs", steps + 2);
    let mut points = Vec::new();
    let mut outcome = |at: f64| -> Result<String> {
        let point = study.run(vec![number(at)])?;
        display.add(1);
        let found = match &point.answer {
            Ok(answer) => answer.outcome.clone(),
            Err(error) => bail!("{} {at}: {error}", study.keys[0]),
        };
        points.push(point);
        Ok(found)
    };
    let (mut low, mut high) = (arguments.from, arguments.to);
    let (first, last) = (outcome(low)?, outcome(high)?);
    ensure!(
        first != last,
        "the verdict is the same at both ends ({first}): there is no limit to be found between them; other ends, or `klast sweep`, show more"
    );
    let mut others: Vec<String> = Vec::new();
    for _ in 0..steps {
        let middle = between(low, high);
        let found = outcome(middle)?;
        if found == first {
            low = middle;
        } else {
            high = middle;
            if found != last && !others.contains(&found) {
                others.push(found);
            }
        }
    }
    display.finish();
    let there = points.iter().find(|p| p.values[0].as_f64() == Some(high));
    let beyond = there
        .and_then(|p| p.answer.as_ref().ok())
        .map_or(last.clone(), |a| a.outcome.clone());
    let mut verdict = format!(
        "The verdict changes between {} = {} ({first}) and {} ({beyond}).",
        study.keys[0],
        digits(low, high - low),
        digits(high, high - low)
    );
    if !others.is_empty() {
        verdict += &format!(" Other outcomes between the ends: {}.", others.join("; "));
    }
    verdict += " If the verdict changes more than once between the ends, there are more limits than this one.";
    points.sort_by(|a, b| {
        a.values[0]
            .as_f64()
            .unwrap_or(0.0)
            .total_cmp(&b.values[0].as_f64().unwrap_or(0.0))
    });
    let svg = figures::curves(&study.keys, &points, Some((low, high)))?;
    sheet::write(&study, place, "limit", &verdict, &points, svg)
}

/// The middle of two numbers with two digits more than their distance has, as a user would write it.
fn between(low: f64, high: f64) -> f64 {
    let places = 2.0 - (high - low).abs().log10().floor();
    let middle = 0.5 * (low + high);
    if !(0.0..=15.0).contains(&places) {
        return middle;
    }
    let written = format!("{middle:.*}", places as usize);
    written.parse().unwrap_or(middle)
}

/// As many digits as tell two numbers of a distance apart.
fn digits(x: f64, distance: f64) -> String {
    let places = (1.0 - distance.abs().max(1e-12).log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{x:.places$}")
}

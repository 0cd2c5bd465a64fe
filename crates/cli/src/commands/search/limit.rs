//! `klast limit`: where a verdict changes along a key, by bisection.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::Args;
use klast_runs::Progress as _;

use super::sheet::{self, Findings};
use super::{Point, Study, figures, number};
use crate::failure::input;
use crate::progress::Terminal;
use crate::session::Options;

/// Arguments of `klast limit`.
#[derive(Args)]
pub struct Limit {
    /// Path of the scene; - for the standard input
    scene: PathBuf,
    /// Key of the scene whose value is varied, for example materials.0.friction
    #[arg(long, value_name = "KEY")]
    over: String,
    /// Value of the key at one end of the search
    #[arg(long, allow_hyphen_values = true)]
    from: f64,
    /// Value of the key at the other end of the search, where the verdict differs
    #[arg(long, allow_hyphen_values = true)]
    to: f64,
    /// Width of the bracket at which the search ends, over the distance between FROM and TO
    #[arg(long, default_value_t = 1e-3)]
    tolerance: f64,
    /// Replace a value of the scene, for example materials.0.friction=0.5; may be repeated
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
    let bracket = Bracket::find(&study, (arguments.from, arguments.to), steps, &display)?;
    display.finish();
    let verdict = bracket.verdict(&study.keys[0]);
    let ends = (bracket.low, bracket.high);
    let mut points = bracket.points;
    let value = |p: &Point| p.values[0].as_f64().unwrap_or(0.0);
    points.sort_by(|a, b| value(a).total_cmp(&value(b)));
    let findings = Findings {
        command: "limit",
        verdict: &verdict,
        figure: figures::curves(&study.keys, &points, Some(ends))?,
        points: &points,
    };
    sheet::write(&study, place, &findings)
}

/// Two values of the key between which the outcome changes.
struct Bracket {
    low: f64,
    high: f64,
    /// Outcome at `low`, which is that at the first end.
    first: String,
    /// Outcome at `high`.
    beyond: String,
    /// Outcomes between the ends that are at neither.
    others: Vec<String>,
    points: Vec<Point>,
}

impl Bracket {
    /// Halves the distance of two ends as often as is wanted.
    fn find(study: &Study, ends: (f64, f64), steps: u64, display: &Terminal) -> Result<Self> {
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
        let (mut low, mut high) = ends;
        let (first, last) = (outcome(low)?, outcome(high)?);
        ensure!(
            first != last,
            "the verdict is the same at both ends ({first}): there is no limit to be found between them; other ends, \
             or `klast sweep`, show more"
        );
        let mut beyond = last.clone();
        let mut others: Vec<String> = Vec::new();
        for _ in 0..steps {
            let middle = between(low, high);
            let found = outcome(middle)?;
            if found == first {
                low = middle;
                continue;
            }
            if found != last && !others.contains(&found) {
                others.push(found.clone());
            }
            (high, beyond) = (middle, found);
        }
        Ok(Self {
            low,
            high,
            first,
            beyond,
            others,
            points,
        })
    }

    fn verdict(&self, key: &str) -> String {
        let width = self.high - self.low;
        let mut verdict = format!(
            "The verdict changes between {key} = {} ({}) and {} ({}).",
            digits(self.low, width),
            self.first,
            digits(self.high, width),
            self.beyond
        );
        if !self.others.is_empty() {
            verdict += &format!(
                " Other outcomes between the ends: {}.",
                self.others.join("; ")
            );
        }
        verdict
            + " If the verdict changes more than once between the ends, there are more limits than this one."
    }
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

//! `klast sweep` and `klast limit`: a scene of any kind over values of its keys.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use klast_plot::{Axis, Cells, HeatMap, LineChart, Series, line_colour, stack};
use klast_report::{Page, Section, Table, introduce};
use klast_scenes::answer::{Answer, short};
use klast_scenes::files::{Files as _, FilesExt as _, Folder};
use klast_scenes::manifest::MANIFEST;
use klast_scenes::{Progress as _, Scene};
use serde_json::Value;

use crate::failure::input;
use crate::interrupt::interrupted;
use crate::progress::Terminal;
use crate::scene_file;
use crate::session::{Options, earlier_files};
use crate::terminal::stdout_line;

/// Most runs of a sweep.
const MOST: usize = 10_000;

/// Arguments of `klast sweep`.
#[derive(Args)]
pub struct Sweep {
    /// The scene; - for the standard input
    scene: PathBuf,
    /// A key and its values: KEY=A,B,C or KEY=FROM:TO:COUNT; twice for a map
    #[arg(long, required = true, value_name = "KEY=VALUES")]
    over: Vec<String>,
    /// A value in place of the scene's, as materials.0.friction=0.5
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

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

/// One run: its values of the keys and what it answered.
struct Point {
    values: Vec<Value>,
    answer: Result<Answer, String>,
}

/// The scene that is run again and again.
struct Study<'a> {
    scene: Scene,
    value: Value,
    keys: Vec<String>,
    options: &'a Options,
}

impl<'a> Study<'a> {
    fn new(
        path: &std::path::Path,
        sets: &[String],
        keys: Vec<String>,
        options: &'a Options,
    ) -> Result<Self> {
        let (scene, _) = scene_file::read(path, sets)?;
        let value = serde_json::from_str(&scene.text().text)?;
        Ok(Self {
            scene,
            value,
            keys,
            options,
        })
    }

    /// A scene with these values, checked.
    fn job(&self, values: &[Value]) -> Result<Box<dyn klast_scenes::Job>> {
        let mut value = self.value.clone();
        for (key, new) in self.keys.iter().zip(values) {
            scene_file::put(&mut value, key, new.clone())?;
        }
        let (scene, _) = scene_file::with(&self.scene, &value)?;
        scene.job()
    }

    fn run(&self, values: Vec<Value>) -> Result<Point> {
        if interrupted() {
            bail!(klast_scenes::job::Interrupted);
        }
        let answered = || -> Result<Answer> {
            let job = self.job(&values)?;
            let mut files = klast_scenes::files::Memory::default();
            let mut run = klast_scenes::Run::new(&klast_scenes::Silent, &mut files);
            run.seed = self.options.seed.filter(|_| job.draws());
            let results = job.run(&mut run)?;
            results.answer().context("a part of a run has no answer")
        };
        Ok(Point {
            answer: answered().map_err(|e| format!("{e:#}")),
            values,
        })
    }

    /// Where the results go.
    fn folder(&self, what: &str) -> Result<(PathBuf, Vec<String>)> {
        let stem = std::path::Path::new(&self.scene.text().name).file_stem();
        let stem = stem.unwrap_or("scene".as_ref()).to_string_lossy();
        let named = || std::path::Path::new("out").join(format!("{stem}-{what}"));
        let folder = self.options.out.clone().unwrap_or_else(named);
        let earlier = input(earlier_files(&folder))?;
        Ok((folder, earlier))
    }
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
    let keys = axes.iter().map(|(key, _)| key.clone()).collect();
    let study = input(Study::new(&arguments.scene, &arguments.set, keys, options))?;
    let mut grid: Vec<Vec<Value>> = vec![Vec::new()];
    for (_, values) in &axes {
        grid = grid
            .into_iter()
            .flat_map(|head| {
                values
                    .iter()
                    .map(move |v| [&head[..], std::slice::from_ref(v)].concat())
            })
            .collect();
    }
    if grid.len() > MOST {
        return input(Err(anyhow::anyhow!(
            "{} runs; accepted: up to {MOST}",
            grid.len()
        )));
    }
    // What is wrong at the first point is wrong with the command.
    input(
        study
            .job(grid.first().map_or(&[][..], Vec::as_slice))
            .map(|_| ()),
    )?;
    let place = study.folder("sweep")?;
    let display = Terminal::new(options.quiet || options.json);
    display.begin("runs", grid.len() as u64);
    let mut points = Vec::new();
    for values in grid {
        points.push(study.run(values)?);
        display.add(1);
    }
    display.finish();
    let mut outcomes: Vec<&str> = Vec::new();
    for answer in points.iter().filter_map(|p| p.answer.as_ref().ok()) {
        if !outcomes.contains(&answer.outcome.as_str()) {
            outcomes.push(&answer.outcome);
        }
    }
    let failed = points.iter().filter(|p| p.answer.is_err()).count();
    let mut verdict = match outcomes.len() {
        0 => "None of the runs came to an end.".to_owned(),
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
    let svg = match &axes[..] {
        [_] => curves(&study.keys, &points, None)?,
        [rows, columns] => map(&study.keys, (&rows.1, &columns.1), &points)?,
        _ => None,
    };
    write(&study, place, "sweep", &verdict, &points, svg)
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
    input(study.job(&[number(arguments.from)]).map(|_| ()))?;
    input(study.job(&[number(arguments.to)]).map(|_| ()))?;
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
        let middle = 0.5 * (low + high);
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
        "{} between {} and {}: {first} at the first, {beyond} at the second.",
        study.keys[0],
        digits(low, high - low),
        digits(high, high - low)
    );
    if !others.is_empty() {
        verdict += &format!(" Other outcomes on the way: {}.", others.join("; "));
    }
    verdict +=
        " A verdict that changes more than once between the ends has more limits than this one.";
    points.sort_by(|a, b| {
        a.values[0]
            .as_f64()
            .unwrap_or(0.0)
            .total_cmp(&b.values[0].as_f64().unwrap_or(0.0))
    });
    let svg = curves(&study.keys, &points, Some((low, high)))?;
    write(&study, place, "limit", &verdict, &points, svg)
}

/// A number as a scene writes it: without a fraction where it has none, so that a key that counts takes it.
fn number(x: f64) -> Value {
    match x.fract() == 0.0 && x.abs() < 9e15 {
        true => Value::from(x as i64),
        false => Value::from(x),
    }
}

/// As many digits as tell two numbers of a distance apart.
fn digits(x: f64, distance: f64) -> String {
    let places = (1.0 - distance.abs().max(1e-12).log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{x:.places$}")
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

/// The three figures over the key, and the bracket of a limit; none where the values are no numbers.
fn curves(
    keys: &[String],
    points: &[Point],
    bracket: Option<(f64, f64)>,
) -> Result<Option<String>> {
    let answered: Vec<(f64, &Answer)> = points
        .iter()
        .filter_map(|p| Some((p.values.first()?.as_f64()?, p.answer.as_ref().ok()?)))
        .collect();
    let mut outcomes: Vec<&str> = answered.iter().map(|(_, a)| a.outcome.as_str()).collect();
    outcomes.dedup();
    outcomes.sort_unstable();
    outcomes.dedup();
    let mut charts = Vec::new();
    for k in 0..3 {
        let Some((_, first)) = answered.first() else {
            break;
        };
        let figure = &first.figures[k];
        let label = format!(
            "{} [{}]",
            figure.quantity,
            if figure.unit.is_empty() {
                "-"
            } else {
                figure.unit
            }
        );
        let values = || {
            answered
                .iter()
                .filter_map(|(x, a)| Some((*x, a.figures[k].value?, a.outcome.as_str())))
        };
        if values().count() == 0 {
            continue;
        }
        let line = values().map(|(x, y, _)| (x, y)).collect();
        let mut chart = LineChart::new("", Axis::new(&keys[0]), Axis::new(&label))
            .height(300)
            .with(Series::line("", line).coloured(klast_plot::FIXED));
        for (rank, outcome) in outcomes.iter().enumerate() {
            let own: Vec<(f64, f64)> = values()
                .filter(|v| v.2 == *outcome)
                .map(|(x, y, _)| (x, y))
                .collect();
            if !own.is_empty() {
                chart = chart.with(Series::points(outcome, own).coloured(line_colour(rank + 1)));
            }
        }
        if let Some((low, high)) = bracket {
            let ends = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
                (a.min(v.1), b.max(v.1))
            });
            let at = 0.5 * (low + high);
            chart = chart.with(
                Series::dashed("limit", vec![(at, ends.0), (at, ends.1)]).coloured(line_colour(0)),
            );
        }
        charts.push(chart.svg()?);
    }
    Ok((!charts.is_empty()).then(|| stack(&charts, 1)))
}

/// The outcome over two keys.
fn map(
    keys: &[String],
    (rows, columns): (&[Value], &[Value]),
    points: &[Point],
) -> Result<Option<String>> {
    let ends = |values: &[Value]| -> Option<(f64, f64)> {
        let (first, last) = (values.first()?.as_f64()?, values.last()?.as_f64()?);
        let half = 0.5 * (last - first) / (values.len().max(2) - 1) as f64;
        (half > 0.0).then_some((first - half, last + half))
    };
    let (Some(y), Some(x)) = (ends(rows), ends(columns)) else {
        return Ok(None);
    };
    let mut names: Vec<String> = Vec::new();
    let index = points
        .iter()
        .map(|p| {
            let name = p.answer.as_ref().map_or("failed", |a| a.outcome.as_str());
            let known = names.iter().position(|n| n == name);
            known.unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            }) as u8
        })
        .collect();
    let cells = Cells::Classes { names, index };
    let (x, y) = (
        Axis::new(&keys[1]).range(x.0, x.1),
        Axis::new(&keys[0]).range(y.0, y.1),
    );
    let map = HeatMap::new("Outcome", x, y, (columns.len(), rows.len()), cells);
    Ok(Some(map.svg()?))
}

/// The table, the figure, the page and the manifest, and the verdict on the terminal.
fn write(
    study: &Study,
    (folder, earlier): (PathBuf, Vec<String>),
    what: &str,
    verdict: &str,
    points: &[Point],
    svg: Option<String>,
) -> Result<()> {
    let mut files = Folder::open(&folder)?;
    let _lock = input(files.lock())?;
    let names = points.iter().find_map(|p| p.answer.as_ref().ok());
    let quantities: Vec<String> = names.map_or_else(Vec::new, |a| {
        let told = a.figures.iter().map(|f| {
            format!(
                "{} [{}]",
                f.quantity,
                if f.unit.is_empty() { "-" } else { f.unit }
            )
        });
        told.collect()
    });
    let mut header = study.keys.clone();
    header.push("outcome".to_owned());
    header.extend(quantities.iter().cloned());
    header.push("verdict".to_owned());
    let plain = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    let row = |p: &Point| -> Vec<String> {
        let mut cells: Vec<String> = p.values.iter().map(plain).collect();
        match &p.answer {
            Ok(answer) => {
                cells.push(answer.outcome.clone());
                cells.extend(
                    answer
                        .figures
                        .iter()
                        .map(|f| f.value.map_or(String::new(), |v| v.to_string())),
                );
                cells.push(answer.verdict.replace('\n', " "));
            }
            Err(error) => {
                cells.push("failed".to_owned());
                cells.extend(quantities.iter().map(|_| String::new()));
                cells.push(error.clone());
            }
        }
        cells
    };
    let rows: Vec<Vec<String>> = points.iter().map(row).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header)?;
    for row in &rows {
        writer.write_record(row)?;
    }
    files.bytes(&format!("{what}.csv"), &writer.into_inner()?)?;
    let title = format!(
        "{}: {what} over {}",
        study.scene.kind().name.replace('_', " "),
        study.keys.join(" and ")
    );
    let mut page = Page::new(&title);
    introduce(&study.scene, &mut page);
    page.about.date = Some(crate::date::today());
    page.text(Section::Results, verdict);
    if let Some(svg) = &svg {
        files.text(&format!("{what}.svg"), svg)?;
        page.figure(
            svg,
            "What the runs answer over the values of the key; each point is one run.",
        );
    }
    let shown = |cell: &String| cell.parse::<f64>().map_or_else(|_| cell.clone(), short);
    let table = Table {
        header: header.iter().map(|h| split(h)).collect(),
        rows: rows
            .iter()
            .take(400)
            .map(|r| r.iter().map(shown).collect())
            .collect(),
    };
    page.table(Section::Results, table);
    files.text("index.html", &page.html())?;
    for name in earlier.iter().filter(|name| !files.names().contains(name)) {
        let _ = std::fs::remove_file(folder.join(name));
    }
    let manifest = serde_json::json!({
        "klast": env!("CARGO_PKG_VERSION"), "kind": study.scene.kind().name, "command": what, "scene": study.scene.text().name,
        "scene_sha256": study.scene.text().sha256(), "complete": true, "verdict": verdict, "files": files.names(),
    });
    files.json(MANIFEST, &manifest)?;
    if study.options.json {
        let objects: Vec<Value> = rows
            .iter()
            .map(|r| {
                header
                    .iter()
                    .cloned()
                    .zip(r.iter().map(|c| Value::from(c.as_str())))
                    .collect()
            })
            .collect();
        stdout_line(serde_json::to_string_pretty(
            &serde_json::json!({"verdict": verdict, "runs": objects}),
        )?)?;
    } else if !study.options.quiet {
        for row in &rows {
            stdout_line(format_args!(
                "  {:<24} {}",
                row[..study.keys.len()].join(", "),
                row[study.keys.len()]
            ))?;
        }
        stdout_line(verdict)?;
        stdout_line(format_args!(
            "results: {}",
            folder.join("index.html").display()
        ))?;
    }
    Ok(())
}

/// A heading such as `energy [J]` as words and unit.
fn split(heading: &str) -> (String, String) {
    match heading.rsplit_once(" [") {
        Some((words, unit)) => (
            words.to_owned(),
            unit.trim_end_matches(']').trim_end_matches('-').to_owned(),
        ),
        None => (heading.to_owned(), String::new()),
    }
}

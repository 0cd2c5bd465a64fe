//! `klast plot`: a picture of the columns of a CSV file.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use klast_plot::{Axis, LineChart, Series};

use crate::failure::input;
use crate::terminal::stdout_line;
use klast_scenes::files::{FilesExt as _, Folder};

/// What to draw.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A CSV file with a header
    pub file: PathBuf,
    /// Column of the horizontal axis; the first without it
    #[arg(long)]
    pub x: Option<String>,
    /// Columns to draw; all others that hold numbers without it
    #[arg(long)]
    pub y: Vec<String>,
    /// Logarithmic horizontal axis
    #[arg(long)]
    pub log_x: bool,
    /// Logarithmic vertical axis
    #[arg(long)]
    pub log_y: bool,
    /// Dots in place of lines
    #[arg(long)]
    pub points: bool,
    /// The picture; the CSV's name with .svg without it
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Draws the picture and says where it is.
///
/// # Errors
/// A file that is not a table of numbers, an unknown column, nothing to draw.
pub fn run(arguments: &Arguments) -> Result<()> {
    let chart = input(chart(arguments))?;
    let svg = input(chart.svg())?;
    let path = arguments
        .svg
        .clone()
        .unwrap_or_else(|| arguments.file.with_extension("svg"));
    let name = path
        .file_name()
        .and_then(|n| n.to_str())
        .context("--svg: not a file name")?;
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    Folder::open(folder)?.text(name, &svg)?;
    stdout_line(path.display())?;
    Ok(())
}

fn chart(arguments: &Arguments) -> Result<LineChart> {
    let name = arguments.file.display().to_string();
    let bytes = klast_scenes::reading::bytes(&arguments.file)?;
    let text = klast_scenes::formats::text::ascii(&bytes).with_context(|| name.clone())?;
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let header: Vec<String> = reader
        .headers()
        .with_context(|| name.clone())?
        .iter()
        .map(str::to_owned)
        .collect();
    ensure!(
        header.len() >= 2,
        "{name}: {} columns; accepted: two or more",
        header.len()
    );
    let rows = reader
        .records()
        .collect::<Result<Vec<_>, _>>()
        .with_context(|| name.clone())?;
    let column = |wanted: &str| {
        header.iter().position(|h| h == wanted).with_context(|| {
            format!(
                "{name}: no column '{wanted}'; accepted: {}",
                header.join(", ")
            )
        })
    };
    let x = arguments.x.as_deref().map_or(Ok(0), column)?;
    let chosen: Vec<usize> = if arguments.y.is_empty() {
        (0..header.len()).filter(|&i| i != x).collect()
    } else {
        arguments
            .y
            .iter()
            .map(|y| column(y))
            .collect::<Result<_>>()?
    };
    // Words and empty cells have no place on an axis: they break the line.
    let number = |row: &csv::StringRecord, i: usize| {
        row.get(i)
            .and_then(|t| t.trim().parse().ok())
            .unwrap_or(f64::NAN)
    };
    let axis = |label: &str, log| {
        if log {
            Axis::log(label)
        } else {
            Axis::new(label)
        }
    };
    let y_label = if let [one] = chosen[..] {
        header[one].as_str()
    } else {
        ""
    };
    let title = arguments
        .file
        .file_stem()
        .map_or(String::new(), |s| s.to_string_lossy().into_owned());
    let mut chart = LineChart::new(
        &title,
        axis(&header[x], arguments.log_x),
        axis(y_label, arguments.log_y),
    );
    for i in chosen {
        let points: Vec<_> = rows
            .iter()
            .map(|row| (number(row, x), number(row, i)))
            .collect();
        if points.iter().all(|p| p.1.is_nan()) {
            if arguments.y.is_empty() {
                continue;
            }
            bail!("{name}: column '{}' holds no number", header[i]);
        }
        chart.series.push(if arguments.points {
            Series::points(&header[i], points)
        } else {
            Series::line(&header[i], points)
        });
    }
    ensure!(
        !chart.series.is_empty(),
        "{name}: no column beside '{}' holds a number",
        header[x]
    );
    Ok(chart)
}

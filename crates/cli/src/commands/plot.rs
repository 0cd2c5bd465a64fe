//! `klast plot`: a picture of the columns of a CSV file.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
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
    /// Name of the column on the horizontal axis; the first column unless stated
    #[arg(long)]
    pub x: Option<String>,
    /// Names of the columns to draw; all other columns of numbers unless stated
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
    /// Path of the picture; the name of the CSV file with the ending .svg unless stated
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
    let table = Table::read(&arguments.file).with_context(|| name.clone())?;
    let column = |wanted: &str| table.column(wanted).with_context(|| name.clone());
    let x = arguments.x.as_deref().map_or(Ok(0), column)?;
    let every = arguments.y.is_empty();
    let chosen: Vec<usize> = match every {
        true => (0..table.header.len()).filter(|&i| i != x).collect(),
        false => arguments
            .y
            .iter()
            .map(|y| column(y))
            .collect::<Result<_>>()?,
    };
    let axis = |label: &str, log| match log {
        true => Axis::log(label),
        false => Axis::new(label),
    };
    let vertical = match chosen[..] {
        [one] => &table.header[one],
        _ => "",
    };
    let title = arguments.file.file_stem().map(|s| s.to_string_lossy());
    let mut chart = LineChart::new(
        &title.unwrap_or_default(),
        axis(&table.header[x], arguments.log_x),
        axis(vertical, arguments.log_y),
    );
    let across = table.numbers(x);
    for i in chosen {
        let values = table.numbers(i);
        if values.iter().all(|v| v.is_nan()) {
            ensure!(
                every,
                "{name}: column '{}' holds no number",
                table.header[i]
            );
            continue;
        }
        let points = across.iter().copied().zip(values).collect();
        chart.series.push(match arguments.points {
            true => Series::points(&table.header[i], points),
            false => Series::line(&table.header[i], points),
        });
    }
    ensure!(
        !chart.series.is_empty(),
        "{name}: no column beside '{}' holds a number",
        table.header[x]
    );
    Ok(chart)
}

/// A table of two columns or more.
struct Table {
    header: Vec<String>,
    rows: Vec<csv::StringRecord>,
}

impl Table {
    fn read(file: &Path) -> Result<Self> {
        let bytes = klast_files::reading::bytes(file)?;
        let text = klast_files::text::ascii(&bytes)?;
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let header: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
        ensure!(
            header.len() >= 2,
            "{} columns; accepted: two or more",
            header.len()
        );
        let rows = reader.records().collect::<Result<_, _>>()?;
        Ok(Self { header, rows })
    }

    fn column(&self, wanted: &str) -> Result<usize> {
        let found = self.header.iter().position(|h| h == wanted);
        let names = || self.header.join(", ");
        found.with_context(|| format!("no column '{wanted}'; accepted: {}", names()))
    }

    /// The numbers of a column: NaN for words and empty cells, which break a line.
    fn numbers(&self, column: usize) -> Vec<f64> {
        let number = |row: &csv::StringRecord| row.get(column)?.trim().parse().ok();
        let rows = self.rows.iter();
        rows.map(|row| number(row).unwrap_or(f64::NAN)).collect()
    }
}

//! The command: arguments, cost before, report after. `klast-verify` and `klast verify` are both this.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;

use klast_comparison::progress::Progress;
use klast_comparison::{Context, Report, Suite, Table, hash};

use crate::registry;

/// Runs the verification tables; succeeds only if every cell holds.
#[derive(Debug, Clone, Default, Args)]
pub struct Arguments {
    /// Only tables whose id contains this, or those of a document or chapter (`thesis`, `thesis/7`, `paper/4`)
    pub filter: Option<String>,
    /// Folder of tables to run instead of those inside the program
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Write every cell as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write every cell as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a Markdown report with its pictures, and `sheet.md`, the page to attach to a report of your own
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Run the long tables too; what they have finished is kept, so that a run that was stopped goes on
    #[arg(long)]
    pub full: bool,
    /// Say what would run and what it costs, and run nothing
    #[arg(long)]
    pub list: bool,
}

/// Runs it. False where a cell does not hold.
///
/// # Errors
/// Tables that do not fit, a filter that names none, a file that cannot be written.
pub fn verify(arguments: &Arguments) -> Result<bool> {
    let suite = match &arguments.tables {
        Some(folder) => Suite::open(folder, &registry::cases())?,
        None => crate::suite()?,
    };
    let filter = arguments.filter.as_deref();
    let chosen = suite.chosen(filter)?;
    if arguments.list {
        for table in &chosen {
            let long = if table.full { ", only with --full" } else { "" };
            println!("{:<36} {:>5} cells{long}", table.id, table.cells);
        }
    }
    if arguments.full {
        print!("{}", cost(&chosen));
    }
    if arguments.list {
        return Ok(true);
    }
    let context = Context {
        full: arguments.full,
        kept: arguments.full.then(kept_folder).transpose()?,
        progress: Progress::default(),
    };
    let report = context.progress.watch(|| suite.run(filter, &context))?;
    print!("{}", report.summary());
    write(&report, arguments)?;
    Ok(report.holds())
}

fn write(report: &Report, arguments: &Arguments) -> Result<()> {
    if let Some(file) = &arguments.json {
        report.write_json(file)?;
    }
    if let Some(file) = &arguments.junit {
        report.write_junit(file)?;
    }
    if let Some(folder) = &arguments.report {
        report.write_markdown(folder)?;
    }
    Ok(())
}

/// What the long tables cost.
fn cost(tables: &[&Table]) -> String {
    let long: Vec<_> = tables.iter().filter(|t| t.full).collect();
    let minutes = |t: &&&Table| t.core_minutes.unwrap_or(0.0);
    let mut text = String::new();
    for table in &long {
        text.push_str(&format!(
            "long {:<31} about {:.0} minutes of one core\n",
            table.id,
            minutes(table)
        ));
    }
    let total: f64 = long.iter().map(minutes).sum();
    text.push_str(&format!(
        "{} long tables, {:.1} core-hours in all; each is kept when it is done, and the shots of a study one by one\n",
        long.len(),
        total / 60.0
    ));
    text
}

/// Where finished long tables are kept: another build never reads them.
fn kept_folder() -> Result<PathBuf> {
    let program = std::env::current_exe().context("this program cannot be found")?;
    let bytes = std::fs::read(&program).with_context(|| program.display().to_string())?;
    let hash = hash(&bytes);
    let root: &Path = &klast_dem::Store::default_folder();
    let folder = root.join("verify").join(format!("{hash:016x}"));
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{}: cannot be made", folder.display()))?;
    Ok(folder)
}

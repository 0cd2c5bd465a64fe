//! `klast verify`: the tables of the source documents, run by the installed program.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use klast_verification::command;

/// What is run and what is written. The tables are inside the program.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Only tables whose id contains this, or those of a document or chapter (`thesis/7`, `paper/4`, `rocfall3`,
    /// `lumped`)
    filter: Option<String>,
    /// Write every cell as JSON
    #[arg(long, value_name = "FILE")]
    cells: Option<PathBuf>,
    /// Write every cell as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the report with its pictures and `sheet.md`, the page to attach to a report of your own
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Run the long tables too; a run that was stopped goes on
    #[arg(long)]
    full: bool,
    /// Say what would run and what it costs, and run nothing
    #[arg(long)]
    list: bool,
}

/// Runs the tables.
///
/// # Errors
/// A filter that names none, a file that cannot be written, a table that does not hold.
pub fn run(arguments: &Arguments) -> Result<()> {
    let holds = command::verify(&command::Arguments {
        filter: arguments.filter.clone(),
        tables: None,
        json: arguments.cells.clone(),
        junit: arguments.junit.clone(),
        report: arguments.report.clone(),
        full: arguments.full,
        list: arguments.list,
    })?;
    ensure!(holds, "a table does not hold: what fails stands above");
    Ok(())
}

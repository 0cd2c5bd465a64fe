//! Runs the verification tables against the product: `klast-verify [FILTER]`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use klast_verification::{Context, Suite, registry};

/// Runs the verification tables; exit code 0 only if every cell holds.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Only tables whose id contains this
    filter: Option<String>,
    /// Folder of the tables
    #[arg(long, default_value = "verification")]
    tables: PathBuf,
    /// Write every cell as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a Markdown report with its pictures
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Run the long tables too
    #[arg(long)]
    full: bool,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let context = Context {
        full: arguments.full,
    };
    let suite = Suite::open(&arguments.tables, &registry::cases())?;
    let report = suite.run(arguments.filter.as_deref(), &context)?;
    print!("{}", report.summary());
    if let Some(file) = &arguments.json {
        report.write_json(file)?;
    }
    if let Some(folder) = &arguments.report {
        report.write_markdown(folder)?;
    }
    Ok(if report.holds() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

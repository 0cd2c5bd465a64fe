//! The workspace's own commands: `cargo xtask verify`, `bench`, `instructions`, `roofline`, `scaling`, `check`.
//!
//! It runs the built programs and links nothing of the workspace, so it compiles in seconds.

mod bench;
mod instructions;
mod page;
mod pictures;
mod run;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};

use run::{cargo, cargo_quiet, program, root};

#[derive(Parser)]
#[command(name = "cargo xtask", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build in release and run every manual's benchmark tables as assertions
    Verify {
        /// Only tables whose id contains this
        filter: Option<String>,
        /// Write every cell as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Write a Markdown report with its pictures; one on every table becomes the chapter of the book
        #[arg(long, value_name = "DIR")]
        report: Option<PathBuf>,
        /// Run the long tables too
        #[arg(long)]
        full: bool,
    },
    /// Run the criterion benches and write their table to docs/src/performance.md
    Bench {
        /// Only benchmarks whose name matches; the table in the docs is then left alone
        filter: Option<String>,
        /// Keep the medians under this name
        #[arg(long, value_name = "NAME")]
        save: Option<String>,
        /// Say what changed beyond noise since the medians of this name
        #[arg(long, value_name = "NAME")]
        compare: Option<String>,
    },
    /// Count the instructions of the pinned kernels (valgrind) and compare with the pinned counts
    Instructions {
        /// Pin the counts found
        #[arg(long)]
        pin: bool,
    },
    /// Hold the kernels against what this machine could do, and write the table to docs/src/performance.md
    Roofline,
    /// Follow cost over sizes and threads, and write table and picture to docs/src
    Scaling,
    /// Draw the pictures of the book anew from the example scenes
    Pictures,
    /// Formatting, lints and documentation with warnings denied, and each crate alone
    Check,
}

fn main() -> Result<ExitCode> {
    match Arguments::parse().command {
        Command::Verify {
            filter,
            json,
            report,
            full,
        } => verify(filter, json, report, full),
        Command::Bench {
            filter,
            save,
            compare,
        } => bench::bench(filter.as_deref(), save.as_deref(), compare.as_deref()),
        Command::Instructions { pin } => instructions::instructions(pin),
        Command::Roofline => kernels("roofline", &["roofline"]),
        Command::Scaling => {
            let pictures = root().join("docs/src/pictures").display().to_string();
            kernels("scaling", &["scaling", "--pictures", &pictures])
        }
        Command::Pictures => pictures::pictures(),
        Command::Check => check(),
    }
}

fn verify(
    filter: Option<String>,
    json: Option<PathBuf>,
    report: Option<PathBuf>,
    full: bool,
) -> Result<ExitCode> {
    let built = cargo_quiet(&["build", "--release", "--package", "klast-verification"])?;
    if !built.success() {
        return Ok(ExitCode::FAILURE);
    }
    let mut command = program("klast-verify")?;
    command.arg("--tables").arg(root().join("verification"));
    let chapter = report.clone().filter(|_| filter.is_none());
    command.args(filter);
    for (option, path) in [("--json", json), ("--report", report)] {
        if let Some(path) = path {
            command.arg(option).arg(path);
        }
    }
    if full {
        command.arg("--full");
    }
    let status = command.status()?;
    // A report on everything is the chapter of the book.
    if let (Some(folder), true) = (chapter, status.success()) {
        let page = root().join("docs/src/verification.md");
        std::fs::copy(folder.join("verification.md"), &page)
            .with_context(|| format!("{}: cannot be written", page.display()))?;
    }
    Ok(run::code(status))
}

/// Runs the kernels and puts what they print into the page.
fn kernels(name: &str, arguments: &[&str]) -> Result<ExitCode> {
    let build = ["build", "--release", "--package", "klast-performance"];
    if !cargo_quiet(&build)?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let output = program("klast-kernels")?
        .args(arguments)
        .stderr(std::process::Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Ok(ExitCode::FAILURE);
    }
    let text = String::from_utf8(output.stdout)?;
    print!("{text}");
    page::insert(name, &text)?;
    Ok(ExitCode::SUCCESS)
}

fn check() -> Result<ExitCode> {
    let clippy = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    let doc = ["doc", "--workspace", "--no-deps"];
    let passes = cargo(&["fmt", "--all", "--check"], &[])?.success()
        && cargo(&clippy, &[])?.success()
        && cargo(&doc, &[("RUSTDOCFLAGS", "-D warnings")])?.success()
        && alone()?;
    Ok(if passes {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Checks each crate as a user of that crate alone would build it: without features, and with all.
///
/// In the workspace as a whole a crate may live on a feature that another one has switched on.
fn alone() -> Result<bool> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root().join("crates"))?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    folders.sort();
    for folder in folders {
        let Some(name) = folder.file_name().and_then(|n| n.to_str()) else {
            continue;
        };
        let package = format!("klast-{name}");
        for features in ["--no-default-features", "--all-features"] {
            println!("{package} alone, {features}");
            if !cargo_quiet(&["check", "--package", &package, features])?.success() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

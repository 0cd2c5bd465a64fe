//! The workspace's own commands: `cargo xtask verify`, `bench`, `instructions`, `mutants`, `scaling`, `package`,
//! `release`, `book`, `math`, `circles`, `check`.
//!
//! It runs the built programs and links nothing of the workspace, so it compiles in seconds.

mod bench;
mod circles;
mod comments;
mod generated;
mod instructions;
mod math;
mod mutants;
mod package;
mod page;
mod pictures;
mod release;
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
        /// Only tables whose id contains this, or those of a document or chapter (`thesis`, `thesis/7`, `paper/4`)
        filter: Option<String>,
        /// Write every cell as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Write every cell as JUnit XML
        #[arg(long, value_name = "FILE")]
        junit: Option<PathBuf>,
        /// Write a Markdown report with its pictures; one on every table becomes two chapters of the book and the line
        /// of the README
        #[arg(long, value_name = "DIR")]
        report: Option<PathBuf>,
        /// Run the long tables too; a run that was stopped goes on
        #[arg(long)]
        full: bool,
        /// Say what would run and what it costs, and run nothing
        #[arg(long)]
        list: bool,
    },
    /// Run the criterion benches and write their table to docs/src/benches.md
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
    /// Count the instructions of the pinned kernels (valgrind) and compare with the last pinned counts, with those of
    /// the reference and with the best
    Instructions {
        /// Pin the counts found, and write the tables of the book
        #[arg(long)]
        pin: bool,
        /// The reason of a rise over 3 %
        #[arg(long, requires = "pin")]
        why: Option<String>,
    },
    /// Make small deliberate errors of the physics, one by one, each of which named tests must see (not a part of
    /// `check`)
    Mutants {
        /// Only those whose name contains this
        filter: Option<String>,
    },
    /// Follow cost over sizes and threads, and write table and picture to docs/src
    Scaling,
    /// Draw the pictures of the book anew from the example scenes
    Pictures,
    /// Make the pages and pictures of the book that the repository does not keep, and write into the others what the
    /// program prints
    Book,
    /// Set the formulas of the book: the preprocessor that mdBook calls
    Math {
        /// What mdBook asks: `supports RENDERER`, or nothing for a book on the standard input
        request: Vec<String>,
    },
    /// Package the library crates, and build the README's example on the packages in a project of its own
    Package,
    /// Build what a release hands out: program, wheel, plugin of QGIS, bill of materials, notes, checksums
    Release,
    /// Circles of files within crates, of which there should be none
    Circles,
    /// Circles of files, width of comments, formatting, lints and documentation with warnings denied, and each crate
    /// alone
    Check,
}

fn main() -> Result<ExitCode> {
    match Arguments::parse().command {
        Command::Verify {
            filter,
            json,
            junit,
            report,
            full,
            list,
        } => {
            let files = [("--json", json), ("--junit", junit)];
            let flags = [("--full", full), ("--list", list)];
            verify(filter, files, report, flags)
        }
        Command::Bench {
            filter,
            save,
            compare,
        } => bench::bench(filter.as_deref(), save.as_deref(), compare.as_deref()),
        Command::Instructions { pin, why } => instructions::instructions(pin, why.as_deref()),
        Command::Mutants { filter } => mutants::mutants(filter.as_deref()),
        Command::Scaling => {
            let pictures = root().join("docs/src/pictures").display().to_string();
            kernels("scaling", &["scaling", "--pictures", &pictures])
        }
        Command::Pictures => pictures::pictures(),
        Command::Book => {
            let test = ["test", "--package", "klast-cli", "--test", "tests", "book"];
            let status = cargo(&test, &[("KLAST_BOOK", "renew")])?;
            if !status.success() {
                return Ok(run::code(status));
            }
            let flags = [("--full", false), ("--list", false)];
            let report = Some(run::target().join("report"));
            if verify(None, [("--json", None), ("--junit", None)], report, flags)?
                != ExitCode::SUCCESS
            {
                return Ok(ExitCode::FAILURE);
            }
            pictures::pictures()
        }
        Command::Math { request } => math::preprocess(&request),
        Command::Package => package::package().map(|()| ExitCode::SUCCESS),
        Command::Release => release::release().map(|()| ExitCode::SUCCESS),
        Command::Circles => Ok(if circles::none()? {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }),
        Command::Check => check(),
    }
}

fn verify(
    filter: Option<String>,
    files: [(&str, Option<PathBuf>); 2],
    report: Option<PathBuf>,
    flags: [(&str, bool); 2],
) -> Result<ExitCode> {
    if !run::build_program("klast-verification")? {
        return Ok(ExitCode::FAILURE);
    }
    let mut command = program("klast-verify")?;
    let chapter = report.clone().filter(|_| filter.is_none());
    command.args(filter);
    for (option, path) in files.into_iter().chain([("--report", report)]) {
        if let Some(path) = path {
            command.arg(option).arg(path);
        }
    }
    command.args(
        flags
            .into_iter()
            .filter(|(_, set)| *set)
            .map(|(flag, _)| flag),
    );
    let status = command.status()?;
    // A report on everything is three chapters of the book and the line of the README.
    if let (Some(folder), true) = (chapter, status.success()) {
        let pages = ["verification.md", "coverage.md", "errata.md"];
        for page in pages {
            let to = root().join("docs/src").join(page);
            std::fs::copy(folder.join(page), &to)
                .with_context(|| format!("{}: cannot be written", to.display()))?;
        }
        // The errata stay in the repository: they are read without the rest.
        generated::enter(&["verification.md", "coverage.md"].map(str::to_owned))?;
        let line = std::fs::read_to_string(folder.join("badge.md"))?;
        page::insert_into("README.md", "verify", &line)?;
    }
    Ok(run::code(status))
}

/// Runs the kernels and puts what they print into the page.
fn kernels(name: &str, arguments: &[&str]) -> Result<ExitCode> {
    if !run::build_program("klast-performance")? {
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
    let libraries = libraries()?;
    let packages = libraries.iter().flat_map(|l| ["--package", &l.name]);
    let doc: Vec<&str> = ["doc", "--no-deps"].into_iter().chain(packages).collect();
    let passes = circles::none()?
        && comments::narrow()?
        && cargo(&["fmt", "--all", "--check"], &[])?.success()
        && cargo(&clippy, &[])?.success()
        && cargo(&doc, &[("RUSTDOCFLAGS", "-D warnings")])?.success()
        && alone(&libraries)?;
    Ok(if passes {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A crate that users depend on.
struct Library {
    name: String,
    has_features: bool,
}

fn libraries() -> Result<Vec<Library>> {
    let mut libraries = Vec::new();
    for entry in std::fs::read_dir(root().join("crates"))? {
        let manifest = std::fs::read_to_string(entry?.path().join("Cargo.toml"))?;
        let name = manifest
            .lines()
            .find_map(|line| line.strip_prefix("name = "));
        if let (Some(name), false) = (name, manifest.contains("publish = false")) {
            libraries.push(Library {
                name: name.trim_matches('"').to_owned(),
                has_features: manifest.contains("[features]"),
            });
        }
    }
    libraries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(libraries)
}

/// Checks each library as a user of that library alone would build it: without features, and with all.
///
/// In the workspace as a whole a crate may live on a feature that another one has switched on.
fn alone(libraries: &[Library]) -> Result<bool> {
    for Library { name, has_features } in libraries {
        let all = has_features.then_some("--all-features");
        for features in ["--no-default-features"].into_iter().chain(all) {
            println!("{name} alone, {features}");
            if !cargo_quiet(&["check", "--package", name, features])?.success() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

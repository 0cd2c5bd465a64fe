//! `klast contact …`: friction and complementarity problems from files.

mod problem;
mod solved;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use klast_contact::Method;

use klast_runs::Progress as _;
use klast_runs::files::{FilesExt as _, Folder};

use crate::failure::{AfterResults, Stopped, input};
use crate::interrupt::interrupted;
use crate::progress::Terminal;
use crate::session::Options;
use crate::terminal::stdout_line;

use problem::Problem;
use solved::{Line, solved};

/// What to do with contact problems.
#[derive(Subcommand)]
pub enum Command {
    /// Solve contact problems (keys contacts, mu, q, blocks) or linear complementarity problems (keys n, M, q), and
    /// print residuals, impulses, velocities and the state of each contact
    #[command(
        after_help = "Vectors are in the local frame of each contact (n, t1, t2). With --out DIR, the command writes NAME.json and NAME.csv for each problem; the CSV file has one row for each contact.\n\nExamples:\n  klast contact solve box.json\n  klast contact solve problems/*.json --out out/solved --json"
    )]
    Solve {
        /// JSON files with one problem each
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Solver for contact problems: admm-newton, gauss-seidel or admm
        #[arg(long, default_value = "admm-newton")]
        solver: String,
        /// Largest accepted residual of a solution, relative to the largest velocity of the problem
        #[arg(long, default_value_t = 1e-8)]
        tol: f64,
        /// Largest number of iterations for each problem
        #[arg(long, default_value_t = 20_000, value_name = "N")]
        max_iterations: usize,
        /// Time (s) after which no further problem is begun
        #[arg(long, value_name = "S")]
        max_time_s: Option<f64>,
    },
}

/// Runs the command.
///
/// # Errors
/// Bad input, or a problem that was not solved to the tolerance.
pub fn run(command: &Command, options: &Options) -> Result<()> {
    let Command::Solve {
        files,
        solver,
        tol,
        max_iterations,
        max_time_s,
    } = command;
    let method = input(method(solver))?;
    if !(tol.is_finite() && *tol > 0.0) {
        return input(Err(anyhow::anyhow!(
            "--tol is {tol}, accepted: a number above 0"
        )));
    }
    if *max_iterations == 0 || max_time_s.is_some_and(|t| t.is_nan() || t <= 0.0) {
        return input(Err(anyhow::anyhow!(
            "--max-iterations, --max-time-s: accepted: above 0"
        )));
    }
    let problems = files
        .iter()
        .map(|f| input(read(f).with_context(|| f.display().to_string())))
        .collect::<Result<Vec<_>>>()?;
    let stems = options.out.as_deref().map(|out| stems(files, out));
    let stems = input(stems.transpose())?.unwrap_or_default();
    let mut folder = options.out.as_deref().map(Folder::open).transpose()?;
    let display = Terminal::new(options.quiet || options.json);
    if files.len() > 1 {
        display.begin("problems", files.len() as u64);
    }
    let (begun, mut lines) = (Instant::now(), Vec::new());
    for (file, problem) in files.iter().zip(problems) {
        if interrupted() || max_time_s.is_some_and(|t| begun.elapsed().as_secs_f64() > t) {
            break;
        }
        let line = input(solved(
            file.display().to_string(),
            problem,
            method,
            (*tol, *max_iterations),
        ))?;
        if let (Some(folder), Some(stem)) = (&mut folder, stems.get(lines.len())) {
            folder.table(&format!("{stem}.csv"), &line.rows)?;
            folder.json(&format!("{stem}.json"), &line)?;
        }
        if !options.json && !options.quiet {
            tell(&line)?;
        }
        display.add(1);
        lines.push(line);
    }
    display.finish();
    if options.json {
        stdout_line(serde_json::to_string_pretty(&lines)?)?;
    }
    let end = ended(&lines, files.len(), *tol);
    match options.json {
        true => end.map_err(|error| AfterResults(error).into()),
        false => end,
    }
}

/// Whether all problems were solved.
fn ended(lines: &[Line], of: usize, tolerance: f64) -> Result<()> {
    let left = of - lines.len();
    if left > 0 && interrupted() {
        bail!(Stopped("the problems that were not begun are left"));
    }
    if left > 0 {
        bail!("{left} of {of} problems were left when the time was up");
    }
    match lines.iter().filter(|l| !l.converged).count() {
        0 => Ok(()),
        n => bail!("{n} of {of} problems are above {tolerance:e}"),
    }
}

/// The names of what each problem leaves in a folder: none is an input, none is another's.
fn stems(files: &[PathBuf], folder: &Path) -> Result<Vec<String>> {
    let mut stems: Vec<String> = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap_or("problem".as_ref());
        let stem = stem.to_string_lossy().into_owned();
        let same = stems.iter().position(|s| s.eq_ignore_ascii_case(&stem));
        if let Some(other) = same.and_then(|k| files.get(k)) {
            bail!(
                "--out: {} and {} would both be written as {stem}.json; accepted: files of different names",
                other.display(),
                file.display()
            );
        }
        for written in [format!("{stem}.json"), format!("{stem}.csv")] {
            let Ok(there) = folder.join(written).canonicalize() else {
                continue;
            };
            let read = |f: &&PathBuf| f.canonicalize().is_ok_and(|f| f == there);
            if let Some(input) = files.iter().find(read) {
                bail!(
                    "--out {}: {} would be overwritten; accepted: another folder",
                    folder.display(),
                    input.display()
                );
            }
        }
        stems.push(stem);
    }
    Ok(stems)
}

/// A line of how well, and a line a contact where there are few.
fn tell(line: &Line) -> Result<()> {
    const SHOWN: usize = 12;
    stdout_line(format_args!(
        "{}: {} after {} iterations and {:.3} ms, residual {:.2e}, natural map {:.2e}",
        line.file, line.status, line.iterations, line.time_ms, line.residual, line.natural_map
    ))?;
    let count = |state: &str| line.rows.iter().filter(|r| r.state == state).count();
    let states = ["sticks", "slides", "open", "active", "inactive"];
    let told = states.iter().filter(|s| count(s) > 0);
    let told: Vec<String> = told.map(|s| format!("{} {s}", count(s))).collect();
    stdout_line(format_args!(
        "  {} contacts: {}",
        line.rows.len(),
        told.join(", ")
    ))?;
    for r in line.rows.iter().take(SHOWN) {
        stdout_line(format_args!(
            "  {:>4} {:<8} r = ({:+.6e}, {:+.6e}, {:+.6e}) N s   u = ({:+.3e}, {:+.3e}, {:+.3e}) m/s",
            r.contact,
            r.state,
            r.impulse_normal_n_s,
            r.impulse_tangent_1_n_s,
            r.impulse_tangent_2_n_s,
            r.velocity_normal_m_s,
            r.velocity_tangent_1_m_s,
            r.velocity_tangent_2_m_s
        ))?;
    }
    match line.rows.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => stdout_line(format_args!("  {more} more: --out DIR writes all")),
    }
}

fn method(name: &str) -> Result<Method> {
    let names = Method::ALL.map(Method::name).join(", ");
    let found = Method::from_name(name);
    found.with_context(|| format!("--solver is {name}, accepted: {names}"))
}

fn read(path: &Path) -> Result<Problem> {
    Problem::parse(&klast_files::reading::text(path)?)
}

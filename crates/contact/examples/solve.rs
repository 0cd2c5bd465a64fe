//! Solves frictional contact problems from JSON files and prints what each solver did.
//!
//! `cargo run --release -p klast-contact --example solve -- [--solver NAME|all] [--tol X] [--json] FILE...`
//!
//! A file holds `contacts`, `mu`, `q` (3 per contact) and `blocks` `[row, column, nine numbers by columns]`, in local
//! frames `(n, t1, t2)`.

use anyhow::{Context, bail};
use clap::Parser;
use glam::{DMat3, DVec3};
use klast_contact::{Delassus, FrictionContactProblem, Method, Solution, SolveOptions, solve};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Parser)]
#[command(about = "Solves frictional contact problems given as JSON")]
struct Arguments {
    /// default, hybrid, gauss-seidel, admm, or all
    #[arg(long, default_value = "default")]
    solver: String,
    /// Bound on the residual and on the natural map
    #[arg(long, default_value_t = 1e-8)]
    tol: f64,
    /// Bound on the iterations
    #[arg(long, default_value_t = 20_000)]
    max_iterations: usize,
    /// Solves each problem this often and reports the median time
    #[arg(long, default_value_t = 1)]
    repeat: usize,
    /// One JSON array instead of a table
    #[arg(long)]
    json: bool,
    /// Problems
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

#[derive(serde::Deserialize)]
struct ProblemFile {
    contacts: usize,
    mu: Vec<f64>,
    q: Vec<f64>,
    blocks: Vec<(usize, usize, [f64; 9])>,
}

#[derive(serde::Serialize)]
struct Line {
    file: String,
    solver: &'static str,
    contacts: usize,
    iterations: usize,
    /// Relative residual of the problem, see the crate's documentation.
    residual: f64,
    residual_m_per_s: f64,
    natural_map: f64,
    time_ms: f64,
    status: &'static str,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let methods = methods(&arguments.solver)?;
    let mut lines = Vec::new();
    if !arguments.json {
        println!(
            "{:<34} {:<13} {:>5} {:>7} {:>10} {:>11} {:>10}  status",
            "file", "solver", "nc", "iter", "residual", "natural_map", "time ms"
        );
    }
    for file in &arguments.files {
        let problem = read(file).with_context(|| format!("in {}", file.display()))?;
        for &method in &methods {
            let line = run(file, &problem, method, &arguments);
            if !arguments.json {
                println!(
                    "{:<34} {:<13} {:>5} {:>7} {:>10.2e} {:>11.2e} {:>10.3}  {}",
                    line.file,
                    line.solver,
                    line.contacts,
                    line.iterations,
                    line.residual,
                    line.natural_map,
                    line.time_ms,
                    line.status
                );
            }
            lines.push(line);
        }
    }
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&lines)?);
    }
    Ok(())
}

fn methods(name: &str) -> anyhow::Result<Vec<Method>> {
    if name == "all" {
        return Ok(Method::ALL.to_vec());
    }
    match Method::ALL.into_iter().find(|m| m.name() == name) {
        Some(method) => Ok(vec![method]),
        None => bail!(
            "--solver is {name}, accepted: all, {}",
            Method::ALL.map(Method::name).join(", ")
        ),
    }
}

fn read(path: &Path) -> anyhow::Result<FrictionContactProblem> {
    let file: ProblemFile = serde_json::from_slice(&std::fs::read(path)?)?;
    if file.q.len() != 3 * file.contacts {
        bail!(
            "q has {} numbers, accepted: {}",
            file.q.len(),
            3 * file.contacts
        );
    }
    let blocks = file
        .blocks
        .iter()
        .map(|(i, j, b)| (*i, *j, DMat3::from_cols_array(b)));
    let q = file
        .q
        .chunks_exact(3)
        .map(|v| DVec3::new(v[0], v[1], v[2]))
        .collect();
    Ok(FrictionContactProblem::new(
        Delassus::from_blocks(file.contacts, blocks)?,
        q,
        file.mu,
    )?)
}

fn run(
    file: &Path,
    problem: &FrictionContactProblem,
    method: Method,
    arguments: &Arguments,
) -> Line {
    let options = SolveOptions {
        method,
        tolerance: arguments.tol,
        max_iterations: arguments.max_iterations,
    };
    let mut times = Vec::new();
    let mut solution: Option<Solution> = None;
    for _ in 0..arguments.repeat.max(1) {
        let start = Instant::now();
        solution = Some(solve(problem, &options));
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let solution = solution.unwrap_or_else(|| solve(problem, &options));
    Line {
        file: file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        solver: method.name(),
        contacts: problem.contacts(),
        iterations: solution.iterations,
        residual: solution.residual.relative,
        residual_m_per_s: solution.residual.eta,
        natural_map: solution.residual.natural_map,
        time_ms: times[times.len() / 2],
        status: solution.status.name(),
    }
}

//! Solves frictional contact problems from JSON files and prints what each solver did.
//!
//! `cargo run --release -p klast-contact --example solve -- [--solver NAME|all] [--tol X] [--json] FILE...`
//!
//! A file holds `contacts`, `mu`, `q` (3 per contact) and `blocks` `[row, column, nine numbers by columns]`, in local
//! frames `(n, t1, t2)`. A file that is none of that is named on stderr with what is wrong, the others are solved, and
//! the exit code is 1.

use anyhow::{Context, bail};
use clap::Parser;
use glam::{DMat3, DVec3};
use klast_contact::{Delassus, FrictionContactProblem, Method, Solution, SolveOptions, solve};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

#[derive(Parser)]
#[command(about = "Solves frictional contact problems given as JSON")]
struct Arguments {
    /// admm-newton, gauss-seidel, admm, or all
    #[arg(long, default_value = "admm-newton")]
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

struct ProblemFile {
    contacts: usize,
    mu: Vec<f64>,
    q: Vec<f64>,
    blocks: Vec<(usize, usize, [f64; 9])>,
}

impl ProblemFile {
    /// Field by field, so that what is wrong is said with the field's name.
    fn parse(text: &[u8]) -> anyhow::Result<Self> {
        let mut object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(text).context("is no JSON object")?;
        Ok(Self {
            contacts: field(&mut object, "contacts")?,
            mu: field(&mut object, "mu")?,
            q: field(&mut object, "q")?,
            blocks: field(&mut object, "blocks")?,
        })
    }
}

fn field<T: serde::de::DeserializeOwned>(
    object: &mut serde_json::Map<String, serde_json::Value>,
    name: &str,
) -> anyhow::Result<T> {
    let value = object
        .remove(name)
        .with_context(|| format!("{name} is missing"))?;
    serde_json::from_value(value).with_context(|| format!("{name} can not be read"))
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

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let methods = methods(&arguments.solver)?;
    if !(arguments.tol.is_finite() && arguments.tol >= 0.0) {
        bail!(
            "--tol is {}, accepted: a finite number, 0 or more",
            arguments.tol
        );
    }
    let mut lines = Vec::new();
    let mut unread = 0;
    if !arguments.json {
        println!(
            "{:<34} {:<13} {:>5} {:>7} {:>10} {:>11} {:>10}  status",
            "file", "solver", "nc", "iter", "residual", "natural_map", "time ms"
        );
    }
    for file in &arguments.files {
        // A file that can not be read does not keep the others from being solved.
        let problem = match read(file) {
            Ok(problem) => problem,
            Err(error) => {
                eprintln!("{}: {error:#}", file.display());
                unread += 1;
                continue;
            }
        };
        for &method in &methods {
            let line = run(file, &problem, method, &arguments);
            if !arguments.json {
                println!("{line}");
            }
            lines.push(line);
        }
    }
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&lines)?);
    }
    Ok(if unread > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:<34} {:<13} {:>5} {:>7} {:>10.2e} {:>11.2e} {:>10.3}  {}",
            self.file,
            self.solver,
            self.contacts,
            self.iterations,
            self.residual,
            self.natural_map,
            self.time_ms,
            self.status
        )
    }
}

fn methods(name: &str) -> anyhow::Result<Vec<Method>> {
    if name == "all" {
        return Ok(Method::ALL.to_vec());
    }
    match Method::from_name(name) {
        Some(method) => Ok(vec![method]),
        None => bail!(
            "--solver is {name}, accepted: all, {}",
            Method::ALL.map(Method::name).join(", ")
        ),
    }
}

fn read(path: &Path) -> anyhow::Result<FrictionContactProblem> {
    problem(&std::fs::read(path).context("can not be read")?)
}

fn problem(text: &[u8]) -> anyhow::Result<FrictionContactProblem> {
    let file = ProblemFile::parse(text)?;
    // Before anything of that size is asked for.
    for (field, found, expected) in [
        ("mu", file.mu.len(), Some(file.contacts)),
        ("q", file.q.len(), file.contacts.checked_mul(3)),
    ] {
        if Some(found) != expected {
            bail!(
                "{field} has {found} entries, accepted: {} ({} contacts)",
                expected.map_or_else(|| "none".into(), |n| n.to_string()),
                file.contacts
            );
        }
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
        residual_m_per_s: solution.residual.absolute,
        natural_map: solution.residual.natural_map,
        time_ms: times[times.len() / 2],
        status: solution.status.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One contact of a unit mass that closes at 1 m/s, with a field replaced.
    fn text(field: &str, value: &str) -> String {
        let fields = [
            ("contacts", "1"),
            ("mu", "[0.5]"),
            ("q", "[-1, 0, 0]"),
            ("blocks", "[[0, 0, [1, 0, 0, 0, 1, 0, 0, 0, 1]]]"),
        ];
        let line = |(name, own)| {
            let value = if name == field { value } else { own };
            format!("\"{name}\": {value}")
        };
        format!("{{{}}}", fields.map(line).join(", "))
    }

    #[test]
    fn a_problem_is_read_and_what_is_none_is_named() {
        let good = problem(text("", "").as_bytes()).unwrap();
        // The impulse that stops a unit mass at 1 m/s.
        let solution = solve(&good, &SolveOptions::default());
        assert!((solution.impulses[0] - DVec3::X).length() < 1e-8);
        for (field, value) in [
            ("contacts", "-1"),
            ("contacts", "18446744073709551615"),
            ("contacts", "null"),
            ("mu", "[]"),
            ("mu", "[-0.5]"),
            ("q", "[-1, 0]"),
            ("q", "[\"fast\", 0, 0]"),
            ("q", "{}"),
            ("blocks", "[[0, 0, [1, 0, 0]]]"),
            ("blocks", "[[0, 7, [1, 0, 0, 0, 1, 0, 0, 0, 1]]]"),
            ("blocks", "[[0, 0, [null, 0, 0, 0, 1, 0, 0, 0, 1]]]"),
        ] {
            let error = format!("{:#}", problem(text(field, value).as_bytes()).unwrap_err());
            println!("{field} {value}: {error}");
            let named = match field {
                "contacts" => ["contacts", "contacts"],
                "blocks" => ["block", "contact"],
                _ => [field, "q ("],
            };
            assert!(
                named.iter().any(|n| error.contains(n)),
                "{field} {value}: {error}"
            );
        }
        for broken in [
            "",
            "[]",
            "7",
            "{\"mu\": [1e999]}",
            "{\"contacts\": 1}",
            "{\"contacts\": 1",
        ] {
            assert!(problem(broken.as_bytes()).is_err(), "{broken}");
        }
    }
}

//! `klast contact …`: friction and complementarity problems from files.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use glam::{DMat3, DVec3};
use klast_contact::{
    Delassus, FrictionContactProblem, LcpOptions, LcpStatus, LinearComplementarityProblem, Method,
    SolveOptions, solve, solve_lcp,
};
use serde::{Deserialize, Serialize};

use crate::failure::input;
use crate::session::Options;

/// What to do with contact problems.
#[derive(Subcommand)]
pub enum Command {
    /// Solve problems and say how well: friction (contacts, mu, q, blocks) or complementarity (n, M, q)
    Solve {
        /// JSON files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Solver for friction: default, hybrid, gauss-seidel, admm
        #[arg(long, default_value = "default")]
        solver: String,
        /// Bound on the residual
        #[arg(long, default_value_t = 1e-8)]
        tol: f64,
    },
}

/// A file of either sort.
#[derive(Deserialize)]
#[serde(untagged)]
enum Problem {
    Friction {
        contacts: usize,
        mu: Vec<f64>,
        q: Vec<f64>,
        blocks: Vec<(usize, usize, [f64; 9])>,
    },
    Complementarity {
        #[serde(rename = "M")]
        m: Vec<f64>,
        q: Vec<f64>,
    },
}

/// One solved problem.
#[derive(Serialize)]
struct Line {
    file: String,
    unknowns: usize,
    iterations: usize,
    /// Relative residual, which the tolerance bounds.
    residual: f64,
    /// The natural map in the units of the data.
    natural_map: f64,
    time_ms: f64,
    status: String,
    converged: bool,
}

/// Runs the command.
///
/// # Errors
/// Bad input, or a problem that was not solved to the tolerance.
pub fn run(command: &Command, options: &Options) -> Result<()> {
    let Command::Solve { files, solver, tol } = command;
    let method = input(method(solver))?;
    if !(tol.is_finite() && *tol > 0.0) {
        return input(Err(anyhow::anyhow!(
            "--tol is {tol}, accepted: a number above 0"
        )));
    }
    let problems = files
        .iter()
        .map(|f| input(read(f).with_context(|| f.display().to_string())))
        .collect::<Result<Vec<_>>>()?;
    let mut lines = Vec::new();
    for (file, problem) in files.iter().zip(problems) {
        let line = input(solved(file, problem, method, *tol))?;
        if !options.json && !options.quiet {
            crate::output::say(format_args!(
                "{}: {} after {} iterations and {:.3} ms, residual {:.2e}, natural map {:.2e}",
                line.file,
                line.status,
                line.iterations,
                line.time_ms,
                line.residual,
                line.natural_map
            ))?;
        }
        lines.push(line);
    }
    if options.json {
        crate::output::say(serde_json::to_string_pretty(&lines)?)?;
    }
    match lines.iter().filter(|l| !l.converged).count() {
        0 => Ok(()),
        n => bail!("{n} of {} problems are above {tol:e}", lines.len()),
    }
}

fn method(name: &str) -> Result<Method> {
    let names = Method::ALL.map(Method::name).join(", ");
    let found = Method::ALL.into_iter().find(|m| m.name() == name);
    found.with_context(|| format!("--solver is {name}, accepted: {names}"))
}

fn read(path: &Path) -> Result<Problem> {
    let text = crate::reading::text(path)?;
    serde_json::from_str(&text)
        .context("accepted: contacts, mu, q and blocks of a friction problem, or M and q of a complementarity problem")
}

fn solved(file: &Path, problem: Problem, method: Method, tolerance: f64) -> Result<Line> {
    let name = file.display().to_string();
    match problem {
        Problem::Friction {
            contacts,
            mu,
            q,
            blocks,
        } => {
            if contacts.checked_mul(3) != Some(q.len()) {
                bail!(
                    "{name}: q has {} numbers, accepted: 3 for each of {contacts} contacts",
                    q.len()
                );
            }
            let blocks = blocks
                .iter()
                .map(|(i, j, b)| (*i, *j, DMat3::from_cols_array(b)));
            let q = q
                .chunks_exact(3)
                .map(|v| DVec3::new(v[0], v[1], v[2]))
                .collect();
            let w = Delassus::from_blocks(mu.len(), blocks).with_context(|| name.clone())?;
            let problem = FrictionContactProblem::new(w, q, mu).with_context(|| name.clone())?;
            let clock = Instant::now();
            let s = solve(
                &problem,
                &SolveOptions {
                    method,
                    tolerance,
                    ..SolveOptions::default()
                },
            );
            Ok(Line {
                file: name,
                unknowns: 3 * contacts,
                iterations: s.iterations,
                residual: s.residual.relative,
                natural_map: s.residual.natural_map,
                time_ms: clock.elapsed().as_secs_f64() * 1e3,
                status: s.status.name().to_owned(),
                converged: s.converged(),
            })
        }
        Problem::Complementarity { m, q } => {
            let problem = LinearComplementarityProblem::new(m, q).with_context(|| name.clone())?;
            let clock = Instant::now();
            let s = solve_lcp(
                &problem,
                &LcpOptions {
                    tolerance,
                    ..LcpOptions::default()
                },
            );
            Ok(Line {
                file: name,
                unknowns: problem.size(),
                iterations: s.iterations,
                residual: s.relative,
                natural_map: s.residual,
                time_ms: clock.elapsed().as_secs_f64() * 1e3,
                status: match s.status {
                    LcpStatus::Solved => "converged",
                    LcpStatus::Ray => "ray (no proof that there is no solution)",
                    LcpStatus::Infeasible { .. } => "infeasible, with a certificate",
                    LcpStatus::NotConverged => "not converged",
                }
                .to_owned(),
                converged: s.status == LcpStatus::Solved,
            })
        }
    }
}

//! `klast contact …`: friction and complementarity problems from files.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::Subcommand;
use glam::{DMat3, DVec3};
use klast_contact::{
    Delassus, FrictionContactProblem, LcpOptions, LcpStatus, LinearComplementarityProblem, Method,
    SolveOptions, solve, solve_lcp,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use klast_scenes::Progress as _;
use klast_scenes::files::{FilesExt as _, Folder};

use crate::failure::{AfterResults, Stopped, input};
use crate::interrupt::interrupted;
use crate::progress::Terminal;
use crate::session::Options;
use crate::terminal::stdout_line;

/// What to do with contact problems.
#[derive(Subcommand)]
pub enum Command {
    /// Solve problems, say how well, and give impulses, velocities and the state of each contact: friction (contacts,
    /// mu, q, blocks) or complementarity (n, M, q)
    #[command(
        after_help = "Vectors are in local frames (n, t1, t2). With --out DIR each problem leaves NAME.csv, a row a contact, and NAME.json.\n\nExamples:\n  klast contact solve box.json\n  klast contact solve problems/*.json --out out/solved --json"
    )]
    Solve {
        /// JSON files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Solver for friction: admm-newton, gauss-seidel, admm
        #[arg(long, default_value = "admm-newton")]
        solver: String,
        /// Bound on the residual
        #[arg(long, default_value_t = 1e-8)]
        tol: f64,
        /// Bound on the iterations of one problem
        #[arg(long, default_value_t = 20_000, value_name = "N")]
        max_iterations: usize,
        /// Bound on the time of all problems (s): those that are not begun by then are left
        #[arg(long, value_name = "S")]
        max_time_s: Option<f64>,
    },
}

/// What a file may hold.
const ACCEPTED: &str =
    "contacts, mu, q and blocks of a friction problem, or M and q of a complementarity problem";

/// A file of either sort: with `M` it is one of complementarity.
enum Problem {
    Friction {
        contacts: usize,
        mu: Vec<f64>,
        q: Vec<f64>,
        blocks: Vec<(usize, usize, [f64; 9])>,
    },
    Complementarity {
        m: Vec<f64>,
        q: Vec<f64>,
    },
}

impl Problem {
    /// Field by field, so that what is wrong is said with the field's name, and with lengths that agree.
    fn parse(text: &str) -> Result<Self> {
        let mut object: Map<String, Value> =
            serde_json::from_str(text).with_context(|| format!("accepted: {ACCEPTED}"))?;
        let q: Vec<f64> = field(&mut object, "q")?;
        if object.contains_key("M") {
            if object.contains_key("n") {
                let n: usize = field(&mut object, "n")?;
                ensure!(n == q.len(), "n is {n}, accepted: {}, as q has", q.len());
            }
            let m = field(&mut object, "M")?;
            return Ok(Self::Complementarity { m, q });
        }
        let contacts: usize = field(&mut object, "contacts")?;
        let mu: Vec<f64> = field(&mut object, "mu")?;
        ensure!(
            mu.len() == contacts,
            "mu has {} numbers, accepted: one for each of {contacts} contacts",
            mu.len()
        );
        ensure!(
            contacts.checked_mul(3) == Some(q.len()),
            "q has {} numbers, accepted: 3 for each of {contacts} contacts",
            q.len()
        );
        let blocks = field(&mut object, "blocks")?;
        Ok(Self::Friction {
            contacts,
            mu,
            q,
            blocks,
        })
    }
}

fn field<T: DeserializeOwned>(object: &mut Map<String, Value>, name: &str) -> Result<T> {
    let value = object
        .remove(name)
        .with_context(|| format!("{name} is missing, accepted: {ACCEPTED}"))?;
    serde_json::from_value(value).with_context(|| name.to_owned())
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
    /// Each contact, or each pair of unknowns.
    rows: Vec<Row>,
}

/// A contact in its local frame (n, t1, t2), or a pair z, w of a complementarity problem in the places of impulse and
/// velocity.
#[derive(Debug, Clone, Default, Serialize)]
struct Row {
    contact: usize,
    impulse_normal_n_s: f64,
    impulse_tangent_1_n_s: f64,
    impulse_tangent_2_n_s: f64,
    velocity_normal_m_s: f64,
    velocity_tangent_1_m_s: f64,
    velocity_tangent_2_m_s: f64,
    /// Tangential impulse over what friction can give.
    used_friction: Option<f64>,
    /// `open`, `sticks`, `slides`; `active` or `inactive` of a complementarity problem.
    state: &'static str,
}

impl Row {
    /// A contact with what it may be told by: impulses and velocities this small are none.
    fn of(contact: usize, r: DVec3, u: DVec3, mu: f64, (small_r, small_u): (f64, f64)) -> Self {
        let (pull, slip) = (r.y.hypot(r.z), u.y.hypot(u.z));
        let limit = mu * r.x;
        Self {
            contact,
            impulse_normal_n_s: r.x,
            impulse_tangent_1_n_s: r.y,
            impulse_tangent_2_n_s: r.z,
            velocity_normal_m_s: u.x,
            velocity_tangent_1_m_s: u.y,
            velocity_tangent_2_m_s: u.z,
            used_friction: (limit > small_r).then(|| pull / limit),
            state: match () {
                () if r.x <= small_r => "open",
                () if slip <= small_u => "sticks",
                () => "slides",
            },
        }
    }
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
        let line = input(solved(file, problem, method, (*tol, *max_iterations)))?;
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
    Problem::parse(&klast_scenes::reading::text(path)?)
}

fn solved(
    file: &Path,
    problem: Problem,
    method: Method,
    (tolerance, max_iterations): (f64, usize),
) -> Result<Line> {
    let name = file.display().to_string();
    match problem {
        Problem::Friction {
            contacts,
            mu,
            q,
            blocks,
        } => {
            let blocks = blocks
                .iter()
                .map(|(i, j, b)| (*i, *j, DMat3::from_cols_array(b)));
            let q = q
                .chunks_exact(3)
                .map(|v| DVec3::new(v[0], v[1], v[2]))
                .collect();
            let w = Delassus::from_blocks(contacts, blocks).with_context(|| name.clone())?;
            let problem = FrictionContactProblem::new(w, q, mu).with_context(|| name.clone())?;
            let clock = Instant::now();
            let s = solve(
                &problem,
                &SolveOptions {
                    method,
                    tolerance,
                    max_iterations,
                },
            );
            let time_ms = clock.elapsed().as_secs_f64() * 1e3;
            Ok(Line {
                rows: friction_rows(&problem, &s.impulses),
                file: name,
                unknowns: 3 * contacts,
                iterations: s.iterations,
                residual: s.residual.relative,
                natural_map: s.residual.natural_map,
                time_ms,
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
                    max_iterations,
                    ..LcpOptions::default()
                },
            );
            let pairs = s.z.iter().zip(&s.w).enumerate();
            let rows = pairs.map(|(k, (z, w))| Row {
                contact: k,
                impulse_normal_n_s: *z,
                velocity_normal_m_s: *w,
                state: if z > w { "active" } else { "inactive" },
                ..Row::default()
            });
            Ok(Line {
                rows: rows.collect(),
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

/// Impulses and velocities of all contacts.
fn friction_rows(problem: &FrictionContactProblem, impulses: &[DVec3]) -> Vec<Row> {
    let velocities = problem.velocities(impulses);
    let most = |v: &[DVec3]| v.iter().fold(0.0f64, |m, x| m.max(x.length()));
    let small = (
        1e-9 * most(impulses),
        1e-6 * most(problem.q()).max(most(&velocities)),
    );
    let each = impulses
        .iter()
        .zip(&velocities)
        .zip(problem.mu())
        .enumerate();
    each.map(|(k, ((r, u), mu))| Row::of(k, *r, *u, *mu, small))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_problem_is_named() {
        let block = "[[0, 0, [1, 0, 0, 0, 1, 0, 0, 0, 1]]]";
        let friction = |contacts: &str, mu: &str, q: &str, blocks: &str| {
            format!("{{\"contacts\": {contacts}, \"mu\": {mu}, \"q\": {q}, \"blocks\": {blocks}}}")
        };
        let good = friction("1", "[0.5]", "[-1, 0, 0]", block);
        assert!(Problem::parse(&good).is_ok());
        assert!(Problem::parse("{\"n\": 1, \"M\": [1], \"q\": [-1]}").is_ok());
        for (text, named) in [
            (friction("1", "[]", "[-1, 0, 0]", block), "mu has 0"),
            (friction("1", "[1, 1]", "[-1, 0, 0]", block), "mu has 2"),
            (friction("1", "[\"much\"]", "[-1, 0, 0]", block), "mu: "),
            (friction("1", "[1]", "[-1, 0]", block), "q has 2"),
            (
                friction("1", "[1]", "[-1, 0, 0]", "[[0, 0, [1]]]"),
                "blocks: ",
            ),
            (friction("-1", "[1]", "[-1, 0, 0]", block), "contacts: "),
            (
                friction("18446744073709551615", "[1]", "[]", block),
                "mu has 1",
            ),
            (
                "{\"mu\": [1], \"q\": [-1, 0, 0]}".into(),
                "contacts is missing",
            ),
            ("{\"n\": 3, \"M\": [1], \"q\": [-1]}".into(), "n is 3"),
            ("{\"M\": [[1]], \"q\": [-1]}".into(), "M: "),
            ("{\"M\": [1]}".into(), "q is missing"),
            ("[]".into(), "accepted: contacts"),
            (String::new(), "accepted: contacts"),
        ] {
            let error = match Problem::parse(&text) {
                Ok(_) => panic!("{text}"),
                Err(error) => format!("{error:#}"),
            };
            assert!(error.starts_with(named), "{text}: {error}");
        }
    }
}

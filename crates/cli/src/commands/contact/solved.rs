//! Solves a problem of a file, and says how well and with what at each contact.

use std::time::Instant;

use anyhow::{Context, Result};
use glam::{DMat3, DVec3};
use klast_contact::{
    Delassus, FrictionContactProblem, LcpOptions, LcpStatus, LinearComplementarityProblem, Method,
    SolveOptions, solve, solve_lcp,
};
use serde::Serialize;

use super::problem::Problem;

/// One solved problem.
#[derive(Serialize)]
pub struct Line {
    pub file: String,
    pub unknowns: usize,
    pub iterations: usize,
    /// Relative residual, which the tolerance bounds.
    pub residual: f64,
    /// The natural map in the units of the data.
    pub natural_map: f64,
    pub time_ms: f64,
    pub status: String,
    pub converged: bool,
    /// Each contact, or each pair of unknowns.
    pub rows: Vec<Row>,
}

/// A contact in its local frame (n, t1, t2), or a pair z, w of a complementarity problem in the places of impulse and
/// velocity.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Row {
    pub contact: usize,
    pub impulse_normal_n_s: f64,
    pub impulse_tangent_1_n_s: f64,
    pub impulse_tangent_2_n_s: f64,
    pub velocity_normal_m_s: f64,
    pub velocity_tangent_1_m_s: f64,
    pub velocity_tangent_2_m_s: f64,
    /// Tangential impulse over what friction can give.
    pub used_friction: Option<f64>,
    /// `open`, `sticks`, `slides`; `active` or `inactive` of a complementarity problem.
    pub state: &'static str,
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

/// Solves a problem by a method, to a tolerance within so many iterations.
pub fn solved(
    name: String,
    problem: Problem,
    method: Method,
    (tolerance, max_iterations): (f64, usize),
) -> Result<Line> {
    match problem {
        Problem::Friction {
            contacts,
            mu,
            q,
            blocks,
        } => {
            let block = |(i, j, b): &(usize, usize, [f64; 9])| (*i, *j, DMat3::from_cols_array(b));
            let w = Delassus::from_blocks(contacts, blocks.iter().map(block));
            let q = q.chunks_exact(3).map(DVec3::from_slice).collect();
            let problem = w.and_then(|w| FrictionContactProblem::new(w, q, mu));
            let options = SolveOptions {
                method,
                tolerance,
                max_iterations,
            };
            Ok(friction(
                problem.with_context(|| name.clone())?,
                options,
                name,
            ))
        }
        Problem::Complementarity { m, q } => {
            let problem = LinearComplementarityProblem::new(m, q);
            let options = LcpOptions {
                tolerance,
                max_iterations,
                ..LcpOptions::default()
            };
            Ok(complementarity(
                problem.with_context(|| name.clone())?,
                &options,
                name,
            ))
        }
    }
}

fn friction(problem: FrictionContactProblem, options: SolveOptions, file: String) -> Line {
    let clock = Instant::now();
    let s = solve(&problem, &options);
    Line {
        time_ms: clock.elapsed().as_secs_f64() * 1e3,
        rows: friction_rows(&problem, &s.impulses),
        file,
        unknowns: 3 * problem.mu().len(),
        iterations: s.iterations,
        residual: s.residual.relative,
        natural_map: s.residual.natural_map,
        status: s.status.name().to_owned(),
        converged: s.converged(),
    }
}

fn complementarity(
    problem: LinearComplementarityProblem,
    options: &LcpOptions,
    file: String,
) -> Line {
    let clock = Instant::now();
    let s = solve_lcp(&problem, options);
    let time_ms = clock.elapsed().as_secs_f64() * 1e3;
    let pairs = s.z.iter().zip(&s.w).enumerate();
    let rows = pairs.map(|(k, (z, w))| Row {
        contact: k,
        impulse_normal_n_s: *z,
        velocity_normal_m_s: *w,
        state: if z > w { "active" } else { "inactive" },
        ..Row::default()
    });
    let status = match s.status {
        LcpStatus::Solved => "converged",
        LcpStatus::Ray => "ray (no proof that there is no solution)",
        LcpStatus::Infeasible { .. } => "infeasible, with a certificate",
        LcpStatus::NotConverged => "not converged",
    };
    Line {
        rows: rows.collect(),
        file,
        unknowns: problem.size(),
        iterations: s.iterations,
        residual: s.relative,
        natural_map: s.residual,
        time_ms,
        status: status.to_owned(),
        converged: s.status == LcpStatus::Solved,
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

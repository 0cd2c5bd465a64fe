//! Contact problems with a closed form.

mod generated;
mod natural_map;
mod published;

pub use generated::capsules;
pub use natural_map::Posed;
pub use published::complementarity_problem;

use anyhow::Result;
use glam::{DMat3, DVec2, DVec3};
use klast_contact::{
    Delassus, FacetDirections, FrictionContactProblem, Hypothesis, LcpOptions, LcpSolution,
    LcpStatus, LinearComplementarityProblem, SolveOptions, single_contact_impact, solve, solve_lcp,
    solve_linearised,
};

use crate::{Case, Context, Outcome, Table};

/// The cases of this manual.
pub const CASES: &[Case] = &[
    Case {
        id: "contact/closed-forms",
        run: run_closed_forms,
    },
    Case {
        id: "contact/published-problems",
        run: published::run,
    },
    Case {
        id: "contact/generated-problems",
        run: generated::run,
    },
];

const SERIES: &str = "computed";

/// A friction problem by its name: one that is made here, or a published one.
///
/// # Errors
/// A name that is none.
pub fn posed(name: &str) -> Result<Posed> {
    match generated::problem(name) {
        Some(posed) => Ok(posed),
        None => published::friction_problem(name),
    }
}

fn run_closed_forms(_: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    complementarity(&mut outcome)?;
    one_contact(&mut outcome)?;
    reversal(&mut outcome)?;
    facets(&mut outcome)?;
    Ok(outcome)
}

fn lcp(m: Vec<f64>, q: Vec<f64>) -> Result<LcpSolution> {
    Ok(solve_lcp(
        &LinearComplementarityProblem::new(m, q)?,
        &LcpOptions::default(),
    ))
}

fn complementarity(outcome: &mut Outcome) -> Result<()> {
    let n = 6;
    let entry = |k: usize| match (k / n).cmp(&(k % n)) {
        std::cmp::Ordering::Less => 2.0,
        std::cmp::Ordering::Equal => 1.0,
        std::cmp::Ordering::Greater => 0.0,
    };
    let murty = lcp((0..n * n).map(entry).collect(), vec![-1.0; n])?;
    for (k, z) in murty.z.iter().enumerate() {
        outcome.set(&format!("murty 6/z{}", k + 1), SERIES, *z);
    }
    // 2 z1 + z2 = 5, z1 + 2 z2 = 6.
    let springs = lcp(vec![2.0, 1.0, 1.0, 2.0], vec![-5.0, -6.0])?;
    for (k, z) in springs.z.iter().enumerate() {
        outcome.set(&format!("two springs/z{}", k + 1), SERIES, *z);
    }
    let word = |s: LcpSolution| match s.status {
        LcpStatus::Solved => "solved",
        LcpStatus::Ray => "ray",
        LcpStatus::Infeasible { .. } => "infeasible",
        LcpStatus::NotConverged => "not converged",
    };
    // w1 = −z1 − 1 is negative for each z1 ≥ 0.
    outcome.set(
        "infeasible",
        SERIES,
        word(lcp(vec![-1.0, 0.0, 0.0, 1.0], vec![-1.0, -1.0])?),
    );
    // w1 = z2 − 1 needs z2 ≥ 1, then w2 = 1 would have to vanish: feasible, no solution.
    outcome.set(
        "ray",
        SERIES,
        word(lcp(vec![0.0, 1.0, 0.0, 0.0], vec![-1.0, 1.0])?),
    );
    Ok(())
}

fn single(w: DMat3, q: DVec3, mu: f64) -> Result<FrictionContactProblem> {
    Ok(FrictionContactProblem::new(
        Delassus::from_blocks(1, [(0, 0, w)])?,
        vec![q],
        vec![mu],
    )?)
}

fn precise() -> SolveOptions {
    SolveOptions {
        tolerance: 1e-12,
        ..SolveOptions::default()
    }
}

/// 2 kg that hit the ground at 1 m/s and slide at 3 or at 0.3 m/s.
fn one_contact(outcome: &mut Outcome) -> Result<()> {
    let w = DMat3::from_diagonal(DVec3::splat(0.5));
    let slide = solve(&single(w, DVec3::new(-1.0, 3.0, 0.0), 0.5)?, &precise()).impulses[0];
    outcome.set("slide/normal", SERIES, slide.x);
    outcome.set("slide/friction", SERIES, slide.y);
    let stick = solve(&single(w, DVec3::new(-1.0, 0.3, 0.0), 0.5)?, &precise()).impulses[0];
    outcome.set("stick/friction", SERIES, stick.y);
    Ok(())
}

/// W = [[2, 1.5], [1.5, 2]], u = (−2, −0.5), mu = e = 0.5: slip stops at p = 0.2 and goes on forward, compression ends
/// at p = 1.36.
fn reversal(outcome: &mut Outcome) -> Result<()> {
    let w = DMat3::from_cols(
        DVec3::new(2.0, 1.5, 0.0),
        DVec3::new(1.5, 2.0, 0.0),
        DVec3::Z,
    );
    let u = DVec3::new(-2.0, -0.5, 0.0);
    let poisson = single_contact_impact(&w, u, 0.5, 0.5, Hypothesis::Poisson)?;
    outcome.set("poisson reversal/normal", SERIES, poisson.x);
    outcome.set("poisson reversal/friction", SERIES, poisson.y);
    let stronge = single_contact_impact(&w, u, 0.5, 0.5, Hypothesis::Stronge)?;
    outcome.set("stronge reversal/normal", SERIES, stronge.x);
    Ok(())
}

/// Fast slip at 45° to four facets: the two that oppose it share μ r_n, so along the slip friction is 1/√2 of it.
fn facets(outcome: &mut Outcome) -> Result<()> {
    let problem = single(DMat3::IDENTITY, DVec3::new(-1.0, 5.0, 5.0), 0.5)?;
    let along = |r: DVec3| -(DVec2::new(r.y, r.z).dot(DVec2::ONE.normalize())) / (0.5 * r.x);
    let (linear, _) = solve_linearised(
        &problem,
        &[FacetDirections::regular(4, 0.0)?],
        &LcpOptions::default(),
    )?;
    outcome.set("facets off axis/friction ratio", SERIES, along(linear[0]));
    outcome.set(
        "exact off axis/friction ratio",
        SERIES,
        along(solve(&problem, &precise()).impulses[0]),
    );
    Ok(())
}

//! The public contact problems that are small enough to be in the project, judged by a natural map and a
//! complementarity that are written here and share nothing with the solvers.

use anyhow::{Context as _, Result};
use glam::{DMat3, DVec2, DVec3};
use klast_contact::{
    Delassus, FrictionContactProblem, LcpOptions, LinearComplementarityProblem, SolveOptions,
    solve, solve_lcp,
};
use serde::Deserialize;

use crate::{Context, Outcome, Table, embedded_file};

#[derive(Deserialize)]
struct FrictionFile {
    contacts: usize,
    mu: Vec<f64>,
    q: Vec<f64>,
    blocks: Vec<(usize, usize, [f64; 9])>,
}

#[derive(Deserialize)]
struct LcpFile {
    #[serde(rename = "M")]
    m: Vec<f64>,
    q: Vec<f64>,
}

fn text(folder: &str, name: &str) -> Result<&'static str> {
    let file = format!("contact/problems/{folder}/{name}.json");
    embedded_file(&file).with_context(|| format!("no problem '{file}'"))
}

/// Every row is `<name> <tolerance>` for a friction problem and `<name> complementarity` for a complementarity problem.
pub(super) fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for row in &table.rows {
        let (name, what) = row
            .id
            .split_once(' ')
            .context("a name and what is judged")?;
        let value = match what {
            "complementarity" => complementarity(name)?,
            tolerance => friction(name, tolerance.parse()?)?,
        };
        outcome.set(&row.id, "computed", value);
    }
    Ok(outcome)
}

/// The natural map `‖r − P_K(r − û)‖ / ‖q‖` of the answer, less what two evaluations of it differ by.
fn friction(name: &str, tolerance: f64) -> Result<f64> {
    let file: FrictionFile = serde_json::from_str(text("friction_contact", name)?)?;
    let q: Vec<DVec3> = file.q.chunks_exact(3).map(DVec3::from_slice).collect();
    let matrix = |(i, j, b): &(usize, usize, [f64; 9])| (*i, *j, DMat3::from_cols_array(b));
    let blocks: Vec<_> = file.blocks.iter().map(matrix).collect();
    let w = Delassus::from_blocks(file.contacts, blocks.iter().copied())?;
    let problem = FrictionContactProblem::new(w, q.clone(), file.mu.clone())?;
    let options = SolveOptions {
        tolerance,
        ..SolveOptions::default()
    };
    let r = solve(&problem, &options).impulses;
    let mut u = q.clone();
    for (i, j, b) in &blocks {
        u[*i] += *b * r[*j];
    }
    let mut square = 0.0;
    for ((r, u), mu) in r.iter().zip(&u).zip(&file.mu) {
        let slip = DVec2::new(u.y, u.z).length();
        let y = *r - (*u + DVec3::X * (mu * slip));
        square += (*r - on_cone(y, *mu)).length_squared();
    }
    let size = |v: &[DVec3]| v.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
    // The impulses are large where the masses are: they round by themselves.
    let rounding = 8.0 * f64::EPSILON * size(&r) / size(&q);
    Ok((square.sqrt() / size(&q) - rounding).max(0.0))
}

/// The nearest point of the cone `‖r_T‖ ≤ μ r_N`.
fn on_cone(y: DVec3, mu: f64) -> DVec3 {
    let tangent = DVec2::new(y.y, y.z);
    let t = tangent.length();
    if t <= mu * y.x {
        return y;
    }
    if mu * t <= -y.x {
        return DVec3::ZERO;
    }
    let n = (y.x + mu * t) / (1.0 + mu * mu);
    let part = tangent * (mu * n / t);
    DVec3::new(n, part.x, part.y)
}

/// The largest of `−z`, `−w` and `|z'w|`, `w = M z + q`.
fn complementarity(name: &str) -> Result<f64> {
    let file: LcpFile = serde_json::from_str(text("lcp", name)?)?;
    let problem = LinearComplementarityProblem::new(file.m.clone(), file.q.clone())?;
    let z = solve_lcp(&problem, &LcpOptions::default()).z;
    let n = file.q.len();
    let (mut worst, mut product) = (0.0_f64, 0.0);
    for (i, q) in file.q.iter().enumerate() {
        let row = &file.m[i * n..(i + 1) * n];
        let w = row.iter().zip(&z).map(|(m, z)| m * z).sum::<f64>() + q;
        worst = worst.max(-z[i]).max(-w);
        product += z[i] * w;
    }
    Ok(worst.max(product.abs()))
}

//! The public contact problems that are small enough to be in the project, judged by a natural map and a
//! complementarity that share nothing with the solvers.

use anyhow::{Context as _, Result, ensure};
use glam::{DMat3, DVec3};
use klast_contact::{LcpOptions, LinearComplementarityProblem, solve_lcp};
use serde::Deserialize;

use super::natural_map::Posed;

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
            tolerance => friction_problem(name)?.residual(tolerance.parse()?)?,
        };
        outcome.set(&row.id, "computed", value);
    }
    Ok(outcome)
}

/// A friction problem of the project.
pub(super) fn friction_problem(name: &str) -> Result<Posed> {
    let file: FrictionFile = serde_json::from_str(text("friction_contact", name)?)?;
    ensure!(file.contacts == file.mu.len(), "{name}: contacts");
    let block = |(i, j, b): (usize, usize, [f64; 9])| (i, j, DMat3::from_cols_array(&b));
    Ok(Posed {
        mu: file.mu,
        q: file.q.chunks_exact(3).map(DVec3::from_slice).collect(),
        blocks: file.blocks.into_iter().map(block).collect(),
    })
}

/// Matrix by rows and vector of a complementarity problem of the project.
///
/// # Errors
/// A name that is none.
pub fn complementarity_problem(name: &str) -> Result<(Vec<f64>, Vec<f64>)> {
    let file: LcpFile = serde_json::from_str(text("lcp", name)?)?;
    Ok((file.m, file.q))
}

/// The largest of `−z`, `−w` and `|z'w|`, `w = M z + q`.
fn complementarity(name: &str) -> Result<f64> {
    let (m, q) = complementarity_problem(name)?;
    let problem = LinearComplementarityProblem::new(m.clone(), q.clone())?;
    let z = solve_lcp(&problem, &LcpOptions::default()).z;
    let n = q.len();
    let (mut worst, mut product) = (0.0_f64, 0.0);
    for (i, free) in q.iter().enumerate() {
        let row = &m[i * n..(i + 1) * n];
        let w = row.iter().zip(&z).map(|(m, z)| m * z).sum::<f64>() + free;
        worst = worst.max(-z[i]).max(-w);
        product += z[i] * w;
    }
    Ok(worst.max(product.abs()))
}

//! Four public contact problems are too large for the project: here problems of the same kind and size are made,
//! compared with the published ones by contacts, rank and spread of the pivots, and judged as the others are.

mod bodies;
mod kinds;

pub use kinds::capsules;

use anyhow::{Context as _, Result, bail};

use super::natural_map::Posed;
use crate::{Context, Outcome, Table};

const KINDS: [&str; 4] = ["boxes", "capsules-889", "capsules-1090", "flakes"];

/// A problem by its kind; none if it is no kind.
pub(super) fn problem(kind: &str) -> Option<Posed> {
    Some(match kind {
        "boxes" => kinds::boxes(),
        "capsules-889" => capsules(889, 7e-4, 1.3),
        "capsules-1090" => capsules(1090, 8e-5, 1.9),
        "flakes" => kinds::flakes(),
        _ => return None,
    })
}

/// Every row is `<kind> <what>`: a tolerance, or what a problem is measured by.
pub(super) fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for name in KINDS {
        let posed = problem(name).with_context(|| name.to_owned())?;
        // What is below is rounding, of the printed operator where it is printed.
        let threshold = if name == "flakes" { 1e-5 } else { 1e-11 };
        let pivots = pivots(&posed, threshold);
        let q = posed.q.iter().map(|q| q.length_squared()).sum::<f64>();
        let spread = pivots.first().copied().unwrap_or(0.0) / pivots.last().copied().unwrap_or(1.0);
        for row in &table.rows {
            let Some(what) = row.id.strip_prefix(name).and_then(|r| r.strip_prefix(' ')) else {
                continue;
            };
            let value = match what {
                "contacts" => posed.q.len() as f64,
                "rank" => pivots.len() as f64,
                "spread" => spread.log10(),
                "velocity" => q.sqrt().log10(),
                _ => match what.parse() {
                    Ok(tolerance) => posed.residual(tolerance)?,
                    Err(_) => bail!("row '{}'", row.id),
                },
            };
            outcome.set(&row.id, "computed", value);
        }
    }
    Ok(outcome)
}

/// Pivots of Cholesky's factorisation with diagonal pivoting, largest first, down to a share of the first.
fn pivots(posed: &Posed, threshold: f64) -> Vec<f64> {
    let n = 3 * posed.q.len();
    let mut w = vec![0.0; n * n];
    for (i, j, block) in &posed.blocks {
        for (k, value) in block.to_cols_array().into_iter().enumerate() {
            // The printed operators are symmetric to their digits only.
            let (row, column) = (3 * i + k % 3, 3 * j + k / 3);
            w[row * n + column] += 0.5 * value;
            w[column * n + row] += 0.5 * value;
        }
    }
    let mut left: Vec<f64> = (0..n).map(|k| w[k * n + k]).collect();
    let (mut columns, mut found) = (Vec::<Vec<f64>>::new(), Vec::new());
    while let Some((p, pivot)) = left
        .iter()
        .copied()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|(_, d)| *d > threshold * found.first().unwrap_or(&0.0))
    {
        let mut column: Vec<f64> = w[p * n..(p + 1) * n].to_vec();
        for earlier in &columns {
            let factor = earlier[p];
            column
                .iter_mut()
                .zip(earlier)
                .for_each(|(c, e)| *c -= factor * e);
        }
        let root = pivot.sqrt();
        column.iter_mut().for_each(|c| *c /= root);
        left.iter_mut().zip(&column).for_each(|(d, c)| *d -= c * c);
        left[p] = 0.0;
        found.push(pivot);
        columns.push(column);
    }
    found
}

//! A dense linear program, for limit loads of a few hundred blocks.

use std::fmt;

/// Below this a reduced cost or a pivot counts as zero; the programs here have entries of order 1.
const ZERO: f64 = 1e-9;

/// Why a linear program has no optimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoOptimum {
    /// No point is admissible.
    Infeasible,
    /// The objective has no bound.
    Unbounded,
    /// The pivots that are allowed did not get there.
    TooManyPivots,
}

impl fmt::Display for NoOptimum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Infeasible => "no admissible point",
            Self::Unbounded => "unbounded",
            Self::TooManyPivots => "too many pivots",
        })
    }
}

impl std::error::Error for NoOptimum {}

/// Maximises c·x over A x = b, x ≥ 0 with b ≥ 0, by the two-phase simplex method with Bland's rule where the
/// objective stalls.
pub(super) fn maximise(a: &[Vec<f64>], b: &[f64], c: &[f64]) -> Result<f64, NoOptimum> {
    let (rows, columns) = (b.len(), c.len());
    let width = columns + rows + 1;
    let mut t: Vec<Vec<f64>> = Vec::with_capacity(rows);
    for (i, row) in a.iter().enumerate() {
        let mut line = row.clone();
        line.resize(width, 0.0);
        line[columns + i] = 1.0;
        line[width - 1] = b[i];
        t.push(line);
    }
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    // Phase 1: the sum of the artificial variables goes to zero.
    let mut cost = vec![0.0; width];
    for line in &t {
        for (k, v) in line
            .iter()
            .enumerate()
            .filter(|(k, _)| *k < columns || *k == width - 1)
        {
            cost[k] += v;
        }
    }
    run(&mut t, &mut cost, &mut basis, columns)?;
    if cost[width - 1].abs() > 1e-7 * b.iter().sum::<f64>().max(1.0) {
        return Err(NoOptimum::Infeasible);
    }
    let mut cost = vec![0.0; width];
    cost[..columns].copy_from_slice(c);
    for (line, &k) in t.iter().zip(&basis) {
        let price = if k < columns { c[k] } else { 0.0 };
        cost.iter_mut().zip(line).for_each(|(x, v)| *x -= price * v);
    }
    run(&mut t, &mut cost, &mut basis, columns)?;
    Ok(-cost[width - 1])
}

/// Pivots until no column below `columns` improves the objective.
fn run(
    t: &mut [Vec<f64>],
    cost: &mut [f64],
    basis: &mut [usize],
    columns: usize,
) -> Result<(), NoOptimum> {
    let last = cost.len() - 1;
    let mut stalled = 0;
    for _ in 0..200 * (columns + t.len()) {
        let entering = if stalled > 50 {
            (0..columns).find(|&k| cost[k] > ZERO)
        } else {
            (0..columns)
                .filter(|&k| cost[k] > ZERO)
                .max_by(|&x, &y| cost[x].total_cmp(&cost[y]))
        };
        let Some(k) = entering else { return Ok(()) };
        let ratio = |i: usize| t[i][last] / t[i][k];
        let leaving = (0..t.len())
            .filter(|&i| t[i][k] > ZERO)
            .min_by(|&i, &j| ratio(i).total_cmp(&ratio(j)).then(basis[i].cmp(&basis[j])));
        let Some(i) = leaving else {
            return Err(NoOptimum::Unbounded);
        };
        stalled = if ratio(i) > 1e-12 { 0 } else { stalled + 1 };
        let pivot = t[i][k];
        t[i].iter_mut().for_each(|v| *v /= pivot);
        let line = t[i].clone();
        let clear = |row: &mut [f64]| {
            let factor = row[k];
            if factor != 0.0 {
                row.iter_mut()
                    .zip(&line)
                    .for_each(|(x, v)| *x -= factor * v);
            }
        };
        for (j, row) in t.iter_mut().enumerate() {
            if j != i {
                clear(row);
            }
        }
        clear(cost);
        basis[i] = k;
    }
    Err(NoOptimum::TooManyPivots)
}

#[cfg(test)]
mod tests {
    use super::maximise;

    #[test]
    fn textbook_programs() {
        // max 3x + 5y: x ≤ 4, 2y ≤ 12, 3x + 2y ≤ 18 has 36 at (2, 6).
        let a = [
            vec![1.0, 0.0, 1.0, 0.0, 0.0],
            vec![0.0, 2.0, 0.0, 1.0, 0.0],
            vec![3.0, 2.0, 0.0, 0.0, 1.0],
        ];
        let best = maximise(&a, &[4.0, 12.0, 18.0], &[3.0, 5.0, 0.0, 0.0, 0.0]).unwrap();
        assert!((best - 36.0).abs() < 1e-12);
        assert!(
            maximise(&[vec![1.0], vec![1.0]], &[1.0, 2.0], &[1.0]).is_err(),
            "infeasible"
        );
        assert!(
            maximise(&[vec![1.0, -1.0]], &[1.0], &[1.0, 0.0]).is_err(),
            "unbounded"
        );
    }
}

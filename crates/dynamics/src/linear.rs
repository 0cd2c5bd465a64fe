//! A small dense system that may be singular.

/// Pivots under this part of the largest entry count as zero: rounding of redundant contacts is 1e-16, true pivots of a
/// body's mobility stand above 1e-6.
const SINGULAR: f64 = 1e-11;

/// Solves the leading n × n part of a x = b by elimination with complete pivoting; unknowns without a pivot are zero.
pub(crate) fn solve_with_rank_loss<const N: usize>(
    mut a: [[f64; N]; N],
    mut b: [f64; N],
    n: usize,
) -> [f64; N] {
    let n = n.min(N);
    let mut order: [usize; N] = std::array::from_fn(|i| i);
    // (row, column, size) of the largest entry that is left; looked for while the rows before it are swept.
    let mut next = (0, 0, 0.0);
    for (i, line) in a.iter().enumerate().take(n) {
        note_largest(&mut next, i, 0, line.get(..n).unwrap_or(&[]));
    }
    let least = SINGULAR * next.2;
    let mut rank = 0;
    while rank < n && next.2 > least {
        let (row, column, _) = next;
        a.swap(rank, row);
        b.swap(rank, row);
        if column != rank {
            a.iter_mut()
                .take(n)
                .for_each(|line| line.swap(rank, column));
            order.swap(rank, column);
        }
        let (pivot, known) = (a[rank], b[rank]);
        let inverse = 1.0 / pivot[rank];
        rank += 1;
        next = (0, 0, 0.0);
        for i in rank..n {
            let factor = a[i][rank - 1] * inverse;
            let rest = &mut a[i][rank..n];
            for (x, p) in rest.iter_mut().zip(&pivot[rank..n]) {
                *x -= factor * p;
            }
            note_largest(&mut next, i, rank, rest);
            b[i] -= factor * known;
        }
    }
    let mut x = [0.0; N];
    for i in (0..rank).rev() {
        let known: f64 = (i + 1..rank).map(|j| a[i][j] * x[order[j]]).sum();
        x[order[i]] = (b[i] - known) / a[i][i];
    }
    x
}

/// Takes over the largest entry of a row, whose first entry stands in column `from`, if it beats what was found.
fn note_largest(best: &mut (usize, usize, f64), row: usize, from: usize, entries: &[f64]) {
    for (j, x) in entries.iter().enumerate() {
        if x.abs() > best.2 {
            *best = (row, from + j, x.abs());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_a_consistent_singular_system() {
        let mut a = [[0.0; 6]; 6];
        a[0][..3].copy_from_slice(&[2.0, 1.0, 3.0]);
        a[1][..3].copy_from_slice(&[1.0, 4.0, 5.0]);
        // The third row is the sum of the first two, and so is the third column.
        a[2][..3].copy_from_slice(&[3.0, 5.0, 8.0]);
        let b = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0];
        let x = solve_with_rank_loss(a, b, 3);
        for i in 0..3 {
            let sum: f64 = (0..3).map(|j| a[i][j] * x[j]).sum();
            assert!((sum - b[i]).abs() < 1e-15);
        }
    }
}

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
    let largest = a
        .iter()
        .take(n)
        .flat_map(|row| row.iter().take(n))
        .fold(0.0, |m: f64, x| m.max(x.abs()));
    let mut order: [usize; N] = std::array::from_fn(|i| i);
    let mut rank = 0;
    while rank < n {
        let (mut row, mut column, mut best) = (rank, rank, 0.0);
        for (i, line) in a.iter().enumerate().take(n).skip(rank) {
            for (j, x) in line.iter().enumerate().take(n).skip(rank) {
                if x.abs() > best {
                    (row, column, best) = (i, j, x.abs());
                }
            }
        }
        if best <= SINGULAR * largest {
            break;
        }
        a.swap(rank, row);
        b.swap(rank, row);
        a.iter_mut().for_each(|line| line.swap(rank, column));
        order.swap(rank, column);
        let pivot = a[rank];
        for i in rank + 1..n {
            let factor = a[i][rank] / pivot[rank];
            for (x, p) in a[i].iter_mut().zip(pivot) {
                *x -= factor * p;
            }
            b[i] -= factor * b[rank];
        }
        rank += 1;
    }
    let mut x = [0.0; N];
    for i in (0..rank).rev() {
        let known: f64 = (i + 1..rank).map(|j| a[i][j] * x[order[j]]).sum();
        x[order[i]] = (b[i] - known) / a[i][i];
    }
    x
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

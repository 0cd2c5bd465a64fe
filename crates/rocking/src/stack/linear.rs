//! Small dense systems without allocation: at most one unknown a block.

use super::MAX_BLOCKS;

pub(super) type Row = [f64; MAX_BLOCKS];

/// A square matrix of the first `n` rows and columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Small {
    pub n: usize,
    pub a: [Row; MAX_BLOCKS],
}

impl Small {
    pub fn zero(n: usize) -> Self {
        Self {
            n: n.min(MAX_BLOCKS),
            a: [[0.0; MAX_BLOCKS]; MAX_BLOCKS],
        }
    }

    /// Replaces the matrix by its factors L D Lᵀ; meant for the mass matrix, which is symmetric and positive definite.
    pub fn factor(&mut self) {
        for j in 0..self.n {
            for k in 0..j {
                let scaled = self.a[j][k] * self.a[k][k];
                let (above, below) = self.a.split_at_mut(j);
                let _ = above;
                for row in below.iter_mut().take(self.n - j) {
                    // Row j itself holds L_jk; rows under it lose L_ik D_k L_jk.
                    row[j] -= row[k] * scaled;
                }
            }
            let pivot = self.a[j][j];
            for i in j + 1..self.n {
                self.a[i][j] /= pivot;
            }
        }
    }

    /// Solves in place with the factors made by [`Small::factor`].
    pub fn solve(&self, b: &mut Row) {
        match self.n {
            0 => {}
            1 => b[0] /= self.a[0][0],
            2 => {
                let second = (b[1] - self.a[1][0] * b[0]) / self.a[1][1];
                b[0] = b[0] / self.a[0][0] - self.a[1][0] * second;
                b[1] = second;
            }
            n => {
                for i in 0..n {
                    for k in 0..i {
                        b[i] -= self.a[i][k] * b[k];
                    }
                }
                for i in (0..n).rev() {
                    b[i] /= self.a[i][i];
                    for k in i + 1..n {
                        b[i] -= self.a[k][i] * b[k];
                    }
                }
            }
        }
    }

    /// Solves a general system by elimination with row exchanges; false when a pivot vanishes.
    pub fn eliminate(mut self, b: &mut Row) -> bool {
        let n = self.n;
        for k in 0..n {
            let mut best = k;
            for i in k + 1..n {
                if self.a[i][k].abs() > self.a[best][k].abs() {
                    best = i;
                }
            }
            self.a.swap(k, best);
            b.swap(k, best);
            let pivot = self.a[k][k];
            if pivot == 0.0 || !pivot.is_finite() {
                return false;
            }
            for i in k + 1..n {
                let factor = self.a[i][k] / pivot;
                for c in k..n {
                    self.a[i][c] -= factor * self.a[k][c];
                }
                b[i] -= factor * b[k];
            }
        }
        for i in (0..n).rev() {
            for c in i + 1..n {
                b[i] -= self.a[i][c] * b[c];
            }
            b[i] /= self.a[i][i];
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_solvers_satisfy_the_system() {
        for n in 1..=5 {
            let mut matrix = Small::zero(n);
            let mut b: Row = [0.0; MAX_BLOCKS];
            for i in 0..n {
                for k in 0..n {
                    matrix.a[i][k] =
                        1.0 / (1.0 + i as f64 + k as f64) + if i == k { 1.0 } else { 0.0 };
                }
                b[i] = 1.0 - 0.3 * i as f64;
            }
            let mut by_factors = b;
            let mut factors = matrix;
            factors.factor();
            factors.solve(&mut by_factors);
            let mut by_elimination = b;
            assert!(matrix.eliminate(&mut by_elimination));
            for i in 0..n {
                let left: f64 = (0..n).map(|k| matrix.a[i][k] * by_factors[k]).sum();
                // A well-conditioned system of five: round-off only.
                assert!(
                    (left - b[i]).abs() < 1e-14,
                    "row {i}: {left} against {}",
                    b[i]
                );
                assert!((by_factors[i] - by_elimination[i]).abs() < 1e-14);
            }
        }
    }
}

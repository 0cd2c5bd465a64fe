//! Small dense systems a x = b without allocation.

/// Rows of a matrix.
pub type Matrix<const N: usize> = [[f64; N]; N];

/// A = P⁻¹ L U by elimination with exchange of rows (partial pivoting), for a general matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lu<const N: usize> {
    n: usize,
    /// Below the diagonal L without its ones, on it and above it U.
    factors: Matrix<N>,
    /// Which row stood where: row i of the factors is row `order[i]` of the matrix.
    order: [usize; N],
}

impl<const N: usize> Lu<N> {
    /// Factors of the leading `n` rows and columns; nothing if a pivot is zero or not finite, as that of a singular
    /// matrix.
    #[must_use]
    pub fn new(mut a: Matrix<N>, n: usize) -> Option<Self> {
        let n = n.min(N);
        let mut order = std::array::from_fn(|i| i);
        for k in 0..n {
            let mut best = k;
            for i in k + 1..n {
                if a[i][k].abs() > a[best][k].abs() {
                    best = i;
                }
            }
            a.swap(k, best);
            order.swap(k, best);
            let pivot = a[k];
            if pivot[k] == 0.0 || !pivot[k].is_finite() {
                return None;
            }
            for row in a.iter_mut().take(n).skip(k + 1) {
                let factor = row[k] / pivot[k];
                row[k] = factor;
                for (x, p) in row[k + 1..n].iter_mut().zip(&pivot[k + 1..n]) {
                    *x -= factor * p;
                }
            }
        }
        Some(Self {
            n,
            factors: a,
            order,
        })
    }

    /// The solution for a right-hand side; entries from `n` on are zero.
    #[must_use]
    pub fn solve(&self, b: &[f64; N]) -> [f64; N] {
        let mut x = [0.0; N];
        for i in 0..self.n {
            x[i] = b[self.order[i]];
            for k in 0..i {
                x[i] -= self.factors[i][k] * x[k];
            }
        }
        for i in (0..self.n).rev() {
            for k in i + 1..self.n {
                x[i] -= self.factors[i][k] * x[k];
            }
            x[i] /= self.factors[i][i];
        }
        x
    }
}

/// Fills the leading n × n part of a matrix with the product of n rows and n columns of six entries. The entries beyond
/// it are of no use then.
pub fn product<const N: usize>(
    rows: &[[f64; 6]; N],
    columns: &[[f64; N]; 6],
    n: usize,
    out: &mut Matrix<N>,
) {
    match n {
        0..=4 if N > 4 => product_within::<4, N>(rows, columns, n, out),
        5..=6 if N > 6 => product_within::<6, N>(rows, columns, n, out),
        7..=8 if N > 8 => product_within::<8, N>(rows, columns, n, out),
        9..=12 if N > 12 => product_within::<12, N>(rows, columns, n, out),
        _ => product_within::<N, N>(rows, columns, n, out),
    }
}

/// The same in rows of M ≥ n entries, as [`eliminate_within`] has them.
fn product_within<const M: usize, const N: usize>(
    rows: &[[f64; 6]; N],
    [a, b, c, d, e, f]: &[[f64; N]; 6],
    n: usize,
    out: &mut Matrix<N>,
) {
    for (out, [u, v, w, x, y, z]) in out.iter_mut().zip(rows).take(n) {
        let first: [f64; M] = std::array::from_fn(|j| u * a[j] + v * b[j] + w * c[j]);
        let second: [f64; M] = std::array::from_fn(|j| x * d[j] + y * e[j] + z * f[j]);
        for (out, (first, second)) in out.iter_mut().zip(first.iter().zip(second)) {
            *out = first + second;
        }
    }
}

/// Solves the leading n × n part of a x = b by elimination with exchange of rows: the solution takes the place of b,
/// and nothing of use is left in a. False if a pivot is zero or not finite.
#[must_use]
pub fn eliminate<const N: usize>(a: &mut Matrix<N>, b: &mut [f64; N], n: usize) -> bool {
    // Rows of a fixed length, a little longer than needed, take fewer instructions than just what is needed.
    match n {
        0..=2 if N > 2 => eliminate_within::<2, N>(a, b, n),
        3..=4 if N > 4 => eliminate_within::<4, N>(a, b, n),
        5..=6 if N > 6 => eliminate_within::<6, N>(a, b, n),
        7..=8 if N > 8 => eliminate_within::<8, N>(a, b, n),
        9..=12 if N > 12 => eliminate_within::<12, N>(a, b, n),
        13..=18 if N > 18 => eliminate_within::<18, N>(a, b, n),
        _ => eliminate_within::<N, N>(a, b, n.min(N)),
    }
}

/// The same on the first M ≥ n columns.
fn eliminate_within<const M: usize, const N: usize>(
    a: &mut Matrix<N>,
    b: &mut [f64; N],
    n: usize,
) -> bool {
    for k in 0..n {
        let mut best = k;
        let mut largest = a[k][k].abs();
        for (i, row) in a.iter().enumerate().take(n).skip(k + 1) {
            if row[k].abs() > largest {
                (best, largest) = (i, row[k].abs());
            }
        }
        if largest == 0.0 || !largest.is_finite() {
            return false;
        }
        let (above, below) = a[..n].split_at_mut(k + 1);
        let Some(pivot) = above[k].first_chunk_mut::<M>() else {
            return false;
        };
        if best > k {
            if let Some(other) = below[best - k - 1].first_chunk_mut::<M>() {
                std::mem::swap(pivot, other);
            }
            b.swap(k, best);
        }
        let (pivot, inverse, known) = (*pivot, 1.0 / pivot[k], b[k]);
        for (row, b) in below.iter_mut().zip(&mut b[k + 1..n]) {
            let factor = row[k] * inverse;
            for (x, p) in row.iter_mut().zip(pivot) {
                *x -= factor * p;
            }
            *b -= factor * known;
        }
    }
    for i in (0..n).rev() {
        let (x, known) = b[i..n].split_at_mut(1);
        let terms = a[i][i + 1..n].iter().zip(known.iter());
        x[0] = terms.fold(x[0], |sum, (a, x)| sum - a * x) / a[i][i];
    }
    true
}

/// A = L D Lᵀ without pivoting, for a symmetric positive definite matrix (a mass matrix, say). Only entries on and
/// above the diagonal are read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ldlt<A> {
    n: usize,
    /// By rows of `n`: on the diagonal D, above it Lᵀ.
    factors: A,
}

impl<A: AsRef<[f64]> + AsMut<[f64]>> Ldlt<A> {
    /// Factors of the matrix whose rows of `n` entries stand one after another in `a`; of no rows where fewer are
    /// there. A matrix that is not positive definite gives factors that are, then, not finite or of no use;
    /// [`Ldlt::is_positive`] tells.
    #[must_use]
    pub fn new(mut a: A, n: usize) -> Self {
        let entries = a.as_mut();
        if n == 0 || entries.len() < n * n {
            return Self { n: 0, factors: a };
        }
        for k in 0..n {
            let (done, rest) = entries.split_at_mut((k + 1) * n);
            let (pivot, column) = done[k * n + k..].split_at_mut(1);
            let pivot = pivot[0];
            column.iter_mut().for_each(|l| *l /= pivot);
            for (j, row) in rest.chunks_exact_mut(n).enumerate() {
                let below = &column[j..];
                let scaled = below[0] * pivot;
                for (entry, l) in row[k + 1 + j..].iter_mut().zip(below) {
                    *entry -= l * scaled;
                }
            }
        }
        Self { n, factors: a }
    }

    /// Whether the matrix is positive definite: all pivots are finite and above zero.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        let a = self.factors.as_ref();
        let mut pivots = (0..self.n).map(|k| a[k * self.n + k]);
        pivots.all(|pivot| pivot.is_finite() && pivot > 0.0)
    }

    /// Puts the solution in the place of the right-hand side; entries from `n` on are left alone, and so is one that is
    /// shorter.
    #[inline]
    pub fn solve(&self, b: &mut [f64]) {
        let (a, n) = (self.factors.as_ref(), self.n);
        match (a, b) {
            _ if n == 0 => {}
            ([d, ..], [x, ..]) if n == 1 => *x /= d,
            ([first, l, _, last, ..], [x, y, ..]) if n == 2 => {
                let second = (*y - l * *x) / last;
                *x = *x / first - l * second;
                *y = second;
            }
            (a, b) if n > 2 && b.len() >= n => {
                let b = &mut b[..n];
                for (k, row) in a.chunks_exact(n).enumerate().take(n) {
                    let (known, later) = b.split_at_mut(k + 1);
                    let x = known[k];
                    for (b, l) in later.iter_mut().zip(&row[k + 1..]) {
                        *b -= l * x;
                    }
                }
                for (i, row) in a.chunks_exact(n).enumerate().take(n).rev() {
                    let (own, known) = b[i..].split_at_mut(1);
                    let from = own[0] / row[i];
                    let terms = row[i + 1..].iter().zip(known);
                    own[0] = terms.fold(from, |sum, (l, x)| sum - l * *x);
                }
            }
            _ => {}
        }
    }
}

/// Solves the leading n × n part of a x = b, which may be of deficient rank, by elimination with complete pivoting. A
/// pivot of no more than `threshold` times the largest entry counts as zero, and an unknown without a pivot is zero: of
/// a consistent system this is a solution, of another one it meets the equations that were kept.
#[must_use]
pub fn solve_rank_revealing<const N: usize>(
    mut a: Matrix<N>,
    mut b: [f64; N],
    n: usize,
    threshold: f64,
) -> [f64; N] {
    let n = n.min(N);
    let mut order: [usize; N] = std::array::from_fn(|i| i);
    // (row, column, size) of the largest entry that is left; looked for while the rows before it are swept.
    let mut next = (0, 0, 0.0);
    for (i, line) in a.iter().enumerate().take(n) {
        note_largest(&mut next, i, 0, line.get(..n).unwrap_or(&[]));
    }
    let least = threshold * next.2;
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

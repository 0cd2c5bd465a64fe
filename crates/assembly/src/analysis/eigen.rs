//! Eigenvalues of a small real matrix.

use nalgebra::{DMatrix, Schur};

/// Steps of the QR iteration per eigenvalue; two or three are usual.
const STEPS: usize = 200;

/// Eigenvalues (real, imaginary) of the `n` × `n` matrix `a`, row by row, from its real Schur form; pairs of conjugates
/// stand together. NaN for a matrix that is not finite or whose iteration does not end.
pub(crate) fn eigenvalues(a: &[Vec<f64>]) -> Vec<(f64, f64)> {
    let n = a.len();
    let unknown = vec![(f64::NAN, f64::NAN); n];
    if n == 0 || a.iter().flatten().any(|x| !x.is_finite()) {
        return unknown;
    }
    let matrix = DMatrix::from_fn(n, n, |i, j| a[i][j]);
    match Schur::try_new(matrix, f64::EPSILON, STEPS * n) {
        Some(schur) => schur
            .complex_eigenvalues()
            .iter()
            .map(|z| (z.re, z.im))
            .collect(),
        None => unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::eigenvalues;

    /// Coefficients of Π (λ − λ_i), highest first; conjugates make them real.
    fn polynomial(roots: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let mut c = vec![(1.0, 0.0)];
        for &(a, b) in roots {
            let mut next = c.clone();
            next.push((0.0, 0.0));
            for (i, &(x, y)) in c.iter().enumerate() {
                next[i + 1].0 -= x * a - y * b;
                next[i + 1].1 -= x * b + y * a;
            }
            c = next;
        }
        c
    }

    #[test]
    fn companion_matrices_return_their_roots() {
        let roots = [
            (0.64, 0.0),
            (-0.5, 0.3),
            (-0.5, -0.3),
            (2.0, 0.0),
            (0.1, 0.7),
            (0.1, -0.7),
            (-3.0, 0.0),
        ];
        let c = polynomial(&roots);
        let n = roots.len();
        let mut a = vec![vec![0.0; n]; n];
        for i in 0..n {
            a[0][i] = -c[i + 1].0;
            if i > 0 {
                a[i][i - 1] = 1.0;
            }
        }
        let found = eigenvalues(&a);
        for (re, im) in roots {
            let nearest = found
                .iter()
                .map(|f| (f.0 - re).hypot(f.1 - im))
                .fold(f64::INFINITY, f64::min);
            // Simple roots of a well-separated set: rounding times a condition number of about 1e3.
            assert!(nearest < 1e-12, "{re} {im}: {found:?}");
        }
    }

    #[test]
    fn triangular_rotation_and_zero_matrices() {
        assert_eq!(eigenvalues(&vec![vec![0.0; 3]; 3]), vec![(0.0, 0.0); 3]);
        // Two roundings.
        let near = |found: Vec<(f64, f64)>, exact: [(f64, f64); 2]| {
            let close = |(f, e): (&(f64, f64), &(f64, f64))| (f.0 - e.0).hypot(f.1 - e.1) < 5e-16;
            assert!(found.iter().zip(&exact).all(close), "{found:?}");
        };
        let turn = eigenvalues(&[vec![0.6, -0.8], vec![0.8, 0.6]]);
        near(turn, [(0.6, 0.8), (0.6, -0.8)]);
        let parabolic = eigenvalues(&[vec![1.0, -6.0], vec![0.0, 1.0]]);
        near(parabolic, [(1.0, 0.0), (1.0, 0.0)]);
    }
}

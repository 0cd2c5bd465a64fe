//! Eigenvalues of a small real matrix: Hessenberg form, then the shifted QR iteration (Francis 1961, in the form of
//! Martin, Peters and Wilkinson 1970).
// Rows and columns of one matrix are read and written at once: indices are the clear way to say it.
#![allow(clippy::needless_range_loop)]

/// Eigenvalues (real, imaginary) of the `n` × `n` matrix `a`, row by row; pairs of conjugates stand together. NaN for a
/// matrix that is not finite.
pub(crate) fn eigenvalues(mut a: Vec<Vec<f64>>) -> Vec<(f64, f64)> {
    let n = a.len();
    if a.iter().flatten().any(|x| !x.is_finite()) {
        return vec![(f64::NAN, f64::NAN); n];
    }
    hessenberg(&mut a);
    let norm: f64 = a.iter().flatten().map(|x| x.abs()).sum();
    let mut found = vec![(0.0, 0.0); n];
    let mut end = n;
    let mut shift_sum = 0.0;
    let mut rounds = 0;
    while end > 0 {
        let k = end - 1;
        let low = split(&a, k, norm);
        if low == k {
            found[k] = (a[k][k] + shift_sum, 0.0);
            end -= 1;
            rounds = 0;
        } else if low + 1 == k {
            let (first, second) = block(&a, k, shift_sum);
            found[k - 1] = first;
            found[k] = second;
            end -= 2;
            rounds = 0;
        } else {
            if rounds == 200 {
                found[..end].fill((f64::NAN, f64::NAN));
                break;
            }
            // An exceptional shift now and then breaks cycles.
            if rounds % 10 == 9 {
                let s = a[k][k - 1].abs() + a[k - 1][k - 2].abs();
                shift_sum += a[k][k];
                let x = a[k][k];
                for (i, row) in a.iter_mut().enumerate().take(k + 1) {
                    row[i] -= x;
                }
                francis(&mut a, low, k, (0.75 * s, 0.75 * s, -0.4375 * s * s));
            } else {
                let shifts = (a[k][k], a[k - 1][k - 1], a[k][k - 1] * a[k - 1][k]);
                francis(&mut a, low, k, shifts);
            }
            rounds += 1;
        }
    }
    found
}

/// Similarity by elimination with pivots.
fn hessenberg(a: &mut [Vec<f64>]) {
    let n = a.len();
    for m in 1..n.saturating_sub(1) {
        let pivot = (m..n)
            .max_by(|&i, &j| a[i][m - 1].abs().total_cmp(&a[j][m - 1].abs()))
            .unwrap_or(m);
        if a[pivot][m - 1] == 0.0 {
            continue;
        }
        a.swap(pivot, m);
        for row in a.iter_mut() {
            row.swap(pivot, m);
        }
        for i in m + 1..n {
            let factor = a[i][m - 1] / a[m][m - 1];
            for j in m - 1..n {
                a[i][j] -= factor * a[m][j];
            }
            for row in a.iter_mut() {
                row[m] += factor * row[i];
            }
            a[i][m - 1] = 0.0;
        }
    }
}

/// First row of the last block that does not split off.
fn split(a: &[Vec<f64>], k: usize, norm: f64) -> usize {
    let mut low = k;
    while low > 0 {
        let beside = a[low - 1][low - 1].abs() + a[low][low].abs();
        let scale = if beside == 0.0 { norm } else { beside };
        if a[low][low - 1].abs() <= f64::EPSILON * scale {
            break;
        }
        low -= 1;
    }
    low
}

/// Eigenvalues of the trailing two by two block.
fn block(a: &[Vec<f64>], k: usize, shift: f64) -> ((f64, f64), (f64, f64)) {
    let (x, y, w) = (a[k][k], a[k - 1][k - 1], a[k][k - 1] * a[k - 1][k]);
    let p = 0.5 * (y - x);
    let q = p * p + w;
    let x = x + shift;
    if q >= 0.0 {
        let z = p + q.sqrt().copysign(p);
        ((x + z, 0.0), (if z == 0.0 { x } else { x - w / z }, 0.0))
    } else {
        let z = (-q).sqrt();
        ((x + p, z), (x + p, -z))
    }
}

/// One double step of the rows `low..=k` with the shifts x, y, w of the trailing block.
fn francis(a: &mut [Vec<f64>], low: usize, k: usize, (x, y, w): (f64, f64, f64)) {
    let n = a.len();
    let mut m = k - 2;
    let (mut p, mut q, mut r);
    loop {
        let z = a[m][m];
        let (rr, s) = (x - z, y - z);
        p = (rr * s - w) / a[m + 1][m] + a[m][m + 1];
        q = a[m + 1][m + 1] - z - rr - s;
        r = a[m + 2][m + 1];
        let scale = p.abs() + q.abs() + r.abs();
        (p, q, r) = (p / scale, q / scale, r / scale);
        if m == low {
            break;
        }
        let u = a[m][m - 1].abs() * (q.abs() + r.abs());
        let v = p.abs() * (a[m - 1][m - 1].abs() + z.abs() + a[m + 1][m + 1].abs());
        if u <= f64::EPSILON * v {
            break;
        }
        m -= 1;
    }
    for i in m + 2..=k {
        a[i][i - 2] = 0.0;
        if i > m + 2 {
            a[i][i - 3] = 0.0;
        }
    }
    for i in m..k {
        let third = i + 1 < k;
        if i > m {
            (p, q, r) = (
                a[i][i - 1],
                a[i + 1][i - 1],
                if third { a[i + 2][i - 1] } else { 0.0 },
            );
            let scale = p.abs() + q.abs() + r.abs();
            if scale == 0.0 {
                continue;
            }
            (p, q, r) = (p / scale, q / scale, r / scale);
            let s = (p * p + q * q + r * r).sqrt().copysign(p);
            a[i][i - 1] = -s * scale;
        } else if low != m {
            a[i][i - 1] = -a[i][i - 1];
        }
        let s = (p * p + q * q + r * r).sqrt().copysign(p);
        if s == 0.0 {
            continue;
        }
        let head = p + s;
        let (fx, fy, fz) = (head / s, q / s, r / s);
        let (gq, gr) = (q / head, r / head);
        for j in i..n {
            let mut t = a[i][j] + gq * a[i + 1][j];
            if third {
                t += gr * a[i + 2][j];
                a[i + 2][j] -= t * fz;
            }
            a[i + 1][j] -= t * fy;
            a[i][j] -= t * fx;
        }
        for row in a.iter_mut().take((i + 3).min(k) + 1) {
            let mut t = fx * row[i] + fy * row[i + 1];
            if third {
                t += fz * row[i + 2];
                row[i + 2] -= t * gr;
            }
            row[i + 1] -= t * gq;
            row[i] -= t;
        }
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
        let found = eigenvalues(a);
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
        assert_eq!(eigenvalues(vec![vec![0.0; 3]; 3]), vec![(0.0, 0.0); 3]);
        let turn = eigenvalues(vec![vec![0.6, -0.8], vec![0.8, 0.6]]);
        assert_eq!(turn, vec![(0.6, 0.8), (0.6, -0.8)]);
        let parabolic = eigenvalues(vec![vec![1.0, -6.0], vec![0.0, 1.0]]);
        assert_eq!(parabolic, vec![(1.0, 0.0), (1.0, 0.0)]);
    }
}

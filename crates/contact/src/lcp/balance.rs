//! Powers of two that take the units out of an LCP.

/// Exponent of an entry, nothing for zero.
fn exponent(x: f64) -> Option<i32> {
    (x != 0.0).then(|| libm::ilogb(x))
}

/// `r` and `c` for which the largest entry of each row and each column of `r_i M_ij c_j` lies near 1; powers of two, so
/// that scaling rounds nothing.
///
/// Ruiz (2001), "A scaling algorithm to equilibrate both rows and columns norms in matrices", RAL-TR-2001-034, on the
/// exponents: rows and columns share what is too much. A row of zeros has no such `r`; it gets one for which its `q` is
/// as large as the most negative of the others.
pub(super) fn balance(m: &[f64], q: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = q.len();
    let entries: Vec<(usize, usize, i32)> = m
        .iter()
        .enumerate()
        .filter_map(|(k, x)| exponent(*x).map(|e| (k / n, k % n, e)))
        .collect();
    let (mut rows, mut columns) = (vec![0; n], vec![0; n]);
    // The excess halves each time, and exponents start within ±1100.
    for _ in 0..16 {
        let (mut high, mut wide) = (vec![i32::MIN; n], vec![i32::MIN; n]);
        for &(i, j, e) in &entries {
            let e = e + rows[i] + columns[j];
            high[i] = high[i].max(e);
            wide[j] = wide[j].max(e);
        }
        let mut still = true;
        for (shift, excess) in rows
            .iter_mut()
            .zip(high)
            .chain(columns.iter_mut().zip(wide))
        {
            if excess != i32::MIN && excess / 2 != 0 {
                *shift -= excess / 2;
                still = false;
            }
        }
        if still {
            break;
        }
    }
    let mut empty = vec![true; n];
    entries.iter().for_each(|&(i, _, _)| empty[i] = false);
    let load = (0..n)
        .filter(|&i| !empty[i] && q[i] < 0.0)
        .map(|i| libm::ilogb(q[i]) + rows[i])
        .max()
        .unwrap_or(0);
    for i in (0..n).filter(|&i| empty[i]) {
        rows[i] = exponent(q[i]).map_or(0, |e| load - e);
    }
    let power = |e: i32| libm::ldexp(1.0, e.clamp(-1000, 1000));
    (
        rows.into_iter().map(power).collect(),
        columns.into_iter().map(power).collect(),
    )
}

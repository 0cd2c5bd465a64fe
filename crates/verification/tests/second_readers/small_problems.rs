//! Complementarity problems by trying every basis, one contact by a slow iteration of projections.

use glam::{DVec2, DVec3};

use crate::reading::Reading;

/// The solutions of `w = M z + q ≥ 0`, `z ≥ 0`, `zᵀw = 0`: for every set of unknowns that may be positive the linear
/// system, by elimination.
fn by_bases(m: &[Vec<f64>], q: &[f64]) -> Vec<Vec<f64>> {
    let n = q.len();
    let mut found = Vec::new();
    for basis in 0..1_usize << n {
        let on: Vec<usize> = (0..n).filter(|k| basis >> k & 1 == 1).collect();
        let mut rows: Vec<Vec<f64>> = on
            .iter()
            .map(|&i| on.iter().map(|&j| m[i][j]).chain([-q[i]]).collect())
            .collect();
        let Some(z) = solved(&mut rows) else { continue };
        let mut whole = vec![0.0; n];
        on.iter().zip(&z).for_each(|(k, z)| whole[*k] = *z);
        let w = |i: usize| q[i] + m[i].iter().zip(&whole).map(|(m, z)| m * z).sum::<f64>();
        if whole.iter().all(|z| *z >= -1e-12) && (0..n).all(|i| w(i) >= -1e-12) {
            found.push(whole);
        }
    }
    found
}

fn solved(rows: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()))?;
        rows.swap(k, pivot);
        if rows[k][k].abs() < 1e-14 {
            return None;
        }
        for i in (0..n).filter(|i| *i != k) {
            let factor = rows[i][k] / rows[k][k];
            let row = rows[k].clone();
            rows[i]
                .iter_mut()
                .zip(row)
                .for_each(|(a, b)| *a -= factor * b);
        }
    }
    Some((0..n).map(|k| rows[k][n] / rows[k][k]).collect())
}

#[test]
fn complementarity_by_trying_all_bases() {
    let mut reading = Reading::open("contact/closed-forms");
    let murty: Vec<Vec<f64>> = (0..6)
        .map(|i| {
            (0..6)
                .map(|j| match i {
                    _ if i < j => 2.0,
                    _ if i == j => 1.0,
                    _ => 0.0,
                })
                .collect()
        })
        .collect();
    let [z] = &by_bases(&murty, &[-1.0; 6])[..] else {
        panic!("one solution")
    };
    for (k, z) in z.iter().enumerate() {
        reading.holds(&format!("murty 6/z{}", k + 1), "exact", *z, 1e-12);
    }
    let springs = by_bases(&[vec![2.0, 1.0], vec![1.0, 2.0]], &[-5.0, -6.0]);
    for (k, z) in springs[0].iter().enumerate() {
        reading.holds(&format!("two springs/z{}", k + 1), "exact", *z, 1e-12);
    }
    assert!(by_bases(&[vec![-1.0, 0.0], vec![0.0, 1.0]], &[-1.0, -1.0]).is_empty());
    assert!(by_bases(&[vec![0.0, 1.0], vec![0.0, 0.0]], &[-1.0, 1.0]).is_empty());
    // 2 kg on ground of friction 0.5, by projections until nothing moves.
    let pushed = |u: DVec3| {
        let mut p = DVec3::ZERO;
        for _ in 0..2000 {
            let v = u + 0.5 * p;
            p.x = (p.x - v.x).max(0.0);
            let t = DVec2::new(p.y - v.y, p.z - v.z);
            let t = t.clamp_length_max(0.5 * p.x);
            (p.y, p.z) = (t.x, t.y);
        }
        p
    };
    let slide = pushed(DVec3::new(-1.0, 3.0, 0.0));
    reading.holds("slide/normal", "exact", slide.x, 1e-12);
    reading.holds("slide/friction", "exact", slide.y, 1e-12);
    let stick = pushed(DVec3::new(-1.0, 0.3, 0.0));
    reading.holds("stick/friction", "exact", stick.y, 1e-12);
}

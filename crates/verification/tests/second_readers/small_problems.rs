//! Complementarity problems by trying every basis, one contact by a slow iteration of projections.

use glam::{DVec2, DVec3};

use super::reading::Reading;

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
    let mut reading = Reading::open(
        "contact/closed-forms",
        "complementarity_by_trying_all_bases",
    );
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
    let infeasible = [vec![-1.0, 0.0], vec![0.0, 1.0]];
    assert!(by_bases(&infeasible, &[-1.0, -1.0]).is_empty());
    // Farkas: the first row asks for −z₁ − 1 ≥ 0, and no entry of it is positive.
    assert!(infeasible[0].iter().all(|m| *m <= 0.0));
    reading.says("infeasible", "exact", "infeasible");
    let ray = [vec![0.0, 1.0], vec![0.0, 0.0]];
    assert!(by_bases(&ray, &[-1.0, 1.0]).is_empty());
    // Feasible at z = (0, 1): w = (0, 1).
    reading.says("ray", "exact", "ray");
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

/// W = [[2, 1.5], [1.5, 2]], u = (−2, −0.5), mu = e = 0.5: the slip by steps of the normal impulse, and the work of
/// compression and restitution.
#[test]
fn slip_that_reverses_by_small_steps() {
    let mut reading = Reading::open("contact/closed-forms", "slip_that_reverses_by_small_steps");
    const STEP: f64 = 1e-6;
    let (mu, e) = (0.5, 0.5);
    let run = |ends: &dyn Fn(f64, f64, f64, f64) -> bool| {
        let mut u = DVec2::new(-2.0, -0.5);
        let (mut p, mut work, mut back, mut compressed) = (DVec2::ZERO, 0.0, 0.0, f64::INFINITY);
        loop {
            // Slip that has stopped goes on where the cone cannot hold it.
            let hold = -1.5 / 2.0_f64;
            let rate = match u.y.abs() > 2.0 * STEP {
                true => -mu * u.y.signum(),
                false => hold.clamp(-mu, mu),
            };
            let change = DVec2::new(2.0 + 1.5 * rate, 1.5 + 2.0 * rate);
            let middle = u.x + 0.5 * STEP * change.x;
            if middle < 0.0 {
                work -= middle * STEP;
            } else {
                compressed = compressed.min(p.x);
                back += middle * STEP;
            }
            if ends(p.x, compressed, work, back) {
                return p;
            }
            u += change * STEP;
            p += DVec2::new(STEP, rate * STEP);
        }
    };
    let poisson = run(&|p, compressed, _, _| p > (1.0 + e) * compressed);
    reading.holds("poisson reversal/normal", "exact", poisson.x, 1e-5);
    reading.holds("poisson reversal/friction", "exact", poisson.y, 1e-5);
    let stronge = run(&|_, _, work, back| back > e * e * work);
    reading.holds("stronge reversal/normal", "exact", stronge.x, 1e-5);
    // Friction along a slip at 45° over its limit: the corner, or the direction, that takes most work.
    let most = |directions: u32| {
        let along = DVec2::ONE.normalize();
        (0..directions)
            .map(|k| {
                let angle = std::f64::consts::TAU * f64::from(k) / f64::from(directions);
                DVec2::from_angle(angle).dot(along)
            })
            .fold(0.0, f64::max)
    };
    reading.holds("facets off axis/friction ratio", "exact", most(4), 1e-12);
    reading.holds("exact off axis/friction ratio", "exact", most(8000), 1e-12);
}

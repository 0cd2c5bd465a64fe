//! The units of M and q, of single rows and of single unknowns, are no part of an LCP.

use glam::{DMat3, DVec3};
use klast_contact::{
    Delassus, FacetDirections, FrictionContactProblem, LcpMethod, LcpOptions, LcpStatus,
    LinearComplementarityProblem, is_infeasibility_certificate, solve_lcp, solve_linearised,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn lcp(m: Vec<f64>, q: Vec<f64>) -> LinearComplementarityProblem {
    LinearComplementarityProblem::new(m, q).unwrap()
}

/// A linear programme as an LCP, `M = [0 −Aᵀ; A 0]`, with the solution that it was made from.
fn programme(rng: &mut Pcg64, half: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let n = 2 * half;
    let mut m = vec![0.0; n * n];
    for i in 0..half {
        for j in 0..half {
            let a = rng.random_range(-1.0..1.0);
            m[(half + i) * n + j] = a;
            m[j * n + half + i] = -a;
        }
    }
    let mut some = |_| f64::max(rng.random_range(-1.0..1.0), 0.0);
    let z: Vec<f64> = (0..n).map(&mut some).collect();
    let slack: Vec<f64> = (0..n).map(&mut some).collect();
    let q = (0..n)
        .map(|i| {
            let mz: f64 = (0..n).map(|j| m[i * n + j] * z[j]).sum();
            if z[i] > 0.0 { -mz } else { slack[i] - mz }
        })
        .collect();
    (m, q, z)
}

#[test]
fn one_unknown_is_a_quotient_in_any_units() {
    let data = [
        (3e12, -1e12),
        (3.0, -1e9),
        (3.7, -1e6),
        (7e-7, -1.1e6),
        (3e-200, -1e-150),
        (3e200, -1e150),
    ];
    for (m, q) in data {
        let s = solve_lcp(&lcp(vec![m], vec![q]), &LcpOptions::default());
        assert_eq!(s.status, LcpStatus::Solved, "{m:e} {q:e}");
        // A quotient is one rounding.
        assert!((s.z[0] * m / -q - 1.0).abs() < 1e-15, "{m:e} {q:e}: {s:?}");
    }
}

#[test]
fn what_small_loads_ask_for_is_not_lost_under_the_tolerance() {
    // w = −z − q is negative for each z ≥ 0, however small q is.
    let s = solve_lcp(&lcp(vec![-1.0], vec![-5e-13]), &LcpOptions::default());
    assert!(matches!(s.status, LcpStatus::Infeasible { .. }), "{s:?}");
    let s = solve_lcp(&lcp(vec![2.0], vec![-5e-13]), &LcpOptions::default());
    assert_eq!(s.z, [2.5e-13]);
}

#[test]
fn other_units_of_the_whole_leave_lemke_its_way() {
    let options = LcpOptions {
        method: LcpMethod::Lemke,
        ..LcpOptions::default()
    };
    for (half, cases) in [(3, 200), (12, 20)] {
        let mut rng = Pcg64::seed_from_u64(5);
        for case in 0..cases {
            let (m, q, z) = programme(&mut rng, half);
            for (of_m, of_q) in [
                (1.0, 1.0),
                (1e6, 1.0),
                (1e9, 1e3),
                (1e-12, 1e-3),
                (1.0, 1e9),
            ] {
                let scaled = lcp(
                    m.iter().map(|x| x * of_m).collect(),
                    q.iter().map(|x| x * of_q).collect(),
                );
                let s = solve_lcp(&scaled, &options);
                let units = format!("n {half} case {case}, M × {of_m:e}, q × {of_q:e}");
                assert_eq!(s.status, LcpStatus::Solved, "{units}: {:e}", s.residual);
                // A programme may have several solutions, all of one cost: that of the one it was made from. Data and
                // basis of 24 numbers round at 1e-15 each, times the condition of a random basis.
                let cost = |z: &[f64]| (0..half).map(|i| q[i] * z[i]).sum::<f64>();
                let found = cost(&s.z) * of_m / of_q;
                assert!(
                    (found - cost(&z)).abs() < 1e-9,
                    "{units}: {found} {}",
                    cost(&z)
                );
            }
        }
    }
}

#[test]
fn units_of_single_rows_and_unknowns_change_nothing_either() {
    let mut rng = Pcg64::seed_from_u64(6);
    for case in 0..100 {
        let half = 4;
        let n = 2 * half;
        // M + 1 is a P-matrix: one solution.
        let (mut m, q, _) = programme(&mut rng, half);
        (0..n).for_each(|i| m[i * n + i] = 1.0);
        let mut powers = |_| 2.0_f64.powi(rng.random_range(-30..30));
        let rows: Vec<f64> = (0..n).map(&mut powers).collect();
        let columns: Vec<f64> = (0..n).map(&mut powers).collect();
        let other = lcp(
            (0..n * n)
                .map(|k| m[k] * rows[k / n] * columns[k % n])
                .collect(),
            (0..n).map(|i| q[i] * rows[i]).collect(),
        );
        let one = solve_lcp(&lcp(m, q), &LcpOptions::default());
        let two = solve_lcp(&other, &LcpOptions::default());
        assert_eq!(one.status, LcpStatus::Solved, "case {case}");
        assert_eq!(two.status, LcpStatus::Solved, "case {case}: {two:?}");
        for ((one, two), column) in one.z.iter().zip(&two.z).zip(&columns) {
            // Entries about 1 and a symmetric part of 1: the condition is some ten.
            let gap = two * column - one;
            assert!(gap.abs() < 1e-13, "case {case}: {gap:e}");
        }
    }
}

#[test]
fn rows_of_any_size_are_proved_infeasible_together() {
    // z1 − z2 ≥ 1 and (z2 − z1) / d ≥ 1 exclude each other: y in proportion to (1, d).
    for d in [1.0, 1e5, 1e9, 1e-9] {
        let problem = lcp(vec![1.0, -1.0, -1.0 / d, 1.0 / d], vec![-1.0, -1.0]);
        let LcpStatus::Infeasible { certificate } =
            solve_lcp(&problem, &LcpOptions::default()).status
        else {
            panic!("d = {d:e}");
        };
        assert!(is_infeasibility_certificate(&problem, &certificate));
        // Three roundings and the division by the sum.
        assert!((certificate[1] / certificate[0] / d - 1.0).abs() < 1e-14);
    }
}

/// A row without an entry above zero and with q below it excludes all z, and proves it alone. Rounding leaves the other
/// rows weights of 1e-16 that alone would make a column of `Mᵀ y` positive; with them some of these were rays.
#[test]
fn one_row_proves_it_alone_in_any_units() {
    let problems = [
        ("1 0 2 -1  0 1 1 2  -2 -1 0 -1  1 -2 1 1", "1 -2 -1 -1", 2),
        ("0 -1 0 0  1 1 0 0  1 1 0 0  0 2 2 0", "-1 -2 2 -2", 0),
        ("2 1 0  -1 0 -2  0 2 0", "-2 -2 -1", 1),
    ];
    let numbers = |s: &str| -> Vec<f64> {
        let all = s.split_whitespace();
        all.map(|x| x.parse().unwrap()).collect()
    };
    for (m, q, row) in problems {
        for (of_m, of_q) in [(1.0, 1.0), (1e8, 1e-8), (1e-8, 1e8)] {
            let m = numbers(m).iter().map(|x| x * of_m).collect();
            let q: Vec<f64> = numbers(q).iter().map(|x| x * of_q).collect();
            let problem = lcp(m, q);
            let alone: Vec<f64> = (0..problem.size())
                .map(|i| f64::from(u8::from(i == row)))
                .collect();
            assert!(is_infeasibility_certificate(&problem, &alone));
            let s = solve_lcp(&problem, &LcpOptions::default());
            assert!(matches!(s.status, LcpStatus::Infeasible { .. }), "{s:?}");
        }
    }
}

/// `w = (0.9 − 0.7 a z2, 0.3 b z1 − 0.1)`, so `z = (1/3b, 9/7a)`. Nothing joins the two rows, so one may be any number
/// of times the other; what the rounding of z leaves in the larger is not held against the load of the smaller.
#[test]
fn rows_that_nothing_joins_keep_their_own_rounding() {
    for a in [1e-12, 1e-8, 1.0, 1e8] {
        for b in [1e-8, 1.0, 1e8, 1e12] {
            let problem = lcp(vec![0.0, -0.7 * a, 0.3 * b, 0.0], vec![0.9, -0.1]);
            let s = solve_lcp(&problem, &LcpOptions::default());
            assert_eq!(s.status, LcpStatus::Solved, "{a:e} {b:e}: {s:?}");
            // Four roundings of data and a quotient each.
            let off = [s.z[0] * b * 3.0 - 1.0, s.z[1] * a * 7.0 / 9.0 - 1.0];
            assert!(off.iter().all(|x| x.abs() < 2e-15), "{a:e} {b:e}: {off:?}");
        }
    }
}

/// Balls of given inverse masses in a row, each on the ground and against the next.
fn chain(rng: &mut Pcg64, inverse: &[f64]) -> FrictionContactProblem {
    let n = inverse.len();
    let mut blocks = Vec::new();
    for (i, w) in inverse.iter().enumerate() {
        // At the surface of a ball a tangential impulse moves 1 + 5/2 times as much as a normal one.
        let ball = DMat3::from_diagonal(DVec3::new(*w, 3.5 * w, 3.5 * w));
        blocks.push((i, i, ball));
        if i + 1 < n {
            let next = inverse[i + 1];
            let both = DMat3::from_diagonal(DVec3::new(1.0, 3.5, 3.5) * (w + next));
            blocks.push((n + i, n + i, both));
            for (body, w, sign) in [(i, *w, -1.0), (i + 1, next, 1.0)] {
                // The normal of the contact between the two is a tangent of those with the ground.
                let turn = DMat3::from_cols(DVec3::Z, DVec3::Y, -DVec3::X) * (sign * w);
                blocks.push((n + i, body, turn.transpose()));
                blocks.push((body, n + i, turn));
            }
        }
    }
    let contacts = 2 * n - 1;
    let mut speed = || rng.random_range(-1.0..1.0);
    let q = (0..contacts).map(|_| DVec3::new(-1.0 + 0.5 * speed(), speed(), speed()));
    let q = q.collect();
    FrictionContactProblem::new(
        Delassus::from_blocks(contacts, blocks).unwrap(),
        q,
        vec![0.5; contacts],
    )
    .unwrap()
}

#[test]
fn facets_hold_for_light_and_heavy_bodies_and_for_both_together() {
    let facets = [FacetDirections::regular(8, 0.1).unwrap()];
    let masses = [
        [1.0, 1.0, 1.0],
        [1e6, 1e6, 1e6],
        [1e9, 1e9, 1e9],
        [1e-9, 1e-9, 1e-9],
        [1.0, 1e-4, 1e-8],
        [1e-8, 1e-4, 1.0],
    ];
    for inverse in masses {
        let mut rng = Pcg64::seed_from_u64(7);
        for case in 0..20 {
            let problem = chain(&mut rng, &inverse);
            let (r, s) = solve_linearised(&problem, &facets, &LcpOptions::default()).unwrap();
            assert_eq!(
                s.status,
                LcpStatus::Solved,
                "{inverse:?} {case}: {:e}",
                s.residual
            );
            // Signorini's law from the impulses alone; velocities of order 1 are sums of a dozen products.
            for (r, u) in r.iter().zip(problem.velocities(&r)) {
                assert!(r.x >= 0.0 && u.x > -1e-11, "{inverse:?} {case}: {r} {u}");
                assert!(r.x == 0.0 || u.x < 1e-11, "{inverse:?} {case}: {r} {u}");
            }
        }
    }
}

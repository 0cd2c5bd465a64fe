//! LCPs: the published set, closed forms, degenerate and hopeless ones.

use klast_contact::{
    ContactError, LcpMethod, LcpOptions, LcpStatus, LinearComplementarityProblem, enumerate_lcp,
    is_infeasibility_certificate, solve_lcp,
};
use klast_numerics::Found;
use proptest::prelude::*;

#[derive(serde::Deserialize)]
struct File {
    #[serde(rename = "M")]
    m: Vec<f64>,
    q: Vec<f64>,
}

/// The published problems by name (`tests/data/NOTICE.md`).
fn published() -> Vec<(String, LinearComplementarityProblem)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/lcp");
    let list = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = list.map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|p| {
            let f: File = serde_json::from_slice(&std::fs::read(p).unwrap()).unwrap();
            let name = p.file_stem().unwrap().to_string_lossy().into_owned();
            (name, LinearComplementarityProblem::new(f.m, f.q).unwrap())
        })
        .collect()
}

#[test]
fn the_published_problems_are_solved_to_1e_12() {
    let list = published();
    assert_eq!(list.len(), 12);
    for (name, problem) in list {
        let s = solve_lcp(&problem, &LcpOptions::default());
        println!(
            "{name}: {:?} {} steps, {:e}",
            s.status, s.iterations, s.residual
        );
        assert_eq!(s.status, LcpStatus::Solved, "{name}: {}", s.residual);
        // Checked here with plain sums, not with the product's own residual.
        let n = s.z.len();
        let mut gap = 0.0;
        for i in 0..n {
            let w: f64 = (0..n).map(|j| problem.row(i)[j] * s.z[j]).sum::<f64>() + problem.q()[i];
            // Plain sums of 40 terms up to 250 times the unknowns round at some 1e-13.
            assert!(s.z[i] >= 0.0 && w >= -1e-12, "{name}: z {} w {w}", s.z[i]);
            gap += s.z[i] * w;
        }
        assert!(gap.abs() < 1e-12, "{name}: z'w = {gap}");
    }
}

fn lcp(m: &[f64], q: &[f64]) -> LinearComplementarityProblem {
    LinearComplementarityProblem::new(m.to_vec(), q.to_vec()).unwrap()
}

#[test]
fn an_infeasible_problem_comes_with_its_proof() {
    // w1 = -z1 - 1 is negative for each z1 ≥ 0: y = (1, 0).
    let problem = lcp(&[-1.0, 0.0, 0.0, 1.0], &[-1.0, -1.0]);
    match solve_lcp(&problem, &LcpOptions::default()).status {
        LcpStatus::Infeasible { certificate } => {
            assert!(is_infeasibility_certificate(&problem, &certificate));
            assert!(certificate[0] > 0.99, "{certificate:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_ray_is_not_called_infeasible() {
    // w1 = z2 - 1 >= 0 needs z2 >= 1, yet then w2 = 1 would have to vanish: feasible, no solution.
    let problem = lcp(&[0.0, 1.0, 0.0, 0.0], &[-1.0, 1.0]);
    let s = solve_lcp(&problem, &LcpOptions::default());
    assert_eq!(s.status, LcpStatus::Ray);
    assert!(enumerate_lcp(&problem, 1e-12, 10).is_empty());
}

/// Balanced to the size of its matrix, the load of this one has no size: nothing can be said, least of all that it is
/// solved.
#[test]
fn a_load_that_overflows_is_not_called_solved() {
    let problem = lcp(&[1e-300], &[-1e200]);
    assert_eq!(problem.relative_residual(&[0.0]), f64::INFINITY);
    let s = solve_lcp(&problem, &LcpOptions::default());
    assert_ne!(s.status, LcpStatus::Solved);
}

#[test]
fn bad_data_is_named() {
    let wrong = LinearComplementarityProblem::new(vec![1.0; 3], vec![0.0; 2]).unwrap_err();
    let ContactError::Input(out) = wrong;
    assert_eq!(
        (&*out.field, out.found),
        ("number of entries of M", Found::Count(3))
    );
    assert!(LinearComplementarityProblem::new(vec![f64::NAN], vec![0.0]).is_err());
    let empty = lcp(&[], &[]);
    assert_eq!(
        solve_lcp(&empty, &LcpOptions::default()).status,
        LcpStatus::Solved
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Integer data make ties and degenerate vertices common; a P-matrix has exactly one solution.
    #[test]
    fn methods_agree_on_positive_definite_problems(a in prop::collection::vec(-3..4_i32, 36), q in prop::collection::vec(-4..5_i32, 6)) {
        let n = 6;
        let mut m = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                m[i * n + j] = (0..n).map(|k| f64::from(a[i * n + k] * a[j * n + k])).sum::<f64>() + if i == j { 1.0 } else { 0.0 };
            }
        }
        let problem = lcp(&m, &q.iter().map(|x| f64::from(*x)).collect::<Vec<_>>());
        let solve = |method| solve_lcp(&problem, &LcpOptions { method, ..Default::default() });
        let (lemke, enumerated) = (solve(LcpMethod::Lemke), solve(LcpMethod::Enumeration));
        prop_assert_eq!(&lemke.status, &LcpStatus::Solved);
        prop_assert_eq!(&enumerated.status, &LcpStatus::Solved);
        for (x, y) in lemke.z.iter().zip(&enumerated.z) {
            // Smallest eigenvalue 1 or more, entries up to 100: conditioning 1e3 times the tolerance.
            prop_assert!((x - y).abs() < 1e-9, "{} {}", x, y);
        }
    }

    /// Any data: the end is bounded, and what is called solved or infeasible is.
    #[test]
    fn what_is_claimed_holds(m in prop::collection::vec(-2..3_i32, 16), q in prop::collection::vec(-2..3_i32, 4)) {
        let problem = lcp(&m.iter().map(|x| f64::from(*x)).collect::<Vec<_>>(), &q.iter().map(|x| f64::from(*x)).collect::<Vec<_>>());
        let s = solve_lcp(&problem, &LcpOptions::default());
        let some = enumerate_lcp(&problem, 1e-12, 1);
        match s.status {
            LcpStatus::Solved => prop_assert!(problem.residual(&s.z) <= 1e-12),
            LcpStatus::Infeasible { certificate } => {
                prop_assert!(is_infeasibility_certificate(&problem, &certificate));
                prop_assert!(some.is_empty());
            }
            LcpStatus::Ray | LcpStatus::NotConverged => prop_assert!(some.is_empty()),
        }
    }
}

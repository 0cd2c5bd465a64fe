//! Small systems against nalgebra and against the equations themselves.

use klast_numerics::dense::{Ldlt, Lu, Matrix, eliminate, product, solve_rank_revealing};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

const N: usize = 6;

fn matrix() -> impl Strategy<Value = Matrix<N>> {
    prop::array::uniform6(prop::array::uniform6(-1.0f64..1.0))
}

fn right() -> impl Strategy<Value = [f64; N]> {
    prop::array::uniform6(-1.0f64..1.0)
}

fn theirs(a: &Matrix<N>, n: usize) -> DMatrix<f64> {
    DMatrix::from_fn(n, n, |i, j| a[i][j])
}

/// A Aᵀ + 0.1: symmetric, condition number below 400.
fn definite(a: &Matrix<N>) -> Matrix<N> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            (0..N).map(|k| a[i][k] * a[j][k]).sum::<f64>() + if i == j { 0.1 } else { 0.0 }
        })
    })
}

proptest! {
    #[test]
    fn general_systems(a in matrix(), b in right(), n in 1..=N) {
        let other = theirs(&a, n);
        let singular = other.clone().singular_values();
        let condition = singular[0] / singular[n - 1];
        prop_assume!(condition < 1e6);
        let x = Lu::new(a, n).unwrap().solve(&b);
        let y = other.lu().solve(&DVector::from_column_slice(&b[..n])).unwrap();
        // Two backward stable solutions differ by a few roundings times the condition number and the growth of six
        // steps.
        let near = 1e-14 * condition * (1.0 + y.amax());
        for i in 0..n {
            prop_assert!((x[i] - y[i]).abs() < near, "{:?} {y:?}", x);
        }
        prop_assert!(x[n..].iter().all(|x| *x == 0.0));
        let (mut left, mut z) = (a, b);
        prop_assert!(eliminate(&mut left, &mut z, n));
        for i in 0..n {
            prop_assert!((z[i] - y[i]).abs() < near, "{:?} {y:?}", z);
        }
        prop_assert!(z[n..] == b[n..]);
        let z = solve_rank_revealing(a, b, n, 1e-11);
        for i in 0..n {
            prop_assert!((z[i] - y[i]).abs() < near, "{:?} {y:?}", z);
        }
    }

    #[test]
    fn symmetric_systems(a in matrix(), b in right(), n in 1..=N) {
        let a = definite(&a);
        let rows: Vec<f64> = a[..n].iter().flat_map(|row| &row[..n]).copied().collect();
        let factors = Ldlt::new(rows, n);
        prop_assert!(factors.is_positive());
        let mut x = b;
        factors.solve(&mut x);
        let y = theirs(&a, n).cholesky().unwrap().solve(&DVector::from_column_slice(&b[..n]));
        for i in 0..n {
            // condition number below 400
            prop_assert!((x[i] - y[i]).abs() < 1e-12 * (1.0 + y.amax()));
        }
        prop_assert_eq!(&x[n..], &b[n..]);
    }

    /// Rows and columns that are sums of others, and a right-hand side in the range: the equations hold.
    #[test]
    fn consistent_systems_of_deficient_rank(
        factor in prop::array::uniform6(prop::array::uniform6(-1.0f64..1.0)), known in right(), rank in 1..N,
    ) {
        let half: Matrix<N> = std::array::from_fn(|i| std::array::from_fn(|j| if j < rank { factor[i][j] } else { 0.0 }));
        let a: Matrix<N> = std::array::from_fn(|i| std::array::from_fn(|j| (0..N).map(|k| half[i][k] * half[j][k]).sum()));
        let singular = theirs(&a, N).singular_values();
        prop_assume!(singular[rank - 1] > 1e-4);
        let b: [f64; N] = std::array::from_fn(|i| (0..N).map(|j| a[i][j] * known[j]).sum());
        let x = solve_rank_revealing(a, b, N, 1e-11);
        prop_assert!(x.iter().filter(|x| **x != 0.0).count() <= rank);
        for i in 0..N {
            let sum: f64 = (0..N).map(|j| a[i][j] * x[j]).sum();
            // Roundings times the largest solution that the smallest singular value allows.
            prop_assert!((sum - b[i]).abs() < 1e-10, "{sum} {}", b[i]);
        }
    }
}

#[test]
fn a_singular_matrix_has_no_factors() {
    let mut a = [[0.0; 3]; 3];
    assert!(Lu::new(a, 3).is_none());
    a[0] = [1.0, 2.0, 3.0];
    a[1] = [2.0, 4.0, 6.0];
    assert!(Lu::new(a, 2).is_none());
    assert!(!Ldlt::new([0.0, 1.0, 1.0, 0.0], 2).is_positive());
    assert!(Lu::new([[f64::NAN]], 1).is_none());
    // n is cut to what the arrays hold.
    assert_eq!(Lu::new([[2.0]], 9).unwrap().solve(&[1.0]), [0.5]);
}

#[test]
fn a_matrix_that_needs_its_rows_exchanged() {
    let factors = Lu::new([[0.0, 2.0], [3.0, 1.0]], 2).unwrap();
    assert_eq!(factors.solve(&[4.0, 5.0]), [1.0, 2.0]);
}

/// Sizes that fill rows of each fixed length, and those that do not.
#[test]
fn products_and_systems_of_all_sizes() {
    const MOST: usize = 20;
    let entry = |i: usize, j: usize| (1.0 + (7 * i + 3 * j) as f64).sin();
    let rows: [[f64; 6]; MOST] = std::array::from_fn(|i| std::array::from_fn(|k| entry(i, k)));
    let columns: [[f64; MOST]; 6] =
        std::array::from_fn(|k| std::array::from_fn(|j| entry(k, j + 50)));
    for n in 1..=MOST {
        let mut a = [[f64::NAN; MOST]; MOST];
        product(&rows, &columns, n, &mut a);
        let exact = |i: usize, j: usize| (0..6).map(|k| rows[i][k] * columns[k][j]).sum::<f64>();
        for (i, row) in a.iter_mut().enumerate().take(n) {
            for (j, entry) in row.iter_mut().enumerate().take(n) {
                // Six products below 1, summed in another order.
                assert!((*entry - exact(i, j)).abs() < 1e-14);
            }
            // The diagonal outweighs the twenty entries of a row, all below 6: the condition number is below 50.
            row[i] += 130.0;
        }
        let other = DMatrix::from_fn(n, n, |i, j| a[i][j]);
        let mut x: [f64; MOST] = std::array::from_fn(|i| entry(i, 90));
        let y = other
            .lu()
            .solve(&DVector::from_column_slice(&x[..n]))
            .unwrap();
        assert!(eliminate(&mut a, &mut x, n));
        for (x, y) in x.iter().zip(y.iter()) {
            assert!((x - y).abs() < 1e-15, "{n}");
        }
    }
}

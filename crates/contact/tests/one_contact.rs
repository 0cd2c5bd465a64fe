//! The single contact against its own equations, from any data.

use glam::{DMat3, DVec3};
use klast_contact::{ContactError, Delassus, FrictionContactProblem, Residual, solve_one_contact};
use klast_numerics::Found;
use proptest::prelude::*;

fn residual(w: DMat3, q: DVec3, mu: f64, r: DVec3) -> f64 {
    let w = Delassus::from_blocks(1, [(0, 0, w)]).unwrap();
    Residual::of(
        &FrictionContactProblem::new(w, vec![q], vec![mu]).unwrap(),
        &[r],
    )
    .relative
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn one_contact_is_solved_to_rounding(a in prop::array::uniform9(-1.0..1.0_f64), q in prop::array::uniform3(-1.0..1.0_f64), mu in 0.0..3.0_f64) {
        let a = DMat3::from_cols_array(&a);
        // Bounded away from singular, so that 1e-11 is rounding times conditioning and not a wish.
        let w = a * a.transpose() + DMat3::IDENTITY * 0.02;
        let q = DVec3::from_array(q);
        let r = solve_one_contact(&w, q, mu).unwrap();
        prop_assert!(residual(w, q, mu, r) < 1e-11, "{r} {}", residual(w, q, mu, r));
    }
}

#[test]
fn planar_contact_with_an_empty_tangent_is_solved() {
    let w = DMat3::from_diagonal(DVec3::new(2.0, 4.0, 0.0));
    let r = solve_one_contact(&w, DVec3::new(-1.0, 1.0, 0.0), 1.0).unwrap();
    // r_n = 1/2 and r_t = -1/4 by hand; all numbers are powers of two.
    assert_eq!(r, DVec3::new(0.5, -0.25, 0.0));
}

#[test]
fn bad_data_is_named() {
    let error = solve_one_contact(&DMat3::IDENTITY, DVec3::new(-1.0, 0.0, 0.0), -0.5).unwrap_err();
    let ContactError::Input(out) = error;
    assert_eq!((&*out.field, out.found), ("mu", Found::Number(-0.5)));
    assert!(solve_one_contact(&DMat3::ZERO, DVec3::new(-1.0, 0.0, 0.0), 0.5).is_err());
    assert!(solve_one_contact(&DMat3::NAN, DVec3::ZERO, 0.5).is_err());
}

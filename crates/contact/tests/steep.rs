//! Friction far above 1: the cone is nearly a half space, and what sinks in must not pass for solved.

use glam::{DMat3, DVec3};
use klast_contact::{Delassus, FrictionContactProblem, Method, Residual, SolveOptions, solve};

/// One contact that comes in at 1 m/s and slides at 0.3 m/s sticks, whatever μ is: `r = −q` with `W = 1`. A solver may fail, and
/// then says so; it may not call an impulse solved that lets the contact sink in.
#[test]
fn a_contact_that_sinks_in_is_not_solved() {
    let q = DVec3::new(-1.0, 0.3, 0.0);
    let mut solved = 0;
    for mu in [2.0, 1e2, 1e4, 1e6, 1e8, 1e12, 1e100] {
        let w = Delassus::from_blocks(1, [(0, 0, DMat3::IDENTITY)]).unwrap();
        let problem = FrictionContactProblem::new(w, vec![q], vec![mu]).unwrap();
        // Without an impulse it sinks in at 1 of the 1.04 m/s of q.
        assert!(
            Residual::of(&problem, &[DVec3::ZERO]).relative > 0.9,
            "{mu}"
        );
        for method in [Method::Default, Method::GaussSeidel, Method::Admm] {
            for tolerance in [1e-6, 1e-9] {
                let options = SolveOptions {
                    method,
                    tolerance,
                    ..SolveOptions::default()
                };
                let solution = solve(&problem, &options);
                if solution.converged() {
                    solved += 1;
                    let error = (solution.impulses[0] + q).length();
                    // W is 1: the residual is the error of the impulse, to the scaling by max‖q‖ = 1.04.
                    assert!(error < 2.0 * tolerance, "{mu} {method:?} {error}");
                }
            }
        }
    }
    // Each method at each tolerance solves the ordinary ones.
    assert!(solved >= 3 * 2 * 2, "{solved}");
}

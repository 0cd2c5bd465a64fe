//! Friction far above 1: the cone is nearly a half space, and what sinks in must not pass for solved.

use crate::common;

use common::{column, plank_tower, wall};
use glam::{DMat3, DVec2, DVec3};
use klast_contact::{Delassus, FrictionContactProblem, Method, Residual, SolveOptions, solve};

/// One contact that comes in at 1 m/s and slides at 0.3 m/s sticks, whatever μ is: `r = −q` with `W = 1`. A solver may
/// fail, and then says so; it may not call an impulse solved that lets the contact sink in.
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
        for method in [
            Method::AdmmThenProximalNewton,
            Method::GaussSeidel,
            Method::Admm,
        ] {
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

/// How far impulses are from the law, as a velocity: what sinks in, what pushes across a gap, and what slips under its
/// friction. No projection and no cone, so nothing is multiplied with μ.
fn off_the_law(problem: &FrictionContactProblem, r: &[DVec3]) -> f64 {
    let contacts = problem.velocities(r).into_iter().zip(r).enumerate();
    let off = contacts.map(|(i, (u, r))| {
        let (mu, rho) = (problem.mu()[i], problem.w().rho(i));
        let (slip, friction) = (DVec2::new(u.y, u.z), DVec2::new(r.y, r.z));
        let spare = (mu * r.x - friction.length()) / rho;
        let across = slip.perp_dot(friction).abs() / friction.length().max(f64::MIN_POSITIVE);
        let along = slip.dot(friction).max(0.0) / friction.length().max(f64::MIN_POSITIVE);
        [
            -u.x,
            (r.x / rho).min(u.x),
            -spare,
            spare.min(slip.length()),
            across.min(friction.length() / rho),
            along,
        ]
        .into_iter()
        .fold(0.0, f64::max)
    });
    off.fold(0.0, f64::max)
}

/// Bodies that come down on one another stick, slip on or lift off, whatever μ is, and the default solver finds how.
/// Taken as steep as they are, columns and walls at 1e4 that are thrown about were left with hardly an impulse, and
/// beyond 1e6 the rounding of `u_T` times μ let no answer pass.
#[test]
fn towers_with_any_friction_are_solved() {
    for mu in [1e2, 1e3, 1e4, 1e5, 1e8, 1e15, 1e300] {
        for (name, scene, noise) in [
            ("column of 2", column(2, mu), 0.3),
            ("column of 12", column(12, mu), 0.3),
            ("wall", wall(4, 4, mu), 0.3),
            ("tower", plank_tower(8, 3, mu), 0.3),
            ("thrown column of 5", column(5, mu.min(1e4)), 3.0),
            ("thrown column of 12", column(12, mu.min(1e4)), 3.0),
        ] {
            let problem = scene.problem(noise, 0);
            let options = SolveOptions {
                tolerance: 1e-8,
                ..SolveOptions::default()
            };
            let solution = solve(&problem, &options);
            let speed = problem.q().iter().map(|q| q.length()).fold(0.0, f64::max);
            let off = off_the_law(&problem, &solution.impulses) / speed;
            let (status, steps) = (solution.status, solution.iterations);
            println!("{name} {mu:e}: {status:?} after {steps}, {off:e}");
            assert!(solution.converged(), "{name} {mu:e}");
            // The law without its projection: each term is at most twice the residual.
            assert!(off < 2e-8, "{name} {mu:e}: {off:e}");
        }
    }
}

//! Compliant contacts.

use crate::common;

use common::family::{Pile, tangle};
use glam::{DMat3, DVec3};
use klast_contact::bodies::{
    BodyInertia, BodyVelocity, ContactPair, PassBounds, Problem, Solver, Tolerance,
};
use klast_contact::{ContactError, Residual, SolveOptions, solve};

/// A cube of 2 kg on four corners.
fn block(
    v: DVec3,
    mu: f64,
    impulse: DVec3,
) -> (Vec<BodyInertia>, Vec<BodyVelocity>, Vec<ContactPair>) {
    let node = BodyInertia {
        inverse_mass: 0.5,
        inverse_inertia: DMat3::from_diagonal(DVec3::splat(3.0)),
    };
    let velocity = BodyVelocity {
        linear: v,
        angular: DVec3::ZERO,
    };
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
    let link = |(x, y)| ContactPair {
        first: 0,
        second: None,
        normal: DVec3::Z,
        arm_first: DVec3::new(x, y, -0.5),
        arm_second: DVec3::ZERO,
        bias: DVec3::ZERO,
        mu,
        impulse,
    };
    (vec![node], vec![velocity], corners.map(link).to_vec())
}

/// `m (v − v₀) = 4 r`, `v + c (r − r₀) = 0`.
#[test]
fn a_block_on_four_compliant_contacts_is_an_oscillator_by_backward_euler() {
    let mut solver = Solver::new();
    let (m, v0) = (2.0, -0.3);
    for (c, r0) in [(0.01, 0.0), (0.3, 0.4), (20.0, 0.02)] {
        let (nodes, velocities, links) = block(DVec3::Z * v0, 0.0, DVec3::X * r0);
        let mut problem = Problem::new();
        problem
            .load_compliant(&nodes, &velocities, &links, c)
            .unwrap();
        let report = solver.solve(&mut problem, Tolerance::of(1e-12), 100);
        assert!(report.converged(), "{report:?}");
        let v = (v0 + 4.0 * r0 / m) / (1.0 + 4.0 / (c * m));
        let r = r0 - v / c;
        // The tolerance leaves 1e-12 of max‖q‖, over c in an impulse.
        let left = 1e-12 * (problem.q_max() + 1.0);
        assert!((problem.velocities()[0].linear.z - v).abs() < 4.0 * left);
        for found in problem.impulses() {
            assert!((found - DVec3::X * r).length() < 4.0 * left / c, "{found}");
        }
        // At rest where the contacts carry the weight.
        if r0 == 0.4 {
            let balanced = -v0 * m / 4.0;
            let (nodes, velocities, links) = block(DVec3::Z * v0, 0.0, DVec3::X * balanced);
            problem
                .load_compliant(&nodes, &velocities, &links, c)
                .unwrap();
            solver.solve(&mut problem, Tolerance::of(1e-12), 100);
            assert!(problem.velocities()[0].linear.length() < 1e-15);
        }
    }
}

/// Rocks in a tangle with friction: the factored problem is the assembled one, whose solution is unique with a
/// compliance as large as `W`; sweeps, Newton's method and the default solver find the same impulses.
#[test]
fn all_solvers_agree_on_compliant_contacts() {
    let mut solver = Solver::new();
    for seed in 0..20 {
        let Pile {
            nodes,
            velocities,
            links,
        } = tangle(8, 30, 0.7, seed);
        let mut factored = Problem::new();
        let mut load = |impulses: &[DVec3]| {
            let carry = |(link, r): (&ContactPair, &DVec3)| ContactPair {
                impulse: *r,
                ..*link
            };
            let links: Vec<ContactPair> = links.iter().zip(impulses).map(carry).collect();
            factored
                .load_compliant(&nodes, &velocities, &links, 1.0)
                .unwrap();
            factored.clone()
        };
        // What the step before may have left.
        let mut before = load(&vec![DVec3::ZERO; links.len()]);
        assert!(
            solver
                .solve(&mut before, Tolerance::of(1e-10), 100)
                .converged()
        );
        let carried: Vec<DVec3> = before.impulses().collect();
        let mut problem = load(&carried);
        let assembled = problem.assemble().unwrap();
        let report = solver.solve(&mut problem, Tolerance::of(1e-10), 100);
        assert!(
            report.converged() && report.sweeps == 0,
            "{seed} {report:?}"
        );
        let own: Vec<DVec3> = problem.impulses().collect();
        // Both forms see the same residual but for the rounding of W.
        let residual = Residual::of(&assembled, &own);
        let scale = problem.q_max();
        assert!(
            (residual.absolute - report.residual).abs() < 1e-12 * scale,
            "{seed}"
        );
        let u = assembled.velocities(&own);
        for (a, b) in u.iter().zip(problem.relative_velocities()) {
            assert!((*a - b).length() < 1e-11 * scale, "{seed} {a} {b}");
        }
        let general = solve(
            &assembled,
            &SolveOptions {
                tolerance: 1e-10,
                ..Default::default()
            },
        );
        assert!(general.converged());
        let mut swept = load(&carried);
        solver.sweep(&mut swept, 4000);
        // An impulse is known to the residual over c, times how the problem is conditioned: tens here.
        for ((a, b), c) in own.iter().zip(&general.impulses).zip(swept.impulses()) {
            assert!((*a - *b).length() < 1e-8 * scale, "{seed} {a} {b}");
            assert!((*a - c).length() < 1e-8 * scale, "{seed} {a} {c}");
        }
    }
}

/// No contact gives more than it has stored: `−r·u − ½ c (‖r‖² − ‖r₀‖²) ≥ 0` with `u = u′ − c (r − r₀)`.
#[test]
fn compliant_contacts_generate_no_energy() {
    let mut solver = Solver::new();
    let mut held = 0;
    for seed in 0..50 {
        let Pile {
            nodes,
            mut velocities,
            mut links,
        } = tangle(8, 30, 0.5, seed);
        let c = 0.2;
        let mut problem = Problem::new();
        for step in 0..3 {
            problem
                .load_compliant(&nodes, &velocities, &links, c)
                .unwrap();
            let carried: Vec<DVec3> = problem.impulses().collect();
            assert!(
                solver
                    .solve(&mut problem, Tolerance::of(1e-11), 100)
                    .converged(),
                "{seed}"
            );
            let pairs = problem.impulses().zip(problem.relative_velocities());
            for ((r, u), r0) in pairs.zip(carried) {
                let u = u - (r - r0) * c;
                let loss = -r.dot(u) - 0.5 * c * (r.length_squared() - r0.length_squared());
                let scale = problem.q_max() * r.length() + c * r0.length_squared();
                assert!(loss >= -1e-10 * scale, "{seed} {loss}");
                held += usize::from(step > 0 && r.dot(u) > 1e-6 * scale);
            }
            for (link, r) in links.iter_mut().zip(problem.impulses()) {
                link.impulse = r;
            }
            // Let go.
            for v in &mut velocities {
                (v.linear, v.angular) = (-v.linear * 0.1, -v.angular * 0.1);
            }
        }
    }
    // Some of them gave back what they held.
    assert!(held > 20, "{held}");
}

/// Where a solver stopped short: the dissipation pass ends where none gives more than it has stored.
#[test]
fn the_dissipation_pass_ends_where_compliant_contacts_generate_no_energy() {
    let mut solver = Solver::new();
    let (mut drove, c) = (0, 0.2);
    for seed in 0..30 {
        let Pile {
            nodes,
            velocities,
            mut links,
        } = tangle(8, 30, 0.7, seed);
        let carried = |k: usize| DVec3::new(1.0 + k as f64 % 3.0, 0.3, -0.4);
        for (k, link) in links.iter_mut().enumerate() {
            link.impulse = carried(k);
        }
        let mut problem = Problem::new();
        problem
            .load_compliant(&nodes, &velocities, &links, c)
            .unwrap();
        let carried: Vec<DVec3> = problem.impulses().collect();
        solver.sweep(&mut problem, 1);
        let loss = |p: &Problem| {
            let pairs = p.impulses().zip(p.relative_velocities());
            let one = |((r, u), r0): ((DVec3, DVec3), &DVec3)| {
                -r.dot(u) + 0.5 * c * (r - *r0).length_squared()
            };
            pairs.zip(&carried).map(one).fold(0.0, f64::min)
        };
        drove += usize::from(loss(&problem) < -1e-3);
        let passes = solver
            .enforce_dissipation(&mut problem, 0.5, PassBounds::Long)
            .passes;
        assert!(passes < 1000, "{seed} {passes}");
        // The rounding of its three products.
        assert!(loss(&problem) > -1e-13, "{seed} {}", loss(&problem));
    }
    assert!(drove > 5, "{drove}");
}

/// Both bodies are driven: nothing responds but the contact, `r = P(r₀ − (u + b)/c)`.
#[test]
fn a_compliant_contact_between_driven_bodies_follows_them() {
    let mut solver = Solver::new();
    let (_, _, links) = block(DVec3::ZERO, 0.3, DVec3::new(2.0, 0.1, 0.0));
    let (c, v) = (0.5, DVec3::new(0.0, 0.0, 0.4));
    let led = BodyVelocity {
        linear: v,
        angular: DVec3::ZERO,
    };
    let mut problem = Problem::new();
    for sweeps in [false, true] {
        problem
            .load_compliant(&[BodyInertia::FIXED], &[led], &links, c)
            .unwrap();
        if sweeps {
            solver.sweep(&mut problem, 3);
        } else {
            assert!(
                solver
                    .solve(&mut problem, Tolerance::of(1e-12), 10)
                    .converged()
            );
        }
        for r in problem.impulses() {
            let expected = DVec3::new(2.0 - 0.4 / c, 0.1, 0.0);
            assert!((r - expected).length() < 1e-12, "{sweeps} {r}");
        }
        assert!(problem.residual() < 1e-12);
        assert_eq!(problem.velocities()[0], led);
    }
}

#[test]
fn stiff_contacts_are_rigid_ones() {
    let mut solver = Solver::new();
    // Slides: friction takes 4 μ r_n of its momentum, whatever the corners share.
    let (nodes, velocities, links) = block(DVec3::new(1.0, 0.0, -0.5), 0.3, DVec3::ZERO);
    let mut rigid = Problem::new();
    rigid.load(&nodes, &velocities, &links).unwrap();
    assert!(
        solver
            .solve(&mut rigid, Tolerance::of(1e-12), 1000)
            .converged()
    );
    let mut difference = |c: f64| {
        let mut soft = Problem::new();
        soft.load_compliant(&nodes, &velocities, &links, c).unwrap();
        assert!(
            solver
                .solve(&mut soft, Tolerance::of(1e-12), 1000)
                .converged()
        );
        let (a, b) = (soft.velocities()[0], rigid.velocities()[0]);
        (a.linear - b.linear).length() + (a.angular - b.angular).length()
    };
    let (coarse, fine) = (difference(1e-3), difference(1e-5));
    // In proportion to c.
    assert!(
        (coarse / fine / 100.0 - 1.0).abs() < 0.02,
        "{coarse} {fine}"
    );
}

#[test]
fn a_load_forgets_compliance_and_a_bad_one_is_refused() {
    let mut solver = Solver::new();
    let (nodes, velocities, links) = block(DVec3::new(0.2, 0.0, -0.5), 0.3, DVec3::ZERO);
    let mut used = Problem::new();
    used.load(&nodes, &velocities, &links).unwrap();
    for bad in [-1e-3, f64::NAN, f64::INFINITY] {
        let error = used
            .load_compliant(&nodes, &velocities, &links, bad)
            .unwrap_err();
        let ContactError::Input(out) = error;
        assert_eq!(out.field, "compliance");
        assert_eq!(used.contacts(), 0);
    }
    used.load_compliant(&nodes, &velocities, &links, 0.5)
        .unwrap();
    solver.solve(&mut used, Tolerance::of(1e-9), 100);
    used.load(&nodes, &velocities, &links).unwrap();
    let mut fresh = Problem::new();
    fresh.load(&nodes, &velocities, &links).unwrap();
    let mut end = |p: &mut Problem| {
        solver.solve(p, Tolerance::of(1e-9), 100);
        let bits = |r: DVec3| r.to_array().map(f64::to_bits);
        p.impulses().map(bits).collect::<Vec<_>>()
    };
    assert_eq!(end(&mut used), end(&mut fresh));
}

/// Where nothing moves there is no step to take, and digits that rounding denies are asked for in vain: that ends.
#[test]
fn solving_between_driven_bodies_ends() {
    let mut solver = Solver::new();
    let mut problem = Problem::new();
    for seed in 0..20 {
        let mut pile = tangle(4, 12, 0.7, seed);
        for link in &mut pile.links {
            link.impulse = DVec3::new(3.0, 0.3, -0.4);
        }
        let led = vec![BodyInertia::FIXED; pile.nodes.len()];
        problem
            .load_compliant(&led, &pile.velocities, &pile.links, 0.3)
            .unwrap();
        solver.solve(&mut problem, Tolerance::of(1e-300), 10);
        // The rounding of an impulse over its 1/ρ.
        assert!(problem.residual() < 1e-14, "{seed} {}", problem.residual());
    }
}

/// A block that rests on rigid corners and is pulled up by a spring of its own compliance, lighter or heavier than the
/// weight: with the impulse r of the spring, `u + c (r − r₀) = 0`, and the corners carry what is left.
#[test]
fn springs_among_rigid_contacts_have_a_compliance_of_their_own() {
    let (m, fall, mu) = (2.0, 0.25, 0.6);
    for (c, r0) in [(1e-4, 0.1), (0.5, 0.2), (0.5, 0.9), (30.0, 0.0)] {
        let (nodes, velocities, mut links) = block(DVec3::Z * -fall, mu, DVec3::ZERO);
        links.push(ContactPair {
            arm_first: DVec3::Z * 0.5,
            mu: 0.0,
            impulse: DVec3::X * r0,
            ..links[0]
        });
        let mut problem = Problem::new();
        let springs = (0.0, &[c][..]);
        problem
            .load_with_springs(&nodes, &velocities, &links, springs)
            .unwrap();
        let report = Solver::new().solve(&mut problem, Tolerance::of(1e-11), 200);
        assert!(report.converged(), "{report:?}");
        // The spring alone: m (v + fall) = r, v + c (r − r₀) = 0.
        let alone = (r0 * c + fall) / (c + 1.0 / m);
        let (v, r) = match r0 > m * fall {
            true => (alone / m - fall, alone),
            false => (0.0, r0),
        };
        let found: Vec<DVec3> = problem.impulses().collect();
        let left = 1e-10 * (1.0 + 1.0 / c);
        assert!((found[4].x - r).abs() < left, "{c} {r0}: {found:?}");
        assert!((problem.velocities()[0].linear.z - v).abs() < 1e-10);
        let carried: f64 = found[..4].iter().map(|r| r.x).sum();
        assert!((carried - (m * (v + fall) - r)).abs() < left, "{found:?}");
        // The assembled problem is the same one.
        let assembled = problem.assemble().unwrap();
        assert!(Residual::of(&assembled, &found).relative < 1e-10);
    }
    let (nodes, velocities, links) = block(DVec3::ZERO, 0.3, DVec3::ZERO);
    for springs in [&[-1.0][..], &[f64::NAN], &[1.0; 5]] {
        let mut problem = Problem::new();
        let loaded = problem.load_with_springs(&nodes, &velocities, &links, (0.0, springs));
        assert!(loaded.is_err(), "{springs:?}");
    }
}

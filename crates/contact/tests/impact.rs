//! Impact laws against closed forms and an independent integration of the slip.

use glam::{DMat3, DVec2, DVec3};
use klast_contact::{
    ContactError, Delassus, FacetDirections, Friction, Hypothesis, ImpactContact, ImpactLaw,
    ImpactProblem, SolveOptions, single_contact_impact,
};
use proptest::prelude::*;

fn one(w: DMat3, contact: ImpactContact) -> ImpactProblem {
    ImpactProblem::new(
        Delassus::from_blocks(1, [(0, 0, w)]).unwrap(),
        vec![contact],
    )
    .unwrap()
}

fn every_law() -> Vec<ImpactLaw> {
    let mut laws = vec![ImpactLaw::Poisson, ImpactLaw::Stronge];
    let facets = vec![FacetDirections::regular(4, 0.0).unwrap()];
    for friction in [
        Friction::MaximumDissipation,
        Friction::Facets(facets),
        Friction::OpposeIncoming,
    ] {
        laws.push(ImpactLaw::Newton {
            friction: friction.clone(),
        });
        laws.push(ImpactLaw::Sequential { friction });
    }
    laws
}

/// A ball: W is diagonal, so all laws agree. Slip along t1, so facets hold it exactly.
#[test]
fn a_ball_bounces_the_same_under_each_law() {
    // Mass 2, inertia 2/5 m r²: W_t = (1 + 5/2) / m.
    let w = DMat3::from_diagonal(DVec3::new(0.5, 1.75, 1.75));
    for law in every_law() {
        // Slides on: r = m (1 + e) v_n (1, -mu).
        let slide = one(
            w,
            ImpactContact::new(DVec3::new(-3.0, 8.0, 0.0))
                .with_friction(0.25)
                .with_restitution(0.5),
        );
        let impact = law.resolve(&slide, &SolveOptions::default()).unwrap();
        let expected = DVec3::new(9.0, -2.25, 0.0);
        // Ten ulps of the impulse, and of the residual 1e-10 that the default asks for.
        assert!(
            (impact.impulses[0] - expected).length() < 1e-9,
            "{law:?} {:?}",
            impact.impulses
        );
        assert!((impact.velocities[0].x - 1.5).abs() < 1e-9);
        // Loss of a bounce and of friction, by hand: r·(u⁻+u⁺)/2.
        let change = 0.5 * (9.0 * (-3.0 + 1.5) - 2.25 * (8.0 + 8.0 - 2.25 * 1.75));
        assert!(
            (impact.energy.change - change).abs() < 1e-8,
            "{law:?} {:?}",
            impact.energy
        );
        assert!(impact.converged && !impact.energy.is_gain());
        // Sticks: r_t = -u_t / W_t.
        let stick = one(
            w,
            ImpactContact::new(DVec3::new(-3.0, 0.7, 0.0))
                .with_friction(0.25)
                .with_restitution(0.5),
        );
        let impact = law.resolve(&stick, &SolveOptions::default()).unwrap();
        assert!(
            (impact.impulses[0] - DVec3::new(9.0, -0.4, 0.0)).length() < 1e-9,
            "{law:?} {:?}",
            impact.impulses
        );
    }
}

/// Newton's cradle of three equal balls: both contacts at once under Newton, one after the other under the others.
#[test]
fn the_cradle_of_three_tells_the_laws_apart() {
    let couple = |x: f64| DMat3::from_diagonal(DVec3::new(x, 0.0, 0.0));
    let w = Delassus::from_blocks(
        2,
        [
            (0, 0, couple(2.0)),
            (1, 1, couple(2.0)),
            (0, 1, couple(-1.0)),
            (1, 0, couple(-1.0)),
        ],
    )
    .unwrap();
    // u = v_right - v_left: the first ball comes at 1 m/s.
    let contacts = vec![
        ImpactContact::new(DVec3::new(-1.0, 0.0, 0.0)).with_restitution(1.0),
        ImpactContact::new(DVec3::ZERO).with_restitution(1.0),
    ];
    let problem = ImpactProblem::new(w, contacts).unwrap();
    for (law, expected) in [
        (ImpactLaw::default(), [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]),
        (
            ImpactLaw::Sequential {
                friction: Friction::default(),
            },
            [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0],
        ),
        (ImpactLaw::Poisson, [0.0, 0.0, 1.0]),
        (ImpactLaw::Stronge, [0.0, 0.0, 1.0]),
    ] {
        let r = law
            .resolve(&problem, &SolveOptions::default())
            .unwrap()
            .impulses;
        let v = [1.0 - r[0].x, r[0].x - r[1].x, r[1].x];
        for (a, b) in v.iter().zip(expected) {
            // The residual asked for is 1e-10 m/s.
            assert!((a - b).abs() < 1e-9, "{law:?}: {v:?}");
        }
    }
}

#[test]
fn bad_impacts_are_named() {
    let w = || Delassus::from_blocks(1, [(0, 0, DMat3::IDENTITY)]).unwrap();
    let contact = |velocity, friction, restitution| {
        let contact = ImpactContact::new(velocity);
        contact
            .with_friction(friction)
            .with_restitution(restitution)
    };
    for (bad, field) in [
        (contact(DVec3::NEG_X, 0.5, 1.5), "restitution"),
        (contact(DVec3::NEG_X, -1.0, 0.5), "mu"),
        (contact(DVec3::NAN, 1.0, 0.5), "velocity"),
    ] {
        let ContactError::Input(out) = ImpactProblem::new(w(), vec![bad]).unwrap_err();
        assert_eq!(out.field, field);
    }
    assert!(FacetDirections::regular(5, 0.0).is_err() && FacetDirections::regular(2, 0.0).is_err());
    let mut c = ImpactContact::new(DVec3::NEG_X)
        .with_friction(0.5)
        .with_restitution(0.5);
    c.tangential_restitution = 1.0;
    let problem = ImpactProblem::new(w(), vec![c]).unwrap();
    assert!(
        ImpactLaw::Stronge
            .resolve(&problem, &SolveOptions::default())
            .is_err()
    );
}

/// Slip followed in small steps of the normal impulse by the midpoint rule, with stick decided as in the text books.
fn slow_path(w: &DMat3, mut u: DVec3, mu: f64, e: f64, hypothesis: Hypothesis) -> DVec3 {
    let (mut r, mut work) = (DVec3::ZERO, 0.0);
    let mut ends: Option<(f64, f64)> = None;
    let dp = 1e-5 * u.length() / w.x_axis.x;
    let direction = |u: DVec3| {
        let slip = DVec2::new(u.y, u.z);
        let (a, b, d) = (w.y_axis.y, w.z_axis.y, w.z_axis.z);
        let n = DVec2::new(w.x_axis.y, w.x_axis.z);
        let det = a * d - b * b;
        let stick = DVec2::new(-(d * n.x - b * n.y) / det, -(a * n.y - b * n.x) / det);
        if slip.length() < 30.0 * dp * w.y_axis.y.max(w.z_axis.z) && stick.length() <= mu {
            // Drives what is left of the slip to zero as well.
            let drive =
                DVec2::new(d * slip.x - b * slip.y, a * slip.y - b * slip.x) / (det * 50.0 * dp);
            let tau = stick - drive;
            return DVec3::new(1.0, tau.x, tau.y);
        }
        let tau = -slip.normalize_or_zero() * mu;
        DVec3::new(1.0, tau.x, tau.y)
    };
    loop {
        match ends {
            None if u.x >= 0.0 => ends = Some((r.x, work)),
            Some((p, _)) if hypothesis == Hypothesis::Poisson && r.x >= (1.0 + e) * p => return r,
            Some((_, wc)) if hypothesis == Hypothesis::Stronge && work >= (1.0 - e * e) * wc => {
                return r;
            }
            _ => {}
        }
        let middle = u + *w * direction(u) * (0.5 * dp);
        let d = direction(middle);
        let du = *w * d * dp;
        work += (u.x + 0.5 * du.x) * dp;
        u += du;
        r += d * dp;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn curved_slip_agrees_with_small_steps(a in prop::array::uniform9(-1.0..1.0_f64), u in prop::array::uniform3(-1.0..1.0_f64), mu in 0.05..1.0_f64, e in 0.0..1.0_f64) {
        let a = DMat3::from_cols_array(&a);
        let w = a * a.transpose() + DMat3::IDENTITY * 0.3;
        let u = DVec3::new(-0.2 - u[0].abs(), u[1], u[2]);
        for hypothesis in [Hypothesis::Poisson, Hypothesis::Stronge] {
            let (fast, slow) = (single_contact_impact(&w, u, mu, e, hypothesis).unwrap(), slow_path(&w, u, mu, e, hypothesis));
            // The small steps end within one step and meet the end of slip within some fifty: 1e-3 of the impulse.
            prop_assert!((fast - slow).length() < 2e-3 * slow.length(), "{hypothesis:?} {fast} {slow}");
        }
    }
}

/// Planar slip that reverses, in closed form piece by piece.
#[test]
fn planar_slip_reversal_is_exact() {
    // W = [[2, 1.5], [1.5, 2]]: after the stop slip goes on if |W_tn / W_tt| = 0.75 exceeds mu.
    let w = DMat3::from_cols(
        DVec3::new(2.0, 1.5, 0.0),
        DVec3::new(1.5, 2.0, 0.0),
        DVec3::new(0.0, 0.0, 1.0),
    );
    // Slip along -t1 at 0.5: rates while slipping back (tau = +mu = 0.5): u_t' = 1.5 + 1 = 2.5, u_n' = 2 + 0.75 = 2.75.
    // It stops at p = 0.2 where u_n = -2 + 0.55 = -1.45; then slips forward (tau = -0.5): u_n' = 1.25, so compression
    // ends at p = 0.2 + 1.16 = 1.36. Poisson with e = 0.5: p = 2.04.
    let r = single_contact_impact(
        &w,
        DVec3::new(-2.0, -0.5, 0.0),
        0.5,
        0.5,
        Hypothesis::Poisson,
    )
    .unwrap();
    let expected = DVec3::new(2.04, 0.5 * 0.2 - 0.5 * 1.84, 0.0);
    // A handful of rounded operations.
    assert!((r - expected).length() < 1e-13, "{r} {expected}");
    // Work of compression: mean speeds (2 + 1.45)/2 over 0.2 and 1.45/2 over 1.16; Stronge gives back e² of it at rate
    // 1.25.
    let work: f64 = 1.725 * 0.2 + 0.725 * 1.16;
    let back = (2.0 * 0.25 * work / 1.25).sqrt();
    let r = single_contact_impact(
        &w,
        DVec3::new(-2.0, -0.5, 0.0),
        0.5,
        0.5,
        Hypothesis::Stronge,
    )
    .unwrap();
    assert!((r.x - (1.36 + back)).abs() < 1e-13, "{r}");
}

/// W is diagonal, so the normal bounces on its own, and friction without end takes all slip and no more: r_T = −u_T /
/// W_TT. The slip turns on the way, as the two tangents are of different weight, and with such μ it overflows before it
/// has.
#[test]
fn slip_ends_at_once_where_friction_has_no_end() {
    let w = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 2.0));
    let u = DVec3::new(-1.0, 0.6, 0.6);
    for hypothesis in [Hypothesis::Poisson, Hypothesis::Stronge] {
        for mu in [1e2, 1e4, 1e5, 1e8] {
            let r = single_contact_impact(&w, u, mu, 0.5, hypothesis).unwrap();
            // Slip is integrated to 1e-10 a step.
            let expected = DVec3::new(1.5, -0.6, -0.3);
            assert!((r - expected).length() < 1e-8, "{hypothesis:?} {mu:e} {r}");
        }
    }
}

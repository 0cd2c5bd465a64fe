//! What every impact of a body with the ground keeps, whatever the law.

use crate::common;

use common::{attitude, direction, material, uniform};
use glam::{DQuat, DVec3};
use klast_contact::ImpactLaw;
use klast_dynamics::single::{
    Coefficients, Friction, Impact, Restitution, TangentialRestitution, impact,
};
use klast_dynamics::{Body, DynamicsError, State, Twist};
use klast_geometry::{ContactPoint, Pose, Solid};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// A body with one to four vertices on a plane that it approaches, and the normal.
fn scene(seed: u64, touching: usize) -> (Body, State, Vec<ContactPoint>) {
    let mut rng = Pcg64::seed_from_u64(seed);
    let edges = DVec3::new(
        uniform(&mut rng, 0.5, 1.5),
        uniform(&mut rng, 0.5, 1.5),
        uniform(&mut rng, 0.5, 1.5),
    );
    let body = Body::uniform(&Solid::Box { edges }.with_volume(1.0).unwrap(), 2700.0).unwrap();
    // Stand it on a vertex, an edge or a face, then turn the world.
    let tilt = match touching {
        1 => {
            DQuat::from_rotation_x(uniform(&mut rng, 0.2, 1.2))
                * DQuat::from_rotation_y(uniform(&mut rng, 0.2, 1.2))
        }
        2 => DQuat::from_rotation_x(uniform(&mut rng, 0.2, 1.2)),
        _ => DQuat::IDENTITY,
    };
    let low = body
        .vertices()
        .iter()
        .map(|v| (tilt * *v).z)
        .fold(0.0, f64::min);
    let world = attitude(&mut rng);
    let pose = Pose {
        rotation: world * tilt,
        translation: world * DVec3::new(0.0, 0.0, -low),
    };
    let normal = world * DVec3::Z;
    let mut state = State {
        pose,
        velocity: Twist {
            linear: direction(&mut rng) * 5.0,
            angular: direction(&mut rng) * 6.0,
        },
    };
    state.velocity.linear -= normal * 6.0;
    let vertices = body.vertices().iter().enumerate();
    let lowest = vertices.filter(|(_, v)| (tilt * **v).z < low + 1e-9);
    let contacts = lowest.map(|(i, v)| ContactPoint {
        point: pose.transform_point(*v),
        normal,
        gap: 0.0,
        feature: i as u32,
    });
    let contacts: Vec<ContactPoint> = contacts.collect();
    assert_eq!(contacts.len(), touching);
    (body, state, contacts)
}

fn turned(by: DQuat, state: &State, contacts: &[ContactPoint]) -> (State, Vec<ContactPoint>) {
    let pose = Pose {
        rotation: by * state.pose.rotation,
        translation: by * state.pose.translation,
    };
    let velocity = Twist {
        linear: by * state.velocity.linear,
        angular: by * state.velocity.angular,
    };
    let turn = |c: &ContactPoint| ContactPoint {
        point: by * c.point,
        normal: by * c.normal,
        ..*c
    };
    (
        State { pose, velocity },
        contacts.iter().map(turn).collect(),
    )
}

fn momentum_gap(body: &Body, state: &State, contacts: &[ContactPoint], hit: &Impact) -> f64 {
    let after = State {
        pose: state.pose,
        velocity: hit.after,
    };
    let linear =
        (hit.after.linear - hit.before.linear) * body.mass() - hit.impulses.iter().sum::<DVec3>();
    let arms = contacts.iter().map(|c| c.point - state.pose.translation);
    let torque: DVec3 = arms.zip(&hit.impulses).map(|(r, p)| r.cross(*p)).sum();
    let angular = after.angular_momentum(body) - state.angular_momentum(body) - torque;
    linear.length() + angular.length()
}

/// Newton's law.
fn newton(body: &Body, state: &State, contacts: &[ContactPoint], (e, mu): (f64, f64)) -> Impact {
    impact(
        body,
        state,
        contacts,
        &material(e, mu),
        &ImpactLaw::default(),
    )
    .unwrap()
}

fn touching() -> impl Strategy<Value = usize> {
    prop_oneof![Just(1usize), Just(2), Just(4)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn impulses_are_the_change_of_momentum(seed in 0u64..10_000, n in touching(), e in 0.0..1.0f64, mu in 0.0..1.5f64) {
        let (body, state, contacts) = scene(seed, n);
        let hit = newton(&body, &state, &contacts, (e, mu));
        // 2.7 t at 10 m/s: an ulp of 3e4 N s is 4e-12.
        prop_assert!(momentum_gap(&body, &state, &contacts, &hit) < 1e-9);
        // Measured, not assumed: rounding leaves some of it nearly always.
        prop_assert!(hit.converged && hit.residual.is_finite() && hit.residual < 1e-10);
    }

    /// 0 ≤ u_n⁺ + e u_n⁻ ⟂ p_n ≥ 0, friction inside its cone and against the slip after the impact where it is on the
    /// cone.
    #[test]
    fn newton_is_complementary(seed in 0u64..10_000, n in touching(), e in 0.0..1.0f64, mu in 0.0..1.5f64) {
        let (body, state, contacts) = scene(seed, n);
        let hit = newton(&body, &state, &contacts, (e, mu));
        for (c, p) in contacts.iter().zip(&hit.impulses) {
            let arm = c.point - state.pose.translation;
            let (before, after) = (state.velocity.at(arm), hit.after.at(arm));
            let gap = after.dot(c.normal) + e * before.dot(c.normal);
            let (pn, slip) = (p.dot(c.normal), after - c.normal * after.dot(c.normal));
            let pt = *p - c.normal * pn;
            // The solver stops at 1e-12 of some 20 m/s; impulses are a few tonnes times that.
            prop_assert!(gap > -1e-9 && pn > -1e-6 && (gap * pn).abs() < 1e-4, "{gap} {pn}");
            prop_assert!(pt.length() <= mu * pn + 1e-6);
            let slack = mu * pn - pt.length();
            if slack > 1e-4 * pn.max(1.0) {
                prop_assert!(slip.length() < 1e-7, "slips inside the cone: {}", slip.length());
            } else if slip.length() > 1e-7 && pn > 1.0 {
                prop_assert!(pt.normalize_or_zero().dot(slip.normalize()) < -1.0 + 1e-6);
            }
        }
    }

    /// Up to two contacts: four with friction can have several solutions (about one face impact in a thousand here).
    #[test]
    fn a_turned_world_turns_the_answer(seed in 0u64..10_000, n in 1usize..=2, e in 0.0..1.0f64, mu in 0.0..1.5f64) {
        let (body, state, contacts) = scene(seed, n);
        let by = attitude(&mut Pcg64::seed_from_u64(seed + 77));
        let (state2, contacts2) = turned(by, &state, &contacts);
        for law in [ImpactLaw::default(), ImpactLaw::Stronge] {
            let hit = impact(&body, &state, &contacts, &material(e, mu), &law).unwrap();
            let hit2 = impact(&body, &state2, &contacts2, &material(e, mu), &law).unwrap();
            let off = (by * hit.after.linear - hit2.after.linear).length() + (by * hit.after.angular - hit2.after.angular).length();
            // One contact is closed form; several are solved to 1e-12 of the velocities, once on either side.
            let bound = 2e-12;
            prop_assert!(off < bound * (1.0 + hit.after.linear.length() + hit.after.angular.length()), "{off:e} {}", law.name());
        }
    }

    #[test]
    fn the_order_of_contacts_does_not_show(seed in 0u64..10_000, e in 0.0..1.0f64, mu in 0.0..0.7f64) {
        let (body, state, contacts) = scene(seed, 2);
        let hit = newton(&body, &state, &contacts, (e, mu));
        let reversed: Vec<ContactPoint> = contacts.iter().rev().copied().collect();
        let hit2 = newton(&body, &state, &reversed, (e, mu));
        prop_assert!((hit.after.linear - hit2.after.linear).length() + (hit.after.angular - hit2.after.angular).length() < 1e-10 * 20.0);
    }

    #[test]
    fn stronge_at_one_contact_and_newton_without_friction_never_gain(seed in 0u64..10_000, n in touching(), e in 0.0..1.0f64, mu in 0.0..3.0f64) {
        let (body, state, contacts) = scene(seed, 1);
        let hit = impact(&body, &state, &contacts, &material(e, mu), &ImpactLaw::Stronge).unwrap();
        // Rounding of two kinetic energies.
        prop_assert!(hit.energy.loss() > -1e-12 * hit.energy.before.total(), "{:?}", hit.energy);
        let (body, state, contacts) = scene(seed, n);
        let hit = newton(&body, &state, &contacts, (e, 0.0));
        prop_assert!(hit.energy.loss() > -1e-11 * hit.energy.before.total(), "{:?}", hit.energy);
    }

    /// The audit's two works are the change of the kinetic energy.
    #[test]
    fn works_add_up(seed in 0u64..10_000, n in touching(), e in 0.0..1.0f64, mu in 0.0..1.5f64) {
        let (body, state, contacts) = scene(seed, n);
        for law in [ImpactLaw::default(), ImpactLaw::Poisson, ImpactLaw::Stronge] {
            let hit = impact(&body, &state, &contacts, &material(e, mu), &law).unwrap();
            let work = hit.energy.normal_work + hit.energy.friction_work;
            prop_assert!((work + hit.energy.loss()).abs() < 1e-11 * hit.energy.before.total(), "{work} {:?}", hit.energy);
        }
    }
}

/// A cube that lands on an edge with friction and Newton's law can leave with more energy than it came with; the audit
/// says so.
#[test]
fn a_gain_is_reported() {
    let (mut gains, mut largest) = (0, 0.0f64);
    for seed in 0..3000 {
        let (body, state, contacts) = scene(seed, 2);
        let hit = newton(&body, &state, &contacts, (1.0, 0.4));
        gains += usize::from(hit.energy.is_gain());
        largest = largest.max(-hit.energy.loss() / hit.energy.before.total());
    }
    assert!(gains > 0 && largest > 1e-3, "{gains} {largest}");
}

#[test]
fn nothing_touches_and_nothing_happens() {
    let (body, state, _) = scene(1, 1);
    let hit = newton(&body, &state, &[], (0.5, 0.5));
    assert_eq!(hit.after, state.velocity);
}

#[test]
fn bad_coefficients_are_refused_with_their_names() {
    for (e, mu, field) in [
        (-0.1, 0.5, "restitution"),
        (1.1, 0.5, "restitution"),
        (f64::NAN, 0.5, "restitution"),
        (0.5, -1.0, "friction coefficient"),
        (0.5, f64::INFINITY, "friction coefficient"),
    ] {
        let refused: Result<_, DynamicsError> = Coefficients::new(Restitution(e), Friction(mu));
        let error = refused.unwrap_err();
        let named = matches!(&error, DynamicsError::OutOfRange(out) if out.field == field);
        assert!(named, "{error}");
    }
    let tangential = TangentialRestitution(0.3);
    let springy =
        Coefficients::with_tangential(Restitution(0.5), tangential, Friction(0.5)).unwrap();
    let (body, state, contacts) = scene(1, 1);
    assert!(impact(&body, &state, &contacts, &springy, &ImpactLaw::Stronge).is_err());
    let shape = Solid::Cube.with_size(1.0).unwrap();
    for (mass, inertia) in [
        (0.0, DVec3::ONE),
        (-1.0, DVec3::ONE),
        (f64::NAN, DVec3::ONE),
        (1.0, DVec3::new(1.0, 1.0, 0.0)),
        (1.0, DVec3::new(1.0, 1.0, 2.5)),
        (1.0, DVec3::splat(f64::INFINITY)),
    ] {
        assert!(
            Body::new(mass, inertia, shape.clone()).is_err(),
            "{mass} {inertia}"
        );
    }
    assert!(Body::uniform(&shape, -2700.0).is_err());
    assert!(Twist::new(DVec3::NAN, DVec3::ZERO).is_err());
    assert!(
        State::new(
            Pose {
                rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0),
                translation: DVec3::ZERO
            },
            Twist::ZERO
        )
        .is_err()
    );
}

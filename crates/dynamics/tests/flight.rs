//! Flight keeps what a free body keeps, and agrees with an independent integrator.

use crate::common;

use common::{attitude, bodies, direction, uniform};
use glam::{DQuat, DVec3};
use klast_dynamics::single::Flight;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::{Pose, Solid};
use klast_numerics::ode::{Dopri853, OdeOptions, OdeSystem};
use rand::SeedableRng;
use rand_pcg::Pcg64;

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

fn random_state(rng: &mut Pcg64, spin: f64) -> State {
    let pose = Pose {
        rotation: attitude(rng),
        translation: direction(rng) * 10.0,
    };
    State {
        pose,
        velocity: Twist {
            linear: direction(rng) * 7.0,
            angular: direction(rng) * spin,
        },
    }
}

/// Euler's equations as a plain first-order system, y = (q, body spin).
struct FreeTop(DVec3);

impl OdeSystem for FreeTop {
    fn dimension(&self) -> usize {
        7
    }
    fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
        let (q, w) = (DQuat::from_slice(&y[..4]), DVec3::from_slice(&y[4..]));
        let rate = q * DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * 0.5;
        dy[..4].copy_from_slice(&rate.to_array());
        dy[4..].copy_from_slice(&((self.0 * w).cross(w) / self.0).to_array());
    }
}

#[test]
fn agrees_with_a_runge_kutta_method_of_order_8() {
    let mut rng = Pcg64::seed_from_u64(2);
    let options = OdeOptions {
        relative: 1e-15,
        absolute: 1e-15,
        ..OdeOptions::default()
    };
    let mut method = Dopri853::new(7, options).unwrap();
    for body in bodies(&mut rng, 40) {
        let spin = uniform(&mut rng, 0.1, 20.0);
        let start = random_state(&mut rng, spin);
        let flight = Flight::new(&body, start, GRAVITY);
        let mut y = [0.0; 7];
        y[..4].copy_from_slice(&start.pose.rotation.to_array());
        y[4..].copy_from_slice(&start.body_spin().to_array());
        method.reset(0.0, &y).unwrap();
        for t in [0.01, 0.4, 1.7, 3.0] {
            method.advance(&FreeTop(body.inertia()), t, &[]).unwrap();
            let q = DQuat::from_slice(&method.state()[..4]).normalize();
            let ours = flight.state(t);
            let corner = DVec3::new(0.6, -0.5, 0.7);
            // Both err by an ulp or two of the spin per radian; up to 60 rad are turned, and the angle's error is its
            // integral.
            assert!(
                (ours.pose.transform_vector(corner) - q * corner).length() < 1e-12,
                "{spin} {t}"
            );
            let w = q * DVec3::from_slice(&method.state()[4..]);
            assert!(
                (ours.velocity.angular - w).length() < 1e-12 * (1.0 + spin),
                "{spin} {t}"
            );
            let (x0, v0) = (start.pose.translation, start.velocity.linear);
            assert_eq!(ours.velocity.linear, v0 + t * GRAVITY);
            // Ten metres and fifty: an ulp of each term.
            assert!(
                (ours.pose.translation - (x0 + v0 * t + 0.5 * t * t * GRAVITY)).length() < 1e-13
            );
        }
    }
}

#[test]
fn keeps_energy_and_angular_momentum() {
    let mut rng = Pcg64::seed_from_u64(3);
    for body in bodies(&mut rng, 40) {
        let start = random_state(&mut rng, 12.0);
        let flight = Flight::new(&body, start, GRAVITY);
        let energy =
            |s: &State| s.kinetic_energy(&body).total() + s.potential_energy(&body, GRAVITY);
        let (e0, l0) = (energy(&start), start.angular_momentum(&body));
        for t in [0.3, 2.0, 20.0] {
            let now = flight.state(t);
            // After 20 s both energies are 1e6 J from cancelling terms: rounding of those, and an ulp per radian for
            // the spin.
            assert!(
                (energy(&now) - e0).abs() < 1e-12 * now.kinetic_energy(&body).total().max(e0.abs()),
                "{t}"
            );
            assert!(
                (now.angular_momentum(&body) - l0).length() < 1e-12 * l0.length(),
                "{t} {}",
                (now.angular_momentum(&body) - l0).length() / l0.length()
            );
            assert!((now.pose.rotation.length() - 1.0).abs() < 1e-15);
        }
    }
}

#[test]
fn runs_back_to_where_it_started() {
    let mut rng = Pcg64::seed_from_u64(4);
    for body in bodies(&mut rng, 10) {
        let start = random_state(&mut rng, 9.0);
        let end = Flight::new(&body, start, GRAVITY).state(2.0);
        let back = Flight::new(&body, end, GRAVITY).state(-2.0);
        // Twice 18 rad of accumulated rounding.
        assert!((back.pose.translation - start.pose.translation).length() < 1e-12);
        assert!(back.pose.rotation.dot(start.pose.rotation).abs() > 1.0 - 1e-12);
        assert!((back.velocity.angular - start.velocity.angular).length() < 2e-12);
    }
}

/// A symmetric top turns its spin about the figure axis at Ω = (I₃ − I₁)/I₁ ω₃ in body axes (Landau and Lifshitz 1976,
/// section 33) and its figure axis about the angular momentum at L/I₁ in the world.
#[test]
fn symmetric_top_in_closed_form() {
    let shape = Solid::Box {
        edges: DVec3::new(1.0, 1.0, 3.0),
    }
    .with_volume(1.0)
    .unwrap();
    let body = Body::uniform(&shape, 2700.0).unwrap();
    let i = body.inertia();
    assert!((i.x - i.y).abs() < 1e-12 * i.x);
    let w = DVec3::new(3.0, 0.0, 5.0);
    let start = State {
        pose: Pose::IDENTITY,
        velocity: Twist {
            linear: DVec3::ZERO,
            angular: w,
        },
    };
    let flight = Flight::new(&body, start, DVec3::ZERO);
    let momentum = i * w;
    let axis = momentum.normalize();
    for t in [0.1, 1.0, 7.3] {
        let now = flight.state(t);
        let phase = (i.z - i.x) / i.x * w.z * t;
        let expected = DVec3::new(3.0 * phase.cos(), 3.0 * phase.sin(), 5.0);
        // 40 rad turned: an ulp of the phase per radian, times the spin.
        assert!((now.body_spin() - expected).length() < 1e-12, "{t}");
        let precession = DQuat::from_axis_angle(axis, momentum.length() / i.x * t);
        let figure = now.pose.transform_vector(DVec3::Z);
        assert!((figure - precession * DVec3::Z).length() < 1e-12, "{t}");
    }
}

/// Euler's top with I₁ < I₂ < I₃: the spin in Jacobi's elliptic functions (Landau and Lifshitz 1976, section 37,
/// equation 37.10).
#[test]
fn asymmetric_top_in_elliptic_functions() {
    let shape = Solid::Box {
        edges: DVec3::new(3.0, 2.0, 1.0),
    }
    .with_volume(1.0)
    .unwrap();
    let body = Body::uniform(&shape, 2700.0).unwrap();
    let i = body.inertia();
    assert!(i.x < i.y && i.y < i.z);
    let w = DVec3::new(1.0, 0.0, 4.0);
    let (e2, m2) = (w.dot(i * w), (i * w).length_squared());
    assert!(m2 > e2 * i.y);
    let tau = ((i.z - i.y) * (m2 - e2 * i.x) / (i.x * i.y * i.z)).sqrt();
    let k2 = (i.y - i.x) * (e2 * i.z - m2) / ((i.z - i.y) * (m2 - e2 * i.x));
    let top = [
        ((e2 * i.z - m2) / (i.x * (i.z - i.x))).sqrt(),
        ((e2 * i.z - m2) / (i.y * (i.z - i.y))).sqrt(),
        ((m2 - e2 * i.x) / (i.z * (i.z - i.x))).sqrt(),
    ];
    let start = State {
        pose: Pose::IDENTITY,
        velocity: Twist {
            linear: DVec3::ZERO,
            angular: w,
        },
    };
    let flight = Flight::new(&body, start, DVec3::ZERO);
    for t in [0.2, 1.0, 2.7, 8.0] {
        let (sn, cn, dn) = jacobi(tau * t, k2);
        let expected = DVec3::new(top[0] * cn, top[1] * sn, top[2] * dn);
        // 35 rad turned: an ulp per radian times the spin.
        assert!(
            (flight.state(t).body_spin() - expected).length() < 1e-12,
            "{t} {} {expected}",
            flight.state(t).body_spin()
        );
    }
}

/// sn, cn, dn by the descending Landen transformation (Abramowitz and Stegun 1964, 16.12 and 17.6).
fn jacobi(u: f64, m: f64) -> (f64, f64, f64) {
    let (mut a, mut b, mut c) = (vec![1.0], (1.0 - m).sqrt(), vec![m.sqrt()]);
    while c.last().unwrap().abs() > 1e-17 {
        let last = *a.last().unwrap();
        c.push(0.5 * (last - b));
        a.push(0.5 * (last + b));
        b = (last * b).sqrt();
        if c.len() > 12 {
            break;
        }
    }
    let n = a.len() - 1;
    let mut phi = (1u64 << n) as f64 * a[n] * u;
    for k in (1..=n).rev() {
        phi = 0.5 * (phi + (c[k] / a[k] * phi.sin()).asin());
    }
    let sn = phi.sin();
    (sn, phi.cos(), (1.0 - m * sn * sn).sqrt())
}

//! Errata of the rigid-body manual: the fall of a cube on its slope, columns and statements of the tables.

use super::Check;
use super::steps::root;

pub const CHECKS: &[Check] = &[
    ("E4", friction_along_the_slip),
    ("E7", energy_at_the_contact),
    ("E9", rebound_under_its_header),
    ("E10", without_friction),
];

/// Cube of 1 m³ (kg, m⁴ kg), gravity of the manual's tables (m/s²).
const MASS: f64 = 2700.0;
const INERTIA: f64 = MASS / 6.0;
const G: f64 = 9.81;

/// Rock 1 of Table 4.1: height of its centre over a slope of 1 : 2 (m), and spin (rad/s), forward.
const HEIGHT: f64 = 2.0;
const SPIN: f64 = 10.0 * std::f64::consts::PI / 180.0;

/// Axes along the slope, down, and normal to it, as (x, z).
fn slope() -> [[f64; 2]; 2] {
    let size = 5.0_f64.sqrt();
    [[2.0 / size, -1.0 / size], [1.0 / size, 2.0 / size]]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Arms (x, z) of the cube's four edges after a turn about y, by which x goes to −z.
fn edges(turned: f64) -> [[f64; 2]; 4] {
    let (s, c) = turned.sin_cos();
    [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]
        .map(|(x, z)| [c * x + s * z, -s * x + c * z])
}

/// Distance from the slope of the lowest edge at a time of the fall.
fn gap(time: f64) -> f64 {
    let [_, n] = slope();
    let centre = [0.0, HEIGHT - 0.5 * G * time * time];
    let lowest = edges(SPIN * time).map(|edge| dot(edge, n));
    dot(centre, n) + lowest.into_iter().fold(f64::INFINITY, f64::min)
}

/// Time of the first contact, by halving.
fn contact() -> f64 {
    root(gap, 0.3, 0.6)
}

/// Energy (kJ) at the contact: the printed one, that of the fall until the lowest edge is on the slope, and the same in
/// which the cube reaches as far along the normal as half its width times |cos| + |sin| of its angle to the slope.
fn energy_at_the_contact() -> [f64; 3] {
    let energy = |t: f64| 0.5e-3 * (MASS * G * G * t * t + INERTIA * SPIN * SPIN);
    // The turn is forward, down the slope, whose angle it takes from that between faces and slope.
    let slope = 0.5_f64.atan();
    let over = |t: f64| {
        let angle = slope - SPIN * t;
        (HEIGHT - 0.5 * G * t * t) * slope.cos() - 0.5 * (angle.cos().abs() + angle.sin().abs())
    };
    [32.33, energy(contact()), energy(root(over, 0.3, 0.6))]
}

/// Impulse of friction over the normal one, along the incoming slip, of rock 1 with R_n = 0.35 and μ = 0.6: against the
/// slip, μ; the two impulses after which the edge does not slip and leaves with 0.35 of its velocity; and the motion
/// that has the angular momentum about the edge of that before the impact.
fn friction_along_the_slip() -> [f64; 3] {
    let [t, n] = slope();
    let time = contact();
    let before = [0.0, -G * time];
    let arm = edges(SPIN * time)
        .into_iter()
        .min_by(|a, b| dot(*a, n).total_cmp(&dot(*b, n)))
        .unwrap();
    // A spin w about y moves an arm (x, z) by (w z, −w x).
    let turned = [arm[1], -arm[0]];
    let at = |v: [f64; 2], w: f64| [v[0] + w * turned[0], v[1] + w * turned[1]];
    let closing = at(before, SPIN);
    let wanted = [-dot(closing, t), -1.35 * dot(closing, n)];
    let entry =
        |a: [f64; 2], b: [f64; 2]| dot(a, b) / MASS + dot(turned, a) * dot(turned, b) / INERTIA;
    let (tt, tn, nn) = (entry(t, t), entry(t, n), entry(n, n));
    let ratio = (wanted[0] * nn - wanted[1] * tn) / (tt * wanted[1] - tn * wanted[0]);
    // v = u − w × arm with the velocity u of the edge; J = m (v − v⁻), and I (w − w⁻) = arm × J.
    let leaves = [0, 1].map(|k| -0.35 * dot(closing, n) * n[k]);
    let momentum = |v: [f64; 2], w: f64| INERTIA * w - MASS * dot(turned, v);
    let after = |w: f64| [leaves[0] - w * turned[0], leaves[1] - w * turned[1]];
    let kept = momentum(before, SPIN);
    let w = root(|w| kept - momentum(after(w), w), -50.0, 50.0);
    let change = [after(w)[0] - before[0], after(w)[1] - before[1]];
    let along = dot(closing, t).signum();
    [-0.6, along * ratio, along * dot(change, t) / dot(change, n)]
}

/// Rebound 1 (m) of the dodecahedron, analytical, from 10 m over a drop of 9.34 m with R_n = 0.8: the number under this
/// header, the closed form, and small steps of the fall and of the rise.
fn rebound_under_its_header() -> [f64; 3] {
    let (drop, e, dt): (f64, f64, f64) = (9.34, 0.8, 1e-6);
    let (mut z, mut v) = (10.0, 0.0);
    while z > 10.0 - drop {
        z += (v - 0.5 * G * dt) * dt;
        v -= G * dt;
    }
    v *= -e;
    while v > 0.0 {
        z += (v - 0.5 * G * dt) * dt;
        v -= G * dt;
    }
    [1.73, 10.0 - drop + e * e * drop, z]
}

/// Change of the spin (rad/s) after the impact of Table 3.1 (2D) between R_t = 0 and R_t = 1: what two printed numbers
/// that are equal may differ by; with the impulse along the ground within μ = 0 of the normal one; and in small steps
/// of the normal impulse, after which R_t gives back a part of what friction did.
fn without_friction() -> [f64; 3] {
    let (arm, v, mu) = ([0.2, 0.65], -(2.0 * G * 9.5_f64).sqrt(), 0.0);
    let mobility = |a: f64, b: f64| a * b / INERTIA;
    let normal = -1.5 * v / (1.0 / MASS + mobility(arm[0], arm[0]));
    let spin = |rt: f64| {
        let stops = -mobility(arm[0], arm[1]) * normal / (1.0 / MASS + mobility(arm[1], arm[1]));
        let along = ((1.0 + rt) * stops).clamp(-mu * normal, mu * normal);
        (arm[0] * normal + arm[1] * along) / INERTIA
    };
    let steps = |rt: f64| {
        let (n, mut w, mut slip, mut done) = (1000, 0.0, 0.0_f64, 0.0);
        for _ in 0..n {
            let normal = normal / f64::from(n);
            let along = -mu * normal * slip.signum();
            w += (arm[0] * normal + arm[1] * along) / INERTIA;
            slip += mobility(arm[0], arm[1]) * normal + along / MASS;
            done += along;
        }
        w + arm[1] * rt * done / INERTIA
    };
    [0.01, spin(1.0) - spin(0.0), steps(1.0) - steps(0.0)]
}

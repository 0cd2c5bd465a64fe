//! Forms that are printed without a value: quotients of zeros, a symbol that the document does not define, a relation
//! that it leaves out. Each is computed as printed, which gives no number.

use super::Check;
use super::steps::{lands, root};

pub const CHECKS: &[Check] = &[
    ("L3", no_rotation),
    ("L8", scaling_factor),
    ("L11", rock_at_rest),
    ("P10", damping),
    ("T57", basin_of_three_halves),
];

const G: f64 = 9.81;

/// Trace of the rotation matrix of a rock that does not spin: by the axis w t/‖w t‖, by its limit, and by the series of
/// the exponential of the rotation vector, which has no axis.
fn no_rotation() -> [f64; 3] {
    let trace = |w: [f64; 3]| {
        let angle = w.iter().map(|c| c * c).sum::<f64>().sqrt();
        let diagonal = |c: f64| angle.cos() + (c / angle).powi(2) * (1.0 - angle.cos());
        w.map(diagonal).iter().sum::<f64>()
    };
    // tr exp(W) = 3 + tr W²/2! + tr W⁴/4! + …, with tr W² = −2 ‖w t‖².
    let series = |square: f64| 3.0 - square + square * square / 12.0;
    [trace([0.0; 3]), trace([1e-5, 0.0, 0.0]), series(0.0)]
}

/// SF of a rock that comes in along the ground (v_n = 0) as r_n vanishes, with r_t = 0.8: as printed; with both sides
/// of the fraction times (f₂ r_n)², where v_n vanishes last; and as printed with numbers that approach it so.
fn scaling_factor() -> [f64; 3] {
    let (rt, f2) = (0.8, 76.2);
    let printed = |vn: f64, rn: f64| rt / ((vn / (f2 * rn)).powi(2) + 1.0);
    let whole = |vn: f64, rn: f64| rt * (f2 * rn).powi(2) / (vn * vn + (f2 * rn).powi(2));
    [printed(0.0, 0.0), whole(1e-3, 0.0), printed(1e-3, 1e-12)]
}

/// Acceleration (m/s²) of a rock at rest on a slope of 20 degrees with μ = 0.5: by (3.3), whose direction of motion is
/// 0/0, by the static test, and by the friction that carries the pull along the slope, which is found by halving up to
/// μ N.
fn rock_at_rest() -> [f64; 3] {
    let (angle, mu) = (20.0_f64.to_radians(), 0.5);
    let (pull, most, velocity) = (G * angle.sin(), mu * G * angle.cos(), 0.0_f64);
    let printed = pull - most * (velocity / velocity.abs());
    let right = if angle.tan() <= mu { 0.0 } else { pull - most };
    [printed, right, pull - root(|held| pull - held, 0.0, most)]
}

/// Damping constant (N s/m) of a mass of 1 kg on the printed 2e7 N/m for the printed e_r = 0.4: no relation is printed;
/// the formula, and the constant that is found by halving, with steps of the contact from its beginning to the return
/// to an overlap of 0.
fn damping() -> [f64; 3] {
    let (mass, stiffness, e) = (1.0_f64, 2e7_f64, 0.4_f64);
    let logarithm = e.ln();
    let ratio = -logarithm / std::f64::consts::PI.hypot(logarithm);
    let right = 2.0 * ratio * (stiffness * mass).sqrt();
    let comes_back = |c: f64| {
        let pull = |x: f64, v: f64| -(stiffness * x + c * v) / mass;
        -lands((0.0, 1.0), 1e-6, pull).1
    };
    // No number follows from what is printed.
    [f64::NAN, right, root(|c| comes_back(c) - e, 0.0, 8e3)]
}

/// Length (mm) of the basin d_3π/2 for one block of 40 mm, u₀ = 40 mm and e = 1: with the symbol a, which has no value
/// there, with u₀, and by small steps of the block and of the far wall.
fn basin_of_three_halves() -> [f64; 3] {
    let (size, u0, e, pi) = (40.0, 40.0, 1.0, std::f64::consts::PI);
    let form = |last: f64| (1.0 + e) * u0 * 1.5 * pi + size + last;
    let (n, end) = (200_000, 1.5 * pi);
    let dt = end / f64::from(n);
    let (mut front, mut wall) = (size, 0.0);
    for k in 0..n {
        front += (1.0 + e) * u0 * dt;
        wall += u0 * ((f64::from(k) + 0.5) * dt).cos() * dt;
    }
    [form(f64::NAN), form(u0), front - wall]
}

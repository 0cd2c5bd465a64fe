//! Errata of units, signs, times and readings of the text, each with one law behind it.

use super::Check;
use super::steps::root;

pub const CHECKS: &[Check] = &[
    ("E6", friction_of_an_angle),
    ("L5", rolling_back),
    ("L6", spin_after),
    ("L15", inertia_of_a_rock),
    ("P3", size_of_a_class),
    ("P5", turned_in_one_step),
    ("P11", through_the_layer),
    ("T11", hanging_mass),
    ("T25", restitution_by_size),
    ("T56", travel),
    ("T63", first_touch),
];

/// Friction coefficient of 5 degrees: rounded to three digits, its tangent, and the slope of the triangle whose angle
/// is found by halving.
fn friction_of_an_angle() -> [f64; 3] {
    let angle = 5.0_f64.to_radians();
    [
        0.087,
        angle.tan(),
        root(|slope| angle - slope.atan(), 0.0, 1.0),
    ]
}

/// Mass (kg), radius (m), moment (kg m²), velocity (m/s) and spin (rad/s) of a lumped rock before an impact that loses
/// nothing along the ground.
const ROCK: [f64; 5] = [2.0, 0.4, 0.128, 1.0, -9.0];

/// Velocity along the ground by (2.1b) with the factors 1: root of the energy, with the sign of the angular momentum
/// about the contact, and the same share of the energy split into what turns about the contact.
fn rolling_back() -> [f64; 3] {
    let [m, r, i, v, w] = ROCK;
    let size = (r * r * (i * w * w + m * v * v) / (i + m * r * r)).sqrt();
    let momentum = i * w + m * r * v;
    // The rock rolls on: its energy is that of one turn about the contact, in the sense of the momentum.
    let about = i + m * r * r;
    let energy = 0.5 * (i * w * w + m * v * v);
    let rate = root(|x| energy - 0.5 * about * x * x, 0.0, 100.0) * momentum.signum();
    [size, size * momentum.signum(), r * rate]
}

/// Spin after the impact: from the velocity before and after it; and the spin at which the contact point rests.
fn spin_after() -> [f64; 3] {
    let [_, r, _, v, _] = ROCK;
    let after = rolling_back()[1];
    // The contact point moves with v' − r w'.
    let rests = root(|w| after - r * w, -100.0, 100.0);
    [v / r, after / r, rests]
}

/// Moment of inertia of a cube of 1 m³ and 2700 kg, of the sphere of equal volume, and of that sphere by thin discs.
fn inertia_of_a_rock() -> [f64; 3] {
    let (mass, r) = (2700.0, (3.0 / (4.0 * std::f64::consts::PI)).cbrt());
    let n = 20_000;
    let disc = |k: i32| {
        let x = r * (2.0 * (f64::from(k) + 0.5) / f64::from(n) - 1.0);
        let square = r * r - x * x;
        0.5 * mass * std::f64::consts::PI * square * square * 2.0 * r / f64::from(n)
    };
    [mass / 6.0, 0.4 * mass * r * r, (0..n).map(disc).sum()]
}

/// Size of a cell of 110 mm in the class of 90 to 100 mm at its upper end (ω = 0): scaled by the factor q, shortened by
/// it, and from the volume of a cube whose corners move towards its seed by the fraction q of their way.
fn size_of_a_class() -> [f64; 3] {
    let (low, high, largest, omega): (f64, f64, f64, f64) = (90.0, 100.0, 110.0, 0.0);
    let q = 1.0 - high / largest + omega * (high - low) / largest;
    let seed = 0.3 * largest;
    let [a, b] = [0.0, largest].map(|corner| corner - q * (corner - seed));
    [largest * q, largest * (1.0 - q), (b - a).powi(3).cbrt()]
}

/// Angle after one step of 0.05 s of a body with θ̈ = −θ from 1 rad at rest: a full kick and a drift, half a kick and a
/// drift, and the exact motion.
fn turned_in_one_step() -> [f64; 3] {
    let h = 0.05_f64;
    let drift = |kick: f64| 1.0 + h * (-kick * h);
    [drift(1.0), drift(0.5), h.cos()]
}

/// Time at which the base of 0.8 m leaves, with the strike at 0.5 ms and a uniform loss from 1200 to 1010 m/s: along
/// 3.5 m and along 2.7 m, and the latter in small steps.
fn through_the_layer() -> [f64; 3] {
    let (v0, v1) = (1200.0, 1010.0);
    let leaves = |layer: f64| 0.5 + 1e3 * (layer + 0.8) / (0.5 * (v0 + v1));
    let (way, dt) = (2.7 + 0.8, 1e-9);
    let brake = (v0 * v0 - v1 * v1) / (2.0 * way);
    let (mut x, mut v, mut t) = (0.0, v0, 0.0);
    while x < way {
        x += (v - 0.5 * brake * dt) * dt;
        v -= brake * dt;
        t += dt;
    }
    [leaves(3.5), leaves(2.7), 0.5 + 1e3 * t]
}

/// Acceleration over g of the cart with the largest hanging mass, 0.115: in g, in kg, and from the energy of a fall.
fn hanging_mass() -> [f64; 3] {
    let over_g = |hanging: f64| hanging / (0.120 + 0.0955 + hanging);
    let (hanging, fall, g) = (0.115, 0.1, 9.81);
    let square = 2.0 * hanging * g * fall / (0.120 + 0.0955 + hanging);
    [over_g(0.115e-3), over_g(hanging), square / (2.0 * fall * g)]
}

/// Blocks of Table 4.3 whose coefficient rises from the medium to the large scale: the text, by differences, and by the
/// loss of energy.
fn restitution_by_size() -> [f64; 3] {
    let medium = [
        0.670, 0.840, 0.882, 0.914, 0.941, 0.959, 0.966, 0.969, 0.974_f64,
    ];
    let large = [
        0.708, 0.852, 0.904, 0.937, 0.952, 0.970, 0.972, 0.978, 0.979_f64,
    ];
    let pairs = || medium.iter().zip(&large);
    let rises = pairs().filter(|(m, l)| *l - *m > 0.0).count();
    let less = pairs()
        .filter(|(m, l)| 1.0 - l.powi(2) < 1.0 - m.powi(2))
        .count();
    [0.0, rises as f64, less as f64]
}

/// Time over 1/Ω at which a block that starts with 2 u0 Ω meets the far wall over a free way of 3 u0: without and with
/// the displacement of the wall, and in small steps of both.
fn travel() -> [f64; 3] {
    let right = root(|t| 3.0 + t.sin() - 2.0 * t, 0.0, 3.0);
    let dt = 1e-7;
    let (mut block, mut wall, mut t) = (0.0, 3.0, 0.0_f64);
    while block < wall {
        block += 2.0 * dt;
        wall += (t + 0.5 * dt).cos() * dt;
        t += dt;
    }
    [1.5, right, t]
}

/// Velocity with which a wall of 10 mm at 2 Hz meets a block at rest beside it: none, u0 Ω, and by a difference of its
/// places.
fn first_touch() -> [f64; 3] {
    let (u0, omega, d) = (0.01, 4.0 * std::f64::consts::PI, 1e-5);
    let place = |t: f64| u0 * (omega * t).sin();
    [0.0, u0 * omega, (place(d) - place(-d)) / (2.0 * d)]
}

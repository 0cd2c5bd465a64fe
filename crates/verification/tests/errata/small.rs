//! Errata of the manuals, the paper and the row of blocks that follow from a few lines.

use super::Check;

pub const CHECKS: &[Check] = &[
    ("E1", kinetic_energy),
    ("E2", height_at_rest),
    ("E3", rebound),
    ("E5", spin),
    ("L1", start_position),
    ("L2", attitude),
    ("L4", normal_velocity),
    ("L7", slip_in_the_frame),
    ("L9", last_factor),
    ("L10", friction_angle),
    ("L12", normal_force),
    ("L13", spin_of_a_slide),
    ("L16", spin_of_a_box),
    ("P1", number_of_rocks),
    ("P2", nearest_seed),
    ("T10", mass_ratio),
    ("T55", contact_time),
    ("T58", rebound_b),
    ("T59", rebound_d),
    ("T65", block_mass),
];

/// Energy of the printed velocities: by mass and inertia, and of eight points that have the inertia of the cube.
fn kinetic_energy() -> [f64; 3] {
    let (m, v, w) = (2700.0, [0.0, -5.79, 11.58], 8.57);
    let right = 0.5 * m * (v[1] * v[1] + v[2] * v[2]) + 0.5 * (m / 6.0) * w * w;
    let a = 0.5 / 3.0_f64.sqrt();
    let mut points = 0.0;
    for k in 0..8 {
        let at = [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { a } else { -a });
        // The spin is about x.
        let u = [v[0], v[1] - w * at[2], v[2] + w * at[1]];
        points += 0.5 * m / 8.0 * u.iter().map(|c| c * c).sum::<f64>();
    }
    [239.61, right / 1e3, points / 1e3]
}

/// Height of a corner over the centre of an octahedron of 1 m³: from two pyramids, and from the length of its edges.
fn height_at_rest() -> [f64; 3] {
    let edge = (3.0 / 2.0_f64.sqrt()).cbrt();
    [0.0, 0.75_f64.cbrt(), edge / 2.0_f64.sqrt()]
}

/// Velocity after a drop of 9.5 m with R_n = 0.5: (1.1), and from the height of the rebound by (1.2).
fn rebound() -> [f64; 3] {
    let before = -(2.0 * 9.81 * 9.5_f64).sqrt();
    [
        0.5 * before,
        -0.5 * before,
        (2.0 * 9.81 * 9.5 * 0.25_f64).sqrt(),
    ]
}

/// Magnitude of a spin of 45 deg/s about each of two axes: sum of squares, and along the diagonal.
fn spin() -> [f64; 3] {
    let half = std::f64::consts::FRAC_PI_4;
    [45.0, 45.0_f64.hypot(45.0), 45.0 * (half.cos() + half.sin())]
}

/// Height 0.5 s after a throw with 3 m/s from a height of 10 m: closed form, and in steps at their middle.
fn start_position() -> [f64; 3] {
    let (p, v, g, t) = (10.0, 3.0, 9.81, 0.5);
    let (mut z, mut u, n) = (p, v, 1000);
    for _ in 0..n {
        let dt = t / f64::from(n);
        z += (u - 0.5 * g * dt) * dt;
        u -= g * dt;
    }
    let moved = v * t - 0.5 * g * t * t;
    [moved, p + moved, z]
}

type Matrix = [[f64; 3]; 3];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |i: usize, j: usize| (0..3).map(|k| a[i][k] * b[k][j]).sum();
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

/// First entry of the attitude after a turn of 0.4 rad about z of a body that was turned by 0.7 rad about x and 0.3 rad
/// about z: product of matrices, and the body axis turned as a vector.
fn attitude() -> [f64; 3] {
    let z = |a: f64| {
        [
            [a.cos(), -a.sin(), 0.0],
            [a.sin(), a.cos(), 0.0],
            [0.0, 0.0, 1.0],
        ]
    };
    let x = |a: f64| {
        [
            [1.0, 0.0, 0.0],
            [0.0, a.cos(), -a.sin()],
            [0.0, a.sin(), a.cos()],
        ]
    };
    let (start, turn) = (product(&x(0.7), &z(0.3)), z(0.4));
    let back = [0, 1, 2].map(|i| [0, 1, 2].map(|j| turn[j][i]));
    let printed = product(&product(&turn, &start), &back)[0][0];
    let right = product(&turn, &start)[0][0];
    // Rodrigues: v cos a + (k x v) sin a + k (k.v)(1 - cos a), for the first body axis.
    let axis = [start[0][0], start[1][0], start[2][0]];
    [
        printed,
        right,
        axis[0] * 0.4_f64.cos() - axis[1] * 0.4_f64.sin(),
    ]
}

/// Velocity along the normal after an impact at -4 m/s with r_n = 0.3: equation, and from the loss of energy.
fn normal_velocity() -> [f64; 3] {
    let (v, r) = (-4.0_f64, 0.3);
    [r * v, -r * v, (v * v * (1.0 - (1.0 - r * r))).sqrt()]
}

/// Square of the slip (m²/s²) in (2.2) of a sphere of 0.4 m with the velocity (3, 1) m/s along the ground and the
/// rotation (2, −1) rad/s, with ω_t1 = 0: in axes in which v_t1 is 0, in axes in which ω_t1 is, and of the point of
/// contact as a vector. In both t1 × t2 = n.
fn slip_in_the_frame() -> [f64; 3] {
    let (r, v, w) = (0.4, [3.0, 1.0], [2.0, -1.0]);
    let along = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let slip = |second: [f64; 2]| {
        let size = along(second, second).sqrt();
        let t2 = second.map(|c| c / size);
        let t1 = [t2[1], -t2[0]];
        (along(v, t1) - along(w, t2) * r).powi(2) + along(v, t2).powi(2)
    };
    // v + ω × (−r n).
    let point = [v[0] - r * w[1], v[1] + r * w[0]];
    [slip(v), slip(w), along(point, point)]
}

/// Factor of the normal velocity at 10 m/s in the law of Pfeiffer and Bowen: in m/s, and in ft/s.
fn last_factor() -> [f64; 3] {
    let (metric, feet) = (10.0 / (30.0 * 0.3048), 10.0 / 0.3048 / 30.0);
    [
        1.0,
        1.0 / (1.0 + metric * metric),
        1.0 / (1.0 + feet * feet),
    ]
}

/// First component of the angular acceleration of a body with moments of inertia 1, 2 and 3 kg m² and the spin (1, 1,
/// 1) rad/s in free flight: Euler's equation, and the spin that conserves the angular momentum of the turned body.
fn spin_of_a_box() -> [f64; 3] {
    let inertia = [1.0, 2.0, 3.0];
    let right = (inertia[1] - inertia[2]) / inertia[0];
    // The body after a turn by t about (1, 1, 1), to first order in t from both sides.
    let spin = |t: f64| {
        let turn = [[1.0, -t, t], [t, 1.0, -t], [-t, t, 1.0]];
        // ω = R I⁻¹ Rᵀ L, with L = I (1, 1, 1).
        let local: [f64; 3] = [0, 1, 2].map(|j| (0..3).map(|i| turn[i][j] * inertia[i]).sum());
        (0..3)
            .map(|j| turn[0][j] * local[j] / inertia[j])
            .sum::<f64>()
    };
    let d = 1e-5;
    [0.0, right, (spin(d) - spin(-d)) / (2.0 * d)]
}

/// Friction coefficient of a friction angle of 30 degrees: its tangent, and the slope on which a block just rests.
fn friction_angle() -> [f64; 3] {
    let angle = 30.0_f64.to_radians();
    [angle, angle.tan(), 0.5 / 0.75_f64.sqrt()]
}

/// Force along the normal on a mass of 2 kg at rest on a slope of 40 degrees: component of the weight, and what is left
/// of its square after the part along the slope.
fn normal_force() -> [f64; 3] {
    let (weight, angle) = (2.0 * 9.81, 40.0_f64.to_radians());
    let along = weight * angle.sin();
    [
        0.0,
        weight * angle.cos(),
        (weight * weight - along * along).sqrt(),
    ]
}

/// Rate (rad/s²) at which a sphere of 0.4 m that slides on level ground with μ = 0.5 is spun: unchanged spin, moment of
/// the friction, and the angular momentum about a point of the track, which the friction does not change.
fn spin_of_a_slide() -> [f64; 3] {
    let (m, r, mu, g, t) = (2.0, 0.4, 0.5, 9.81, 0.1);
    let inertia = 0.4 * m * r * r;
    let lost = m * r * mu * g * t;
    [0.0, mu * m * g * r / inertia, lost / inertia / t]
}

/// Number of rocks of 290 mm in 3.5 m x 2.7 m x 3.5 m: formula, and the volumes of the spheres by thin discs.
fn number_of_rocks() -> [f64; 3] {
    let (v, r) = (3.5 * 2.7 * 3.5, 0.145_f64);
    let sphere = 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
    let n = 20_000;
    let disc = |k: i32| {
        let x = r * (2.0 * (f64::from(k) + 0.5) / f64::from(n) - 1.0);
        std::f64::consts::PI * (r * r - x * x) * 2.0 * r / f64::from(n)
    };
    [v * sphere, v / sphere, v / (0..n).map(disc).sum::<f64>()]
}

/// Mean distance to the nearest of Poisson seeds, over the radius of the sphere of one seed: Γ(4/3), and the integral
/// of the probability that no seed is nearer.
fn nearest_seed() -> [f64; 3] {
    let n = 40_000;
    let sum: f64 = (0..n)
        .map(|k| (-(4.0 * (f64::from(k) + 0.5) / f64::from(n)).powi(3)).exp())
        .sum();
    [1.0, libm::tgamma(4.0 / 3.0), sum * 4.0 / f64::from(n)]
}

/// Mass of 20 x 90 x 20 mm over that of 10 x 45 x 10 mm: volumes, and the cube of the scale.
fn mass_ratio() -> [f64; 3] {
    [
        6.83,
        20.0 * 90.0 * 20.0 / (10.0 * 45.0 * 10.0),
        2.0_f64.powi(3),
    ]
}

/// Second time at which cos(Ωt) = -1, for f = 2 Hz: formula with n = 1, and by search.
fn contact_time() -> [f64; 3] {
    let pi = std::f64::consts::PI;
    let omega = 2.0 * pi * 2.0;
    // The slope of the cosine changes its sign there, between the second maximum and the third.
    let (mut low, mut high) = (2.1 * pi / omega, 3.9 * pi / omega);
    for _ in 0..200 {
        let t = 0.5 * (low + high);
        if (omega * t).sin() > 0.0 {
            low = t
        } else {
            high = t
        }
    }
    [pi / omega + 2.0 * pi, 3.0 * pi / omega, low]
}

/// Rebound velocity over u0 Ω at e = 0.8 where the wall comes with u0 Ω: Table 9.2, and Newton's rule.
fn rebound_b() -> [f64; 3] {
    let e: f64 = 0.8;
    let (block, wall) = (1.0 + e, -1.0);
    [
        -e * (1.0 + e).powi(2),
        -(1.0 + e).powi(2),
        wall - e * (block - wall),
    ]
}

/// The same where the wall goes away with u0 Ω.
fn rebound_d() -> [f64; 3] {
    let e: f64 = 0.8;
    let (block, wall) = (1.0 + e, 1.0);
    [(1.0 - e).powi(2), 1.0 - e * e, wall - e * (block - wall)]
}

/// Mass of a block of 40 mm x 10 mm x 113 mm at 1200 kg/m³: in metres, and in cubic centimetres.
fn block_mass() -> [f64; 3] {
    [
        52.24,
        0.04 * 0.01 * 0.113 * 1200.0 * 1e3,
        4.0 * 1.0 * 11.3 * 1.2,
    ]
}

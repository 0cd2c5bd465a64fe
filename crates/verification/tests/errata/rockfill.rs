//! Errata of the paper on rockfill: its scheme of rotation, its contact law in steps of time, its stiffness.

use super::Check;
use super::steps::root;

pub const CHECKS: &[Check] = &[
    ("P4", turned_in_a_second),
    ("P6", local_moment),
    ("P8", energy_of_a_collision),
    ("P13", influence_of_the_stiffness),
];

const INERTIA: [f64; 3] = [1.0, 2.0, 3.0];

/// Angle (rad) of the turn of a body with 1, 2 and 3 kg m² from the spin (1, 1, 1) rad/s in 1 s: without turns; by
/// half, half, full, half and half turns about its axes; and by Euler's equations in steps of Runge and Kutta.
fn turned_in_a_second() -> [f64; 3] {
    let angle = |r: &[[f64; 3]; 3]| (0.5 * (r[0][0] + r[1][1] + r[2][2] - 1.0)).acos();
    let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let (mut axes, mut momentum) = (unit, INERTIA);
    let n = 20_000;
    for _ in 0..n {
        for (i, part) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
            let (s, c) = (part / f64::from(n) * momentum[i] / INERTIA[i]).sin_cos();
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            // The axes turn forward, the momentum in them back. The columns of `axes` are the body's axes.
            for row in &mut axes {
                (row[j], row[k]) = (c * row[j] + s * row[k], c * row[k] - s * row[j]);
            }
            let (a, b) = (momentum[j], momentum[k]);
            (momentum[j], momentum[k]) = (c * a + s * b, c * b - s * a);
        }
    }
    [angle(&unit), angle(&axes), angle(&by_euler(unit, 2000))]
}

/// The same second in steps of Runge and Kutta of the axes and the spin in them.
fn by_euler(start: [[f64; 3]; 3], n: i32) -> [[f64; 3]; 3] {
    type State = [[f64; 3]; 4];
    let rate = |s: &State| -> State {
        let w = s[3];
        let turns = |row: [f64; 3]| {
            [0, 1, 2].map(|i| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                row[j] * w[k] - row[k] * w[j]
            })
        };
        let spins = [0, 1, 2].map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            (INERTIA[j] - INERTIA[k]) * w[j] * w[k] / INERTIA[i]
        });
        [turns(s[0]), turns(s[1]), turns(s[2]), spins]
    };
    let add = |s: &State, r: &State, dt: f64| -> State {
        [0, 1, 2, 3].map(|i| [0, 1, 2].map(|j| s[i][j] + dt * r[i][j]))
    };
    let (mut s, dt) = ([start[0], start[1], start[2], [1.0; 3]], 1.0 / f64::from(n));
    for _ in 0..n {
        let r1 = rate(&s);
        let r2 = rate(&add(&s, &r1, 0.5 * dt));
        let r3 = rate(&add(&s, &r2, 0.5 * dt));
        let r4 = rate(&add(&s, &r3, dt));
        for (r, part) in [(r1, 1.0), (r2, 2.0), (r3, 2.0), (r4, 1.0)] {
            s = add(&s, &r, part * dt / 6.0);
        }
    }
    [s[0], s[1], s[2]]
}

/// First component (N m) of the local moment of (3, −1, 2) N m on a body turned by 0.7 rad about z: with the vector
/// part of the orientation q in the place of the moment, with the moment, and its part along the body axis, by halving.
fn local_moment() -> [f64; 3] {
    let (angle, moment) = (0.7_f64, [3.0, -1.0]);
    let (s, c) = angle.sin_cos();
    // Rᵀ a has a_x cos + a_y sin first; the orientation is (cos θ/2, 0, 0, sin θ/2).
    let first = |a: [f64; 2]| c * a[0] + s * a[1];
    // What is left of the moment after its part along the axis is normal to the axis.
    let left = |part: f64| c * (moment[0] - part * c) + s * (moment[1] - part * s);
    [first([0.0, 0.0]), first(moment), root(left, -10.0, 10.0)]
}

/// Stiffness over mass (1/s²), step (s) and start of a collision in the corner between two faces: overlaps (m) along
/// both and their rates (m/s). The potential ½ k x² is that of the nearer face.
const STIFFNESS: f64 = 1e4;
const STEP: f64 = 1e-3;
const START: [f64; 4] = [0.0, 0.012, 1.0, -0.7];

/// Energy after a collision over that before, in which the nearest face changes: conserved as the paper has it; in
/// leapfrog steps; and from the closed form of such steps in each face.
fn energy_of_a_collision() -> [f64; 3] {
    let [mut x, mut y, mut u, mut v] = START;
    let pull = |x: f64, y: f64| match x < y {
        true => [-STIFFNESS * x.max(0.0), 0.0],
        false => [0.0, -STIFFNESS * y.max(0.0)],
    };
    let before = u * u + v * v;
    for _ in 0..100 {
        let [a, b] = pull(x, y);
        (u, v) = (u + 0.5 * STEP * a, v + 0.5 * STEP * b);
        (x, y) = (x + STEP * u, y + STEP * v);
        let [a, b] = pull(x, y);
        (u, v) = (u + 0.5 * STEP * a, v + 0.5 * STEP * b);
    }
    [1.0, (u * u + v * v) / before, by_closed_form() / before]
}

/// Twice the energy after it over the mass. With cos φ = 1 − k h²/2 the steps from (x, u) reach x cos nφ + u/w sin nφ
/// with the rate u cos nφ − x w sin nφ and w = sin φ/h; the step in which the face changes has half a kick of each.
fn by_closed_form() -> f64 {
    let phi = (1.0 - 0.5 * STIFFNESS * STEP * STEP).acos();
    let w = phi.sin() / STEP;
    let along = |(x, u): (f64, f64), n: i32| {
        let (s, c) = (phi * f64::from(n)).sin_cos();
        (x * c + u / w * s, u * c - x * w * s)
    };
    let [x0, y0, u0, v0] = START;
    let still = |n: i32| y0 + v0 * STEP * f64::from(n);
    let last = (0..)
        .take_while(|n| along((x0, u0), *n).0 < still(*n))
        .last()
        .unwrap();
    let (x, u) = along((x0, u0), last);
    // One step beyond: kicked along x before, along y after it.
    let u = u - 0.5 * STEP * STIFFNESS * x;
    let y = still(last + 1);
    let v = v0 - 0.5 * STEP * STIFFNESS * y;
    let out = (0..)
        .take_while(|n| along((y, v), *n).0 > 0.0)
        .last()
        .unwrap();
    let (y, v) = along((y, v), out);
    let v = v - 0.5 * STEP * STIFFNESS * y;
    u * u + v * v
}

/// Energy that a rock of 100 mm takes from a projectile of 150 mm that passes it at 1200 m/s, 50 mm off its middle,
/// with twice the printed stiffness over that with it (both as spheres, the projectile far heavier): a minor influence
/// would leave 1; from the integral of the scattering angle; and in steps of the rock's motion.
fn influence_of_the_stiffness() -> [f64; 3] {
    let (k, reach, off, speed) = (2e7, 0.125, 0.05_f64, 1200.0);
    let mass = 2700.0 * std::f64::consts::PI / 6.0 * 0.1_f64.powi(3);
    let angle = |k: f64| {
        let under = |r: f64| {
            let potential = k * (reach - r).powi(2) / (mass * speed * speed);
            1.0 - (off / r).powi(2) - potential
        };
        let least = root(|r| -under(r), 0.02, reach);
        let n = 200_000;
        // r = least + (reach − least) s² takes the root at the nearest point away.
        let part = |i: i32| {
            let s = (f64::from(i) + 0.5) / f64::from(n);
            let r = least + (reach - least) * s * s;
            2.0 * (reach - least) * s * off / (r * r * under(r).sqrt()) / f64::from(n)
        };
        let inside: f64 = (0..n).map(part).sum();
        std::f64::consts::PI - 2.0 * (inside + (off / reach).asin())
    };
    let taken = |k: f64| (0.5 * angle(k)).sin().powi(2);
    let stepped = |k: f64| {
        let (n, dt) = (40_000, 1e-8);
        // The rock comes to the projectile, which stands at the origin.
        let (mut x, mut y) = ((reach * reach - off * off).sqrt(), off);
        let (mut u, mut v) = (-speed, 0.0);
        for _ in 0..n {
            (x, y) = (x + 0.5 * dt * u, y + 0.5 * dt * v);
            let r = x.hypot(y);
            let push = k / mass * (reach - r).max(0.0) / r;
            (u, v) = (u + dt * push * x, v + dt * push * y);
            (x, y) = (x + 0.5 * dt * u, y + 0.5 * dt * v);
        }
        0.25 * ((u + speed).powi(2) + v * v) / (speed * speed)
    };
    [
        1.0,
        taken(2.0 * k) / taken(k),
        stepped(2.0 * k) / stepped(k),
    ]
}

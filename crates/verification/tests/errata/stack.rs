//! Errata of chapter 6: potential energy, equations of motion and opening conditions of two blocks. The second
//! formulation knows only where the corners are: it turns the blocks as bodies and takes differences in time.

use super::Check;

pub const CHECKS: &[Check] = &[
    ("T26", potential_energy),
    ("T27", motion_of_the_lower_block),
    ("T28", motion_of_the_upper_block),
    ("T29", || opening(0)),
    ("T30", || opening(1)),
    ("T31", || opening(2)),
    ("T32", || opening(3)),
    ("T33", || opening(4)),
    ("T34", || opening(5)),
    ("T35", || opening(6)),
    ("T36", || opening(7)),
];

pub const G: f64 = 9.81;
/// Two blocks of a width of 1 m: heights (m) and masses (kg).
pub const B: f64 = 1.0;
pub const H: [f64; 2] = [1.2, 2.0];
pub const M: [f64; 2] = [3.0, 2.0];

type Point = [f64; 2];

/// Half diagonals, slenderness, moments of inertia about the centres.
pub struct Parts {
    pub r: [f64; 2],
    pub alpha: [f64; 2],
    pub ic: [f64; 2],
}

pub fn parts() -> Parts {
    let r = H.map(|h| 0.5 * B.hypot(h));
    Parts {
        r,
        alpha: H.map(|h| B.atan2(h)),
        ic: [0, 1].map(|k| M[k] * (B * B + H[k] * H[k]) / 12.0),
    }
}

/// Which corner each block turns about; the upper one stands on a corner of the lower one.
#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    fn sign(self) -> f64 {
        if self == Side::Left { -1.0 } else { 1.0 }
    }
}

/// A vector turned clockwise.
fn turned(angle: f64, [x, z]: Point) -> Point {
    let (s, c) = angle.sin_cos();
    [c * x + s * z, c * z - s * x]
}

fn sum(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

/// Corner of the lower block's top on one side, and the centres of both blocks.
pub fn places(sides: [Side; 2], angles: [f64; 2], top: Side) -> (Point, [Point; 2]) {
    let foot = [0.5 * B * sides[0].sign(), 0.0];
    let of_lower =
        |x: f64, z: f64| sum(foot, turned(angles[0], [x - 0.5 * B * sides[0].sign(), z]));
    let stands = of_lower(0.5 * B * sides[1].sign(), H[0]);
    let upper = sum(
        stands,
        turned(angles[1], [-0.5 * B * sides[1].sign(), 0.5 * H[1]]),
    );
    (
        of_lower(0.5 * B * top.sign(), H[0]),
        [of_lower(0.0, 0.5 * H[0]), upper],
    )
}

/// A smooth motion of the two angles: values, rates and accelerations at time 0.
#[derive(Clone, Copy)]
pub struct Motion {
    pub angle: [f64; 2],
    pub rate: [f64; 2],
    pub acceleration: [f64; 2],
}

impl Motion {
    fn at(&self, t: f64) -> [f64; 2] {
        [0, 1].map(|k| self.angle[k] + t * self.rate[k] + 0.5 * t * t * self.acceleration[k])
    }

    /// Accelerations of both centres against the base: second differences of fourth order.
    fn accelerations(&self, sides: [Side; 2]) -> [Point; 2] {
        let d = 2e-3;
        let at = |k: f64| places(sides, self.at(k * d), Side::Left).1;
        let [a, b, c, e, f] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(at);
        [0, 1].map(|k| {
            [0, 1].map(|i| {
                (-a[k][i] + 16.0 * b[k][i] - 30.0 * c[k][i] + 16.0 * e[k][i] - f[k][i])
                    / (12.0 * d * d)
            })
        })
    }
}

/// Potential energy in configuration 1a, over g: (6.16) as printed and corrected, and from the heights of the centres.
fn potential_energy() -> [f64; 3] {
    let angles = [-0.05, -0.12];
    let Parts { r, alpha, .. } = parts();
    let z1 = r[0] * (alpha[0] + angles[0]).cos() - 0.5 * H[0];
    let z2 = H[0] * angles[0].cos() + r[1] * (alpha[1] + angles[1]).cos() - (H[0] + 0.5 * H[1]);
    let form = |height: f64| M[0] * z1 + M[1] * (height + z2);
    let (_, centres) = places([Side::Left, Side::Left], angles, Side::Left);
    let heights: f64 = (0..2).map(|k| M[k] * (centres[k][1] - 0.5 * H[0])).sum();
    [form(H[0] / H[1]), form(0.5 * (H[0] + H[1])), heights]
}

const RIGHT_LEFT: [Side; 2] = [Side::Right, Side::Left];
const MOVING: Motion = Motion {
    angle: [0.07, -0.11],
    rate: [0.4, -0.7],
    acceleration: [0.9, -1.3],
};
const BASE: f64 = 1.7;

/// Residual of the equation of motion of one angle in configuration 2b, by virtual work.
fn virtual_work(angle: usize) -> f64 {
    let acceleration = MOVING.accelerations(RIGHT_LEFT);
    let d = 1e-5;
    let moved = |by: f64| {
        let mut angles = MOVING.angle;
        angles[angle] += by;
        places(RIGHT_LEFT, angles, Side::Left).1
    };
    let (up, down) = (moved(d), moved(-d));
    let work: f64 = (0..2)
        .map(|k| {
            let slope = [0, 1].map(|i| (up[k][i] - down[k][i]) / (2.0 * d));
            M[k] * ((acceleration[k][0] + BASE) * slope[0] + (acceleration[k][1] + G) * slope[1])
        })
        .sum();
    work + parts().ic[angle] * MOVING.acceleration[angle]
}

/// Residual of (6.60), the equation of the lower block in configuration 2b, at a state that is no motion.
fn motion_of_the_lower_block() -> [f64; 3] {
    let Parts { r, alpha, ic } = parts();
    let [t1, t2] = MOVING.angle;
    let (coupling, inertia) = (
        2.0 * M[1] * r[0] * r[1],
        ic[0] + (M[0] + 4.0 * M[1]) * r[0] * r[0],
    );
    let right_angle = alpha[0] - t1 + alpha[1] + t2;
    let form = |of_sine: f64| {
        inertia * MOVING.acceleration[0] + coupling * MOVING.acceleration[1] * right_angle.cos()
            - coupling * MOVING.rate[1].powi(2) * of_sine.sin()
            + G * (M[0] + 2.0 * M[1]) * r[0] * (alpha[0] - t1).sin()
            + BASE * (M[0] + 2.0 * M[1]) * r[0] * (alpha[0] - t1).cos()
    };
    [
        form(alpha[0] - t1 + alpha[1] - t1),
        form(right_angle),
        virtual_work(0),
    ]
}

/// Residual of (6.61), the equation of the upper block.
fn motion_of_the_upper_block() -> [f64; 3] {
    let Parts { r, alpha, ic } = parts();
    let [t1, t2] = MOVING.angle;
    let coupling = 2.0 * M[1] * r[0] * r[1];
    let right_angle = alpha[0] - t1 + alpha[1] + t2;
    let form = |of_sine: f64, arm: f64| {
        coupling * MOVING.acceleration[0] * right_angle.cos()
            + coupling * MOVING.rate[0].powi(2) * of_sine.sin()
            + (ic[1] + M[1] * r[1] * r[1]) * MOVING.acceleration[1]
            - M[1] * G * r[1] * (alpha[1] + t2).sin()
            + M[1] * BASE * arm * (alpha[1] + t2).cos()
    };
    let printed = form(alpha[0] - t1 + alpha[1] - t1, r[0]);
    [printed, form(right_angle, r[1]), virtual_work(1)]
}

/// Base acceleration (m/s²) at which the contact force has moved into the corner about which the interface opens, for
/// (6.108) to (6.115): as printed, as corrected, and from the moments of both blocks about that corner.
fn opening(which: usize) -> [f64; 3] {
    use Side::{Left, Right};
    // Configurations 3a, 3a, 3b, 3b turn as one; in 4a, 4a, 4b, 4b only the upper block turns.
    let side = if [0, 1, 4, 5].contains(&which) {
        Left
    } else {
        Right
    };
    let sign = -side.sign();
    let (t, w, a) = (-0.07 * sign, 0.4, -0.9 * sign);
    let whole = which < 4;
    let share = if whole { 1.0 } else { 0.0 };
    let motion = Motion {
        angle: [share * t, t],
        rate: [share * w, w],
        acceleration: [share * a, a],
    };
    let corner = if [0, 3, 4, 7].contains(&which) {
        Left
    } else {
        Right
    };
    let sides = [side, side];
    let (top, centres) = places(sides, motion.angle, corner);
    let about = if whole {
        top
    } else {
        [0.5 * B * corner.sign(), 0.0]
    };
    let acceleration = motion.accelerations(sides);
    let ic = parts().ic;
    let (mut driven, mut rest) = (0.0, 0.0);
    for k in if whole { 1..2 } else { 0..2 } {
        let [x, z] = [centres[k][0] - about[0], centres[k][1] - about[1]];
        driven += M[k] * z;
        rest += ic[k] * motion.acceleration[k]
            + M[k] * (acceleration[k][0] * z - acceleration[k][1] * x - G * x);
    }
    let [printed, right] = if whole {
        closed_stack(which, t, w, a)
    } else {
        upper_block(which, t, w, a)
    };
    [printed, right, -rest / driven]
}

/// (6.108) to (6.111).
fn closed_stack(which: usize, t: f64, w: f64, a: f64) -> [f64; 2] {
    let Parts { r, alpha, ic } = parts();
    let (m, r2, a2, i2) = (M[1], r[1], alpha[1], ic[1]);
    let rr = (0.5 * B).hypot(H[0] + 0.5 * H[1]);
    let aa = (0.5 * B).atan2(H[0] + 0.5 * H[1]);
    let (minus, plus) = (
        m * rr * r2 * a * (a2 - aa).cos(),
        m * rr * r2 * a * (a2 + aa).cos(),
    );
    let turning = m * rr * r2 * w * w;
    let bare = m * rr * w * w * (a2 + aa);
    let (e, d) = (m * G * r2 * (a2 + t).sin(), m * G * r2 * (a2 - t).sin());
    let [over, printed, right] = match which {
        0 => [
            (a2 + t).cos(),
            e - turning * (a2 - aa).sin() + i2 * a + minus,
            e - turning * (a2 - aa).sin() - i2 * a - minus,
        ],
        1 => [
            (a2 - t).cos(),
            -d + bare + i2 * a + plus,
            -d + turning * (a2 + aa).sin() - i2 * a - plus,
        ],
        2 => [
            (a2 - t).cos(),
            -d + turning * (a2 - aa).sin() + i2 * a + minus,
            -d + turning * (a2 - aa).sin() - i2 * a - minus,
        ],
        _ => [
            (a2 + t).cos(),
            e + bare + i2 * a - plus,
            e - turning * (a2 + aa).sin() - i2 * a - plus,
        ],
    };
    [printed / (m * r2 * over), right / (m * r2 * over)]
}

/// (6.112) to (6.115).
fn upper_block(which: usize, t: f64, w: f64, a: f64) -> [f64; 2] {
    let Parts { r, alpha, ic } = parts();
    let (m, r2, i2, h1) = (M[1], r[1], ic[1], H[0]);
    let (s, c) = if which < 6 {
        (alpha[1] + t).sin_cos()
    } else {
        (alpha[1] - t).sin_cos()
    };
    let over = M[0] * 0.5 * h1 + m * (h1 + r2 * c);
    let product = M[0] * 0.5 * h1 + m * h1 * r2 * c;
    let near = G * (M[0] * 0.5 * B + m * r2 * s);
    let far = G * (M[0] * 0.5 * B + m * (B - r2 * s));
    let away = m * r2 * w * w * (h1 * s + B * c);
    let straight = m * r2 * r2 * a + i2 * a;
    let crossed = m * r2 * h1 * (w * w * s - a * c);
    let mirrored = m * r2 * h1 * (-w * w * s - a * c);
    match which {
        4 => [
            (near + straight) / product,
            (near - straight + crossed) / over,
        ],
        5 => {
            let bracket = m * r2 * a * (r2 - B * s + h1 * c);
            [
                (i2 * a - far + away + bracket) / over,
                (-i2 * a - far + away - bracket) / over,
            ]
        }
        6 => [
            (-near + straight) / product,
            (-near - straight + mirrored) / over,
        ],
        _ => {
            let printed = i2 * a + far - away + m * r2 * a * (r2 + B * s - h1 * c);
            let right = -i2 * a + far - away + m * r2 * a * (-r2 + B * s - h1 * c);
            [printed / over, right / over]
        }
    }
}

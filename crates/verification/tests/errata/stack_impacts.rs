//! Errata of the impacts of two blocks, (6.125) to (6.199): coefficients of the momenta. The second formulation takes
//! the velocities of the centres by differences of their places.

use super::Check;
use super::stack::Side::{self, Left, Right};
use super::stack::{B, H, M, Parts, parts, places};

pub const CHECKS: &[Check] = &[
    ("T37", upper_block_alone),
    ("T38", inertia_in_the_stack),
    ("T39", stack_as_one),
    ("T40", after_2a_lower),
    ("T41", after_2a_upper),
    ("T42", after_2a_of_the_upper),
    ("T43", before_2a),
    ("T44", after_1a),
    ("T45", before_1a),
    ("T46", after_2b),
    ("T47", before_2b),
    ("T48", base_to_1a_lower),
    ("T49", base_to_1a_upper),
    ("T50", base_to_1a_of_the_upper),
    ("T51", base_from_2a),
];

/// The base's corner on one side.
fn foot(side: Side) -> [f64; 2] {
    [if side == Left { -0.5 * B } else { 0.5 * B }, 0.0]
}

/// Angular momentum about a point of the blocks `from..2`, clockwise.
fn momentum(
    sides: [Side; 2],
    angles: [f64; 2],
    rates: [f64; 2],
    (about, from): ([f64; 2], usize),
) -> f64 {
    let d = 1e-5;
    let moved = |t: f64| places(sides, [0, 1].map(|k| angles[k] + t * rates[k]), Left).1;
    let (up, down, here) = (moved(d), moved(-d), moved(0.0));
    let ic = parts().ic;
    (from..2)
        .map(|k| {
            let v = [0, 1].map(|i| (up[k][i] - down[k][i]) / (2.0 * d));
            let [x, z] = [here[k][0] - about[0], here[k][1] - about[1]];
            ic[k] * rates[k] + M[k] * (v[0] * z - v[1] * x)
        })
        .sum()
}

/// The lower block's upper corner.
fn top(sides: [Side; 2], angles: [f64; 2], corner: Side) -> [f64; 2] {
    places(sides, angles, corner).0
}

const CLOSED: [f64; 2] = [-0.06, -0.06];
const STANDING: [f64; 2] = [0.0, -0.25];

fn whole(sides: [Side; 2], angles: [f64; 2], rates: [f64; 2], corner: Side) -> f64 {
    momentum(sides, angles, rates, (foot(corner), 0))
}

fn upper(sides: [Side; 2], angles: [f64; 2], rates: [f64; 2], corner: Side) -> f64 {
    momentum(sides, angles, rates, (top(sides, angles, corner), 1))
}

/// cos(α₁ + α₂) times R₁ R₂ m₂.
fn cross() -> f64 {
    let Parts { r, alpha, .. } = parts();
    r[0] * r[1] * M[1] * (alpha[0] + alpha[1]).cos()
}

/// (6.125).
fn upper_block_alone() -> [f64; 3] {
    let alpha = parts().alpha[1];
    let at = [0.0, 0.0];
    let before = upper([Left, Left], at, [0.0, 1.0], Right);
    let after = upper([Left, Right], at, [0.0, 1.0], Right);
    [
        1.0 - 1.5 * alpha.sin(),
        1.0 - 1.5 * alpha.sin().powi(2),
        before / after,
    ]
}

/// Upper block's part of (6.127) at a rate of 1 rad/s of both blocks.
fn inertia_in_the_stack() -> [f64; 3] {
    let Parts { r, ic, .. } = parts();
    let arm = (0.5 * B).hypot(H[0] + 0.5 * H[1]);
    let both = momentum([Right, Left], [0.0, 0.0], [1.0, 1.0], (foot(Right), 1));
    [
        4.0 / 3.0 * M[1] * r[1] * r[1],
        ic[1] + M[1] * arm * arm,
        both,
    ]
}

/// (6.130).
fn stack_as_one() -> [f64; 3] {
    let Parts { r, ic, .. } = parts();
    let arm = (0.5 * B).hypot(H[0] + 0.5 * H[1]);
    let inertia = ic[0] + M[0] * r[0] * r[0] + ic[1] + M[1] * arm * arm;
    let form = |m: f64| 1.0 - m * B * B / (2.0 * inertia);
    let before = whole([Left, Left], [0.0, 0.0], [1.0, 1.0], Right);
    let after = whole([Right, Right], [0.0, 0.0], [1.0, 1.0], Right);
    [form(M[1]), form(M[0] + M[1]), before / after]
}

/// ζ₁ of (6.137).
fn after_2a_lower() -> [f64; 3] {
    let Parts { r, alpha, ic } = parts();
    let c = (alpha[0] + alpha[1]).cos();
    let own = ic[0] + r[0] * r[0] * M[0];
    let printed = own + 4.0 * r[1] * r[1] * M[1] + 2.0 * r[0] * r[1] * M[0] * c;
    let right = own + 4.0 * r[0] * r[0] * M[1] + 2.0 * cross();
    [
        printed,
        right,
        whole([Left, Right], CLOSED, [1.0, 0.0], Left),
    ]
}

/// ζ₂ of (6.138).
fn after_2a_upper() -> [f64; 3] {
    let Parts { r, ic, .. } = parts();
    let form = |square: f64| ic[1] + square * M[1] + 2.0 * cross();
    [
        form(r[1]),
        form(r[1] * r[1]),
        whole([Left, Right], CLOSED, [0.0, 1.0], Left),
    ]
}

/// ζ₃ of (6.139).
fn after_2a_of_the_upper() -> [f64; 3] {
    let Parts { r, alpha, .. } = parts();
    let printed = 2.0 * r[0] * r[0] * M[1] * (alpha[0] + alpha[1]).cos();
    [
        printed,
        2.0 * cross(),
        upper([Left, Right], CLOSED, [1.0, 0.0], Right),
    ]
}

/// λ₂ of (6.142) at rates of 0.3 and 0.4 rad/s.
fn before_2a() -> [f64; 3] {
    let Parts { r, ic, .. } = parts();
    let (own, hh) = (ic[1] + r[1] * r[1] * M[1], 0.5 * H[0] * H[1] * M[1]);
    let printed = own * 0.4 + (hh - 0.5 * B * H[1] * M[1]) * 0.3;
    let right = (own - 0.5 * B * B * M[1]) * 0.4 + hh * 0.3;
    [
        printed,
        right,
        upper([Left, Left], CLOSED, [0.3, 0.4], Right),
    ]
}

/// ζ₁ of (6.144).
fn after_1a() -> [f64; 3] {
    let Parts { r, ic, .. } = parts();
    let printed = ic[0] + r[0] * r[0] * M[0] + 0.5 * H[0] * H[1] * M[1];
    [
        printed,
        printed + H[0] * H[0] * M[1],
        whole([Left, Left], CLOSED, [1.0, 0.0], Left),
    ]
}

/// λ₂ of (6.149) at rates of 0.3 and 0.4 rad/s.
fn before_1a() -> [f64; 3] {
    let Parts { r, ic, .. } = parts();
    let own = ic[1] + r[1] * r[1] * M[1];
    let printed =
        (own - 0.5 * B * H[1] * M[1]) * 0.4 + (0.5 * B * H[0] * M[1] + 2.0 * cross()) * 0.3;
    let right = (own - 0.5 * B * B * M[1]) * 0.4 + (B * B * M[1] + 2.0 * cross()) * 0.3;
    [
        printed,
        right,
        upper([Left, Right], CLOSED, [0.3, 0.4], Left),
    ]
}

/// Sine and cosine of α₂ + θ₂, and the lower block's inertia about its corner.
fn standing() -> (f64, f64, f64) {
    let Parts { r, alpha, ic } = parts();
    let (s, c) = (alpha[1] + STANDING[1]).sin_cos();
    (s, c, ic[0] + r[0] * r[0] * M[0])
}

/// ζ₁ of (6.169).
fn after_2b() -> [f64; 3] {
    let Parts { r, alpha, .. } = parts();
    let (_, c, own) = standing();
    let printed = own + H[0] * H[0] * M[1] + r[1] * H[0] * M[1] * c;
    let both = (alpha[0] + alpha[1] + STANDING[1]).cos();
    let right = own + M[1] * (4.0 * r[0] * r[0] + 2.0 * r[0] * r[1] * both);
    [
        printed,
        right,
        whole([Right, Left], STANDING, [1.0, 0.0], Right),
    ]
}

/// Coefficient of θ̇₁ in λ₁ of (6.173).
fn before_2b() -> [f64; 3] {
    let r = parts().r;
    let (_, c, own) = standing();
    let form = |arm: f64| own - 0.5 * B * B * M[0] + H[0] * H[0] * M[1] + H[0] * arm * M[1] * c;
    [
        form(r[0]),
        form(r[1]),
        whole([Left, Left], STANDING, [1.0, 0.0], Right),
    ]
}

/// ζ₁ of (6.180).
fn base_to_1a_lower() -> [f64; 3] {
    let r = parts().r;
    let (s, c, own) = standing();
    let printed = own + 2.0 * H[0] * r[1] * M[1] * (c - s);
    let right = own + H[0] * H[0] * M[1] + H[0] * r[1] * M[1] * c;
    [
        printed,
        right,
        whole([Left, Left], STANDING, [1.0, 0.0], Left),
    ]
}

/// ζ₂ of (6.181).
fn base_to_1a_upper() -> [f64; 3] {
    let Parts { r, ic, .. } = parts();
    let (s, c, _) = standing();
    let form = |turn: f64| ic[1] + r[1] * r[1] * M[1] + r[1] * M[1] * H[0] * turn;
    [
        form(c - s),
        form(c),
        whole([Left, Left], STANDING, [0.0, 1.0], Left),
    ]
}

/// ζ₃ of (6.182).
fn base_to_1a_of_the_upper() -> [f64; 3] {
    let r = parts().r;
    let (s, c, _) = standing();
    let form = |turn: f64| H[0] * M[1] * r[1] * turn;
    [
        form(c - s),
        form(c),
        upper([Left, Left], STANDING, [1.0, 0.0], Left),
    ]
}

/// Coefficient of θ̇₁ in λ₂ of (6.199), with the upper block at 0.2 rad on its right corner.
fn base_from_2a() -> [f64; 3] {
    let Parts { r, alpha, .. } = parts();
    let t = 0.2;
    let form = |angle: f64| 2.0 * r[0] * r[1] * M[1] * angle.cos();
    let second = upper([Left, Right], [0.0, t], [1.0, 0.0], Right);
    [
        form(alpha[0] - alpha[1] + t),
        form(alpha[0] + alpha[1] - t),
        second,
    ]
}

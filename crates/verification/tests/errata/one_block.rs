//! Errata of chapters 3 to 5: one block.

use super::Check;
use super::steps::lands;

pub const CHECKS: &[Check] = &[
    ("T1", quarter_period_nonlinear),
    ("T2", quarter_period_bulky),
    ("T3", || housner(0.5795, 1.5)),
    ("T4", || housner(0.94, 4.33)),
    ("T5", || housner(0.80, 2.0)),
    ("T6", || housner(0.94, 2.85)),
    ("T7", position_of_the_impulse),
    ("T8", position_in_b2m),
    ("T9", mean_of_b10),
    ("T12", quarter_period_formula),
    ("T13", free_rate),
    ("T14", push_to_the_other_side),
    ("T15", lift_off),
    ("T16", free_exponent),
    ("T17", quasi_linear),
    ("T18", newton_slope),
    ("T19", trapezoidal_rule),
    ("T20", modified_step),
    ("T21", acceleration_before_impact),
    ("T22", rate_of_settling),
    ("T23", overturning),
    ("T24", impulse_within_the_base),
    ("T52", newmark_rate),
    ("T53", jacobian),
    ("T54", correction),
];

const G: f64 = 9.81;

/// Slenderness and frequency parameter of a block of this width and height.
fn block(b: f64, h: f64) -> (f64, f64) {
    (b.atan2(h), (0.75 * G / (0.5 * b.hypot(h))).sqrt())
}

/// Time from rest at `from` until the rotation is 0.
fn time_to_impact(from: f64, acceleration: impl Fn(f64) -> f64) -> f64 {
    lands((from, 0.0), 1e-4, |x, _| acceleration(x)).0
}

/// Quarter period of B6L from 0.15 rad: integral of the balance of energy, and in steps.
fn quarter_period_nonlinear() -> [f64; 3] {
    let (alpha, p) = block(0.06, 0.27);
    let start: f64 = 0.15;
    // θ = θ0 (1 - s²) takes the root at rest away.
    let n = 200_000;
    let part = |k: i32| {
        let s = (f64::from(k) + 0.5) / f64::from(n);
        let x = start * (1.0 - s * s);
        let squared = 2.0 * p * p * ((alpha - start).cos() - (alpha - x).cos());
        2.0 * start * s / squared.sqrt() / f64::from(n)
    };
    let steps = time_to_impact(start, |x| -p * p * (alpha - x).sin());
    [0.2510, (0..n).map(part).sum(), steps]
}

/// Quarter period of the bulky block from 0.5 rad: (3.63), and the linearised equation in steps.
fn quarter_period_bulky() -> [f64; 3] {
    let (alpha, p) = block(0.06, 0.09);
    let right = (1.0 / (1.0 - 0.5 / alpha)).acosh() / p;
    [0.2223, right, time_to_impact(0.5, |x| p * p * (x - alpha))]
}

/// The same of B6L from 0.15 rad, with θ0/2 for θ0/α.
fn quarter_period_formula() -> [f64; 3] {
    let (alpha, p) = block(0.06, 0.27);
    let formula = |ratio: f64| (1.0 / (1.0 - ratio)).acosh() / p;
    let steps = time_to_impact(0.15, |x| p * p * (x - alpha));
    [formula(0.075), formula(0.15 / alpha), steps]
}

/// Housner's coefficient of a slenderness ratio: (4.4), and from the momenta about the new corner of four points that
/// have the mass and the inertia of the block.
fn housner(printed: f64, ratio: f64) -> [f64; 3] {
    let (b, h) = (1.0_f64, ratio);
    let sine = (b / b.hypot(h)).powi(2);
    let a = 0.5 / 3.0_f64.sqrt();
    let (mut before, mut inertia) = (0.0, 0.0);
    for (x, z) in [(-a, -a), (a, -a), (-a, a), (a, a)] {
        // From the old corner at 0 and from the new one at b, both at the height 0; the rate is 1.
        let (x, z) = (0.5 * b + x * b, 0.5 * h + z * h);
        before += z * z + x * (x - b);
        inertia += z * z + (x - b) * (x - b);
    }
    [printed, 1.0 - 1.5 * sine, before / inertia]
}

/// (4.5): restitution with the impulse at k.
fn improved(k: f64, ratio: f64) -> f64 {
    let s = 1.0 / (1.0 + ratio * ratio);
    (4.0 - 3.0 * s - 3.0 * k * k * s) / (4.0 - 3.0 * s + 3.0 * k * k * s)
}

/// k of a measured coefficient: (4.8), and (4.5) by halving.
fn k_of(eta: f64, ratio: f64) -> [f64; 2] {
    let s = 1.0 / (1.0 + ratio * ratio);
    let formula = ((1.0 - eta) * (4.0 - 3.0 * s) / ((1.0 + eta) * 3.0 * s)).sqrt();
    let (mut low, mut high) = (0.0, 2.0);
    for _ in 0..200 {
        let k = 0.5 * (low + high);
        if improved(k, ratio) > eta {
            low = k
        } else {
            high = k
        }
    }
    [formula, low]
}

/// k of B2S from 0.690 with the stated 0.989.
fn position_of_the_impulse() -> [f64; 3] {
    let [formula, halved] = k_of(0.690 / 0.989, 1.5);
    [0.7704, formula, halved]
}

/// k of B2M from 0.670.
fn position_in_b2m() -> [f64; 3] {
    let [formula, halved] = k_of(0.670 / 0.98895, 1.5);
    [0.8805, formula, halved]
}

/// Mean of the three printed k of B10: sum over three, and the sum of a third of each.
fn mean_of_b10() -> [f64; 3] {
    let k = [1.2214, 0.9838, 0.8016];
    let thirds: f64 = k.iter().map(|k| k / 3.0).sum();
    [0.9181, k.iter().sum::<f64>() / 3.0, thirds]
}

/// Rate of B6L 0.05 s after a pulse of -2 g α for 0.1 s, with r = R in place of 1: (3.29), and (3.28) by differences.
fn free_rate() -> [f64; 3] {
    let (alpha, p) = block(0.06, 0.27);
    let (a, end, t) = (-2.0 * alpha, 0.1, 0.15);
    let rate = |r: f64| {
        -alpha * p * (p * t).sinh()
            + p * a * (((p * end).cosh() - r) * (p * t).sinh() - (p * end).sinh() * (p * t).cosh())
    };
    let rotation = |t: f64| {
        alpha * (1.0 - (p * t).cosh())
            + a * (((p * end).cosh() - 1.0) * (p * t).cosh() - (p * end).sinh() * (p * t).sinh())
    };
    let d = 1e-5;
    let slope = (rotation(t + d) - rotation(t - d)) / (2.0 * d);
    [rate(0.5 * 0.06_f64.hypot(0.27)), rate(1.0), slope]
}

/// Rotation at `end` of a block at rest at `start` under this acceleration, in steps of Runge and Kutta.
fn driven((start, end): (f64, f64), acceleration: impl Fn(f64, f64) -> f64) -> f64 {
    let n = 4000;
    let dt = (end - start) / f64::from(n);
    let (mut x, mut v) = (0.0, 0.0);
    for k in 0..n {
        let t = start + dt * f64::from(k);
        let (a1, v1) = (acceleration(t, x), v);
        let (a2, v2) = (
            acceleration(t + 0.5 * dt, x + 0.5 * dt * v1),
            v + 0.5 * dt * a1,
        );
        let (a3, v3) = (
            acceleration(t + 0.5 * dt, x + 0.5 * dt * v2),
            v + 0.5 * dt * a2,
        );
        let (a4, v4) = (acceleration(t + dt, x + dt * v3), v + dt * a3);
        x += dt / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        v += dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    x
}

/// Rotation of B6L after 0.1 s of +2 g α, which turns it to θ < 0: (3.26), its mirror image, and in steps.
fn push_to_the_other_side() -> [f64; 3] {
    let (alpha, p) = block(0.06, 0.27);
    let grown = 1.0 - (p * 0.1).cosh();
    let push = 2.0 * alpha;
    let steps = driven((0.0, 0.1), |_, x| p * p * (x + alpha - push));
    [(push + alpha) * grown, (push - alpha) * grown, steps]
}

/// Rotation of B6L at 0.2 s under -3 g α sin ωt with ω = 8 rad/s: (3.30), the solution from lift-off, and in steps.
fn lift_off() -> [f64; 3] {
    let (alpha, p) = block(0.06, 0.27);
    let (a, omega, t) = (-3.0 * alpha, 8.0, 0.2);
    let forced = p * p * a / (omega * omega + p * p);
    let printed = -alpha * (p * t).cosh() - omega / p * forced * (p * t).sinh()
        + alpha
        + forced * (omega * t).sin();
    let start = (1.0_f64 / 3.0).asin() / omega;
    let since = p * (t - start);
    let right = alpha + forced * (omega * t).sin()
        - (alpha + forced * (omega * start).sin()) * since.cosh()
        - forced * omega / p * (omega * start).cos() * since.sinh();
    let steps = driven((start, t), |t, x| {
        p * p * (x - alpha - a * (omega * t).sin())
    });
    [printed, right, steps]
}

/// Inverse of the time in which B6L comes to rest from 0.15 rad by the linearised equation: 0 for an infinite time; the
/// sum of the durations of its flights, 2/p artanh(v/(α p)) after the rate v, each rate η times the last; and the same
/// flights in steps.
fn rate_of_settling() -> [f64; 3] {
    let (alpha, p) = block(0.06, 0.27);
    let eta = 1.0 - 1.5 * alpha.sin().powi(2);
    let start: f64 = 0.15;
    let rates = |n: i32| p * (alpha * alpha - (alpha - start).powi(2)).sqrt() * eta.powi(n);
    let flights = (1..).map(|n| 2.0 / p * (rates(n) / (alpha * p)).atanh());
    let first = (1.0 / (1.0 - start / alpha)).acosh() / p;
    let sum = first + flights.take_while(|t| *t > 1e-12).sum::<f64>();
    let back = |x: f64, _: f64| p * p * (x - alpha);
    let (mut time, mut rate) = lands((start, 0.0), 1e-4, back);
    while -rate > 1e-9 {
        let dt = (-rate / (p * p * alpha)).min(1e-2) * 1e-2;
        let (flight, end) = lands((0.0, -eta * rate), dt, back);
        time += flight;
        rate = end;
    }
    [0.0, 1.0 / sum, 1.0 / time]
}

/// Growth of θ - α over α e^{pt}/2 after -2 g α for 1/p: (5.1) with the printed sign of a0, with the right one, and
/// from rotation and rate at the end of the push, in steps.
fn overturning() -> [f64; 3] {
    let (alpha, p) = block(0.06, 0.27);
    let growth = |a: f64| -1.0 + a * ((-1.0_f64).exp() - 1.0);
    let at = |t: f64| driven((0.0, t), |_, x| p * p * (x - alpha + 2.0 * alpha));
    let d = 1e-4 / p;
    let end = 1.0 / p;
    let rate = (at(end + d) - at(end - d)) / (2.0 * d);
    let second = (at(end) - alpha + rate / p) / alpha * (-1.0_f64).exp();
    [growth(2.0), growth(-2.0), second]
}

/// Exponent of the free motion of B2L by the quasi-linear equation: both forms, and the ratio of a deviation after 0.1
/// s.
fn free_exponent() -> [f64; 3] {
    let (alpha, p) = block(0.06, 0.09);
    let square = p * p * alpha.cos();
    // x'' = p² cos α x from x = 1, x' = 0: the series of the hyperbolic cosine.
    let (t, mut term, mut sum) = (0.1_f64, 1.0, 1.0);
    for k in 1..40 {
        let n = f64::from(k);
        term *= square * t * t / ((2.0 * n - 1.0) * 2.0 * n);
        sum += term;
    }
    [square, p * alpha.cos().sqrt(), f64::acosh(sum) / t]
}

/// Acceleration of B2L at θ = 0.1 where sin ωt = 0.6 and a0 = -8 m/s²: both forms of (3.37), and the tangent of (3.6).
fn quasi_linear() -> [f64; 3] {
    let (alpha, p) = block(0.06, 0.09);
    let (x, u) = (0.1, -8.0 * 0.6 / G);
    let (sin, cos) = alpha.sin_cos();
    let printed = p * p * ((cos + u * sin) * x - (sin - u * cos));
    let right = p * p * ((cos - u * sin) * x - (sin + u * cos));
    let exact = |x: f64| -p * p * ((alpha - x).sin() + u * (alpha - x).cos());
    let d = 1e-5;
    [
        printed,
        right,
        exact(0.0) + x * (exact(d) - exact(-d)) / (2.0 * d),
    ]
}

/// Slope of (3.49) over m R for B2L at θ = 0.1 and ü = 4 m/s², without its first term: both forms of (3.51), and by
/// differences.
fn newton_slope() -> [f64; 3] {
    let (alpha, _) = block(0.06, 0.09);
    let (x, u) = (0.1, 4.0);
    let form = |sign: f64| -G * (alpha - x).cos() + sign * u * (alpha - x).sin();
    let residual = |x: f64| G * (alpha - x).sin() + u * (alpha - x).cos();
    let d = 1e-5;
    [
        form(-1.0),
        form(1.0),
        (residual(x + d) - residual(x - d)) / (2.0 * d),
    ]
}

/// A step of Newmark's method for x'' = -x: displacement, rate and acceleration after it.
fn newmark([x, v, a]: [f64; 3], dt: f64, beta: f64, gamma: f64) -> [f64; 3] {
    let free = x + dt * v + (0.5 - beta) * dt * dt * a;
    let next = -free / (1.0 + beta * dt * dt);
    let x = free + beta * dt * dt * next;
    [x, v + dt * ((1.0 - gamma) * a + gamma * next), next]
}

/// Energy of an oscillator of 1 rad/s over that at the start, after 20 steps of 0.5 s: both pairs of parameters, and
/// the trapezoidal rule itself, which turns the state by an angle.
fn trapezoidal_rule() -> [f64; 3] {
    let energy = |beta: f64, gamma: f64| {
        let mut state = [1.0, 0.0, -1.0];
        for _ in 0..20 {
            state = newmark(state, 0.5, beta, gamma);
        }
        state[0] * state[0] + state[1] * state[1]
    };
    let (mut x, mut v, half) = (1.0, 0.0, 0.25);
    for _ in 0..20 {
        let below = 1.0 + half * half;
        let (a, b) = ((1.0 - half * half) / below, 2.0 * half / below);
        (x, v) = (a * x + b * v, a * v - b * x);
    }
    [energy(0.5, 0.25), energy(0.25, 0.5), x * x + v * v]
}

/// Length of the modified step from θ = -0.001, θ̇ = 0.5 rad/s, θ̈ = 3 rad/s² with p² sin α = 12 1/s²: both forms of
/// (3.59), and the quadratic equation by halving.
fn modified_step() -> [f64; 3] {
    let (x, v, a, ps) = (-0.001_f64, 0.5_f64, 3.0, 12.0);
    let printed = 2.0 * (-v + (v * v + (ps + a) * x).sqrt()) / (-ps - a);
    let right = 2.0 * (-v + (v * v - (ps + a) * x).sqrt()) / (ps + a);
    // (3.57) with the weight turning back from the other side, β = ¼.
    let residual = |t: f64| -4.0 * x - 4.0 * t * v - t * t * a - ps * t * t;
    let (mut low, mut high) = (0.0, 0.1);
    for _ in 0..200 {
        let t = 0.5 * (low + high);
        if residual(t) > 0.0 { low = t } else { high = t }
    }
    [printed, right, low]
}

/// Acceleration before an impact: both forms of (3.61) with dt = 1 ms and dt' = 0.4 ms, and from the displacement
/// (3.43).
fn acceleration_before_impact() -> [f64; 3] {
    let (x, v, a, dt, short, beta) = (0.001, -2.4, -3.0, 1e-3, 4e-4, 0.25);
    let form =
        |first: f64| -x / (beta * first * first) - v / (beta * short) - (0.5 - beta) / beta * a;
    let free = x + short * v + (0.5 - beta) * short * short * a;
    [form(dt), form(short), -free / (beta * short * short)]
}

/// Restitution for h/b = 1.5 with the impulse at k = 0.75 and the pivots at the corners: (4.5), the balance that is
/// linear in k, and the same balance of four points about the impulse.
fn impulse_within_the_base() -> [f64; 3] {
    let (b, h, k) = (1.0, 1.5, 0.75);
    let a = 0.5 / 3.0_f64.sqrt();
    // Over a rate of 1 about the corner at 0; the impulse at x = (b + k b)/2, the new corner at b.
    let at = 0.5 * b * (1.0 + k);
    let (mut before, mut after) = (0.0, 0.0);
    for (x, z) in [(-a, -a), (a, -a), (-a, a), (a, a)] {
        let (x, z) = (0.5 * b + x * b, 0.5 * h + z * h);
        before += z * z + x * (x - at);
        after += z * z + (x - b) * (x - at);
    }
    let s = 1.0 / (1.0 + h * h);
    // I_C + m R² cos² α -+ k m R² sin² α, over m R².
    let part = |sign: f64| 1.0 / 3.0 + (1.0 - s) + sign * k * s;
    [improved(k, h), part(-1.0) / part(1.0), before / after]
}

/// Rate at the end of a step: (6.200) as printed and in the form of (3.60), and from (3.44) with (6.201).
fn newmark_rate() -> [f64; 3] {
    let (x0, x1, v, a, dt, beta, gamma) = (0.10, 0.11, 0.9, 2.0, 0.01, 0.25, 0.5);
    let factor = gamma / (2.0 * beta) - 1.0;
    let printed = (gamma * x1 - gamma * x0 * (gamma / beta * v) - factor * a) / (beta * dt);
    let right = gamma / (beta * dt) * (x1 - x0) - (gamma / beta - 1.0) * v - factor * dt * a;
    let next = (x1 - x0 - dt * v - (0.5 - beta) * dt * dt * a) / (beta * dt * dt);
    [
        printed,
        right,
        v + (1.0 - gamma) * dt * a + gamma * dt * next,
    ]
}

const PAIR: [fn(f64, f64) -> f64; 2] = [|x, y| x * x + 3.0 * y - 0.5, |x, y| x * y * y + y - 0.3];

/// Last entry of the Jacobian of x² + 3 y - 0.5 and x y² + y - 0.3 at (0.2, 0.7): both forms, and by differences.
fn jacobian() -> [f64; 3] {
    let (x, y, d) = (0.2, 0.7, 1e-5);
    [
        3.0,
        2.0 * x * y + 1.0,
        (PAIR[1](x, y + d) - PAIR[1](x, y - d)) / (2.0 * d),
    ]
}

/// First correction of the same pair: -J f, -J⁻¹ f by Cramer's rule, and by elimination.
fn correction() -> [f64; 3] {
    let (x, y) = (0.2, 0.7);
    let (f, g) = (PAIR[0](x, y), PAIR[1](x, y));
    let [a, b, c, d] = [2.0 * x, 3.0, y * y, 2.0 * x * y + 1.0];
    let second = (-g + f * c / a) / (d - b * c / a);
    [
        -(a * f + b * g),
        -(f * d - b * g) / (a * d - b * c),
        (-f - b * second) / a,
    ]
}

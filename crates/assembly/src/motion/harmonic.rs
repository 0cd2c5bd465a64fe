//! One sine in closed form: values, increments that keep their digits, and the times at which a level is crossed.

use std::f64::consts::{PI, TAU};

use super::kinematics::Increment;

/// `sin δ − δ`, kept to the last digits for small δ, where the plain difference would cancel.
fn sine_less_angle(sin: f64, angle: f64) -> f64 {
    let q = angle * angle;
    if q < 0.25 {
        // Alternating series; the first term left out is below 1e-17 of the sum at |δ| = 0.5.
        -angle * q / 6.0
            * (1.0
                - q / 20.0
                    * (1.0 - q / 42.0 * (1.0 - q / 72.0 * (1.0 - q / 110.0 * (1.0 - q / 156.0)))))
    } else {
        sin - angle
    }
}

/// Increments of x = amplitude · sin(phase) over a step of time that turns the phase by `turn` = omega τ.
///
/// D = v(t+τ) − v(t) and R = x(t+τ) − x(t) − v(t) τ, each to full relative precision however short the step is: the
/// heights of a dying sequence of impacts are far below the rounding of x itself.
pub(crate) fn increment(amplitude: f64, omega: f64, sin: f64, cos: f64, turn: f64) -> Increment {
    let (half_sin, half_cos) = libm::sincos(0.5 * turn);
    let turn_sin = 2.0 * half_sin * half_cos;
    let one_less_cos = 2.0 * half_sin * half_sin;
    Increment {
        rest: amplitude * (cos * sine_less_angle(turn_sin, turn) - sin * one_less_cos),
        velocity: -amplitude * omega * (cos * one_less_cos + sin * turn_sin),
        acceleration: -amplitude * omega * omega * (sin * (1.0 - one_less_cos) + cos * turn_sin),
    }
}

/// First phase at or after `phase` from which `gain · sin` lies above `level` (`above`) or below it; ∞ if never.
pub(crate) fn phase_beyond(phase: f64, gain: f64, level: f64, above: bool) -> f64 {
    // Reduced to sin < bound (below) or sin > bound.
    if gain == 0.0 {
        let holds = if above { level < 0.0 } else { level > 0.0 };
        return if holds { phase } else { f64::INFINITY };
    }
    let bound = level / gain;
    let greater = above == (gain > 0.0);
    // sin < b is sin(−phase) > −b; on the mirrored circle we use sin(phase + π) > −b.
    let (bound, offset) = if greater { (bound, 0.0) } else { (-bound, PI) };
    if bound >= 1.0 {
        return f64::INFINITY;
    }
    if bound < -1.0 {
        return phase;
    }
    let open = libm::asin(bound);
    let close = PI - open;
    let turn = (phase + offset - open).rem_euclid(TAU);
    if turn < close - open {
        phase
    } else {
        phase + (TAU - turn)
    }
}

//! The lead-in of a shaking table: x = u0 (t/t_r) sin Ωt for t < t_r.

use super::harmonic::increment as sine_increment;
use super::kinematics::{Increment, Kinematics};
use super::precise_sine::{sine_cosine, sine_step};
use klast_numerics::DoubleDouble;
use klast_numerics::mutant;

/// Law of the lead-in, whatever `time` is.
pub(crate) fn at(amplitude: f64, omega: f64, lead_in: f64, time: f64) -> Kinematics {
    let (sin, cos) = libm::sincos(omega * time);
    let rate = amplitude / lead_in;
    Kinematics {
        position: rate * time * sin,
        velocity: rate * (sin + time * omega * cos),
        acceleration: rate
            * omega
            * (2.0 * cos * mutant::factor("lead-in", 0.999) - time * omega * sin),
    }
}

/// Largest |d³x/dt³|: 3 Ω² u0/t_r + Ω³ u0.
pub(crate) fn jerk_bound(amplitude: f64, omega: f64, lead_in: f64) -> f64 {
    amplitude * omega * omega * (3.0 / lead_in + omega)
}

/// Increments within the lead-in (the driver stops at its end).
pub(crate) fn increment(
    amplitude: f64,
    omega: f64,
    lead_in: f64,
    start: f64,
    tau: f64,
) -> Increment {
    let (sin, cos) = libm::sincos(omega * start);
    let rate = amplitude / lead_in;
    // s(t) = sin Ωt: its increments give those of t s(t) by the product rule, without cancellation.
    let s = sine_increment(1.0, omega, sin, cos, omega * tau);
    let slope = omega * cos;
    let sine_gain = slope * tau + s.rest;
    let end_slope = slope + s.velocity;
    Increment {
        rest: rate * (start * s.rest + tau * sine_gain),
        velocity: rate * (sine_gain + start * s.velocity + tau * end_slope),
        acceleration: rate * (2.0 * end_slope + (start + tau) * s.acceleration),
    }
}

/// The `rest` of [`increment`] in two parts.
pub(crate) fn displacement(
    amplitude: f64,
    omega: f64,
    lead_in: f64,
    start: f64,
    tau: DoubleDouble,
) -> DoubleDouble {
    let phase = omega * start;
    let rest = sine_step(1.0, omega, phase, tau).rest;
    let sine_gain = tau * (sine_cosine(DoubleDouble::new(phase)).1 * omega) + rest;
    (rest * start + tau * sine_gain) * (amplitude / lead_in)
}

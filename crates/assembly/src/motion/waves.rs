//! A sum of sines.

use std::f64::consts::TAU;

use super::harmonic;
use super::kinematics::{Bounds, Increment, Kinematics, Wave};

pub(crate) fn at(waves: &[Wave], time: f64) -> Kinematics {
    let mut sum = Kinematics::default();
    for w in waves {
        let (sin, cos) = libm::sincos(w.omega * time + w.phase);
        sum.position += w.amplitude * sin;
        sum.velocity += w.amplitude * w.omega * cos;
        sum.acceleration -= w.amplitude * w.omega * w.omega * sin;
    }
    sum
}

pub(crate) fn increment(waves: &[Wave], start: f64, tau: f64) -> Increment {
    let mut sum = Increment::default();
    for w in waves {
        let (sin, cos) = libm::sincos(w.omega * start + w.phase);
        let part = harmonic::increment(w.amplitude, w.omega, sin, cos, w.omega * tau);
        sum.rest += part.rest;
        sum.velocity += part.velocity;
        sum.acceleration += part.acceleration;
    }
    sum
}

/// What 2π has beyond its double.
const TAU_REST: f64 = 2.449_293_598_294_706_4e-16;

/// Adds the phase that passes in `by` seconds, whole turns taken out with a 2π of twice the digits.
pub(crate) fn set_back(waves: &mut [Wave], by: f64) {
    for w in waves {
        let angle = w.omega * by;
        let turns = (angle / TAU).floor();
        let rest = libm::fma(-turns, TAU, angle) - turns * TAU_REST;
        w.phase = (w.phase + rest).rem_euclid(TAU);
    }
}

pub(crate) fn bounds(waves: &[Wave]) -> Bounds {
    let sum = |power: i32| {
        waves
            .iter()
            .map(|w| (w.amplitude * w.omega.powi(power)).abs())
            .sum()
    };
    Bounds {
        position: sum(0),
        velocity: sum(1),
        acceleration: sum(2),
    }
}

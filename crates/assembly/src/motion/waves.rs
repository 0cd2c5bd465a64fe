//! A sum of sines.

use super::{Bounds, Increment, Kinematics, Wave, harmonic};

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

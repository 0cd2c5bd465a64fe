//! Where the basin is, in two parts.

use super::law::BasinMotion;
use super::precise_sine::{sine, sine_step};
use super::{ground, ramp};
use klast_numerics::DoubleDouble;

/// Displacement of the basin at `time`.
pub(super) fn at(motion: &BasinMotion, time: f64) -> DoubleDouble {
    match motion {
        BasinMotion::Harmonic {
            amplitude,
            omega,
            lead_in,
        } => {
            let full = *lead_in == 0.0 || time >= *lead_in;
            let reach = if full {
                DoubleDouble::new(*amplitude)
            } else {
                DoubleDouble::product(amplitude / lead_in, time)
            };
            sine(DoubleDouble::product(*omega, time)) * reach
        }
        BasinMotion::Waves(waves) => waves.iter().fold(DoubleDouble::default(), |sum, w| {
            let phase = DoubleDouble::product(w.omega, time) + DoubleDouble::new(w.phase);
            sum + sine(phase) * w.amplitude
        }),
        BasinMotion::Ground(component) => DoubleDouble::new(ground::at(component, time).position),
    }
}

/// Displacement of the basin over `tau` from `start` on, seen from a frame that moves as it does then: x(t+τ) − x(t) −
/// v(t) τ. The counterpart in two parts of the increments of one, from the same phases.
pub(super) fn onward(motion: &BasinMotion, start: f64, tau: f64) -> DoubleDouble {
    let time = DoubleDouble::new(tau);
    match motion {
        BasinMotion::Harmonic {
            amplitude,
            omega,
            lead_in,
        } if *lead_in > 0.0 && start < *lead_in => {
            ramp::displacement(*amplitude, *omega, *lead_in, start, time)
        }
        BasinMotion::Harmonic {
            amplitude, omega, ..
        } => sine_step(*amplitude, *omega, omega * start, time).rest,
        BasinMotion::Waves(waves) => waves.iter().fold(DoubleDouble::default(), |sum, w| {
            let phase = w.omega * start + w.phase;
            sum + sine_step(w.amplitude, w.omega, phase, time).rest
        }),
        BasinMotion::Ground(component) => ground::displacement(component, start, tau),
    }
}

#[cfg(test)]
mod tests {
    use crate::Frequency;
    use crate::motion::{BasinMotion, Frame, Wave};
    use klast_ground_motion::{Component, Law};

    #[test]
    fn displacements_agree_with_the_increments_in_one_part() {
        let wave = |amplitude, omega, phase| Wave {
            amplitude,
            omega,
            phase,
        };
        let law = |value, slope| Law::Linear { value, slope };
        let pieces = [
            (0.3, law(1.0, -2.0)),
            (0.2, law(0.5, 3.0)),
            (9.0, law(-1.0, 0.1)),
        ];
        let motions = [
            BasinMotion::harmonic(0.4, Frequency::hertz(1.3)).unwrap(),
            BasinMotion::harmonic_with_lead_in(0.4, Frequency::hertz(1.3), 5.0).unwrap(),
            BasinMotion::Waves(vec![wave(0.3, 2.0, 0.4), wave(0.1, 5.0, 1.0)]),
            BasinMotion::Ground(Component::chain(0.1, 0.0, 0.2, &pieces).unwrap()),
            BasinMotion::Ground(
                Component::harmonic_displacement(0.2, Frequency::rad_per_s(3.0), 0.7).unwrap(),
            ),
        ];
        for motion in &motions {
            for (start, tau) in [(0.05, 1e-6), (0.2, 0.01), (0.25, 0.7), (1.1, 2.0)] {
                let mut frame = Frame::new(motion.clone(), true);
                frame.pass(start);
                let one = frame.onward(0.0).increment(tau).rest;
                let two = frame.basin_position(tau).value();
                // A few roundings of the terms of one part, which do not cancel by more than a digit here.
                assert!(
                    (one - two).abs() <= 1e-14 * one.abs(),
                    "{motion:?}: {one} {two}"
                );
            }
        }
    }
}

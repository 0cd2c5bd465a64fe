//! Piecewise base motions (sine trains, pulses, sampled records) seen as a basin motion.

use klast_dynamics::ground_motion::{Component, Law, Piece};

use super::harmonic::{self, phase_beyond};
use super::{Bounds, Increment, Kinematics};
use crate::error::AssemblyError;

pub(crate) fn validate(component: &Component) -> Result<(), AssemblyError> {
    for (index, piece) in component.pieces().iter().enumerate() {
        let law = match piece.law {
            Law::Linear { value, slope } => [value, slope, 1.0],
            Law::Sine {
                amplitude,
                omega,
                phase,
            } => [amplitude, phase, omega],
        };
        let numbers = [
            piece.start,
            piece.displacement,
            piece.velocity,
            law[0],
            law[1],
            law[2],
        ];
        if let Some(bad) = numbers.iter().find(|x| !x.is_finite()) {
            return Err(AssemblyError::ItemOutOfRange {
                field: "basin motion, piece",
                index,
                found: *bad,
                accepted: "finite numbers",
            });
        }
    }
    match component.pieces().first() {
        Some(first) if first.start > 0.0 && first.displacement != 0.0 => {
            Err(AssemblyError::OutOfRange {
                field: "displacement (m) with which the basin motion begins",
                found: first.displacement,
                accepted: "0 for a motion that begins after time 0",
            })
        }
        _ => Ok(()),
    }
}

pub(crate) fn at(component: &Component, time: f64) -> Kinematics {
    let piece = component.piece_at(time);
    Kinematics {
        position: piece.displacement(time),
        velocity: piece.velocity(time),
        acceleration: piece.acceleration(time),
    }
}

fn within(piece: &Piece, start: f64, tau: f64) -> Increment {
    let local = start - piece.start;
    match piece.law {
        Law::Linear { value, slope } => {
            // A piece without slope may last for ever from −∞ on; 0 · ∞ must not arise.
            let a = if slope == 0.0 {
                value
            } else {
                value + slope * local
            };
            Increment {
                rest: tau * tau * (0.5 * a + slope * tau / 6.0),
                velocity: tau * (a + 0.5 * slope * tau),
                acceleration: a + slope * tau,
            }
        }
        Law::Sine {
            amplitude,
            omega,
            phase,
        } => {
            let (sin, cos) = libm::sincos(omega * local + phase);
            harmonic::increment(-amplitude / (omega * omega), omega, sin, cos, omega * tau)
        }
    }
}

/// Increments over `tau`, piece by piece.
pub(crate) fn increment(component: &Component, start: f64, tau: f64) -> Increment {
    let mut piece = component.piece_at(start);
    let (mut from, mut left) = (start, tau);
    let mut sum = Increment::default();
    loop {
        let room = piece.end - from;
        let step = left.min(room);
        let part = within(&piece, from, step);
        sum.rest += sum.velocity * step + part.rest;
        sum.velocity += part.velocity;
        sum.acceleration = part.acceleration;
        left -= step;
        if left <= 0.0 || !piece.end.is_finite() {
            return sum;
        }
        from = piece.end;
        piece = component.piece_at(from);
    }
}

pub(crate) fn beyond(component: &Component, from: f64, level: f64, above: bool, limit: f64) -> f64 {
    let mut at = from;
    while at <= limit {
        let piece = component.piece_at(at);
        let local = at - piece.start;
        let found = match piece.law {
            Law::Linear { value, slope } => {
                let a = if slope == 0.0 {
                    value
                } else {
                    value + slope * local
                };
                let (excess, rate) = if above {
                    (a - level, slope)
                } else {
                    (level - a, -slope)
                };
                if excess > 0.0 || (excess == 0.0 && rate > 0.0) {
                    at
                } else if rate > 0.0 {
                    at - excess / rate
                } else {
                    f64::INFINITY
                }
            }
            Law::Sine {
                amplitude,
                omega,
                phase,
            } => {
                let now = omega * local + phase;
                let ahead = phase_beyond(now, amplitude, level, above);
                if ahead == now {
                    at
                } else {
                    at + (ahead - now) / omega
                }
            }
        };
        if found < piece.end {
            return found;
        }
        if !piece.end.is_finite() {
            break;
        }
        at = piece.end;
    }
    f64::INFINITY
}

/// Bounds over all pieces; a basin that drifts away at the end has no bound of position.
pub(crate) fn bounds(component: &Component) -> Bounds {
    let mut b = Bounds {
        position: 0.0,
        velocity: 0.0,
        acceleration: 0.0,
    };
    let mut include = |piece: &Piece| {
        let length = piece.end - piece.start;
        let (dv, a) = match piece.law {
            Law::Linear {
                value: 0.0,
                slope: 0.0,
            } => (0.0, 0.0),
            Law::Linear { value, slope } => {
                let end = value + slope * length;
                // Between its ends the velocity may turn where the acceleration vanishes: a length times the largest
                // acceleration covers that.
                let a = value.abs().max(end.abs());
                (a * length, a)
            }
            Law::Sine {
                amplitude, omega, ..
            } => (2.0 * (amplitude / omega).abs(), amplitude.abs()),
        };
        let speed = piece.velocity.abs() + dv;
        b.velocity = b.velocity.max(speed);
        b.acceleration = b.acceleration.max(a);
        let reach = match piece.law {
            // A sine about a fixed mean stays where it is.
            Law::Sine {
                amplitude,
                omega,
                phase,
            } if (piece.velocity + amplitude / omega * libm::cos(phase)).abs()
                <= f64::EPSILON * (amplitude / omega).abs() =>
            {
                2.0 * (amplitude / (omega * omega)).abs()
            }
            _ if speed == 0.0 => 0.0,
            _ => speed * length,
        };
        b.position = b.position.max(piece.displacement.abs() + reach);
    };
    for piece in component.pieces() {
        include(piece);
    }
    if let Some(last) = component.pieces().last()
        && last.end.is_finite()
    {
        include(&component.piece_at(last.end));
    }
    b
}

fn begins_with_jump(component: &Component) -> Option<&Piece> {
    component
        .pieces()
        .first()
        .filter(|p| p.start > 0.0 && p.velocity != 0.0)
}

/// Velocities are carried through all pieces; only the first may start with a jump from rest.
pub(crate) fn next_jump(component: &Component, time: f64) -> f64 {
    begins_with_jump(component).map_or(f64::INFINITY, |p| {
        if time < p.start {
            p.start
        } else {
            f64::INFINITY
        }
    })
}

pub(crate) fn velocity_before(component: &Component, time: f64) -> f64 {
    match begins_with_jump(component) {
        Some(p) if p.start == time => 0.0,
        _ => component.piece_at(time).velocity(time),
    }
}

//! Piecewise base motions (sine trains, pulses, sampled records) seen as a basin motion.

use klast_ground_motion::{Component, Law, Piece};

use super::harmonic::{self, phase_beyond};
use super::kinematics::{Bounds, Increment, Kinematics};
use super::precise_sine::{Step, sine_step};
use crate::error::AssemblyError;
use klast_numerics::DoubleDouble;
use klast_numerics::OutOfRange;

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
            return Err(
                OutOfRange::new("basin motion, piece", *bad, "finite numbers")
                    .at(index)
                    .into(),
            );
        }
    }
    match component.pieces().first() {
        Some(first) if first.start > 0.0 && first.displacement != 0.0 => Err(OutOfRange::new(
            "displacement (m) with which the basin motion begins",
            first.displacement,
            "0 for a motion that begins after time 0",
        )
        .into()),
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

/// Start, end and law of a stretch of the motion: 0 is the rest before the first piece, then come the pieces, then what
/// follows the last.
fn stretch(component: &Component, index: usize) -> (f64, f64, Law) {
    const NONE: Law = Law::Linear {
        value: 0.0,
        slope: 0.0,
    };
    let pieces = component.pieces();
    let before = index.checked_sub(1).and_then(|i| pieces.get(i));
    match (before, pieces.get(index)) {
        (Some(p), _) => (p.start, p.end, p.law),
        (None, Some(next)) => (f64::NEG_INFINITY, next.start, NONE),
        (None, None) => {
            let end = pieces.last().map_or(f64::NEG_INFINITY, |p| p.end);
            (end, f64::INFINITY, NONE)
        }
    }
}

/// The stretch in which `time` lies, of two that meet there the later.
fn stretch_at(component: &Component, time: f64) -> usize {
    let begun = component.pieces().partition_point(|p| p.start <= time);
    begun + usize::from(component.pieces().last().is_some_and(|p| p.end <= time))
}

/// Increments of one law from `local` after its start on.
fn within(law: Law, local: f64, tau: f64) -> Increment {
    match law {
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

/// 1/3 in two parts.
const THIRD: DoubleDouble = DoubleDouble {
    high: 1.0 / 3.0,
    low: 1.850_371_707_708_594e-17,
};

/// Increments over `tau` from `start` on, counted from `origin`, stretch by stretch. Where one ends, the acceleration
/// is that of the next.
pub(crate) fn increment(component: &Component, origin: f64, start: f64, tau: f64) -> Increment {
    let mut index = stretch_at(component, origin + start);
    let (begin, mut end, mut law) = stretch(component, index);
    // Differences of nearby times are exact: a clock that has run for long leaves no rounding here.
    let mut local = (origin - begin) + start;
    let mut room = (end - origin) - start;
    let (mut left, mut sum) = (tau, Increment::default());
    while left >= room {
        let part = within(law, local, room);
        sum.rest += sum.velocity * room + part.rest;
        sum.velocity += part.velocity;
        left -= room;
        index += 1;
        let begin = end;
        (_, end, law) = stretch(component, index);
        (local, room) = (0.0, end - begin);
    }
    let part = within(law, local, left);
    Increment {
        rest: sum.rest + (sum.velocity * left + part.rest),
        velocity: sum.velocity + part.velocity,
        acceleration: part.acceleration,
    }
}

/// One law from `local` after its start on, in two parts.
fn step(law: Law, local: f64, tau: DoubleDouble) -> Step {
    match law {
        Law::Linear { slope, .. } => {
            let a = within(law, local, 0.0).acceleration;
            let gain = tau * (0.5 * slope);
            Step {
                rest: tau * tau * (DoubleDouble::new(0.5 * a) + gain * THIRD),
                velocity: tau * (DoubleDouble::new(a) + gain),
            }
        }
        Law::Sine {
            amplitude,
            omega,
            phase,
        } => sine_step(
            -amplitude / (omega * omega),
            omega,
            omega * local + phase,
            tau,
        ),
    }
}

/// The `rest` of [`increment`] in two parts, over `tau` from `origin` on.
pub(crate) fn displacement(component: &Component, origin: f64, tau: f64) -> DoubleDouble {
    let mut index = stretch_at(component, origin);
    let (begin, mut end, mut law) = stretch(component, index);
    let (mut local, mut room) = (origin - begin, end - origin);
    let (mut left, mut sum) = (DoubleDouble::new(tau), Step::default());
    while left.value() >= room {
        let time = DoubleDouble::new(room);
        let part = step(law, local, time);
        sum.rest += sum.velocity * time + part.rest;
        sum.velocity += part.velocity;
        left += -time;
        index += 1;
        let begin = end;
        (_, end, law) = stretch(component, index);
        (local, room) = (0.0, end - begin);
    }
    sum.rest + (sum.velocity * left + step(law, local, left).rest)
}

/// First time in [`from`, `limit`], counted from `origin`, from which the acceleration lies above (or below) `level`; ∞
/// if none.
pub(crate) fn beyond(
    component: &Component,
    origin: f64,
    from: f64,
    level: f64,
    above: bool,
    limit: f64,
) -> f64 {
    let mut at = from;
    let mut index = stretch_at(component, origin + from);
    let (begin, mut end, mut law) = stretch(component, index);
    let mut local = (origin - begin) + from;
    while at <= limit {
        let found = at + crossed(law, local, level, above);
        if found < end - origin {
            return found;
        }
        if end == f64::INFINITY {
            break;
        }
        at = (end - origin).max(from);
        index += 1;
        (_, end, law) = stretch(component, index);
        local = 0.0;
    }
    f64::INFINITY
}

/// How long after `local` a law goes beyond a level.
fn crossed(law: Law, local: f64, level: f64, above: bool) -> f64 {
    match law {
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
                0.0
            } else if rate > 0.0 {
                -excess / rate
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
            (phase_beyond(now, amplitude, level, above) - now) / omega
        }
    }
}

/// Time from `origin` to the end of the stretch `count` further on; ∞ where there is none.
pub(crate) fn span(component: &Component, origin: f64, count: usize) -> f64 {
    let index = stretch_at(component, origin) + count;
    match component.pieces().get(index) {
        Some(piece) => piece.start - origin,
        None => f64::INFINITY,
    }
}

/// Bounds over all pieces, that of velocity for what differs from the velocity at time zero; a basin that drifts away
/// at the end has no bound of position.
pub(crate) fn bounds(component: &Component) -> Bounds {
    let initial = component.piece_at(0.0).velocity(0.0);
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
        b.velocity = b.velocity.max((piece.velocity - initial).abs() + dv);
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

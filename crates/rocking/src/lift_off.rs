//! When a block at rest leaves its base: the first time at which its drive becomes positive.

use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use crate::error::RockingError;
use klast_ground_motion::{Law, Piece};
use klast_numerics::roots::chandrupatla;

/// Drives under this size count as the verge of lift-off: the block leaves only if the load still grows.
const VERGE: f64 = 1e-13;

/// First time in [from, until) at which a block at rest leaves the base, and the side it then pivots on. Where the
/// drive has no closed form it is searched, with at most `most_steps` looks.
pub(crate) fn lift_off(
    block: &RockingBlock,
    equation: Equation,
    pieces: (&Piece, &Piece),
    (from, until): (f64, f64),
    most_steps: usize,
) -> Result<Option<(f64, Side)>, RockingError> {
    let sides = [Side::Right, Side::Left];
    let drives = sides.map(|side| Drive::new(block, equation, pieces, side, from));
    let first = match drives.map(|drive| drive.closed_form()) {
        [ClosedForm::Time(right), ClosedForm::Time(left)] => match (right, left) {
            (Some(a), Some(b)) if b < a => Some((b, Side::Left)),
            (Some(a), _) => Some((a, Side::Right)),
            (None, left) => left.map(|b| (b, Side::Left)),
        },
        _ => search(&drives, until - from, most_steps)
            .map_err(|tau| RockingError::TooManySteps {
                time: from + tau,
                limit: most_steps,
            })?
            .map(|(tau, index)| (tau, sides[index])),
    };
    Ok(first
        .map(|(tau, side)| (from + tau, side))
        .filter(|(time, _)| *time < until))
}

/// amplitude sin(omega τ + phase), amplitude not below 0.
#[derive(Debug, Clone, Copy)]
struct Sine {
    amplitude: f64,
    omega: f64,
    phase: f64,
}

impl Sine {
    const NONE: Self = Self {
        amplitude: 0.0,
        omega: 0.0,
        phase: 0.0,
    };

    /// The sum of two sines of one frequency.
    fn plus(self, other: Self) -> Self {
        let (sin, cos) = libm::sincos(self.phase);
        let (other_sin, other_cos) = libm::sincos(other.phase);
        let across = self.amplitude * sin + other.amplitude * other_sin;
        let along = self.amplitude * cos + other.amplitude * other_cos;
        Self {
            amplitude: libm::hypot(across, along),
            omega: self.omega,
            phase: libm::atan2(across, along),
        }
    }
}

/// The drive of a block at rest over the time τ from now: value + slope τ + the sum of the sines.
#[derive(Debug, Clone, Copy)]
struct Drive {
    value: f64,
    slope: f64,
    /// Those of an amplitude above 0 first.
    sines: [Sine; 2],
}

/// First τ ≥ 0 at which a drive is or becomes positive, where there is a formula for it.
enum ClosedForm {
    Time(Option<f64>),
    Missing,
}

impl Drive {
    fn new(
        block: &RockingBlock,
        equation: Equation,
        pieces: (&Piece, &Piece),
        side: Side,
        from: f64,
    ) -> Self {
        let (s, c) = equation.levers(block.corner(side).slenderness, 0.0);
        let weights = (-side.sign() * c / block.gravity(), -s / block.gravity());
        let mut drive = Self {
            value: -s,
            slope: 0.0,
            sines: [Sine::NONE; 2],
        };
        for (piece, weight) in [(pieces.0, weights.0), (pieces.1, weights.1)] {
            match piece.law {
                Law::Linear { slope, .. } => {
                    drive.value += weight * piece.acceleration(from);
                    drive.slope += weight * slope;
                }
                Law::Sine {
                    amplitude,
                    omega,
                    phase,
                } if amplitude != 0.0 => {
                    let size = weight * amplitude;
                    let turned = if size < 0.0 {
                        std::f64::consts::PI
                    } else {
                        0.0
                    };
                    drive.add(Sine {
                        amplitude: size.abs(),
                        omega,
                        phase: omega * (from - piece.start) + phase + turned,
                    });
                }
                Law::Sine { .. } => {}
            }
        }
        drive
    }

    fn add(&mut self, sine: Sine) {
        let [first, second] = &mut self.sines;
        if first.amplitude == 0.0 {
            *first = sine;
        } else if first.omega == sine.omega {
            *first = first.plus(sine);
        } else {
            *second = sine;
        }
    }

    fn at(&self, tau: f64) -> f64 {
        let sines = self.sines.iter();
        let swing = sines.map(|s| s.amplitude * libm::sin(s.omega * tau + s.phase));
        self.value + self.slope * tau + swing.sum::<f64>()
    }

    /// Missing for a sine with a slope or with another sine: then the drive is searched.
    fn closed_form(&self) -> ClosedForm {
        let Self { value, slope, .. } = *self;
        let [sine, second] = self.sines;
        if second.amplitude > 0.0 || (sine.amplitude > 0.0 && slope != 0.0) {
            ClosedForm::Missing
        } else if sine.amplitude > 0.0 {
            ClosedForm::Time(sine_above(sine, -value))
        } else if value > VERGE || (value > -VERGE && slope > 0.0) {
            ClosedForm::Time(Some(0.0))
        } else {
            ClosedForm::Time((slope > 0.0).then(|| -value / slope))
        }
    }

    /// A time from `tau` for which the drive surely stays below twice the verge, itself not above the verge at `tau`.
    ///
    /// With d the rate of the drive and m a bound of its second derivative, f(τ + h) ≤ f + d h + m h²/2. A fast sine
    /// makes m large but adds no more than its amplitude, so each sine is bounded in both ways and the longest of the
    /// times taken: far below lift-off the step follows the slow part alone, and near a zero it is Newton's from below.
    fn clearance(&self, tau: f64) -> f64 {
        let waves = self.sines.map(|s| {
            let (sin, cos) = libm::sincos(s.omega * tau + s.phase);
            let rate = s.amplitude * s.omega;
            (s.amplitude * sin, rate * cos, rate * s.omega)
        });
        let mut longest = 0.0f64;
        for by_amplitude in [[false, false], [true, false], [false, true], [true, true]] {
            let (mut f, mut d, mut m) = (self.value + self.slope * tau, self.slope, 0.0);
            for (index, whole) in by_amplitude.into_iter().enumerate() {
                if whole {
                    f += self.sines[index].amplitude;
                } else {
                    f += waves[index].0;
                    d += waves[index].1;
                    m += waves[index].2;
                }
            }
            let room = 2.0 * VERGE - f;
            if room > 0.0 {
                let root = (d * d + 2.0 * m * room).sqrt();
                // The form without a difference of nearly equal numbers; infinite for a bound that never rises.
                longest = longest.max(if d > 0.0 || m == 0.0 {
                    2.0 * room / (d + root)
                } else {
                    (root - d) / m
                });
            }
        }
        longest
    }
}

/// First τ ≥ 0 at which `sine` is or becomes larger than `level`.
fn sine_above(sine: Sine, level: f64) -> Option<f64> {
    let ratio = level / sine.amplitude;
    if ratio >= 1.0 {
        return None;
    }
    if ratio <= -1.0 {
        return Some(0.0);
    }
    // Larger from asin(ratio) to π − asin(ratio) in every turn.
    let (tau, pi) = (std::f64::consts::TAU, std::f64::consts::PI);
    let rise = libm::asin(ratio);
    let turns = ((sine.phase - rise + VERGE) / tau).floor();
    let into = sine.phase - rise - turns * tau;
    if into < pi - 2.0 * rise - 1e-9 {
        return Some(0.0);
    }
    Some((rise + (turns + 1.0) * tau - sine.phase) / sine.omega)
}

/// First τ in [0, length) at which one of the drives becomes positive, and which: from look to look over times in which
/// none can. The error is the time reached when `most` looks were not enough.
fn search(drives: &[Drive; 2], length: f64, most: usize) -> Result<Option<(f64, usize)>, f64> {
    let mut tau = 0.0;
    // Last looks at which the drives were not positive.
    let mut low = [None; 2];
    for _ in 0..most {
        let mut first: Option<(f64, usize)> = None;
        let mut step = f64::INFINITY;
        for (index, drive) in drives.iter().enumerate() {
            let value = drive.at(tau);
            if value > VERGE {
                let time = low[index].map_or(tau, |low| root(|x| drive.at(x), low, tau));
                if first.is_none_or(|(earliest, _)| time < earliest) {
                    first = Some((time, index));
                }
                continue;
            }
            if value <= 0.0 {
                low[index] = Some(tau);
            }
            step = step.min(drive.clearance(tau));
        }
        if first.is_some() {
            return Ok(first);
        }
        // At least one step of the number itself.
        tau += step.max(f64::EPSILON * tau);
        if tau >= length {
            return Ok(None);
        }
    }
    Err(tau)
}

/// Zero of `f` between `low` (not positive) and `high` (positive): the side on which it is positive.
fn root(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    // Times below a millisecond are told apart to a rounding of one.
    let absolute = 1e-3 * f64::EPSILON;
    chandrupatla((low, f(low)), (high, f(high)), absolute, f).after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drive(value: f64, slope: f64, sines: [(f64, f64, f64); 2]) -> Drive {
        let mut drive = Drive {
            value,
            slope,
            sines: [Sine::NONE; 2],
        };
        for (amplitude, omega, phase) in sines {
            drive.add(Sine {
                amplitude,
                omega,
                phase,
            });
        }
        drive
    }

    #[test]
    fn a_drive_stays_below_the_verge_for_its_clearance() {
        for i in 0..400 {
            let x = |k: usize| ((i * (2 * k + 7) + 3 * k) % 101) as f64 / 101.0;
            let omega = 5.0 * 10f64.powf(3.0 * x(4));
            let sines = [(x(1), 5.0, 6.0 * x(2)), (x(3), omega, 6.0 * x(5))];
            let drive = drive(-0.3 - x(6), 0.4 - 0.8 * x(7), sines);
            let at = 3.0 * x(8);
            if drive.at(at) > VERGE {
                continue;
            }
            let clear = drive.clearance(at).min(20.0);
            for k in 0..=2000 {
                let value = drive.at(at + clear * f64::from(k) / 2000.0);
                // rounding of a phase up to 1e5 rad
                assert!(
                    value <= 2.0 * VERGE + 1e-11,
                    "{drive:?} {at} {clear} {value:e}"
                );
            }
        }
    }

    #[test]
    fn a_fast_sine_costs_no_looks_while_its_amplitude_cannot_lift() {
        // the slow sine and the amplitude of the fast one stay below zero by 0.02
        let far = drive(-1.0, 0.0, [(0.9, 6.0, 0.0), (0.08, 1e8, 0.0)]);
        assert_eq!(search(&[far, far], 10.0, 2000), Ok(None));
        // now they exceed it by 0.02: lifted near the first top of the slow sine, within a period of the fast one
        let near = drive(-1.0, 0.0, [(0.9, 6.0, 0.0), (0.12, 1e8, 0.0)]);
        let (time, _) = search(&[near, far], 10.0, 2000).unwrap().unwrap();
        let earliest = libm::asin(0.88 / 0.9) / 6.0;
        // the peaks of the fast sine within the window grow by 1e-8 of a period each
        assert!(
            time >= earliest && time < earliest + 1e-5,
            "{time} {earliest}"
        );
    }

    #[test]
    fn a_search_that_cannot_end_in_time_says_where_it_stopped() {
        // two equal fast sines that beat so slowly that they lift only after 1e7 s
        let beating = drive(-1.0, 0.0, [(0.6, 1e6, 0.0), (0.6, 1e6 + 1e-7, 3.0)]);
        let reached = search(&[beating, beating], 1e6, 1000).unwrap_err();
        assert!(reached > 0.0 && reached < 1.0, "{reached}");
    }
}

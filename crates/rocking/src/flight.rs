//! One step of the flight of a single block: the series cut at the end of its piece, at the base or at a given rotation.

use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use crate::kernel::{self, Flight, Load, ORDER, Series};
use klast_dynamics::ground_motion::{Law, Piece};

/// Looks per step for a sign change of the rotation.
const LOOKS: usize = 8;

/// How a step of a flight ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum StepEnd {
    /// By the length of the step or of the piece.
    Time,
    /// On the base.
    Base,
    /// At the rotation that counts as overturned.
    Limit,
}

/// A step taken: the series from its start, its length and how it ended.
pub(crate) struct Step {
    pub(crate) series: Series<1>,
    pub(crate) length: f64,
    pub(crate) end: StepEnd,
}

impl Step {
    /// The step of the given length, cut where the block meets the base or the limit.
    pub(crate) fn cut(series: Series<1>, length: f64, limit: f64) -> Self {
        let mut step = Self {
            series,
            length,
            end: StepEnd::Time,
        };
        if let Some((tau, end)) = first_root(&step, limit) {
            step.length = tau;
            step.end = end;
        }
        step
    }

    /// Largest rotation at the ends and at a turn between them.
    pub(crate) fn largest_rotation(&self) -> f64 {
        let ends = self.rotation(0.0).max(self.rotation(self.length));
        if !(self.rate(0.0) > 0.0 && self.rate(self.length) < 0.0) {
            return ends;
        }
        let turn = bracketed(|x| self.rate(x), |x| self.acceleration(x), 0.0, self.length);
        ends.max(self.rotation(turn))
    }

    /// Rotation away from the base at `tau` (rad).
    pub(crate) fn rotation(&self, tau: f64) -> f64 {
        kernel::value(&self.series, &[tau])[0]
    }

    /// Its rate (rad/s).
    pub(crate) fn rate(&self, tau: f64) -> f64 {
        kernel::rate(&self.series, &[tau])[0]
    }

    /// Its second derivative (rad/s²).
    pub(crate) fn acceleration(&self, tau: f64) -> f64 {
        let mut sum = 0.0;
        for k in (2..=ORDER).rev() {
            sum = sum * tau + (k * (k - 1)) as f64 * self.series[k][0];
        }
        sum
    }
}

/// The load of a piece at time `t`, over gravity and times `sign`.
pub(crate) fn load(piece: &Piece, t: f64, sign: f64, gravity: f64) -> Load<1> {
    let tau = t - piece.start;
    let factor = sign / gravity;
    let mut load = Load::NONE;
    match piece.law {
        Law::Linear { slope, .. } => {
            load.value = [factor * piece.acceleration(t)];
            load.slope = [factor * slope];
        }
        Law::Sine {
            amplitude,
            omega,
            phase,
        } => {
            load.amplitude = [factor * amplitude];
            load.omega = [omega];
            load.phase = [omega * tau + phase];
        }
    }
    load
}

/// Takes one step of at most `rest` seconds from rotation `q` and rate `v` on `side`; `limit` is the rotation of overturning.
#[allow(clippy::too_many_arguments)]
pub(crate) fn take_step(
    block: &RockingBlock,
    side: Side,
    equation: Equation,
    pieces: (&Piece, &Piece),
    t: f64,
    (q, v): (f64, f64),
    rest: f64,
    limit: f64,
) -> Step {
    let corner = block.corner(side);
    let vertical = has_acceleration(pieces.1);
    let flight = Flight {
        q: [q],
        v: [v],
        p2: [corner.frequency_squared],
        alpha: [corner.slenderness],
        horizontal: load(pieces.0, t, side.sign(), block.gravity()),
        vertical: load(pieces.1, t, 1.0, block.gravity()),
    };
    let mut series = [[0.0]; ORDER + 1];
    kernel::series(&flight, equation, vertical, &mut series);
    let mut length = kernel::step(&series)[0];
    // Just after an impact the flight may be far shorter than a step: look at its own scale.
    let pull = -series[2][0];
    if q == 0.0 && v > 0.0 && pull > 0.0 {
        length = length.min(1.5 * v / pull);
    }
    Step::cut(series, length.min(rest), limit)
}

/// Whether a piece accelerates at all.
pub(crate) fn has_acceleration(piece: &Piece) -> bool {
    match piece.law {
        Law::Linear { value, slope } => value != 0.0 || slope != 0.0,
        Law::Sine { amplitude, .. } => amplitude != 0.0,
    }
}

/// First time in the step at which the block meets the base or the limit.
fn first_root(step: &Step, limit: f64) -> Option<(f64, StepEnd)> {
    let q = |tau: f64| step.rotation(tau);
    let start = (q(0.0), step.rate(0.0));
    let mut before = (0.0, start.0, start.1);
    for look in 1..=LOOKS {
        let tau = step.length * look as f64 / LOOKS as f64;
        let now = (tau, q(tau), step.rate(tau));
        if now.1 >= limit && before.1 < limit {
            let root = bracketed(|x| q(x) - limit, |x| step.rate(x), before.0, tau);
            return Some((root, StepEnd::Limit));
        }
        if now.1 < 0.0 {
            let low = if before.1 > 0.0 {
                before.0
            } else {
                departure(step, tau)
            };
            return Some((bracketed(q, |x| step.rate(x), low, tau), StepEnd::Base));
        }
        // A dip below the base and back within one look shows as a turn from falling to rising.
        if before.2 < 0.0 && now.2 > 0.0 && before.1 > 0.0 {
            let lowest = bracketed(|x| step.rate(x), |x| step.acceleration(x), before.0, tau);
            if q(lowest) < 0.0 {
                let root = bracketed(q, |x| step.rate(x), before.0, lowest);
                return Some((root, StepEnd::Base));
            }
        }
        before = now;
    }
    None
}

/// A time before `after` at which the rotation, zero at the start, is positive; zero when it never leaves the base.
fn departure(step: &Step, after: f64) -> f64 {
    let mut tau = 0.5 * after;
    for _ in 0..60 {
        if step.rotation(tau) > 0.0 {
            return tau;
        }
        tau *= 0.5;
    }
    0.0
}

/// Root of `f` between `low` and `high`, where it changes sign, by Newton's method kept inside the bracket.
fn bracketed(f: impl Fn(f64) -> f64, df: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let (mut low, mut high) = (low, high);
    let falling = f(high) < 0.0;
    let mut x = 0.5 * (low + high);
    for _ in 0..100 {
        let y = f(x);
        if y == 0.0 {
            return x;
        }
        if (y < 0.0) == falling {
            high = x;
        } else {
            low = x;
        }
        let newton = x - y / df(x);
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        if (next - x).abs() <= 2.0 * f64::EPSILON * x.abs() || high - low <= f64::EPSILON * high {
            return next;
        }
        x = next;
    }
    x
}

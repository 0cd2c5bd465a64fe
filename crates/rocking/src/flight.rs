//! One step of the flight of a single block: the series cut at the end of its piece, at the base or at a given
//! rotation.

use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use crate::kernel::{self, Flight, Load, ORDER, Series};
use klast_ground_motion::{Law, Piece};
use klast_numerics::roots::newton;

/// Looks per step for a sign change of the rotation.
const SAMPLES_PER_STEP: usize = 8;

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

/// A step taken: the series from its start, its length, the largest rotation in it and how it ended.
pub(crate) struct Step {
    pub(crate) series: Series<1>,
    pub(crate) length: f64,
    pub(crate) largest_rotation: f64,
    pub(crate) end: StepEnd,
}

impl Step {
    /// The step of the given length, cut where the block meets the base or the limit.
    pub(crate) fn cut(series: Series<1>, length: f64, limit: f64) -> Self {
        let start = series[0][0];
        let mut step = Self {
            series,
            length,
            largest_rotation: start,
            end: StepEnd::Time,
        };
        if let Some((tau, end)) = first_root(&step, limit) {
            step.length = tau;
            step.end = end;
        }
        step.largest_rotation = start.max(step.rotation(step.length));
        if let Some((turn, peak)) = step.turn() {
            step.largest_rotation = step.largest_rotation.max(peak);
            if peak >= limit && start < limit {
                let low = (0.0, start - limit);
                step.length = reaching(&step.series, limit, low, (turn, peak - limit));
                step.end = StepEnd::Limit;
            }
        }
        step
    }

    /// The turn from rising to falling within the step: its time and its rotation. A block that leaves the base, or is
    /// let go, has no rate at the start.
    pub(crate) fn turn(&self) -> Option<(f64, f64)> {
        let last = self.rate(self.length);
        if last >= 0.0 {
            return None;
        }
        let low = match self.series[1][0] {
            first if first > 0.0 => (0.0, first),
            first if first == 0.0 && !self.falls_at_once() => {
                first_above(|tau| self.rate(tau), self.length)?
            }
            _ => return None,
        };
        let rate = |x: f64| (self.rate(x), self.acceleration(x));
        let turn = bracketed(rate, low, (self.length, last));
        Some((turn, self.rotation(turn)))
    }

    /// Whether a tilted block without rate falls from the start on.
    fn falls_at_once(&self) -> bool {
        self.series[0][0] > 0.0 && self.series[2][0] < 0.0
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

/// Where a flight starts: a block on the corner of `side` at time `t`, with its rotation away from the base and the
/// rate of that, under pieces of the horizontal and the vertical motion.
#[derive(Clone, Copy)]
pub(crate) struct FlightStart<'a> {
    pub block: &'a RockingBlock,
    pub pieces: (&'a Piece, &'a Piece),
    pub t: f64,
    pub side: Side,
    pub q: f64,
    pub v: f64,
}

impl FlightStart<'_> {
    /// What the series of the flight starts from.
    pub fn flight(&self) -> Flight<1> {
        let (corner, gravity) = (self.block.corner(self.side), self.block.gravity());
        Flight {
            q: [self.q],
            v: [self.v],
            p2: [corner.frequency_squared],
            alpha: [corner.slenderness],
            horizontal: load(self.pieces.0, self.t, self.side.sign(), gravity),
            vertical: load(self.pieces.1, self.t, 1.0, gravity),
        }
    }

    /// Takes one step of at most `rest` seconds; `limit` is the rotation of overturning.
    pub fn step(&self, equation: Equation, rest: f64, limit: f64) -> Step {
        let vertical = has_acceleration(self.pieces.1);
        let mut series = [[0.0]; ORDER + 1];
        kernel::series(&self.flight(), equation, vertical, &mut series);
        let mut length = kernel::step(&series)[0];
        // Just after an impact the flight may be far shorter than a step: look at its own scale.
        let pull = -series[2][0];
        if self.q == 0.0 && self.v > 0.0 && pull > 0.0 {
            length = length.min(1.5 * self.v / pull);
        }
        Step::cut(series, length.min(rest), limit)
    }
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
    let times: [f64; SAMPLES_PER_STEP] =
        std::array::from_fn(|look| step.length * (look + 1) as f64 / SAMPLES_PER_STEP as f64);
    let values = kernel::values(&step.series, &times);
    let mut before = (0.0, step.series[0][0]);
    for now in times.into_iter().zip(values) {
        if now.1 >= limit && before.1 < limit {
            let (low, high) = ((before.0, before.1 - limit), (now.0, now.1 - limit));
            return Some((reaching(&step.series, limit, low, high), StepEnd::Limit));
        }
        if now.1 < 0.0 {
            let low = if before.1 > 0.0 {
                before
            } else {
                first_above(|tau| step.rotation(tau), now.0).unwrap_or((0.0, 0.0))
            };
            return Some((on_base(step, low, now), StepEnd::Base));
        }
        before = now;
    }
    dip(step)
}

/// A dip below the base and back between two looks: the turn from falling to rising lies under the base.
fn dip(step: &Step) -> Option<(f64, StepEnd)> {
    let (start, first) = (step.series[0][0], step.series[1][0]);
    let last = step.rate(step.length);
    if !(start > 0.0 && first < 0.0 && last > 0.0) {
        return None;
    }
    let rate = |x: f64| (step.rate(x), step.acceleration(x));
    let lowest = bracketed(rate, (0.0, first), (step.length, last));
    let depth = step.rotation(lowest);
    (depth < 0.0).then(|| (on_base(step, (0.0, start), (lowest, depth)), StepEnd::Base))
}

/// Root of the rotation between two times at which it differs in sign.
fn on_base(step: &Step, low: (f64, f64), high: (f64, f64)) -> f64 {
    bracketed(|x| kernel::value_and_rate(&step.series, x), low, high)
}

/// Time between two (time, rotation less limit) of different sign at which the rotation is `limit`.
fn reaching(series: &Series<1>, limit: f64, low: (f64, f64), high: (f64, f64)) -> f64 {
    let f = |x: f64| {
        let (value, rate) = kernel::value_and_rate(series, x);
        (value - limit, rate)
    };
    bracketed(f, low, high)
}

/// A time before `after` at which `f`, zero at the start, is positive, and its value there; none when it never leaves
/// zero.
fn first_above(f: impl Fn(f64) -> f64, after: f64) -> Option<(f64, f64)> {
    let mut tau = 0.5 * after;
    for _ in 0..60 {
        let value = f(tau);
        if value > 0.0 {
            return Some((tau, value));
        }
        tau *= 0.5;
    }
    None
}

/// Root of `f` (value and rate) between two points (time, value) of different sign, from the secant on.
fn bracketed(f: impl Fn(f64) -> (f64, f64), low: (f64, f64), high: (f64, f64)) -> f64 {
    let secant = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
    let start = if secant > low.0 && secant < high.0 {
        secant
    } else {
        0.5 * (low.0 + high.0)
    };
    newton((low.0, high.0), start, high.1 >= 0.0, f)
}

//! The block at rest on the base: when it leaves it, and the sum of infinitely many impacts that brings it there.

use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use klast_dynamics::ground_motion::{Law, Piece};

/// Acceleration away from the base (over p²) of a block at rest at time `t` if it were free on `side`: positive means lift-off,
/// −[G S(0) + s U C(0)]; for the nonlinear equation lift-off is at ü = ∓ (g + v̈) tan α, eq. (3.3) of Čeh (2018).
pub(crate) fn drive(
    block: &RockingBlock,
    equation: Equation,
    pieces: (&Piece, &Piece),
    side: Side,
    t: f64,
) -> f64 {
    let (s, c) = equation.levers(block.corner(side).slenderness, 0.0);
    let gravity = block.gravity();
    let u = side.sign() * pieces.0.acceleration(t) / gravity;
    let g = 1.0 + pieces.1.acceleration(t) / gravity;
    -(g * s + u * c)
}

/// Drives under this size count as the verge of lift-off: the block leaves only if the load still grows.
const VERGE: f64 = 1e-13;

/// First time in [from, until) at which a block at rest leaves the base, and the side it then pivots on.
pub(crate) fn lift_off(
    block: &RockingBlock,
    equation: Equation,
    pieces: (&Piece, &Piece),
    from: f64,
    until: f64,
) -> Option<(f64, Side)> {
    let first = |side| {
        let time = match Drive::new(block, equation, pieces, side, from) {
            Some(drive) => drive.first_positive(),
            None => {
                let f = |t: f64| drive(block, equation, pieces, side, t);
                return first_positive(f, pieces, from, until).map(|t| (t, side));
            }
        };
        let time = from + time?;
        (time < until).then_some((time, side))
    };
    match (first(Side::Right), first(Side::Left)) {
        (Some(a), Some(b)) => Some(if a.0 <= b.0 { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// The drive of a block at rest over the time τ from now, where it is simple enough for a closed form.
enum Drive {
    /// value + slope τ.
    Line { value: f64, slope: f64 },
    /// value + amplitude sin(omega τ + phase), amplitude above 0.
    Sine {
        value: f64,
        amplitude: f64,
        omega: f64,
        phase: f64,
    },
}

impl Drive {
    /// None when both components act and one of them is a sine: then the drive is searched.
    fn new(
        block: &RockingBlock,
        equation: Equation,
        pieces: (&Piece, &Piece),
        side: Side,
        from: f64,
    ) -> Option<Self> {
        let (s, c) = equation.levers(block.corner(side).slenderness, 0.0);
        let weights = (-side.sign() * c / block.gravity(), -s / block.gravity());
        let mut line = (-s, 0.0);
        let mut sine = None;
        for (piece, weight) in [(pieces.0, weights.0), (pieces.1, weights.1)] {
            match piece.law {
                Law::Linear { slope, .. } => {
                    line.0 += weight * piece.acceleration(from);
                    line.1 += weight * slope;
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
                    let phase = omega * (from - piece.start) + phase + turned;
                    if sine.replace((size.abs(), omega, phase)).is_some() {
                        return None;
                    }
                }
                Law::Sine { .. } => {}
            }
        }
        match (sine, line) {
            (None, (value, slope)) => Some(Self::Line { value, slope }),
            (Some((amplitude, omega, phase)), (value, 0.0)) => Some(Self::Sine {
                value,
                amplitude,
                omega,
                phase,
            }),
            _ => None,
        }
    }

    /// First τ ≥ 0 at which the drive is or becomes positive.
    fn first_positive(&self) -> Option<f64> {
        match *self {
            Self::Line { value, slope } => {
                if value > VERGE || (value > -VERGE && slope > 0.0) {
                    Some(0.0)
                } else {
                    (slope > 0.0).then(|| -value / slope)
                }
            }
            Self::Sine {
                value,
                amplitude,
                omega,
                phase,
            } => {
                let ratio = -value / amplitude;
                if ratio >= 1.0 {
                    return None;
                }
                if ratio <= -1.0 {
                    return Some(0.0);
                }
                // Positive from asin(ratio) to π − asin(ratio) in every turn.
                let (tau, pi) = (std::f64::consts::TAU, std::f64::consts::PI);
                let rise = libm::asin(ratio);
                let turns = ((phase - rise + VERGE) / tau).floor();
                let into = phase - rise - turns * tau;
                if into < pi - 2.0 * rise - 1e-9 {
                    return Some(0.0);
                }
                Some((rise + (turns + 1.0) * tau - phase) / omega)
            }
        }
    }
}

/// First time at which `f` is or becomes positive. Between the looks `f` has no more than one zero: they stand at the extremes
/// of a single sine, and eight to a quarter of the shorter period when both components act.
fn first_positive(
    f: impl Fn(f64) -> f64,
    pieces: (&Piece, &Piece),
    from: f64,
    until: f64,
) -> Option<f64> {
    let at_start = f(from);
    if at_start > VERGE {
        return Some(from);
    }
    let mut before = (from, at_start);
    let on_the_verge = at_start > -VERGE;
    let mut look = |t: f64| {
        let now = (t, f(t));
        if now.1 > VERGE && before.1 <= 0.0 {
            let start = before;
            before = now;
            return Some(root(&f, start.0, t));
        }
        if now.1 > VERGE {
            let start = before.0;
            before = now;
            return Some(start);
        }
        before = now;
        None
    };
    if on_the_verge {
        let ahead = from + 1e-7 * (until - from).min(1.0);
        if f(ahead) > f(from).max(0.0) {
            return Some(from);
        }
    }
    let Some((period, anchor, looks)) = rhythm(pieces) else {
        // Straight lines: one look at the end suffices.
        return look(until);
    };
    // Extremes of the sine; after one period (with a margin) nothing new comes.
    let spacing = 0.25 * period / f64::from(looks);
    let horizon = if looks == 1 {
        until.min(from + 1.5 * period)
    } else {
        until
    };
    let mut index = ((from - anchor) / spacing).floor() + 1.0;
    loop {
        let t = anchor + index * spacing;
        if t >= horizon {
            return look(horizon);
        }
        if let Some(root) = look(t) {
            return Some(root);
        }
        index += 1.0;
    }
}

/// Period of the fastest sine, a time at which it is zero, and how many looks a quarter of it needs.
fn rhythm(pieces: (&Piece, &Piece)) -> Option<(f64, f64, u32)> {
    let one = |piece: &Piece| match piece.law {
        Law::Sine {
            amplitude,
            omega,
            phase,
        } if amplitude != 0.0 => Some((std::f64::consts::TAU / omega, piece.start - phase / omega)),
        _ => None,
    };
    let steady = |piece: &Piece| matches!(piece.law, Law::Linear { slope: 0.0, .. });
    match (one(pieces.0), one(pieces.1)) {
        (None, None) => None,
        (Some((period, anchor)), None) if steady(pieces.1) => Some((period, anchor, 1)),
        (None, Some((period, anchor))) if steady(pieces.0) => Some((period, anchor, 1)),
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1, 8)),
        (Some(a), None) | (None, Some(a)) => Some((a.0, a.1, 8)),
    }
}

/// Zero of `f` between `low` (not positive) and `high` (positive) by the secant kept inside a halving bracket.
fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let (mut f_low, mut f_high) = (f(low), f(high));
    for k in 0..200 {
        let middle = 0.5 * (low + high);
        if high - low <= f64::EPSILON * high.abs().max(1e-3) {
            break;
        }
        let secant = high - f_high * (high - low) / (f_high - f_low);
        let x = if k % 3 != 2 && secant > low && secant < high {
            secant
        } else {
            middle
        };
        let y = f(x);
        if y == 0.0 {
            return x;
        }
        if y > 0.0 {
            (high, f_high) = (x, y);
        } else {
            (low, f_low) = (x, y);
        }
    }
    high
}

/// Sum of the durations of the infinitely many impacts that follow an impact left with rate `rate` on `side`, when it is so
/// small that the flights are parabolas: they last 2ω/a with the pull a of their side, and each impact multiplies ω by its
/// coefficient, so T = 2ω (1/a₁ + η₁/a₂)/(1 − η₁η₂). `None` while the flights are too long for that, or when the block would
/// leave the base again.
pub(crate) fn time_to_rest(
    block: &RockingBlock,
    equation: Equation,
    pieces: (&Piece, &Piece),
    (side, rate): (Side, f64),
    t: f64,
    eta: impl Fn(Side) -> f64,
) -> Option<f64> {
    let here = block.corner(side);
    let there = block.corner(side.other());
    // Relative error of the parabola: (ω/p)²/sin² α = 1e-16.
    if rate > 1e-8 * here.frequency() * libm::sin(here.slenderness) {
        return None;
    }
    let pull = |corner: &crate::block::Corner, side, t| {
        -corner.frequency_squared * drive(block, equation, pieces, side, t)
    };
    let (a1, a2) = (pull(here, side, t), pull(there, side.other(), t));
    // After a flight on this side the block lands on the other one.
    let (eta1, eta2) = (eta(side.other()), eta(side));
    let both = eta1 * eta2;
    if !(a1 > 0.0 && a2 > 0.0 && both < 1.0) {
        return None;
    }
    let sum = 2.0 * rate * (1.0 / a1 + eta1 / a2) / (1.0 - both);
    // The pulls must be steady over the sum.
    let later = t + sum;
    let drift = (pull(here, side, later) - a1)
        .abs()
        .max((pull(there, side.other(), later) - a2).abs());
    (drift <= 1e-6 * a1.min(a2)).then_some(sum)
}

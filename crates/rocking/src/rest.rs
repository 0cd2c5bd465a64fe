//! The block that comes to rest on its base: the sum of the infinitely many impacts that bring it there.

use crate::block::{Corner, Side};
use crate::equation::Equation;
use crate::flight::FlightStart;

/// Acceleration away from the base (over p²) of a block at rest at time `t` if it were free on `side`: positive means
/// lift-off, −[G S(0) + s U C(0)]; for the nonlinear equation lift-off is at ü = ∓ (g + v̈) tan α, eq. (3.3) of Čeh
/// (2018).
fn drive(start: &FlightStart, equation: Equation, side: Side, t: f64) -> f64 {
    let (s, c) = equation.levers(start.block.corner(side).slenderness, 0.0);
    let gravity = start.block.gravity();
    let u = side.sign() * start.pieces.0.acceleration(t) / gravity;
    let g = 1.0 + start.pieces.1.acceleration(t) / gravity;
    -(g * s + u * c)
}

/// Sum of the durations of the infinitely many impacts that follow one after which a flight starts, when its rate is so
/// small that the flights are parabolas: they last 2ω/a with the pull a of their side, and each impact multiplies ω by
/// its coefficient, so T = 2ω (1/a₁ + η₁/a₂)/(1 − η₁η₂). `None` while the flights are too long for that, when the
/// block would leave the base again, or when it would still hop at `until`.
pub(crate) fn time_to_rest(
    start: &FlightStart,
    equation: Equation,
    until: f64,
    eta: impl Fn(Side) -> f64,
) -> Option<f64> {
    let (side, rate, t) = (start.side, start.v, start.t);
    let here = start.block.corner(side);
    let there = start.block.corner(side.other());
    // Relative error of the parabola: (ω/p)²/sin² α = 1e-16.
    if rate > 1e-8 * here.frequency() * libm::sin(here.slenderness) {
        return None;
    }
    let pull =
        |corner: &Corner, side, t| -corner.frequency_squared * drive(start, equation, side, t);
    let (a1, a2) = (pull(here, side, t), pull(there, side.other(), t));
    // After a flight on this side the block lands on the other one.
    let (eta1, eta2) = (eta(side.other()), eta(side));
    let both = eta1 * eta2;
    if !(a1 > 0.0 && a2 > 0.0 && both < 1.0) {
        return None;
    }
    let sum = 2.0 * rate * (1.0 / a1 + eta1 / a2) / (1.0 - both);
    let later = t + sum;
    if later > until {
        return None;
    }
    // The pulls must be steady over the sum.
    let drift = (pull(here, side, later) - a1)
        .abs()
        .max((pull(there, side.other(), later) - a2).abs());
    (drift <= 1e-6 * a1.min(a2)).then_some(sum)
}

//! When a gap closes: along a parabola, and no later than it does.

use klast_numerics::DoubleDouble;

/// Roundings that blur a gap: of both coordinates, of the basin and of their difference.
pub(crate) const BLUR: f64 = 4.0 * f64::EPSILON;

/// First time τ ≥ 0 at which `gap + rate τ + bend τ²/2` falls through zero; ∞ if it never does.
///
/// Only a crossing from above counts, or a touch: a lowest gap that is above zero by no more than `blur` is met where
/// it is lowest. A contact that is just leaving (`gap` = ±rounding, `rate` > 0) therefore never reports itself, and one
/// that is closed and closing reports zero.
#[inline]
pub(crate) fn parabola_falls(gap: f64, rate: f64, bend: f64, blur: f64) -> f64 {
    if gap <= 0.0 && rate < 0.0 {
        return 0.0;
    }
    if bend == 0.0 {
        return if rate < 0.0 {
            gap.max(0.0) / -rate
        } else {
            f64::INFINITY
        };
    }
    let square = rate * rate - 2.0 * bend * gap;
    if bend > 0.0 {
        if rate >= 0.0 {
            return f64::INFINITY;
        }
        if square < 0.0 {
            return if -square <= 2.0 * bend * blur {
                -rate / bend
            } else {
                f64::INFINITY
            };
        }
        // The form without cancellation for rate < 0.
        return (2.0 * gap / (square.sqrt() - rate)).max(0.0);
    }
    let root = square.max(0.0).sqrt();
    let tau = if rate > 0.0 {
        -(rate + root) / bend
    } else {
        2.0 * gap / (root - rate)
    };
    if tau.is_finite() { tau.max(0.0) } else { 0.0 }
}

/// The last double not after `start` + `wait`, where `wait` is known to a rounding or two; not before `start` ≥ 0.
///
/// An impact is taken at a time at which its gap is still open: no later than it happens.
#[inline]
pub(crate) fn no_later(start: f64, wait: f64) -> f64 {
    const LESS: f64 = 1.0 - 2.0 * f64::EPSILON;
    let time = DoubleDouble::sum(start, LESS * wait);
    // One less in its bits is the next double below; without a branch, which none could foresee.
    let time = f64::from_bits(time.high.to_bits() - u64::from(time.low < 0.0));
    if time > start { time } else { start }
}

//! Roots along a flight: closed for parabolas, bracketed for everything else.

/// Roundings that blur a gap: of both coordinates, of the basin and of their difference.
pub(crate) const BLUR: f64 = 4.0 * f64::EPSILON;

/// First time τ ≥ 0 at which `gap + rate τ + bend τ²/2` falls through zero; ∞ if it never does.
///
/// Only a crossing from above counts, or a touch: a lowest gap that is above zero by no more than `blur` is met where it is
/// lowest. A contact that is just leaving (`gap` = ±rounding, `rate` > 0) therefore never
/// reports itself, and one that is closed and closing reports zero.
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

/// Root of a function that falls monotonically from `f(low) ≥ 0` to `f(high) ≤ 0`, to the last digits of the
/// argument: Newton kept inside its bracket, bisection where Newton leaves it.
///
/// `f` returns value and slope.
pub(crate) fn falling_root(f: impl Fn(f64) -> (f64, f64), low: f64, high: f64) -> f64 {
    let (mut lo, mut hi) = (low, high);
    let mut x = 0.5 * (lo + hi);
    for round in 0..200 {
        let (value, slope) = f(x);
        if value == 0.0 {
            return x;
        }
        if value > 0.0 {
            lo = x;
        } else {
            hi = x;
        }
        let newton = x - value / slope;
        // Every fourth round bisects, so a flat (grazing) root cannot stall the search.
        let next = if newton > lo && newton < hi && round % 4 != 3 {
            newton
        } else {
            0.5 * (lo + hi)
        };
        if (next - x).abs() <= 2.0 * f64::EPSILON * x.abs()
            || hi - lo <= 2.0 * f64::EPSILON * hi.abs()
        {
            return next;
        }
        x = next;
    }
    x
}

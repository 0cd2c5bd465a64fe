//! Newton's method inside a bracket.

/// Root of a function between `low` and `high`, to two roundings of the root (m times that at a root of multiplicity
/// m): Newton's method from `start`, kept inside the bracket, and
/// bisection where a step would leave it or is not half of the one before the last (Press et al. 2007, "rtsafe").
///
/// `rising` says that the function is below zero at `low` and above it at `high`; else it is the other way round. `f`
/// gives value and slope; a slope that is zero, wrong or NaN costs bisections, not the root.
pub fn newton(
    (mut low, mut high): (f64, f64),
    start: f64,
    rising: bool,
    mut f: impl FnMut(f64) -> (f64, f64),
) -> f64 {
    let mut x = start;
    let (mut last, mut before_last) = (high - low, high - low);
    for _ in 0..MAX_STEPS {
        let (value, slope) = f(x);
        if value == 0.0 {
            return x;
        }
        if (value < 0.0) == rising {
            low = x;
        } else {
            high = x;
        }
        let step = value / slope;
        let newton = x - step;
        // Before the bracket is asked: one of its ends is x, and so small a step may not leave x.
        if step.abs() <= 2.0 * f64::EPSILON * x.abs() {
            return newton.max(low).min(high);
        }
        let next = if newton > low && newton < high && 2.0 * step.abs() <= before_last {
            newton
        } else {
            0.5 * (low + high)
        };
        if high - low <= 2.0 * f64::EPSILON * high.abs() {
            return next;
        }
        (before_last, last) = (last, (next - x).abs());
        x = next;
    }
    x
}

/// At least every other round halves the bracket, and bisection needs 53 halvings for a root of the size of the
/// bracket; a multiple root at zero is left at 1e-27 of it.
const MAX_STEPS: usize = 200;

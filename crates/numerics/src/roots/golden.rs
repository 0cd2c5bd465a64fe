//! The minimum of a function that has one.

/// A minimum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Minimum {
    /// Where.
    pub at: f64,
    /// The value there.
    pub value: f64,
}

/// Minimum of `f` between `low` and `high`, where it has one, by golden section until the interval is no longer than
/// `width` (Kiefer 1953). The first error of `f` ends the search.
///
/// A minimum is flat: half of the digits of its place give all of those of its value, so a `width` under 1e-8 of the
/// interval gains nothing. One evaluation shortens the interval to 0.618 of itself.
pub fn golden_section<E>(
    (mut low, mut high): (f64, f64),
    width: f64,
    mut f: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Minimum, E> {
    let ratio = 0.5 * (5.0f64.sqrt() - 1.0);
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut fa, mut fb) = (f(a)?, f(b)?);
    // 110 of them shorten any interval to the rounding of its ends.
    for _ in 0..MAX_STEPS {
        if high - low <= width || a >= b {
            break;
        }
        if fa <= fb {
            (high, b, fb) = (b, a, fa);
            a = high - ratio * (high - low);
            fa = f(a)?;
        } else {
            (low, a, fa) = (a, b, fb);
            b = low + ratio * (high - low);
            fb = f(b)?;
        }
    }
    let (at, value) = if fa <= fb { (a, fa) } else { (b, fb) };
    Ok(Minimum { at, value })
}

const MAX_STEPS: usize = 110;

//! Level crossings of a function that is known to change no faster than a given rate.

/// First time in [`from`, `limit`] from which `f` lies above (or below) `level`, ∞ if none; and whether it was found, or the
/// search only came so far.
///
/// A step of |f − level| / rate cannot jump over a crossing. Steps are kept above 1e-7 of `scale`, so a
/// touch of the level shorter than that may be passed over; the excess it could build up is of order 1e-14 of the
/// variation of `f`, below what decides an event.
pub(crate) fn beyond(
    f: impl Fn(f64) -> f64,
    rate: f64,
    from: f64,
    level: f64,
    above: bool,
    limit: f64,
    scale: f64,
) -> (f64, bool) {
    let excess = |t: f64| if above { f(t) - level } else { level - f(t) };
    let shortest = 1e-7 * scale;
    let mut lo = from;
    let mut value = excess(lo);
    if value > 0.0 {
        return (from, true);
    }
    // A million shortest steps cover a tenth of the scale; a search that needs more returns where it is.
    for _ in 0..1_000_000 {
        let hi = lo + (-value / rate).max(shortest);
        if !hi.is_finite() || lo > limit {
            return (f64::INFINITY, true);
        }
        value = excess(hi);
        if value > 0.0 {
            return (bisect(&excess, lo, hi), true);
        }
        lo = hi;
    }
    (lo, false)
}

/// The later end of the last bracket, so that the excess found there is positive.
fn bisect(excess: &impl Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
    for _ in 0..100 {
        let mid = 0.5 * (lo + hi);
        if mid <= lo || mid >= hi {
            break;
        }
        if excess(mid) > 0.0 {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    hi
}

//! Level crossings of a function that is known to change no faster than a given rate.

use klast_numerics::roots::bisect;

/// First time in [`from`, `limit`] from which `f` lies above (or below) `level`, ∞ if none; and whether it was found,
/// or the search only came so far.
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
            // The later end: the excess found there is positive.
            return (bisect(lo, hi, 100, |t| excess(t) > 0.0).1, true);
        }
        lo = hi;
    }
    (lo, false)
}

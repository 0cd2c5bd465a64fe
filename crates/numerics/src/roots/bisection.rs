//! Bisection of a condition.

use std::convert::Infallible;

/// Where a condition that does not hold at `low` and holds at `high` begins to: (the last point at which it was seen
/// not to hold, the first at which it holds), after `halvings` of the interval or when no double lies between the two.
///
/// The ends themselves are not looked at; 1,100 halvings end at two neighbouring doubles from any interval, 60 from one
/// whose change lies away from zero. `low` may be above `high`.
///
/// ```
/// let (before, after) = klast_numerics::roots::bisect(0.0, 2.0, 60, |x| x * x >= 2.0);
/// assert!(before * before < 2.0 && after * after >= 2.0 && after == before.next_up());
/// ```
pub fn bisect(
    low: f64,
    high: f64,
    halvings: u32,
    mut holds: impl FnMut(f64) -> bool,
) -> (f64, f64) {
    match try_bisect(low, high, halvings, |x| Ok::<_, Infallible>(holds(x))) {
        Ok(ends) => ends,
        Err(never) => match never {},
    }
}

/// [`bisect`] with a condition that may fail to be told; its first error ends the search.
pub fn try_bisect<E>(
    mut low: f64,
    mut high: f64,
    halvings: u32,
    mut holds: impl FnMut(f64) -> Result<bool, E>,
) -> Result<(f64, f64), E> {
    for _ in 0..halvings {
        let middle = 0.5 * (low + high);
        if middle == low || middle == high {
            break;
        }
        if holds(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok((low, high))
}

//! The first zero of a short power series inside a step.

use super::base::ORDER;
use super::series::{horner, with_rate};
use klast_numerics::roots::{bisect, newton};

/// Looks per step. The terms of a step fall by about e² a power, so the function is close to a polynomial of degree
/// three or four there.
const SAMPLES_PER_STEP: usize = 8;

/// The first time in (0, `end`] at which the polynomial, not negative at 0, comes down to zero; a touch from above
/// counts.
pub(super) fn first_descent(c: &[f64], end: f64) -> Option<f64> {
    let (first, others) = c.split_first()?;
    let mut power = 1.0;
    let mut most = 0.0;
    for term in others {
        power *= end;
        most += term.abs() * power;
    }
    if *first > most {
        return None;
    }
    let (mut times, mut values, mut rates) = (
        [end; SAMPLES_PER_STEP],
        [0.0; SAMPLES_PER_STEP],
        [0.0; SAMPLES_PER_STEP],
    );
    for (i, time) in times.iter_mut().enumerate().take(SAMPLES_PER_STEP - 1) {
        *time = end * (i as f64 + 1.0) / SAMPLES_PER_STEP as f64;
    }
    for term in c.iter().rev() {
        for ((value, rate), time) in values.iter_mut().zip(&mut rates).zip(&times) {
            *rate = *rate * time + *value;
            *value = *value * time + term;
        }
    }
    let mut low = (0.0, others.first().copied().unwrap_or(0.0));
    for ((&time, &value), &rate) in times.iter().zip(&values).zip(&rates) {
        if value <= 0.0 {
            return Some(descend(c, low.0, time));
        }
        // A slope that turns from falling to rising hides a dip between two looks.
        if low.1 < 0.0 && rate > 0.0 {
            let bottom = lowest(c, low.0, time);
            if horner(c, bottom) <= 0.0 {
                return Some(descend(c, low.0, bottom));
            }
        }
        low = (time, rate);
    }
    None
}

/// The stationary point between two times where the slope changes from falling to rising.
fn lowest(c: &[f64], low: f64, high: f64) -> f64 {
    let mut rate = [0.0; ORDER];
    let rate = &mut rate[..c.len() - 1];
    for (k, (rate, term)) in rate.iter_mut().zip(&c[1..]).enumerate() {
        *rate = (k + 1) as f64 * term;
    }
    // Fifty halvings reach the last bits of any step.
    let (before, after) = bisect(low, high, 50, |time| horner(rate, time) >= 0.0);
    0.5 * (before + after)
}

/// The zero between a time where the polynomial is not negative and one where it is not positive.
fn descend(c: &[f64], low: f64, high: f64) -> f64 {
    newton((low, high), 0.5 * (low + high), false, |time| {
        with_rate(c, time)
    })
}

#[cfg(test)]
mod tests {
    use super::first_descent;

    #[test]
    fn finds_the_first_of_two_close_zeros() {
        // (t − 0.4)(t − 0.401) is positive at all eight looks of [0, 1].
        let found = first_descent(&[0.4 * 0.401, -0.801, 1.0], 1.0);
        assert!((found.unwrap_or(f64::NAN) - 0.4).abs() < 1e-12);
    }

    #[test]
    fn a_function_that_stays_positive_has_none() {
        assert_eq!(first_descent(&[0.4 * 0.401 + 1e-6, -0.801, 1.0], 1.0), None);
        assert_eq!(first_descent(&[1.0, 2.0, -0.5], 1.0), None);
        assert_eq!(first_descent(&[], 1.0), None);
    }

    #[test]
    fn the_last_hop_keeps_its_relative_accuracy() {
        let found = first_descent(&[1e-9, -3.0, 1.0], 1e-3);
        let exact = 1e-9 / 3.0;
        assert!((found.unwrap_or(f64::NAN) / exact - 1.0).abs() < 1e-9);
    }
}

//! Polynomials of a fixed number of terms, and the first time at which one falls below zero.

use crate::kernel::ORDER;

pub(super) const TERMS: usize = ORDER + 1;

/// Coefficients by powers of the time from the start of the arc.
pub(super) type Poly = [f64; TERMS];

/// k (k − 1).
pub(super) fn falling(k: usize) -> f64 {
    (k * (k - 1)) as f64
}

/// Term of order `k` of a product.
pub(super) fn term(k: usize, a: &Poly, b: &Poly) -> f64 {
    (0..=k).map(|j| a[j] * b[k - j]).sum()
}

/// Term of order `k` of a product of which the first factor has a number of terms.
pub(super) fn short_term(k: usize, (a, terms): (&Poly, usize), b: &Poly) -> f64 {
    (0..terms.min(k + 1)).map(|j| a[j] * b[k - j]).sum()
}

/// Bound of the change of `p` in a time `h`: the sum of the sizes of its terms.
pub(super) fn reach(p: &[f64], h: f64) -> f64 {
    let (mut sum, mut power) = (0.0, 1.0);
    for c in p.iter().skip(1) {
        power *= h;
        sum += c.abs() * power;
    }
    sum
}

pub(super) fn mix(a: &Poly, x: f64, b: &Poly, y: f64) -> Poly {
    std::array::from_fn(|k| x * a[k] + y * b[k])
}

/// `factor` times the derivative.
pub(super) fn rate_of(p: &Poly, factor: f64) -> Poly {
    std::array::from_fn(|k| {
        p.get(k + 1)
            .map_or(0.0, |next| factor * (k + 1) as f64 * next)
    })
}

/// ∫ a b dτ from 0 to `h`.
pub(super) fn integral(a: &Poly, b: &Poly, h: f64) -> f64 {
    let mut sum = 0.0;
    for i in (0..TERMS).rev() {
        let inner = (0..TERMS)
            .rev()
            .fold(0.0, |sum, j| sum * h + b[j] / (i + j + 1) as f64);
        sum = sum * h + a[i] * inner;
    }
    sum * h
}

pub(super) fn value(p: &[f64], tau: f64) -> f64 {
    p.iter().rev().fold(0.0, |sum, c| sum * tau + c)
}

pub(super) fn slope(p: &[f64], tau: f64) -> f64 {
    let terms = p.iter().enumerate().skip(1).rev();
    terms.fold(0.0, |sum, (k, c)| sum * tau + k as f64 * c)
}

/// First τ in [0, h] at which `p` falls below zero; of its leading coefficients those within `noise` are none.
///
/// What is left after the leading zeros, r, is above zero at first. With M ≥ |r″| on the step, r stays above zero until
/// r + r′δ − Mδ²/2 does, so no zero is jumped over, and near one the steps are Newton's from the left.
pub(super) fn first_fall(p: &[f64], h: f64, noise: &[f64]) -> Option<f64> {
    let pairs = p.iter().zip(noise).enumerate();
    // A value above zero, however small, has its own zero; a rate within the noise does not tell where it leads.
    let none = |(k, (c, least)): &(usize, (&f64, &f64))| {
        **c >= -**least && (**c <= 0.0 || (*k > 0 && **c <= **least))
    };
    let lead = pairs.take_while(none).count();
    let zeros = p[lead..].iter().take_while(|c| **c == 0.0).count();
    let r = &p[lead + zeros..];
    let first = *r.first()?;
    if first < 0.0 {
        return Some(0.0);
    }
    if first > reach(r, h) {
        return None;
    }
    let (mut bend, mut power) = (0.0, 1.0);
    for (k, c) in r.iter().enumerate().skip(2) {
        bend += falling(k) * c.abs() * power;
        power *= h;
    }
    let mut tau = 0.0;
    for _ in 0..MOST_STEPS {
        let (f, d) = (value(r, tau), slope(r, tau));
        if f <= 0.0 {
            return Some(tau);
        }
        let root = (d * d + 2.0 * bend * f).sqrt();
        let mut delta = 2.0 * f / (root - d);
        if d > 0.0 && 2.0 * bend * f < 1e-8 * d * d {
            // The difference of nearly equal numbers would skip the step.
            delta = (root + d) / bend;
        }
        // A step that is no number, of a condition without any change, reaches the end as well.
        if (tau + delta).max(0.0) >= h || delta.is_nan() {
            return (value(r, h) < 0.0).then_some(h);
        }
        tau += delta;
        if delta <= 2.0 * f64::EPSILON * tau {
            return Some(tau);
        }
    }
    Some(tau)
}

/// Steps of the search for a zero; a handful is usual, a near miss takes some tens.
const MOST_STEPS: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_zero_is_found_and_none_is_jumped_over() {
        // (τ − 1)(τ − 1.001)(τ − 3) (−1): falls at 3 only if the dip at 1 were missed; positive before 1
        let roots = [1.0, 1.001, 3.0];
        let mut p = [0.0; TERMS];
        p[0] = 1.0;
        for root in roots {
            for k in (0..TERMS).rev() {
                p[k] = (if k > 0 { p[k - 1] } else { 0.0 }) - root * p[k];
            }
        }
        let p = p.map(|c| -c);
        let tau = first_fall(&p, 5.0, &[]).unwrap();
        assert!((tau - 1.0).abs() < 1e-12, "{tau}");
        // a touch from above is no fall
        let touch = {
            let mut p = [0.0; TERMS];
            (p[0], p[1], p[2]) = (1.0 + 1e-9, -2.0, 1.0);
            p
        };
        assert_eq!(first_fall(&touch, 5.0, &[]), None);
        // starts above zero by a rounding, rises, and falls at 2
        let mut low = [0.0; TERMS];
        (low[0], low[1], low[2]) = (1e-19, 2.0, -1.0);
        let tau = first_fall(&low, 5.0, &[]).unwrap();
        assert!((tau - 2.0).abs() < 1e-12, "{tau}");
        // starts at zero, rises, and falls at 2
        let mut arch = [0.0; TERMS];
        (arch[1], arch[2]) = (2.0, -1.0);
        assert_eq!(first_fall(&arch, 5.0, &[0.0]), Some(2.0));
    }
}

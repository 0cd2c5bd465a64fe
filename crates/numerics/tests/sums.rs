//! Sums and products against whole numbers, which are exact.

use klast_numerics::{CompensatedSum, DoubleDouble, dot};
use proptest::prelude::*;

/// m 2^e with |m| < 2^40.
fn scaled() -> impl Strategy<Value = (i64, i32)> {
    (-(1i64 << 40)..(1i64 << 40), -30i32..30)
}

fn value((m, e): (i64, i32)) -> f64 {
    m as f64 * libm::exp2(f64::from(e))
}

/// In units of 2^-30.
fn exact((m, e): (i64, i32)) -> i128 {
    i128::from(m) << (e + 30)
}

const UNIT: f64 = 9.313_225_746_154_785e-10; // 2^-30

proptest! {
    #[test]
    fn a_sum_is_rounded_once(terms in prop::collection::vec(scaled(), 0..200)) {
        let sum: CompensatedSum = terms.iter().map(|t| value(*t)).collect();
        let all: i128 = terms.iter().map(|t| exact(*t)).sum();
        let size: f64 = terms.iter().map(|t| value(*t).abs()).sum();
        let nearest = all as f64 * UNIT;
        // One rounding of the result, and 200 of the carried part, which is below 200 ε of the size.
        let near = f64::EPSILON * nearest.abs() + 200.0 * 200.0 * f64::EPSILON * f64::EPSILON * size;
        prop_assert!((sum.value() - nearest).abs() <= near, "{} {nearest}", sum.value());
    }

    #[test]
    fn a_product_of_two_lists_is_rounded_once(terms in prop::collection::vec((-(1i64 << 50)..(1i64 << 50), -(1i64 << 50)..(1i64 << 50)), 0..60)) {
        let (a, b): (Vec<f64>, Vec<f64>) = terms.iter().map(|(a, b)| (*a as f64, *b as f64)).unzip();
        let all: i128 = terms.iter().map(|(a, b)| i128::from(*a) * i128::from(*b)).sum::<i128>() + 7;
        let size: f64 = terms.iter().map(|(a, b)| (*a as f64 * *b as f64).abs()).sum();
        let near = f64::EPSILON * (all as f64).abs() + 60.0 * 60.0 * f64::EPSILON * f64::EPSILON * size;
        prop_assert!((dot(&a, &b, 7.0) - all as f64).abs() <= near);
    }

    /// Sums are exact; products are right to 2^-104 of themselves.
    #[test]
    fn two_doubles_hold_what_whole_numbers_say(a in scaled(), b in scaled(), c in scaled()) {
        let whole = |x: DoubleDouble| (x.high / UNIT) as i128 + (x.low / UNIT) as i128;
        let sum = DoubleDouble::sum(value(a), value(b));
        prop_assert_eq!(whole(sum), exact(a) + exact(b));
        let back = sum - DoubleDouble::new(value(b));
        prop_assert_eq!(whole(back), exact(a));
        prop_assert_eq!(back.renormalized().value(), value(a));
        prop_assert_eq!(whole(sum.half() + sum.half()), exact(a) + exact(b));
        // Factors of 40 digits: the product fits in 80, so none is lost.
        let (p, q) = (a.0 as f64, c.0 as f64);
        let product = DoubleDouble::product(p, q);
        prop_assert_eq!(product.high as i128 + product.low as i128, i128::from(a.0) * i128::from(c.0));
        let mut kept = DoubleDouble::new(p) * q;
        kept += DoubleDouble::new(-(p * q));
        prop_assert_eq!(kept.value() as i128, i128::from(a.0) * i128::from(c.0) - (p * q) as i128);
    }
}

/// (√2)² from a root refined once: 2 to 30 digits.
#[test]
fn thirty_digits() {
    let root = DoubleDouble::new(2f64.sqrt());
    let rest = DoubleDouble::new(2.0) - root * root;
    let root = root + DoubleDouble::new(rest.value() / (2.0 * root.value()));
    let miss = root * root - DoubleDouble::new(2.0);
    assert!(miss.value().abs() < 1e-31, "{:e}", miss.value());
}

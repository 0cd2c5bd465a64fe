//! Roots by bracketing.

use super::super::wide::Wide;

/// First time in (from, to] at which `f` (value, rate) falls below zero, given both at the ends.
pub fn falls(
    f: impl Fn(Wide) -> (Wide, Wide),
    from: Wide,
    to: Wide,
    (f0, d0): (Wide, Wide),
    (f1, d1): (Wide, Wide),
) -> Option<Wide> {
    if f1.is_negative() {
        return Some(root(&f, from, to));
    }
    // It may dip between the ends: look at the lowest point, as long as the rates at both sides of it let it lie
    // below zero.
    let (mut lo, mut hi) = ((from, f0, d0), (to, f1, d1));
    for _ in 0..250 {
        let reach = (lo.2.abs() + hi.2.abs()) * (hi.0 - lo.0);
        if !lo.2.is_negative() || !hi.2.is_positive() || lo.1.min(hi.1) > reach {
            return None;
        }
        let mid = (lo.0 + hi.0).half();
        let (value, rate) = f(mid);
        if value.is_negative() {
            return Some(root(&f, from, mid));
        }
        if rate.is_negative() {
            lo = (mid, value, rate);
        } else {
            hi = (mid, value, rate);
        }
    }
    None
}

/// Root of `f` in a bracket that ends below zero: Newton with the rate in double precision, halving where that leaves
/// it.
fn root(f: impl Fn(Wide) -> (Wide, Wide), from: Wide, to: Wide) -> Wide {
    let (mut lo, mut hi) = (from, to);
    let mut x = hi;
    for round in 0..600 {
        let (value, rate) = f(x);
        if value.is_negative() {
            hi = x;
        } else {
            lo = x;
        }
        let step = value.to_f64() / rate.to_f64();
        let newton = if step.is_finite() && step.abs() < 1e6 {
            x - Wide::of(step)
        } else {
            lo
        };
        let next = if newton > lo && newton < hi && round % 8 != 7 {
            newton
        } else {
            (lo + hi).half()
        };
        if (next - x).abs() <= Wide::power(236) || hi - lo <= Wide::power(236) {
            return next;
        }
        x = next;
    }
    x
}

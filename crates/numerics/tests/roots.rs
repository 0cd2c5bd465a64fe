//! Roots against closed forms, on functions that are hard on each method.

use klast_numerics::roots::{
    Crossing, bisect, chandrupatla, first_crossing, golden_section, newton, try_bisect,
};
use proptest::prelude::*;
use std::cell::Cell;
use std::convert::Infallible;

type Function = Box<dyn Fn(f64) -> (f64, f64)>;

/// Families with a known root r: smooth, steep, flat and kinked, with their slopes.
fn families(r: f64) -> [Function; 6] {
    [
        Box::new(move |x| (x - r, 1.0)),
        Box::new(move |x| ((x - r).powi(3), 3.0 * (x - r).powi(2))),
        Box::new(move |x| ((x - r).powi(9), 9.0 * (x - r).powi(8))),
        Box::new(move |x| {
            (
                libm::expm1(20.0 * (x - r)),
                20.0 * libm::exp(20.0 * (x - r)),
            )
        }),
        Box::new(move |x| {
            (
                libm::atan(1e6 * (x - r)),
                1e6 / (1.0 + (1e6 * (x - r)).powi(2)),
            )
        }),
        // a jump with a slope that says nothing
        Box::new(move |x| (if x < r { -1.0 } else { 1e-9 + (x - r) }, f64::NAN)),
    ]
}

proptest! {
    #[test]
    fn each_bracketing_method_finds_the_root_and_ends(
        r in -3.0f64..3.0, left in 0.001f64..4.0, right in 0.001f64..4.0, turned in any::<bool>(), place in 0.0f64..1.0,
    ) {
        let sign = if turned { -1.0 } else { 1.0 };
        let (low, high) = (r - left, r + right);
        for (kind, f) in families(r).iter().enumerate() {
            let rounds = Cell::new(0);
            let value = |x: f64| { rounds.set(rounds.get() + 1); sign * f(x).0 };
            let found = chandrupatla((low, value(low)), (high, value(high)), 0.0, value);
            // A power underflows to zero within a neighbourhood of its root.
            let near = 4.0 * f64::EPSILON * r.abs() + if kind == 2 { 1e-34 } else { 1e-100 };
            prop_assert!((found.best - r).abs() <= near, "chandrupatla {kind}: {} for {r}", found.best);
            // A jump at zero is approached through all exponents.
            prop_assert!(rounds.get() <= 200 || r.abs() < 1e-3, "chandrupatla {kind}: {} rounds for {r} in {low} {high} {turned}", rounds.get());
            let ends = (value(found.before), value(found.after));
            prop_assert!(ends.0 * value(low) >= 0.0 && ends.1 * value(high) >= 0.0);

            rounds.set(0);
            let both = |x: f64| { rounds.set(rounds.get() + 1); let (y, d) = f(x); (sign * y, sign * d) };
            let root = newton((low, high), low + place * (high - low), !turned, both);
            // A step of two roundings at a root of multiplicity m is m times as far from it. Two hundred rounds halve
            // at least every other time: 1e-27 of the bracket, at worst, where a multiple root is zero.
            let multiplicity = [1.0, 3.0, 9.0].get(kind).copied().unwrap_or(1.0);
            let near = (near * multiplicity).max(1e-27);
            prop_assert!((root - r).abs() <= near, "newton {kind}: {root} for {r}");
            prop_assert!(rounds.get() <= 200, "newton {kind}: {} rounds", rounds.get());

            let (before, after) = bisect(low, high, 1100, |x| f(x).0 >= 0.0);
            prop_assert!(f(before).0 < 0.0 && f(after).0 >= 0.0);
            prop_assert!(after == before.next_up() || after - before <= f64::MIN_POSITIVE);
        }
    }

    /// Smooth functions, as events along a flight are: few evaluations.
    #[test]
    fn smooth_roots_take_few_evaluations(omega in 0.5f64..4.0, phase in 0.1f64..1.4) {
        // cos(ω x + φ) falls through zero once in [0, (π − φ)/ω].
        let exact = (std::f64::consts::FRAC_PI_2 - phase) / omega;
        let end = (std::f64::consts::PI - phase) / omega;
        let rounds = Cell::new(0);
        let f = |x: f64| { rounds.set(rounds.get() + 1); libm::cos(omega * x + phase) };
        let found = chandrupatla((0.0, f(0.0)), (end, f(end)), 0.0, f).best;
        // The phase is known to a rounding of about 1.6.
        prop_assert!((found - exact).abs() < 1e-15 / omega + 4.0 * f64::EPSILON * exact);
        prop_assert!(rounds.get() <= 24, "{}", rounds.get());
        rounds.set(0);
        let with_slope = |x: f64| (f(x), -omega * libm::sin(omega * x + phase));
        let found = newton((0.0, end), 0.5 * end, false, with_slope);
        prop_assert!((found - exact).abs() < 1e-15 / omega + 4.0 * f64::EPSILON * exact);
        prop_assert!(rounds.get() <= 10, "{}", rounds.get());
    }

    #[test]
    fn a_minimum_of_known_place(at in -2.0f64..2.0, left in 0.1f64..3.0, right in 0.1f64..3.0, steep in 0.1f64..9.0) {
        let f = |x: f64| Ok::<_, Infallible>(libm::cosh(steep * (x - at)));
        let Ok(found) = golden_section((at - left, at + right), 1e-7, f);
        // A minimum is flat: values differ by a rounding within 2e-8 over the steepness.
        prop_assert!((found.at - at).abs() <= 1e-7 + 3e-8 / steep);
        prop_assert_eq!(Ok(found.value), f(found.at));
    }

    /// Against a scan of every look.
    #[test]
    fn the_first_crossing_is_the_first(values in prop::collection::vec(-3i32..4, 2..20)) {
        for crossing in [Crossing::Rising, Crossing::Falling, Crossing::Any] {
            let at = |x: f64| f64::from(values[x as usize]);
            let looks = (1..values.len()).map(|i| i as f64);
            let found = first_crossing((0.0, at(0.0)), looks, crossing, at);
            let expected = values.windows(2).position(|w| match crossing {
                Crossing::Rising => w[0] < 0 && w[1] >= 0,
                Crossing::Falling => w[0] > 0 && w[1] <= 0,
                Crossing::Any => (w[0] < 0 && w[1] >= 0) || (w[0] > 0 && w[1] <= 0),
            });
            prop_assert_eq!(found.map(|f| f.0.0 as usize), expected);
        }
    }
}

#[test]
fn an_error_of_the_condition_ends_the_search() {
    let mut looks = 0;
    let ended = try_bisect(0.0, 1.0, 50, |_| {
        looks += 1;
        if looks == 3 { Err("no") } else { Ok(true) }
    });
    assert_eq!((ended, looks), (Err("no"), 3));
}

#[test]
fn what_is_no_bracket_ends_too() {
    for bad in [f64::NAN, f64::INFINITY, 1.0] {
        assert!(chandrupatla((0.0, bad), (1.0, bad), 0.0, |_| bad).best >= 0.0);
        assert!((0.0..=1.0).contains(&newton((0.0, 1.0), 0.3, true, |_| (bad, bad))));
    }
    assert_eq!(bisect(1.0, 1.0, 60, |_| true), (1.0, 1.0));
    let Ok(empty) = golden_section((1.0, 1.0), 0.0, Ok::<_, Infallible>);
    assert_eq!(empty.at, 1.0);
}

#[test]
fn an_interval_may_run_downwards() {
    let (before, after) = bisect(2.0, 0.0, 1100, |x| x * x <= 2.0);
    assert!(before * before > 2.0 && after * after <= 2.0 && after == before.next_down());
}

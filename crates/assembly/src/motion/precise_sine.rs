//! Sines in two parts: a wall must be as sharp as the blocks that meet it.

use klast_numerics::DoubleDouble;

/// π/2 in three parts.
const QUARTER: [f64; 3] = [
    std::f64::consts::FRAC_PI_2,
    6.123_233_995_736_766e-17,
    -1.497_384_904_859_183_3e-33,
];

const SIXTH: DoubleDouble = DoubleDouble::from_parts(1.0 / 6.0, 9.251_858_538_542_97e-18);
const PART_24: DoubleDouble = DoubleDouble::from_parts(1.0 / 24.0, 2.312_964_634_635_742_7e-18);
const PART_120: DoubleDouble = DoubleDouble::from_parts(1.0 / 120.0, 1.156_482_317_317_871_4e-19);

/// What a step of time adds, in two parts: `velocity` = v(t+τ) − v(t), `rest` = x(t+τ) − x(t) − v(t) τ.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Step {
    pub(super) rest: DoubleDouble,
    pub(super) velocity: DoubleDouble,
}

/// Step of x = amplitude · sin(phase) over `tau`, as `harmonic::increment`: no digit is lost however short it is.
pub(super) fn sine_step(amplitude: f64, omega: f64, phase: f64, tau: DoubleDouble) -> Step {
    let turn = tau * omega;
    let (sin, cos) = sine_cosine(DoubleDouble::new(phase));
    let half_sin = sine(turn.half());
    let one_less_cos = half_sin * half_sin * 2.0;
    let less = sine_less_angle(turn);
    Step {
        rest: (cos * less - sin * one_less_cos) * amplitude,
        velocity: (cos * one_less_cos + sin * (turn + less)) * -(amplitude * omega),
    }
}

pub(super) fn sine_cosine(phase: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
    (
        sine(phase),
        sine(phase + DoubleDouble::from_parts(QUARTER[0], QUARTER[1])),
    )
}

/// sin δ − δ; of a small angle by the series alone, as the difference would cancel.
fn sine_less_angle(angle: DoubleDouble) -> DoubleDouble {
    let angle = angle.renormalized();
    if angle.high.abs() > std::f64::consts::FRAC_PI_4 {
        return sine(angle) - angle;
    }
    let square = angle * angle;
    angle * (square * bend(square, SIXTH, PART_120, tail(square.high, SINE)))
}

/// What of a series in x² stands behind 1 + x²: −`second` + `third` x² + `tail` x⁴, the last in one part.
fn bend(
    square: DoubleDouble,
    second: DoubleDouble,
    third: DoubleDouble,
    tail: f64,
) -> DoubleDouble {
    (third + DoubleDouble::new(square.high * tail)) * square - second
}

/// sin of a phase to 1e-19, as long as the phase has so many digits itself.
///
/// Whole quarters are taken out, and of the series of the rest (at most π/4) the first three terms are in two parts,
/// those below 4e-4 in one.
pub(super) fn sine(phase: DoubleDouble) -> DoubleDouble {
    // Added and taken away it leaves the nearest whole number.
    const WHOLE: f64 = 1.5 / f64::EPSILON;
    let quarters = (phase.high * std::f64::consts::FRAC_2_PI + WHOLE) - WHOLE;
    let whole = DoubleDouble::product(quarters, QUARTER[0])
        + DoubleDouble::product(quarters, QUARTER[1])
        + DoubleDouble::new(quarters * QUARTER[2]);
    let rest = (phase - whole).renormalized();
    let square = rest * rest;
    let q = square.high;
    let series = |second: DoubleDouble, third: DoubleDouble, tail: f64| {
        DoubleDouble::new(1.0) + square * bend(square, second, third, tail)
    };
    let quarter = quarters as i64 & 3;
    let value = if quarter % 2 == 0 {
        rest * series(SIXTH, PART_120, tail(q, SINE))
    } else {
        series(DoubleDouble::new(0.5), PART_24, tail(q, COSINE))
    };
    if quarter < 2 { value } else { -value }
}

/// Terms of the seventh order on of the sine, and of the sixth of the cosine, over that power: −1/7!, 1/9!, ….
const SINE: [f64; 7] = [
    -1.0 / 5040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
    -1.0 / 121_645_100_408_832_000.0,
];
const COSINE: [f64; 7] = [
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
    -1.0 / 6_402_373_705_728_000.0,
];

/// Σ terms[k] q^k.
fn tail(q: f64, terms: [f64; 7]) -> f64 {
    terms.iter().rev().fold(0.0, |sum, term| sum * q + term)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sines of doubles to 40 digits, by multi-precision arithmetic.
    #[test]
    fn sines_keep_nineteen_digits() {
        for (phase, [high, low]) in [
            (0.1, [0.09983341664682815, 3.08001512929492e-18]),
            (
                std::f64::consts::FRAC_PI_4,
                [0.7071067811865475, 4.1036934489363755e-17],
            ),
            (0.8, [0.7173560908995228, 1.1851419720716684e-18]),
            (std::f64::consts::FRAC_PI_2, [1.0, -1.874699728327322e-33]),
            (2.2, [0.8084964038195901, -1.2844576299244281e-17]),
            (3.0, [0.1411200080598672, 8.577269787017502e-18]),
            (3.9, [-0.6877661591839738, 1.5083047367257956e-17]),
            (5.1, [-0.9258146823277325, 2.0963097629913887e-17]),
            (
                std::f64::consts::TAU,
                [-2.4492935982947064e-16, 5.9895396194366814e-33],
            ),
            (-1.3, [-0.963558185417193, -1.8247650480909386e-17]),
            (1000.7, [0.9947269042801506, 2.495078406143343e-17]),
            (12345678.9, [-0.8973068124812599, 4.1345097071514703e-17]),
        ] {
            let error =
                (sine(DoubleDouble::new(phase)) - DoubleDouble::from_parts(high, low)).value();
            // One rounding of the first term in one part, 3e-4 of a cosine.
            assert!(error.abs() < 1e-19, "{phase}: {error:e}");
        }
    }

    /// sin τ − τ and 1 − cos τ to 40 digits, by multi-precision arithmetic: short steps keep their digits.
    #[test]
    fn short_steps_keep_all_digits() {
        for (tau, less, one) in [
            (
                1e-06,
                [-1.6666666666665832e-19, 6.137172881377897e-36],
                [4.999999999999583e-13, 4.810149495562975e-31],
            ),
            (
                0.001,
                [-1.6666665833333355e-10, 5.6979554413661525e-27],
                [4.999999583333347e-07, 3.058332168119643e-23],
            ),
            (
                0.3,
                [-0.0044797933386604245, 1.0076077903606229e-19],
                [0.04466351087439398, -3.0223687446409697e-19],
            ),
            (
                0.7,
                [-0.05578231276230894, 2.8740567927338755e-18],
                [0.23515781271551153, 1.2382228724593468e-17],
            ),
            (
                2.2,
                [-1.39150359618041, -1.2844576299244281e-17],
                [1.5885011172553458, 3.406189530655746e-17],
            ),
        ] {
            let across = sine_step(1.0, 1.0, 0.0, DoubleDouble::new(tau));
            let [high, low] = less;
            let error = (across.rest - DoubleDouble::from_parts(high, low)).value();
            assert!(error.abs() < 1e-19 * high.abs(), "{tau}: {error:e}");
            let [high, low] = one;
            let error = (across.velocity + DoubleDouble::from_parts(high, low)).value();
            // A sine to 1e-19 of itself, twice.
            assert!(error.abs() < 3e-19 * high.abs(), "{tau}: {error:e}");
        }
    }
}

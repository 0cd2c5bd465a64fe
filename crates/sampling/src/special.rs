//! Special functions behind the distributions, on `libm` so that a sample has the same bits on every machine.

use libm::{erfc, exp, fabs, lgamma, log, sqrt};

/// Lower tail of the standard normal distribution.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// Quantile of the standard normal distribution for 0 < p < 1: Wichura, Applied Statistics 37 (1988) 477–484, algorithm
/// AS 241 (relative error about 1e-16), three rational functions by the distance of p from one half.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if fabs(q) <= 0.425 {
        let r = 0.180625 - q * q;
        return q * polynomial(&A, r) / polynomial(&B, r);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    let r = sqrt(-log(tail));
    let x = if r <= 5.0 {
        polynomial(&C, r - 1.6) / polynomial(&D, r - 1.6)
    } else {
        polynomial(&E, r - 5.0) / polynomial(&F, r - 5.0)
    };
    if q < 0.0 { -x } else { x }
}

const A: [f64; 8] = [
    3.387_132_872_796_366_5,
    133.141_667_891_784_38,
    1_971.590_950_306_551_3,
    13_731.693_765_509_46,
    45_921.953_931_549_87,
    67_265.770_927_008_7,
    33_430.575_583_588_13,
    2_509.080_928_730_122_7,
];
const B: [f64; 8] = [
    1.0,
    42.313_330_701_600_91,
    687.187_007_492_057_9,
    5_394.196_021_424_751,
    21_213.794_301_586_597,
    39_307.895_800_092_71,
    28_729.085_735_721_943,
    5_226.495_278_852_854,
];
const C: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    2.417_807_251_774_506e-1,
    2.272_384_498_926_918_4e-2,
    7.745_450_142_783_414e-4,
];
const D: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    6.897_673_349_851e-1,
    1.481_039_764_274_800_8e-1,
    1.519_866_656_361_645_7e-2,
    5.475_938_084_995_345e-4,
    1.050_750_071_644_416_9e-9,
];
const E: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    2.965_605_718_285_048_7e-1,
    2.653_218_952_657_612_4e-2,
    1.242_660_947_388_078_4e-3,
    2.711_555_568_743_487_6e-5,
    2.010_334_399_292_288_1e-7,
];
const F: [f64; 8] = [
    1.0,
    5.998_322_065_558_88e-1,
    1.369_298_809_227_358e-1,
    1.487_536_129_085_061_5e-2,
    7.868_691_311_456_133e-4,
    1.846_318_317_510_054_8e-5,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_8e-15,
];

/// Lower (or upper) regularised incomplete gamma function: series below a + 1, Lentz' continued fraction above
/// (Abramowitz and Stegun 6.5.29, 6.5.31).
pub(crate) fn gamma_tail(a: f64, x: f64, upper: bool) -> f64 {
    if x <= 0.0 {
        return if upper { 1.0 } else { 0.0 };
    }
    let front = exp(a * log(x) - x - lgamma(a));
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while fabs(term) > fabs(sum) * 1e-17 && n < a + 1e5 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        let lower = front * sum;
        return if upper { 1.0 - lower } else { lower };
    }
    let q = front * lentz(x + 1.0 - a, |i| (-i * (i - a), x + 2.0 * i + 1.0 - a));
    if upper { q } else { 1.0 - q }
}

/// 1 / (b0 + a1 / (b1 + a2 / (b2 + …))) by the modified Lentz method; `step(i)` gives (a_i, b_i).
fn lentz(b0: f64, step: impl Fn(f64) -> (f64, f64)) -> f64 {
    const TINY: f64 = 1e-300;
    let guard = |v: f64| if fabs(v) < TINY { TINY } else { v };
    let mut d = 1.0 / guard(b0);
    let (mut c, mut h) = (1.0 / TINY, d);
    for i in 1..100_000 {
        let (a, b) = step(f64::from(i));
        d = 1.0 / guard(a * d + b);
        c = guard(b + a / c);
        let factor = c * d;
        h *= factor;
        if fabs(factor - 1.0) < 1e-16 {
            break;
        }
    }
    h
}

/// Lower (or upper) regularised incomplete beta function (Abramowitz and Stegun 26.5.8), by the side on which the
/// fraction converges fast.
pub(crate) fn beta_tail(a: f64, b: f64, x: f64, upper: bool) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if (x >= 1.0) != upper { 1.0 } else { 0.0 };
    }
    let front = exp(a * log(x) + b * libm::log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b));
    let direct = x < (a + 1.0) / (a + b + 2.0);
    let value = if direct {
        front / a * beta_fraction(a, b, x)
    } else {
        front / b * beta_fraction(b, a, 1.0 - x)
    };
    if direct == upper { 1.0 - value } else { value }
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    lentz(1.0, |i| {
        let m = libm::floor(i / 2.0);
        let numerator = if i % 2.0 == 0.0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        (numerator, 1.0)
    })
}

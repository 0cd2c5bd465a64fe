//! Sine and cosine by plain arithmetic, so that a run gives the same bits on every machine.
//!
//! The angles of standing blocks are under a quarter turn: one exact-enough reduction and the minimax kernels of fdlibm
//! (Sun Microsystems 1993, `k_sin.c`, `k_cos.c`) are all that is needed. Beyond three half turns `libm` takes over.

const S: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_4e-8,
    1.589_690_995_211_55e-10,
];
const C: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_4e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

fn sin_kernel(x: f64) -> f64 {
    let z = x * x;
    x + x * z * (S[0] + z * (S[1] + z * (S[2] + z * (S[3] + z * (S[4] + z * S[5])))))
}

fn cos_kernel(x: f64) -> f64 {
    let z = x * x;
    let half = 0.5 * z;
    let w = 1.0 - half;
    w + ((1.0 - w - half)
        + z * z * (C[0] + z * (C[1] + z * (C[2] + z * (C[3] + z * (C[4] + z * C[5]))))))
}

/// (sin x, cos x).
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
    // The part of π/2 that its nearest double misses.
    const FRAC_PI_2_TAIL: f64 = 6.123_233_995_736_766e-17;
    if x.abs() <= FRAC_PI_4 {
        (sin_kernel(x), cos_kernel(x))
    } else if x.abs() <= 3.0 * FRAC_PI_4 {
        let reduced = (x.abs() - FRAC_PI_2) - FRAC_PI_2_TAIL;
        (cos_kernel(reduced).copysign(x), -sin_kernel(reduced))
    } else {
        libm::sincos(x)
    }
}

#[cfg(test)]
mod tests {
    use super::sin_cos;

    #[test]
    fn agrees_with_libm_to_an_ulp() {
        for i in -4000..=4000 {
            let x = f64::from(i) * 1e-3;
            let (sin, cos) = sin_cos(x);
            // Two roundings of values up to one.
            assert!((sin - libm::sin(x)).abs() <= 2.3e-16, "sin {x}");
            assert!((cos - libm::cos(x)).abs() <= 2.3e-16, "cos {x}");
        }
    }
}

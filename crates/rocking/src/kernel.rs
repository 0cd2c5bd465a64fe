//! The Taylor series of a flight, in lanes.
//!
//! Between two impacts the rotation is the solution of a pendulum equation whose load is a straight line or a sine, so all its
//! derivatives follow from recurrences without a single further sine (Jorba and Zou 2005, Experimental Mathematics 14, 99). The
//! series is at the same time the step, the dense output and the polynomial whose root is the impact.
//!
//! One routine serves one block (`L = 1`) and lanes of eight: the operations on each lane and their order are the same, nothing
//! is contracted to fused operations, and the sine is our own; so the bits do not depend on lanes, threads or instruction set.

// Loops run over lanes by index on several arrays at a time: the form the compiler turns into vectors.
#![allow(clippy::needless_range_loop)]

use crate::equation::Equation;

/// Highest power of the series. Near −ln(1e-16)/2 the work per time is least (Jorba and Zou 2005, section 3).
pub(crate) const ORDER: usize = 20;
const TERMS: usize = ORDER + 1;

/// Absolute size of the first neglected term that sets the step (rad).
const TRUNCATION: f64 = 1e-16;

/// Coefficients of the rotation, lane by lane: q(t + τ) = Σ c[k] τ^k.
pub(crate) type Series<const L: usize> = [[f64; L]; TERMS];

/// What a flight needs to know; all accelerations over gravity, the horizontal one times the sign of the side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flight<const L: usize> {
    /// Rotation away from the base (rad).
    pub(crate) q: [f64; L],
    /// Its rate (rad/s).
    pub(crate) v: [f64; L],
    /// p² (1/s²).
    pub(crate) p2: [f64; L],
    /// Slenderness α (rad).
    pub(crate) alpha: [f64; L],
    /// Horizontal load.
    pub(crate) horizontal: Load<L>,
    /// Vertical load.
    pub(crate) vertical: Load<L>,
}

/// value + slope τ + amplitude sin(omega τ + phase).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load<const L: usize> {
    pub(crate) value: [f64; L],
    pub(crate) slope: [f64; L],
    pub(crate) amplitude: [f64; L],
    pub(crate) omega: [f64; L],
    pub(crate) phase: [f64; L],
}

impl<const L: usize> Load<L> {
    /// No load.
    pub(crate) const NONE: Self = Self {
        value: [0.0; L],
        slope: [0.0; L],
        amplitude: [0.0; L],
        omega: [0.0; L],
        phase: [0.0; L],
    };

    #[inline(always)]
    pub(crate) fn series(&self, u: &mut Series<L>) {
        let (mut sin, mut cos) = ([0.0; L], [0.0; L]);
        for l in 0..L {
            let (s, c) = sin_cos(self.phase[l]);
            sin[l] = self.amplitude[l] * s;
            cos[l] = self.amplitude[l] * c;
        }
        // Each derivative of the sine turns (sin, cos) by a quarter; the factorial is divided out on the way.
        for (k, term) in u.iter_mut().enumerate() {
            *term = sin;
            let reciprocal = 1.0 / (k + 1) as f64;
            for l in 0..L {
                let factor = self.omega[l] * reciprocal;
                let next = cos[l] * factor;
                cos[l] = -sin[l] * factor;
                sin[l] = next;
            }
        }
        for l in 0..L {
            u[0][l] += self.value[l];
            u[1][l] += self.slope[l];
        }
    }
}

/// The series of the flight. `vertical` says whether the vertical load is present at all.
#[inline(always)]
pub(crate) fn series<const L: usize>(
    flight: &Flight<L>,
    equation: Equation,
    vertical: bool,
    c: &mut Series<L>,
) {
    let mut u = [[0.0; L]; TERMS];
    flight.horizontal.series(&mut u);
    let mut g = [[0.0; L]; TERMS];
    if vertical {
        flight.vertical.series(&mut g);
    }
    for l in 0..L {
        g[0][l] += 1.0;
    }
    let (mut s, mut k) = ([[0.0; L]; TERMS], [[0.0; L]; TERMS]);
    c[0] = flight.q;
    c[1] = flight.v;
    start_levers(flight, equation, &mut s[0], &mut k[0]);
    // w holds j c[j]: the terms of the angular velocity.
    let mut w = [[0.0; L]; TERMS];
    w[1] = flight.v;
    for order in 0..ORDER - 1 {
        if order > 0 {
            next_levers(order, flight, equation, c, &w, &mut s, &mut k);
        }
        let mut sum = if vertical {
            convolve(order, &g, &s)
        } else {
            s[order]
        };
        let load = convolve(order, &u, &k);
        let scale = 1.0 / ((order + 1) * (order + 2)) as f64;
        for l in 0..L {
            sum[l] = -flight.p2[l] * (sum[l] + load[l]) * scale;
            w[order + 2][l] = (order + 2) as f64 * sum[l];
        }
        c[order + 2] = sum;
    }
}

/// S and C at the start.
#[inline(always)]
fn start_levers<const L: usize>(
    flight: &Flight<L>,
    equation: Equation,
    s: &mut [f64; L],
    k: &mut [f64; L],
) {
    for l in 0..L {
        let (alpha, q) = (flight.alpha[l], flight.q[l]);
        (s[l], k[l]) = match equation {
            Equation::Nonlinear => sin_cos(alpha - q),
            Equation::QuasiLinear => {
                let (sin, cos) = sin_cos(alpha);
                (sin - q * cos, cos + q * sin)
            }
            Equation::Linearised => (alpha - q, 1.0),
        };
    }
}

/// Terms of order `order` of S and C from those below.
#[inline(always)]
fn next_levers<const L: usize>(
    order: usize,
    flight: &Flight<L>,
    equation: Equation,
    c: &Series<L>,
    w: &Series<L>,
    s: &mut Series<L>,
    k: &mut Series<L>,
) {
    match equation {
        Equation::Nonlinear => {
            let (mut sine, mut cosine) = ([0.0; L], [0.0; L]);
            for j in 1..=order {
                for l in 0..L {
                    sine[l] += w[j][l] * k[order - j][l];
                    cosine[l] += w[j][l] * s[order - j][l];
                }
            }
            let reciprocal = 1.0 / order as f64;
            for l in 0..L {
                s[order][l] = -sine[l] * reciprocal;
                k[order][l] = cosine[l] * reciprocal;
            }
        }
        Equation::QuasiLinear => {
            for l in 0..L {
                let (sin, cos) = sin_cos(flight.alpha[l]);
                s[order][l] = -cos * c[order][l];
                k[order][l] = sin * c[order][l];
            }
        }
        Equation::Linearised => {
            for l in 0..L {
                s[order][l] = -c[order][l];
            }
        }
    }
}

#[inline(always)]
fn convolve<const L: usize>(order: usize, a: &Series<L>, b: &Series<L>) -> [f64; L] {
    let mut sum = [0.0; L];
    for j in 0..=order {
        for l in 0..L {
            sum[l] += a[j][l] * b[order - j][l];
        }
    }
    sum
}

/// Step for which the last two terms of the series fall to the truncation error (Jorba and Zou 2005, eq. (3-6)).
#[inline(always)]
pub(crate) fn step<const L: usize>(c: &Series<L>) -> [f64; L] {
    let mut h = [0.0; L];
    for l in 0..L {
        let last = rough_root(TRUNCATION / c[ORDER][l].abs(), 1.0 / ORDER as f64);
        let before = rough_root(TRUNCATION / c[ORDER - 1][l].abs(), 1.0 / (ORDER - 1) as f64);
        h[l] = 0.9 * last.min(before);
    }
    h
}

/// x^exponent to some per cent by the bits of the double: a step size needs no more, and no transcendental enters it.
#[inline(always)]
pub(crate) fn rough_root(x: f64, exponent: f64) -> f64 {
    const ONE: f64 = 4_503_599_627_370_496.0; // 2^52
    let log2 = x.to_bits() as i64 as f64 / ONE - 1023.0;
    let bits = (log2 * exponent + 1023.0) * ONE;
    f64::from_bits(bits as i64 as u64)
}

/// Value of the series at `tau`.
#[inline(always)]
pub(crate) fn value<const L: usize>(c: &Series<L>, tau: &[f64; L]) -> [f64; L] {
    let mut sum = c[ORDER];
    for k in (0..ORDER).rev() {
        for l in 0..L {
            sum[l] = sum[l] * tau[l] + c[k][l];
        }
    }
    sum
}

/// Rate of the series at `tau`.
#[inline(always)]
pub(crate) fn rate<const L: usize>(c: &Series<L>, tau: &[f64; L]) -> [f64; L] {
    let mut sum = [0.0; L];
    for k in (1..=ORDER).rev() {
        for l in 0..L {
            sum[l] = sum[l] * tau[l] + k as f64 * c[k][l];
        }
    }
    sum
}

/// Values of one series at several times.
#[inline(always)]
pub(crate) fn values<const N: usize>(c: &Series<1>, tau: &[f64; N]) -> [f64; N] {
    let mut sum = [c[ORDER][0]; N];
    for k in (0..ORDER).rev() {
        for n in 0..N {
            sum[n] = sum[n] * tau[n] + c[k][0];
        }
    }
    sum
}

/// Value and rate of one series at `tau`, in one sweep.
#[inline(always)]
pub(crate) fn value_and_rate(c: &Series<1>, tau: f64) -> (f64, f64) {
    let (mut value, mut rate) = (c[ORDER][0], 0.0);
    for k in (0..ORDER).rev() {
        rate = rate * tau + value;
        value = value * tau + c[k][0];
    }
    (value, rate)
}

/// Sine and cosine by reduction to ±π/4 in three parts and the minimax polynomials of the Cephes library (Moshier 1989);
/// error below 2.3e-16 for |x| < 1e5, free of branches and of library calls.
#[inline(always)]
pub(crate) fn sin_cos(x: f64) -> (f64, f64) {
    const SHIFT: f64 = 6_755_399_441_055_744.0; // 1.5 · 2^52: adding it rounds to a whole number kept in the low bits
    let shifted = x * std::f64::consts::FRAC_2_PI + SHIFT;
    let quarters = shifted - SHIFT;
    let bits = shifted.to_bits();
    let z = ((x - quarters * 1.570_796_310_901_641_8) - quarters * 1.589_325_471_229_585_7e-8)
        - quarters * 6.123_233_995_736_766e-17;
    let z2 = z * z;
    let s5 = -2.505_074_776_285_780_8e-8 + z2 * 1.589_623_015_765_465_7e-10;
    let s3 = -1.984_126_982_958_954e-4 + z2 * (2.755_731_362_138_572_4e-6 + z2 * s5);
    let sine = z + z * z2 * (-1.666_666_666_666_663e-1 + z2 * (8.333_333_333_322_118e-3 + z2 * s3));
    let c5 = 2.087_570_084_197_473e-9 - z2 * 1.135_853_652_138_768_2e-11;
    let c3 = 2.480_158_728_885_170_4e-5 + z2 * (-2.755_731_417_929_674e-7 + z2 * c5);
    let c1 = 4.166_666_666_666_659e-2 + z2 * (-1.388_888_888_887_305_6e-3 + z2 * c3);
    let cosine = 1.0 - 0.5 * z2 + z2 * z2 * c1;
    let swap = bits & 1 != 0;
    let (a, b) = if swap { (cosine, sine) } else { (sine, cosine) };
    let sign_a = (bits & 2) << 62;
    let sign_b = (bits.wrapping_add(1) & 2) << 62;
    (
        f64::from_bits(a.to_bits() ^ sign_a),
        f64::from_bits(b.to_bits() ^ sign_b),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_sine_is_right_to_an_ulp() {
        let mut worst = 0.0f64;
        for i in 0..200_000 {
            let x = (i as f64 - 100_000.0) * 0.000_731 * 7.3;
            let (s, c) = sin_cos(x);
            worst = worst
                .max((s - libm::sin(x)).abs())
                .max((c - libm::cos(x)).abs());
        }
        // half an ulp of each of reduction and polynomial
        assert!(worst < 2.3e-16, "{worst:e}");
    }

    #[test]
    fn rough_root_is_good_enough_for_a_step() {
        for x in [1e-30, 3e-7, 1.0, 5.0, 7e40] {
            let ratio = rough_root(x, 0.05) / libm::pow(x, 0.05);
            assert!((0.93..1.07).contains(&ratio), "{x} {ratio}");
        }
    }
}

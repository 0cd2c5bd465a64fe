//! The Taylor series of a flight, in lanes.
//!
//! Between two impacts the rotation is the solution of a pendulum equation whose load is a straight line or a sine, so
//! all its derivatives follow from recurrences without a single further sine (Jorba and Zou 2005, Experimental
//! Mathematics 14, 99). The series is at the same time the step, the dense output and the polynomial whose root is the
//! impact.
//!
//! One routine serves one block (`L = 1`) and lanes of eight: the operations on each lane and their order are the same,
//! nothing is contracted to fused operations, and the sine is our own; so the bits do not depend on lanes, threads or
//! instruction set.

// Loops run over lanes by index on several arrays at a time: the form the compiler turns into vectors.
#![allow(clippy::needless_range_loop)]

use crate::equation::Equation;
use klast_numerics::mutant;
use klast_numerics::sin_cos;

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
                (
                    sin - q * cos,
                    cos + q * sin * mutant::factor("base-term", -1.0),
                )
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
                k[order][l] = sin * c[order][l] * mutant::factor("base-term", -1.0);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_root_is_good_enough_for_a_step() {
        for x in [1e-30, 3e-7, 1.0, 5.0, 7e40] {
            let ratio = rough_root(x, 0.05) / libm::pow(x, 0.05);
            assert!((0.93..1.07).contains(&ratio), "{x} {ratio}");
        }
    }
}

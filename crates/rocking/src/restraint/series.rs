//! The Taylor series of a flight that restrainers pull back.

use super::Arm;
use crate::kernel::{Flight, ORDER, Series};

const TERMS: usize = ORDER + 1;

type Terms = [f64; TERMS];

/// Series of the moment of one restrainer per mass, κ (1 − L₀/ℓ) (ℓ²)′/2 with its free length L₀.
struct Moment<'a> {
    arm: &'a Arm,
    square: Terms,
    slope: Terms,
    /// 1/ℓ.
    inverse: Terms,
}

impl Moment<'_> {
    /// Term `k`, from those of sin q, cos q and 1 − cos q up to `k`.
    fn term(&mut self, k: usize, sin: f64, cos: f64, versed: f64) -> f64 {
        let Arm { b, c, length, .. } = *self.arm;
        self.slope[k] = 0.5 * (b * sin - c * cos);
        let free = self.arm.free_length();
        if free == 0.0 {
            return self.arm.stiffness * self.slope[k];
        }
        self.square[k] = b * versed - c * sin;
        if k == 0 {
            self.square[0] += length * length;
            self.inverse[0] = 1.0 / self.square[0].sqrt();
        } else {
            // y w′ = −w y′/2 for w = y^(−1/2).
            let sum: f64 = (1..=k)
                .map(|j| {
                    let weight = -0.5 * j as f64 - (k - j) as f64;
                    weight * self.square[j] * self.inverse[k - j]
                })
                .sum();
            self.inverse[k] = sum / (k as f64 * self.square[0]);
        }
        self.arm.stiffness * (self.slope[k] - free * product(k, &self.slope, &self.inverse))
    }
}

fn product(k: usize, a: &Terms, b: &Terms) -> f64 {
    (0..=k).map(|j| a[j] * b[k - j]).sum()
}

fn column(series: &Series<1>) -> Terms {
    std::array::from_fn(|k| series[k][0])
}

/// The series of `flight`; the restrainers `arms` pull from its start to its end. `inertia` is that about the pivot per
/// mass (m²).
pub(super) fn series<'a>(
    flight: &Flight<1>,
    inertia: f64,
    arms: impl Iterator<Item = &'a Arm>,
) -> Series<1> {
    let mut moments: Vec<Moment<'_>> = arms
        .map(|arm| Moment {
            arm,
            square: [0.0; TERMS],
            slope: [0.0; TERMS],
            inverse: [0.0; TERMS],
        })
        .collect();
    let (mut u, mut g) = ([[0.0]; TERMS], [[0.0]; TERMS]);
    flight.horizontal.series(&mut u);
    flight.vertical.series(&mut g);
    g[0][0] += 1.0;
    let (u, g) = (column(&u), column(&g));
    let (q, p2) = (flight.q[0], flight.p2[0]);
    // Sine and cosine of α − q and of q.
    let (mut s, mut k) = ([0.0; TERMS], [0.0; TERMS]);
    let (mut sin, mut cos) = ([0.0; TERMS], [0.0; TERMS]);
    (s[0], k[0]) = libm::sincos(flight.alpha[0] - q);
    (sin[0], cos[0]) = libm::sincos(q);
    let half = libm::sin(0.5 * q);
    // The terms of the angular velocity, j times those of the rotation.
    let mut w = [0.0; TERMS];
    let mut c = [[0.0]; TERMS];
    (c[0][0], c[1][0], w[1]) = (q, flight.v[0], flight.v[0]);
    for order in 0..ORDER - 1 {
        if order > 0 {
            let of = |x: &Terms| (1..=order).map(|j| w[j] * x[order - j]).sum::<f64>();
            let by = 1.0 / order as f64;
            (s[order], k[order]) = (-of(&k) * by, of(&s) * by);
            (sin[order], cos[order]) = (of(&cos) * by, -of(&sin) * by);
        }
        let versed = if order == 0 {
            2.0 * half * half
        } else {
            -cos[order]
        };
        let pull: f64 = moments
            .iter_mut()
            .map(|m| m.term(order, sin[order], cos[order], versed))
            .sum();
        let free = p2 * (product(order, &g, &s) + product(order, &u, &k));
        let next = -(free + pull / inertia) / ((order + 1) * (order + 2)) as f64;
        c[order + 2][0] = next;
        w[order + 2] = (order + 2) as f64 * next;
    }
    c
}

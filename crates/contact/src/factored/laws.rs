//! The laws of all contacts at a point of the path, evaluated side by side.
//!
//! A law takes four roots and a dozen divisions, one after the other. In vectors those of several contacts go together, with
//! the same bits on each vector unit and as one by one.

use super::group::Row;
use super::lanes::{get, put};
use super::path::Point;
use crate::smooth::{NUMBERS, Smooth, lawful};
use pulp::{Simd, WithSimd};

/// Contacts side by side: enough for a loop that fills vectors of any width, few enough for the fastest cache.
const SIDE: usize = 32;

type Side = [f64; SIDE];
type Sides3 = [Side; 3];

/// Moves each contact by a part of its step, then evaluates its law at τ (m/s) and the softness ε.
pub(super) struct Laws<'a> {
    pub points: &'a mut [Point],
    pub rows: &'a [Row],
    pub part: f64,
    pub tau: f64,
    pub softness: f64,
}

/// What the laws of a few contacts are made from, and the laws.
struct Few {
    /// Impulse and scaled velocity where the step starts, and the step in both.
    from: [Sides3; 2],
    step: [Sides3; 2],
    z: Sides3,
    mu: Side,
    tau: Side,
    laws: [Side; NUMBERS],
}

impl WithSimd for Laws<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut few = Few {
            from: [[[0.0; SIDE]; 3]; 2],
            step: [[[0.0; SIDE]; 3]; 2],
            z: [[0.0; SIDE]; 3],
            mu: [0.0; SIDE],
            tau: [0.0; SIDE],
            laws: [[0.0; SIDE]; NUMBERS],
        };
        for (points, rows) in self.points.chunks_mut(SIDE).zip(self.rows.chunks(SIDE)) {
            few.gather(points, rows, self.tau, self.part > 0.0);
            if self.part > 0.0 {
                few.go(self.part);
            }
            few.evaluate(self.softness);
            few.scatter(points);
        }
    }
}

impl Few {
    #[inline(always)]
    fn gather(&mut self, points: &[Point], rows: &[Row], tau: f64, moves: bool) {
        for (i, (point, row)) in points.iter().zip(rows).enumerate() {
            self.mu[i] = row.mu;
            self.tau[i] = tau * row.rho;
            if moves {
                for (to, from) in [(&mut self.from, point.from), (&mut self.step, point.step)] {
                    put(&mut to[0], i, from.0);
                    put(&mut to[1], i, from.1);
                }
            } else {
                put(&mut self.z, i, point.z);
            }
        }
    }

    /// `z = r − ρ u` after a part of the step, with what the law forbids taken out of r and u first.
    #[inline(always)]
    fn go(&mut self, part: f64) {
        for i in 0..SIDE {
            let at = |k: usize| get(&self.from[k], i) + get(&self.step[k], i) * part;
            put(&mut self.z, i, lawful(at(0), at(1), self.mu[i]));
        }
    }

    #[inline(always)]
    fn evaluate(&mut self, softness: f64) {
        for i in 0..SIDE {
            let law = Smooth::new(get(&self.z, i), self.mu[i], (self.tau[i], softness));
            for (to, x) in self.laws.iter_mut().zip(law.numbers()) {
                to[i] = x;
            }
        }
    }

    #[inline(always)]
    fn scatter(&self, points: &mut [Point]) {
        for (i, point) in points.iter_mut().enumerate() {
            point.z = get(&self.z, i);
            point.law = Smooth::from_numbers(std::array::from_fn(|k| self.laws[k][i]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, Vec3Swizzles};
    use pulp::{Arch, Scalar};

    /// Contacts open and closed, sticking and sliding, with and without friction; one more than fit side by side.
    fn contacts() -> (Vec<Point>, Vec<Row>) {
        let values = [-3.0, -1e-9, 0.0, 0.7, 2.5e4];
        let grid = values
            .into_iter()
            .flat_map(|x| values.into_iter().map(move |y| DVec3::new(x, y, 0.3 - y)));
        let contact = |(k, z): (usize, DVec3)| {
            let point = Point {
                z,
                from: (z.abs(), z.yzx()),
                step: (z.zxy() * 0.1, z),
                ..Point::default()
            };
            let row = Row {
                offset: DVec3::ZERO,
                bias: DVec3::ZERO,
                mu: 0.3 * (k % 3) as f64,
                normal_gain: 1.0,
                tangent_gain: 1.0,
                coupling: [0.0; 2],
                rho: 1.0 + k as f64,
                r: DVec3::ZERO,
                group: 0,
                link: 0,
            };
            (point, row)
        };
        grid.cycle()
            .take(2 * SIDE + 1)
            .enumerate()
            .map(contact)
            .unzip()
    }

    #[test]
    fn side_by_side_the_bits_are_those_of_one_by_one() {
        let (tau, softness) = (1e-3, 1e-4);
        for part in [0.0, 0.25, 1.0] {
            let (start, rows) = contacts();
            let (mut widest, mut narrowest) = (start.clone(), start.clone());
            let laws = |points| Laws {
                points,
                rows: &rows,
                part,
                tau,
                softness,
            };
            Arch::new().dispatch(laws(&mut widest));
            laws(&mut narrowest).with_simd(Scalar::new());
            for (i, (first, row)) in start.iter().zip(&rows).enumerate() {
                let end = |k: usize| {
                    let of = |pair: (DVec3, DVec3)| [pair.0, pair.1][k];
                    of(first.from) + of(first.step) * part
                };
                let z = if part > 0.0 {
                    lawful(end(0), end(1), row.mu)
                } else {
                    first.z
                };
                let law = Smooth::new(z, row.mu, (tau * row.rho, softness));
                let bits = |z: DVec3, law: &Smooth| {
                    (
                        z.to_array().map(f64::to_bits),
                        law.numbers().map(f64::to_bits),
                    )
                };
                for point in [&widest[i], &narrowest[i]] {
                    assert_eq!(bits(point.z, &point.law), bits(z, &law), "{i} {part}");
                }
            }
        }
    }
}

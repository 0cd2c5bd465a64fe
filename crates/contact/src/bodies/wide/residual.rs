//! The residual of all contacts, many side by side: each takes two roots and three divisions, one after the other.

// The lane is an index of several arrays at once.
#![allow(clippy::needless_range_loop)]

use super::lane::{get, put};
use crate::bodies::body::BodyVelocity;
use crate::bodies::group::{Group, Row};
use crate::problem::cone::residual;
use glam::DVec3;
use pulp::{Simd, WithSimd};

/// Contacts side by side: enough for a loop that fills vectors of any width, few enough for the fastest cache.
const SIDE: usize = 32;

/// The largest residual in m/s, infinite where one is not finite.
pub(in crate::bodies) struct LargestResidual<'a> {
    pub groups: &'a [Group],
    pub rows: &'a [Row],
    pub velocities: &'a [BodyVelocity],
}

/// Contacts side by side. A lane that is not taken holds an earlier contact, or none.
struct Chunk {
    r: [[f64; SIDE]; 3],
    u: [[f64; SIDE]; 3],
    rho: [f64; SIDE],
    mu: [f64; SIDE],
}

impl WithSimd for LargestResidual<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let mut chunk = Chunk {
            r: [[0.0; SIDE]; 3],
            u: [[0.0; SIDE]; 3],
            rho: [1.0; SIDE],
            mu: [0.0; SIDE],
        };
        let (mut largest, mut taken) = (0.0, 0);
        for group in self.groups {
            let v = group.relative(self.velocities);
            for row in &self.rows[group.rows()] {
                chunk.take(taken, row, v.at(row) + row.r * row.compliance);
                taken += 1;
                if taken == SIDE {
                    (largest, taken) = (chunk.largest(largest), 0);
                }
            }
        }
        chunk.largest(largest)
    }
}

impl Chunk {
    #[inline(always)]
    fn take(&mut self, lane: usize, row: &Row, u: DVec3) {
        put(&mut self.r, lane, row.r);
        put(&mut self.u, lane, u);
        (self.rho[lane], self.mu[lane]) = (row.rho, row.mu);
    }

    /// The largest of their residuals and another one.
    #[inline(always)]
    fn largest(&self, other: f64) -> f64 {
        let mut own = [0.0; SIDE];
        for i in 0..SIDE {
            own[i] = residual(get(&self.r, i), get(&self.u, i), self.rho[i], self.mu[i]);
        }
        let mut largest = other;
        for x in own {
            largest = if x.is_finite() {
                largest.max(x)
            } else {
                f64::INFINITY
            };
        }
        largest
    }
}

//! The residual of all contacts, several side by side: two roots and three divisions each, one after the other.

// The lane is an index of several arrays at once.
#![allow(clippy::needless_range_loop)]

use super::NodeVelocity;
use super::group::{Group, Row};
use super::lanes::{get, put};
use crate::cone::residual;
use glam::DVec3;
use pulp::{Simd, WithSimd};

/// Contacts side by side: enough for a loop that fills vectors of any width, few enough for the fastest cache.
const SIDE: usize = 32;

/// The largest residual in m/s, infinite where one is not finite.
pub(super) struct Largest<'a> {
    pub groups: &'a [Group],
    pub rows: &'a [Row],
    pub velocities: &'a [NodeVelocity],
    /// Of springs.
    pub compliance: f64,
}

/// A few contacts. A lane that is not taken holds an earlier contact, or none.
struct Few {
    r: [[f64; SIDE]; 3],
    u: [[f64; SIDE]; 3],
    rho: [f64; SIDE],
    mu: [f64; SIDE],
}

impl WithSimd for Largest<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let mut few = Few {
            r: [[0.0; SIDE]; 3],
            u: [[0.0; SIDE]; 3],
            rho: [1.0; SIDE],
            mu: [0.0; SIDE],
        };
        let (mut eta, mut taken) = (0.0, 0);
        for group in self.groups {
            let v = group.relative(self.velocities);
            for row in &self.rows[group.start as usize..group.end as usize] {
                few.take(taken, row, v.at(row) + row.r * self.compliance);
                taken += 1;
                if taken == SIDE {
                    (eta, taken) = (few.largest(eta), 0);
                }
            }
        }
        few.largest(eta)
    }
}

impl Few {
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

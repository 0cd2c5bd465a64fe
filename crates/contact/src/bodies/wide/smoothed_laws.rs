//! Smoothed laws of contacts side by side.
//!
//! A law takes four roots and a dozen divisions, one after the other. In vectors those of several contacts go together,
//! with the same bits on each vector unit and as one by one.

// The lane is an index of several arrays at once.
#![allow(clippy::needless_range_loop)]

use super::groups::WideContact;
use super::lane::{LANES, Lane, Matrix, Vector, ZERO, get, put};
use crate::continuation::homotopy::Smoothing;
use crate::continuation::smoothed_law::{NUMBERS, SmoothedLaw, project_feasible};
use pulp::{Simd, WithSimd};

/// A contact of each group of a wide group at the present point; in a lane that has none all is zero.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::bodies) struct WideSmoothedContact {
    pub z: Vector,
    /// `H v + b − (r − z)/ρ`.
    pub error: Vector,
    /// What `SmoothedLaw` consists of.
    law: [Lane; NUMBERS],
    /// Where the step starts, and the linear step, in `r` and `ρ u`.
    pub from: [Vector; 2],
    pub step: [Vector; 2],
}

impl WideSmoothedContact {
    pub const ZERO: Self = Self {
        z: ZERO,
        error: ZERO,
        law: [[0.0; LANES]; NUMBERS],
        from: [ZERO; 2],
        step: [ZERO; 2],
    };

    #[inline(always)]
    pub fn law(&self, lane: usize) -> SmoothedLaw {
        let mut numbers = [0.0; NUMBERS];
        for (x, law) in numbers.iter_mut().zip(&self.law) {
            *x = law[lane];
        }
        SmoothedLaw::from_numbers(numbers)
    }

    /// The impulses `φ(z)` and `∂φ/∂τ`.
    #[inline(always)]
    pub fn impulses(&self) -> [Vector; 2] {
        let [rx, ry, rz, vx, vy, vz, ..] = self.law;
        [[rx, ry, rz], [vx, vy, vz]]
    }

    /// Next to nothing where a contact stays open.
    pub fn normal_stiffness(&self) -> &Lane {
        &self.law[8]
    }

    /// `(S⁻¹ + ε)⁻¹`.
    #[inline(always)]
    pub fn stiffness(&self) -> Matrix {
        let mut k = [ZERO; 3];
        for i in 0..LANES {
            let own = self.law(i).stiffness();
            put(&mut k[0], i, own.x_axis);
            put(&mut k[1], i, own.y_axis);
            put(&mut k[2], i, own.z_axis);
        }
        k
    }

    /// `z = r − ρ u` after a part of the step, `r` and `u` made feasible first.
    #[inline(always)]
    pub fn advance(&mut self, contact: &WideContact, part: f64) {
        for i in 0..LANES {
            let r = get(&self.from[0], i) + get(&self.step[0], i) * part;
            let u = get(&self.from[1], i) + get(&self.step[1], i) * part;
            put(&mut self.z, i, project_feasible(r, u, contact.mu[i]));
        }
    }

    /// The laws.
    #[inline(always)]
    pub fn evaluate(&mut self, contact: &WideContact, smoothing: Smoothing) {
        for i in 0..LANES {
            let rho = contact.rho[i];
            let soft = smoothing.softness + contact.compliance[i] * rho;
            let law = SmoothedLaw::new(get(&self.z, i), contact.mu[i], smoothing.tau * rho, soft);
            for (to, x) in self.law.iter_mut().zip(law.numbers()) {
                to[i] = if rho > 0.0 { x } else { 0.0 };
            }
        }
    }
}

/// Evaluates all laws.
pub(in crate::bodies) struct Laws<'a> {
    pub points: &'a mut [WideSmoothedContact],
    pub contacts: &'a [WideContact],
    pub smoothing: Smoothing,
}

impl WithSimd for Laws<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (point, contact) in self.points.iter_mut().zip(self.contacts) {
            point.evaluate(contact, self.smoothing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, Vec3Swizzles};
    use pulp::{Arch, Scalar};

    /// Contacts open and closed, sticking and sliding, with and without friction: impulses and velocities where a step
    /// starts, and the step in both. Every seventh lane is empty.
    fn contacts() -> (Vec<WideSmoothedContact>, Vec<WideContact>) {
        let values = [-3.0, -1e-9, 0.0, 0.7, 2.5e4];
        let grid = values
            .into_iter()
            .flat_map(|x| values.into_iter().map(move |y| DVec3::new(x, y, 0.3 - y)));
        let mut grid = grid.cycle().enumerate();
        let wide = |_| {
            let (mut point, mut contact) = (WideSmoothedContact::ZERO, WideContact::EMPTY);
            for lane in 0..LANES {
                let (k, z) = grid.next().unwrap();
                if k % 7 == 0 {
                    continue;
                }
                put(&mut point.z, lane, z);
                put(&mut point.from[0], lane, z.abs());
                put(&mut point.from[1], lane, z.yzx());
                put(&mut point.step[0], lane, z.zxy() * 0.1);
                put(&mut point.step[1], lane, z);
                contact.mu[lane] = 0.3 * (k % 3) as f64;
                contact.rho[lane] = 1.0 + k as f64;
                contact.compliance[lane] = COMPLIANCE;
            }
            (point, contact)
        };
        (0..9).map(wide).unzip()
    }

    /// Moves and evaluates, as a step does.
    struct Moved<'a>(&'a mut [WideSmoothedContact], &'a [WideContact], f64);

    const LAW: Smoothing = Smoothing {
        tau: 1e-3,
        softness: 1e-4,
    };
    const COMPLIANCE: f64 = 1e-3;

    impl WithSimd for Moved<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) {
            for (point, contact) in self.0.iter_mut().zip(self.1) {
                if self.2 > 0.0 {
                    point.advance(contact, self.2);
                }
                point.evaluate(contact, LAW);
            }
        }
    }

    #[test]
    fn side_by_side_the_bits_are_those_of_one_by_one() {
        for part in [0.0, 0.25, 1.0] {
            let (start, contacts) = contacts();
            let (mut widest, mut narrowest) = (start.clone(), start.clone());
            Arch::new().dispatch(Moved(&mut widest, &contacts, part));
            Moved(&mut narrowest, &contacts, part).with_simd(Scalar::new());
            for (s, (first, contact)) in start.iter().zip(&contacts).enumerate() {
                for i in 0..LANES {
                    let end = |k: usize| get(&first.from[k], i) + get(&first.step[k], i) * part;
                    let z = if part > 0.0 {
                        project_feasible(end(0), end(1), contact.mu[i])
                    } else {
                        get(&first.z, i)
                    };
                    let law = match contact.rho[i] {
                        0.0 => SmoothedLaw::default(),
                        rho => {
                            let softness = LAW.softness + COMPLIANCE * rho;
                            SmoothedLaw::new(z, contact.mu[i], LAW.tau * rho, softness)
                        }
                    };
                    let bits = |z: DVec3, law: &SmoothedLaw| {
                        (
                            z.to_array().map(f64::to_bits),
                            law.numbers().map(f64::to_bits),
                        )
                    };
                    for points in [&widest, &narrowest] {
                        let own = bits(get(&points[s].z, i), &points[s].law(i));
                        assert_eq!(own, bits(z, &law), "{s} {i} {part}");
                    }
                }
            }
        }
    }
}

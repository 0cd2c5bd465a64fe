//! The laws of contacts at a point of a path, side by side.
//!
//! A law takes four roots and a dozen divisions, one after the other. In vectors those of several contacts go together, with
//! the same bits on each vector unit and as one by one.

// The lane is an index of several arrays at once.
#![allow(clippy::needless_range_loop)]

use super::lanes::{LANES, get, put};
use super::octets::Slot;
use super::wide::{Lane, Matrix, Vector, ZERO};
use crate::smooth::{NUMBERS, Smooth, lawful};
use pulp::{Simd, WithSimd};

/// A contact of each group of an octet on the path; in a lane that has none all is zero.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Point {
    pub z: Vector,
    /// `H v + b − (r − z)/ρ`.
    pub error: Vector,
    /// What `Smooth` consists of.
    law: [Lane; NUMBERS],
    /// Where the step starts, and the linear step, in `r` and `ρ u`.
    pub from: [Vector; 2],
    pub step: [Vector; 2],
}

impl Point {
    pub const ZERO: Self = Self {
        z: ZERO,
        error: ZERO,
        law: [[0.0; LANES]; NUMBERS],
        from: [ZERO; 2],
        step: [ZERO; 2],
    };

    #[inline(always)]
    pub fn law(&self, lane: usize) -> Smooth {
        let mut numbers = [0.0; NUMBERS];
        for (x, law) in numbers.iter_mut().zip(&self.law) {
            *x = law[lane];
        }
        Smooth::from_numbers(numbers)
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

    /// `z = r − ρ u` after a part of the step, with what the law forbids taken out of r and u first.
    #[inline(always)]
    pub fn go(&mut self, slot: &Slot, part: f64) {
        for i in 0..LANES {
            let r = get(&self.from[0], i) + get(&self.step[0], i) * part;
            let u = get(&self.from[1], i) + get(&self.step[1], i) * part;
            put(&mut self.z, i, lawful(r, u, slot.mu[i]));
        }
    }

    /// The laws at τ (m/s), the softness ε and the compliance of springs (1/kg).
    #[inline(always)]
    pub fn evaluate(&mut self, slot: &Slot, (tau, softness, compliance): (f64, f64, f64)) {
        for i in 0..LANES {
            let rho = slot.rho[i];
            let soft = softness + compliance * rho;
            let law = Smooth::new(get(&self.z, i), slot.mu[i], (tau * rho, soft));
            for (to, x) in self.law.iter_mut().zip(law.numbers()) {
                to[i] = if rho > 0.0 { x } else { 0.0 };
            }
        }
    }
}

/// Evaluates all laws.
pub(super) struct Laws<'a> {
    pub points: &'a mut [Point],
    pub slots: &'a [Slot],
    pub tau: f64,
    pub softness: f64,
}

impl WithSimd for Laws<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (point, slot) in self.points.iter_mut().zip(self.slots) {
            point.evaluate(slot, (self.tau, self.softness, 0.0));
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
    fn contacts() -> (Vec<Point>, Vec<Slot>) {
        let values = [-3.0, -1e-9, 0.0, 0.7, 2.5e4];
        let grid = values
            .into_iter()
            .flat_map(|x| values.into_iter().map(move |y| DVec3::new(x, y, 0.3 - y)));
        let mut grid = grid.cycle().enumerate();
        let octet = |_| {
            let (mut point, mut slot) = (Point::ZERO, Slot::EMPTY);
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
                slot.mu[lane] = 0.3 * (k % 3) as f64;
                slot.rho[lane] = 1.0 + k as f64;
            }
            (point, slot)
        };
        (0..9).map(octet).unzip()
    }

    /// Moves and evaluates, as a step does.
    struct Moved<'a>(&'a mut [Point], &'a [Slot], f64);

    const LAW: (f64, f64, f64) = (1e-3, 1e-4, 1e-3);

    impl WithSimd for Moved<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) {
            for (point, slot) in self.0.iter_mut().zip(self.1) {
                if self.2 > 0.0 {
                    point.go(slot, self.2);
                }
                point.evaluate(slot, LAW);
            }
        }
    }

    #[test]
    fn side_by_side_the_bits_are_those_of_one_by_one() {
        for part in [0.0, 0.25, 1.0] {
            let (start, slots) = contacts();
            let (mut widest, mut narrowest) = (start.clone(), start.clone());
            Arch::new().dispatch(Moved(&mut widest, &slots, part));
            Moved(&mut narrowest, &slots, part).with_simd(Scalar::new());
            for (s, (first, slot)) in start.iter().zip(&slots).enumerate() {
                for i in 0..LANES {
                    let end = |k: usize| get(&first.from[k], i) + get(&first.step[k], i) * part;
                    let z = if part > 0.0 {
                        lawful(end(0), end(1), slot.mu[i])
                    } else {
                        get(&first.z, i)
                    };
                    let law = match slot.rho[i] {
                        0.0 => Smooth::default(),
                        rho => Smooth::new(z, slot.mu[i], (LAW.0 * rho, LAW.1 + LAW.2 * rho)),
                    };
                    let bits = |z: DVec3, law: &Smooth| {
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

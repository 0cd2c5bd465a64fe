//! Vectors and matrices of several lanes at once, with the operations of `glam` in the same order.
//!
//! Long formulas are written with these: a compiler makes vectors of a short loop over lanes alone.

use super::lane::{LANES, Lane, Matrix, Vector};
use pulp::Simd;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// As many lanes as the vector unit holds.
#[derive(Clone, Copy)]
pub(in crate::bodies) struct Wide<S: Simd>(S, S::f64s);

#[derive(Clone, Copy)]
pub(in crate::bodies) struct Wide3<S: Simd>(pub [Wide<S>; 3]);

/// By columns.
#[derive(Clone, Copy)]
pub(in crate::bodies) struct Wide33<S: Simd>(pub [Wide3<S>; 3]);

/// The parts in which all lanes are done.
#[inline(always)]
pub(in crate::bodies) fn parts<S: Simd>() -> std::ops::Range<usize> {
    0..LANES / S::F64_LANES
}

/// As `Simd::select_f64s`, which is a call where this is an instruction.
#[inline(always)]
fn select<S: Simd>(simd: S, mask: S::m64s, set: S::f64s, other: S::f64s) -> S::f64s {
    let bits = |x| simd.transmute_u64s_f64s(x);
    simd.transmute_f64s_u64s(simd.select_u64s(mask, bits(set), bits(other)))
}

impl<S: Simd> Wide<S> {
    #[inline(always)]
    pub fn new(simd: S, numbers: S::f64s) -> Self {
        Self(simd, numbers)
    }

    #[inline(always)]
    pub fn numbers(self) -> S::f64s {
        self.1
    }

    #[inline(always)]
    pub fn splat(simd: S, x: f64) -> Self {
        Self(simd, simd.splat_f64s(x))
    }

    #[inline(always)]
    pub fn load(simd: S, lane: &Lane, part: usize) -> Self {
        Self(simd, S::as_simd_f64s(lane).0[part])
    }

    /// These numbers where others are positive, else zero.
    #[inline(always)]
    pub fn wherever(self, others: Self) -> Self {
        let (simd, none) = (self.0, self.0.splat_f64s(0.0));
        let positive = simd.less_than_f64s(none, others.1);
        Self(simd, select(simd, positive, self.1, none))
    }

    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self(self.0, self.0.sqrt_f64s(self.1))
    }

    #[inline(always)]
    pub fn is_above(self, others: Self) -> S::m64s {
        self.0.less_than_f64s(others.1, self.1)
    }

    /// These numbers where the mask is set, else one.
    #[inline(always)]
    pub fn or_one(self, mask: S::m64s) -> Self {
        let simd = self.0;
        Self(simd, select(simd, mask, self.1, simd.splat_f64s(1.0)))
    }

    #[inline(always)]
    pub fn store(self, lane: &mut Lane, part: usize) {
        S::as_mut_simd_f64s(lane).0[part] = self.1;
    }
}

impl<S: Simd> Wide3<S> {
    #[inline(always)]
    pub fn load(simd: S, [x, y, z]: &Vector, part: usize) -> Self {
        Self([
            Wide::load(simd, x, part),
            Wide::load(simd, y, part),
            Wide::load(simd, z, part),
        ])
    }

    #[inline(always)]
    pub fn store(self, vector: &mut Vector, part: usize) {
        for (x, lane) in self.0.into_iter().zip(vector) {
            x.store(lane, part);
        }
    }

    #[inline(always)]
    pub fn add_to(self, sum: &mut Vector, part: usize) {
        let simd = self.0[0].0;
        (Wide3::load(simd, sum, part) + self).store(sum, part);
    }

    #[inline(always)]
    pub fn take_from(self, sum: &mut Vector, part: usize) {
        let simd = self.0[0].0;
        (Wide3::load(simd, sum, part) - self).store(sum, part);
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> Wide<S> {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a * x + b * y + c * z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b * z - y * c, c * x - z * a, a * y - x * b])
    }
}

impl<S: Simd> Wide33<S> {
    #[inline(always)]
    pub fn load(simd: S, [x, y, z]: &Matrix, part: usize) -> Self {
        Self([
            Wide3::load(simd, x, part),
            Wide3::load(simd, y, part),
            Wide3::load(simd, z, part),
        ])
    }

    #[inline(always)]
    pub fn store(self, matrix: &mut Matrix, part: usize) {
        for (x, column) in self.0.into_iter().zip(matrix) {
            x.store(column, part);
        }
    }

    #[inline(always)]
    pub fn add_to(self, sum: &mut Matrix, part: usize) {
        for (x, sum) in self.0.into_iter().zip(sum) {
            x.add_to(sum, part);
        }
    }

    #[inline(always)]
    pub fn take_from(self, sum: &mut Matrix, part: usize) {
        for (x, sum) in self.0.into_iter().zip(sum) {
            x.take_from(sum, part);
        }
    }

    #[inline(always)]
    pub fn transpose(self) -> Self {
        let [Wide3([a, b, c]), Wide3([d, e, f]), Wide3([g, h, i])] = self.0;
        Self([Wide3([a, d, g]), Wide3([b, e, h]), Wide3([c, f, i])])
    }

    /// `[a] m`, where `[a] x = a × x`.
    #[inline(always)]
    pub fn turned_by(self, a: Wide3<S>) -> Self {
        let [x, y, z] = self.0;
        Self([a.cross(x), a.cross(y), a.cross(z)])
    }

    /// `m [a]`.
    #[inline(always)]
    pub fn times_skew(self, a: Wide3<S>) -> Self {
        let ([x, y, z], [a, b, c]) = (self.0, a.0);
        Self([y * c - z * b, z * a - x * c, x * b - y * a])
    }
}

macro_rules! of_numbers {
    ($($trait:ident $name:ident $lanes:ident,)*) => {$(
        impl<S: Simd> $trait for Wide<S> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(self.0, self.0.$lanes(self.1, other.1))
            }
        }
    )*};
}

of_numbers!(Add add add_f64s, Sub sub sub_f64s, Mul mul mul_f64s, Div div div_f64s,);

/// Component by component, with another of the kind or with a number.
macro_rules! of_components {
    ($($of:ident: $trait:ident $name:ident,)*) => {$(
        impl<S: Simd> $trait for $of<S> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                let ([a, b, c], [x, y, z]) = (self.0, other.0);
                Self([a.$name(x), b.$name(y), c.$name(z)])
            }
        }
    )*};
    ($($of:ident by a number: $trait:ident $name:ident,)*) => {$(
        impl<S: Simd> $trait<Wide<S>> for $of<S> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, by: Wide<S>) -> Self {
                let [a, b, c] = self.0;
                Self([a.$name(by), b.$name(by), c.$name(by)])
            }
        }
    )*};
}

of_components!(Wide3: Add add, Wide3: Sub sub, Wide33: Add add, Wide33: Sub sub,);
of_components!(Wide3 by a number: Mul mul, Wide3 by a number: Div div, Wide33 by a number: Mul mul,);

impl<S: Simd> Neg for Wide<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0, self.0.neg_f64s(self.1))
    }
}

impl<S: Simd> Neg for Wide3<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        let [x, y, z] = self.0;
        Self([-x, -y, -z])
    }
}

impl<S: Simd> Mul<Wide3<S>> for Wide33<S> {
    type Output = Wide3<S>;

    #[inline(always)]
    fn mul(self, by: Wide3<S>) -> Wide3<S> {
        let ([a, b, c], [x, y, z]) = (self.0, by.0);
        a * x + b * y + c * z
    }
}

impl<S: Simd> Mul for Wide33<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, by: Self) -> Self {
        let [x, y, z] = by.0;
        Self([self * x, self * y, self * z])
    }
}

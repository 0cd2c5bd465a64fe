//! Two polyhedra, the second seen from the first, and their overlap along the axes that may hold the least one.

use super::candidate::{Axis, AxisFeature, Line};
use crate::{ConvexPolyhedron, Facet, Pose};
use glam::{DMat3, DVec3};

/// A shape and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The shape.
    pub shape: &'a ConvexPolyhedron,
    /// Its pose.
    pub pose: &'a Pose,
}

/// Two polyhedra, the second seen from the first.
pub(crate) struct Pair<'a> {
    pub a: &'a ConvexPolyhedron,
    pub b: &'a ConvexPolyhedron,
    /// B's pose in A's frame.
    pub relative: Pose,
    /// Rotates B's vectors into A's frame.
    pub turn: DMat3,
    /// B's origin in A's frame.
    pub shift: DVec3,
    /// Size of both together (m), the scale of all tolerances.
    pub scale: f64,
}

impl<'a> Pair<'a> {
    pub fn new(a: Placed<'a>, b: Placed<'a>) -> Self {
        Self::placed(a, b, a.pose.relative(b.pose))
    }

    /// The same where B's pose in A's frame is known.
    pub fn placed(a: Placed<'a>, b: Placed<'a>, relative: Pose) -> Self {
        Self {
            a: a.shape,
            b: b.shape,
            turn: DMat3::from_quat(relative.rotation),
            shift: relative.translation,
            scale: a.shape.radius() + b.shape.radius(),
            relative,
        }
    }

    /// B's point in A's frame.
    #[inline(always)]
    pub fn b_point(&self, p: DVec3) -> DVec3 {
        self.turn * p + self.shift
    }

    /// A's vector in B's frame.
    #[inline(always)]
    pub fn to_b(&self, v: DVec3) -> DVec3 {
        self.turn.transpose() * v
    }

    /// The overlap along any unit vector of A's frame.
    #[inline(always)]
    pub fn overlap_along(&self, n: DVec3) -> f64 {
        self.a.reach(n) + self.b.reach(-self.to_b(n)) - self.shift.dot(n)
    }

    #[inline(always)]
    pub fn facet_a_line(&self, index: usize, facet: &Facet) -> Line {
        Line {
            normal: facet.normal,
            feature: AxisFeature::FacetA(index as u32),
        }
    }

    #[inline(always)]
    pub fn facet_b_line(&self, index: usize, facet: &Facet) -> Line {
        Line {
            normal: -(self.turn * facet.normal),
            feature: AxisFeature::FacetB(index as u32),
        }
    }

    #[inline(always)]
    pub fn facet_a_axis(&self, index: usize, facet: &Facet) -> Axis {
        let line = self.facet_a_line(index, facet);
        let reach = self.b.reach(-self.to_b(facet.normal));
        line.with_depth(facet.offset + reach - self.shift.dot(facet.normal))
    }

    #[inline(always)]
    pub fn facet_b_axis(&self, index: usize, facet: &Facet) -> Axis {
        let line = self.facet_b_line(index, facet);
        let reach = self.a.reach(line.normal);
        line.with_depth(facet.offset + reach - self.shift.dot(line.normal))
    }
}

//! An edge of a mesh that bounds it in plan, and a line in plan through a triangle.

use super::Facet;
use glam::{DVec2, DVec3};

/// An edge of a part in plan.
#[derive(Debug, Clone, Copy)]
pub(super) struct Border {
    pub part: usize,
    pub from: DVec2,
    pub to: DVec2,
    /// Heights of its ends.
    pub heights: [f64; 2],
    /// Unit normal, away from the triangle.
    pub outward: DVec2,
}

impl Border {
    /// Edge `k` of a triangle, whose corners go round counter-clockwise.
    pub fn new(part: usize, facet: &Facet, k: usize) -> Self {
        let ends = [facet.corners[k], facet.corners[(k + 1) % 3]];
        let [from, to] = ends.map(|p| p.truncate());
        let outward = -(to - from).perp().normalize_or_zero();
        Border {
            part,
            from,
            to,
            heights: ends.map(|p| p.z),
            outward,
        }
    }

    pub fn ends(&self) -> (DVec3, DVec3) {
        let [from, to] = self.heights;
        (self.from.extend(from), self.to.extend(to))
    }

    /// A point of it, from 0 to 1.
    pub fn at(&self, share: f64) -> DVec2 {
        self.from.lerp(self.to, share)
    }
}

/// Where a line in plan enters a triangle and where it leaves it, in lengths of `along`.
pub(super) fn passage(facet: &Facet, from: DVec2, along: DVec2) -> Option<(f64, f64)> {
    let (mut enters, mut leaves) = (f64::NEG_INFINITY, f64::INFINITY);
    for k in 0..3 {
        let a = facet.corners[k].truncate();
        let edge = facet.corners[(k + 1) % 3].truncate() - a;
        let (inside, rate) = (edge.perp_dot(from - a), edge.perp_dot(along));
        if rate > 0.0 {
            enters = enters.max(-inside / rate);
        } else if rate < 0.0 {
            leaves = leaves.min(-inside / rate);
        } else if inside < 0.0 {
            return None;
        }
    }
    (enters < leaves).then_some((enters, leaves))
}

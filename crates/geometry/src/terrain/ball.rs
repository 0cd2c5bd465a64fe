//! A ball on facets: nearest points, contacts and separation, all in closed form.

use super::{Approach, Facet};
use crate::{ContactPoint, Manifold, Plane};
use glam::DVec3;

/// Distance, relative to the radius, within which two facets have a point in common.
const SAME: f64 = 1e-9;

/// A ball: centre (m) and radius (m).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// Centre (m), local coordinates.
    pub centre: DVec3,
    /// Radius (m).
    pub radius: f64,
}

impl Facet {
    /// The point of the facet that is nearest to a point (Ericson 2005, "Real-Time Collision Detection", section 5.1.5:
    /// the regions of corners, edges and inside in turn).
    pub fn nearest(&self, point: DVec3) -> DVec3 {
        let [a, b, c] = self.corners;
        let (ab, ac, ap) = (b - a, c - a, point - a);
        let (d1, d2) = (ab.dot(ap), ac.dot(ap));
        if d1 <= 0.0 && d2 <= 0.0 {
            return a;
        }
        let bp = point - b;
        let (d3, d4) = (ab.dot(bp), ac.dot(bp));
        if d3 >= 0.0 && d4 <= d3 {
            return b;
        }
        let vc = d1 * d4 - d3 * d2;
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return a + ab * (d1 / (d1 - d3));
        }
        let cp = point - c;
        let (d5, d6) = (ab.dot(cp), ac.dot(cp));
        if d6 >= 0.0 && d5 <= d6 {
            return c;
        }
        let vb = d5 * d2 - d1 * d6;
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return a + ac * (d2 / (d2 - d6));
        }
        let va = d3 * d6 - d5 * d4;
        let (e1, e2) = (d4 - d3, d5 - d6);
        if va <= 0.0 && e1 >= 0.0 && e2 >= 0.0 {
            return b + (c - b) * (e1 / (e1 + e2));
        }
        point - self.normal * self.height(point)
    }
}

impl Ball {
    /// How far the ball is from the ground under one facet, and in what direction. A centre under the facet is as deep
    /// as it lies under the facet's plane.
    pub fn over(&self, facet: &Facet) -> (f64, DVec3) {
        let height = facet.height(self.centre);
        if height <= 0.0 && facet.inside(self.centre) >= 0.0 {
            return (height - self.radius, facet.normal);
        }
        let away = self.centre - facet.nearest(self.centre);
        let distance = away.length();
        match distance > 0.0 {
            true => (distance - self.radius, away / distance),
            false => (-self.radius, facet.normal),
        }
    }

    /// The least distance from the ground under all facets; `None` without facets.
    pub fn separation(&self, facets: &[Facet]) -> Option<Approach> {
        let approaches = facets.iter().enumerate().map(|(index, facet)| {
            let (gap, normal) = self.over(facet);
            Approach {
                gap,
                normal,
                facet: index,
            }
        });
        approaches.min_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    /// Fills `out` with the contact with a plane, if it is within `margin` (m, ≥ 0). `feature` is what its number is to
    /// be; the point lies on the plane.
    pub fn on_plane(&self, plane: &Plane, margin: f64, feature: u32, out: &mut Manifold) {
        out.points.clear();
        let height = plane.height(self.centre);
        let gap = height - self.radius;
        let size = self.radius + self.centre.length() + plane.offset.abs();
        let gap = if gap.abs() <= 4.0 * f64::EPSILON * size {
            0.0
        } else {
            gap
        };
        if gap <= margin {
            out.points.push(ContactPoint {
                point: self.centre - plane.normal * height,
                normal: plane.normal,
                gap,
                feature,
            });
        }
    }

    /// Fills `out` with the contacts within `margin` (m, ≥ 0): the nearest points of the facets. `feature` is the
    /// number for the first facet; others count down from it by [`Facet::id`].
    ///
    /// A nearest point on an edge or corner touches only where it is the nearest point of every facet that it belongs
    /// to. Else the ground goes on beside it, nearer to the ball: a seam of flat ground and the foot of a hollow are no
    /// contacts of their own.
    pub fn on_facets(&self, facets: &[Facet], margin: f64, feature: u32, out: &mut Manifold) {
        out.points.clear();
        for (index, facet) in facets.iter().enumerate() {
            let (gap, normal) = self.over(facet);
            if gap > margin {
                continue;
            }
            let distance = gap + self.radius;
            let point = self.centre - normal * distance;
            let covered = facets.iter().enumerate().any(|(other, f)| {
                if other == index || (f.nearest(point) - point).length() > SAME * self.radius {
                    return false;
                }
                let (beside, _) = self.over(f);
                // Of facets that agree, the first one counts.
                beside.total_cmp(&gap).then(other.cmp(&index)).is_lt()
            });
            if !covered {
                out.points.push(ContactPoint {
                    point,
                    normal,
                    gap,
                    feature: feature.wrapping_sub(facet.id),
                });
            }
        }
    }
}

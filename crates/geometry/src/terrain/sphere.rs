//! A sphere on facets: nearest points, contacts and separation, all in closed form.

use super::{Approach, Facet};
use crate::{ContactPoint, Manifold, Plane, Sphere};
use glam::DVec3;
use parry3d::query::PointQuery;
use parry3d::shape::Triangle;

/// Distance, relative to the radius, within which two facets have a point in common.
const SAME: f64 = 1e-9;

impl Facet {
    /// The point of the facet that is nearest to a point.
    pub fn nearest(&self, point: DVec3) -> DVec3 {
        let [a, b, c] = self.corners;
        Triangle::new(a, b, c)
            .project_local_point(point, true)
            .point
    }
}

/// On the ground, in its local coordinates.
impl Sphere {
    /// How far the sphere is from the ground under one facet, and in what direction. A centre under the facet is as
    /// deep as it lies under the facet's plane.
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
    /// be; the point lies on the plane, where the contact of two bodies lies midway. A gap that is the rounding of its
    /// terms is 0: a sphere that rolls touches at every instant that it is asked.
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
    /// to. Else the ground goes on beside it, nearer to the sphere: a seam of flat ground and the foot of a hollow are
    /// no contacts of their own.
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

//! The convex hull of points, degenerate input refused with its cause.

use super::build::check_finite;
use super::{ConvexPolyhedron, build, facets, quickhull};
use crate::GeometryError;
use glam::DVec3;
use klast_numerics::OutOfRange;

/// Thinnest solid accepted, relative to its extent. A thinner one has facets that rounding of its own
/// vertices turns by more than a degree.
const THINNEST: f64 = 1e-10;

impl ConvexPolyhedron {
    /// The convex hull of at least four points that span a volume.
    ///
    /// Coplanar triangles of the hull are merged into one facet where all their corners lie within 1e-12 of the
    /// size from its plane. Points inside, on a facet or on an edge are dropped.
    ///
    /// # Errors
    /// Fewer points than four, coordinates that are not finite, and points that are no thicker than 1e-10 of their
    /// largest extent along an axis, which depends on their attitude.
    pub fn from_points(points: &[DVec3]) -> Result<Self, GeometryError> {
        if points.len() < 4 {
            return Err(OutOfRange::new("number of points", points.len(), "4 or more").into());
        }
        check_finite(points)?;
        check_volume(points)?;
        let triangles = quickhull::triangles(points).ok_or_else(|| GeometryError::HullFailed {
            points: points.len(),
            cause: "no four points span a volume".into(),
        })?;
        let mut last = None;
        // Input that is coplanar to just about the tolerance can leave ragged outlines; a wider one then decides.
        for tolerance in [1e-12, 1e-11, 1e-10, 1e-9] {
            match facets::merge(points, &triangles, tolerance)
                .and_then(|loops| build::assemble(points.to_vec(), loops))
                .and_then(|body| body.holds(points, tolerance))
            {
                Ok(body) => return Ok(body),
                Err(e) => last = Some(e),
            }
        }
        let cause = last.map_or_else(String::new, |e| e.to_string());
        Err(GeometryError::HullFailed {
            points: points.len(),
            cause,
        })
    }

    /// Refuses a hull that lost one of its points.
    fn holds(self, points: &[DVec3], tolerance: f64) -> Result<Self, GeometryError> {
        let accepted = 10.0 * facets::slack(points, tolerance);
        for (facet, f) in self.facets().iter().enumerate() {
            for (vertex, p) in points.iter().enumerate() {
                let height = f.normal.dot(*p) - f.offset;
                if height > accepted {
                    return Err(GeometryError::NotConvex {
                        facet,
                        vertex,
                        height,
                        accepted,
                    });
                }
            }
        }
        Ok(self)
    }
}

/// Refuses points that coincide, or lie on a line or in a plane.
fn check_volume(points: &[DVec3]) -> Result<(), GeometryError> {
    let (size, largest) = facets::extent(points);
    let accepted = (THINNEST * size).max(16.0 * f64::EPSILON * largest);
    let flat = |shape, thickness| GeometryError::Flat {
        shape,
        thickness,
        size,
        accepted,
    };
    let farthest = |distance: &dyn Fn(DVec3) -> f64| {
        points
            .iter()
            .map(|p| (distance(*p), *p))
            .fold((0.0, DVec3::ZERO), |a, b| if b.0 > a.0 { b } else { a })
    };
    let Some(&a) = points.first() else {
        return Err(OutOfRange::new("number of points", 0, "4 or more").into());
    };
    let (length, b) = farthest(&|p| (p - a).length());
    if length <= accepted || size < 1e-50 {
        return Err(flat("coincident", length));
    }
    let along = (b - a) / length;
    let (width, c) = farthest(&|p| (p - a - along * (p - a).dot(along)).length());
    if width <= accepted {
        return Err(flat("collinear", width));
    }
    let normal = along.cross((c - a) / width).normalize_or_zero();
    let (thickness, _) = farthest(&|p| (p - a).dot(normal).abs());
    if thickness <= accepted {
        return Err(flat("coplanar", thickness));
    }
    Ok(())
}

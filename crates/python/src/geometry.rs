//! Two convex bodies: their Minkowski difference, and which of their features are nearest.

use glam::DVec3;
use klast_geometry::{
    ConvexPolyhedron, GeometryError, NarrowPhase, OverlapKind, Placed, Pose, closest_points,
};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{rows, vectors};
use crate::errors::input;

/// How two bodies stand to one another.
struct Features {
    /// Distance (m); below zero the least translation that takes them apart.
    gap: f64,
    /// Unit normal from A to B.
    normal: DVec3,
    points: [DVec3; 2],
    kind: Option<OverlapKind>,
    /// The hull of all a − b: the origin is in it where the bodies overlap.
    difference: ConvexPolyhedron,
}

fn features(a: &[DVec3], b: &[DVec3]) -> Result<Features, GeometryError> {
    let hulls = (
        ConvexPolyhedron::from_points(a)?,
        ConvexPolyhedron::from_points(b)?,
    );
    let pose = Pose::default();
    let place = |shape| Placed { shape, pose: &pose };
    let (one, two) = (place(&hulls.0), place(&hulls.1));
    let corners = hulls.0.vertices().iter();
    let all: Vec<DVec3> = corners
        .flat_map(|p| hulls.1.vertices().iter().map(move |q| *p - *q))
        .collect();
    let difference = ConvexPolyhedron::from_points(&all)?;
    let overlap = NarrowPhase::default().overlap(one, two, None);
    if let Some(found) = overlap {
        return Ok(Features {
            gap: -found.depth,
            normal: found.normal,
            points: [found.point_a, found.point_b],
            kind: Some(found.kind),
            difference,
        });
    }
    // The direction of a distance near the rounding error of the coordinates is noise.
    let least = 1e-12 * difference.size();
    let near = closest_points(one, two).filter(|c| c.distance > least);
    let (gap, normal, points) = near.map_or_else(
        || touching(&hulls, &difference),
        |c| {
            (
                c.distance,
                (c.point_b - c.point_a).normalize_or_zero(),
                [c.point_a, c.point_b],
            )
        },
    );
    Ok(Features {
        gap,
        normal,
        points,
        kind: None,
        difference,
    })
}

/// Gap, normal and points of two bodies that touch within rounding: the origin is on a facet of their difference. The
/// points are those of bodies a millionth of their size apart.
fn touching(
    (a, b): &(ConvexPolyhedron, ConvexPolyhedron),
    difference: &ConvexPolyhedron,
) -> (f64, DVec3, [DVec3; 2]) {
    let planes = difference.facets().iter().map(|f| (f.offset, f.normal));
    let nearest = planes.min_by(|x, y| x.0.total_cmp(&y.0));
    let (offset, normal) = nearest.unwrap_or((0.0, DVec3::Z));
    let apart = Pose {
        translation: 1e-6 * a.size().max(b.size()) * normal,
        ..Pose::default()
    };
    let pose = Pose::default();
    let place = |shape, pose| Placed { shape, pose };
    let near = closest_points(place(a, &pose), place(b, &apart));
    let points = near.map(|c| [c.point_a, c.point_b - apart.translation]);
    let (p, q) = (
        a.vertices()[a.support(normal)],
        b.vertices()[b.support(-normal)],
    );
    (-offset, normal, points.unwrap_or([p, q]))
}

/// The features of two convex hulls given by their points, three numbers each.
#[pyfunction]
pub fn minkowski<'py>(
    py: Python<'py>,
    a: PyReadonlyArray1<'py, f64>,
    b: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let (a, b) = (vectors(a.as_slice()?), vectors(b.as_slice()?));
    let found = features(&a, &b).map_err(input)?;
    let kind = found.kind.map(|kind| match kind {
        OverlapKind::VertexFace => "vertex-face",
        OverlapKind::EdgeEdge => "edge-edge",
        OverlapKind::EdgeFace => "edge-face",
        OverlapKind::FaceFace => "face-face",
    });
    let dict = PyDict::new(py);
    dict.set_item("gap_m", found.gap)?;
    dict.set_item("normal", found.normal.to_array())?;
    dict.set_item("point_a_m", found.points[0].to_array())?;
    dict.set_item("point_b_m", found.points[1].to_array())?;
    dict.set_item("features", kind)?;
    let vertices = found.difference.vertices().iter().map(|v| v.to_array());
    dict.set_item("vertices_m", rows(py, vertices)?)?;
    dict.set_item("facets", found.difference.loops())?;
    Ok(dict)
}

//! What can be wrong with a shape.

use klast_numerics::{ModelError, OutOfRange};
use thiserror::Error;

/// Why a shape or a pose was refused. Every variant carries what was found and what is accepted.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GeometryError {
    /// A number, a coordinate or a count lies outside its range; NaN and infinities end here too.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The points span less than a volume: they coincide, or lie on a line or in a plane.
    #[error(
        "points are {shape}: thickness {thickness:e} m over a size of {size:e} m, accepted is a thickness above {accepted:e} m"
    )]
    Flat {
        /// `coincident`, `collinear` or `coplanar`.
        shape: &'static str,
        /// Largest distance from the point, line or plane.
        thickness: f64,
        /// Largest extent of the points.
        size: f64,
        /// Least thickness accepted.
        accepted: f64,
    },
    /// A facet has fewer than three distinct corners or names a vertex that does not exist.
    #[error(
        "facet {facet}: {found}, accepted are three or more distinct vertices below {vertices}"
    )]
    BadFacet {
        /// Index of the facet.
        facet: usize,
        /// What is wrong with it.
        found: String,
        /// Number of vertices.
        vertices: usize,
    },
    /// The facets do not bound a solid: each edge must be run through once in either direction.
    #[error(
        "facets do not close: the edge from vertex {from} to vertex {to} is used {found} times by facets running one way and {opposite} times the other, accepted is once each"
    )]
    NotClosed {
        /// First vertex of the edge.
        from: u32,
        /// Second vertex of the edge.
        to: u32,
        /// Uses in this direction.
        found: usize,
        /// Uses in the opposite direction.
        opposite: usize,
    },
    /// The facets close, but not to one ball: V − E + F must be 2.
    #[error("facets bound no single solid: vertices − edges + facets is {found}, accepted is 2")]
    NotOneSolid {
        /// The Euler characteristic found.
        found: i64,
    },
    /// A vertex stands out of a facet's plane: not convex, inside out, or a facet that is not flat.
    #[error(
        "vertex {vertex} lies {height:e} m outside the plane of facet {facet} (not convex, or turned inside out), accepted is {accepted:e} m"
    )]
    NotConvex {
        /// Index of the facet.
        facet: usize,
        /// Index of the vertex.
        vertex: usize,
        /// Height above the plane.
        height: f64,
        /// Largest height accepted.
        accepted: f64,
    },
    /// A corner of a facet lies below the facet's own plane.
    #[error(
        "facet {facet} is not flat: vertex {vertex} lies {depth:e} m off its plane, accepted is {accepted:e} m"
    )]
    NotFlat {
        /// Index of the facet.
        facet: usize,
        /// Index of the vertex.
        vertex: usize,
        /// Distance from the plane.
        depth: f64,
        /// Largest distance accepted.
        accepted: f64,
    },
    /// No valid hull could be built from the points.
    #[error("convex hull failed on {points} points: {cause}")]
    HullFailed {
        /// Number of points.
        points: usize,
        /// What the hull reported.
        cause: String,
    },
}

impl ModelError for GeometryError {
    fn number(&self) -> Option<f64> {
        match self {
            Self::OutOfRange(out) => out.number(),
            _ => None,
        }
    }
}

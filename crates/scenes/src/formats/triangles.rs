//! Triangles in space.

use glam::DVec3;

/// Points in metres and triangles of their indices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Triangles {
    /// Corners.
    pub points: Vec<DVec3>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
}

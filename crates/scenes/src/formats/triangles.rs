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

impl Triangles {
    /// Takes triangles away that have a corner twice, which bound nothing, and says how many.
    pub fn drop_lines(&mut self) -> usize {
        let before = self.triangles.len();
        self.triangles
            .retain(|[a, b, c]| a != b && b != c && c != a);
        before - self.triangles.len()
    }
}

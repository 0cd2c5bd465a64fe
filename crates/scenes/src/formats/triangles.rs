//! Triangles in space.

use std::collections::{HashMap, HashSet};

use anyhow::{Result, ensure};
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
    /// Triangles from their corners in turn; equal corners become one point.
    #[must_use]
    pub fn welded(corners: impl Iterator<Item = DVec3>) -> Self {
        let mut mesh = Self::default();
        let mut known = HashMap::new();
        let mut indices = Vec::new();
        for corner in corners {
            // Adding zero turns −0 into 0, so that equal points have equal bits.
            let bits = (corner + DVec3::ZERO).to_array().map(f64::to_bits);
            indices.push(*known.entry(bits).or_insert_with(|| {
                mesh.points.push(corner);
                mesh.points.len() as u32 - 1
            }));
        }
        let whole = indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]);
        mesh.triangles = whole.collect();
        mesh
    }

    /// Joins equal points, as of a file whose faces have corners of their own. A mesh that is closed without this stays
    /// as it is: bodies that touch have points of their own.
    pub fn weld_if_open(&mut self) {
        let mut open = HashSet::new();
        for [a, b, c] in &self.triangles {
            for (from, to) in [(*a, *b), (*b, *c), (*c, *a)] {
                if from != to && !open.remove(&(to, from)) {
                    open.insert((from, to));
                }
            }
        }
        let corners = || self.triangles.iter().flatten();
        let whole = corners().all(|k| (*k as usize) < self.points.len());
        if whole && !open.is_empty() {
            *self = Self::welded(corners().map(|k| self.points[*k as usize]));
        }
    }

    /// Takes triangles away that have a corner twice, which bound nothing, and says how many.
    pub fn drop_lines(&mut self) -> usize {
        let before = self.triangles.len();
        self.triangles
            .retain(|[a, b, c]| a != b && b != c && c != a);
        before - self.triangles.len()
    }

    /// Refuses coordinates in single precision that are too large for it: of millions of metres it holds quarters.
    ///
    /// # Errors
    /// Coordinates whose rounding is above a hundredth of the mean edge.
    pub fn single_precision_holds(&self) -> Result<()> {
        let largest = self.points.iter().map(|p| p.abs().max_element());
        let largest = largest.fold(0.0, f64::max);
        let spacing = f64::from((largest as f32).next_up() - largest as f32);
        let (mut count, mut length) = (0.0, 0.0);
        for [a, b, c] in &self.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let ends = (
                    self.points.get(*from as usize),
                    self.points.get(*to as usize),
                );
                if let (Some(from), Some(to)) = ends {
                    count += 1.0;
                    length += (*to - *from).length();
                }
            }
        }
        ensure!(
            length == 0.0 || 0.5 * spacing <= 0.01 * length / count,
            "coordinates up to {largest} in single precision are {spacing:.2} m apart, the edges {:.2} m long; accepted: \
             coordinates near 0, or text or double precision",
            length / count
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_of_faces_are_joined_where_a_mesh_is_open() {
        let corners = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ];
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3usize]];
        let points = faces.iter().flatten().map(|k| DVec3::from(corners[*k]));
        let apart = Triangles {
            points: points.collect(),
            triangles: (0..4).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect(),
        };
        let mut joined = apart.clone();
        joined.weld_if_open();
        assert_eq!(joined.points.len(), 4);
        let closed = joined.clone();
        joined.weld_if_open();
        assert_eq!(joined, closed);
        // Two that touch in a point keep points of their own.
        let mut two = closed.clone();
        two.points.extend(closed.points.iter().map(|p| -*p));
        let others = closed.triangles.iter().map(|t| t.map(|k| k + 4));
        two.triangles.extend(others.collect::<Vec<_>>());
        let before = two.clone();
        two.weld_if_open();
        assert_eq!(two, before);
    }
}

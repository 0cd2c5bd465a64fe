//! Several meshes as one ground.

use super::gathered::{Gathered, corner_of};
use super::{Facet, Mesh, TerrainError};
use glam::DVec3;
use klast_numerics::OutOfRange;
use std::ops::Range;

/// One mesh of several, in map coordinates (m).
#[derive(Debug, Clone, Copy)]
pub struct MeshPart<'a> {
    /// Corners.
    pub points: &'a [DVec3],
    /// Triangles of corner numbers.
    pub triangles: &'a [[u32; 3]],
}

/// Several meshes as one ground, on which the part of each triangle is known.
///
/// Where parts lie above each other the highest is the ground, and of equal heights the first part. Parts need not
/// share corners: [`JoinedMesh::seams`] says how they meet.
#[derive(Debug, Clone, PartialEq)]
pub struct JoinedMesh {
    mesh: Mesh,
    // Number of the first triangle behind each part.
    ends: Vec<u32>,
    // Of each part.
    passed_over: Vec<usize>,
}

impl JoinedMesh {
    /// Joins parts; their triangles are numbered in the order of the parts.
    ///
    /// # Errors
    /// The number of a part, from 0, and why it is no ground (as [`Mesh::new`]).
    pub fn new(parts: &[MeshPart]) -> Result<Self, (usize, TerrainError)> {
        let origin = corner_of(parts.iter().flat_map(|p| p.points));
        let mut all = Gathered::default();
        let mut ends = Vec::with_capacity(parts.len());
        let mut passed_over = Vec::with_capacity(parts.len());
        for (number, part) in parts.iter().enumerate() {
            let named = |error| (number, error);
            let before = all.passed_over;
            all.add(part, origin).map_err(named)?;
            let count = all.facets.len();
            let end = u32::try_from(count).map_err(|_| {
                let refused = OutOfRange::new("number of mesh triangles", count, "up to 2³² - 1");
                named(refused.into())
            })?;
            ends.push(end);
            passed_over.push(all.passed_over - before);
        }
        if parts.is_empty() {
            return Err((
                0,
                OutOfRange::new("number of meshes", 0, "1 or more").into(),
            ));
        }
        Ok(JoinedMesh {
            mesh: Mesh::of(all, origin),
            ends,
            passed_over,
        })
    }

    /// The ground of all parts.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The ground of all parts, without them.
    pub fn into_mesh(self) -> Mesh {
        self.mesh
    }

    /// Numbers of the triangles of each part.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = Range<u32>> {
        let start = |k: usize| k.checked_sub(1).map_or(0, |before| self.ends[before]);
        (0..self.ends.len()).map(move |k| start(k)..self.ends[k])
    }

    /// The triangles of each part, in the local coordinates of the whole, and how many have no area and are passed over.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = (&[Facet], usize)> {
        let all = self.mesh.triangles();
        let own = |r: Range<u32>| &all[r.start as usize..r.end as usize];
        self.parts()
            .zip(&self.passed_over)
            .map(move |(range, passed_over)| (own(range), *passed_over))
    }

    /// Number of the part of a triangle.
    pub fn part_of(&self, facet: &Facet) -> usize {
        self.ends.partition_point(|end| *end <= facet.id)
    }
}

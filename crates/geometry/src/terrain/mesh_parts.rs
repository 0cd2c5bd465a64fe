//! Several meshes as one ground.

use super::ahead::LEAN;
use super::ground_triangles::{Gathered, corner_of};
use super::overhangs::walls_under_lips;
use super::{Facet, Mesh, MeshPart, TerrainError};
use klast_numerics::OutOfRange;
use std::ops::Range;

/// Several meshes as one ground, on which the part of each triangle is known.
///
/// Where parts lie above each other the highest is the ground, and of equal heights the first part. Parts need not
/// share corners: [`JoinedMesh::seams`] says how they meet. Where the border of a part lies above another part, walls
/// close the step: steep triangles of the higher part, numbered behind those of all parts, whose foot stands in front
/// of the border as far as the step is high, at most [`JoinedMesh::LEAN`].
#[derive(Debug, Clone, PartialEq)]
pub struct JoinedMesh {
    mesh: Mesh,
    // Number of the first triangle behind each part.
    ends: Vec<u32>,
    // Part of each triangle of a wall.
    walls: Vec<u32>,
    // Of each part.
    passed_over: Vec<usize>,
}

impl JoinedMesh {
    /// How far the foot of a wall stands in front of its upper edge, at most (m).
    pub const LEAN: f64 = LEAN;

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
        let joined = JoinedMesh {
            mesh: Mesh::of(all, origin),
            ends,
            walls: Vec::new(),
            passed_over,
        };
        Ok(joined.walled())
    }

    /// The same with walls where the border of a part lies above another part, and under overhanging edges.
    fn walled(self) -> Self {
        let of_facet = |f: &Facet| self.part_of(f);
        let (under, overhang) = walls_under_lips((&self.mesh, self.mesh.triangles()), of_facet);
        let own = |(facet, wall): (Facet, _)| (of_facet(&facet) as u32, wall);
        let mut all = self.walls();
        all.extend(under.into_iter().map(own));
        let (walls, triangles): (Vec<u32>, Vec<_>) = all.into_iter().unzip();
        JoinedMesh {
            mesh: self.mesh.with_walls(triangles, overhang),
            walls,
            ..self
        }
    }

    /// The ground of all parts.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The ground of all parts, without them.
    pub fn into_mesh(self) -> Mesh {
        self.mesh
    }

    /// Numbers of the triangles of each part, without walls.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = Range<u32>> {
        let start = |k: usize| k.checked_sub(1).map_or(0, |before| self.ends[before]);
        (0..self.ends.len()).map(move |k| start(k)..self.ends[k])
    }

    /// The triangles of each part, in the local coordinates of the whole, and how many have no area and are passed
    /// over.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = (&[Facet], usize)> {
        let all = self.mesh.triangles();
        let own = move |r: Range<u32>| &all[r.start as usize..r.end as usize];
        self.parts()
            .zip(&self.passed_over)
            .map(move |(range, passed_over)| (own(range), *passed_over))
    }

    /// Number of the part of a triangle; a wall is of the part that is higher.
    pub fn part_of(&self, facet: &Facet) -> usize {
        let wall = facet.id.checked_sub(self.count());
        let of_wall = wall.and_then(|k| self.walls.get(k as usize));
        of_wall.map_or_else(
            || self.ends.partition_point(|end| *end <= facet.id),
            |part| *part as usize,
        )
    }

    /// How many triangles the parts have, without walls.
    pub(super) fn count(&self) -> u32 {
        self.ends.last().copied().unwrap_or(0)
    }
}

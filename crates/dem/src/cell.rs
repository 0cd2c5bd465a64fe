//! A convex cell that is cut by half-spaces: vertices, and faces as loops that know what cut them.

use crate::error::DemError;
use glam::DVec3;

/// What a face of a cell came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaceSource {
    /// A side of the box: −x, +x, −y, +y, −z, +z.
    Box(u8),
    /// The bisector with this seed.
    Seed(u32),
}

/// A face: a counter-clockwise loop seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct CellFace {
    /// Indices into the vertices of the cell.
    pub vertices: Vec<u32>,
    /// What cut it.
    pub source: FaceSource,
}

/// A bounded convex polyhedron given by its boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Vertices, m.
    pub vertices: Vec<DVec3>,
    /// Faces.
    pub faces: Vec<CellFace>,
}

/// Volume and centroid of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellMeasure {
    /// m³.
    pub volume: f64,
    /// m.
    pub centroid: DVec3,
}

impl Cell {
    /// The box from `low` to `high`.
    #[must_use]
    pub fn from_box(low: DVec3, high: DVec3) -> Self {
        let vertices = (0..8)
            .map(|i| {
                DVec3::new(
                    if i & 1 == 0 { low.x } else { high.x },
                    if i & 2 == 0 { low.y } else { high.y },
                    if i & 4 == 0 { low.z } else { high.z },
                )
            })
            .collect();
        let loops = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        let faces = (0..)
            .zip(loops)
            .map(|(side, vertices)| CellFace {
                vertices: vertices.to_vec(),
                source: FaceSource::Box(side),
            })
            .collect();
        Self { vertices, faces }
    }

    /// Largest distance of a vertex from `point`, m.
    #[must_use]
    pub fn reach(&self, point: DVec3) -> f64 {
        self.vertices
            .iter()
            .map(|v| v.distance_squared(point))
            .fold(0.0, f64::max)
            .sqrt()
    }

    /// Volume and centroid, from pyramids over the faces with the apex inside.
    #[must_use]
    pub fn measure(&self) -> CellMeasure {
        let apex = self.vertices.iter().sum::<DVec3>() / self.vertices.len().max(1) as f64;
        let mut volume = 0.0;
        let mut moment = DVec3::ZERO;
        for face in &self.faces {
            let corner = |k: usize| self.vertices[face.vertices[k] as usize] - apex;
            for k in 1..face.vertices.len().saturating_sub(1) {
                let (a, b, c) = (corner(0), corner(k), corner(k + 1));
                let part = a.dot(b.cross(c)) / 6.0;
                volume += part;
                moment += (a + b + c) * (part / 4.0);
            }
        }
        let centroid = if volume > 0.0 {
            apex + moment / volume
        } else {
            apex
        };
        CellMeasure { volume, centroid }
    }

    /// Keeps the part with `normal · x ≤ offset`; a half-space beside the cell, or one that only touches it, leaves no
    /// vertices and no faces. The new face is marked `source`. False when nothing changed.
    ///
    /// A vertex is kept or dropped once, by its height alone, and a cut edge makes one new vertex that both its
    /// faces share; so the loops close by counting. Vertices within 1e-12 of the size above the plane count as on
    /// it; should rounding still give a face two cuts, the cut is made again with a larger margin.
    ///
    /// # Errors
    /// [`DemError::Cut`] for a plane that is not finite, and where no margin up to 1e-5 of the size leaves one convex
    /// part, as of a cell that is not convex. The cell stays as it was.
    pub fn cut(
        &mut self,
        normal: DVec3,
        offset: f64,
        source: FaceSource,
    ) -> Result<bool, DemError> {
        let heights: Vec<f64> = self
            .vertices
            .iter()
            .map(|v| normal.dot(*v) - offset)
            .collect();
        let refused = DemError::Cut {
            normal: normal.to_array(),
            offset,
        };
        if !heights.iter().all(|h| h.is_finite()) {
            return Err(refused);
        }
        let size = heights.iter().fold(0.0f64, |m, h| m.max(h.abs()));
        let mut margin = 1e-12 * size;
        let touches = heights.iter().all(|h| *h >= -margin);
        if touches && heights.iter().any(|h| *h > margin) {
            self.vertices.clear();
            self.faces.clear();
            return Ok(true);
        }
        for _ in 0..8 {
            if heights.iter().all(|h| *h <= margin) {
                return Ok(false);
            }
            let mut cut = Cut {
                cell: self,
                heights: &heights,
                margin,
                new_vertices: Vec::new(),
                edges: Vec::new(),
            };
            if let Some(faces) = cut.faces(source) {
                let new_vertices = cut.new_vertices;
                self.vertices.extend(new_vertices);
                self.faces = faces;
                self.compact();
                return Ok(true);
            }
            margin *= 10.0;
        }
        Err(refused)
    }

    /// Drops the vertices that no face uses.
    fn compact(&mut self) {
        let mut place = vec![u32::MAX; self.vertices.len()];
        let mut vertices = Vec::with_capacity(self.vertices.len());
        for face in &mut self.faces {
            for v in &mut face.vertices {
                let slot = &mut place[*v as usize];
                if *slot == u32::MAX {
                    *slot = vertices.len() as u32;
                    vertices.push(self.vertices[*v as usize]);
                }
                *v = *slot;
            }
        }
        self.vertices = vertices;
    }
}

/// An edge from one vertex to another.
type Directed = (u32, u32);

/// One attempt to cut a cell.
struct Cut<'a> {
    cell: &'a Cell,
    heights: &'a [f64],
    margin: f64,
    new_vertices: Vec<DVec3>,
    /// Cut edges (lower vertex first) and the vertex each one got.
    edges: Vec<(Directed, u32)>,
}

impl Cut<'_> {
    /// The faces of what is left, or nothing when the signs do not describe one plane through a convex solid.
    fn faces(&mut self, source: FaceSource) -> Option<Vec<CellFace>> {
        let cell = self.cell;
        let mut cap: Vec<Directed> = Vec::new();
        let mut faces = Vec::with_capacity(cell.faces.len() + 1);
        for face in &cell.faces {
            let (vertices, edge) = self.face(&face.vertices)?;
            cap.extend(edge);
            if vertices.len() >= 3 {
                faces.push(CellFace {
                    vertices,
                    source: face.source,
                });
            } else if !vertices.is_empty() {
                return None;
            }
        }
        faces.push(CellFace {
            vertices: close_loop(&cap)?,
            source,
        });
        Some(faces)
    }

    /// The kept part of one loop, and the edge of the cap that it leaves.
    fn face(&mut self, corners: &[u32]) -> Option<(Vec<u32>, Option<Directed>)> {
        let mut kept = Vec::with_capacity(corners.len() + 1);
        let (mut exit, mut entry) = (None, None);
        for (k, &a) in corners.iter().enumerate() {
            let b = corners[(k + 1) % corners.len()];
            let inside = self.heights[a as usize] <= self.margin;
            if inside {
                kept.push(a);
            }
            if inside != (self.heights[b as usize] <= self.margin) {
                let vertex = self.edge_vertex(a.min(b), a.max(b));
                kept.push(vertex);
                let slot = if inside { &mut exit } else { &mut entry };
                if slot.replace(vertex).is_some() {
                    return None;
                }
            }
        }
        // The face runs exit → entry along the cut, so the cap runs the other way.
        Some((kept, entry.zip(exit)))
    }

    /// The vertex where the plane cuts the edge `low`–`high`, made once.
    fn edge_vertex(&mut self, low: u32, high: u32) -> u32 {
        if let Some((_, vertex)) = self.edges.iter().find(|(edge, _)| *edge == (low, high)) {
            return *vertex;
        }
        let at = |v: u32| (self.heights[v as usize], self.cell.vertices[v as usize]);
        let ((h0, p0), (h1, p1)) = (at(low), at(high));
        let vertex = (self.cell.vertices.len() + self.new_vertices.len()) as u32;
        let fraction = (h0 / (h0 - h1)).clamp(0.0, 1.0);
        self.new_vertices.push(p0 + (p1 - p0) * fraction);
        self.edges.push(((low, high), vertex));
        vertex
    }
}

/// Links directed edges into the one loop that takes them all.
fn close_loop(edges: &[Directed]) -> Option<Vec<u32>> {
    let (first, mut next) = *edges.first()?;
    let mut vertices = vec![first];
    while next != first {
        vertices.push(next);
        if vertices.len() > edges.len() {
            return None;
        }
        next = edges.iter().find(|(from, _)| *from == next)?.1;
    }
    (vertices.len() == edges.len() && vertices.len() >= 3).then_some(vertices)
}

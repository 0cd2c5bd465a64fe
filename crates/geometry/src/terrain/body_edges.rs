//! Which edges of a body may touch which edges of a facet's prism.
//!
//! The product of two edges is a normal of the difference of two convex solids only where the arcs that the edges are
//! on their Gauss maps cross: where the edge of the prism runs out of one face of the body's edge and into the other.
//! Only those pairs can be what touches; the others part nothing that no other axis parts.

use crate::{ConvexPolyhedron, Pose};
use glam::{DMat3, DVec3};

/// Two edges closer to parallel than this have no common normal worth the name: another axis takes over.
pub(super) const PARALLEL: f64 = 1e-9;
/// Edges of a body from which on they are told apart by their faces. Below, parallel ones are looked for instead.
const MANY: usize = 48;
/// The vertical among the four edges.
const VERTICAL: u8 = 8;

/// An edge of the body in world coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) direction: DVec3,
    /// One of its ends.
    pub(super) end: DVec3,
    /// The edges of the prism that it may touch, a bit each.
    pub(super) sides: u8,
}

/// The edges of a body, in its own axes and as they lie at a pose.
#[derive(Debug, Clone, Default)]
pub(super) struct BodyEdges {
    /// Direction, one end, the two faces.
    own: Vec<(DVec3, DVec3, [u32; 2])>,
    /// Normals of the faces, where faces tell edges apart.
    own_normals: Vec<DVec3>,
    normals: Vec<DVec3>,
    /// For each face the edges of the prism that run out of it and those that run into it, a bit each.
    runs: Vec<[u8; 2]>,
    turn: DMat3,
    shift: DVec3,
    candidates: Vec<Candidate>,
}

impl BodyEdges {
    /// Takes up a body.
    pub(super) fn take(&mut self, body: &ConvexPolyhedron) {
        let many = body.edges().len() > MANY;
        self.own.clear();
        for edge in body.edges() {
            let direction = edge.direction;
            // Parallel edges (a box has three directions for twelve edges) give the same axes. Hulls of many vertices
            // have next to none.
            let parallel = |e: &(DVec3, DVec3, [u32; 2])| {
                e.0.cross(direction).length_squared() < PARALLEL * PARALLEL
            };
            if many || !self.own.iter().any(parallel) {
                let end = body.vertices().get(edge.vertices[0] as usize);
                self.own
                    .push((direction, end.copied().unwrap_or_default(), edge.facets));
            }
        }
        self.own_normals.clear();
        if many {
            self.own_normals
                .extend(body.facets().iter().map(|f| f.normal));
        }
    }

    /// Puts the body that was taken up at a pose.
    pub(super) fn place(&mut self, pose: &Pose) {
        self.turn = DMat3::from_quat(pose.rotation);
        self.shift = pose.translation;
        let turn = self.turn;
        self.normals.clear();
        self.normals
            .extend(self.own_normals.iter().map(|n| turn * *n));
        self.candidates.clear();
        if self.normals.is_empty() {
            for k in 0..self.own.len() {
                self.add(k, u8::MAX);
            }
        }
    }

    fn add(&mut self, k: usize, sides: u8) {
        let (turn, shift) = (self.turn, self.shift);
        let moved = self.own.get(k).map(|&(direction, end, _)| Candidate {
            direction: turn * direction,
            end: turn * end + shift,
            sides,
        });
        self.candidates.extend(moved);
    }

    /// The edges that may touch four edges of a prism, the last of them vertical.
    pub(super) fn candidates(&mut self, sides: [DVec3; 4]) -> &[Candidate] {
        if self.normals.is_empty() {
            return &self.candidates;
        }
        let lengths = sides.map(|s| 1e-9 * s.length());
        self.runs.clear();
        self.runs.extend(self.normals.iter().map(|normal| {
            let mut runs = [0; 2];
            for (k, (side, rounding)) in sides.iter().zip(lengths).enumerate() {
                let along = normal.dot(*side);
                runs[0] |= u8::from(along >= -rounding) << k;
                runs[1] |= u8::from(along <= rounding) << k;
            }
            runs
        }));
        self.candidates.clear();
        for k in 0..self.own.len() {
            let Some(&(_, _, faces)) = self.own.get(k) else {
                break;
            };
            let [a, b] = faces.map(|f| self.runs.get(f as usize).copied().unwrap_or_default());
            // Ground is below: one of the two faces looks down.
            let touches = (a[0] & b[1]) | (a[1] & b[0]);
            if touches != 0 && (a[1] | b[1]) & VERTICAL != 0 {
                self.add(k, touches);
            }
        }
        &self.candidates
    }
}

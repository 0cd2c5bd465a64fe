//! Overhanging edges of a mesh, and the steep facets under them.

use super::ahead::Ahead;
use super::border::Border;
use super::{Facet, Terrain};
use glam::DVec3;

/// Edges at which the ground of a mesh ends or folds back under itself, above other triangles of the mesh.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overhang {
    /// How many there are.
    pub edges: usize,
    /// Length of all of them in plan (m).
    pub length: f64,
    /// Greatest height of one above the ground in front of it (m).
    pub height: f64,
}

/// An edge at which the ground folds back is this part of its length or less above what lies in front of it where it
/// touches it, and an edge that a triangle has for itself where it is one side of a crack: triangles whose corners are
/// rounded, or lie on the edge of another, leave cracks.
const TOUCHES: f64 = 1e-4;
const CRACK: f64 = 1e-2;

/// A triangle with the corners of a steep facet under one of its edges.
type Wall = (Facet, [DVec3; 3]);

/// The steep facets under the overhanging edges of a mesh of own triangles. `part` tells the triangles of several
/// meshes apart: an edge above another mesh is none of these.
pub(super) fn walls_under_lips(
    (mesh, own): (&dyn Terrain, &[Facet]),
    part: impl Fn(&Facet) -> usize,
) -> (Vec<Wall>, Overhang) {
    let (mut walls, mut overhang, mut near) = (Vec::new(), Overhang::default(), Vec::new());
    for lip in outline(own) {
        let facet = lip.facet;
        let border = Border::new(part(&facet), &facet, lip.edge);
        let ahead = Ahead {
            mesh,
            border: &border,
            counts: |f: &Facet| f.id != facet.id && part(f) == border.part,
        };
        let steps = ahead.steps(&mut near).into_iter();
        let height = steps.map(|step| step.height).fold(0.0, f64::max);
        let length = (border.to - border.from).length();
        let least = length * if lip.alone { CRACK } else { TOUCHES };
        if height <= least || is_under_ground(mesh, &border, least) {
            continue;
        }
        overhang.edges += 1;
        overhang.length += length;
        overhang.height = overhang.height.max(height);
        walls.extend(ahead.wall(height, &mut near).map(|wall| (facet, wall)));
    }
    (walls, overhang)
}

/// Whether the middle of an edge lies under other ground, by more than a height (m).
fn is_under_ground(mesh: &dyn Terrain, border: &Border, by: f64) -> bool {
    let (from, to) = border.ends();
    let middle = 0.5 * (from + to);
    let ground = mesh.surface(middle.x, middle.y);
    ground.is_some_and(|ground| ground.height > middle.z + by)
}

/// An edge of the outline of a mesh.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub facet: Facet,
    /// Number of the edge in its triangle.
    pub edge: usize,
    /// Whether no other triangle has it.
    alone: bool,
}

/// Edges that one triangle has for itself, or that triangles on one side of them share: there the ground folds back.
pub(super) fn outline(facets: &[Facet]) -> Vec<Edge> {
    let ends = |f: &Facet, k: usize| {
        let bits = |p: DVec3| p.to_array().map(f64::to_bits);
        let mut ends = [bits(f.corners[k]), bits(f.corners[(k + 1) % 3])];
        ends.sort_unstable();
        ends
    };
    let all = facets.iter().enumerate();
    let mut edges: Vec<_> = all
        .flat_map(|(number, f)| (0..3).map(move |k| (ends(f, k), number, k)))
        .collect();
    edges.sort_unstable();
    let groups = edges.chunk_by(|a, b| a.0 == b.0);
    groups.filter_map(|group| fold(facets, group)).collect()
}

/// One of a group of equal edges, if all their triangles lie on one side of it in plan.
fn fold(facets: &[Facet], group: &[([[u64; 3]; 2], usize, usize)]) -> Option<Edge> {
    let of = |&(_, number, edge): &(_, usize, usize)| Edge {
        facet: facets[number],
        edge,
        alone: group.len() == 1,
    };
    let outward = |e: &Edge| Border::new(0, &e.facet, e.edge).outward;
    let first = of(group.first()?);
    let one_side = |e: &Edge| outward(e).dot(outward(&first)) > 0.0;
    let mut all = group.iter().map(of);
    all.all(|e| one_side(&e)).then_some(first)
}

//! Shapes of bodies as meshes.

use glam::DVec3;
use klast_geometry::ConvexPolyhedron;

use super::Mesh;

/// A polyhedron by its facets: corners are shared, edges are those between facets.
#[must_use]
pub fn polyhedron(shape: &ConvexPolyhedron) -> Mesh {
    let corners = shape.vertices().iter().map(|v| single(*v)).collect();
    let facets = (0..shape.facets().len()).map(|f| shape.facet_vertices(f).to_vec());
    of_facets(corners, facets)
}

/// A solid by the corners of its faces.
#[must_use]
pub fn faces(faces: &[Vec<DVec3>], origin: DVec3) -> Mesh {
    let mut corners: Vec<[f32; 3]> = Vec::new();
    let mut number = |p: &DVec3| {
        let p = single(*p - origin);
        let known = corners.iter().position(|c| *c == p);
        known.unwrap_or_else(|| {
            corners.push(p);
            corners.len() - 1
        }) as u32
    };
    let facets: Vec<Vec<u32>> = faces
        .iter()
        .map(|f| f.iter().map(&mut number).collect())
        .collect();
    of_facets(corners, facets.into_iter())
}

/// A box between two corners.
#[must_use]
pub fn cuboid(low: [f64; 3], high: [f64; 3]) -> Mesh {
    let corner = |i: usize| {
        let at = |k: usize| if i >> k & 1 == 0 { low[k] } else { high[k] };
        [at(0) as f32, at(1) as f32, at(2) as f32]
    };
    let loops = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    of_facets(
        (0..8).map(corner).collect(),
        loops.into_iter().map(|l| l.to_vec()),
    )
}

fn of_facets(positions: Vec<[f32; 3]>, facets: impl Iterator<Item = Vec<u32>>) -> Mesh {
    let mut mesh = Mesh {
        positions,
        ..Mesh::default()
    };
    for corners in facets {
        let Some((&first, rest)) = corners.split_first() else {
            continue;
        };
        mesh.triangles
            .extend(rest.windows(2).map(|w| [first, w[0], w[1]]));
        for (k, &a) in corners.iter().enumerate() {
            let b = corners[(k + 1) % corners.len()];
            let edge = [a.min(b), a.max(b)];
            if !mesh.edges.contains(&edge) {
                mesh.edges.push(edge);
            }
        }
    }
    mesh
}

/// A point in single precision.
#[must_use]
pub fn single(p: DVec3) -> [f32; 3] {
    [p.x as f32, p.y as f32, p.z as f32]
}

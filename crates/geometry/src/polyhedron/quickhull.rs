//! Triangulated convex hull with exact orientation tests.
//!
//! Quickhull (Barber, Dobkin & Huhdanpaa 1996) on the sign of an exact determinant (Shewchuk 1997, through the
//! `robust` crate). With exact signs the visible region of a point is always one disc, coplanar and collinear
//! points need no tolerance, and no point is lost; floating-point quickhull, parry's included, breaks on a lattice
//! that was turned and moved. What lies in one plane up to rounding comes out as slivers, which are merged later.

use glam::DVec3;
use robust::{Coord3D, orient3d};

/// A triangle of the hull under construction.
struct Triangle {
    corners: [u32; 3],
    /// The triangle across the edge from corner k to corner k + 1.
    across: [usize; 3],
    /// Points above this triangle that no other triangle holds.
    above: Vec<u32>,
    alive: bool,
}

fn exact(p: DVec3) -> Coord3D<f64> {
    Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    }
}

/// Whether point `p` lies strictly above the triangle (outside the solid).
fn sees(points: &[DVec3], corners: [u32; 3], p: u32) -> bool {
    let [a, b, c] = corners.map(|i| exact(points[i as usize]));
    orient3d(a, b, c, exact(points[p as usize])) < 0.0
}

/// The hull's triangles, counter-clockwise seen from outside; `None` if no four points span a volume.
pub(super) fn triangles(points: &[DVec3]) -> Option<Vec<Vec<u32>>> {
    let mut hull = first_tetrahedron(points)?;
    let start: Vec<u32> = (0..points.len() as u32).collect();
    distribute(points, &mut hull, 0..4, &start);
    let mut next = 0;
    // Each round removes the triangle it looks at, or passes on: triangles are only ever appended.
    while next < hull.len() {
        let Some(eye) = farthest(points, &hull[next]) else {
            next += 1;
            continue;
        };
        add_point(points, &mut hull, next, eye)?;
        next += 1;
    }
    Some(
        hull.into_iter()
            .filter(|t| t.alive)
            .map(|t| t.corners.to_vec())
            .collect(),
    )
}

/// The point that stands highest above a living triangle. Only the choice is in floating point; any would do.
fn farthest(points: &[DVec3], triangle: &Triangle) -> Option<u32> {
    if !triangle.alive {
        return None;
    }
    let [a, b, c] = triangle.corners.map(|i| points[i as usize]);
    let normal = (b - a).cross(c - a);
    let height = |p: &u32| (points[*p as usize] - a).dot(normal);
    triangle
        .above
        .iter()
        .copied()
        .max_by(|p, q| height(p).total_cmp(&height(q)).then(q.cmp(p)))
}

/// Four points that span a volume exactly, chosen far apart.
fn first_tetrahedron(points: &[DVec3]) -> Option<Vec<Triangle>> {
    let pick = |score: &dyn Fn(DVec3) -> f64| {
        (0..points.len()).max_by(|i, j| {
            score(points[*i])
                .total_cmp(&score(points[*j]))
                .then(j.cmp(i))
        })
    };
    let i = pick(&|p| -p.x)?;
    let a = points[i];
    let j = pick(&|p| (p - a).length_squared())?;
    let along = (points[j] - a).normalize_or_zero();
    let k = pick(&|p| (p - a).cross(along).length_squared())?;
    let normal = along.cross(points[k] - a);
    let l = pick(&|p| (p - a).dot(normal).abs())?;
    let [i, j, k, l] = [i, j, k, l].map(|v| v as u32);
    let [a, b, c, d] = [i, j, k, l].map(|v| exact(points[v as usize]));
    let volume = orient3d(a, b, c, d);
    if volume == 0.0 {
        return None;
    }
    let (j, k) = if volume > 0.0 { (j, k) } else { (k, j) };
    let make = |corners, across| Triangle {
        corners,
        across,
        above: vec![],
        alive: true,
    };
    // d lies below the first triangle; the other three share an edge with it each.
    Some(vec![
        make([i, j, k], [1, 2, 3]),
        make([j, i, l], [0, 3, 2]),
        make([k, j, l], [0, 1, 3]),
        make([i, k, l], [0, 2, 1]),
    ])
}

/// Hands each point to the first of the given triangles that it stands above; a point above none is inside.
fn distribute(
    points: &[DVec3],
    hull: &mut [Triangle],
    among: std::ops::Range<usize>,
    orphans: &[u32],
) {
    for &p in orphans {
        if let Some(t) = hull[among.clone()]
            .iter_mut()
            .find(|t| sees(points, t.corners, p))
        {
            t.above.push(p);
        }
    }
}

/// Replaces all triangles that `eye` sees by the cone from their outline to `eye`.
fn add_point(points: &[DVec3], hull: &mut Vec<Triangle>, from: usize, eye: u32) -> Option<()> {
    let (mut orphans, mut outline, mut stack) = (vec![], vec![], vec![from]);
    hull[from].alive = false;
    while let Some(t) = stack.pop() {
        orphans.append(&mut hull[t].above);
        for k in 0..3 {
            let other = hull[t].across[k];
            if !hull[other].alive {
                continue;
            }
            if sees(points, hull[other].corners, eye) {
                hull[other].alive = false;
                stack.push(other);
            } else {
                outline.push((hull[t].corners[k], hull[t].corners[(k + 1) % 3], other));
            }
        }
    }
    let first = hull.len();
    for &(a, b, other) in &outline {
        let follow = |v: u32| outline.iter().position(|e| e.0 == v).map(|i| first + i);
        let before = |v: u32| outline.iter().position(|e| e.1 == v).map(|i| first + i);
        let me = hull.len();
        let slot = (0..3)
            .find(|k| hull[other].corners[*k] == b && hull[other].corners[(k + 1) % 3] == a)?;
        hull[other].across[slot] = me;
        let across = [other, follow(b)?, before(a)?];
        hull.push(Triangle {
            corners: [a, b, eye],
            across,
            above: vec![],
            alive: true,
        });
    }
    let end = hull.len();
    distribute(points, hull, first..end, &orphans);
    Some(())
}

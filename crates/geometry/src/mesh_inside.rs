//! Whether the parts of a closed mesh lie in each other: the winding number beside its faces.

use glam::DVec3;
use std::f64::consts::PI;

/// Places looked at, times all faces, at most: so that a mesh of any size is looked at in about a second.
const MOST_PAIRS: usize = 40_000_000;
/// Places looked at, at least.
const LEAST_PLACES: usize = 16;
/// Parts along the side of a face of a mesh of few faces, each with a place in its middle.
const MOST_PARTS: usize = 8;
/// Distance of the two points beside a face from it, as a share of the size of the mesh.
const BESIDE: f64 = 1e-6;

/// The share of the area of a closed mesh beside which the winding number is neither 0 nor 1: there a part lies in
/// another, weighed twice, or a part is wound against the others. `turned` says that all normals point inwards. Of a
/// large mesh faces at equal distances in its list are looked at, of a small one several places of each face.
pub fn share_inside(corners: &[[DVec3; 3]], turned: bool) -> f64 {
    let points = || corners.iter().flatten();
    let lower = points().fold(DVec3::INFINITY, |l, p| l.min(*p));
    let upper = points().fold(DVec3::NEG_INFINITY, |u, p| u.max(*p));
    let distance = BESIDE * (upper - lower).max_element();
    let faces = corners.len().max(1);
    let most = (MOST_PAIRS / faces).max(LEAST_PLACES);
    let step = faces.div_ceil(most);
    let parts = (1..=MOST_PARTS)
        .rev()
        .find(|n| n * (n + 1) / 2 * faces <= most);
    let (mut area, mut inside) = (0.0, 0.0);
    for [a, b, c] in corners.iter().step_by(step) {
        let normal = (*b - *a).cross(*c - *a);
        let aside = distance * normal.normalize_or_zero();
        for place in places(parts.unwrap_or(1)) {
            let middle = *a + place[0] * (*b - *a) + place[1] * (*c - *a);
            let wrong = [middle + aside, middle - aside].into_iter().any(|p| {
                let turns = winding(corners, p);
                let turns = if turned { -turns } else { turns };
                !(-0.5..=1.5).contains(&turns)
            });
            area += normal.length();
            if wrong {
                inside += normal.length();
            }
        }
    }
    if area > 0.0 { inside / area } else { 0.0 }
}

/// Places in a triangle, as shares of two of its sides: the middles of the parts that stand as it does, where its sides are
/// cut into some.
fn places(parts: usize) -> impl Iterator<Item = [f64; 2]> {
    let share = move |k: usize| (k as f64 + 1.0 / 3.0) / parts as f64;
    (0..parts).flat_map(move |i| (0..parts - i).map(move |j| [share(i), share(j)]))
}

/// How often a mesh winds around a point: its solid angles over 4 pi, each by tan(Ω/2) = a·(b×c) / (abc + (a·b) c +
/// (b·c) a + (c·a) b) (Van Oosterom and Strackee 1983).
fn winding(corners: &[[DVec3; 3]], p: DVec3) -> f64 {
    let mut sum = 0.0;
    for triangle in corners {
        let [a, b, c] = triangle.map(|q| q - p);
        let [la, lb, lc] = [a.length(), b.length(), c.length()];
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        sum += libm::atan2(a.dot(b.cross(c)), below);
    }
    sum / (2.0 * PI)
}

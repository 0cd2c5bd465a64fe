//! Where the ground under a straight way in plan changes its facet.

use super::border::passage;
use super::{Area, Facet};
use glam::DVec2;

/// Adds the shares of a way at which a coordinate that goes evenly from `from` to `to` is a whole multiple of a
/// spacing, no multiple below `first` or above `last`.
pub(super) fn even(
    (from, to): (f64, f64),
    spacing: f64,
    (first, last): (f64, f64),
    out: &mut Vec<f64>,
) {
    let (a, b) = (from / spacing, to / spacing);
    let mut line = a.min(b).ceil().max(first);
    let until = a.max(b).min(last);
    // A coordinate that does not change lies on a line or crosses none.
    if a == b {
        return;
    }
    while line <= until {
        out.push((line - a) / (b - a));
        line += 1.0;
    }
}

/// Ground whose facets are asked for.
pub(super) struct Ground<'a> {
    pub extent: Area,
    /// Side of a typical facet (m).
    pub resolution: f64,
    /// Adds the facets that may touch an area.
    pub facets: &'a dyn Fn(Area, &mut Vec<Facet>),
}

/// Adds the shares at which a way crosses the edges of facets, and at which one facet comes out of another: where they
/// lie above each other the highest is the ground. Looks at the ground in stretches of about one facet.
pub(super) fn over_edges(
    ground: &Ground,
    (from, to): (DVec2, DVec2),
    facets: &mut Vec<Facet>,
    out: &mut Vec<f64>,
) {
    let way = to - from;
    let count = (way.length() / ground.resolution).ceil().max(1.0);
    let margin = 1e-9 * (1.0 + from.abs().max(to.abs()).max_element());
    // What is longer than any flight over a ground that can be held is not looked at.
    if way == DVec2::ZERO || !(count <= 1e7 && margin.is_finite()) {
        return;
    }
    let mut over = Vec::new();
    for k in 0..count as u64 {
        let ends = [k as f64 / count, (k + 1) as f64 / count];
        let [a, b] = ends.map(|share| from + way * share);
        let area = Area::spanned(a, b).grown(margin);
        if !area.meets(&ground.extent) {
            continue;
        }
        facets.clear();
        (ground.facets)(area, facets);
        for facet in facets.iter() {
            let corners = facet.corners.map(|c| c.truncate() - from);
            for k in 0..3 {
                let crossed = share_at(way, corners[k], corners[(k + 1) % 3]);
                out.extend(crossed.filter(|s| ends[0] <= *s && *s <= ends[1]));
            }
        }
        where_they_cross((from, to), ends, facets, &mut over, out);
    }
}

/// The stretch of a way over a facet, and its heights (m) under both ends of the whole way.
struct Over {
    enters: f64,
    leaves: f64,
    heights: [f64; 2],
}

/// Adds the shares between `ends` at which two facets over the same stretch of a way are of one height.
fn where_they_cross(
    (from, to): (DVec2, DVec2),
    ends: [f64; 2],
    facets: &[Facet],
    over: &mut Vec<Over>,
    out: &mut Vec<f64>,
) {
    over.clear();
    over.extend(facets.iter().filter_map(|facet| {
        let (enters, leaves) = passage(facet, from, to - from)?;
        let heights = [from, to].map(|p| facet.height_at(p));
        Some(Over {
            enters: enters.max(ends[0]),
            leaves: leaves.min(ends[1]),
            heights,
        })
    }));
    over.sort_unstable_by(|a, b| a.enters.total_cmp(&b.enters));
    for (k, a) in over.iter().enumerate() {
        // Neighbours meet at their common edge.
        let beside = over[k + 1..].iter();
        for b in beside.take_while(|b| b.enters < a.leaves - 1e-12) {
            let [first, last] = [0, 1].map(|end| a.heights[end] - b.heights[end]);
            let share = first / (first - last);
            if b.enters <= share && share <= a.leaves.min(b.leaves) {
                out.push(share);
            }
        }
    }
}

/// The share of a way from the origin at which it crosses an edge; `None` where it does not, or runs along it.
fn share_at(way: DVec2, a: DVec2, b: DVec2) -> Option<f64> {
    let (left, right) = (way.perp_dot(a), way.perp_dot(b));
    if (left > 0.0) == (right > 0.0) {
        return None;
    }
    let edge = b - a;
    let share = a.perp_dot(edge) / way.perp_dot(edge);
    share.is_finite().then_some(share)
}

#[cfg(test)]
mod tests {
    use super::super::{Diagonal, Grid, Mesh, Profile, Terrain};
    use super::*;
    use glam::DVec3;

    fn shares(terrain: &dyn Terrain, from: DVec2, to: DVec2) -> Vec<f64> {
        let (mut facets, mut out) = (Vec::new(), Vec::new());
        terrain.breaks(from, to, &mut facets, &mut out);
        out.retain(|s| *s > 0.0 && *s < 1.0);
        out.sort_unstable_by(f64::total_cmp);
        out.dedup_by(|a, b| (*a - *b).abs() < 1e-12);
        out
    }

    /// A way of 3 cells to the east and 1.5 to the north from (0.5, 0.25) over cells of 1 m, and the same as a mesh.
    #[test]
    fn a_way_crosses_lines_and_diagonals_of_cells() {
        let (from, to) = (DVec2::new(0.5, 0.25), DVec2::new(3.5, 1.75));
        // x = 1, 2, 3 at a third of (x − 0.5); y = 1 at 0.5; x − y = 1, 0.25 + 1.5 s = 1, and x + y = 1, 2, …, 5 with
        // 0.75 + 4.5 s.
        let lines = [0.5 / 3.0, 0.5, 2.5 / 3.0];
        let all = |more: &[f64]| {
            let mut all: Vec<f64> = lines.iter().chain(more).copied().collect();
            all.sort_unstable_by(f64::total_cmp);
            all.dedup_by(|a, b| (*a - *b).abs() < 1e-12);
            all
        };
        let falling: Vec<f64> = (1..=5).map(|k| (f64::from(k) - 0.75) / 4.5).collect();
        for (diagonal, wanted) in [
            (Diagonal::Rising, all(&[0.5])),
            (Diagonal::Falling, all(&falling)),
        ] {
            let grid = Grid::new(5, 3, 1.0, DVec2::ZERO, vec![0.0; 15]).unwrap();
            let grid = grid.with_diagonal(diagonal);
            let mut facets = Vec::new();
            grid.facets(grid.extent(), &mut facets);
            let points: Vec<DVec3> = facets.iter().flat_map(|f| f.corners).collect();
            let triangles: Vec<[u32; 3]> = (0..facets.len() as u32)
                .map(|k| [3 * k, 3 * k + 1, 3 * k + 2])
                .collect();
            let mesh = Mesh::new(&points, &triangles).unwrap();
            for terrain in [&grid as &dyn Terrain, &mesh] {
                let found = shares(terrain, from, to);
                assert_eq!(found.len(), wanted.len(), "{found:?} {wanted:?}");
                let apart = found.iter().zip(&wanted).map(|(a, b)| (a - b).abs());
                assert!(apart.fold(0.0, f64::max) < 1e-14, "{found:?} {wanted:?}");
            }
        }
    }

    /// Two sheets that fall and rise by 1 in 2 cross at x = 10: at half of a way from x = 4 to 16.
    #[test]
    fn a_way_crosses_the_line_at_which_a_sheet_comes_out_of_another() {
        let sheet = |z: fn(f64) -> f64| {
            [(0.0, 0.0), (20.0, 0.0), (20.0, 9.0), (0.0, 9.0)].map(|(x, y)| DVec3::new(x, y, z(x)))
        };
        let points = [sheet(|x| 10.0 - 0.5 * x), sheet(|x| 0.5 * x)].concat();
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        let mesh = Mesh::new(&points, &triangles).unwrap();
        // The diagonals, y = 0.45 x, are crossed at x = 40/9.
        let found = shares(&mesh, DVec2::new(4.0, 2.0), DVec2::new(16.0, 2.0));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!((found[0] - 1.0 / 27.0).abs() < 1e-14 && (found[1] - 0.5).abs() < 1e-14);
        let steep = mesh.surface(10.0, 2.0).unwrap();
        assert!((steep.height - 5.0).abs() < 1e-14);
    }

    #[test]
    fn a_way_crosses_the_points_of_a_profile() {
        let points = [0.0, 20.0, 20.5, 100.0].map(|x| DVec2::new(x, 0.0));
        let profile = Profile::new(points.to_vec()).unwrap();
        let there = shares(&profile, DVec2::new(10.0, 3.0), DVec2::new(60.0, -4.0));
        assert_eq!(there, [0.2, 0.21]);
        let back = shares(&profile, DVec2::new(60.0, 0.0), DVec2::new(10.0, 0.0));
        assert_eq!(back, [0.79, 0.8]);
        assert!(shares(&profile, DVec2::new(30.0, 0.0), DVec2::new(30.0, 9.0)).is_empty());
    }
}

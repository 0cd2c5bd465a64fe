//! Rings of points in plan, closed or not: areas and what lies in them. None of them crosses itself.

use glam::DVec2;
use robust::{Coord, orient2d};

fn sides(ring: &[DVec2]) -> impl Iterator<Item = (&DVec2, &DVec2)> {
    ring.iter().zip(ring.iter().cycle().skip(1))
}

/// Area of a ring, however it turns (m²).
pub fn area(ring: &[DVec2]) -> f64 {
    // From the first corner: the sum keeps its digits far from the origin of a map.
    let origin = ring.first().copied().unwrap_or_default();
    let twice = sides(ring).map(|(a, b)| (*a - origin).perp_dot(*b - origin));
    0.5 * twice.sum::<f64>().abs()
}

/// Whether a point is inside; one on the ring may be either. The side of each edge is exact and the same whichever way
/// the edge is gone along: of rings that share their corners and together make another one, a point is in one exactly
/// if it is in that.
pub fn contains(ring: &[DVec2], p: DVec2) -> bool {
    let coord = |v: &DVec2| Coord { x: v.x, y: v.y };
    let crossed = sides(ring).filter(|(a, b)| {
        let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
        low.y <= p.y && p.y < high.y && orient2d(coord(low), coord(high), coord(&p)) > 0.0
    });
    !crossed.count().is_multiple_of(2)
}

/// The rings around each of several that do not cross: those that are larger and hold a point inside it, the largest
/// first. Of rings that are the same the earlier is around the later.
pub fn around(rings: &[&[DVec2]]) -> Vec<Vec<usize>> {
    struct Known {
        area: f64,
        inside: Option<DVec2>,
        lower: DVec2,
        upper: DVec2,
    }
    let known = |ring: &&[DVec2]| Known {
        area: area(ring),
        inside: point_inside(ring),
        lower: ring.iter().fold(DVec2::INFINITY, |l, p| l.min(*p)),
        upper: ring.iter().fold(DVec2::NEG_INFINITY, |u, p| u.max(*p)),
    };
    let known: Vec<Known> = rings.iter().map(known).collect();
    let mut order: Vec<usize> = (0..rings.len()).collect();
    order.sort_by(|a, b| known[*b].area.total_cmp(&known[*a].area));
    let of = |k: usize| -> Vec<usize> {
        let Some(p) = known[k].inside else {
            return Vec::new();
        };
        let larger = order.iter().take_while(|j| **j != k);
        let near =
            larger.filter(|j| p.cmpge(known[**j].lower).all() && p.cmple(known[**j].upper).all());
        near.filter(|j| contains(rings[**j], p)).copied().collect()
    };
    (0..rings.len()).map(of).collect()
}

/// A point inside a ring and not near its rim: the middle of the widest piece of a horizontal line that meets no
/// corner.
pub fn point_inside(ring: &[DVec2]) -> Option<DVec2> {
    let mut heights: Vec<f64> = ring.iter().map(|p| p.y).collect();
    heights.sort_by(f64::total_cmp);
    let widest = |a: &[f64], b: &[f64]| (a[1] - a[0]).total_cmp(&(b[1] - b[0]));
    let gap = heights.windows(2).max_by(|a, b| widest(a, b))?;
    let y = 0.5 * (gap[0] + gap[1]);
    let crossed = sides(ring).filter(|(a, b)| (a.y > y) != (b.y > y));
    let mut across: Vec<f64> = crossed
        .map(|(a, b)| a.x + (y - a.y) * ((b.x - a.x) / (b.y - a.y)))
        .collect();
    across.sort_by(f64::total_cmp);
    let pieces = across.chunks_exact(2);
    let piece = pieces.max_by(|a, b| widest(a, b))?;
    Some(DVec2::new(0.5 * (piece[0] + piece[1]), y))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quadrilateral about a corner, cut into four from a point in it: points on and beside the cuts, to the last
    /// bit, are in one part, as they are in the whole.
    #[test]
    fn a_ring_that_is_cut_contains_what_the_whole_does() {
        let at = DVec2::new(2.6e6, 1.2e6);
        let whole =
            [(0.1, 0.3), (10.7, 0.9), (9.3, 7.1), (1.7, 5.9)].map(|(x, y)| at + DVec2::new(x, y));
        let mut asked = 0;
        for k in 0..50 {
            let middle = at + DVec2::new(3.0 + 0.07 * f64::from(k), 2.0 + 0.05 * f64::from(k));
            let part = |i: usize| [whole[i], whole[(i + 1) % 4], middle];
            for i in 0..4 {
                for j in 1..40 {
                    let on = middle.lerp(whole[i], f64::from(j) / 40.0);
                    for x in [on.x.next_down(), on.x, on.x.next_up()] {
                        let p = DVec2::new(x, on.y);
                        let parts = (0..4).filter(|i| contains(&part(*i), p)).count();
                        assert_eq!(parts, 1, "{p} {middle}");
                        asked += usize::from(contains(&whole, p));
                    }
                }
            }
        }
        assert_eq!(asked, 50 * 4 * 39 * 3);
    }

    /// A square of 10 m in map coordinates, and rings that touch it from inside and outside.
    #[test]
    fn rings_that_touch_are_in_each_other_or_not() {
        let ring = |points: &[(f64, f64)]| -> Vec<DVec2> {
            let at = DVec2::new(2.6e6, 1.2e6);
            points
                .iter()
                .map(|(x, y)| at + DVec2::new(*x, *y))
                .collect()
        };
        let square = ring(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]);
        assert_eq!(area(&square), 100.0);
        for (points, inside) in [
            (&[(10.0, 5.0), (5.0, 8.0), (5.0, 2.0)][..], true),
            (&[(10.0, 5.0), (15.0, 8.0), (15.0, 2.0)], false),
            (&[(5.0, 0.0), (10.0, 5.0), (5.0, 10.0), (0.0, 5.0)], true),
            (&[(20.0, 0.0), (22.0, 0.0), (22.0, 2.0)], false),
        ] {
            let other = ring(points);
            let found = around(&[&square, &other]);
            let own = if inside { vec![0] } else { vec![] };
            assert_eq!(found, [vec![], own], "{points:?}");
            let p = point_inside(&other).unwrap();
            assert!(contains(&other, p) && contains(&square, p) == inside);
        }
        assert_eq!(point_inside(&ring(&[(0.0, 0.0), (1.0, 0.0)])), None);
        // The same ring three times, and a ring of its size beside it.
        let beside = ring(&[(20.0, 0.0), (30.0, 0.0), (30.0, 10.0), (20.0, 10.0)]);
        let found = around(&[&square, &beside, &square, &square]);
        assert_eq!(found, [vec![], vec![], vec![0], vec![0, 2]]);
    }
}

//! Where a ring in plan crosses itself.

use glam::DVec2;
use std::collections::HashMap;

/// One side of a ring: its number, start and end.
type Side = (usize, DVec2, DVec2);

/// A place where a ring, closed or not, crosses itself: two sides that meet inside both, or two passages through one of
/// its points from side to side. A ring that only touches itself, as one that reaches a hole by a bridge, does not.
pub(crate) fn crossing(ring: &[DVec2]) -> Option<DVec2> {
    let origin = *ring.first()?;
    // Near the origin digits are kept; points that repeat the one before make no side.
    let mut points: Vec<DVec2> = ring.iter().map(|p| *p - origin).collect();
    points.dedup();
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let found = sides_that_cross(&points).or_else(|| passages_that_cross(&points));
    found.map(|p| p + origin)
}

/// Two sides that meet inside both: those are compared that overlap along the axis over which sides are shorter.
fn sides_that_cross(points: &[DVec2]) -> Option<DVec2> {
    let ends = points.iter().zip(points.iter().cycle().skip(1));
    let mut sides: Vec<Side> = ends.enumerate().map(|(k, (a, b))| (k, *a, *b)).collect();
    let total = sides
        .iter()
        .fold(DVec2::ZERO, |sum, (_, a, b)| sum + (*b - *a).abs());
    let lower = points.iter().fold(DVec2::INFINITY, |l, p| l.min(*p));
    let upper = points.iter().fold(DVec2::NEG_INFINITY, |u, p| u.max(*p));
    let share = total / (upper - lower).max(DVec2::splat(f64::MIN_POSITIVE));
    let along = |p: DVec2| if share.x <= share.y { p.x } else { p.y };
    sides.sort_by(|s, t| {
        let start = |(_, a, b): &Side| along(*a).min(along(*b));
        start(s).total_cmp(&start(t))
    });
    let mut active: Vec<Side> = Vec::new();
    for side in sides {
        let start = along(side.1).min(along(side.2));
        active.retain(|(_, a, b)| along(*a).max(along(*b)) >= start);
        if let Some(p) = active.iter().find_map(|other| meeting(*other, side)) {
            return Some(p);
        }
        active.push(side);
    }
    None
}

/// The point inside both of two sides.
fn meeting((_, a, b): Side, (_, c, d): Side) -> Option<DVec2> {
    // The side of a line on which a point lies; 0 within rounding.
    let left = |a: DVec2, b: DVec2, p: DVec2| {
        let (u, v) = (b - a, p - a);
        let (first, second) = (u.x * v.y, u.y * v.x);
        let rounding = 1e-14 * (first.abs() + second.abs());
        if (first - second).abs() <= rounding {
            0.0
        } else {
            first - second
        }
    };
    let (of_c, of_d) = (left(a, b, c), left(a, b, d));
    let (of_a, of_b) = (left(c, d, a), left(c, d, b));
    let opposed = |x: f64, y: f64| (x > 0.0 && y < 0.0) || (x < 0.0 && y > 0.0);
    (opposed(of_c, of_d) && opposed(of_a, of_b)).then(|| a + (b - a) * (of_a / (of_a - of_b)))
}

/// A point through which the ring goes twice, once from one side of the other passage to its other side.
fn passages_that_cross(points: &[DVec2]) -> Option<DVec2> {
    let count = points.len();
    let mut visits: HashMap<[u64; 2], Vec<usize>> = HashMap::new();
    for (k, p) in points.iter().enumerate() {
        // Both zeros are one place.
        let place = p.to_array().map(|x| (x + 0.0).to_bits());
        visits.entry(place).or_default().push(k);
    }
    let around = |k: usize| {
        let p = points[k];
        [
            points[(k + count - 1) % count] - p,
            points[(k + 1) % count] - p,
        ]
    };
    let crosses = |j: usize, k: usize| {
        let ([from, to], others) = (around(j), around(k));
        // How far a direction is turned from the first of the passage, in one turn.
        let turned = |v: DVec2| from.angle_to(v).rem_euclid(std::f64::consts::TAU);
        let along = |v: DVec2| {
            [from, to]
                .iter()
                .any(|u| u.perp_dot(v) == 0.0 && u.dot(v) > 0.0)
        };
        let [first, second] = others.map(|v| turned(v) < turned(to));
        !others.into_iter().any(along) && first != second
    };
    // The earliest along the ring.
    let found = visits.values().filter_map(|at| {
        let pairs = at.iter().enumerate();
        let mut pairs = pairs.flat_map(|(n, j)| at[n + 1..].iter().map(move |k| (*j, *k)));
        pairs.find(|(j, k)| crosses(*j, *k)).map(|(j, _)| j)
    });
    found.min().map(|k| points[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(points: &[(f64, f64)]) -> Vec<DVec2> {
        let at = DVec2::new(2_600_000.0, 1_200_000.0);
        points
            .iter()
            .map(|(x, y)| at + DVec2::new(*x, *y))
            .collect()
    }

    #[test]
    fn rings_that_cross_themselves_are_known() {
        for (points, place) in [
            // A bow-tie.
            (
                &[(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)][..],
                (5.0, 5.0),
            ),
            // One of unequal wings, closed: y = x/2 meets y = 3 - x at x = 2.
            (
                &[
                    (0.0, 0.0),
                    (20.0, 10.0),
                    (20.0, -17.0),
                    (0.0, 3.0),
                    (0.0, 0.0),
                ],
                (2.0, 1.0),
            ),
            // One with a point at the crossing.
            (
                &[
                    (0.0, 0.0),
                    (1.0, 1.0),
                    (2.0, 2.0),
                    (2.0, 0.0),
                    (1.0, 1.0),
                    (0.0, 2.0),
                ],
                (1.0, 1.0),
            ),
        ] {
            let found = crossing(&ring(points)).unwrap();
            let place = ring(&[place])[0];
            assert!((found - place).length() < 1e-8, "{points:?}: {found}");
        }
    }

    #[test]
    fn rings_that_only_touch_themselves_are_whole() {
        for points in [
            &[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)][..],
            // Closed, with a point twice and one on a straight side.
            &[
                (0.0, 0.0),
                (2.0, 0.0),
                (2.0, 0.0),
                (4.0, 0.0),
                (4.0, 4.0),
                (0.0, 0.0),
            ],
            // Two wings that touch in a point, neither crossing the other.
            &[
                (0.0, 0.0),
                (1.0, 1.0),
                (2.0, 0.0),
                (2.0, 2.0),
                (1.0, 1.0),
                (0.0, 2.0),
            ],
            // A hole that a bridge reaches.
            &[
                (0.0, 0.0),
                (9.0, 0.0),
                (9.0, 9.0),
                (0.0, 9.0),
                (0.0, 0.0),
                (3.0, 3.0),
                (3.0, 6.0),
                (6.0, 6.0),
                (6.0, 3.0),
                (3.0, 3.0),
            ],
            // A corner on another side.
            &[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 0.0), (0.0, 4.0)],
        ] {
            assert_eq!(crossing(&ring(points)), None, "{points:?}");
        }
    }

    /// A ring of 100,000 points is looked through in a moment, and the one crossing of it is found.
    #[test]
    fn long_rings_are_looked_through() {
        let teeth = 50_000;
        let mut comb: Vec<DVec2> = (0..teeth)
            .flat_map(|k| [(k as f64, 1.0), (k as f64 + 0.5, 1000.0)])
            .map(DVec2::from)
            .collect();
        comb.extend([DVec2::new(f64::from(teeth), 0.0), DVec2::ZERO]);
        assert_eq!(crossing(&comb), None);
        comb[2001].y = -1.0;
        assert!(crossing(&comb).is_some());
    }
}

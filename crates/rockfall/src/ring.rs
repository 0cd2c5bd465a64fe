//! Where the rings of a polygon in plan cross themselves or each other.

use glam::DVec2;
use std::collections::HashMap;

/// One side: its ring, its number there, start and end.
#[derive(Debug, Clone, Copy)]
struct Side {
    ring: usize,
    number: usize,
    start: DVec2,
    end: DVec2,
}

/// A passage through a point: the ring and the number of the point there.
type Passage = (usize, usize);

/// A place where rings, closed or not, cross themselves or each other: two sides that meet inside both, or two passages
/// through a point or along a common stretch, from one side of the other passage to its other side. Rings that only
/// touch, as one that reaches a hole by a bridge, do not cross.
pub(crate) fn crossing(rings: &[Vec<DVec2>]) -> Option<DVec2> {
    let origin = *rings.iter().flatten().next()?;
    let largest = rings.iter().flatten();
    let largest = largest.fold(0.0, |l: f64, p| l.max(p.abs().max_element()));
    // A point that was computed to lie on a side is off it by the rounding of map coordinates.
    let rounding = 4.0 * f64::EPSILON * largest;
    // Near the origin digits are kept.
    let near = |ring: &Vec<DVec2>| without_spikes(ring.iter().map(|p| *p - origin));
    let rings: Vec<Vec<DVec2>> = rings.iter().map(near).collect();
    let found = match with_touches(&rings, rounding) {
        Err(place) => Some(place),
        Ok(rings) => {
            let whole = |ring: &Vec<DVec2>| without_spikes(ring.iter().copied());
            let rings: Vec<Vec<DVec2>> = rings.iter().map(whole).collect();
            let repeated = rings.iter().find(|ring| goes_round_again(ring));
            let repeated = repeated.and_then(|ring| ring.first().copied());
            repeated.or_else(|| passages_that_cross(&rings))
        }
    };
    found.map(|p| p + origin)
}

/// The ring without points that repeat the one before, and without sides that it goes along and at once back.
fn without_spikes(ring: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut kept: Vec<DVec2> = Vec::new();
    for point in ring {
        match kept.as_slice() {
            [.., last] if *last == point => {}
            [.., before, _] if *before == point => {
                kept.pop();
            }
            _ => kept.push(point),
        }
    }
    let mut begins = 0;
    loop {
        match &kept[begins..] {
            [first, .., last] if first == last => {
                kept.pop();
            }
            [first, .., before, _] if first == before => {
                kept.pop();
            }
            [_, second, .., last] if second == last => begins += 1,
            _ => break,
        }
    }
    kept.split_off(begins)
}

/// The rings with a point wherever a point of a side lies inside another side; the place where two sides meet inside
/// both, if there is one. Those sides are compared that overlap along the axis over which sides are shorter.
fn with_touches(rings: &[Vec<DVec2>], rounding: f64) -> Result<Vec<Vec<DVec2>>, DVec2> {
    let mut sides = Vec::new();
    for (ring, points) in rings.iter().enumerate() {
        let ends = points.iter().zip(points.iter().cycle().skip(1));
        sides.extend(ends.enumerate().map(|(number, (start, end))| Side {
            ring,
            number,
            start: *start,
            end: *end,
        }));
    }
    let total = sides
        .iter()
        .fold(DVec2::ZERO, |sum, s| sum + (s.end - s.start).abs());
    let points = || rings.iter().flatten();
    let lower = points().fold(DVec2::INFINITY, |l, p| l.min(*p));
    let upper = points().fold(DVec2::NEG_INFINITY, |u, p| u.max(*p));
    let share = total / (upper - lower).max(DVec2::splat(f64::MIN_POSITIVE));
    let along = |p: DVec2| if share.x <= share.y { p.x } else { p.y };
    let first = |s: &Side| along(s.start).min(along(s.end));
    sides.sort_by(|s, t| first(s).total_cmp(&first(t)));
    let mut touches: HashMap<Passage, Vec<DVec2>> = HashMap::new();
    let mut active: Vec<Side> = Vec::new();
    for side in sides {
        let from = first(&side) - rounding;
        active.retain(|s| along(s.start).max(along(s.end)) >= from);
        for other in &active {
            let mut apart = true;
            for (of, on) in [(&side, other), (other, &side)] {
                for p in [of.start, of.end] {
                    if lies_inside(on, p, rounding) {
                        touches.entry((on.ring, on.number)).or_default().push(p);
                        apart = false;
                    }
                }
            }
            if let (true, Some(place)) = (apart, meeting(other, &side)) {
                return Err(place);
            }
        }
        active.push(side);
    }
    let whole = |(ring, points): (usize, &Vec<DVec2>)| {
        let mut split = Vec::with_capacity(points.len());
        for (number, start) in points.iter().enumerate() {
            split.push(*start);
            if let Some(mut on) = touches.remove(&(ring, number)) {
                on.sort_by(|p, q| (*p - *start).length().total_cmp(&(*q - *start).length()));
                split.extend(on);
            }
        }
        split
    };
    Ok(rings.iter().enumerate().map(whole).collect())
}

/// Whether a point lies on a side, and at neither end.
fn lies_inside(side: &Side, p: DVec2, rounding: f64) -> bool {
    let (u, v) = (side.end - side.start, p - side.start);
    let length = u.length();
    let along = u.dot(v) / length;
    u.perp_dot(v).abs() <= rounding * length && along > rounding && length - along > rounding
}

/// The point inside both of two sides.
fn meeting(one: &Side, other: &Side) -> Option<DVec2> {
    let (a, b, c, d) = (one.start, one.end, other.start, other.end);
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

/// Whether a ring goes the same way twice or more often, so that nothing is inside by the even-odd rule.
fn goes_round_again(ring: &[DVec2]) -> bool {
    let count = ring.len();
    (1..=count / 2)
        .filter(|turn| count.is_multiple_of(*turn) && ring[*turn] == ring[0])
        .any(|turn| ring.iter().zip(&ring[turn..]).all(|(p, q)| p == q))
}

/// A point through which rings go twice, once from one side of the other passage to its other side: the earliest.
fn passages_that_cross(rings: &[Vec<DVec2>]) -> Option<DVec2> {
    let mut visits: HashMap<[u64; 2], Vec<Passage>> = HashMap::new();
    for (ring, points) in rings.iter().enumerate() {
        for (number, p) in points.iter().enumerate() {
            // Both zeros are one place.
            let place = p.to_array().map(|x| (x + 0.0).to_bits());
            visits.entry(place).or_default().push((ring, number));
        }
    }
    let found = visits.values().filter_map(|at| {
        let pairs = at.iter().enumerate();
        let mut pairs = pairs.flat_map(|(n, j)| at[n + 1..].iter().map(move |k| (*j, *k)));
        pairs
            .find(|(j, k)| passes_over(rings, *j, *k) || passes_over(rings, *k, *j))
            .map(|(j, _)| j)
    });
    found.min().map(|(ring, number)| rings[ring][number])
}

/// Whether one of two passages through a place goes over the other there, or over the stretch that both have in common
/// from there on.
fn passes_over(rings: &[Vec<DVec2>], j: Passage, k: Passage) -> bool {
    let point = |(ring, number): Passage, steps: isize| {
        let points = &rings[ring];
        points[(number as isize + steps).rem_euclid(points.len() as isize) as usize]
    };
    // How far a direction is turned from another, in one turn.
    let turned = |from: DVec2, v: DVec2| from.angle_to(v).rem_euclid(std::f64::consts::TAU);
    let place = point(j, 0);
    let (before, after) = (point(j, -1), point(j, 1));
    let others = [point(k, -1), point(k, 1)];
    if others.contains(&before) {
        // The middle or the end of a stretch: it is looked at from its start.
        return false;
    }
    if !others.contains(&after) {
        let from = before - place;
        let [first, second] = others.map(|p| turned(from, p - place) < turned(from, after - place));
        return first != second;
    }
    let step = if others[1] == after { 1 } else { -1 };
    let longest = rings[j.0].len().max(rings[k.0].len()) as isize;
    let Some(end) = (1..=longest).find(|n| point(j, *n) != point(k, step * *n)) else {
        return false;
    };
    let ahead = after - place;
    let left_at_start = turned(ahead, before - place) < turned(ahead, point(k, -step) - place);
    let last = point(j, end - 1);
    let back = point(j, end - 2) - last;
    let left_at_end =
        turned(back, point(j, end) - last) > turned(back, point(k, step * end) - last);
    left_at_start != left_at_end
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
            // One whose corner lies on a side that it goes through.
            (
                &[
                    (0.0, 0.0),
                    (4.0, 0.0),
                    (4.0, 3.0),
                    (2.0, 0.0),
                    (3.0, -3.0),
                    (0.0, -3.0),
                ],
                (2.0, 0.0),
            ),
            // The same with a side of thirds, on which no rounded corner lies.
            (
                &[
                    (0.0, 0.0),
                    (7.0, 3.0),
                    (4.0, 5.0),
                    (7.0 / 3.0, 1.0),
                    (3.0, -3.0),
                    (0.0, -3.0),
                ],
                (7.0 / 3.0, 1.0),
            ),
            // One that comes to a side, goes along it and leaves it on the other side.
            (
                &[
                    (0.0, 0.0),
                    (9.0, 0.0),
                    (9.0, 3.0),
                    (6.0, 0.0),
                    (3.0, 0.0),
                    (3.0, -3.0),
                    (0.0, -3.0),
                ],
                (3.0, 0.0),
            ),
            // One that goes round twice.
            (
                &[
                    (0.0, 0.0),
                    (4.0, 0.0),
                    (4.0, 4.0),
                    (0.0, 0.0),
                    (4.0, 0.0),
                    (4.0, 4.0),
                ],
                (0.0, 0.0),
            ),
        ] {
            let found = crossing(&[ring(points)]).unwrap();
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
            // A side that lies on another and leaves it where it came from.
            &[
                (0.0, 0.0),
                (9.0, 0.0),
                (9.0, 3.0),
                (6.0, 0.0),
                (3.0, 0.0),
                (0.0, 3.0),
            ],
            // A spike, and one across the start.
            &[(0.0, 0.0), (9.0, 0.0), (4.0, 0.0), (4.0, 4.0), (-2.0, -2.0)],
        ] {
            assert_eq!(crossing(&[ring(points)]), None, "{points:?}");
        }
    }

    #[test]
    fn rings_of_a_polygon_may_touch_and_do_not_cross() {
        let outer = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)];
        for (hole, crosses) in [
            (&[(2.0, 2.0), (4.0, 2.0), (4.0, 4.0)][..], false),
            (&[(0.0, 2.0), (4.0, 2.0), (4.0, 4.0)], false),
            (&[(0.0, 2.0), (0.0, 6.0), (4.0, 4.0)], false),
            (&[(12.0, 2.0), (14.0, 2.0), (14.0, 4.0)], false),
            (&[(2.0, 2.0), (12.0, 2.0), (4.0, 4.0)], true),
            (&[(9.0, 2.0), (12.0, 4.0), (9.0, 6.0), (6.0, 4.0)], true),
            (&[(9.0, 2.0), (9.0, 6.0), (12.0, 6.0), (6.0, 1.0)], true),
        ] {
            let found = crossing(&[ring(&outer), ring(hole)]);
            assert_eq!(found.is_some(), crosses, "{hole:?}: {found:?}");
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
        assert_eq!(crossing(std::slice::from_ref(&comb)), None);
        comb[2001].y = -1.0;
        assert!(crossing(&[comb]).is_some());
    }
}

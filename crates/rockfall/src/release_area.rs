//! Where rocks are released: points, lines, areas.

use super::error::{RockfallError, within};
use super::polygon::Polygon;
use glam::DVec2;
use klast_geometry::terrain::{Area, Grid, Terrain};
use klast_sampling::open_uniform;
use rand::Rng;

/// Where rocks are released, in map coordinates (m).
#[derive(Debug, Clone, PartialEq)]
pub enum Release {
    /// At one place.
    Point(DVec2),
    /// Along a line, uniformly by its length in plan.
    Line(Vec<DVec2>),
    /// Over an area, uniformly by the true area of the ground.
    Area(Polygon),
    /// Over squares of side `cell` about these centres, uniformly by the true area of the ground: see [`steep_cells`].
    Cells {
        /// Centres of the squares.
        centres: Vec<DVec2>,
        /// Side of a square (m).
        cell: f64,
    },
    /// At several places of one kind: points alike, lines by their length in plan, areas by their true area.
    Parts(Vec<Release>),
}

/// Centres, in map coordinates, of all raster cells steeper than an angle (rad).
pub fn steep_cells(grid: &Grid, angle: f64) -> Vec<DVec2> {
    let limit = libm::cos(angle);
    let origin = grid.origin().truncate();
    let cells = (0..grid.rows() - 1).flat_map(|j| (0..grid.columns() - 1).map(move |i| (i, j)));
    let centre = |(i, j)| DVec2::new(i as f64 + 0.5, j as f64 + 0.5) * grid.cell();
    let steep = |p: &DVec2| grid.surface(p.x, p.y).is_some_and(|s| s.normal.z < limit);
    cells
        .map(centre)
        .filter(steep)
        .map(|p| p + origin)
        .collect()
}

impl Release {
    /// Refuses what no place can be drawn from.
    ///
    /// # Errors
    /// Places that are not finite, lines without a length, areas too narrow, no places, places of several kinds.
    pub fn validate(&self) -> Result<(), RockfallError> {
        let count = |field, found| RockfallError::Count {
            field,
            found,
            accepted: "a place to release from".into(),
        };
        match self {
            Release::Point(p) => within("release point", p.x + p.y, true, "finite map coordinates"),
            Release::Line(points) => {
                let length = points
                    .windows(2)
                    .fold(0.0, |sum, w| sum + w[0].distance(w[1]));
                within(
                    "length of a release line",
                    length,
                    points.len() >= 2 && length > 0.0,
                    "two or more points, above 0 m",
                )
            }
            Release::Area(polygon) => {
                let (lower, upper) = polygon.corners();
                let filled = polygon.area() / (upper - lower).element_product();
                within(
                    "part of its box that a release area fills",
                    filled,
                    filled >= LEAST_FILLED,
                    "1/10000 or more; a narrower strip is a line",
                )
            }
            Release::Cells { centres, .. } if centres.is_empty() => {
                Err(count("release cells (none is that steep)", 0))
            }
            Release::Cells { cell, .. } => within("release cell", *cell, *cell > 0.0, "above 0 m"),
            Release::Parts(parts) => {
                let Some(first) = parts.first() else {
                    return Err(count("parts of a release", 0));
                };
                let kind = std::mem::discriminant(first);
                let nested = matches!(first, Release::Parts(_));
                if nested || parts.iter().any(|p| std::mem::discriminant(p) != kind) {
                    return Err(RockfallError::Count {
                        field: "kinds of parts of a release",
                        found: 2,
                        accepted: "one kind: points, lines or areas".into(),
                    });
                }
                parts.iter().try_for_each(Release::validate)
            }
        }
    }

    /// What lies in a rectangle, up to its upper sides, and its share of the rocks; none of what lies beside it.
    #[must_use]
    pub fn cut(&self, to: Area) -> Option<(Release, f64)> {
        let mut pieces = Vec::new();
        self.pieces(to, &mut pieces);
        let part: f64 = pieces.iter().map(Release::size).sum();
        let share = (part / self.size()).min(1.0);
        let one = match pieces.len() {
            0 | 1 => pieces.pop()?,
            _ => Release::Parts(pieces),
        };
        Some((one, share))
    }

    fn pieces(&self, to: Area, out: &mut Vec<Release>) {
        let holds = |p: &DVec2| p.cmpge(to.lower).all() && p.cmplt(to.upper).all();
        match self {
            Release::Point(p) => out.extend(holds(p).then_some(Release::Point(*p))),
            Release::Line(points) => {
                let pieces = points.windows(2).filter_map(|w| piece(w[0], w[1], to));
                out.extend(pieces.map(|(a, b)| Release::Line(vec![a, b])));
            }
            Release::Area(polygon) => out.extend(polygon.cut(to).map(Release::Area)),
            Release::Cells { centres, cell } => {
                let centres: Vec<DVec2> = centres.iter().copied().filter(holds).collect();
                let cell = *cell;
                out.extend((!centres.is_empty()).then_some(Release::Cells { centres, cell }));
            }
            Release::Parts(parts) => parts.iter().for_each(|part| part.pieces(to, out)),
        }
    }

    /// How many rocks it gets beside others of its kind, in proportion.
    fn size(&self) -> f64 {
        match self {
            Release::Point(_) => 1.0,
            Release::Parts(parts) => parts.iter().map(Release::size).sum(),
            Release::Line(points) => points.windows(2).map(|w| w[0].distance(w[1])).sum(),
            Release::Area(polygon) => polygon.area(),
            Release::Cells { centres, cell } => centres.len() as f64 * cell * cell,
        }
    }

    /// Draws a place in map coordinates, of an area uniformly in plan.
    pub fn draw(&self, rng: &mut impl Rng) -> DVec2 {
        match self {
            Release::Point(p) => *p,
            Release::Line(points) => along(points, open_uniform(rng)),
            Release::Area(polygon) => inside(polygon, rng),
            Release::Cells { centres, cell } => {
                let k = (open_uniform(rng) * centres.len() as f64) as usize;
                let centre = centres.get(k).copied().unwrap_or_default();
                centre + DVec2::new(open_uniform(rng) - 0.5, open_uniform(rng) - 0.5) * *cell
            }
            Release::Parts(parts) => {
                let mut left = open_uniform(rng) * parts.iter().map(Release::size).sum::<f64>();
                let mut parts = parts.iter().peekable();
                while let Some(part) = parts.next() {
                    left -= part.size();
                    if left < 0.0 || parts.peek().is_none() {
                        return part.draw(rng);
                    }
                }
                DVec2::ZERO
            }
        }
    }
}

/// The piece of a segment in a rectangle (Liang and Barsky 1984); none without a length.
fn piece(a: DVec2, b: DVec2, to: Area) -> Option<(DVec2, DVec2)> {
    let (mut from, mut until) = (0.0f64, 1.0f64);
    for axis in 0..2 {
        let (way, start) = (b[axis] - a[axis], a[axis]);
        let (low, high) = (to.lower[axis] - start, to.upper[axis] - start);
        match way == 0.0 {
            // The upper side is another rectangle's.
            true if low > 0.0 || high <= 0.0 => return None,
            true => {}
            false => {
                let (one, other) = (low / way, high / way);
                from = from.max(one.min(other));
                until = until.min(one.max(other));
            }
        }
    }
    (from < until).then(|| (a.lerp(b, from), a.lerp(b, until)))
}

fn along(points: &[DVec2], share: f64) -> DVec2 {
    let length = |w: &[DVec2]| w[0].distance(w[1]);
    let mut left = share * points.windows(2).map(length).sum::<f64>();
    for w in points.windows(2) {
        if left <= length(w) {
            return w[0].lerp(w[1], left / length(w));
        }
        left -= length(w);
    }
    points.last().copied().unwrap_or_default()
}

/// Part of its box that a release area has to fill at least, and how often a point of it is looked for: as often as
/// that misses one in e¹⁰⁰.
const LEAST_FILLED: f64 = 1e-4;

const MAX_DRAWS: usize = 1_000_000;

/// A point of a polygon by rejection from its box.
fn inside(polygon: &Polygon, rng: &mut impl Rng) -> DVec2 {
    let (lower, upper) = polygon.corners();
    for _ in 0..MAX_DRAWS {
        let p = lower + (upper - lower) * DVec2::new(open_uniform(rng), open_uniform(rng));
        if polygon.contains(p) {
            return p;
        }
    }
    lower
}

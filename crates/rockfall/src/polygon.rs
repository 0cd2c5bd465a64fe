//! Polygons in plan, and an index over many of them.

use crate::RockfallError;
use crate::error::within;
use crate::ring::crossing;
use glam::DVec2;
use klast_geometry::ring;

/// A simple polygon in plan, with holes given as further rings; even-odd rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    rings: Vec<Vec<DVec2>>,
}

/// Share of the areas of the rings below which what they leave is rounding: the same ring from another corner on.
const SLIVER: f64 = 1e-9;

impl Polygon {
    /// A polygon from rings of map coordinates (m); a ring needs three points, closed or not; rings cross neither
    /// themselves nor each other. Rings that leave no area, as one that is there twice, are refused.
    pub fn new(rings: Vec<Vec<DVec2>>) -> Result<Self, RockfallError> {
        for ring in &rings {
            let closing = usize::from(ring.len() > 1 && ring.first() == ring.last());
            if ring.len() - closing < 3 {
                return Err(RockfallError::Count {
                    field: "polygon points",
                    found: ring.len(),
                    accepted: "3 or more in each ring".into(),
                });
            }
            if let Some(p) = ring.iter().find(|p| !p.is_finite()) {
                return Err(RockfallError::OutOfRange {
                    field: "polygon point",
                    found: p.x + p.y,
                    accepted: "finite coordinates",
                });
            }
        }
        if let Some(DVec2 { x, y }) = crossing(&rings) {
            return Err(RockfallError::Crossed { x, y });
        }
        if rings.is_empty() {
            return Err(RockfallError::Count {
                field: "polygon rings",
                found: 0,
                accepted: "1 or more".into(),
            });
        }
        let whole: f64 = rings.iter().map(|ring| ring::area(ring)).sum();
        let polygon = Polygon { rings };
        within(
            "polygon area",
            polygon.area(),
            polygon.area() > SLIVER * whole,
            "above 0 m²: rings that do not cancel each other",
        )?;
        Ok(polygon)
    }

    /// The rings.
    pub fn rings(&self) -> &[Vec<DVec2>] {
        &self.rings
    }

    /// Its box: the least and the largest coordinates (m).
    pub(crate) fn corners(&self) -> (DVec2, DVec2) {
        let points = || self.rings().iter().flatten();
        (
            points().fold(DVec2::INFINITY, |a, p| a.min(*p)),
            points().fold(DVec2::NEG_INFINITY, |a, p| a.max(*p)),
        )
    }

    /// Area (m²): a ring in an odd number of others is a hole, a ring in an even number of them an island.
    pub fn area(&self) -> f64 {
        let rings: Vec<&[DVec2]> = self.rings.iter().map(Vec::as_slice).collect();
        let around = ring::around(&rings);
        let signed = rings.iter().zip(around).map(|(ring, around)| {
            let sign = if around.len().is_multiple_of(2) {
                1.0
            } else {
                -1.0
            };
            sign * ring::area(ring)
        });
        signed.sum()
    }

    /// Whether a point is inside.
    pub fn contains(&self, p: DVec2) -> bool {
        let mut inside = false;
        for ring in &self.rings {
            inside ^= ring::contains(ring, p);
        }
        inside
    }
}

/// Which of many polygons is the first that contains a point: a raster over all of them, whose cells know the polygons
/// that fill them and those whose rim goes through. Built in a time in proportion to the rims and the cells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PolygonIndex {
    lower: DVec2,
    cell: DVec2,
    columns: usize,
    rows: usize,
    /// Where the entries of a cell begin, and one more.
    starts: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    polygon: u32,
    /// It fills the cell; otherwise its rim goes through.
    fills: bool,
}

/// Cells along a side of the index, at most.
const MOST_CELLS: f64 = 512.0;

impl PolygonIndex {
    pub(crate) fn new<'a>(polygons: impl Iterator<Item = &'a Polygon> + Clone) -> Self {
        let points = || polygons.clone().flat_map(|p| p.rings().iter().flatten());
        let lower = points().fold(DVec2::INFINITY, |a, p| a.min(*p));
        let upper = points().fold(DVec2::NEG_INFINITY, |a, p| a.max(*p));
        let side = (8.0 * points().count() as f64)
            .sqrt()
            .clamp(1.0, MOST_CELLS) as usize;
        let size = upper - lower;
        let mut index = PolygonIndex {
            lower,
            cell: (size / side as f64).max(DVec2::splat(f64::MIN_POSITIVE)),
            columns: side,
            rows: side,
            starts: Vec::new(),
            entries: Vec::new(),
        };
        if !size.is_finite() {
            // No polygon at all.
            (index.columns, index.rows) = (0, 0);
            return index;
        }
        let mut cells: Vec<Vec<Entry>> = vec![Vec::new(); side * side];
        // The polygon whose rim was last seen in a cell, plus one.
        let mut rim = vec![0u32; side * side];
        for (number, polygon) in polygons.enumerate() {
            index.enter(number as u32, polygon, &mut cells, &mut rim);
        }
        for cell in &cells {
            index.starts.push(index.entries.len() as u32);
            index.entries.extend(cell);
        }
        index.starts.push(index.entries.len() as u32);
        index
    }

    /// The first polygon with a point in it, where `inside` tells whether one contains it.
    pub(crate) fn first(&self, p: DVec2, inside: impl Fn(usize) -> bool) -> Option<usize> {
        let at = (p - self.lower) / self.cell;
        let (columns, rows) = (self.columns as f64, self.rows as f64);
        if !(at.x >= 0.0 && at.y >= 0.0 && at.x <= columns && at.y <= rows) {
            return None;
        }
        let column = (at.x as usize).min(self.columns.checked_sub(1)?);
        let row = (at.y as usize).min(self.rows - 1);
        let cell = row * self.columns + column;
        let (from, to) = (*self.starts.get(cell)?, *self.starts.get(cell + 1)?);
        let entries = self.entries.get(from as usize..to as usize)?;
        let found = entries
            .iter()
            .find(|e| e.fills || inside(e.polygon as usize))?;
        Some(found.polygon as usize)
    }

    fn enter(&self, number: u32, polygon: &Polygon, cells: &mut [Vec<Entry>], rim: &mut [u32]) {
        // Where the middle line of a row of cells meets the rim.
        let mut crossings: Vec<Vec<f64>> = vec![Vec::new(); self.rows];
        let mark = number + 1;
        let add = |cells: &mut [Vec<Entry>], cell: usize, fills: bool| {
            // What lies below a polygon that fills the cell is never asked.
            let hidden = cells[cell].last().is_some_and(|e| e.fills);
            if !hidden {
                cells[cell].push(Entry {
                    polygon: number,
                    fills,
                });
            }
        };
        for ring in polygon.rings() {
            for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                let (a, b) = ((*a - self.lower) / self.cell, (*b - self.lower) / self.cell);
                for (row, columns) in self.cells_of(a, b) {
                    for column in columns {
                        let cell = row * self.columns + column;
                        if std::mem::replace(&mut rim[cell], mark) != mark {
                            add(cells, cell, false);
                        }
                    }
                    let middle = row as f64 + 0.5;
                    if (a.y > middle) != (b.y > middle) {
                        crossings[row].push(a.x + (middle - a.y) * ((b.x - a.x) / (b.y - a.y)));
                    }
                }
            }
        }
        for (row, xs) in crossings.iter_mut().enumerate() {
            xs.sort_unstable_by(f64::total_cmp);
            for pair in xs.chunks_exact(2) {
                let first = (pair[0] - 0.5).ceil().max(0.0) as usize;
                let last = (pair[1] - 0.5).floor();
                let mut column = first;
                while column < self.columns && column as f64 <= last {
                    let cell = row * self.columns + column;
                    if rim[cell] != mark {
                        add(cells, cell, true);
                    }
                    column += 1;
                }
            }
        }
    }

    /// The cells by row that an edge goes through, in units of cells, with a margin far above rounding.
    fn cells_of(
        &self,
        a: DVec2,
        b: DVec2,
    ) -> impl Iterator<Item = (usize, std::ops::RangeInclusive<usize>)> + use<> {
        const MARGIN: f64 = 1e-6;
        let (columns, rows) = (self.columns, self.rows);
        let within = |x: f64, count: usize| (x.max(0.0) as usize).min(count - 1);
        let first = within(a.y.min(b.y) - MARGIN, rows);
        let last = within(a.y.max(b.y) + MARGIN, rows);
        (first..=last).map(move |row| {
            // The edge over the row: its ends, or where it crosses the row's sides.
            let at = |y: f64| {
                let t = ((y - a.y) / (b.y - a.y)).clamp(0.0, 1.0);
                if t.is_nan() {
                    (a.x, b.x)
                } else {
                    (a.x + t * (b.x - a.x), a.x + t * (b.x - a.x))
                }
            };
            let (below, above) = (at(row as f64 - MARGIN), at(row as f64 + 1.0 + MARGIN));
            let lowest = below.0.min(below.1).min(above.0).min(above.1);
            let highest = below.0.max(below.1).max(above.0).max(above.1);
            (
                row,
                within(lowest - MARGIN, columns)..=within(highest + MARGIN, columns),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klast_dynamics::{Purpose, Streams, open_uniform};

    /// Areas by hand; what is inside has that area.
    #[test]
    fn areas_are_those_of_the_inside() {
        let square = |from: (f64, f64), side: f64| -> Vec<DVec2> {
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
                .map(|(x, y)| DVec2::new(2.6e6 + from.0 + side * x, from.1 + side * y))
                .to_vec()
        };
        let diamond: Vec<DVec2> = [(5.0, 0.0), (10.0, 5.0), (5.0, 10.0), (0.0, 5.0)]
            .map(|(x, y)| DVec2::new(2.6e6 + x, y))
            .to_vec();
        let outer = square((0.0, 0.0), 10.0);
        for (others, area) in [
            (vec![square((2.0, 2.0), 6.0)], 64.0),
            // An island in the hole, and a ring beside the first.
            (vec![square((2.0, 2.0), 6.0), square((3.0, 3.0), 2.0)], 68.0),
            (vec![square((20.0, 0.0), 3.0)], 109.0),
            (vec![diamond], 50.0),
        ] {
            let rings = [vec![outer.clone()], others].concat();
            let polygon = Polygon::new(rings).unwrap();
            assert!((polygon.area() - area).abs() < 1e-9, "{}", polygon.area());
            // Middles of cells of 0.2 m: no rim goes through one but for that of the diamond.
            let middles = (0..200u32).flat_map(|i| (0..60u32).map(move |j| [i, j]));
            let inside = middles
                .map(|m| DVec2::from(m.map(|k| 0.2 * f64::from(k) + 0.1)))
                .filter(|p| polygon.contains(*p + DVec2::new(2.6e6, 0.0)));
            let counted = 0.04 * inside.count() as f64;
            assert!((counted - area).abs() < 2.1, "{counted} of {area}");
        }
    }

    /// By even and odd a ring that is there twice leaves nothing, from whichever corner it begins; one that is there three
    /// times is there once.
    #[test]
    fn a_ring_that_is_there_twice_is_refused() {
        let outer = [(0.1, 0.3), (10.7, 0.9), (9.3, 7.1), (1.7, 5.9)];
        let outer = outer
            .map(|(x, y)| DVec2::new(2.6e6 + x, 1.2e6 + y))
            .to_vec();
        for turn in 0..4 {
            let mut again = outer.clone();
            again.rotate_left(turn);
            let said = Polygon::new(vec![outer.clone(), again.clone()]).unwrap_err();
            assert!(said.to_string().contains("polygon area"), "{said}");
            again.reverse();
            assert!(Polygon::new(vec![outer.clone(), again]).is_err());
        }
        let once = Polygon::new(vec![outer.clone()]).unwrap();
        let thrice = Polygon::new(vec![outer; 3]).unwrap();
        assert!((thrice.area() - once.area()).abs() < 1e-9);
        let middle = DVec2::new(2.6e6 + 5.0, 1.2e6 + 3.0);
        assert!(once.contains(middle) && thrice.contains(middle));
    }

    /// Stars with holes, over and beside each other: the index finds what asking each in turn finds.
    #[test]
    fn the_index_finds_the_first_polygon() {
        let mut rng = Streams::new(3).rng(Purpose::Position, 0);
        let mut star = |corners: usize, size: f64, centre: DVec2| -> Vec<DVec2> {
            (0..corners)
                .map(|k| {
                    let angle = std::f64::consts::TAU * k as f64 / corners as f64;
                    let reach = size * (0.4 + 0.6 * open_uniform(&mut rng));
                    centre + DVec2::from_angle(angle) * reach
                })
                .collect()
        };
        let mut polygons = Vec::new();
        for k in 0..60u32 {
            let centre = DVec2::new(f64::from(k * 37 % 100), f64::from(k * 61 % 100)) + 2.6e6;
            let size = 3.0 + f64::from(k % 7) * 4.0;
            let mut rings = vec![star(3 + (k as usize % 20), size, centre)];
            if k % 3 == 0 {
                rings.push(star(5, 0.15 * size, centre));
            }
            polygons.push(Polygon::new(rings).unwrap());
        }
        let index = PolygonIndex::new(polygons.iter());
        let mut rng = Streams::new(4).rng(Purpose::Position, 0);
        for _ in 0..20_000 {
            let p =
                DVec2::new(open_uniform(&mut rng), open_uniform(&mut rng)) * 160.0 - 30.0 + 2.6e6;
            let asked = polygons.iter().position(|polygon| polygon.contains(p));
            assert_eq!(index.first(p, |k| polygons[k].contains(p)), asked, "{p}");
        }
        assert_eq!(
            PolygonIndex::new([].iter()).first(DVec2::ZERO, |_| true),
            None
        );
    }
}

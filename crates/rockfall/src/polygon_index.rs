//! Which material lies at a point of a layout by many polygons.

use crate::polygon::Polygon;
use glam::DVec2;

/// Which of many polygons is the first that contains a point, and its material: a raster over all of them, whose cells
/// know the polygons that fill them and those whose rim goes through. A cell that is of one material, though rims of
/// polygons go through it, asks no polygon: how an area is cut costs nothing. Built in a time in proportion to the rims
/// and the cells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PolygonIndex {
    lower: DVec2,
    cell: DVec2,
    columns: usize,
    rows: usize,
    /// By cell its material, or [`SEVERAL`].
    whole: Vec<u32>,
    /// Where the entries of a cell begin, and one more.
    starts: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    polygon: u32,
    material: u32,
    /// It fills the cell; otherwise its rim goes through.
    fills: bool,
}

/// Cells along a side of the index, at most.
const MOST_CELLS: f64 = 512.0;
/// Of a cell in which polygons must be asked.
const SEVERAL: u32 = u32::MAX;

/// A cell while the index is built.
#[derive(Debug, Clone, Default)]
struct Cell {
    entries: Vec<Entry>,
    /// The polygon whose rim was last seen here, plus one.
    rim: u32,
    /// Whether a rim goes through that is not one of two polygons of the same material, or a polygon is hidden here.
    divided: bool,
}

impl PolygonIndex {
    /// The index of polygons with their materials, and the material of the rest.
    pub(crate) fn new<'a>(
        polygons: impl Iterator<Item = (&'a Polygon, u32)> + Clone,
        rest: u32,
    ) -> Self {
        let points = || {
            polygons
                .clone()
                .flat_map(|(p, _)| p.rings().iter().flatten())
        };
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
            whole: Vec::new(),
            starts: Vec::new(),
            entries: Vec::new(),
        };
        if !size.is_finite() {
            // No polygon at all.
            (index.columns, index.rows) = (0, 0);
            return index;
        }
        let mut cells = vec![Cell::default(); side * side];
        let seams = Seams::of(polygons.clone());
        for (number, (polygon, material)) in polygons.clone().enumerate() {
            let entry = Entry {
                polygon: number as u32,
                material,
                fills: false,
            };
            index.enter(entry, polygon, &seams, &mut cells);
        }
        let polygons: Vec<&Polygon> = polygons.map(|(p, _)| p).collect();
        for (number, cell) in cells.iter().enumerate() {
            let place = DVec2::new((number % side) as f64, (number / side) as f64) + 0.5;
            let middle = index.lower + place * index.cell;
            let inside = |k: usize| polygons.get(k).is_some_and(|p| p.contains(middle));
            index.whole.push(cell.material(rest, inside));
            index.starts.push(index.entries.len() as u32);
            index.entries.extend(&cell.entries);
        }
        index.starts.push(index.entries.len() as u32);
        index
    }

    /// The material of the first polygon with a point in it, where `inside` tells whether one contains it; else that of
    /// the rest.
    pub(crate) fn material(&self, p: DVec2, rest: u32, inside: impl Fn(usize) -> bool) -> u32 {
        let at = (p - self.lower) / self.cell;
        let (columns, rows) = (self.columns as f64, self.rows as f64);
        if !(at.x >= 0.0 && at.y >= 0.0 && at.x <= columns && at.y <= rows) || self.columns == 0 {
            return rest;
        }
        let column = (at.x as usize).min(self.columns - 1);
        let row = (at.y as usize).min(self.rows - 1);
        let cell = row * self.columns + column;
        match self.whole.get(cell) {
            Some(&SEVERAL) => {}
            whole => return whole.copied().unwrap_or(rest),
        }
        let ends = [cell, cell + 1].map(|k| self.starts.get(k).map_or(0, |s| *s as usize));
        let entries = self.entries.get(ends[0]..ends[1]).unwrap_or(&[]);
        let first = |e: &&Entry| e.fills || inside(e.polygon as usize);
        entries.iter().find(first).map_or(rest, |e| e.material)
    }

    fn enter(&self, entry: Entry, polygon: &Polygon, seams: &Seams, cells: &mut [Cell]) {
        // Rows of cells, and where the middle line of each meets the rim: an even number of times.
        let mut crossings: Vec<(usize, f64)> = Vec::new();
        let mark = entry.polygon + 1;
        for ring in polygon.rings() {
            for (a, b) in sides(ring) {
                let divides = !seams.contains(a, b, entry.material);
                let (a, b) = ((a - self.lower) / self.cell, (b - self.lower) / self.cell);
                for (row, columns) in self.cells_of(a, b) {
                    for column in columns {
                        let cell = &mut cells[row * self.columns + column];
                        cell.divided |= divides;
                        if std::mem::replace(&mut cell.rim, mark) != mark {
                            cell.add(entry);
                        }
                    }
                    let middle = row as f64 + 0.5;
                    if (a.y > middle) != (b.y > middle) {
                        let x = a.x + (middle - a.y) * ((b.x - a.x) / (b.y - a.y));
                        crossings.push((row, x));
                    }
                }
            }
        }
        let fills = Entry {
            fills: true,
            ..entry
        };
        crossings.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for pair in crossings.chunks_exact(2) {
            let mut column = (pair[0].1 - 0.5).ceil().max(0.0) as usize;
            let last = (pair[1].1 - 0.5).floor();
            while column < self.columns && column as f64 <= last {
                let cell = &mut cells[pair[0].0 * self.columns + column];
                if cell.rim != mark {
                    cell.add(fills);
                }
                column += 1;
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

impl Cell {
    fn add(&mut self, entry: Entry) {
        // What lies below a polygon that fills the cell is never asked.
        match self.entries.last().is_some_and(|e| e.fills) {
            true => self.divided = true,
            false => self.entries.push(entry),
        }
    }

    /// The material of the whole cell, or [`SEVERAL`]; `inside` tells whether a polygon contains its middle. Rims that
    /// two polygons of one material share do not change whether the number of such polygons over a place is odd.
    fn material(&self, rest: u32, inside: impl Fn(usize) -> bool) -> u32 {
        let below = self.entries.last().filter(|e| e.fills);
        let below = below.map_or(rest, |e| e.material);
        let rims = || self.entries.iter().filter(|e| !e.fills);
        let Some(first) = rims().next().map(|e| e.material) else {
            return below;
        };
        if rims().any(|e| e.material != first) {
            return SEVERAL;
        }
        let covered = || {
            let over = rims().filter(|e| inside(e.polygon as usize));
            !over.count().is_multiple_of(2)
        };
        match first == below || (!self.divided && covered()) {
            true => first,
            false => SEVERAL,
        }
    }
}

/// Sides that two polygons of the same material share, corner for corner: where an area was cut.
struct Seams(Vec<Side>);

/// A material, and the bits of the corners of a side in an order of their own.
type Side = (u32, [[u64; 2]; 2]);

impl Seams {
    fn of<'a>(polygons: impl Iterator<Item = (&'a Polygon, u32)>) -> Self {
        let of = |(polygon, material): (&'a Polygon, u32)| {
            let rings = polygon.rings().iter();
            rings.flat_map(move |ring| sides(ring).map(move |(a, b)| side(a, b, material)))
        };
        let mut all: Vec<Side> = polygons.flat_map(of).collect();
        all.sort_unstable();
        let runs = all.chunk_by(|a, b| a == b);
        let even = runs.filter(|run| run.len().is_multiple_of(2));
        Seams(even.filter_map(|run| run.first().copied()).collect())
    }

    fn contains(&self, a: DVec2, b: DVec2, material: u32) -> bool {
        // The last side of a ring that is closed has no length.
        a == b || self.0.binary_search(&side(a, b, material)).is_ok()
    }
}

fn side(a: DVec2, b: DVec2, material: u32) -> Side {
    let mut corners = [a, b].map(|p| p.to_array().map(f64::to_bits));
    corners.sort_unstable();
    (material, corners)
}

/// The sides of a ring, closed or not.
fn sides(ring: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| (*a, *b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use klast_sampling::{Purpose, Streams, open_uniform};

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
        // Of few materials, so that there are cells of one.
        for materials in [1u32, 2, 3, 60] {
            let number = |k: usize| k as u32 * 7 % materials + u32::from(materials == 60);
            let numbered = || polygons.iter().enumerate().map(|(k, p)| (p, number(k)));
            let index = PolygonIndex::new(numbered(), 0);
            let mut rng = Streams::new(4).rng(Purpose::Position, 0);
            for _ in 0..20_000 {
                let place = DVec2::new(open_uniform(&mut rng), open_uniform(&mut rng));
                let p = place * 160.0 - 30.0 + 2.6e6;
                let asked = polygons.iter().position(|polygon| polygon.contains(p));
                let found = index.material(p, 0, |k| polygons[k].contains(p));
                assert_eq!(found, asked.map_or(0, number), "{p}");
            }
        }
        let none = PolygonIndex::new(std::iter::empty(), 5);
        assert_eq!(none.material(DVec2::ZERO, 5, |_| true), 5);
    }

    /// A square of 10 m of one material, cut into n x n: within it no polygon is asked, and what is asked at its rim is
    /// what the whole square says. Over it lies another material, or a square that it hides.
    #[test]
    fn how_an_area_is_cut_is_not_seen() {
        let square = |from: DVec2, to: DVec2| {
            let ring = [from, DVec2::new(to.x, from.y), to, DVec2::new(from.x, to.y)];
            Polygon::new(vec![ring.to_vec()]).unwrap()
        };
        let place = |k: u32, n: u32| 10.0 * f64::from(k) / f64::from(n);
        for n in [1u32, 3, 32] {
            let corner = |i: u32, j: u32| DVec2::new(place(i, n), place(j, n));
            let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            let mut list: Vec<(Polygon, u32)> = cells
                .map(|(i, j)| (square(corner(i, j), corner(i + 1, j + 1)), 1))
                .collect();
            for over in [false, true] {
                if over {
                    // Before and behind all others.
                    let (a, b) = (DVec2::new(2.2, 3.1), DVec2::new(4.7, 8.3));
                    list.insert(0, (square(a, b), 2));
                    list.push((square(b - 3.0, b + 6.0), 2));
                }
                let index = PolygonIndex::new(list.iter().map(|(p, k)| (p, *k)), 0);
                let mut rng = Streams::new(9).rng(Purpose::Position, 0);
                let mut asked_inside = 0;
                for _ in 0..5_000 {
                    let p = DVec2::new(open_uniform(&mut rng), open_uniform(&mut rng));
                    let p = p * 18.0 - 3.0;
                    let asked = std::cell::Cell::new(0);
                    let found = index.material(p, 0, |k| {
                        asked.set(asked.get() + 1);
                        list[k].0.contains(p)
                    });
                    let right = list.iter().find(|(polygon, _)| polygon.contains(p));
                    assert_eq!(found, right.map_or(0, |(_, k)| *k), "{n} {over} {p}");
                    let well_inside =
                        p.cmpgt(DVec2::splat(3.4)).all() && p.cmplt(DVec2::splat(6.6)).all();
                    asked_inside += u32::from(!over && well_inside && n > 1) * asked.get();
                }
                assert_eq!(asked_inside, 0, "{n}");
            }
        }
    }
}

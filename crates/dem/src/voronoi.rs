//! Voronoi tessellation of a box in three dimensions, by cutting the box with bisector planes.
//!
//! The cell of a seed is what is left of the box after the half-spaces nearer to the seed than to each other one.
//! Seeds are taken ring by ring from a grid; a seed farther than twice the farthest vertex of the cell cannot
//! cut it any more. Cost is about fifty cuts a cell, whatever the number of seeds.

use crate::cell::{Cell, FaceSource};
use crate::error::DemError;
use glam::DVec3;
use klast_numerics::OutOfRange;
use rayon::prelude::*;

/// The cells of a set of seeds, in the order of the seeds.
#[derive(Clone, Debug)]
pub struct Voronoi {
    /// Lower corner of the box, m.
    pub low: DVec3,
    /// Upper corner of the box, m.
    pub high: DVec3,
    /// One cell a seed.
    pub cells: Vec<Cell>,
}

impl Voronoi {
    /// Tessellates the box from `low` to `high`.
    ///
    /// # Errors
    /// No seeds, a box without volume, a seed outside the box, two seeds closer than 1e-9 of the box; a cell
    /// that rounding leaves no way to cut.
    pub fn new(low: DVec3, high: DVec3, seeds: &[DVec3]) -> Result<Self, DemError> {
        let edges = high - low;
        if !edges.is_finite() || edges.min_element() <= 0.0 {
            return Err(DemError::ContainerTooSmall {
                found: edges.to_array(),
                needed: [f64::MIN_POSITIVE; 3],
            });
        }
        if seeds.is_empty() {
            return Err(OutOfRange::new("number of seeds", 0, "1 or more").into());
        }
        for seed in seeds {
            for axis in 0..3 {
                if !(seed[axis] >= low[axis] && seed[axis] <= high[axis]) {
                    return Err(OutOfRange::new("seed", seed[axis], "inside the box").into());
                }
            }
        }
        let grid = SeedGrid::new(low, edges, seeds);
        let closest = 1e-9 * edges.max_element();
        let cells = (0..seeds.len())
            .into_par_iter()
            .map(|i| grid.cell(low, high, seeds, i, closest))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self { low, high, cells })
    }
}

/// Seeds sorted into cubes.
struct SeedGrid {
    low: DVec3,
    cube: f64,
    count: [i32; 3],
    start: Vec<u32>,
    members: Vec<u32>,
}

impl SeedGrid {
    fn new(low: DVec3, edges: DVec3, seeds: &[DVec3]) -> Self {
        // About two seeds a cube; a very flat box must not make millions of cubes.
        let cube = libm::cbrt(2.0 * edges.element_product() / seeds.len() as f64)
            .max(edges.max_element() / 200.0);
        let count = edges.to_array().map(|e| ((e / cube).ceil() as i32).max(1));
        let mut grid = Self {
            low,
            cube,
            count,
            start: vec![0; count.iter().map(|c| *c as usize).product::<usize>() + 1],
            members: vec![0; seeds.len()],
        };
        let cubes: Vec<usize> = seeds
            .iter()
            .map(|s| grid.index(grid.coordinate(*s)))
            .collect();
        for c in &cubes {
            grid.start[c + 1] += 1;
        }
        for c in 1..grid.start.len() {
            grid.start[c] += grid.start[c - 1];
        }
        let mut fill = grid.start.clone();
        for (i, c) in cubes.iter().enumerate() {
            grid.members[fill[*c] as usize] = i as u32;
            fill[*c] += 1;
        }
        grid
    }

    fn coordinate(&self, point: DVec3) -> [i32; 3] {
        let scaled = ((point - self.low) / self.cube).to_array();
        [0, 1, 2].map(|k| (scaled[k] as i32).clamp(0, self.count[k] - 1))
    }

    fn index(&self, [x, y, z]: [i32; 3]) -> usize {
        ((z * self.count[1] + y) * self.count[0] + x) as usize
    }

    /// Seeds in the shell of cubes at Chebyshev distance `ring`.
    fn shell(&self, centre: [i32; 3], ring: i32, out: &mut Vec<u32>) {
        out.clear();
        let range =
            |k: usize| (centre[k] - ring).max(0)..=(centre[k] + ring).min(self.count[k] - 1);
        for z in range(2) {
            for y in range(1) {
                let inner = (z - centre[2]).abs() < ring && (y - centre[1]).abs() < ring;
                for x in range(0) {
                    if inner && (x - centre[0]).abs() < ring {
                        continue;
                    }
                    let c = self.index([x, y, z]);
                    let members = self.start[c] as usize..self.start[c + 1] as usize;
                    out.extend_from_slice(&self.members[members]);
                }
            }
        }
    }

    fn cell(
        &self,
        low: DVec3,
        high: DVec3,
        seeds: &[DVec3],
        i: usize,
        closest: f64,
    ) -> Result<Cell, DemError> {
        let seed = seeds[i];
        let centre = self.coordinate(seed);
        let mut cell = Cell::from_box(low, high);
        let mut reach = cell.reach(seed);
        let mut shell = Vec::new();
        for ring in 0..=self.count.iter().copied().max().unwrap_or(1) {
            // A seed of this ring is at least `ring − 1` cubes away.
            if f64::from(ring - 1) * self.cube > 2.0 * reach {
                break;
            }
            self.shell(centre, ring, &mut shell);
            shell.sort_by(|a, b| {
                let (a, b) = (seeds[*a as usize], seeds[*b as usize]);
                a.distance_squared(seed)
                    .total_cmp(&b.distance_squared(seed))
            });
            for &j in &shell {
                if j as usize == i {
                    continue;
                }
                let to = seeds[j as usize] - seed;
                let distance = to.length();
                if distance < closest {
                    return Err(DemError::SeedsCoincide {
                        first: i.min(j as usize),
                        second: i.max(j as usize),
                        distance,
                        accepted: closest,
                    });
                }
                if distance > 2.0 * reach {
                    break;
                }
                let normal = to / distance;
                let offset = normal.dot(seed) + 0.5 * distance;
                if cell.cut(normal, offset, FaceSource::Seed(j))? {
                    reach = cell.reach(seed);
                }
            }
        }
        Ok(cell)
    }
}

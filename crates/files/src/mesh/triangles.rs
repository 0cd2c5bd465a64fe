//! Triangles in space.

use crate::refusal::{Result, ensure};
use std::collections::{HashMap, HashSet};

use glam::DVec3;

/// Distance from an edge, in lengths of it, up to which a corner lies on it: the rounding of single precision.
const ON_EDGE: f64 = 1e-6;
/// A mesh with more open edges is no solid with a few edges that are cut on one side.
const MOST_OPEN: usize = 1000;
/// Splits at most.
const MOST_SPLITS: usize = 1000;

/// Points in metres and triangles of their indices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Triangles {
    /// Corners.
    pub points: Vec<DVec3>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
}

impl Triangles {
    /// Triangles from their corners in turn; equal corners become one point.
    #[must_use]
    pub fn welded(corners: impl Iterator<Item = DVec3>) -> Self {
        let mut mesh = Self::default();
        let mut known = HashMap::new();
        let mut indices = Vec::new();
        for corner in corners {
            // Adding zero turns −0 into 0, so that equal points have equal bits.
            let bits = (corner + DVec3::ZERO).to_array().map(f64::to_bits);
            indices.push(*known.entry(bits).or_insert_with(|| {
                mesh.points.push(corner);
                mesh.points.len() as u32 - 1
            }));
        }
        let whole = indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]);
        mesh.triangles = whole.collect();
        mesh
    }

    /// Joins equal points, as of a file whose faces have corners of their own. A mesh that is closed without this stays
    /// as it is: bodies that touch have points of their own.
    pub fn weld_if_open(&mut self) {
        let open = self.open_edges();
        let corners = || self.triangles.iter().flatten();
        let whole = corners().all(|k| (*k as usize) < self.points.len());
        if whole && !open.is_empty() {
            *self = Self::welded(corners().map(|k| self.points[*k as usize]));
        }
    }

    /// Edges without the one of a neighbour that runs the other way, as pairs of points.
    fn open_edges(&self) -> HashSet<(u32, u32)> {
        let mut open = HashSet::new();
        for [a, b, c] in &self.triangles {
            for (from, to) in [(*a, *b), (*b, *c), (*c, *a)] {
                if from != to && !open.remove(&(to, from)) {
                    open.insert((from, to));
                }
            }
        }
        open
    }

    /// Splits triangles at corners of others that lie on an open edge of theirs, as CAD programs write where they cut
    /// an edge on one side only. The surface stays where it is within 1e-6 of the edge.
    pub fn split_at_corners(&mut self) {
        let corners = || self.triangles.iter().flatten();
        if corners().any(|k| *k as usize >= self.points.len()) {
            return;
        }
        // Every split takes an open edge with a corner on it away.
        for _ in 0..MOST_SPLITS {
            let open = self.open_edges();
            if open.is_empty() || open.len() > MOST_OPEN {
                return;
            }
            let mut ends: Vec<u32> = open.iter().flat_map(|(a, b)| [*a, *b]).collect();
            ends.sort_unstable();
            ends.dedup();
            let point = |k: u32| self.points[k as usize];
            let on = |from: u32, to: u32| {
                let (a, along) = (point(from), point(to) - point(from));
                ends.iter().copied().find(|&k| {
                    let share = (point(k) - a).dot(along) / along.length_squared();
                    let off = point(k).distance(a + share * along);
                    k != from
                        && k != to
                        && (ON_EDGE..1.0 - ON_EDGE).contains(&share)
                        && off <= ON_EDGE * along.length()
                })
            };
            let turned = |t: &[u32; 3]| [*t, [t[1], t[2], t[0]], [t[2], t[0], t[1]]];
            let found = self.triangles.iter().enumerate().find_map(|(at, t)| {
                turned(t).into_iter().find_map(|[a, b, c]| {
                    let middle = open.contains(&(a, b)).then(|| on(a, b)).flatten()?;
                    (middle != c).then_some((at, [a, middle, c], [middle, b, c]))
                })
            });
            let Some((at, first, second)) = found else {
                return;
            };
            self.triangles[at] = first;
            self.triangles.push(second);
        }
    }

    /// Takes triangles away that have a corner twice, which bound nothing, and says how many.
    pub fn drop_lines(&mut self) -> usize {
        let before = self.triangles.len();
        self.triangles
            .retain(|[a, b, c]| a != b && b != c && c != a);
        before - self.triangles.len()
    }

    /// Keeps of a closed mesh the triangles that face upwards, and says how many it takes away; does nothing to an open
    /// one.
    pub fn keep_upper_side(&mut self) -> Option<usize> {
        let twice = |points: &[DVec3], [a, b, c]: [u32; 3]| {
            let corner = |k: u32| points.get(k as usize).copied().unwrap_or_default();
            let (a, b, c) = (corner(a), corner(b), corner(c));
            (a, (b - a).cross(c - a))
        };
        // The areas of a closed surface, as vectors, add up to nothing.
        let (mut sum, mut all) = (DVec3::ZERO, 0.0);
        for t in &self.triangles {
            let (_, area) = twice(&self.points, *t);
            (sum, all) = (sum + area, all + area.length());
        }
        // Written in single precision, corners are off by parts of a ten-millionth.
        if sum.length() > 1e-5 * all || all == 0.0 {
            return None;
        }
        let mut whole = self.clone();
        whole.weld_if_open();
        whole.drop_lines();
        if !whole.open_edges().is_empty() {
            return None;
        }
        let middle = whole.points.first().copied().unwrap_or_default();
        let volume = |t: &[u32; 3]| {
            let (a, area) = twice(&whole.points, *t);
            (a - middle).dot(area)
        };
        let outward = whole.triangles.iter().map(volume).sum::<f64>().signum();
        let before = self.triangles.len();
        let up = |t: &[u32; 3]| {
            let (_, area) = twice(&whole.points, *t);
            outward * area.z > 1e-12 * area.length()
        };
        let kept: Vec<[u32; 3]> = whole.triangles.iter().copied().filter(up).collect();
        (self.points, self.triangles) = (whole.points, kept);
        Some(before - self.triangles.len())
    }

    /// What is said of a mesh that seems to lie on its side, as one with y upwards does: it is longest along y by half,
    /// thinnest along z, and stands on a flat face at its least y.
    #[must_use]
    pub fn lying(&self) -> Option<String> {
        let corner = |k: &u32| self.points.get(*k as usize);
        let corners = || self.triangles.iter().flatten().filter_map(corner);
        let lower = corners().fold(DVec3::INFINITY, |l, p| l.min(*p));
        let upper = corners().fold(DVec3::NEG_INFINITY, |u, p| u.max(*p));
        let extent = upper - lower;
        let long = extent.y > 1.5 * extent.x && extent.z < extent.x;
        let base = lower.y + 1e-3 * extent.y;
        let on_base = |t: &[u32; 3]| t.iter().filter_map(corner).all(|p| p.y <= base);
        (long && self.triangles.iter().any(on_base)).then(|| {
            "the mesh is longest along y, thinnest along z and flat at its least y: does it lie on its side, with y \
             upwards? z is taken as upwards"
                .to_owned()
        })
    }

    /// Refuses coordinates in single precision that are too large for it: of millions of metres it holds quarters.
    ///
    /// # Errors
    /// Coordinates whose rounding is above a hundredth of the mean edge.
    pub fn single_precision_holds(&self) -> Result<()> {
        let largest = self.points.iter().map(|p| p.abs().max_element());
        let largest = largest.fold(0.0, f64::max);
        let spacing = f64::from((largest as f32).next_up() - largest as f32);
        let (mut count, mut length) = (0.0, 0.0);
        for [a, b, c] in &self.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let ends = (
                    self.points.get(*from as usize),
                    self.points.get(*to as usize),
                );
                if let (Some(from), Some(to)) = ends {
                    count += 1.0;
                    length += (*to - *from).length();
                }
            }
        }
        ensure!(
            length == 0.0 || 0.5 * spacing <= 0.01 * length / count,
            Syntax,
            "coordinates up to {largest} in single precision are {spacing:.2} m apart, the edges {:.2} m long",
            length / count; "coordinates near 0, or text or double precision"
        );
        Ok(())
    }
}

//! The complementarity problem of the corners of interfaces that are free to open.
//!
//! What lies above an interface turns about its right corner (clockwise) or its left one (anticlockwise). With these
//! rates z ≥ 0 of all free interfaces, two each, and the rates about open hinges,
//!
//! w = M z + q ≥ 0, z ⟂ w, M_ab = s_a s_b Σ_i (m_i (c_i − x_a)·(c_i − x_b) + I_i)
//!
//! with the corners x, the centres c and the signs s of the turns, summed over the blocks above both. w is the load (or
//! impulse) on the other corner times the width, and 0 at open hinges, whose rates are eliminated. M is a mass matrix,
//! positive definite, so there is one solution (Cottle, Pang, Stone 1992, theorem 3.1.6). Where no interface rises from
//! both corners it is the one admissible set of pivots that pushes at all of them; where one does, the blocks jump,
//! which the model does not have.

use super::Stack;
use super::chain::{LeverTable, Vec2};
use super::configuration::{Configuration, Pivot};
use klast_contact::{LcpOptions, LinearComplementarityProblem, solve_lcp};

/// Rates below this share of the fastest one count as zero: the sums are over places, not over levers.
const SHUT: f64 = 1e-9;

/// What is known of a turn.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// About an open hinge: no moment.
    Hinge,
    /// About a corner of a free interface: the other corner does not pull.
    Corner,
    /// At this rate.
    Known(f64),
}

/// A turn of all blocks from `interface` on about the place `about`, clockwise for `sign` 1.
#[derive(Debug, Clone, Copy)]
struct Turn {
    interface: usize,
    sign: f64,
    about: Vec2,
    kind: Kind,
}

/// Sums over the blocks from one on: mass, first moment, second moment with the moments of inertia.
#[derive(Debug, Clone, Copy, Default)]
struct Above {
    mass: f64,
    first: Vec2,
    second: f64,
}

/// The problem: places and sums of a stack in one attitude.
pub(super) struct Corners {
    turns: Vec<Turn>,
    free: usize,
    centre: Vec<Vec2>,
    above: Vec<Above>,
    /// Turn with a moment of the normal load there: its arm and the normal.
    lever: Option<(usize, f64, Vec2)>,
    half: Vec<f64>,
    /// Middle and right-hand direction of every interface.
    face: Vec<(Vec2, Vec2)>,
}

impl Corners {
    /// Of a stack in this configuration, with the cosines and sines of its blocks; `free` interfaces may open or lie
    /// flush.
    pub fn new(
        stack: &Stack,
        configuration: &Configuration,
        (cos, sin): (&[f64], &[f64]),
        free: &[usize],
    ) -> Self {
        let blocks = configuration.len();
        let table = LeverTable::new(stack, configuration);
        let mut made = Self {
            turns: Vec::with_capacity(2 * blocks),
            free: free.len(),
            centre: Vec::with_capacity(blocks),
            above: vec![Above::default(); blocks],
            lever: None,
            half: (0..blocks).map(|k| stack.half_width(k)).collect(),
            face: Vec::with_capacity(blocks),
        };
        let mut pivot = Vec2::default();
        for k in 0..blocks {
            let turned = |lever: Vec2| lever.turned(cos[k], sin[k]);
            let (along, sign) = (turned(Vec2::new(1.0, 0.0)), configuration.pivot(k).sign());
            let middle = pivot - along * (sign * made.half[k]);
            made.face.push((middle, along));
            made.centre.push(pivot + turned(table.levers()[k].centre));
            if free.contains(&k) {
                made.turns
                    .extend([1.0, -1.0].map(|sign| made.turn(k, sign, Kind::Corner)));
            } else if sign != 0.0 {
                made.turns.push(made.turn(k, sign, Kind::Hinge));
            }
            pivot = pivot + turned(table.levers()[k].arm);
        }
        let mut sum = Above::default();
        for (k, block) in stack.blocks().iter().enumerate().take(blocks).rev() {
            let centre = made.centre[k];
            sum.mass += block.mass;
            sum.first = sum.first + centre * block.mass;
            sum.second += block.mass * centre.dot(centre) + block.inertia();
            made.above[k] = sum;
        }
        made
    }

    fn turn(&self, interface: usize, sign: f64, kind: Kind) -> Turn {
        let (middle, along) = self.face[interface];
        Turn {
            interface,
            sign,
            about: middle + along * (sign * self.half[interface]),
            kind,
        }
    }

    /// Interface `k` opens at this pivot with a relative rate that is known.
    pub fn know(&mut self, k: usize, pivot: Pivot, rate: f64) {
        self.replace(k, pivot, Kind::Known(rate * pivot.sign()));
    }

    /// The impulse at interface `k`, which turns about this pivot, acts at a share of the half width from the middle.
    pub fn off_the_corner(&mut self, k: usize, pivot: Pivot, ratio: f64) {
        let index = self.replace(k, pivot, Kind::Hinge);
        let along = self.face[k].1;
        let normal = Vec2::new(-along.z, along.x);
        // The turn takes the moment by its sign, and the arm has the sign of the pivot: they cancel.
        self.lever = Some((index, self.half[k] * (1.0 - ratio), normal));
    }

    /// Puts one turn in the place of those of interface `k`; its index.
    fn replace(&mut self, k: usize, pivot: Pivot, kind: Kind) -> usize {
        self.turns.retain(|turn| turn.interface != k);
        let index = self.turns.partition_point(|turn| turn.interface < k);
        self.turns.insert(index, self.turn(k, pivot.sign(), kind));
        index
    }

    /// The pivots of the free interfaces, from below, under these forces (or negative momenta) of each block and
    /// moments about its centre.
    pub fn solve(&self, force: &[Vec2], moment: &[f64]) -> Vec<Pivot> {
        let rows = self.equations(force, moment);
        let still = || vec![Pivot::Full; self.free];
        let Some((m, q)) = self.eliminated(rows) else {
            return still();
        };
        let Ok(problem) = LinearComplementarityProblem::new(m, q) else {
            return still();
        };
        let z = solve_lcp(&problem, &LcpOptions::default()).z;
        let fastest = z.iter().fold(0.0_f64, |most, rate| most.max(*rate));
        let pivot = |pair: &[f64]| match pair {
            [right, left] if right.max(*left) <= SHUT * fastest => Pivot::Full,
            [right, left] if right >= left => Pivot::Right,
            _ => Pivot::Left,
        };
        z.chunks(2).map(pivot).collect()
    }

    /// Rows of M and q, one a turn.
    fn equations(&self, force: &[Vec2], moment: &[f64]) -> Vec<Vec<f64>> {
        let blocks = self.above.len();
        // Σ force, Σ (force · P c + moment) over the blocks from each one on.
        let mut sums = vec![(Vec2::default(), 0.0); blocks + 1];
        for k in (0..blocks).rev() {
            let own = force[k].dot(self.centre[k].turn_rate()) + moment[k];
            sums[k] = (sums[k + 1].0 + force[k], sums[k + 1].1 + own);
        }
        let mut rows: Vec<Vec<f64>> = self
            .turns
            .iter()
            .map(|a| {
                let (total, turning) = sums[a.interface];
                let q = a.sign * (turning - total.dot(a.about.turn_rate()));
                let inertia = |b: &Turn| a.sign * b.sign * self.inertia(a, b);
                self.turns.iter().map(inertia).chain([q]).collect()
            })
            .collect();
        if let Some((index, arm, normal)) = self.lever {
            let k = self.turns[index].interface;
            for (entry, b) in rows[index].iter_mut().zip(&self.turns) {
                let above = &self.above[k.max(b.interface)];
                let momentum = (above.first - b.about * above.mass).turn_rate() * b.sign;
                *entry -= arm * normal.dot(momentum);
            }
            // The forces are the negative momenta before.
            if let Some(q) = rows[index].last_mut() {
                *q -= arm * normal.dot(sums[k].0);
            }
        }
        rows
    }

    fn inertia(&self, a: &Turn, b: &Turn) -> f64 {
        let above = &self.above[a.interface.max(b.interface)];
        above.second - (a.about + b.about).dot(above.first) + a.about.dot(b.about) * above.mass
    }

    /// M and q of the corners alone, by elimination of the hinges; nothing where that has no pivot.
    fn eliminated(&self, mut rows: Vec<Vec<f64>>) -> Option<(Vec<f64>, Vec<f64>)> {
        let n = self.turns.len();
        for (j, turn) in self.turns.iter().enumerate() {
            match turn.kind {
                Kind::Corner => {}
                Kind::Known(rate) => rows.iter_mut().for_each(|row| row[n] += row[j] * rate),
                Kind::Hinge => {
                    let pivot = rows[j].clone();
                    if pivot[j] == 0.0 || !pivot[j].is_finite() {
                        return None;
                    }
                    for (row, other) in rows.iter_mut().zip(&self.turns) {
                        if other.kind == Kind::Hinge && other.interface <= turn.interface {
                            continue;
                        }
                        let factor = row[j] / pivot[j];
                        for (entry, p) in row.iter_mut().zip(&pivot) {
                            *entry -= factor * p;
                        }
                    }
                }
            }
        }
        let corner = |j: &usize| self.turns[*j].kind == Kind::Corner;
        let corners: Vec<usize> = (0..n).filter(corner).collect();
        let m = corners.iter().flat_map(|&i| {
            let row = &rows[i];
            corners.iter().map(move |&j| row[j])
        });
        Some((m.collect(), corners.iter().map(|&i| rows[i][n]).collect()))
    }
}

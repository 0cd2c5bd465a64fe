//! The groups of a Newton step side by side, eight in the lanes of a vector unit.
//!
//! The bits are those of one by one, on each vector unit. Only what groups add to their nodes goes one after the other,
//! colour by colour as in the problem: within a colour, where they share no node that moves, the longest come first, so
//! that few lanes are empty.

use super::FactoredProblem;
use super::colour::LAST;
use super::group::Group;
use super::lanes::{LANES, get, put};
use super::wide::{Lane, Matrix, Vector, ZERO};
use glam::DVec3;
use std::ops::Range;

/// What the groups share with their contacts, as in `Group`.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Octet {
    /// Groups, in as many lanes as are in use, and where their contacts start.
    pub groups: [u32; LANES],
    rows: [u32; LANES],
    pub count: usize,
    /// Slots, as many as the longest group has contacts.
    start: usize,
    end: usize,
    pub nodes: [[u32; LANES]; 2],
    /// The nodes among those that move, `u32::MAX` for others.
    pub moved: [[u32; LANES]; 2],
    pub frame: Matrix,
    pub arms: [Vector; 2],
}

/// A contact of each group; in a lane that has none all is zero.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Slot {
    pub offset: Vector,
    pub bias: Vector,
    pub mu: Lane,
    pub rho: Lane,
}

/// All octets of a problem.
#[derive(Debug, Clone, Default)]
pub(super) struct Octets {
    pub all: Vec<Octet>,
    pub slots: Vec<Slot>,
    /// Where each contact is.
    pub places: Vec<Place>,
    /// Groups by colour and length.
    sorted: Vec<u64>,
}

impl Octets {
    /// Takes the groups of a problem; `moved` gives the place of each node among those that move.
    pub fn fill(&mut self, problem: &FactoredProblem, moved: &[u32]) {
        self.sorted.clear();
        for (g, group) in problem.groups.iter().enumerate() {
            let colour = problem.load.colours[problem.load.order[g] as usize];
            // Groups of the last colour may share nodes and keep their order.
            let length = if colour == LAST {
                0
            } else {
                group.end - group.start
            };
            let shortness = u64::from(u32::MAX >> 8).saturating_sub(u64::from(length));
            self.sorted
                .push(u64::from(colour) << 56 | shortness << 32 | g as u64);
        }
        self.sorted.sort_unstable();
        self.all.clear();
        self.slots.clear();
        self.places.resize(problem.rows.len(), Place::default());
        for own in self.sorted.chunks(LANES) {
            let start = self.slots.len();
            let mut octet = Octet::nowhere(problem.nodes.len() as u32 - 1, start);
            for (lane, &g) in own.iter().enumerate() {
                let g = g as u32;
                let group = &problem.groups[g as usize];
                let rows = &problem.rows[group.start as usize..group.end as usize];
                let end = start + rows.len();
                if self.slots.len() < end {
                    self.slots.resize(end, Slot::EMPTY);
                }
                for (c, row) in rows.iter().enumerate() {
                    let slot = start + c;
                    self.places[group.start as usize + c] = Place { slot, lane };
                    let slot = &mut self.slots[slot];
                    put(&mut slot.offset, lane, row.offset);
                    put(&mut slot.bias, lane, row.bias);
                    (slot.mu[lane], slot.rho[lane]) = (row.mu, row.rho);
                }
                (octet.groups[lane], octet.rows[lane]) = (g, group.start);
                octet.set(lane, group, moved);
            }
            (octet.count, octet.end) = (own.len(), self.slots.len());
            self.all.push(octet);
        }
    }

    /// Marks the groups that have a contact whose number, of those that a slot has, is above a limit.
    pub fn mark<'a>(&self, marks: &mut Vec<bool>, of: impl Fn(usize) -> &'a Lane, limit: f64) {
        marks.clear();
        marks.resize(LANES * self.all.len(), false);
        for octet in &self.all {
            for s in octet.slots() {
                for (g, x) in octet.groups[..octet.count].iter().zip(of(s)) {
                    marks[*g as usize] |= *x > limit;
                }
            }
        }
    }

    /// Lays vectors of the contacts side by side.
    pub fn spread(&self, vectors: &mut Vec<Vector>, of: impl Fn(usize) -> DVec3) {
        vectors.clear();
        vectors.resize(self.slots.len(), ZERO);
        for (i, place) in self.places.iter().enumerate() {
            put(&mut vectors[place.slot], place.lane, of(i));
        }
    }
}

/// Where a contact is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub slot: usize,
    pub lane: usize,
}

impl Place {
    pub fn of(self, vectors: &[Vector]) -> DVec3 {
        get(&vectors[self.slot], self.lane)
    }
}

impl Octet {
    /// Groups of no contacts between the ground and itself, which do not move it.
    fn nowhere(ground: u32, start: usize) -> Self {
        Self {
            groups: [0; LANES],
            rows: [0; LANES],
            count: 0,
            start,
            end: start,
            nodes: [[ground; LANES]; 2],
            moved: [[u32::MAX; LANES]; 2],
            frame: [ZERO; 3],
            arms: [ZERO; 2],
        }
    }

    fn set(&mut self, lane: usize, group: &Group, moved: &[u32]) {
        for (k, n) in [group.first, group.second].into_iter().enumerate() {
            self.nodes[k][lane] = n;
            self.moved[k][lane] = moved[n as usize];
        }
        let frame = &group.frame;
        let axes = [frame.normal, frame.tangent1, frame.tangent2];
        for (to, axis) in self.frame.iter_mut().zip(axes) {
            put(to, lane, axis);
        }
        put(&mut self.arms[0], lane, group.arm_first);
        put(&mut self.arms[1], lane, group.arm_second);
    }

    pub fn slots(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The contact of a slot in a lane.
    pub fn contact(&self, s: usize, lane: usize) -> usize {
        self.rows[lane] as usize + s - self.start
    }

    /// Whether impulses of the group in a lane move anything.
    pub fn acts(&self, lane: usize) -> bool {
        self.moved[0][lane] != u32::MAX || self.moved[1][lane] != u32::MAX
    }
}

impl Slot {
    pub const EMPTY: Self = Self {
        offset: ZERO,
        bias: ZERO,
        mu: [0.0; LANES],
        rho: [0.0; LANES],
    };
}

//! The groups of a Newton step, eight side by side.
//!
//! What groups add to their bodies is added one after the other, colour by colour as in the problem: within a colour,
//! where they share no body that moves, the longest come first, so that few lanes are empty.

use super::lane::{LANES, Lane, Matrix, Vector, ZERO, get, put};
use crate::bodies::colour::LAST;
use crate::bodies::group::Group;
use crate::bodies::problem::Problem;
use glam::DVec3;
use std::ops::Range;

/// What the groups share with their contacts, as in `Group`.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::bodies) struct WideGroup {
    /// Groups, in as many lanes as are in use, and where their contacts start.
    pub groups: [u32; LANES],
    rows: [u32; LANES],
    pub count: usize,
    /// Wide contacts, as many as the longest group has contacts.
    start: usize,
    end: usize,
    pub bodies: [[u32; LANES]; 2],
    /// The bodies among those that move, `u32::MAX` for others.
    pub moved: [[u32; LANES]; 2],
    pub frame: Matrix,
    pub arms: [Vector; 2],
}

/// A contact of each group; in a lane that has none all is zero.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::bodies) struct WideContact {
    pub offset: Vector,
    pub bias: Vector,
    pub mu: Lane,
    pub rho: Lane,
    pub compliance: Lane,
}

/// All wide groups of a problem.
#[derive(Debug, Clone, Default)]
pub(in crate::bodies) struct WideGroups {
    pub groups: Vec<WideGroup>,
    pub contacts: Vec<WideContact>,
    /// Where each row is.
    pub index: Vec<WideIndex>,
    /// Groups by colour and length.
    sorted: Vec<u64>,
}

impl WideGroups {
    /// Takes the groups of a problem; `moved` gives the index of each body among those that move.
    pub fn fill(&mut self, problem: &Problem, moved: &[u32]) {
        self.sorted.clear();
        for (g, group) in problem.groups.iter().enumerate() {
            let colour = problem.grouping.colour(g);
            // Groups of the last colour may share bodies and keep their order.
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
        self.groups.clear();
        self.contacts.clear();
        self.index.resize(problem.rows.len(), WideIndex::default());
        for own in self.sorted.chunks(LANES) {
            let start = self.contacts.len();
            let mut wide = WideGroup::none(problem.bodies.len() as u32 - 1, start);
            for (lane, &g) in own.iter().enumerate() {
                let g = g as u32;
                let group = &problem.groups[g as usize];
                let rows = &problem.rows[group.start as usize..group.end as usize];
                let end = start + rows.len();
                if self.contacts.len() < end {
                    self.contacts.resize(end, WideContact::EMPTY);
                }
                for (c, row) in rows.iter().enumerate() {
                    let contact = start + c;
                    self.index[group.start as usize + c] = WideIndex { contact, lane };
                    let contact = &mut self.contacts[contact];
                    put(&mut contact.offset, lane, row.offset);
                    put(&mut contact.bias, lane, row.bias);
                    (contact.mu[lane], contact.rho[lane]) = (row.mu, row.rho);
                    contact.compliance[lane] = row.compliance;
                }
                (wide.groups[lane], wide.rows[lane]) = (g, group.start);
                wide.set(lane, group, moved);
            }
            (wide.count, wide.end) = (own.len(), self.contacts.len());
            self.groups.push(wide);
        }
    }

    /// Marks the groups that have a contact with a number above a limit; `of` gives those of a wide contact.
    pub fn mark<'a>(&self, marks: &mut Vec<bool>, of: impl Fn(usize) -> &'a Lane, limit: f64) {
        marks.clear();
        marks.resize(LANES * self.groups.len(), false);
        for wide in &self.groups {
            for s in wide.contacts() {
                for (g, x) in wide.groups[..wide.count].iter().zip(of(s)) {
                    marks[*g as usize] |= *x > limit;
                }
            }
        }
    }

    /// Lays vectors of the contacts side by side.
    pub fn spread(&self, vectors: &mut Vec<Vector>, of: impl Fn(usize) -> DVec3) {
        vectors.clear();
        vectors.resize(self.contacts.len(), ZERO);
        for (i, index) in self.index.iter().enumerate() {
            put(&mut vectors[index.contact], index.lane, of(i));
        }
    }
}

/// Where a contact is.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::bodies) struct WideIndex {
    pub contact: usize,
    pub lane: usize,
}

impl WideIndex {
    pub fn of(self, vectors: &[Vector]) -> DVec3 {
        get(&vectors[self.contact], self.lane)
    }
}

impl WideGroup {
    /// Groups of no contacts between the ground and itself, which do not move it.
    fn none(ground: u32, start: usize) -> Self {
        Self {
            groups: [0; LANES],
            rows: [0; LANES],
            count: 0,
            start,
            end: start,
            bodies: [[ground; LANES]; 2],
            moved: [[u32::MAX; LANES]; 2],
            frame: [ZERO; 3],
            arms: [ZERO; 2],
        }
    }

    fn set(&mut self, lane: usize, group: &Group, moved: &[u32]) {
        for (k, n) in [group.first, group.second].into_iter().enumerate() {
            self.bodies[k][lane] = n;
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

    pub fn contacts(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The row of a wide contact in a lane.
    pub fn row(&self, s: usize, lane: usize) -> usize {
        self.rows[lane] as usize + s - self.start
    }

    /// Whether impulses of the group in a lane move anything.
    pub fn acts(&self, lane: usize) -> bool {
        self.moved[0][lane] != u32::MAX || self.moved[1][lane] != u32::MAX
    }
}

impl WideContact {
    pub const EMPTY: Self = Self {
        offset: ZERO,
        bias: ZERO,
        mu: [0.0; LANES],
        rho: [0.0; LANES],
        compliance: [0.0; LANES],
    };
}

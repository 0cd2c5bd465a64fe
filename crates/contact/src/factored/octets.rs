//! The groups of a Newton step side by side, eight in the lanes of a vector unit.
//!
//! The bits are those of one by one, on each vector unit. Only what groups add to their nodes goes one after the other,
//! colour by colour as in the problem: within a colour, where they share no node that moves, the longest come first, so
//! that few lanes are empty.

use super::colour::LAST;
use super::lanes::{LANES, get, put};
use super::wide::{Lane, Matrix, Vector, Wide3, Wide33, ZERO, parts};
use super::{FactoredProblem, NodeVelocity, six};
use glam::DVec3;
use pulp::Simd;

/// What the groups share with their contacts, as in `Group`.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Octet {
    /// Groups, in as many lanes as are in use, and where their contacts start.
    pub groups: [u32; LANES],
    pub rows: [u32; LANES],
    pub count: usize,
    /// Slots, as many as the longest group has contacts.
    pub start: usize,
    pub end: usize,
    nodes: [[u32; LANES]; 2],
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
    bias: Vector,
    pub mu: Lane,
    pub rho: Lane,
}

/// Two vectors of each group: a relative twist, or an impulse and an angular impulse at the reference point; local axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub linear: Vector,
    pub angular: Vector,
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
                for (k, n) in [group.first, group.second].into_iter().enumerate() {
                    octet.nodes[k][lane] = n;
                    octet.moved[k][lane] = moved[n as usize];
                }
                let frame = &group.frame;
                let axes = [frame.normal, frame.tangent1, frame.tangent2];
                for (to, axis) in octet.frame.iter_mut().zip(axes) {
                    put(to, lane, axis);
                }
                put(&mut octet.arms[0], lane, group.arm_first);
                put(&mut octet.arms[1], lane, group.arm_second);
            }
            (octet.count, octet.end) = (own.len(), self.slots.len());
            self.all.push(octet);
        }
    }

    /// The groups that have a contact with a number above a limit, which each slot gives.
    pub fn mark<'a>(&self, marks: &mut Vec<bool>, of: impl Fn(usize) -> &'a Lane, limit: f64) {
        marks.clear();
        marks.resize(LANES * self.all.len(), false);
        for octet in &self.all {
            for s in octet.start..octet.end {
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

    /// The relative twists of the groups.
    #[inline(always)]
    pub fn relative<S: Simd>(&self, simd: S, velocities: &[NodeVelocity]) -> Pair {
        let mut nodes = [Pair::ZERO; 2];
        for (pair, nodes) in nodes.iter_mut().zip(&self.nodes) {
            for (lane, &n) in nodes.iter().enumerate() {
                let v = &velocities[n as usize];
                put(&mut pair.linear, lane, v.linear);
                put(&mut pair.angular, lane, v.angular);
            }
        }
        let mut relative = Pair::ZERO;
        for part in parts::<S>() {
            let load = |vector| Wide3::load(simd, vector, part);
            let [a, b] = &nodes;
            let (turn_a, turn_b) = (load(&a.angular), load(&b.angular));
            let [arm_a, arm_b] = [load(&self.arms[0]), load(&self.arms[1])];
            let linear =
                load(&a.linear) + turn_a.cross(arm_a) - load(&b.linear) - turn_b.cross(arm_b);
            let angular = turn_a - turn_b;
            let [n, t1, t2] = Wide33::load(simd, &self.frame, part).0;
            for (local, world) in [
                (&mut relative.linear, linear),
                (&mut relative.angular, angular),
            ] {
                Wide3([n.dot(world), t1.dot(world), t2.dot(world)]).store(local, part);
            }
        }
        relative
    }

    /// Whether impulses of the group in a lane move anything.
    pub fn acts(&self, lane: usize) -> bool {
        self.moved[0][lane] != u32::MAX || self.moved[1][lane] != u32::MAX
    }

    /// Adds `Hᵀ r` of the groups to the gradient, or takes it off, by the sign.
    #[inline(always)]
    pub fn add<S: Simd>(&self, simd: S, sum: &Pair, sign: f64, gradient: &mut [six::Vector]) {
        let mut changes = [Pair::ZERO; 2];
        for part in parts::<S>() {
            let frame = Wide33::load(simd, &self.frame, part);
            let p = frame * Wide3::load(simd, &sum.linear, part);
            let t = frame * Wide3::load(simd, &sum.angular, part);
            for (change, arm) in changes.iter_mut().zip(&self.arms) {
                p.store(&mut change.linear, part);
                let moment = Wide3::load(simd, arm, part).cross(p) + t;
                moment.store(&mut change.angular, part);
            }
        }
        for lane in 0..self.count {
            for ((change, moved), sign) in changes.iter().zip(&self.moved).zip([sign, -sign]) {
                if let Some(g) = gradient.get_mut(moved[lane] as usize) {
                    for k in 0..3 {
                        g[k] += sign * change.linear[k][lane];
                        g[3 + k] += sign * change.angular[k][lane];
                    }
                }
            }
        }
    }
}

impl Slot {
    pub const EMPTY: Self = Self {
        offset: ZERO,
        bias: ZERO,
        mu: [0.0; LANES],
        rho: [0.0; LANES],
    };

    /// Relative velocities at the contacts, bias included.
    #[inline(always)]
    pub fn velocity<S: Simd>(&self, simd: S, v: &Pair, part: usize) -> Wide3<S> {
        let load = |vector| Wide3::load(simd, vector, part);
        load(&v.linear) + load(&v.angular).cross(load(&self.offset)) + load(&self.bias)
    }
}

impl Pair {
    pub const ZERO: Self = Self {
        linear: ZERO,
        angular: ZERO,
    };

    /// Adds impulses at contacts.
    #[inline(always)]
    pub fn gather<S: Simd>(&mut self, simd: S, slot: &Slot, r: &Vector) {
        for part in parts::<S>() {
            let r = Wide3::load(simd, r, part);
            r.add_to(&mut self.linear, part);
            let moment = Wide3::load(simd, &slot.offset, part).cross(r);
            moment.add_to(&mut self.angular, part);
        }
    }
}

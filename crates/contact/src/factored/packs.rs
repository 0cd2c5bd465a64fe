//! Packs of groups for the sweep: how they are filled, and how impulses come and go.

use super::colour::LAST;
use super::group::{Group, Row};
use super::lanes::{Impulses, LANES, Pack, PackRow, get, put};
use super::wide::Lane;
use super::{FactoredProblem, NodeVelocity};
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// Groups that a pack holds on average where packs pay: one costs about as much as three groups in turn.
const WORTH: usize = 4;

/// Packs of the present problem, made at its first sweep. The lists only grow: what is past their end in use is of
/// another problem.
#[derive(Debug, Clone, Default)]
pub(super) struct Packs {
    packs: Vec<Pack>,
    rows: Vec<PackRow>,
    /// Impulses of each row, and the `1/ρ` of its contacts.
    impulses: Vec<Impulses>,
    weights: Vec<Lane>,
    /// For each pack the rows of the problem that its lanes hold: where they start and how many they are.
    own: Vec<[(u32, u32); LANES]>,
    /// Packs and their rows in use.
    count: usize,
    row_count: usize,
    /// Groups of one colour, the longest first.
    sorted: Vec<u64>,
    made: bool,
    /// Whether they pay, once it was asked.
    pay: Option<bool>,
}

impl Packs {
    pub fn clear(&mut self) {
        (self.count, self.row_count) = (0, 0);
        (self.made, self.pay) = (false, None);
    }
}

impl FactoredProblem {
    /// Whether to sweep in lanes.
    pub(super) fn lanes_pay(&mut self) -> bool {
        if self.compliance > 0.0 {
            return false;
        }
        if let Some(pay) = self.packs.pay {
            return pay;
        }
        let mut packs = 0;
        self.colours(|own, shared| {
            packs += if shared {
                own.len()
            } else {
                own.len().div_ceil(LANES)
            }
        });
        let pay = packs > 0 && self.groups.len() >= WORTH * packs && self.pairs_differ();
        self.packs.pay = Some(pay);
        pay
    }

    /// A node that moves must not be in one lane twice.
    fn pairs_differ(&self) -> bool {
        self.groups.iter().all(|g| g.first != g.second)
    }

    /// The groups of each colour, and whether they may share nodes that move.
    fn colours(&self, mut take: impl FnMut(Range<usize>, bool)) {
        let colours = &self.load.colours;
        let mut start = 0;
        for own in self
            .load
            .order
            .chunk_by(|&a, &b| colours[a as usize] == colours[b as usize])
        {
            let shared = colours[own[0] as usize] == LAST;
            take(start..start + own.len(), shared);
            start += own.len();
        }
    }

    /// `count` sweeps in lanes.
    pub(super) fn sweep_in_lanes(&mut self, count: usize) {
        let mut packs = std::mem::take(&mut self.packs);
        packs.take_impulses(self);
        packs.sweep(&mut self.velocities, count);
        packs.give_impulses(self);
        self.packs = packs;
    }
}

impl Packs {
    /// `count` sweeps over impulses that were taken.
    pub fn sweep(&mut self, velocities: &mut [NodeVelocity], count: usize) {
        Arch::new().dispatch(Sweeps {
            packs: &self.packs[..self.count],
            rows: &self.rows,
            impulses: &mut self.impulses,
            velocities,
            count,
        });
    }

    pub fn impulses_mut(&mut self) -> &mut [Impulses] {
        &mut self.impulses[..self.row_count]
    }

    /// `Σ ‖r − r₀‖² / ρ` since the impulses `before`.
    pub fn length(&self, before: &[Impulses]) -> f64 {
        let mut sums: Lane = [0.0; LANES];
        for ((now, before), weight) in self.impulses.iter().zip(before).zip(&self.weights) {
            for (now, before) in now.0.iter().zip(&before.0) {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    let step = now[lane] - before[lane];
                    *sum += step * step * weight[lane];
                }
            }
        }
        sums.iter().sum()
    }

    fn make(&mut self, problem: &FactoredProblem) {
        problem.colours(|own, shared| {
            let mut sorted = std::mem::take(&mut self.sorted);
            sorted.clear();
            sorted.extend(own.map(|g| {
                let group = &problem.groups[g];
                u64::from(u32::MAX - (group.end - group.start)) << 32 | g as u64
            }));
            // Groups that share nodes keep their order and have each a pack of their own.
            if !shared {
                sorted.sort_unstable();
            }
            for own in sorted.chunks(if shared { 1 } else { LANES }) {
                self.make_pack(problem, own);
            }
            self.sorted = sorted;
        });
        self.made = true;
    }

    /// A pack of groups, the longest first; the low half of each number is the group.
    fn make_pack(&mut self, problem: &FactoredProblem, groups: &[u64]) {
        let none = Group::none(problem.nodes.len() as u32 - 1);
        let of = |lane: usize| match groups.get(lane) {
            Some(&g) => &problem.groups[(g & u64::from(u32::MAX)) as usize],
            None => &none,
        };
        let (start, length) = (self.row_count, (of(0).end - of(0).start) as usize);
        self.row_count += length;
        if self.packs.len() == self.count {
            self.packs.push(Pack::EMPTY);
            self.own.push([(0, 0); LANES]);
        }
        if self.rows.len() < self.row_count {
            self.rows.resize(self.row_count, PackRow::EMPTY);
            self.impulses.resize(self.row_count, Impulses::ZERO);
            self.weights.resize(self.row_count, [0.0; LANES]);
        }
        let (pack, own) = (&mut self.packs[self.count], &mut self.own[self.count]);
        let rows = &mut self.rows[start..self.row_count];
        self.count += 1;
        (pack.start, pack.end) = (start as u32, self.row_count as u32);
        for (lane, own) in own.iter_mut().enumerate() {
            let group = of(lane);
            pack.set(lane, group, &problem.nodes);
            let from = &problem.rows[group.start as usize..group.end as usize];
            let padded = from.iter().chain(std::iter::repeat(&Row::NONE));
            for ((x, to), row) in (start..).zip(&mut *rows).zip(padded) {
                to.set(lane, row);
                put(&mut self.impulses[x].0, lane, row.r);
                self.weights[x][lane] = 1.0 / row.rho;
            }
            *own = (group.start, from.len() as u32);
        }
    }

    /// Takes impulses and biases from the rows of the problem.
    pub fn take_impulses(&mut self, problem: &FactoredProblem) {
        if !self.made {
            self.make(problem);
            return;
        }
        for (pack, own) in self.packs[..self.count].iter().zip(&self.own) {
            let all = pack.start as usize..pack.end as usize;
            let (rows, impulses) = (&mut self.rows[all.clone()], &mut self.impulses[all]);
            for (lane, &(start, count)) in own.iter().enumerate() {
                let from = &problem.rows[start as usize..(start + count) as usize];
                for ((to, r), row) in rows.iter_mut().zip(&mut *impulses).zip(from) {
                    to.set_bias(lane, row);
                    put(&mut r.0, lane, row.r);
                }
            }
        }
    }

    /// Gives the impulses to the rows of the problem.
    pub fn give_impulses(&self, problem: &mut FactoredProblem) {
        for (pack, own) in self.packs[..self.count].iter().zip(&self.own) {
            let impulses = &self.impulses[pack.start as usize..pack.end as usize];
            for (lane, &(start, count)) in own.iter().enumerate() {
                let to = &mut problem.rows[start as usize..(start + count) as usize];
                for (row, from) in to.iter_mut().zip(impulses) {
                    row.r = get(&from.0, lane);
                }
            }
        }
    }
}

struct Sweeps<'a> {
    packs: &'a [Pack],
    rows: &'a [PackRow],
    impulses: &'a mut [Impulses],
    velocities: &'a mut [NodeVelocity],
    count: usize,
}

impl WithSimd for Sweeps<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for _ in 0..self.count {
            for pack in self.packs {
                let all = pack.start as usize..pack.end as usize;
                let (rows, impulses) = (&self.rows[all.clone()], &mut self.impulses[all]);
                pack.sweep(simd, rows, impulses, self.velocities);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{FactoredProblem, Link, Node, NodeVelocity};
    use glam::{DMat3, DVec3};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    fn any(rng: &mut Pcg64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)))
    }

    /// Groups of one to six contacts between random nodes, the ground among them. Every seventh node is fixed, some of
    /// these at a prescribed velocity with negative zeros; every fifth group has the node `hub`, if there is one.
    fn problem(nodes: usize, groups: usize, hub: Option<usize>, seed: u64) -> FactoredProblem {
        let mut rng = Pcg64::seed_from_u64(seed);
        let free = |rng: &mut Pcg64| {
            let (a, b) = (any(rng), any(rng));
            let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
            Node {
                inverse_mass: rng.random_range(0.2..2.0),
                inverse_inertia: outer(a) + outer(b) + DMat3::IDENTITY,
            }
        };
        let all: Vec<Node> = (0..nodes)
            .map(|i| match i % 7 {
                3 => Node::FIXED,
                _ => free(&mut rng),
            })
            .collect();
        let velocities: Vec<NodeVelocity> = (0..nodes)
            .map(|i| NodeVelocity {
                linear: any(&mut rng) * f64::from(u8::from(i % 2 == 0)),
                angular: any(&mut rng) * DVec3::new(1.0, -0.0, -0.0),
            })
            .collect();
        let mut links = Vec::new();
        for g in 0..groups {
            let first = match hub {
                Some(hub) if g % 5 == 0 => hub,
                _ => rng.random_range(0..nodes),
            };
            let second = rng.random_range(0..=nodes);
            let normal = any(&mut rng).normalize();
            for _ in 0..rng.random_range(1..=6) {
                links.push(Link {
                    first,
                    second: (second < nodes && second != first).then_some(second),
                    normal,
                    arm_first: any(&mut rng),
                    arm_second: any(&mut rng),
                    bias: any(&mut rng) * 0.1,
                    mu: rng.random_range(0.0..0.8),
                    impulse: any(&mut rng) * 0.1,
                });
            }
        }
        let mut problem = FactoredProblem::new();
        problem.load(&all, &velocities, &links).unwrap();
        problem
    }

    fn bits(problem: &FactoredProblem) -> Vec<u64> {
        let impulses = problem.impulses();
        let velocities = problem.velocities().iter();
        impulses
            .chain(velocities.flat_map(|v| [v.linear, v.angular]))
            .flat_map(|v| v.to_array().map(f64::to_bits))
            .collect()
    }

    #[test]
    fn lanes_give_the_bits_of_groups_in_turn() {
        let sizes = [(2, 0), (2, 1), (5, 7), (12, 9), (40, 60), (300, 700)];
        for (seed, (nodes, groups)) in sizes.into_iter().enumerate() {
            let mut lanes = problem(nodes, groups, None, seed as u64);
            let mut turn = lanes.clone();
            // The second run takes what changed outside, the third goes on with its own.
            for sweeps in [1, 4, 2] {
                lanes.sweep_in_lanes(sweeps);
                turn.sweep_in_turn(sweeps);
                assert!(bits(&lanes) == bits(&turn), "{nodes} {groups} {sweeps}");
                for problem in [&mut lanes, &mut turn] {
                    problem.let_close(0.01);
                    problem.yield_where_driving(0.5);
                }
            }
        }
    }

    /// More than 63 groups on a node: those of the last colour share it.
    #[test]
    fn groups_that_share_a_node_stay_in_turn() {
        let mut lanes = problem(400, 1000, Some(0), 5);
        let colours = &lanes.load.colours;
        assert!(colours.iter().filter(|&&c| c == super::LAST).count() > 100);
        let mut turn = lanes.clone();
        lanes.sweep_in_lanes(5);
        turn.sweep_in_turn(5);
        assert!(bits(&lanes) == bits(&turn));
    }

    /// Lanes are for many groups of few colours, none of which has one node twice.
    #[test]
    fn lanes_are_used_where_they_pay() {
        assert!(problem(300, 700, None, 1).lanes_pay());
        assert!(!problem(300, 3, None, 1).lanes_pay());
        assert!(!problem(3, 700, None, 1).lanes_pay());
        assert!(!FactoredProblem::new().lanes_pay());
        let mut own = problem(300, 700, None, 1);
        own.groups[9].second = own.groups[9].first;
        assert!(!own.lanes_pay());
    }

    /// What one problem leaves in the lanes does not reach the next.
    #[test]
    fn used_lanes_leave_no_trace() {
        let mut used = problem(300, 900, None, 2);
        used.sweep_in_lanes(2);
        let fresh = problem(40, 130, None, 3);
        let mut turn = fresh.clone();
        let packs = std::mem::replace(&mut used, fresh).packs;
        used.packs = packs;
        used.packs.clear();
        used.sweep_in_lanes(3);
        turn.sweep_in_turn(3);
        assert!(bits(&used) == bits(&turn));
    }
}

//! Newton systems in the velocities of the nodes: one 6x6 block per node that moves and two per touching pair, far fewer
//! than `W` has blocks.

use super::group::{Group, skew_times, times_skew};
use super::six::{Six, Vector};
use super::{FactoredProblem, Node, NodeVelocity};
use crate::block_lu::BlockLu;
use crate::minimum_degree::MinimumDegree;
use crate::ordering::Pattern;
use glam::{DMat3, DVec3};

/// `M + Hᵀ K H`, its factors and the gradient `M (v − v₀) − Hᵀ r`; kept between runs, the order of elimination as long as
/// the same nodes touch.
#[derive(Debug, Clone, Default)]
pub(super) struct Nodal {
    pairs: Vec<(u32, u32)>,
    /// Movable nodes: index among them, or `u32::MAX`.
    index: Vec<u32>,
    movable: Vec<u32>,
    /// The matrix with all pairs, and with those alone that take part at present.
    whole: Layout,
    part: Layout,
    search: MinimumDegree,
    narrowed: bool,
    /// Groups that take part.
    kept: Vec<bool>,
    lu: BlockLu<Six>,
    /// Mass and inertia of movable nodes.
    mass: Vec<(f64, DMat3)>,
    gradient: Vec<Vector>,
    direction: Vec<Vector>,
}

/// Where the blocks of a matrix are.
#[derive(Debug, Clone, Default)]
struct Layout {
    /// Entry of each group's pair in the matrix, `u32::MAX` where only one node moves or the group takes no part.
    entry: Vec<u32>,
    /// Start of each node's row in the matrix, which is its diagonal entry.
    starts: Vec<usize>,
    /// Row and column of each entry.
    places: Vec<(usize, usize)>,
    column: Vec<usize>,
    pattern: Pattern,
}

impl Layout {
    /// Rows of a matrix of `n` nodes with one entry per node and one per touching pair, in the row of the smaller index.
    fn arrange(
        &mut self,
        n: usize,
        pairs: &[(u32, u32)],
        takes_part: impl Fn(usize) -> bool,
        search: &mut MinimumDegree,
    ) {
        // A body alone couples with nothing: one block, whatever takes part.
        if n == 1 && self.starts == [0, 1] {
            self.entry.clear();
            self.entry.resize(pairs.len(), u32::MAX);
            return;
        }
        let ordered = |g: usize, (a, b): (u32, u32)| {
            (a != u32::MAX && b != u32::MAX && a != b && takes_part(g))
                .then(|| (a.min(b) as usize, a.max(b) as usize))
        };
        let touching = pairs.iter().enumerate().map(|(g, p)| ordered(g, *p));
        let places = &mut self.places;
        places.clear();
        places.extend((0..n).map(|i| (i, i)));
        places.extend(touching.clone().flatten());
        places.sort_unstable();
        places.dedup();
        self.entry.clear();
        self.entry.extend(touching.map(|place| {
            let found = place.and_then(|place| places.binary_search(&place).ok());
            found.map_or(u32::MAX, |e| e as u32)
        }));
        self.starts.clear();
        self.starts
            .extend((0..n).map(|i| places.partition_point(|p| *p < (i, i))));
        self.starts.push(places.len());
        self.column.clear();
        self.column.extend(places.iter().map(|p| p.1));
        self.pattern.arrange(&self.starts, &self.column, search);
    }
}

impl Nodal {
    /// Indices, masses and the pattern; false when a node moves but has no inertia to invert.
    pub fn prepare(&mut self, problem: &FactoredProblem) -> bool {
        self.index.clear();
        self.movable.clear();
        self.mass.clear();
        for (i, node) in problem.nodes.iter().enumerate() {
            if *node == Node::FIXED {
                self.index.push(u32::MAX);
                continue;
            }
            let inertia = node.inverse_inertia.inverse();
            if node.inverse_mass <= 0.0 || !inertia.is_finite() {
                return false;
            }
            self.index.push(self.movable.len() as u32);
            self.movable.push(i as u32);
            self.mass.push((1.0 / node.inverse_mass, inertia));
        }
        let index = &self.index;
        let pairs = problem
            .groups
            .iter()
            .map(|g| (index[g.first as usize], index[g.second as usize]));
        let same = pairs.clone().eq(self.pairs.iter().copied())
            && self.whole.pattern.order.len() == self.movable.len();
        if !same {
            self.pairs.clear();
            self.pairs.extend(pairs);
            self.whole
                .arrange(self.movable.len(), &self.pairs, |_| true, &mut self.search);
        }
        self.narrowed = false;
        true
    }

    /// Groups for which `takes_part` says so are to have their place in the matrix. With `narrow` the others lose
    /// theirs, which saves fill; what they put against a motion must be next to nothing.
    pub fn make_room(&mut self, takes_part: &[bool], narrow: bool) {
        if narrow {
            self.kept.clear();
            self.kept.extend_from_slice(takes_part);
        } else if !self.narrowed
            || takes_part
                .iter()
                .zip(&self.kept)
                .all(|(new, old)| *old || !new)
        {
            return;
        } else {
            for (kept, new) in self.kept.iter_mut().zip(takes_part) {
                *kept |= *new;
            }
        }
        self.narrowed = true;
        let kept = &self.kept;
        self.part.arrange(
            self.movable.len(),
            &self.pairs,
            |g| kept[g],
            &mut self.search,
        );
    }

    /// Whether an impulse of the group moves anything.
    pub fn acts(&self, group: &Group) -> bool {
        self.index[group.first as usize] != u32::MAX
            || self.index[group.second as usize] != u32::MAX
    }

    /// Mass of what moves (kg).
    pub fn total_mass(&self) -> f64 {
        self.mass.iter().map(|m| m.0).sum()
    }

    /// Mass of the lightest node that moves (kg).
    pub fn least_mass(&self) -> f64 {
        self.mass.iter().map(|m| m.0).fold(f64::INFINITY, f64::min)
    }

    /// Starts the gradient with `M (v − v₀)`.
    pub fn momentum(&mut self, velocities: &[NodeVelocity], free: &[NodeVelocity]) {
        self.gradient.clear();
        for (&i, (mass, inertia)) in self.movable.iter().zip(&self.mass) {
            let (v, free) = (&velocities[i as usize], &free[i as usize]);
            let (p, l) = (
                (v.linear - free.linear) * *mass,
                *inertia * (v.angular - free.angular),
            );
            self.gradient.push([p.x, p.y, p.z, l.x, l.y, l.z]);
        }
    }

    /// Takes `Hᵀ r` of a group off the gradient.
    pub fn subtract(&mut self, group: &Group, p: DVec3, t: DVec3) {
        let (p, t) = (group.frame.to_world(p), group.frame.to_world(t));
        for (node, arm, sign) in [
            (group.first, group.arm_first, -1.0),
            (group.second, group.arm_second, 1.0),
        ] {
            let k = self.index[node as usize];
            if k != u32::MAX {
                let l = (arm.cross(p) + t) * sign;
                let p = p * sign;
                for (g, x) in self.gradient[k as usize]
                    .iter_mut()
                    .zip([p.x, p.y, p.z, l.x, l.y, l.z])
                {
                    *g += x;
                }
            }
        }
    }

    /// `gᵀ M⁻¹ g`, a kinetic energy.
    pub fn gradient_size(&self, nodes: &[Node]) -> f64 {
        let energy = |(&i, g): (&u32, &Vector)| {
            let node = &nodes[i as usize];
            let (p, l) = (DVec3::new(g[0], g[1], g[2]), DVec3::new(g[3], g[4], g[5]));
            p.length_squared() * node.inverse_mass + l.dot(node.inverse_inertia * l)
        };
        self.movable
            .iter()
            .zip(&self.gradient)
            .map(energy)
            .sum::<f64>()
            .sqrt()
    }

    /// Starts the matrix with `M`.
    pub fn clear(&mut self) {
        let layout = if self.narrowed {
            &self.part
        } else {
            &self.whole
        };
        self.lu.clear(&layout.pattern);
        for (k, (mass, inertia)) in self.mass.iter().enumerate() {
            let Some(b) = self.lu.block(layout.pattern.place[layout.starts[k]]) else {
                continue;
            };
            let columns = inertia.to_cols_array_2d();
            for i in 0..3 {
                b[i][i] = *mass;
                for j in 0..3 {
                    b[3 + i][3 + j] = columns[j][i];
                }
            }
        }
    }

    /// The direction `−A⁻¹` gradient; false when a pivot block is singular.
    pub fn solve(&mut self) -> bool {
        let solved = self.factor();
        if solved {
            self.direct();
        }
        solved
    }

    /// Factors the matrix; false when a pivot block is singular.
    pub fn factor(&mut self) -> bool {
        let layout = if self.narrowed {
            &self.part
        } else {
            &self.whole
        };
        self.lu.factor(&layout.pattern)
    }

    /// The direction `−A⁻¹` gradient with the factors that are there.
    pub fn direct(&mut self) {
        let layout = if self.narrowed {
            &self.part
        } else {
            &self.whole
        };
        let (gradient, direction) = (&self.gradient, &mut self.direction);
        direction.resize(gradient.len(), [0.0; 6]);
        self.lu.solve(
            &layout.pattern,
            |i| gradient[i].map(|x| -x),
            |i, v| direction[i] = *v,
        );
    }

    /// Starts the gradient with zero.
    pub fn rest(&mut self) {
        self.gradient.clear();
        self.gradient.resize(self.movable.len(), [0.0; 6]);
    }

    /// `−M⁻¹` gradient of the nodes that move.
    pub fn answer(&self, nodes: &[Node], velocities: &mut [NodeVelocity]) {
        for (&i, g) in self.movable.iter().zip(&self.gradient) {
            let node = &nodes[i as usize];
            let (p, l) = (DVec3::new(g[0], g[1], g[2]), DVec3::new(g[3], g[4], g[5]));
            velocities[i as usize] = NodeVelocity {
                linear: p * -node.inverse_mass,
                angular: -(node.inverse_inertia * l),
            };
        }
    }

    /// Adds the stiffness of a group, gathered in its frame.
    pub fn stiffen(&mut self, g: usize, group: &Group, stiffness: &Stiffness) {
        let f = group.frame.matrix();
        let turn = f.transpose();
        let [vv, vw, wv, ww] = &stiffness.0;
        let world = |m: &DMat3| f * *m * turn;
        self.add(g, group, [world(vv), world(vw), world(wv), world(ww)]);
    }

    /// Adds a group's stiffness (world axes, at the reference point) to the blocks of its nodes.
    fn add(&mut self, g: usize, group: &Group, [vv, vw, wv, ww]: [DMat3; 4]) {
        let (a, b) = (group.arm_first, group.arm_second);
        let (i, j) = (
            self.index[group.first as usize],
            self.index[group.second as usize],
        );
        // V = v + ω × arm = v − [arm] ω, and the moment of a force about the centre is [arm] f.
        let right = |arm: DVec3| (vw - times_skew(&vv, arm), ww - times_skew(&wv, arm));
        let left = |arm: DVec3| wv + skew_times(arm, &vv);
        let (right_a, right_b, left_a, left_b) = (right(a), right(b), left(a), left(b));
        let joined = |arm: DVec3, left: DMat3, (upper, lower): (DMat3, DMat3)| {
            (vv, upper, left, lower + skew_times(arm, &upper))
        };
        let layout = if self.narrowed {
            &self.part
        } else {
            &self.whole
        };
        for (k, arm, left, right) in [(i, a, left_a, right_a), (j, b, left_b, right_b)] {
            if k != u32::MAX {
                let place = layout.pattern.place[layout.starts[k as usize]];
                if let Some(block) = self.lu.block(place) {
                    accumulate(block, joined(arm, left, right), 1.0);
                }
            }
        }
        let e = layout.entry[g];
        if e != u32::MAX {
            let (ab, ba) = (joined(a, left_a, right_b), joined(b, left_b, right_a));
            let (ab, ba) = if i < j { (ab, ba) } else { (ba, ab) };
            let place = layout.pattern.place[e as usize];
            for (place, m) in [(place, ab), (place.transposed(), ba)] {
                if let Some(block) = self.lu.block(place) {
                    accumulate(block, m, -1.0);
                }
            }
        }
    }

    /// Moves the velocities by a part of the direction.
    pub fn advance(&self, velocities: &mut [NodeVelocity], part: f64) {
        for (&i, d) in self.movable.iter().zip(&self.direction) {
            let v = &mut velocities[i as usize];
            v.linear += DVec3::new(d[0], d[1], d[2]) * part;
            v.angular += DVec3::new(d[3], d[4], d[5]) * part;
        }
    }
}

/// What the contacts of a group put against a relative twist `(V, Ω)` at its reference point, local axes: the blocks
/// `VV, VΩ, ΩV, ΩΩ`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stiffness([DMat3; 4]);

impl Stiffness {
    pub const ZERO: Self = Self([DMat3::ZERO; 4]);

    /// Adds a contact's `−dr/du`.
    pub fn gather(&mut self, offset: DVec3, k: DMat3) {
        // u = V − [s] Ω.
        let ks = times_skew(&k, offset);
        self.0[0] += k;
        self.0[1] -= ks;
        self.0[2] += skew_times(offset, &k);
        self.0[3] -= skew_times(offset, &ks);
    }
}

#[inline(always)]
fn accumulate(b: &mut Six, (vv, vw, wv, ww): (DMat3, DMat3, DMat3, DMat3), sign: f64) {
    for (m, (row, column)) in [(vv, (0, 0)), (vw, (0, 3)), (wv, (3, 0)), (ww, (3, 3))] {
        let columns = m.to_cols_array_2d();
        for i in 0..3 {
            for j in 0..3 {
                b[row + i][column + j] += sign * columns[j][i];
            }
        }
    }
}

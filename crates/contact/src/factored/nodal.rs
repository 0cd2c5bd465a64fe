//! Newton systems in the velocities of the nodes: one 6x6 block per node that moves and two per touching pair, far fewer
//! than `W` has blocks.

use super::group::Group;
use super::layout::Layout;
use super::octets::Octets;
use super::six::{Six, Vector};
use super::stiffness::Matrix;
use super::{FactoredProblem, Node, NodeVelocity};
use crate::block_lu::BlockLu;
use crate::minimum_degree::MinimumDegree;
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
    /// The groups, side by side.
    pub octets: Octets,
    /// Mass and inertia of movable nodes.
    mass: Vec<(f64, DMat3)>,
    gradient: Vec<Vector>,
    direction: Vec<Vector>,
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
        self.octets.fill(problem, &self.index);
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

    /// The groups, the gradient and the matrix, for a pass over the groups.
    pub fn parts(&mut self) -> (&Octets, &mut [Vector], Matrix<'_>) {
        let layout = if self.narrowed {
            &self.part
        } else {
            &self.whole
        };
        let lu = &mut self.lu;
        (&self.octets, &mut self.gradient, Matrix { lu, layout })
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
            let Some(b) = self.lu.block(layout.own[k]) else {
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

    /// Moves the velocities by a part of the direction.
    pub fn advance(&self, velocities: &mut [NodeVelocity], part: f64) {
        for (&i, d) in self.movable.iter().zip(&self.direction) {
            let v = &mut velocities[i as usize];
            v.linear += DVec3::new(d[0], d[1], d[2]) * part;
            v.angular += DVec3::new(d[3], d[4], d[5]) * part;
        }
    }
}

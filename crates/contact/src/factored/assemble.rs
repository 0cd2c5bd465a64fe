//! From the factored form to the assembled one.

use super::{FactoredProblem, Node};
use crate::delassus::Delassus;
use crate::error::ContactError;
use crate::problem::FrictionContactProblem;
use glam::{DMat3, DVec3};

/// A contact as one node sees it.
struct Seen {
    link: usize,
    sign: f64,
    /// From the node's centre to the contact, world axes.
    arm: DVec3,
    axes: DMat3,
}

impl FactoredProblem {
    /// The same problem with `W` assembled, contacts in the order of the links, for the solvers that want it.
    ///
    /// # Errors
    /// Only where an intermediate sum overflows.
    pub fn assemble(&self) -> Result<FrictionContactProblem, ContactError> {
        let mut of_node: Vec<Vec<Seen>> = Vec::new();
        of_node.resize_with(self.nodes.len(), Vec::new);
        for &row in &self.row_of_link {
            let row = &self.rows[row as usize];
            let group = &self.groups[row.group as usize];
            let offset = group.frame.to_world(row.offset);
            let sides = [
                (group.first, 1.0, group.arm_first),
                (group.second, -1.0, group.arm_second),
            ];
            for (node, sign, arm) in sides {
                let seen = Seen {
                    link: row.link as usize,
                    sign,
                    arm: arm + offset,
                    axes: group.frame.matrix(),
                };
                of_node[node as usize].push(seen);
            }
        }
        let mut blocks = Vec::new();
        for (node, list) in self.nodes.iter().zip(&of_node) {
            if *node == Node::FIXED {
                continue;
            }
            for (k, i) in list.iter().enumerate() {
                for j in &list[..=k] {
                    let b = coupling(node, i, j) * (i.sign * j.sign);
                    if i.link == j.link {
                        blocks.push((i.link, j.link, (b + b.transpose()) * 0.5));
                    } else {
                        blocks.push((i.link, j.link, b));
                        blocks.push((j.link, i.link, b.transpose()));
                    }
                }
            }
        }
        let w = Delassus::from_blocks(self.rows.len(), blocks)?;
        let r: Vec<DVec3> = self.impulses().collect();
        let q = self
            .relative_velocities()
            .enumerate()
            .map(|(i, u)| u - w.row_times(i, &r))
            .collect();
        let mu = self
            .row_of_link
            .iter()
            .map(|&i| self.rows[i as usize].mu)
            .collect();
        FrictionContactProblem::new(w, q, mu)
    }
}

/// `Fᵢᵀ (1/m + [aᵢ]ᵀ I⁻¹ [aⱼ]) Fⱼ`: how an impulse at j moves the point of i through a node they share.
fn coupling(node: &Node, i: &Seen, j: &Seen) -> DMat3 {
    let turn = |s: &Seen| {
        DMat3::from_cols(
            s.arm.cross(s.axes.x_axis),
            s.arm.cross(s.axes.y_axis),
            s.arm.cross(s.axes.z_axis),
        )
    };
    i.axes.transpose() * j.axes * node.inverse_mass
        + turn(i).transpose() * (node.inverse_inertia * turn(j))
}

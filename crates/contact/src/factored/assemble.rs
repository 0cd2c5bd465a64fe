//! From the factored form to the assembled one.

use super::{FactoredProblem, Node};
use crate::delassus::{Blocks, Delassus};
use crate::error::ContactError;
use crate::problem::FrictionContactProblem;
use glam::{DMat3, DVec3};

/// What assembling works in, handed on from problem to problem: [`FactoredProblem::assemble_in`].
#[derive(Debug, Clone, Default)]
pub struct AssemblyRoom {
    /// Contacts by node.
    seen: Vec<Seen>,
    blocks: Blocks,
    impulses: Vec<DVec3>,
    parts: (Delassus, Vec<DVec3>, Vec<f64>),
}

impl AssemblyRoom {
    /// Takes a problem back, for the room of its lists.
    pub fn take_back(&mut self, problem: FrictionContactProblem) {
        self.parts = problem.into_parts();
    }
}

/// A contact as one node sees it.
#[derive(Debug, Clone, Copy)]
struct Seen {
    node: u32,
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
        self.assemble_in(&mut AssemblyRoom::default())
    }

    /// As [`FactoredProblem::assemble`], in room that goes from problem to problem: nothing is allocated once its lists are as
    /// long as they get and it has the last problem back.
    ///
    /// # Errors
    /// Only where an intermediate sum overflows.
    pub fn assemble_in(
        &self,
        room: &mut AssemblyRoom,
    ) -> Result<FrictionContactProblem, ContactError> {
        self.sight(&mut room.seen);
        room.blocks.clear();
        for list in room.seen.chunk_by(|a, b| a.node == b.node) {
            let Some(node) = list.first().map(|s| &self.nodes[s.node as usize]) else {
                continue;
            };
            if *node == Node::FIXED {
                continue;
            }
            for (k, i) in list.iter().enumerate() {
                for j in &list[..=k] {
                    let b = coupling(node, i, j) * (i.sign * j.sign);
                    if i.link == j.link {
                        room.blocks.push(i.link, j.link, (b + b.transpose()) * 0.5);
                    } else {
                        room.blocks.push(i.link, j.link, b);
                        room.blocks.push(j.link, i.link, b.transpose());
                    }
                }
            }
        }
        if self.compliance > 0.0 {
            let own = DMat3::from_diagonal(DVec3::splat(self.compliance));
            for link in 0..self.rows.len() {
                room.blocks.push(link, link, own);
            }
        }
        let (mut w, mut q, mut mu) = std::mem::take(&mut room.parts);
        w.gather(self.rows.len(), &mut room.blocks)?;
        room.impulses.clear();
        room.impulses.extend(self.impulses());
        let r = &room.impulses;
        q.clear();
        q.extend(
            self.relative_velocities()
                .enumerate()
                .map(|(i, u)| u - w.row_times(i, r)),
        );
        mu.clear();
        mu.extend(self.row_of_link.iter().map(|&i| self.rows[i as usize].mu));
        FrictionContactProblem::new(w, q, mu)
    }

    /// What each node sees, node by node and in the order of the links.
    fn sight(&self, seen: &mut Vec<Seen>) {
        seen.clear();
        for &row in &self.row_of_link {
            let row = &self.rows[row as usize];
            let group = &self.groups[row.group as usize];
            let offset = group.frame.to_world(row.offset);
            let sides = [
                (group.first, 1.0, group.arm_first),
                (group.second, -1.0, group.arm_second),
            ];
            seen.extend(sides.map(|(node, sign, arm)| Seen {
                node,
                link: row.link as usize,
                sign,
                arm: arm + offset,
                axes: group.frame.matrix(),
            }));
        }
        seen.sort_unstable_by_key(|s| (s.node, s.link, s.sign < 0.0));
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

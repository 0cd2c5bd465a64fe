//! From the problem of bodies to the assembled one.

use super::body::BodyInertia;
use super::problem::Problem;
use crate::error::ContactError;
use crate::problem::FrictionContactProblem;
use crate::problem::delassus::{Blocks, Delassus};
use crate::problem::jacobian::{Jacobian, Side};
use glam::{DMat3, DVec3};

/// Assembles the Delassus operator `W = H M⁻¹ Hᵀ` of problems of bodies; its lists are used again from problem to
/// problem.
#[derive(Debug, Clone, Default)]
pub struct Assembler {
    /// Contacts by body.
    seen: Vec<Seen>,
    blocks: Blocks,
    impulses: Vec<DVec3>,
    parts: (Delassus, Vec<DVec3>, Vec<f64>),
}

/// Contacts up to which a problem is factored by contacts: beside that its bodies take less memory, and less time by
/// the fill of the factors, the more the larger it is.
const FEW: usize = 6000;

/// A contact as one body sees it.
#[derive(Debug, Clone, Copy)]
struct Seen {
    body: u32,
    contact: usize,
    sign: f64,
    /// From the body's centre to the contact, world axes.
    arm: DVec3,
    axes: DMat3,
}

impl Problem {
    /// The same problem with `W` assembled, contacts in their order, for the solvers that want it:
    /// [`Assembler::assemble`].
    ///
    /// # Errors
    /// Only where an intermediate sum overflows.
    pub fn assemble(&self) -> Result<FrictionContactProblem, ContactError> {
        Assembler::new().assemble(self)
    }
}

impl Assembler {
    /// A fresh assembler.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes an assembled problem back, for the memory of its lists.
    pub fn recycle(&mut self, problem: FrictionContactProblem) {
        self.parts = problem.into_parts();
    }

    /// The same problem with `W` assembled, contacts in their order. Nothing is allocated once the lists are as long as
    /// they get and the last problem was recycled, but for the bodies of more than 6,000 contacts.
    ///
    /// # Errors
    /// Only where an intermediate sum overflows.
    pub fn assemble(&mut self, problem: &Problem) -> Result<FrictionContactProblem, ContactError> {
        self.list_by_body(problem);
        self.couple(problem);
        for row in problem.rows.iter().filter(|row| row.compliance > 0.0) {
            let own = DMat3::from_diagonal(DVec3::splat(row.compliance));
            self.blocks.push(row.pair as usize, row.pair as usize, own);
        }
        let (mut w, mut q, mut mu) = std::mem::take(&mut self.parts);
        w.gather(problem.rows.len(), &mut self.blocks)?;
        self.impulses.clear();
        self.impulses.extend(problem.impulses());
        let r = &self.impulses;
        let velocities = problem.relative_velocities().enumerate();
        q.clear();
        q.extend(velocities.map(|(i, u)| u - w.row_times(i, r)));
        mu.clear();
        let rows = problem.row_of_pair.iter();
        mu.extend(rows.map(|&i| problem.rows[i as usize].mu));
        let assembled = FrictionContactProblem::new(w, q, mu)?;
        let many = problem.rows.len() > FEW;
        Ok(assembled.with_jacobian(if many { self.jacobian(problem) } else { None }))
    }

    /// The bodies of the problem that was assembled last, where all contacts are rigid.
    pub(crate) fn jacobian(&self, problem: &Problem) -> Option<Jacobian> {
        if problem.springs > 0 {
            return None;
        }
        let mut made = Jacobian {
            sides: vec![[None; 2]; problem.rows.len()],
            mass: Vec::new(),
        };
        for list in self.seen.chunk_by(|a, b| a.body == b.body) {
            let body = &problem.bodies[list.first()?.body as usize];
            if body.is_fixed() {
                continue;
            }
            let inertia = body.inverse_inertia.inverse();
            if body.inverse_mass <= 0.0 || !inertia.is_finite() {
                return None;
            }
            let index = u32::try_from(made.mass.len()).ok()?;
            made.mass.push((1.0 / body.inverse_mass, inertia));
            for seen in list {
                let axes = [seen.axes.x_axis, seen.axes.y_axis, seen.axes.z_axis];
                let side = Side {
                    body: index,
                    linear: axes.map(|axis| axis * seen.sign),
                    angular: axes.map(|axis| seen.arm.cross(axis) * seen.sign),
                };
                let sides = made.sides.get_mut(seen.contact)?;
                // A body that touches itself is seen twice.
                *sides.iter_mut().find(|side| side.is_none())? = Some(side);
            }
        }
        Some(made)
    }

    /// The blocks that couple contacts through the bodies they share.
    fn couple(&mut self, problem: &Problem) {
        self.blocks.clear();
        for list in self.seen.chunk_by(|a, b| a.body == b.body) {
            let Some(body) = list.first().map(|s| &problem.bodies[s.body as usize]) else {
                continue;
            };
            if body.is_fixed() {
                continue;
            }
            for (k, i) in list.iter().enumerate() {
                for j in &list[..=k] {
                    let b = coupling(body, i, j) * (i.sign * j.sign);
                    if i.contact == j.contact {
                        let symmetric = (b + b.transpose()) * 0.5;
                        self.blocks.push(i.contact, j.contact, symmetric);
                    } else {
                        self.blocks.push(i.contact, j.contact, b);
                        self.blocks.push(j.contact, i.contact, b.transpose());
                    }
                }
            }
        }
    }

    /// The contacts of each body, body by body and in their order.
    fn list_by_body(&mut self, problem: &Problem) {
        let seen = &mut self.seen;
        seen.clear();
        for &row in &problem.row_of_pair {
            let row = &problem.rows[row as usize];
            let group = &problem.groups[row.group as usize];
            let offset = group.frame.to_world(row.offset);
            let sides = [
                (group.first, 1.0, group.arm_first),
                (group.second, -1.0, group.arm_second),
            ];
            seen.extend(sides.map(|(body, sign, arm)| Seen {
                body,
                contact: row.pair as usize,
                sign,
                arm: arm + offset,
                axes: group.frame.matrix(),
            }));
        }
        seen.sort_unstable_by_key(|s| (s.body, s.contact, s.sign < 0.0));
    }
}

/// `Fᵢᵀ (1/m + [aᵢ]ᵀ I⁻¹ [aⱼ]) Fⱼ`: how an impulse at j moves the point of i through a body they share.
fn coupling(body: &BodyInertia, i: &Seen, j: &Seen) -> DMat3 {
    let turn = |s: &Seen| {
        DMat3::from_cols(
            s.arm.cross(s.axes.x_axis),
            s.arm.cross(s.axes.y_axis),
            s.arm.cross(s.axes.z_axis),
        )
    };
    i.axes.transpose() * j.axes * body.inverse_mass
        + turn(i).transpose() * (body.inverse_inertia * turn(j))
}

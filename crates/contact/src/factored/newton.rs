//! The last digits of a run to a residual, by Newton's method on the node velocities.
//!
//! Proximal point on the impulses, as an augmented Lagrangian: around a centre `r_c` find the velocities `v` with
//! `M (v − v₀) = Hᵀ r`, `r = P(r_c − u/ε)`, where `P` takes the normal part to the half line and the tangential one to the
//! disc `μ r_n` (Alart & Curnier 1991; the solutions of the problem with the exact cone are its fixed points). The
//! Jacobian is `M + Hᵀ (dP/ε) H`. Then `r_c ← r`, so ε leaves no bias and impulses that are not unique do no harm.

use super::nodal::{Nodal, Stiffness};
use super::{FactoredProblem, NodeVelocity};
use crate::cone::project_disc;
use glam::{DMat3, DVec3};

/// `ε ρ` at the start.
const START: f64 = 1e-2;
/// Newton steps per outer iteration.
const INNER: usize = 12;
/// Newton steps up to which an outer iteration was easy.
const EASY: usize = 3;
/// Part to which the gradient must fall before the centre moves.
const ENOUGH: f64 = 1e-2;
/// What may be left of it then moves the lightest node by this part of the residual so far: else the impulses of a centre,
/// which give the nodes their velocities, are worse than the centre.
const GOAL: f64 = 0.5;
/// Centres that may be worse than the best one before a run ends: where friction makes the iteration over centres
/// repelling it goes further away with each.
const WORSE: usize = 3;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    /// Velocities at which the last inner iteration ended; the problem's own are those of the impulses.
    pub kept: Vec<NodeVelocity>,
    best: Vec<DVec3>,
    wait: usize,
    /// `ε ρ`, the softness of the regularisation against the contact's own.
    softness: f64,
    centre: Vec<DVec3>,
    /// Size under which a gradient is as good as none.
    goal: f64,
    /// `r_c − u/ε`.
    argument: Vec<DVec3>,
    /// Groups that are closed, and whether the others are to be left out of the matrix.
    closed: Vec<bool>,
    pub narrow: bool,
}

impl Newton {
    /// Newton steps from the velocities `kept` until `η / max‖q‖ ≤ tolerance`, at most `max_steps`; the steps done. Never
    /// leaves a worse state.
    pub fn run(
        &mut self,
        nodal: &mut Nodal,
        problem: &mut FactoredProblem,
        (tolerance, max_steps): (f64, usize),
    ) -> (usize, bool) {
        let mut steps = 0;
        self.softness = START;
        self.wait = 0;
        let per_speed = GOAL * nodal.least_mass().sqrt();
        let mut worse = 0;
        let mut best = problem.eta();
        self.best.clear();
        self.best.extend(problem.rows.iter().map(|row| row.r));
        while steps < max_steps && worse < WORSE && best > tolerance * problem.q_max {
            self.goal = per_speed * best;
            let (done, converged) = self.outer(nodal, problem, max_steps - steps);
            steps += done.max(1);
            self.adapt(done, converged);
            if !converged {
                self.kept.clone_from(&problem.velocities);
                continue;
            }
            let eta = problem.eta();
            worse += 1;
            if eta < best {
                (best, worse) = (eta, 0);
                for (kept, row) in self.best.iter_mut().zip(&problem.rows) {
                    *kept = row.r;
                }
            }
        }
        for (row, r) in problem.rows.iter_mut().zip(&self.best) {
            row.r = *r;
        }
        problem.consistent();
        (steps, best <= tolerance * problem.q_max)
    }

    /// One outer iteration; the Newton steps it took, and whether its centre was reached. The problem is left with
    /// velocities that belong to its impulses.
    fn outer(
        &mut self,
        nodal: &mut Nodal,
        problem: &mut FactoredProblem,
        max_steps: usize,
    ) -> (usize, bool) {
        problem.velocities.clone_from(&self.kept);
        self.centre.clear();
        self.centre.extend(problem.rows.iter().map(|row| row.r));
        let first = self.evaluate(nodal, problem);
        let mut size = first;
        let (mut steps, mut refused) = (0, 0);
        let enough = self.goal.min(ENOUGH * first);
        while refused < 2 && steps < INNER.min(max_steps) && (steps == 0 || size > enough) {
            self.make_room(nodal, problem);
            self.assemble(nodal, problem);
            if !nodal.solve() {
                break;
            }
            steps += 1;
            let mut part = 1.0;
            nodal.advance(&mut problem.velocities, part);
            loop {
                let now = self.evaluate(nodal, problem);
                if now <= (1.0 - 0.1 * part) * size || part < 0.02 {
                    refused += usize::from(part < 0.02);
                    size = now;
                    break;
                }
                nodal.advance(&mut problem.velocities, -0.5 * part);
                part *= 0.5;
            }
        }
        let converged = size <= ENOUGH * first;
        if converged {
            for (row, y) in problem.rows.iter_mut().zip(&self.argument) {
                row.r = project_disc(*y, row.mu);
            }
            self.kept.clone_from(&problem.velocities);
        }
        problem.consistent();
        (steps, converged)
    }

    /// ε falls where a centre was easily reached and grows where it was not reached.
    fn adapt(&mut self, steps: usize, converged: bool) {
        if !converged {
            self.softness = (self.softness / 0.3).min(1.0);
            self.wait = 3;
        } else if steps <= EASY {
            if self.wait == 0 {
                self.softness = (self.softness * 0.3).max(1e-8);
            } else {
                self.wait -= 1;
            }
        }
    }

    /// Arguments of the projections and the gradient `M (v − v₀) − Hᵀ r`, whose size it gives.
    fn evaluate(&mut self, nodal: &mut Nodal, problem: &FactoredProblem) -> f64 {
        self.argument.clear();
        nodal.momentum(&problem.velocities, &problem.free);
        for group in &problem.groups {
            let v = group.relative(&problem.velocities);
            let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
            for i in group.start as usize..group.end as usize {
                let row = &problem.rows[i];
                let y = self.centre[i] - v.at(row) * (row.rho / self.softness);
                self.argument.push(y);
                let r = project_disc(y, row.mu);
                p += r;
                t += row.offset.cross(r);
            }
            nodal.subtract(group, p, t);
        }
        nodal.gradient_size(&problem.nodes)
    }

    /// Gives groups that are closed their place in the matrix.
    fn make_room(&mut self, nodal: &mut Nodal, problem: &FactoredProblem) {
        self.closed.clear();
        for group in &problem.groups {
            let own = &self.argument[group.start as usize..group.end as usize];
            self.closed.push(own.iter().any(|y| y.x > 0.0));
        }
        nodal.make_room(&self.closed, self.narrow);
        self.narrow = false;
    }

    /// `M + Hᵀ (dP/ε) H`.
    fn assemble(&self, nodal: &mut Nodal, problem: &FactoredProblem) {
        nodal.clear();
        for (g, group) in problem.groups.iter().enumerate() {
            if !self.closed[g] {
                continue;
            }
            let mut stiffness = Stiffness::ZERO;
            for i in group.start as usize..group.end as usize {
                let (row, y) = (&problem.rows[i], self.argument[i]);
                if y.x > 0.0 {
                    let k = disc_derivative(y, row.mu) * (row.rho / self.softness);
                    stiffness.gather(row.offset, k);
                }
            }
            nodal.stiffen(g, group, &stiffness);
        }
    }
}

/// Derivative of Alart and Curnier's projection where the normal part is positive.
fn disc_derivative(y: DVec3, mu: f64) -> DMat3 {
    let t = (y.y * y.y + y.z * y.z).sqrt();
    if t <= mu * y.x {
        return DMat3::IDENTITY;
    }
    let (hy, hz, k) = (y.y / t, y.z / t, mu * y.x / t);
    DMat3::from_cols(
        DVec3::new(1.0, mu * hy, mu * hz),
        DVec3::new(0.0, k * (1.0 - hy * hy), -k * hy * hz),
        DVec3::new(0.0, -k * hy * hz, k * (1.0 - hz * hz)),
    )
}

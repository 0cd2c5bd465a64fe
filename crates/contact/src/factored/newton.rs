//! The last digits of a run to a residual, by Newton's method on the node velocities.
//!
//! Proximal point on the impulses, as an augmented Lagrangian: around a centre `r_c` find the velocities `v` with
//! `M (v − v₀) = Hᵀ r`, `r = P(r_c − u/ε)`, where `P` takes the normal part to the half line and the tangential one to the
//! disc `μ r_n` (Alart & Curnier 1991; the solutions of the problem with the exact cone are its fixed points). The
//! Jacobian is `M + Hᵀ (dP/ε) H`. Then `r_c ← r`, so ε leaves no bias and impulses that are not unique do no harm.
//!
//! Each centre is a spring of compliance ε that is let go: the centres settle as elastic contacts do while the motion is held,
//! over a time `Σ 1/ε` and in one avalanche of slips after the other. That is how a locked heap, where the sign of the
//! determinant changes back and forth as ε falls, is left behind; so ε is led like the step size of an implicit
//! integrator, and no centre needs more digits than the next one keeps.

use super::jacobian::Pair;
use super::lanes::{LANES, get, put};
use super::nodal::Nodal;
use super::octets::Octets;
use super::six;
use super::stiffness::{Joined, Matrix, Stiffness};
use super::wide::{Vector, Wide, Wide3, ZERO, parts};
use super::{FactoredProblem, NodeVelocity};
use crate::cone::project_disc;
use glam::{DMat3, DVec3};
use pulp::{Arch, Simd, WithSimd};

/// `ε ρ` at the start, at least and at most.
const START: f64 = 1e-2;
const LEAST: f64 = 1e-8;
const MOST: f64 = 1.0;
/// Newton steps per centre at most.
const INNER: usize = 12;
/// Newton steps up to which a centre was reached at once, and easily, and by what `ε` then falls; from which on it was hard, by
/// what `ε` then grows, and by what where it was not reached.
const QUICK: (usize, f64) = (2, 0.3);
const EASY: (usize, f64) = (4, 0.8);
const HARD: (usize, f64) = (6, 2.0);
const RETREAT: f64 = 4.0;
/// Part to which the gradient must fall before the centre moves: with 0.01 poured hulls take 1.2 times the steps.
const ENOUGH: f64 = 0.1;
/// What may be left of it moves the lightest node by this part of the residual: else the impulses of a centre, which give the
/// nodes their velocities, are worse than the centre. Springs go on with less where that was not enough.
const GOAL: f64 = 0.5;
const LESS: f64 = 1e-2;

/// Part of a step below which it is taken as it is, and counts as refused.
pub(super) const SHORTEST: f64 = 0.02;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    /// Velocities at which the last inner iteration ended; the problem's own are those of the impulses.
    pub kept: Vec<NodeVelocity>,
    best: Vec<DVec3>,
    /// `ε ρ`, the softness of the regularisation against the contact's own, and the compliance of springs (1/kg).
    softness: f64,
    compliance: f64,
    centre: Vec<Vector>,
    /// Size under which a gradient is as good as none.
    goal: f64,
    /// `r_c − u/ε`.
    argument: Vec<Vector>,
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
        self.compliance = problem.compliance;
        if self.compliance > 0.0 {
            return self.yielding(nodal, problem, (tolerance, max_steps), SHORTEST);
        }
        self.softness = START;
        let (asked, per_speed) = (problem.allowed(tolerance), GOAL * nodal.least_mass().sqrt());
        let (mut steps, mut best) = (0, problem.eta());
        self.best.clear();
        self.best.extend(problem.rows.iter().map(|row| row.r));
        while steps < max_steps && best > asked {
            self.goal = per_speed * best;
            let (done, reached) = self.outer(nodal, problem, max_steps - steps);
            steps += done.max(1);
            let eta = problem.eta();
            self.adapt(done, reached);
            if reached && eta < best {
                best = eta;
                for (kept, row) in self.best.iter_mut().zip(&problem.rows) {
                    *kept = row.r;
                }
            }
        }
        problem.put_back(&self.best);
        (steps, best <= asked)
    }

    /// Newton steps on springs from the velocities `kept`: what they carry is the centre, and one is enough. Ends with a step
    /// of less than the `least` part. Never leaves a worse state.
    pub fn yielding(
        &mut self,
        nodal: &mut Nodal,
        problem: &mut FactoredProblem,
        (tolerance, max_steps): (f64, usize),
        least: f64,
    ) -> (usize, bool) {
        // A lane without a contact has the stiffness 0/softness.
        (self.softness, self.compliance) = (f64::MIN_POSITIVE, problem.compliance);
        nodal.octets.spread(&mut self.centre, |_| DVec3::ZERO);
        self.best.clear();
        self.best.extend(problem.rows.iter().map(|row| row.r));
        let (before, asked) = (problem.eta(), problem.allowed(tolerance));
        let (mut steps, mut eta) = (0, before);
        self.goal = GOAL * nodal.least_mass().sqrt() * asked;
        let mut goes_on = true;
        while goes_on && eta > asked && steps < max_steps {
            problem.velocities.clone_from(&self.kept);
            let size = self.evaluate(nodal, problem);
            let done;
            (done, goes_on) = self.come_down(nodal, problem, size, (max_steps - steps, least));
            // Where nothing moves the gradient is zero, and stays under any goal.
            steps += done.max(1);
            self.kept.clone_from(&problem.velocities);
            self.hand_over(nodal, problem);
            problem.consistent();
            eta = problem.eta();
            self.goal *= LESS;
        }
        if eta > before {
            problem.put_back(&self.best);
            eta = before;
        }
        (steps, eta <= asked)
    }

    /// Newton steps until the gradient is under the goal; how many, and whether it came there.
    fn come_down(
        &mut self,
        nodal: &mut Nodal,
        problem: &mut FactoredProblem,
        mut size: f64,
        (max_steps, least): (usize, f64),
    ) -> (usize, bool) {
        let mut steps = 0;
        while steps < max_steps && size > self.goal {
            self.make_room(nodal);
            self.assemble(nodal);
            if !nodal.solve() {
                return (steps, false);
            }
            steps += 1;
            let part = self.search(nodal, problem, &mut size, least);
            if part < least {
                return (steps, false);
            }
        }
        (steps, size <= self.goal)
    }

    /// Takes the largest of the parts 1, ½, ¼ … of the step that makes the gradient smaller, or one under the `least`; which.
    fn search(
        &mut self,
        nodal: &mut Nodal,
        problem: &mut FactoredProblem,
        size: &mut f64,
        least: f64,
    ) -> f64 {
        let mut part = 1.0;
        nodal.advance(&mut problem.velocities, part);
        loop {
            let now = self.evaluate(nodal, problem);
            if now <= (1.0 - 0.1 * part) * *size || part < least {
                *size = now;
                return part;
            }
            nodal.advance(&mut problem.velocities, -0.5 * part);
            part *= 0.5;
        }
    }

    /// Gives the problem the impulses of the arguments.
    fn hand_over(&self, nodal: &Nodal, problem: &mut FactoredProblem) {
        for (row, place) in problem.rows.iter_mut().zip(&nodal.octets.places) {
            row.r = project_disc(place.of(&self.argument), row.mu);
        }
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
        nodal.octets.spread(&mut self.centre, |i| problem.rows[i].r);
        let first = self.evaluate(nodal, problem);
        let mut size = first;
        let (mut steps, mut refused) = (0, 0);
        let enough = self.goal.min(ENOUGH * first);
        while refused < 2 && steps < INNER.min(max_steps) && (steps == 0 || size > enough) {
            self.make_room(nodal);
            self.assemble(nodal);
            if !nodal.solve() {
                break;
            }
            steps += 1;
            let part = self.search(nodal, problem, &mut size, SHORTEST);
            refused += usize::from(part < SHORTEST);
        }
        let reached = size <= ENOUGH * first;
        if reached {
            self.hand_over(nodal, problem);
            self.kept.clone_from(&problem.velocities);
        }
        problem.consistent();
        (steps, reached)
    }

    /// ε falls where a centre was easily reached and grows where it was not, or hardly.
    fn adapt(&mut self, steps: usize, reached: bool) {
        let factor = match steps {
            _ if !reached => RETREAT,
            n if n <= QUICK.0 => QUICK.1,
            n if n <= EASY.0 => EASY.1,
            n if n >= HARD.0 => HARD.1,
            _ => 1.0,
        };
        self.softness = (self.softness * factor).clamp(LEAST, MOST);
    }

    /// Arguments of the projections and the gradient `M (v − v₀) − Hᵀ r`, whose size it gives.
    fn evaluate(&mut self, nodal: &mut Nodal, problem: &FactoredProblem) -> f64 {
        nodal.momentum(&problem.velocities, &problem.free);
        let (octets, gradient, _) = nodal.parts();
        self.argument.resize(octets.slots.len(), ZERO);
        Arch::new().dispatch(Evaluation {
            octets,
            gradient,
            velocities: &problem.velocities,
            centre: &self.centre,
            argument: &mut self.argument,
            softness: (self.softness, self.compliance),
        });
        nodal.gradient_size(&problem.nodes)
    }

    /// Gives groups that are closed their place in the matrix.
    fn make_room(&mut self, nodal: &mut Nodal) {
        let argument = &self.argument;
        nodal
            .octets
            .mark(&mut self.closed, |s| &argument[s][0], 0.0);
        nodal.make_room(&self.closed, self.narrow);
        self.narrow = false;
    }

    /// `M + Hᵀ (dP/ε) H`.
    fn assemble(&self, nodal: &mut Nodal) {
        nodal.clear();
        let (octets, _, matrix) = nodal.parts();
        Arch::new().dispatch(Assembly {
            octets,
            matrix,
            argument: &self.argument,
            closed: &self.closed,
            softness: (self.softness, self.compliance),
        });
    }
}

struct Evaluation<'a> {
    octets: &'a Octets,
    gradient: &'a mut [six::Vector],
    velocities: &'a [NodeVelocity],
    centre: &'a [Vector],
    argument: &'a mut [Vector],
    /// `ε ρ` and the compliance of springs.
    softness: (f64, f64),
}

impl WithSimd for Evaluation<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (softness, compliance) = self.softness;
        let [softness, compliance] = [softness, compliance].map(|x| Wide::splat(simd, x));
        for octet in &self.octets.all {
            let v = octet.relative(simd, self.velocities);
            let mut sum = Pair::ZERO;
            for s in octet.slots() {
                let (slot, argument) = (&self.octets.slots[s], &mut self.argument[s]);
                for part in parts::<S>() {
                    let centre = Wide3::load(simd, &self.centre[s], part);
                    let rho = Wide::load(simd, &slot.rho, part);
                    let stiffness = rho / (softness + compliance * rho);
                    let y = centre - slot.velocity(simd, &v, part) * stiffness;
                    y.store(argument, part);
                }
                let mut r = ZERO;
                for i in 0..LANES {
                    put(&mut r, i, project_disc(get(argument, i), slot.mu[i]));
                }
                sum.gather(simd, slot, &r);
            }
            octet.add(simd, &sum, -1.0, self.gradient);
        }
    }
}

struct Assembly<'a> {
    octets: &'a Octets,
    matrix: Matrix<'a>,
    argument: &'a [Vector],
    closed: &'a [bool],
    softness: (f64, f64),
}

impl WithSimd for Assembly<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let mut joined = Joined::ZERO;
        for octet in &self.octets.all {
            let mut stiffness = Stiffness::ZERO;
            for s in octet.slots() {
                let (slot, argument) = (&self.octets.slots[s], &self.argument[s]);
                let mut k = [ZERO; 3];
                for i in 0..LANES {
                    let y = get(argument, i);
                    let soft = self.softness.0 + self.softness.1 * slot.rho[i];
                    let own = disc_derivative(y, slot.mu[i]) * (slot.rho[i] / soft);
                    let own = if y.x > 0.0 { own } else { DMat3::ZERO };
                    put(&mut k[0], i, own.x_axis);
                    put(&mut k[1], i, own.y_axis);
                    put(&mut k[2], i, own.z_axis);
                }
                stiffness.gather(simd, slot, &k);
            }
            joined.set(simd, octet, &stiffness);
            self.matrix.add(octet, &joined, |g| self.closed[g]);
        }
    }
}

/// Derivative of Alart and Curnier's projection where the normal part is positive.
#[inline(always)]
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

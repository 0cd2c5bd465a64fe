//! Proximal point iteration with semismooth Newton steps in the body velocities.
//!
//! On the impulses, as an augmented Lagrangian: around a centre `r_c` find the velocities `v` with `M (v − v₀) = Hᵀ r`,
//! `r = P(r_c − u/ε)`, where `P` takes the normal part to the half line and the tangential one to the disc `μ r_n`
//! (Alart & Curnier 1991; the solutions of the problem with the exact cone are its fixed points). The generalised
//! Jacobian is `M + Hᵀ (dP/ε) H`. Then `r_c ← r`, so ε leaves no bias and impulses that are not unique do no harm.
//!
//! Each centre acts as a contact of compliance ε that is released: the centres settle as elastic contacts do while the
//! motion is held, over a time `Σ 1/ε`, in one avalanche of slips after the other. That resolves a locked heap, where
//! the sign of the determinant changes back and forth as ε falls; so ε is controlled like the step size of an implicit
//! integrator, and no centre is solved to more digits than the next one keeps.

use super::body::BodyVelocity;
use super::newton_system::NewtonSystem;
use super::problem::Problem;
use super::report::Tolerance;
use super::wide::groups::WideGroups;
use super::wide::jacobian::WideTwist;
use super::wide::lane::{LANES, Vector, ZERO, get, put};
use super::wide::math::{Wide, Wide3, parts};
use super::wide::tangent_stiffness::{BodyStiffness, Matrix, Stiffness};
use crate::linear::block6;
use crate::problem::cone::project_disc;
use glam::{DMat3, DVec3};
use pulp::{Arch, Simd, WithSimd};

/// `ε ρ` at the start, at least and at most.
const START: f64 = 1e-2;
const MIN_PROXIMAL: f64 = 1e-8;
const MAX_PROXIMAL: f64 = 1.0;
/// Newton steps per centre at most.
const INNER: usize = 12;
/// Newton steps up to which a centre was reached at once, and easily, and by what `ε` then falls, also where bodies
/// stand; from which on it was hard, by what `ε` then grows, and by what where it was not reached.
const QUICK: (usize, f64) = (2, 0.3);
const QUICK_STANDING: f64 = 0.1;
/// A centre that leaves the residual within this part as it was, and the factor there: of bodies on more contacts than
/// hold them the impulses pass from one to the other, by `u/ε` a centre, until one opens or slips. Of a body alone on a
/// few contacts another start finds the solution as soon.
const ALIKE: f64 = 0.9;
const QUICK_ALIKE: f64 = 0.03;
const EASY: (usize, f64) = (4, 0.8);
const HARD: (usize, f64) = (6, 2.0);
const RETREAT: f64 = 4.0;
/// Part to which the gradient must fall before the centre moves: with 0.01 poured hulls take 1.2 times the steps.
const REDUCTION: f64 = 0.1;
/// What may be left of it moves the lightest body by this part of the residual: else the impulses of a centre, which
/// give the bodies their velocities, are worse than the centre. Compliant contacts continue with less where that was
/// not enough.
const GRADIENT: f64 = 0.5;
const LESS: f64 = 1e-2;
/// Part of what may be left under which a gradient need not fall after such a centre: where ε is small the rounding of
/// `r_c − u/ε` keeps it from falling.
const ROUNDED: f64 = 0.1;

/// Newton steps after which what is acceptable is enough: a structure near its limit passes from one avalanche of slips
/// to the next, and hundreds more steps gain it a digit.
const TRIED: usize = 20;

/// Part of a step below which it is taken as it is, and counts as refused.
pub(super) const SHORTEST: f64 = 0.02;

/// When a run ends without having met its tolerance: after so many centres in a row that left more than a part of the
/// residual.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    pub centres: usize,
    pub part: f64,
}

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct SemismoothNewton {
    /// Velocities at which the last inner iteration ended; the problem's own are those of the impulses.
    pub kept: Vec<BodyVelocity>,
    best: Vec<DVec3>,
    /// `ε ρ`, the softness of the regularisation against the contact's own.
    softness: f64,
    /// Whether the last centre left the residual as it was.
    alike: bool,
    centre: Vec<Vector>,
    /// Size under which a gradient is negligible.
    negligible: f64,
    /// `r_c − u/ε`.
    argument: Vec<Vector>,
    /// Groups that are closed, and whether the others are to be left out of the matrix.
    closed: Vec<bool>,
    pub narrow: bool,
}

impl SemismoothNewton {
    /// Newton steps from the velocities `kept` until the residual is at most the target times max‖q‖, or after
    /// [`TRIED`] what is acceptable; at most `max_steps`, or until there is no patience left; the steps done. Never
    /// leaves a worse state.
    pub fn run(
        &mut self,
        system: &mut NewtonSystem,
        problem: &mut Problem,
        (tolerance, max_steps): (Tolerance, usize),
        patience: Patience,
    ) -> (usize, bool) {
        if problem.is_compliant() {
            return self.run_compliant(system, problem, (tolerance.target, max_steps), SHORTEST);
        }
        (self.softness, self.alike) = (START, false);
        let (allowed, per_speed) = (
            problem.allowed(tolerance.target),
            GRADIENT * system.least_mass().sqrt(),
        );
        let enough = problem.allowed(tolerance.acceptable);
        let (mut steps, mut best) = (0, problem.residual());
        let mut idle = 0;
        problem.store_impulses(&mut self.best);
        while steps < max_steps && best > allowed && idle < patience.centres {
            if steps >= TRIED && best <= enough {
                break;
            }
            self.negligible = per_speed * best;
            let (done, reached) = self.outer(system, problem, max_steps - steps);
            steps += done.max(1);
            let residual = problem.residual();
            let same = residual > ALIKE * best && best > ALIKE * residual;
            self.alike = same && system.moving() > 1;
            self.adapt(done, reached, tolerance.standing);
            idle = match residual > patience.part * best {
                true => idle + 1,
                false => 0,
            };
            if reached && residual < best {
                best = residual;
                for (kept, row) in self.best.iter_mut().zip(&problem.rows) {
                    *kept = row.r;
                }
            }
        }
        problem.restore(&self.best);
        (steps, best <= allowed)
    }

    /// The same for compliant contacts: the impulse that they carry is the centre, and one is enough. Ends with a step
    /// of less than the `least` part. Never leaves a worse state.
    pub fn run_compliant(
        &mut self,
        system: &mut NewtonSystem,
        problem: &mut Problem,
        (tolerance, max_steps): (f64, usize),
        least: f64,
    ) -> (usize, bool) {
        // A lane without a contact has the stiffness 0/softness.
        self.softness = f64::MIN_POSITIVE;
        system.groups.spread(&mut self.centre, |_| DVec3::ZERO);
        problem.store_impulses(&mut self.best);
        let (before, allowed) = (problem.residual(), problem.allowed(tolerance));
        let (mut steps, mut residual) = (0, before);
        self.negligible = GRADIENT * system.least_mass().sqrt() * allowed;
        let mut continues = true;
        while continues && residual > allowed && steps < max_steps {
            problem.velocities.clone_from(&self.kept);
            let size = self.evaluate(system, problem);
            let done;
            (done, continues) = self.descend(system, problem, size, (max_steps - steps, least));
            // Where nothing moves the gradient is zero, always under what is negligible.
            steps += done.max(1);
            self.kept.clone_from(&problem.velocities);
            self.hand_over(system, problem);
            problem.update_velocities();
            residual = problem.residual();
            self.negligible *= LESS;
        }
        if residual > before {
            problem.restore(&self.best);
            residual = before;
        }
        (steps, residual <= allowed)
    }

    /// Newton steps until the gradient is negligible; how many, and whether it is.
    fn descend(
        &mut self,
        system: &mut NewtonSystem,
        problem: &mut Problem,
        mut size: f64,
        (max_steps, least): (usize, f64),
    ) -> (usize, bool) {
        let mut steps = 0;
        while steps < max_steps && size > self.negligible {
            self.restrict_pattern(system);
            self.assemble(system);
            if !system.solve() {
                return (steps, false);
            }
            steps += 1;
            let part = self.search(system, problem, &mut size, least);
            if part < least {
                return (steps, false);
            }
        }
        (steps, size <= self.negligible)
    }

    /// Takes the largest of the parts 1, ½, ¼ … of the step that makes the gradient smaller, or one under the `least`;
    /// which.
    fn search(
        &mut self,
        system: &mut NewtonSystem,
        problem: &mut Problem,
        size: &mut f64,
        least: f64,
    ) -> f64 {
        let mut part = 1.0;
        system.advance(&mut problem.velocities, part);
        loop {
            let now = self.evaluate(system, problem);
            if now <= (1.0 - 0.1 * part) * *size || part < least {
                *size = now;
                return part;
            }
            system.advance(&mut problem.velocities, -0.5 * part);
            part *= 0.5;
        }
    }

    /// Gives the problem the impulses of the arguments.
    fn hand_over(&self, system: &NewtonSystem, problem: &mut Problem) {
        for (row, index) in problem.rows.iter_mut().zip(&system.groups.index) {
            row.r = project_disc(index.of(&self.argument), row.mu);
        }
    }

    /// One outer iteration; the Newton steps it took, and whether its centre was reached. The problem is left with
    /// velocities that belong to its impulses.
    fn outer(
        &mut self,
        system: &mut NewtonSystem,
        problem: &mut Problem,
        max_steps: usize,
    ) -> (usize, bool) {
        problem.velocities.clone_from(&self.kept);
        system
            .groups
            .spread(&mut self.centre, |i| problem.rows[i].r);
        let first = self.evaluate(system, problem);
        let mut size = first;
        let (mut steps, mut refused) = (0, 0);
        let rounded = match self.alike {
            true => ROUNDED * self.negligible,
            false => 0.0,
        };
        let fallen = (REDUCTION * first).max(rounded);
        let enough = self.negligible.min(fallen);
        while refused < 2 && steps < INNER.min(max_steps) && (steps == 0 || size > enough) {
            self.restrict_pattern(system);
            self.assemble(system);
            if !system.solve() {
                break;
            }
            steps += 1;
            let part = self.search(system, problem, &mut size, SHORTEST);
            refused += usize::from(part < SHORTEST);
        }
        let reached = size <= fallen;
        if reached {
            self.hand_over(system, problem);
            self.kept.clone_from(&problem.velocities);
        }
        problem.update_velocities();
        (steps, reached)
    }

    /// ε falls where a centre was easily reached and grows where it was not, or hardly.
    fn adapt(&mut self, steps: usize, reached: bool, standing: bool) {
        let factor = match steps {
            _ if !reached => RETREAT,
            n if n <= QUICK.0 && self.alike => QUICK_ALIKE,
            n if n <= QUICK.0 && standing => QUICK_STANDING,
            n if n <= QUICK.0 => QUICK.1,
            n if n <= EASY.0 => EASY.1,
            n if n >= HARD.0 => HARD.1,
            _ => 1.0,
        };
        self.softness = (self.softness * factor).clamp(MIN_PROXIMAL, MAX_PROXIMAL);
    }

    /// Arguments of the projections and the gradient `M (v − v₀) − Hᵀ r`, whose size it gives.
    fn evaluate(&mut self, system: &mut NewtonSystem, problem: &Problem) -> f64 {
        system.momentum(&problem.velocities, &problem.free);
        let (groups, gradient, _) = system.parts();
        self.argument.resize(groups.contacts.len(), ZERO);
        Arch::new().dispatch(Evaluation {
            groups,
            gradient,
            velocities: &problem.velocities,
            centre: &self.centre,
            argument: &mut self.argument,
            softness: self.softness,
        });
        system.gradient_size(&problem.bodies)
    }

    /// Gives groups that are closed their blocks in the matrix.
    fn restrict_pattern(&mut self, system: &mut NewtonSystem) {
        let argument = &self.argument;
        system
            .groups
            .mark(&mut self.closed, |s| &argument[s][0], 0.0);
        system.restrict_pattern(&self.closed, self.narrow);
        self.narrow = false;
    }

    /// `M + Hᵀ (dP/ε) H`.
    fn assemble(&self, system: &mut NewtonSystem) {
        system.clear();
        let (groups, _, matrix) = system.parts();
        Arch::new().dispatch(Assembly {
            groups,
            matrix,
            argument: &self.argument,
            closed: &self.closed,
            softness: self.softness,
        });
    }
}

struct Evaluation<'a> {
    groups: &'a WideGroups,
    gradient: &'a mut [block6::Vector],
    velocities: &'a [BodyVelocity],
    centre: &'a [Vector],
    argument: &'a mut [Vector],
    /// `ε ρ`.
    softness: f64,
}

impl WithSimd for Evaluation<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let softness = Wide::splat(simd, self.softness);
        for wide in &self.groups.groups {
            let v = wide.relative(simd, self.velocities);
            let mut sum = WideTwist::ZERO;
            for s in wide.contacts() {
                let (contact, argument) = (&self.groups.contacts[s], &mut self.argument[s]);
                for part in parts::<S>() {
                    let centre = Wide3::load(simd, &self.centre[s], part);
                    let rho = Wide::load(simd, &contact.rho, part);
                    let yields = Wide::load(simd, &contact.compliance, part) * rho;
                    let soft = softness + yields;
                    // A compliant contact holds on to its centre by the part that is not its own.
                    let held = centre * (softness / soft);
                    let y = held - contact.velocity(simd, &v, part) * (rho / soft);
                    y.store(argument, part);
                }
                let mut r = ZERO;
                for i in 0..LANES {
                    put(&mut r, i, project_disc(get(argument, i), contact.mu[i]));
                }
                sum.gather(simd, contact, &r);
            }
            wide.add(simd, &sum, -1.0, self.gradient);
        }
    }
}

struct Assembly<'a> {
    groups: &'a WideGroups,
    matrix: Matrix<'a>,
    argument: &'a [Vector],
    closed: &'a [bool],
    softness: f64,
}

impl WithSimd for Assembly<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let mut body_stiffness = BodyStiffness::ZERO;
        for wide in &self.groups.groups {
            let mut stiffness = Stiffness::ZERO;
            for s in wide.contacts() {
                let (contact, argument) = (&self.groups.contacts[s], &self.argument[s]);
                let mut k = [ZERO; 3];
                for i in 0..LANES {
                    let y = get(argument, i);
                    let soft = self.softness + contact.compliance[i] * contact.rho[i];
                    let own = disc_derivative(y, contact.mu[i]) * (contact.rho[i] / soft);
                    let own = if y.x > 0.0 { own } else { DMat3::ZERO };
                    put(&mut k[0], i, own.x_axis);
                    put(&mut k[1], i, own.y_axis);
                    put(&mut k[2], i, own.z_axis);
                }
                stiffness.gather(simd, contact, &k);
            }
            body_stiffness.set(simd, wide, &stiffness);
            self.matrix.add(wide, &body_stiffness, |g| self.closed[g]);
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

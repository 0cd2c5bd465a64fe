//! The solver: which method a problem goes through, in turn.

use super::super::ground_law::Coefficients;
use super::few::FewContacts;
use super::general::GeneralContacts;
use super::mobility::{mobility, world_inverse_inertia};
use super::problem::{ContactProblem, Solved};
use super::proximal_newton::{Posed, ProximalNewton};
use super::single::single;
use crate::Twist;
use glam::{DMat3, DVec3};
use klast_contact::{Frame, solve_one_contact};
use klast_geometry::ContactPoint;

/// Residual, relative to the largest velocity, at which the modes of contacts can be told.
const MODES: f64 = 1e-7;

/// Sweeps of the last resort.
const LAST_SWEEPS: usize = 2000;

/// Solver of contact problems of one body: its buffers, and the impulses of the last problem.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactSolver {
    /// Local frame and arm of each contact, world axes.
    points: Vec<(Frame, DVec3)>,
    posed: Vec<DVec3>,
    /// Impulses of the last problem, local (N s).
    impulses: Vec<DVec3>,
    /// The same divided by its step, by feature: where contacts persist, the next solve starts from them.
    forces: Vec<(u32, DVec3)>,
    start: Vec<DVec3>,
    few: FewContacts,
    proximal: ProximalNewton,
    general: GeneralContacts,
}

impl ContactSolver {
    /// Forgets the forces that a step would start from.
    pub(crate) fn forget(&mut self) {
        self.forces.clear();
    }

    /// The sum of the normal forces of the last step (N); 0 after an impact.
    pub(crate) fn pressing(&self) -> f64 {
        self.forces.iter().map(|(_, force)| force.x).sum()
    }

    /// Local frames and arms of the last problem.
    pub(crate) fn points(&self) -> &[(Frame, DVec3)] {
        &self.points
    }

    /// Impulses of the last problem in the local frames (N s).
    pub(crate) fn impulses(&self) -> &[DVec3] {
        &self.impulses
    }

    /// Solves a problem; `bias` is added to the free velocity of a contact with its coefficients, local frame (m/s).
    pub(crate) fn solve(
        &mut self,
        problem: &ContactProblem,
        bias: impl Fn(&ContactPoint, &Coefficients, &Frame, DVec3) -> DVec3,
    ) -> Solved {
        let failed = Solved {
            twist: problem.free,
            residual: f64::INFINITY,
            converged: false,
            loaded: false,
        };
        if self.pose(problem, bias).is_none() {
            return failed;
        }
        let inertia = world_inverse_inertia(problem.body, problem.pose);
        let (residual, converged) = match self.points.as_slice() {
            [point] => match single(problem, &inertia, point, self.posed[0]) {
                Some((impulse, residual)) => {
                    self.impulses.push(impulse);
                    (residual, true)
                }
                None => return failed,
            },
            _ => self.several(problem, &inertia),
        };
        if !self.impulses.iter().all(|p| p.is_finite()) {
            self.forces.clear();
            return failed;
        }
        self.keep_forces(problem);
        Solved {
            twist: self.kicked(problem, &inertia),
            residual,
            converged,
            loaded: self.impulses.iter().any(|p| p.x > 0.0),
        }
    }

    /// Fills frames, arms, posed velocities and impulses to start from.
    fn pose(
        &mut self,
        problem: &ContactProblem,
        bias: impl Fn(&ContactPoint, &Coefficients, &Frame, DVec3) -> DVec3,
    ) -> Option<()> {
        self.points.clear();
        self.posed.clear();
        self.impulses.clear();
        self.start.clear();
        let mut last: Option<Frame> = None;
        for (c, coefficients) in problem.contacts.iter().zip(problem.coefficients) {
            let frame = match last {
                Some(frame) if frame.normal == c.normal => frame,
                _ => Frame::from_normal(c.normal).ok()?,
            };
            last = Some(frame);
            let arm = c.point - problem.pose.translation;
            self.points.push((frame, arm));
            let free = frame.to_local(problem.free.at(arm));
            self.posed.push(free + bias(c, coefficients, &frame, arm));
            let kept = self.forces.iter().find(|f| f.0 == c.feature);
            self.start
                .push(kept.map_or(DVec3::ZERO, |f| f.1 * problem.effort.step));
        }
        Some(())
    }

    /// Two contacts or more: residual and whether it met the tolerance.
    fn several(&mut self, problem: &ContactProblem, inertia: &DMat3) -> (f64, bool) {
        let posed = Posed {
            body: problem.body,
            inverse_inertia: inertia,
            points: &self.points,
            posed: &self.posed,
            coefficients: problem.coefficients,
        };
        let tolerance = problem.effort.tolerance;
        let (few, proximal, start) = (&mut self.few, &mut self.proximal, &mut self.start);
        let mut hopeless = false;
        let found = few.solve(&posed, start).or_else(|| {
            // Near enough to tell the modes; what is not found to so few digits is not found to more.
            if proximal
                .solve(&posed, start, MODES.max(tolerance))
                .is_none()
            {
                hopeless = true;
                return None;
            }
            start.clear();
            start.extend_from_slice(proximal.impulses());
            few.solve(&posed, start)
        });
        if let Some(residual) = found {
            self.impulses.extend_from_slice(self.few.impulses());
            return (residual, true);
        }
        let solved = match hopeless {
            true => None,
            false => self.proximal.solve(&posed, &self.start, tolerance),
        };
        if let Some(residual) = solved {
            self.impulses.extend_from_slice(self.proximal.impulses());
            return (residual, true);
        }
        let given = (self.points.as_slice(), self.posed.as_slice());
        let general = &mut self.general;
        let (residual, converged) = general.solve(
            problem.body,
            inertia,
            given,
            problem.coefficients,
            tolerance,
        );
        if converged {
            self.impulses.extend_from_slice(general.impulses());
            return (residual, true);
        }
        // One contact after the other, exactly: slow, but each takes energy, so that what has not converged makes none.
        let last = self.one_by_one(problem, inertia);
        let largest = self.posed.iter().map(|q| q.length()).fold(0.0, f64::max);
        (last, last <= tolerance * largest)
    }

    /// Sweeps over the contacts with the exact solution of each; the residual (m/s) is the largest of the last sweep.
    fn one_by_one(&mut self, problem: &ContactProblem, inertia: &DMat3) -> f64 {
        let n = self.points.len();
        self.impulses.clear();
        self.impulses.resize(n, DVec3::ZERO);
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        let mass = problem.body.mass();
        let mut residual = f64::INFINITY;
        for _ in 0..LAST_SWEEPS {
            residual = 0.0;
            let contacts = self
                .points
                .iter()
                .zip(&self.posed)
                .zip(problem.coefficients);
            for (((point, posed), coefficients), impulse) in contacts.zip(&mut self.impulses) {
                let (frame, arm) = point;
                let w = mobility(problem.body, inertia, (frame, *arm), (frame, *arm));
                let moved = linear / mass + (*inertia * angular).cross(*arm);
                let u = *posed + frame.to_local(moved);
                let Ok(next) = solve_one_contact(&w, u - w * *impulse, coefficients.friction())
                else {
                    continue;
                };
                let change = next - *impulse;
                residual = f64::max(residual, (w * change).length());
                let world = frame.to_world(change);
                linear += world;
                angular += arm.cross(world);
                *impulse = next;
            }
            if residual <= f64::EPSILON {
                break;
            }
        }
        residual
    }

    fn keep_forces(&mut self, problem: &ContactProblem) {
        self.forces.clear();
        let step = problem.effort.step;
        if step > 0.0 {
            let both = problem.contacts.iter().zip(&self.impulses);
            self.forces
                .extend(both.map(|(c, p)| (c.feature, *p / step)));
        }
    }

    /// Velocities with the impulses.
    fn kicked(&self, problem: &ContactProblem, inertia: &DMat3) -> Twist {
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for ((frame, arm), p) in self.points.iter().zip(&self.impulses) {
            let impulse = frame.to_world(*p);
            linear += impulse;
            angular += arm.cross(impulse);
        }
        Twist {
            linear: problem.free.linear + linear / problem.body.mass(),
            angular: problem.free.angular + *inertia * angular,
        }
    }

    /// Work of the impulses of the last problem on velocities that go from `before` to `after` (J): normal, friction.
    pub(crate) fn work(&self, before: &Twist, after: &Twist) -> (f64, f64) {
        let mut work = (0.0, 0.0);
        for ((frame, arm), p) in self.points.iter().zip(&self.impulses) {
            let middle = 0.5 * frame.to_local(before.at(*arm) + after.at(*arm));
            work = (
                work.0 + p.x * middle.x,
                work.1 + p.y * middle.y + p.z * middle.z,
            );
        }
        work
    }
}

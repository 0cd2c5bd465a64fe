//! Impulses of one rock at its contacts: Newton's law with Coulomb friction, normal and tangential solved together on the exact cone.
//!
//! 0 ≤ u_n⁺ + e u_n⁻ ⟂ p_n ≥ 0 at every contact that closes, friction opposing the slip after the impact, ‖p_t‖ ≤ μ p_n. One contact is solved in
//! closed form, several by Gauss–Seidel.

use glam::{DMat3, DVec3};
use klast_contact::bodies::{BodyInertia, BodyVelocity, ContactPair, Problem, Solver, Tolerance};
use klast_contact::{Frame, solve_one_contact};
use klast_dynamics::{Body, FewContacts, Twist};
use klast_geometry::{ContactPoint, Pose};

/// Residual of an impact, relative to the largest velocity: 1e-12 of 10 m/s moves a rock by less than rounding of its position until its next impact.
const IMPACT_TOLERANCE: f64 = 1e-12;
const IMPACT_SWEEPS: usize = 1000;
/// Residual of a step on the ground, whose own error is of the order of the step (1e-3) squared.
const STEP_TOLERANCE: f64 = 1e-8;
const STEP_SWEEPS: usize = 200;

/// Buffers and the answer of a contact problem.
#[derive(Debug, Clone, Default)]
pub(crate) struct Response {
    links: Vec<ContactPair>,
    problem: Problem,
    solver: Solver,
    /// Impulses of the last problem divided by its step, by feature: where contacts persist, the next solve starts from them.
    forces: Vec<(u32, DVec3)>,
}

/// Velocities after, and how well they solve the problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solved {
    pub twist: Twist,
    pub converged: bool,
    /// Whether any contact carries load.
    pub loaded: bool,
}

/// I⁻¹ in world axes.
pub(crate) fn inverse_inertia(body: &Body, pose: &Pose) -> DMat3 {
    let inverse = DMat3::from_diagonal(body.inertia().recip());
    if body.is_isotropic() {
        return inverse;
    }
    let r = DMat3::from_quat(pose.rotation);
    r * inverse * r.transpose()
}

impl Response {
    /// Solves for the velocities after contact. `free` are the velocities without impulses; `bias` (m/s) of a contact is added to its normal speed: the
    /// law asks for u_n + bias ≥ 0, complementary to the impulse. `step` (s) is what the impulses grow with, 0 for an impact.
    #[allow(clippy::too_many_arguments)] // the data of one contact problem
    pub(crate) fn solve(
        &mut self,
        body: &Body,
        pose: &Pose,
        contacts: &[ContactPoint],
        free: &Twist,
        mu: f64,
        step: f64,
        bias: impl Fn(&ContactPoint) -> f64,
    ) -> Solved {
        let inertia = inverse_inertia(body, pose);
        if let [contact] = contacts {
            let (solved, impulse) = single(body, pose, contact, free, mu, bias(contact), &inertia);
            self.forces.clear();
            if step > 0.0 {
                self.forces.push((contact.feature, impulse / step));
            }
            return solved;
        }
        if let Some(solved) = self.few(body, pose, contacts, free, mu, step, &bias, &inertia) {
            return solved;
        }
        self.links.clear();
        let forces = &self.forces;
        let start = |c: &ContactPoint| {
            forces
                .iter()
                .find(|f| f.0 == c.feature)
                .map_or(DVec3::ZERO, |f| f.1 * step)
        };
        self.links.extend(contacts.iter().map(|c| ContactPair {
            first: 0,
            second: None,
            normal: c.normal,
            arm_first: c.point - pose.translation,
            arm_second: DVec3::ZERO,
            bias: DVec3::new(bias(c), 0.0, 0.0),
            mu,
            impulse: start(c),
        }));
        let node = BodyInertia {
            inverse_mass: 1.0 / body.mass(),
            inverse_inertia: inertia,
        };
        let velocity = BodyVelocity {
            linear: free.linear,
            angular: free.angular,
        };
        if self
            .problem
            .load(&[node], &[velocity], &self.links)
            .is_err()
        {
            return Solved {
                twist: *free,
                converged: false,
                loaded: false,
            };
        }
        let (tolerance, sweeps) = if step > 0.0 {
            (STEP_TOLERANCE, STEP_SWEEPS)
        } else {
            (IMPACT_TOLERANCE, IMPACT_SWEEPS)
        };
        let tolerance = Tolerance::of(tolerance);
        let report = self.solver.solve(&mut self.problem, tolerance, sweeps);
        self.forces.clear();
        if step > 0.0 {
            self.forces.extend(
                contacts
                    .iter()
                    .zip(self.problem.impulses())
                    .map(|(c, p)| (c.feature, p / step)),
            );
        }
        let loaded = self.problem.impulses().any(|p| p.x > 0.0);
        let after = self
            .problem
            .velocities()
            .first()
            .copied()
            .unwrap_or(velocity);
        Solved {
            twist: Twist {
                linear: after.linear,
                angular: after.angular,
            },
            converged: report.converged(),
            loaded,
        }
    }

    /// Forgets the forces that a step would start from.
    pub(crate) fn forget(&mut self) {
        self.forces.clear();
    }

    /// Points and forces (N) of the contacts that were solved for last, a step on the ground, world axes. A vertex of the rock in a hollow is
    /// a contact with each side.
    pub(crate) fn loads(&self, contacts: &[ContactPoint]) -> Vec<(DVec3, DVec3)> {
        let load = |(c, (_, local)): (&ContactPoint, &(u32, DVec3))| {
            let frame = Frame::from_normal(c.normal).ok()?;
            Some((c.point, frame.to_world(*local)))
        };
        contacts.iter().zip(&self.forces).filter_map(load).collect()
    }

    /// Up to four contacts by Newton's method; `None` where its modes are not found and the sweeps have to decide.
    #[allow(clippy::too_many_arguments)] // the data of one contact problem
    fn few(
        &mut self,
        body: &Body,
        pose: &Pose,
        contacts: &[ContactPoint],
        free: &Twist,
        mu: f64,
        step: f64,
        bias: &impl Fn(&ContactPoint) -> f64,
        inertia: &DMat3,
    ) -> Option<Solved> {
        let mut points = [(Frame::from_normal(DVec3::Z).ok()?, DVec3::ZERO); 4];
        let (mut posed, mut start) = ([DVec3::ZERO; 4], [DVec3::ZERO; 4]);
        let n = contacts.len();
        for (k, c) in contacts.iter().enumerate() {
            let point = (
                Frame::from_normal(c.normal).ok()?,
                c.point - pose.translation,
            );
            *points.get_mut(k)? = point;
            posed[k] = point.0.to_local(free.at(point.1)) + DVec3::new(bias(c), 0.0, 0.0);
            start[k] = self
                .forces
                .iter()
                .find(|f| f.0 == c.feature)
                .map_or(DVec3::ZERO, |f| f.1 * step);
        }
        let (points, posed, start) = (points.get(..n)?, posed.get(..n)?, start.get(..n)?);
        let found = FewContacts::solve(body, inertia, points, posed, mu, start)?;
        self.forces.clear();
        let mut twist = *free;
        for ((c, (frame, arm)), p) in contacts.iter().zip(points).zip(found.impulses) {
            let impulse = frame.to_world(p);
            twist.linear += impulse / body.mass();
            twist.angular += *inertia * arm.cross(impulse);
            if step > 0.0 {
                self.forces.push((c.feature, p / step));
            }
        }
        let loaded = found.impulses.iter().any(|p| p.x > 0.0);
        Some(Solved {
            twist,
            converged: true,
            loaded,
        })
    }
}

fn single(
    body: &Body,
    pose: &Pose,
    contact: &ContactPoint,
    free: &Twist,
    mu: f64,
    bias: f64,
    inertia: &DMat3,
) -> (Solved, DVec3) {
    let none = Solved {
        twist: *free,
        converged: false,
        loaded: false,
    };
    let failed = (none, DVec3::ZERO);
    let Ok(frame) = Frame::from_normal(contact.normal) else {
        return failed;
    };
    let arm = contact.point - pose.translation;
    let column = |e: DVec3| frame.to_local(e / body.mass() + (*inertia * arm.cross(e)).cross(arm));
    let w = DMat3::from_cols(
        column(frame.normal),
        column(frame.tangent1),
        column(frame.tangent2),
    );
    let q = frame.to_local(free.at(arm)) + DVec3::new(bias, 0.0, 0.0);
    let Ok(local) = solve_one_contact(&w, q, mu) else {
        return failed;
    };
    let impulse = frame.to_world(local);
    let twist = Twist {
        linear: free.linear + impulse / body.mass(),
        angular: free.angular + *inertia * arm.cross(impulse),
    };
    let solved = Solved {
        twist,
        converged: true,
        loaded: local.x > 0.0,
    };
    (solved, local)
}

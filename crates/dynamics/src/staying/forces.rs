//! Contact forces of a body that stays on a plane: the contact problem on accelerations.
//!
//! Contact point k of the body has the acceleration a_k = b_k + Σ_l W_kl f_l with the bias
//! b_k = g + α₀ × r_k + ω × (ω × r_k), α₀ = I⁻¹(Iω × ω), and W_kl f = f/m + (I⁻¹(r_l × f)) × r_k. Signorini's condition reads
//! 0 ≤ a_n ⟂ f_n ≥ 0; Coulomb's law gives f_t = −μ f_n d where the point slips along d, and where it is at rest
//! |f_t| ≤ μ f_n with a_t opposing f_t if it starts to slip (Glocker 2001, "Set-Valued Force Laws", chapter 5).

use super::linear::solve_with_rank_loss;
use crate::{Body, State};
use glam::{DMat3, DVec3};
use klast_contact::{Frame, solve_one_contact};

/// Sweeps of the search for a face's forces. A face at rest has more contacts than it needs; the sweeps then gain a digit in some ten.
const SWEEPS: usize = 3000;

/// How a contact point goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    /// It stays where it is.
    Stick,
    /// It slips; the direction is that of its velocity, or this one while that vanishes.
    Slip(DVec3),
}

/// A contact of the phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Active {
    pub(crate) vertex: usize,
    pub(crate) mode: Mode,
}

/// What does not change during a phase.
#[derive(Debug, Clone)]
pub(crate) struct Setting<'a> {
    pub(crate) body: &'a Body,
    pub(crate) frame: Frame,
    pub(crate) gravity: DVec3,
    pub(crate) friction: f64,
}

/// A state seen from its contacts.
pub(crate) struct Moment {
    inverse_mass: f64,
    inverse_inertia: DMat3,
    rotation: DMat3,
    free_spin_rate: DVec3,
    gravity: DVec3,
    velocity: crate::Twist,
}

/// Rates of the two velocities, and the force at every active contact.
#[derive(Debug, Clone, Default)]
pub(crate) struct Response {
    pub(crate) linear: DVec3,
    pub(crate) angular: DVec3,
    pub(crate) forces: Vec<DVec3>,
}

impl Moment {
    pub(crate) fn new(setting: &Setting, state: &State) -> Self {
        let body = setting.body;
        let rotation = DMat3::from_quat(state.pose.rotation);
        let turned =
            |diagonal: DVec3| rotation * DMat3::from_diagonal(diagonal) * rotation.transpose();
        let (inverse_inertia, free_spin_rate) = if body.is_isotropic() {
            (DMat3::from_diagonal(body.inertia().recip()), DVec3::ZERO)
        } else {
            let inverse = turned(body.inertia().recip());
            let w = state.velocity.angular;
            (inverse, inverse * (turned(body.inertia()) * w).cross(w))
        };
        Self {
            inverse_mass: 1.0 / body.mass(),
            inverse_inertia,
            rotation,
            free_spin_rate,
            gravity: setting.gravity,
            velocity: state.velocity,
        }
    }

    pub(crate) fn arm(&self, body: &Body, vertex: usize) -> DVec3 {
        self.rotation * body.vertices().get(vertex).copied().unwrap_or(DVec3::ZERO)
    }

    /// Acceleration of the point at an arm under all forces.
    pub(crate) fn acceleration(&self, arm: DVec3, response: &Response) -> DVec3 {
        let w = self.velocity.angular;
        response.linear + response.angular.cross(arm) + w.cross(w.cross(arm))
    }

    /// Acceleration of the point at an arm without contact forces.
    fn bias(&self, arm: DVec3) -> DVec3 {
        let w = self.velocity.angular;
        self.gravity + self.free_spin_rate.cross(arm) + w.cross(w.cross(arm))
    }

    /// What a force at an arm adds to the two accelerations of the body.
    fn push(&self, arm: DVec3, force: DVec3) -> (DVec3, DVec3) {
        (
            force * self.inverse_mass,
            self.inverse_inertia * arm.cross(force),
        )
    }

    /// Acceleration at `at` caused by a force at `from`.
    fn coupled(&self, at: DVec3, from: DVec3, force: DVec3) -> DVec3 {
        let (linear, angular) = self.push(from, force);
        linear + angular.cross(at)
    }

    /// The matrix of the force at an arm to the acceleration there, in the local frame.
    fn mobility(&self, frame: &Frame, arm: DVec3) -> DMat3 {
        let column = |e: DVec3| frame.to_local(self.coupled(arm, arm, e));
        DMat3::from_cols(
            column(frame.normal),
            column(frame.tangent1),
            column(frame.tangent2),
        )
    }

    /// The body's velocities with the normal speeds of the contacts taken away by normal impulses.
    pub(crate) fn without_normal_speed(
        &self,
        setting: &Setting,
        active: &[Active],
    ) -> crate::Twist {
        let n = setting.frame.normal;
        let arms: Vec<DVec3> = active
            .iter()
            .map(|c| self.arm(setting.body, c.vertex))
            .collect();
        let mut velocity = self.velocity;
        for _ in 0..SWEEPS {
            let mut largest: f64 = 0.0;
            for arm in &arms {
                let speed = velocity.at(*arm).dot(n);
                let (linear, angular) = self.push(*arm, n);
                let impulse = -speed / (linear + angular.cross(*arm)).dot(n);
                velocity.linear += linear * impulse;
                velocity.angular += angular * impulse;
                largest = largest.max(speed.abs());
            }
            if arms.len() == 1 || largest < 1e-15 {
                break;
            }
        }
        velocity
    }

    fn response(&self, arms: &[DVec3], forces: Vec<DVec3>) -> Response {
        let (mut linear, mut angular) = (self.gravity, self.free_spin_rate);
        for (arm, force) in arms.iter().zip(&forces) {
            let (l, a) = self.push(*arm, *force);
            linear += l;
            angular += a;
        }
        Response {
            linear,
            angular,
            forces,
        }
    }

    /// Direction of slip of a contact: of its velocity, unless that has turned away from the phase's direction.
    pub(crate) fn slip_direction(&self, frame: &Frame, arm: DVec3, reference: DVec3) -> DVec3 {
        let slip = slip_of(self, frame, arm);
        if slip.dot(reference) < TURNED * slip.length() {
            return reference;
        }
        // The reference takes over smoothly where the slip vanishes.
        (slip + reference * STILL)
            .try_normalize()
            .unwrap_or(reference)
    }

    /// The forces for fixed modes: no normal acceleration at any contact, none at all where it sticks.
    ///
    /// Up to two contacts; a redundant component (along an edge) carries nothing.
    pub(crate) fn fixed(&self, setting: &Setting, active: &[Active]) -> Response {
        let frame = &setting.frame;
        let mut arms = Vec::with_capacity(active.len());
        // Unknowns: (contact, direction of the force, direction in which the acceleration vanishes).
        let mut unknowns: [(usize, DVec3, DVec3); 6] = [(0, DVec3::ZERO, DVec3::ZERO); 6];
        let mut n = 0;
        for (k, contact) in active.iter().enumerate().take(2) {
            let arm = self.arm(setting.body, contact.vertex);
            arms.push(arm);
            let mut put = |force, test| {
                unknowns[n] = (k, force, test);
                n += 1;
            };
            match contact.mode {
                Mode::Stick => [frame.normal, frame.tangent1, frame.tangent2]
                    .iter()
                    .for_each(|e| put(*e, *e)),
                Mode::Slip(reference) => {
                    let d = self.slip_direction(frame, arm, reference);
                    put(frame.normal - d * setting.friction, frame.normal);
                }
            }
        }
        let (mut a, mut b) = ([[0.0; 6]; 6], [0.0; 6]);
        for (i, (k, _, test)) in unknowns[..n].iter().enumerate() {
            b[i] = -test.dot(self.bias(arms[*k]));
            for (j, (l, force, _)) in unknowns[..n].iter().enumerate() {
                a[i][j] = test.dot(self.coupled(arms[*k], arms[*l], *force));
            }
        }
        let x = solve_with_rank_loss(a, b, n);
        let mut forces = vec![DVec3::ZERO; arms.len()];
        for (i, (k, force, _)) in unknowns[..n].iter().enumerate() {
            forces[*k] += *force * x[i];
        }
        if let [
            Active {
                mode: Mode::Stick, ..
            },
            Active {
                mode: Mode::Stick, ..
            },
        ] = active
        {
            share_along_edge(frame, &arms, &mut forces);
        }
        self.response(&arms, forces)
    }

    /// The forces that solve the contact problem, each contact open, sticking or slipping as it comes out, by sweeps of exact
    /// one-contact solutions. `None` where friction drags a contact into the plane (Painlevé).
    pub(crate) fn complementary(
        &self,
        setting: &Setting,
        active: &[Active],
        start: &[DVec3],
    ) -> Option<Response> {
        let frame = &setting.frame;
        let arms: Vec<DVec3> = active
            .iter()
            .map(|c| self.arm(setting.body, c.vertex))
            .collect();
        let local: Vec<DMat3> = arms.iter().map(|r| self.mobility(frame, *r)).collect();
        let bias: Vec<DVec3> = arms.iter().map(|r| self.bias(*r)).collect();
        let mut forces: Vec<DVec3> = start.to_vec();
        forces.resize(arms.len(), DVec3::ZERO);
        let mut body = self.response(&arms, forces.clone());
        (body.linear, body.angular) = (
            body.linear - self.gravity,
            body.angular - self.free_spin_rate,
        );
        let scale = setting.gravity.length() * setting.body.mass()
            + forces.iter().map(|f| f.length()).sum::<f64>();
        for _ in 0..SWEEPS {
            let mut change: f64 = 0.0;
            for (k, contact) in active.iter().enumerate() {
                let here = bias[k] + body.linear + body.angular.cross(arms[k]);
                let without = frame.to_local(here) - local[k] * frame.to_local(forces[k]);
                let force = frame.to_world(match contact.mode {
                    Mode::Stick => solve_one_contact(&local[k], without, setting.friction).ok()?,
                    Mode::Slip(reference) => {
                        let d = self.slip_direction(frame, arms[k], reference);
                        let along = frame.to_local(frame.normal - d * setting.friction);
                        let mobility = (local[k] * along).x;
                        let needed = -without.x;
                        if needed > 0.0 && mobility <= 0.0 {
                            return None;
                        }
                        along * (needed / mobility).max(0.0)
                    }
                });
                let (linear, angular) = self.push(arms[k], force - forces[k]);
                body.linear += linear;
                body.angular += angular;
                change = change.max((force - forces[k]).length());
                forces[k] = force;
            }
            if active.len() == 1 || change <= 1e-14 * scale {
                break;
            }
        }
        Some(self.response(&arms, forces))
    }
}

/// Two ends of an edge that stick: the force along the edge is known only as a sum. It is shared like the normal forces, so that
/// neither end is said to slip while the other could hold.
fn share_along_edge(frame: &Frame, arms: &[DVec3], forces: &mut [DVec3]) {
    let ([a, b], [f, g]) = (arms, forces) else {
        return;
    };
    let Some(axis) = (*b - *a).try_normalize() else {
        return;
    };
    let (n, m) = (f.dot(frame.normal), g.dot(frame.normal));
    if n > 0.0 && m > 0.0 {
        let sum = (*f + *g).dot(axis);
        *f += axis * (sum * n / (n + m) - f.dot(axis));
        *g += axis * (sum * m / (n + m) - g.dot(axis));
    }
}

/// Tangential velocity of the point at an arm.
pub(crate) fn slip_of(moment: &Moment, frame: &Frame, arm: DVec3) -> DVec3 {
    let u = moment.velocity.at(arm);
    u - frame.normal * frame.normal.dot(u)
}

/// Speed (m/s) at which a slip has ended: its square over 2 μ g is far below any rounding of a position.
pub(crate) const STILL: f64 = 1e-10;
/// Cosine of the angle by which a slip direction may turn from the phase's reference direction inside a step.
const TURNED: f64 = 0.1;

//! Contact forces of a body that stays on a plane: the contact problem on accelerations.
//!
//! Contact point k of the body has the acceleration a_k = b_k + Σ_l W_kl f_l with the bias
//! b_k = g + α₀ × r_k + ω × (ω × r_k), α₀ = I⁻¹(Iω × ω), and W_kl f = f/m + (I⁻¹(r_l × f)) × r_k. Signorini's condition reads
//! 0 ≤ a_n ⟂ f_n ≥ 0; Coulomb's law gives f_t = −μ f_n d where the point slips along d, and where it is at rest
//! |f_t| ≤ μ f_n with a_t opposing f_t if it starts to slip (Glocker 2001, "Set-Valued Force Laws", chapter 5).

use super::moment::{Active, Mode, Moment, Rates, Setting};
use glam::{DMat3, DVec3};
use klast_contact::{Frame, solve_one_contact};
use klast_numerics::dense::solve_rank_revealing;

/// Sweeps of the search for complementary forces. A face at rest has more contacts than it needs; the sweeps then gain a digit in some ten.
const SWEEPS: usize = 3000;
/// Largest number of corners of a face with forces in closed form.
pub(crate) const CORNERS: usize = 8;
/// Part of the weight under which a contact force counts as gone, and of the friction cone by which it may be left.
pub(crate) const GONE: f64 = 1e-9;

/// An unknown strength of a pattern of forces, and the condition that goes with it: Σ_k test_k · a_k = 0.
#[derive(Debug, Clone, Copy, Default)]
struct Pattern {
    force: DVec3,
    moment: DVec3,
    test: DVec3,
    test_moment: DVec3,
    bias: f64,
}

impl Pattern {
    /// Adds a force at an arm and its test, both times `share`.
    fn add(&mut self, share: f64, arm: DVec3, force: DVec3, test: DVec3, bias: DVec3) {
        self.force += force * share;
        self.moment += arm.cross(force) * share;
        self.test += test * share;
        self.test_moment += arm.cross(test) * share;
        self.bias += test.dot(bias) * share;
    }
}

/// Arms and forces of the contacts of one instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loads {
    count: usize,
    arms: [DVec3; CORNERS],
    forces: [DVec3; CORNERS],
    pub(crate) rates: Rates,
}

impl Loads {
    pub(crate) fn arms(&self) -> &[DVec3] {
        self.arms.get(..self.count).unwrap_or(&[])
    }

    pub(crate) fn forces(&self) -> &[DVec3] {
        self.forces.get(..self.count).unwrap_or(&[])
    }
}

impl Moment {
    /// The forces for given modes: no normal acceleration at any contact, none at all where it sticks. They may come out
    /// inadmissible; see [`admissible`]. `None` where the modes do not determine them: three contacts or more of which not all slip.
    ///
    /// What stays undetermined is settled so: a force along an edge that sticks is shared like the normal forces of its two ends; the pressure
    /// under a face varies linearly over it.
    pub(crate) fn known(&self, setting: &Setting, active: &[Active]) -> Option<Loads> {
        let face = active.len() > 2;
        if let [contact] = active {
            return Some(self.alone(setting, contact));
        }
        if active.len() > CORNERS || (face && active.iter().any(|c| c.mode == Mode::Stick)) {
            return None;
        }
        let frame = &setting.frame;
        let mut loads = Loads {
            count: active.len(),
            arms: [DVec3::ZERO; CORNERS],
            forces: [DVec3::ZERO; CORNERS],
            rates: self.free,
        };
        let (mut patterns, mut n) = ([Pattern::default(); 6], 0);
        // The force of a slipping contact for a unit of pressure.
        let mut along = [DVec3::ZERO; CORNERS];
        for (k, contact) in active.iter().enumerate() {
            let arm = self.arm(setting.body, contact.vertex);
            let bias = self.acceleration(arm, &self.free);
            loads.arms[k] = arm;
            match contact.mode {
                Mode::Stick => {
                    for e in [frame.normal, frame.tangent1, frame.tangent2] {
                        patterns[n].add(1.0, arm, e, e, bias);
                        n += 1;
                    }
                }
                Mode::Slip { reference, blend } => {
                    let d = self.slip_direction(frame, arm, reference, blend);
                    along[k] = frame.normal - d * setting.friction;
                    if face {
                        for (pattern, share) in patterns.iter_mut().zip(shares(frame, arm)) {
                            pattern.add(share, arm, along[k], frame.normal, bias);
                        }
                        n = 3;
                    } else {
                        patterns[n].add(1.0, arm, along[k], frame.normal, bias);
                        n += 1;
                    }
                }
            }
        }
        let x = self.strengths(&patterns, n);
        distribute(frame, active, &along, &x, &mut loads);
        loads.rates = self.rates(loads.arms(), loads.forces());
        Some(loads)
    }

    /// The same for one contact, the commonest.
    fn alone(&self, setting: &Setting, contact: &Active) -> Loads {
        let frame = &setting.frame;
        let arm = self.arm(setting.body, contact.vertex);
        let bias = self.acceleration(arm, &self.free);
        let force = match contact.mode {
            Mode::Stick => {
                frame.to_world(self.mobility(frame, arm).inverse() * -frame.to_local(bias))
            }
            Mode::Slip { reference, blend } => {
                let along = frame.normal
                    - self.slip_direction(frame, arm, reference, blend) * setting.friction;
                let pushed = self.push(along, arm.cross(along));
                let answer = (pushed.linear + pushed.angular.cross(arm)).dot(frame.normal);
                along * (-bias.dot(frame.normal) / answer)
            }
        };
        let (mut arms, mut forces) = ([DVec3::ZERO; CORNERS], [DVec3::ZERO; CORNERS]);
        (arms[0], forces[0]) = (arm, force);
        Loads {
            count: 1,
            arms,
            forces,
            rates: self.rates(&[arm], &[force]),
        }
    }

    /// Strengths of patterns that meet their conditions.
    fn strengths(&self, patterns: &[Pattern; 6], n: usize) -> [f64; 6] {
        let (mut a, mut b) = ([[0.0; 6]; 6], [0.0; 6]);
        for (j, pattern) in patterns.iter().enumerate().take(n) {
            let pushed = self.push(pattern.force, pattern.moment);
            for (row, p) in a.iter_mut().zip(patterns).take(n) {
                row[j] = p.test.dot(pushed.linear) + p.test_moment.dot(pushed.angular);
            }
            b[j] = -pattern.bias;
        }
        if n == 2 {
            // Two ends of an edge that slip: far from singular unless friction jams them.
            let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
            if det.abs() > 1e-6 * a[0][0].abs() * a[1][1].abs() {
                let x = (b[0] * a[1][1] - b[1] * a[0][1]) / det;
                let y = (a[0][0] * b[1] - a[1][0] * b[0]) / det;
                return [x, y, 0.0, 0.0, 0.0, 0.0];
            }
        }
        solve_rank_revealing(a, b, n, crate::impact::SINGULAR)
    }

    /// The rates under the forces, left in `room`, that solve the contact problem, each contact open, sticking or slipping as it
    /// comes out. `None` where friction drags a contact into the plane (Painlevé).
    pub(crate) fn resolved(
        &self,
        setting: &Setting,
        candidates: &[Active],
        room: &mut ForceRoom,
    ) -> Option<Rates> {
        if let Some(loads) = self.known(setting, candidates)
            && admissible(setting, candidates, &loads)
        {
            room.forces.clear();
            room.forces.extend_from_slice(loads.forces());
            return Some(loads.rates);
        }
        self.complementary(setting, candidates, room)
    }

    /// As [`Moment::resolved`], by sweeps of exact one-contact solutions.
    pub(crate) fn complementary(
        &self,
        setting: &Setting,
        candidates: &[Active],
        room: &mut ForceRoom,
    ) -> Option<Rates> {
        let frame = &setting.frame;
        let ForceRoom {
            contacts,
            forces,
            arms,
        } = room;
        contacts.clear();
        contacts.extend(candidates.iter().map(|c| self.local(setting, c)));
        forces.clear();
        forces.resize(contacts.len(), DVec3::ZERO);
        let mut body = self.free;
        let scale = setting.gravity.length() * setting.body.mass();
        for _ in 0..SWEEPS {
            let mut change: f64 = 0.0;
            for (contact, old) in contacts.iter().zip(forces.iter_mut()) {
                let here = frame.to_local(self.acceleration(contact.arm, &body));
                let without = here - contact.mobility * frame.to_local(*old);
                let force = frame.to_world(contact.answer(without, setting.friction)?);
                let step = force - *old;
                let pushed = self.push(step, contact.arm.cross(step));
                body.linear += pushed.linear;
                body.angular += pushed.angular;
                change = change.max(step.length());
                *old = force;
            }
            if contacts.len() == 1 || change <= 1e-14 * scale {
                break;
            }
        }
        arms.clear();
        arms.extend(contacts.iter().map(|c| c.arm));
        Some(self.rates(arms, forces))
    }

    fn local(&self, setting: &Setting, contact: &Active) -> Local {
        let arm = self.arm(setting.body, contact.vertex);
        let frame = &setting.frame;
        let along = match contact.mode {
            Mode::Stick => None,
            Mode::Slip { reference, blend } => {
                let d = self.slip_direction(frame, arm, reference, blend);
                Some(frame.to_local(frame.normal - d * setting.friction))
            }
        };
        Local {
            arm,
            mobility: self.mobility(frame, arm),
            along,
        }
    }
}

/// Lists that go from problem to problem, and the forces that solve the last.
#[derive(Debug, Clone, Default)]
pub(crate) struct ForceRoom {
    contacts: Vec<Local>,
    pub(crate) forces: Vec<DVec3>,
    pub(crate) arms: Vec<DVec3>,
}

/// A contact of the sweeps.
#[derive(Debug, Clone)]
struct Local {
    arm: DVec3,
    mobility: DMat3,
    /// Direction of the force where it slips.
    along: Option<DVec3>,
}

impl Local {
    /// Its force for the acceleration it has without it, in the local frame.
    fn answer(&self, without: DVec3, friction: f64) -> Option<DVec3> {
        let Some(along) = self.along else {
            return solve_one_contact(&self.mobility, without, friction).ok();
        };
        let mobility = (self.mobility * along).x;
        let needed = -without.x;
        if needed > 0.0 && mobility <= 0.0 {
            return None;
        }
        Some(along * (needed / mobility).max(0.0))
    }
}

/// Whether forces push and stay inside their cones.
fn admissible(setting: &Setting, active: &[Active], loads: &Loads) -> bool {
    let least = GONE * setting.body.mass() * setting.gravity.length();
    active.iter().zip(loads.forces()).all(|(contact, force)| {
        let f = setting.frame.to_local(*force);
        let holds = contact.mode != Mode::Stick
            || (f.y * f.y + f.z * f.z).sqrt() < setting.friction * f.x * (1.0 - GONE);
        f.x > least && holds
    })
}

/// The forces at the contacts from the strengths of the patterns.
fn distribute(
    frame: &Frame,
    active: &[Active],
    along: &[DVec3; CORNERS],
    x: &[f64; 6],
    loads: &mut Loads,
) {
    let face = active.len() > 2;
    let mut next = 0;
    for (k, contact) in active.iter().enumerate() {
        let (force, used) = match contact.mode {
            Mode::Stick => (
                frame.to_world(DVec3::new(x[next], x[next + 1], x[next + 2])),
                3,
            ),
            Mode::Slip { .. } if face => {
                let [a, b, c] = shares(frame, loads.arms[k]);
                (along[k] * (a * x[0] + b * x[1] + c * x[2]), 0)
            }
            Mode::Slip { .. } => (along[k] * x[next], 1),
        };
        loads.forces[k] = force;
        next += used;
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
        share_along_edge(frame, &loads.arms[..2], &mut loads.forces[..2]);
    }
}

/// Weights of the three patterns of pressure under a face at a point: constant, and linear along either tangent.
fn shares(frame: &Frame, arm: DVec3) -> [f64; 3] {
    [1.0, frame.tangent1.dot(arm), frame.tangent2.dot(arm)]
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

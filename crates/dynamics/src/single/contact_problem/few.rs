//! Some contacts of one body, by an active set: which contacts are open, stick or slip, and the equations that this
//! means.
//!
//! A contact that sticks has ũ = 0; one that slips along d = (cos φ, sin φ) has ũ_n = 0, p_t = −μ p_n d and ũ_t
//! parallel to d; an open one has p = 0. Here ũ = W p + q is the velocity after the impact, shifted by restitution. The
//! modes are those of the projection of p − ρ ũ on half line and disc, and each step of Newton's method on their
//! equations takes new ones: the semismooth Newton method (Alart and Curnier 1991, "A mixed formulation for frictional
//! contact problems prone to Newton like solution methods"). Impulses that move no point of the body (along the line of
//! two corners, or against each other in a face) make its matrix singular: a small part of the mobility on the diagonal
//! lets them go far where the equations cannot all hold, and a step ends where the first contact loses its load or its
//! stick, as in the simplex method. The answer is taken only if every inequality of the law holds; otherwise the
//! general solver decides.

use super::proximal_newton::Posed;
use glam::DVec3;
use klast_numerics::dense::{Matrix, eliminate};

/// Most equations of the contacts that carry: ten that stick.
const EQUATIONS: usize = 30;
/// Most steps of Newton's method, which needs three or four.
const STEPS: usize = 12;
/// Residual relative to the largest velocity at which an answer is taken, and slack of the inequalities.
const RESIDUAL: f64 = 1e-13;
const SLACK: f64 = 1e-12;
/// What is added to the diagonal, as a part of the inverse mass, and by what it shrinks where a step with the same
/// modes gains little, down to the least that stands above rounding: the smaller, the more of rounding is in the
/// impulses that move nothing. Under so few contacts as loads determine it shrinks with the residual relative to the
/// largest velocity instead, down to HARD: so steps converge quadratically even where the matrix is singular (Fan and
/// Yuan 2005, "On the quadratic convergence of the Levenberg-Marquardt method without nonsingularity assumption").
const SOFT: f64 = 1e-4;
const HARD: f64 = 1e-7;
const DETERMINED: usize = 3;
const HARDER: f64 = 1e-3;
const HARDEST: f64 = 1e-12;
/// Parts of a step that are the same.
const TOGETHER: f64 = 1e-9;

/// The impulses and modes so far, and buffers.
#[derive(Debug, Clone, Default)]
pub(crate) struct FewContacts {
    /// Local impulses (n, t1, t2) in N s.
    impulses: Vec<DVec3>,
    /// Velocities ũ with them (m/s).
    velocities: Vec<DVec3>,
    modes: Vec<Mode>,
    /// Part of the step at which a contact loses its load or its stick.
    blocks: Vec<f64>,
    tests: [Wrench; EQUATIONS],
    moves: [Wrench; EQUATIONS],
    matrix: Matrix<EQUATIONS>,
    step: [f64; EQUATIONS],
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    Open,
    Stick,
    /// Direction of the slip after the impact, and p_n.
    Slip {
        cos: f64,
        sin: f64,
        normal: f64,
    },
}

impl Mode {
    /// How many equations it has, as many as impulses that may change. Without friction that across the slip is none.
    fn count(self, mu: f64) -> usize {
        match self {
            Self::Open => 0,
            Self::Stick => 3,
            Self::Slip { .. } if mu > 0.0 => 2,
            Self::Slip { .. } => 1,
        }
    }

    /// One of its equations: what tests the velocity of the contact, and the direction in which its impulse may change.
    fn equation(self, number: usize, mu: f64) -> (DVec3, DVec3) {
        match (self, number) {
            (Self::Slip { cos, sin, .. }, 0) => (DVec3::X, DVec3::new(1.0, -mu * cos, -mu * sin)),
            (Self::Slip { cos, sin, .. }, _) => {
                let across = DVec3::new(0.0, sin, -cos);
                (across, across)
            }
            (_, 0) => (DVec3::X, DVec3::X),
            (_, 1) => (DVec3::Y, DVec3::Y),
            _ => (DVec3::Z, DVec3::Z),
        }
    }
}

/// A force at a point of the body, or the test of a velocity there: direction and moment.
type Wrench = (DVec3, DVec3);

impl FewContacts {
    /// The impulses of the last problem in the local frames (N s).
    pub(crate) fn impulses(&self) -> &[DVec3] {
        &self.impulses
    }

    /// Solves from impulses near the answer (of the step before, or of an iteration): the residual of the equations
    /// (m/s). Nothing where no modes are found, or more contacts carry.
    pub(crate) fn solve(&mut self, problem: &Posed, start: &[DVec3]) -> Option<f64> {
        let n = problem.points.len();
        self.impulses.clear();
        self.impulses.extend_from_slice(start);
        self.impulses.resize(n, DVec3::ZERO);
        self.modes.clear();
        self.modes.resize(n, Mode::Open);
        let speed = problem.speed();
        let none = SLACK * speed * problem.body.mass();
        self.look(problem);
        self.take_modes(problem, none);
        let (mut soft, mut last) = (SOFT, f64::INFINITY);
        for _ in 0..STEPS {
            self.newton(problem, soft)?;
            if self.goes_to_a_block(problem) {
                continue;
            }
            self.advance(problem, 1.0);
            let residual = self.residual(problem);
            if residual <= RESIDUAL * speed && self.holds(problem, (SLACK * speed, none)) {
                return Some(residual);
            }
            if !residual.is_finite() {
                return None;
            }
            let same = !self.take_modes(problem, none);
            if same && residual > 0.5 * last {
                soft = f64::max(HARDER * soft, HARDEST);
            } else if same && self.carrying() <= DETERMINED {
                soft = soft.min(f64::max(residual / speed, HARD));
            }
            last = residual;
        }
        None
    }

    /// How many contacts carry.
    fn carrying(&self) -> usize {
        self.modes.iter().filter(|m| **m != Mode::Open).count()
    }

    /// Velocities with the impulses.
    fn look(&mut self, problem: &Posed) {
        let change = problem.change(&self.impulses);
        self.velocities.clear();
        let contacts = 0..problem.points.len();
        self.velocities
            .extend(contacts.map(|k| problem.velocity(k, &change)));
    }

    /// The modes of the projection of p − ρ ũ, and impulses that have them where a mode is new; what is no more than
    /// `none` is no impulse. Whether any changed.
    fn take_modes(&mut self, problem: &Posed, none: f64) -> bool {
        let contacts = self.impulses.iter_mut().zip(&mut self.modes);
        let mut changed = false;
        for (k, ((p, mode), u)) in contacts.zip(&self.velocities).enumerate() {
            let (rho, mu) = (problem.weight(problem.points[k].1), problem.mu(k));
            let z = *p - rho * *u;
            let opens = z.x.is_nan() || z.x <= none;
            let sticks = mu > 0.0 && z.y * z.y + z.z * z.z <= mu * mu * z.x * z.x;
            match *mode {
                Mode::Open if opens && *p == DVec3::ZERO => continue,
                Mode::Stick if sticks && !opens => continue,
                Mode::Slip { .. } if !sticks && !opens => continue,
                _ => changed = true,
            }
            *mode = if opens {
                *p = DVec3::ZERO;
                Mode::Open
            } else if sticks {
                Mode::Stick
            } else {
                slip(p, z, mu)
            };
        }
        if changed {
            self.look(problem);
        }
        changed
    }

    /// Fills the step of Newton's method; nothing where there are too many equations, or they are singular.
    fn newton(&mut self, problem: &Posed, soft: f64) -> Option<()> {
        let light = 1.0 / problem.body.mass();
        let (mut size, mut turning) = (0, [0.0; EQUATIONS]);
        for (k, (frame, arm)) in problem.points.iter().enumerate() {
            let (mode, mu, u) = (self.modes[k], problem.mu(k), self.velocities[k]);
            let count = mode.count(mu);
            if size + count > EQUATIONS {
                return None;
            }
            for number in 0..count {
                let (test, direction) = mode.equation(number, mu);
                self.step[size] = -test.dot(u);
                let (test, direction) = (frame.to_world(test), frame.to_world(direction));
                let turned = *problem.inverse_inertia * arm.cross(direction);
                self.tests[size] = (test, arm.cross(test));
                self.moves[size] = (direction * light, turned);
                size += 1;
            }
            // d turns with φ; the unknown is μ p_n φ, so that it is an impulse like all others.
            if let (Mode::Slip { cos, sin, normal }, 2) = (mode, count) {
                turning[size - 1] = (u.y * cos + u.z * sin) / (mu * normal);
            }
        }
        let rows = self.matrix.iter_mut().zip(&self.tests).zip(turning);
        for (i, ((row, test), turning)) in rows.enumerate().take(size) {
            for (entry, change) in row.iter_mut().zip(&self.moves[..size]) {
                *entry = test.0.dot(change.0) + test.1.dot(change.1);
            }
            row[i] += soft * light + turning;
        }
        eliminate(&mut self.matrix, &mut self.step, size).then_some(())
    }

    /// If a contact loses its load or its stick within the step, goes there and lets it; several at the same place, so
    /// that the order of contacts does not matter.
    fn goes_to_a_block(&mut self, problem: &Posed) -> bool {
        let mut at = 0;
        self.blocks.clear();
        for (k, (mode, p)) in self.modes.iter().zip(&self.impulses).enumerate() {
            let mu = problem.mu(k);
            let block = match *mode {
                Mode::Open => None,
                Mode::Slip { normal, .. } => {
                    let end = normal + self.step[at];
                    (end < 0.0).then(|| normal / (normal - end))
                }
                Mode::Stick => {
                    let change = DVec3::from_slice(&self.step[at..at + 3]);
                    out_of_cone(*p, change, mu)
                }
            };
            at += mode.count(mu);
            self.blocks.push(block.unwrap_or(f64::INFINITY));
        }
        let part = self.blocks.iter().copied().fold(1.0, f64::min);
        if part >= 1.0 {
            return false;
        }
        self.advance(problem, part);
        let contacts = self.impulses.iter_mut().zip(&mut self.modes);
        for (k, ((p, mode), block)) in contacts.zip(&self.blocks).enumerate() {
            let here = *block <= part + TOGETHER;
            if !here {
                continue;
            }
            *mode = match *mode == Mode::Stick && p.x > 0.0 {
                true => slip(p, *p, problem.mu(k)),
                false => {
                    *p = DVec3::ZERO;
                    Mode::Open
                }
            };
        }
        self.look(problem);
        true
    }

    /// Goes a part of the step.
    fn advance(&mut self, problem: &Posed, part: f64) {
        let mut at = 0;
        for (k, (mode, p)) in self.modes.iter_mut().zip(&mut self.impulses).enumerate() {
            let mu = problem.mu(k);
            let count = mode.count(mu);
            let step = &self.step[at..at + count];
            match (mode, step) {
                (Mode::Stick, step) => *p += part * DVec3::from_slice(step),
                (Mode::Slip { cos, sin, normal }, [along, across @ ..]) => {
                    if let [across] = across {
                        let turn = part * across / (mu * *normal);
                        let (s, c) = libm::sincos(turn.clamp(-1.0, 1.0));
                        (*cos, *sin) = (*cos * c - *sin * s, *sin * c + *cos * s);
                    }
                    *normal += part * along;
                    *p = *normal * DVec3::new(1.0, -mu * *cos, -mu * *sin);
                }
                _ => {}
            }
            at += count;
        }
        self.look(problem);
    }

    /// The largest value of an equation (m/s); not finite where one is not.
    fn residual(&self, problem: &Posed) -> f64 {
        let contacts = self.modes.iter().zip(&self.velocities).enumerate();
        contacts.fold(0.0, |largest, (k, (mode, u))| {
            let mu = problem.mu(k);
            (0..mode.count(mu)).fold(largest, |m: f64, number| {
                let value = mode.equation(number, mu).0.dot(*u).abs();
                if value <= m { m } else { value }
            })
        })
    }

    /// Whether every inequality of the law holds, up to a speed and an impulse.
    fn holds(&self, problem: &Posed, (speed, impulse): (f64, f64)) -> bool {
        let contacts = self.modes.iter().zip(&self.velocities);
        let mut contacts = contacts.zip(&self.impulses).enumerate();
        contacts.all(|(k, ((mode, u), p))| {
            let mu = problem.mu(k);
            match *mode {
                Mode::Open => u.x >= -speed,
                Mode::Stick => p.x >= 0.0 && (p.y * p.y + p.z * p.z).sqrt() <= mu * p.x + impulse,
                Mode::Slip { cos, sin, .. } => {
                    p.x >= 0.0 && (mu == 0.0 || u.y * cos + u.z * sin >= -speed)
                }
            }
        })
    }
}

/// The mode of a contact that slips under an impulse, which is put on the cone of friction.
fn slip(p: &mut DVec3, impulse: DVec3, mu: f64) -> Mode {
    let size = (impulse.y * impulse.y + impulse.z * impulse.z).sqrt();
    let (cos, sin) = match mu > 0.0 && size > 0.0 {
        true => (-impulse.y / size, -impulse.z / size),
        false => (1.0, 0.0),
    };
    let normal = impulse.x;
    *p = normal * DVec3::new(1.0, -mu * cos, -mu * sin);
    Mode::Slip { cos, sin, normal }
}

/// The part of a change after which an impulse leaves the cone of friction; at once where it is outside and goes on.
fn out_of_cone(p: DVec3, change: DVec3, mu: f64) -> Option<f64> {
    let of = |a: DVec3, b: DVec3| a.y * b.y + a.z * b.z - mu * mu * a.x * b.x;
    let (bend, slope, inside) = (of(change, change), of(p, change), of(p, p));
    if inside >= 0.0 {
        return (slope > 0.0).then_some(0.0);
    }
    let root = (slope * slope - bend * inside).sqrt();
    match slope > 0.0 {
        true => Some(-inside / (slope + root)),
        false => (bend > 0.0).then(|| (root - slope) / bend),
    }
}

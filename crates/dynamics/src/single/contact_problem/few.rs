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
use klast_contact::Frame;
use klast_numerics::dense::{Matrix, eliminate, product};

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
    /// ρ of each contact (kg).
    weights: Vec<f64>,
    /// Part of the step at which a contact loses its load or its stick.
    blocks: Vec<f64>,
    /// Of each equation the test of a velocity: direction and moment.
    tests: [[f64; 6]; EQUATIONS],
    /// Of each component the velocities of the body that the impulses make.
    moves: [[f64; EQUATIONS]; 6],
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

    /// One of its equations, in the world: what tests the velocity of the contact, and the direction in which its
    /// impulse may change.
    fn equation(self, number: usize, mu: f64, frame: &Frame) -> (DVec3, DVec3) {
        let Frame {
            normal,
            tangent1: x,
            tangent2: y,
        } = *frame;
        match (self, number) {
            (Self::Slip { cos, sin, .. }, 0) => (normal, normal - x * (mu * cos) - y * (mu * sin)),
            (Self::Slip { cos, sin, .. }, _) => (x * sin - y * cos, x * sin - y * cos),
            (_, 0) => (normal, normal),
            (_, 1) => (x, x),
            _ => (y, y),
        }
    }

    /// The value of one of its equations at a velocity.
    fn value(self, number: usize, u: DVec3) -> f64 {
        match (self, number) {
            (Self::Slip { cos, sin, .. }, 1) => u.y * sin - u.z * cos,
            (_, 0) => u.x,
            (_, 1) => u.y,
            _ => u.z,
        }
    }
}

fn six(a: DVec3, b: DVec3) -> [f64; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}

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
        self.weights.clear();
        let weights = problem.points.iter().map(|(_, arm)| problem.weight(*arm));
        self.weights.extend(weights);
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
            self.look(problem);
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
            let (rho, mu) = (self.weights[k], problem.mu(k));
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
                let (test, direction) = mode.equation(number, mu, frame);
                self.step[size] = -mode.value(number, u);
                let turned = *problem.inverse_inertia * arm.cross(direction);
                self.tests[size] = six(test, arm.cross(test));
                let six = six(direction * light, turned);
                self.moves
                    .iter_mut()
                    .zip(six)
                    .for_each(|(m, x)| m[size] = x);
                size += 1;
            }
            // d turns with φ; the unknown is μ p_n φ, so that it is an impulse like all others.
            if let (Mode::Slip { cos, sin, normal }, 2) = (mode, count) {
                turning[size - 1] = (u.y * cos + u.z * sin) / (mu * normal);
            }
        }
        product(&self.tests, &self.moves, size, &mut self.matrix);
        for (i, turning) in turning.iter().enumerate().take(size) {
            self.matrix[i][i] += soft * light + turning;
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
    }

    /// The largest value of an equation (m/s); not finite where one is not.
    fn residual(&self, problem: &Posed) -> f64 {
        let contacts = self.modes.iter().zip(&self.velocities).enumerate();
        contacts.fold(0.0, |largest, (k, (mode, u))| {
            let mu = problem.mu(k);
            (0..mode.count(mu)).fold(largest, |m: f64, number| {
                let value = mode.value(number, *u).abs();
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

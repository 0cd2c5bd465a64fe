//! Up to four contacts of one body: the modes from impulses near the answer, then Newton's method on the equations they
//! mean.
//!
//! A contact that sticks has ũ = 0; one that slips along d = (cos φ, sin φ) has ũ_n = 0, p_t = −μ p_n d and ũ_t
//! parallel to d; an open one has p = 0. Here ũ = W p + q is the velocity after the impact, shifted by restitution. The
//! answer is taken only if every inequality of the law holds; otherwise the general solver decides. This is the
//! semismooth Newton method with its active set found in advance (Alart and Curnier 1991, "A mixed formulation for
//! frictional contact problems prone to Newton like solution methods").

use super::mobility::mobility;
use super::proximal_newton::Posed;
use glam::{DMat3, DVec3};
use klast_numerics::dense::solve_rank_revealing;

/// Most contacts solved here: the corners of a rectangular face.
pub(crate) const MAX_CONTACTS: usize = 4;
/// Most steps of Newton's method, which needs three or four.
const STEPS: usize = 12;
/// Residual relative to the largest velocity under which equations that cannot all hold are those of contacts one of
/// which is nearly redundant.
const REDUNDANT: f64 = 1e-3;
/// Residual relative to the largest velocity at which an answer is taken, and slack of the inequalities.
const RESIDUAL: f64 = 1e-13;
const SLACK: f64 = 1e-12;
/// Residual, relative likewise, at which another step could only move rounding.
const ENOUGH: f64 = 1e-14;

/// Impulses at a few contacts of one body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FewContacts {
    /// Local impulses (n, t1, t2) in N s, in the order of the contacts; zero beyond them.
    pub(crate) impulses: [DVec3; MAX_CONTACTS],
    /// Residual of the equations (m/s).
    pub(crate) residual: f64,
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

/// The data of the problem and the impulses so far.
#[derive(Clone, Copy)]
struct Few {
    n: usize,
    w: [[DMat3; MAX_CONTACTS]; MAX_CONTACTS],
    q: [DVec3; MAX_CONTACTS],
    p: [DVec3; MAX_CONTACTS],
    mu: [f64; MAX_CONTACTS],
    /// Largest velocity, and the impulse that goes with it.
    speed: f64,
    impulse: f64,
}

impl FewContacts {
    /// The impulses at up to four points of a body, from impulses near the answer (of the step before, or of an
    /// iteration). Nothing where there are more contacts or the modes are others than those of the start.
    pub(crate) fn solve(problem: &Posed, start: &[DVec3]) -> Option<Self> {
        let n = problem.points.len();
        if n > MAX_CONTACTS || start.len() != n || start.iter().all(|p| p.x <= 0.0) {
            return None;
        }
        let mut few = Few::new(problem);
        few.p.iter_mut().zip(start).for_each(|(p, s)| *p = *s);
        let modes = few.modes();
        match few.settle(modes) {
            Settled::Answer(answer) => Some(answer),
            Settled::Other => None,
            Settled::Redundant => few.without_one(modes),
        }
    }
}

/// What became of modes.
enum Settled {
    Answer(FewContacts),
    /// Their equations cannot all hold, by little.
    Redundant,
    /// They are not those of the answer.
    Other,
}

impl Few {
    fn new(problem: &Posed) -> Self {
        let Posed {
            body,
            inverse_inertia,
            points,
            posed,
            coefficients,
        } = *problem;
        let mut w = [[DMat3::ZERO; MAX_CONTACTS]; MAX_CONTACTS];
        let (mut q, mut speed) = ([DVec3::ZERO; MAX_CONTACTS], 0.0f64);
        let mut mu = [0.0; MAX_CONTACTS];
        mu.iter_mut()
            .zip(coefficients)
            .for_each(|(mu, own)| *mu = own.friction());
        for (k, ((f, r), u)) in points.iter().zip(posed).enumerate() {
            q[k] = *u;
            speed = speed.max(u.length());
            for (l, (g, s)) in points.iter().enumerate().take(k + 1) {
                w[k][l] = mobility(body, inverse_inertia, (f, *r), (g, *s));
                w[l][k] = w[k][l].transpose();
            }
        }
        Self {
            n: points.len(),
            w,
            q,
            p: [DVec3::ZERO; MAX_CONTACTS],
            mu,
            speed,
            impulse: speed * body.mass(),
        }
    }

    fn velocity(&self, k: usize) -> DVec3 {
        (0..self.n).fold(self.q[k], |u, l| u + self.w[k][l] * self.p[l])
    }

    /// The modes that impulses mean.
    fn modes(&self) -> [Mode; MAX_CONTACTS] {
        let mut modes = [Mode::Open; MAX_CONTACTS];
        for ((mode, p), mu) in modes.iter_mut().zip(&self.p).zip(self.mu).take(self.n) {
            let tangential = (p.y * p.y + p.z * p.z).sqrt();
            *mode = match p.x > SLACK * self.impulse {
                false => Mode::Open,
                true if mu == 0.0 => Mode::Slip {
                    cos: 1.0,
                    sin: 0.0,
                    normal: p.x,
                },
                true if tangential < mu * p.x * (1.0 - 1e-9) => Mode::Stick,
                true => Mode::Slip {
                    cos: -p.y / tangential,
                    sin: -p.z / tangential,
                    normal: p.x,
                },
            };
        }
        modes
    }

    /// The answer with these modes, if they admit one; the impulses stay as they were.
    fn settle(&self, mut modes: [Mode; MAX_CONTACTS]) -> Settled {
        let mut tried = Few { p: self.p, ..*self };
        for (mode, p) in modes.iter().zip(&mut tried.p) {
            if *mode == Mode::Open {
                *p = DVec3::ZERO;
            }
        }
        match tried.newton(&mut modes) {
            Ok(residual) if tried.holds(&modes) => Settled::Answer(FewContacts {
                impulses: tried.p,
                residual,
            }),
            Err(residual) if residual < REDUNDANT * self.speed => Settled::Redundant,
            _ => Settled::Other,
        }
    }

    /// The answer with one contact less: four corners of a face of which three carry. The least loaded one is left out
    /// first.
    fn without_one(&self, modes: [Mode; MAX_CONTACTS]) -> Option<FewContacts> {
        let mut order = [0, 1, 2, 3];
        order.sort_unstable_by(|a, b| self.p[*a].x.total_cmp(&self.p[*b].x));
        let loaded = order.into_iter().filter(|k| modes[*k] != Mode::Open);
        let without = |k: usize| {
            let mut modes = modes;
            modes[k] = Mode::Open;
            match self.settle(modes) {
                Settled::Answer(answer) => Some(answer),
                _ => None,
            }
        };
        loaded.into_iter().find_map(without)
    }

    /// Solves the equations of the modes: the residual, as an error where it does not get small.
    fn newton(&mut self, modes: &mut [Mode; MAX_CONTACTS]) -> Result<f64, f64> {
        let mut best = f64::INFINITY;
        for _ in 0..STEPS {
            let (a, b, size) = self.linearised(modes);
            let residual = b.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let small = residual <= RESIDUAL * self.speed;
            if residual <= ENOUGH * self.speed || (residual >= 0.5 * best && small) {
                return Ok(residual);
            }
            // What gains nothing goes round in circles.
            if residual.is_nan() || residual > 0.5 * best {
                return Err(residual);
            }
            best = residual;
            self.advance(
                modes,
                &solve_rank_revealing(a, b.map(|x| -x), size, super::mobility::SINGULAR),
            );
        }
        Err(best)
    }

    /// Matrix, residual and number of the equations.
    fn linearised(
        &self,
        modes: &[Mode; MAX_CONTACTS],
    ) -> (
        [[f64; 3 * MAX_CONTACTS]; 3 * MAX_CONTACTS],
        [f64; 3 * MAX_CONTACTS],
        usize,
    ) {
        let (mut a, mut b) = (
            [[0.0; 3 * MAX_CONTACTS]; 3 * MAX_CONTACTS],
            [0.0; 3 * MAX_CONTACTS],
        );
        let (mut row, mut size) = (0, 0);
        for (k, mode) in modes.iter().enumerate().take(self.n) {
            let u = self.velocity(k);
            // Rows of this contact as functionals of its velocity, with the residual.
            let (tests, values, count) = match *mode {
                Mode::Open => continue,
                Mode::Stick => ([DVec3::X, DVec3::Y, DVec3::Z], u.to_array(), 3),
                Mode::Slip { cos, sin, .. } => {
                    let across = DVec3::new(0.0, sin, -cos);
                    let value = if self.mu[k] == 0.0 {
                        0.0
                    } else {
                        across.dot(u)
                    };
                    ([DVec3::X, across, DVec3::ZERO], [u.x, value, 0.0], 2)
                }
            };
            let mut column = 0;
            for (l, other) in modes.iter().enumerate().take(self.n) {
                let (directions, unknowns) = self.directions(l, other);
                for j in 0..unknowns {
                    let response = self.w[k][l] * directions[j];
                    for i in 0..count {
                        a[row + i][column + j] = tests[i].dot(response);
                    }
                }
                if let (Mode::Slip { cos, sin, normal }, true) = (*mode, k == l) {
                    // d turns with φ; the unknown is μ p_n φ, so that it is an impulse like all others.
                    a[row + 1][column + 1] = match self.mu[k] == 0.0 {
                        true => 1.0,
                        false => {
                            a[row + 1][column + 1] + (u.y * cos + u.z * sin) / (self.mu[k] * normal)
                        }
                    };
                }
                column += unknowns;
            }
            b[row..row + count].copy_from_slice(&values[..count]);
            row += count;
            size = row;
        }
        (a, b, size)
    }

    /// Directions in which the impulse of a contact may change, and how many.
    fn directions(&self, contact: usize, mode: &Mode) -> ([DVec3; 3], usize) {
        let mu = self.mu[contact];
        match *mode {
            Mode::Open => ([DVec3::ZERO; 3], 0),
            Mode::Stick => ([DVec3::X, DVec3::Y, DVec3::Z], 3),
            Mode::Slip { cos, sin, .. } => {
                let along = DVec3::new(1.0, -mu * cos, -mu * sin);
                let turning = if mu == 0.0 {
                    DVec3::ZERO
                } else {
                    DVec3::new(0.0, sin, -cos)
                };
                ([along, turning, DVec3::ZERO], 2)
            }
        }
    }

    fn advance(&mut self, modes: &mut [Mode; MAX_CONTACTS], step: &[f64; 3 * MAX_CONTACTS]) {
        let mut at = 0;
        let contacts = modes.iter_mut().zip(&mut self.p).zip(self.mu);
        for ((mode, p), mu) in contacts.take(self.n) {
            match mode {
                Mode::Open => {}
                Mode::Stick => {
                    *p += DVec3::new(step[at], step[at + 1], step[at + 2]);
                    at += 3;
                }
                Mode::Slip { cos, sin, normal } => {
                    let turn = if mu == 0.0 {
                        0.0
                    } else {
                        step[at + 1] / (mu * *normal)
                    };
                    let (s, c) = libm::sincos(turn.clamp(-1.0, 1.0));
                    (*cos, *sin) = (*cos * c - *sin * s, *sin * c + *cos * s);
                    *normal += step[at];
                    *p = *normal * DVec3::new(1.0, -mu * *cos, -mu * *sin);
                    at += 2;
                }
            }
        }
    }

    /// Whether every inequality of the law holds.
    fn holds(&self, modes: &[Mode; MAX_CONTACTS]) -> bool {
        let (speed, impulse) = (SLACK * self.speed, SLACK * self.impulse);
        modes.iter().enumerate().take(self.n).all(|(k, mode)| {
            let (u, p) = (self.velocity(k), self.p[k]);
            match *mode {
                Mode::Open => u.x >= -speed,
                Mode::Stick => {
                    p.x >= 0.0 && (p.y * p.y + p.z * p.z).sqrt() <= self.mu[k] * p.x + impulse
                }
                Mode::Slip { cos, sin, .. } => {
                    p.x >= 0.0 && (self.mu[k] == 0.0 || u.y * cos + u.z * sin >= -speed)
                }
            }
        })
    }
}

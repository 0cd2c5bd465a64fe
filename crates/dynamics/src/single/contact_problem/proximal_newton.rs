//! Any number of contacts of one body: Newton's method on its six velocities, within a proximal iteration on the
//! impulses.
//!
//! The impulses p_k = P(p̄_k − ρ_k ũ_k) with P the projection on half line and disc (Alart and Curnier 1991) and
//! ũ = q + J Δv make the balance M Δv = Σ Jᵀ p(Δv) a piecewise smooth equation in six unknowns, however many contacts
//! there are and however many of them are redundant. Newton's method with a line search solves it; then p̄ takes over
//! the impulses and the error shrinks by about 1/(1 + ρ W) (the proximal point method, Rockafellar 1976, "Augmented
//! Lagrangians and applications of the proximal point algorithm in convex programming"). A fixed point is a solution of
//! the contact problem.

use super::super::ground_law::Coefficients;
use crate::Body;
use glam::{DMat3, DVec3};
use klast_contact::Frame;
use klast_numerics::dense::Lu;

/// ρ W: an iteration takes three digits off, and rounding leaves 1e-13 of the largest velocity. Where contacts that are
/// nearly redundant have to unload, that takes as many iterations as ρ is too small: it grows by a factor while little
/// is gained, up to an end where rounding is all there is to gain, and begins anew. Where Newton's method finds no way
/// down, ρ shrinks: a soft contact is a smooth one.
const STIFFNESS: f64 = 1e3;
const STIFFER: f64 = 30.0;
const STIFFEST: f64 = 1e8;
const SOFTER: f64 = 0.1;
const SOFTEST: f64 = 1.0;
/// Part of a residual that an iteration leaves at most where it gains something.
const GAIN: f64 = 0.1;
/// Most proximal iterations, steps of Newton's method in all, and halvings of one.
const ITERATIONS: usize = 40;
const STEPS: usize = 120;
const HALVINGS: usize = 3;
/// An iteration is solved to this part of what it changed, and never beyond this part of the largest velocity.
const INNER: f64 = 0.05;
const ROUNDING: f64 = 1e-15;

/// Buffers: one entry for each contact.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProximalNewton {
    kept: Vec<DVec3>,
    impulses: Vec<DVec3>,
    /// 3/tr W of each contact (kg).
    weights: Vec<f64>,
    /// ρ W.
    stiffness: f64,
}

/// The problem: points (frame, arm) of a body, posed velocities q in the local frames, and the
/// coefficients of each.
#[derive(Clone, Copy)]
pub(crate) struct Posed<'a> {
    pub(crate) body: &'a Body,
    /// I⁻¹, world axes.
    pub(crate) inverse_inertia: &'a DMat3,
    pub(crate) points: &'a [(Frame, DVec3)],
    pub(crate) posed: &'a [DVec3],
    pub(crate) coefficients: &'a [Coefficients],
}

/// Velocity changes of a body, or forces and moments on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Six {
    linear: DVec3,
    angular: DVec3,
}

impl Six {
    fn moved(self, step: &[f64; 6], part: f64) -> Self {
        Self {
            linear: self.linear + part * DVec3::new(step[0], step[1], step[2]),
            angular: self.angular + part * DVec3::new(step[3], step[4], step[5]),
        }
    }
}

/// One contact at a place of the iteration: its impulse, and how it goes with the velocity.
enum Mode {
    Open,
    Stick,
    /// Direction of the friction impulse in the tangent plane, and the part of a turn of it that is felt.
    Slip {
        along: [f64; 2],
        turn: f64,
    },
}

impl Posed<'_> {
    fn inertia(&self) -> DMat3 {
        self.inverse_inertia.inverse()
    }

    pub(super) fn mu(&self, k: usize) -> f64 {
        self.coefficients[k].friction()
    }

    /// Largest posed velocity (m/s).
    pub(super) fn speed(&self) -> f64 {
        self.posed.iter().map(|q| q.length()).fold(0.0, f64::max)
    }

    /// 3/tr W of a contact at an arm (kg), with tr W = 3/m + tr(−[r]ₓ I⁻¹ [r]ₓ).
    pub(super) fn weight(&self, arm: DVec3) -> f64 {
        let inverse = self.inverse_inertia;
        let trace = inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z;
        let turning = trace * arm.length_squared() - arm.dot(*inverse * arm);
        3.0 / (3.0 / self.body.mass() + turning)
    }

    /// Velocity of a contact.
    #[inline]
    pub(super) fn velocity(&self, k: usize, change: &Six) -> DVec3 {
        let (frame, arm) = &self.points[k];
        self.posed[k] + frame.to_local(change.linear + change.angular.cross(*arm))
    }

    /// P(p̄ − ρ u) and its mode.
    fn projected(&self, k: usize, z: DVec3) -> (DVec3, Mode) {
        if z.x <= 0.0 {
            return (DVec3::ZERO, Mode::Open);
        }
        let (limit, square) = (self.mu(k) * z.x, z.y * z.y + z.z * z.z);
        if square <= limit * limit {
            return (z, Mode::Stick);
        }
        let part = limit / square.sqrt();
        let along = [z.y / square.sqrt(), z.z / square.sqrt()];
        let impulse = DVec3::new(z.x, part * z.y, part * z.z);
        (impulse, Mode::Slip { along, turn: part })
    }

    /// What impulses do to the velocities.
    pub(super) fn change(&self, impulses: &[DVec3]) -> Six {
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        let points = self.points.iter().zip(impulses);
        for ((frame, arm), p) in points.filter(|(_, p)| **p != DVec3::ZERO) {
            let impulse = frame.to_world(*p);
            linear += impulse;
            angular += arm.cross(impulse);
        }
        Six {
            linear: linear / self.body.mass(),
            angular: *self.inverse_inertia * angular,
        }
    }

    /// The residual of impulses, a velocity: ‖p − P(p − ρ ũ)‖/ρ with ρ = 3/tr W, the largest of all contacts.
    pub(crate) fn residual(&self, impulses: &[DVec3], weights: &[f64]) -> f64 {
        let change = self.change(impulses);
        let of = |(k, (p, rho)): (usize, (&DVec3, &f64))| {
            let z = *p - self.velocity(k, &change) * *rho;
            (*p - self.projected(k, z).0).length() / rho
        };
        let all = impulses.iter().zip(weights).enumerate().map(of);
        all.fold(0.0, |m, r| if r >= m || r.is_nan() { r } else { m })
    }
}

impl ProximalNewton {
    /// The impulses of the last problem in the local frames (N s).
    pub(crate) fn impulses(&self) -> &[DVec3] {
        &self.impulses
    }

    /// Solves to a residual relative to the largest posed velocity, from impulses near the answer or none: the residual
    /// (m/s), or nothing where it was not met.
    pub(crate) fn solve(
        &mut self,
        problem: &Posed,
        start: &[DVec3],
        tolerance: f64,
    ) -> Option<f64> {
        let n = problem.points.len();
        self.kept.clear();
        self.kept.extend_from_slice(start);
        self.kept.resize(n, DVec3::ZERO);
        self.weights.clear();
        let weights = problem.points.iter().map(|(_, arm)| problem.weight(*arm));
        self.weights.extend(weights);
        let speed = problem.speed();
        let inertia = problem.inertia();
        let mut change = problem.change(&self.kept);
        let (mut steps, mut last) = (0, f64::INFINITY);
        self.stiffness = STIFFNESS;
        for _ in 0..ITERATIONS {
            let down = self.newton(problem, &inertia, &mut change, speed, &mut steps)?;
            if !down && self.stiffness > SOFTEST {
                self.stiffness = (self.stiffness * SOFTER).max(SOFTEST);
                continue;
            }
            let residual = problem.residual(&self.impulses, &self.weights);
            if residual <= tolerance * speed {
                return Some(residual);
            }
            if residual.is_nan() {
                return None;
            }
            std::mem::swap(&mut self.kept, &mut self.impulses);
            if residual > GAIN * last {
                self.stiffness = match self.stiffness < STIFFEST {
                    true => self.stiffness * STIFFER,
                    false => STIFFNESS,
                };
            }
            last = residual;
        }
        None
    }

    /// Solves M Δv = Σ Jᵀ P(p̄ − ρ ũ(Δv)) and leaves the impulses; whether it got there, or nothing after too many
    /// steps.
    fn newton(
        &mut self,
        problem: &Posed,
        inertia: &DMat3,
        change: &mut Six,
        speed: f64,
        steps: &mut usize,
    ) -> Option<bool> {
        let mass = problem.body.mass();
        // Of a balance: the velocity of the mass centre that has its energy.
        let size = |b: &Six| {
            let turning = b.angular.dot(*problem.inverse_inertia * b.angular);
            (b.linear.length_squared() / mass + turning).sqrt() / mass.sqrt()
        };
        let mut matrix = [[0.0; 6]; 6];
        let mut balance = self.balance(problem, inertia, change, &mut matrix);
        let mut left = size(&balance);
        while left > ROUNDING * speed && left > INNER * self.moved() {
            *steps += 1;
            if *steps > STEPS || left.is_nan() {
                return None;
            }
            let (f, m) = (balance.linear, balance.angular);
            let step = Lu::new(matrix, 6)?.solve(&[-f.x, -f.y, -f.z, -m.x, -m.y, -m.z]);
            let mut part = 1.0;
            let mut halvings = 0;
            loop {
                let next = change.moved(&step, part);
                balance = self.balance(problem, inertia, &next, &mut matrix);
                let now = size(&balance);
                if now < left {
                    (*change, left) = (next, now);
                    break;
                }
                halvings += 1;
                if halvings > HALVINGS {
                    // As good as rounding lets it be, or no way down.
                    self.balance(problem, inertia, change, &mut matrix);
                    return Some(left <= 1e3 * ROUNDING * speed);
                }
                part *= 0.5;
            }
        }
        Some(true)
    }

    /// Largest change of an impulse against the kept one, as a velocity.
    fn moved(&self) -> f64 {
        let both = self.impulses.iter().zip(&self.kept).zip(&self.weights);
        let of = |((p, kept), weight): ((&DVec3, &DVec3), &f64)| (*p - *kept).length() / weight;
        both.map(of).fold(0.0, f64::max) / self.stiffness
    }

    /// M Δv − Σ Jᵀ p and its derivative, which are the impulses' at this Δv.
    fn balance(
        &mut self,
        problem: &Posed,
        inertia: &DMat3,
        change: &Six,
        matrix: &mut [[f64; 6]; 6],
    ) -> Six {
        let mass = problem.body.mass();
        let mut sum = Sum {
            balance: Six {
                linear: mass * change.linear,
                angular: *inertia * change.angular,
            },
            matrix: [[0.0; 6]; 6],
        };
        for i in 0..3 {
            sum.matrix[i][i] = mass;
            for j in 0..3 {
                sum.matrix[3 + i][3 + j] = inertia.col(j)[i];
            }
        }
        self.impulses.clear();
        for (k, (frame, arm)) in problem.points.iter().enumerate() {
            let rho = self.stiffness * self.weights[k];
            let z = self.kept[k] - rho * problem.velocity(k, change);
            let (impulse, mode) = problem.projected(k, z);
            self.impulses.push(impulse);
            match mode {
                Mode::Open => continue,
                Mode::Stick => sum.stick(*arm, rho),
                Mode::Slip { along, turn } => {
                    let [c, s] = along;
                    let direction = frame.tangent1 * c + frame.tangent2 * s;
                    let across = frame.tangent2 * c - frame.tangent1 * s;
                    let pushed = frame.normal + problem.mu(k) * direction;
                    sum.rank_one(*arm, pushed, frame.normal, rho);
                    sum.rank_one(*arm, across, across, rho * turn);
                }
            }
            let push = frame.to_world(impulse);
            sum.balance.linear -= push;
            sum.balance.angular -= arm.cross(push);
        }
        *matrix = sum.matrix;
        sum.balance
    }
}

/// A balance that is being summed up, and its matrix.
struct Sum {
    balance: Six,
    matrix: [[f64; 6]; 6],
}

impl Sum {
    /// ρ Jᵀ J.
    fn stick(&mut self, r: DVec3, rho: f64) {
        let m = &mut self.matrix;
        let (c, square) = (r * rho, rho * r.length_squared());
        for i in 0..3 {
            m[i][i] += rho;
            m[3 + i][3 + i] += square;
        }
        let [x, y, z] = r.to_array();
        let [cx, cy, cz] = c.to_array();
        // −[r]ₓ over [r]ₓ.
        m[0][4] += cz;
        m[0][5] -= cy;
        m[1][3] -= cz;
        m[1][5] += cx;
        m[2][3] += cy;
        m[2][4] -= cx;
        m[4][0] += cz;
        m[5][0] -= cy;
        m[3][1] -= cz;
        m[5][1] += cx;
        m[3][2] += cy;
        m[4][2] -= cx;
        for (i, a) in [cx, cy, cz].into_iter().enumerate() {
            for (j, b) in [x, y, z].into_iter().enumerate() {
                m[3 + i][3 + j] -= a * b;
            }
        }
    }

    /// ρ Jᵀ a bᵀ J.
    fn rank_one(&mut self, r: DVec3, a: DVec3, b: DVec3, rho: f64) {
        let (turn_a, turn_b) = (r.cross(a), r.cross(b));
        let left = [a.x, a.y, a.z, turn_a.x, turn_a.y, turn_a.z];
        let right = [b.x, b.y, b.z, turn_b.x, turn_b.y, turn_b.z];
        for (row, x) in self.matrix.iter_mut().zip(left) {
            let x = rho * x;
            for (entry, y) in row.iter_mut().zip(right) {
                *entry += x * y;
            }
        }
    }
}

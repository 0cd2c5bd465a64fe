//! A path through smoothed problems, for problems on which Newton's method on the law itself creeps.
//!
//! Where hundreds of contacts have to change between open, stick and slip, a Newton step on the law is cut short by the
//! few that change first. Here the law is smoothed over velocities of size τ ([`Smooth`]) and
//!
//! > `w = W p + q`, `w = r − z`, `p = r`, `r = φ_τ(z)`
//!
//! is solved in `(p, z)` while τ falls; one Newton step follows the residuals and the fall of τ together, as in an interior
//! point method. With `S = φ′ (1 − φ′)⁻¹` and the step `Δw = W Δp` the system is `(1 + W S) Δw = W a`; it is factored as
//! `(1 − P) + W P`, `P = S (1 + S)⁻¹`, whose pattern is that of `W` and whose entries stay of the order of one. Where a
//! linear step leads a contact out of its law (an impulse that pulls, two surfaces that pass through each other) the other
//! of its two unknowns decides. `S⁻¹ + ε` takes the place of `S⁻¹`: a proximal term around the present impulses, since
//! those of an over-constrained structure are not unique.
//!
//! The fixed points of Alart and Curnier's projection, which φ smooths, are those of the exact cone.

use super::scaled::Scaled;
use super::three::Factors;
use super::zeros;
use crate::anderson::dot;
use crate::cone::project_disc;
use crate::ordering::Pattern;
use crate::smooth::{Smooth, lawful};
use glam::{DMat3, DVec3};

/// τ at the start and at the end, in units of max‖q‖.
const START: f64 = 0.1;
const END: f64 = 1e-7;
/// Newton steps at most.
const STEPS: usize = 100;
/// Part of τ that the first step takes off, and the least and the most that a step does.
const DROP: f64 = 0.7;
const LEAST_DROP: f64 = 0.1;
const LARGEST_DROP: f64 = 0.9;
/// After two steps in a row of less than this part τ has fallen too fast: it goes up by a factor and down more slowly.
const SHORT: f64 = 0.2;
const RETREAT: f64 = 10.0;
const RETREAT_DROP: f64 = 0.5;
/// Sweeps on the law itself at such a place: the few contacts that held up the step are settled among their neighbours.
const SWEEPS: usize = 60;
/// What is left after a step, in units of τ, at which it is near enough to the path for τ to fall on.
const NEAR: f64 = 3.0;
/// Normal stiffness under which a contact is left out of the matrix: it costs no more than that part of the speed.
const NOTHING: f64 = 1e-3;
/// Part of a step below which it is taken as it is.
const SHORTEST: f64 = 0.01;

#[derive(Debug, Clone, Default)]
pub(super) struct Path {
    softness: f64,
    tau: f64,
    end: f64,
    /// Largest speed of the problem, and `Σ c²`, which makes velocities of scaled ones.
    speed: f64,
    weight: f64,
    drop: f64,
    short: usize,
    left: usize,
    size: f64,
    points: Vec<Point>,
    p: Vec<DVec3>,
    /// `W p + q`.
    w: Vec<DVec3>,
    /// Steps of both.
    step: (Vec<DVec3>, Vec<DVec3>),
    from: (Vec<DVec3>, Vec<DVec3>),
    work: (Vec<DVec3>, Vec<DVec3>),
    lu: Factors,
}

/// One contact on the path.
#[derive(Debug, Clone, Copy, Default)]
struct Point {
    z: DVec3,
    /// `w − (r − z)`.
    error: DVec3,
    law: Smooth,
    /// `P` and `1 − P`.
    part: (DMat3, DMat3),
    /// Where the step starts, and the linear step, in `(r, u)`.
    from: (DVec3, DVec3),
    step: (DVec3, DVec3),
}

impl Path {
    /// Starts at the impulses `r`.
    pub fn start(&mut self, scaled: &Scaled, r: &[DVec3], softness: f64) {
        let n = scaled.contacts();
        let speeds = scaled.q.iter().zip(&scaled.scale);
        self.softness = softness;
        self.speed = speeds.map(|(q, c)| q.length() / c).fold(0.0, f64::max);
        (self.tau, self.end) = (START * self.speed, END * self.speed);
        self.weight = scaled.scale.iter().map(|c| c * c).sum();
        self.drop = DROP;
        (self.short, self.left) = (0, STEPS);
        self.points.clear();
        self.points.resize(n, Point::default());
        self.p.clear();
        self.p.extend_from_slice(r);
        zeros(&mut self.w, n);
        for pair in [&mut self.step, &mut self.from, &mut self.work] {
            zeros(&mut pair.0, n);
            zeros(&mut pair.1, n);
        }
        self.stand(scaled);
    }

    /// One Newton step; false when the path has ended, or can not go on.
    pub fn iterate(&mut self, scaled: &Scaled, pattern: &Pattern) -> bool {
        let fall = if self.size <= self.tau {
            self.drop * self.tau
        } else {
            0.0
        };
        if !self.linear_step(scaled, pattern, fall) {
            return false;
        }
        let part = self.search(scaled, fall);
        self.left -= 1;
        self.short = if part < SHORT { self.short + 1 } else { 0 };
        if self.short == 2 {
            self.short = 0;
            self.tau = (RETREAT * self.tau).min(START * self.speed);
            self.drop = RETREAT_DROP;
            let mut r = std::mem::take(&mut self.p);
            self.impulses(scaled, &mut r);
            self.p = r;
            scaled.sweep(SWEEPS, &mut self.p);
            self.stand(scaled);
        } else if fall > 0.0 {
            self.drop = if part == 1.0 {
                (0.5 + 0.5 * self.drop).min(LARGEST_DROP)
            } else {
                (1.5 * part * self.drop).clamp(LEAST_DROP, LARGEST_DROP)
            };
        }
        self.size.is_finite() && self.left > 0 && self.tau > self.end
    }

    /// Impulses within their cones.
    pub fn impulses(&self, scaled: &Scaled, r: &mut [DVec3]) {
        for ((r, point), mu) in r.iter_mut().zip(&self.points).zip(&scaled.mu) {
            *r = project_disc(point.z, *mu);
        }
    }

    /// Stands at the impulses `p` and their velocities.
    fn stand(&mut self, scaled: &Scaled) {
        scaled.velocities(&self.p, &mut self.w);
        for ((point, p), w) in self.points.iter_mut().zip(&self.p).zip(&self.w) {
            point.z = *p - *w;
        }
        self.size = self.evaluate(scaled, 0.0, self.tau);
    }

    /// The step of impulses and velocities in which τ is to fall by `fall`; false where the matrix is singular.
    fn linear_step(&mut self, scaled: &Scaled, pattern: &Pattern, fall: f64) -> bool {
        for (i, point) in self.points.iter_mut().enumerate() {
            let s = point.law.stiffness();
            point.part = if point.law.normal_stiffness() > NOTHING {
                let rest = (DMat3::IDENTITY + s).inverse();
                (s * rest, rest)
            } else {
                (DMat3::ZERO, DMat3::IDENTITY)
            };
            let f = point.law.rate * fall * scaled.scale[i];
            self.work.0[i] = point.law.r - self.p[i] - s * (point.error + f) - f;
        }
        scaled.times(&self.work.0, &mut self.work.1);
        let points = &self.points;
        let mut diagonal = scaled.diagonal.iter().copied().peekable();
        let block = |e: usize| {
            let (part, rest) = points[scaled.column[e]].part;
            let b = scaled.block[e] * part;
            match diagonal.next_if_eq(&e) {
                None => b,
                Some(_) => b + rest,
            }
        };
        if !self.lu.factor(pattern, block, |e| {
            points[scaled.column[e]].part.0 == DMat3::ZERO
        }) {
            return false;
        }
        self.lu.solve(pattern, &self.work.1, &mut self.step.1);
        for ((dp, a), (y, point)) in self
            .step
            .0
            .iter_mut()
            .zip(&self.work.0)
            .zip(self.step.1.iter().zip(&self.points))
        {
            *dp = *a - point.part.0 * *y;
        }
        if !self.step.0.iter().all(|d| d.is_finite()) {
            return false;
        }
        scaled.times(&self.step.0, &mut self.step.1);
        for (i, point) in self.points.iter_mut().enumerate() {
            let f = point.law.rate * fall * scaled.scale[i];
            let (r, u) = (point.law.r, point.law.r - point.z);
            let change = self.w[i] + self.step.1[i] - u;
            point.from = (r, u);
            point.step = (-(point.law.stiffness() * (change + f)) - f, change);
        }
        true
    }

    /// Takes the largest of the parts 1, ½, ¼ … of the step that stays near the path or comes closer to it.
    fn search(&mut self, scaled: &Scaled, fall: f64) -> f64 {
        self.from.0.copy_from_slice(&self.p);
        self.from.1.copy_from_slice(&self.w);
        let mut part = 1.0;
        loop {
            for i in 0..self.p.len() {
                self.p[i] = self.from.0[i] + self.step.0[i] * part;
                self.w[i] = self.from.1[i] + self.step.1[i] * part;
            }
            let tau = self.tau - part * fall;
            let now = self.evaluate(scaled, part, tau);
            let near = fall > 0.0 && now <= NEAR * tau;
            if near || now <= (1.0 - 0.1 * part) * self.size || part < SHORTEST {
                (self.size, self.tau) = (now, tau);
                return part;
            }
            part *= 0.5;
        }
    }

    /// Moves each contact by a part of its step, then evaluates laws and errors. Gives the size of what is left, as a
    /// velocity.
    fn evaluate(&mut self, scaled: &Scaled, part: f64, tau: f64) -> f64 {
        let mut energy = 0.0;
        for (i, point) in self.points.iter_mut().enumerate() {
            let mu = scaled.mu[i];
            if part > 0.0 {
                point.go(part, mu);
            }
            point.law = Smooth::new(point.z, mu, (tau * scaled.scale[i], self.softness));
            let r = point.law.r;
            point.error = self.w[i] - (r - point.z);
            energy += point.error.length_squared();
            self.work.0[i] = self.p[i] - r;
        }
        scaled.times(&self.work.0, &mut self.work.1);
        energy += dot(&self.work.0, &self.work.1).max(0.0);
        (energy / self.weight).sqrt()
    }
}

impl Point {
    /// `z = r − u` after a part of the step, with what the law forbids taken out of `r` and `u` first.
    fn go(&mut self, part: f64, mu: f64) {
        let (r, u) = (
            self.from.0 + self.step.0 * part,
            self.from.1 + self.step.1 * part,
        );
        self.z = lawful(r, u, mu);
    }
}

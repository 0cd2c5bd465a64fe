//! The solutions of the assembled problem with a smoothed law, for arc-length continuation.
//!
//! > `F(z, τ) = (W + ε) φ_τ(z) + q − φ_τ(z) + z = 0`
//!
//! It takes some hundred factorisations for a few contacts, and is for problems on which all else has stagnated.

use super::assembled_system::AssembledSystem;
use super::equilibrated::Equilibrated;
use crate::continuation::arclength::{self, ArclengthContinuation, ContactUnknown};
use crate::continuation::smoothed_law::SmoothedLaw;
use crate::linear::block3::Factors;
use crate::linear::ordering::Pattern;
use crate::linear::vectors::zeros;
use crate::problem::cone::project_disc;
use glam::{DMat3, DVec3};

/// τ at the start and at the end, in units of max‖q‖.
const START: f64 = 10.0;
const END: f64 = 1e-7;
/// `ε`: without it impulses that are not unique make the matrix singular. The Newton steps that follow take it away.
const EPS: f64 = 1e-8;
/// Newton steps to the start.
const APPROACH: usize = 50;
/// Steps at most, of both kinds.
const STEPS: usize = 2000;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct SmoothedCurve {
    continuation: ArclengthContinuation,
    left: usize,
    /// ln τ at the end.
    end: f64,
    linearisation: Linearisation,
}

/// What a linearisation needs.
#[derive(Debug, Clone, Default)]
struct Linearisation {
    laws: Vec<SmoothedLaw>,
    /// `P` and `1 − P` of each contact, as in `smoothed_system`.
    part: Vec<(DMat3, DMat3)>,
    f: Vec<DVec3>,
    by_log_tau: Vec<DVec3>,
    newton: Vec<DVec3>,
    slope: Vec<DVec3>,
    lu: Factors,
}

impl SmoothedCurve {
    /// Factorisations so far.
    pub fn factored(&self) -> usize {
        self.linearisation.lu.factored()
    }

    /// Starts at large τ.
    pub fn start(&mut self, equilibrated: &Equilibrated) {
        let speed = equilibrated.largest_speed();
        self.end = libm::log(END * speed);
        self.left = STEPS;
        let contacts = equilibrated.q.iter().zip(&equilibrated.scale);
        let unknowns = contacts
            .zip(&equilibrated.mu)
            .map(|((q, c), mu)| ContactUnknown::new(-*q, *mu, *c));
        self.continuation
            .begin(libm::log(START * speed), APPROACH, unknowns);
        self.linearisation.resize(equilibrated.contacts());
    }

    /// One factorisation; false when the continuation has ended.
    pub fn iterate(&mut self, system: &AssembledSystem) -> bool {
        self.left -= 1;
        self.continuation.step(&mut View {
            linearisation: &mut self.linearisation,
            equilibrated: &system.equilibrated,
            pattern: &system.pattern,
        });
        let continues = self.continuation.continues(self.end);
        if !continues && self.continuation.is_on_curve() {
            self.continuation.restore();
        }
        continues && self.left > 0
    }

    /// Impulses within their cones.
    pub fn impulses(&self, equilibrated: &Equilibrated, r: &mut [DVec3]) {
        let unknowns = self.continuation.unknowns.iter().zip(&equilibrated.mu);
        for (r, (unknown, mu)) in r.iter_mut().zip(unknowns) {
            *r = project_disc(unknown.z, *mu);
        }
    }
}

/// The linearisation with the problem that it is of.
struct View<'a> {
    linearisation: &'a mut Linearisation,
    equilibrated: &'a Equilibrated,
    pattern: &'a Pattern,
}

impl arclength::SmoothedCurve for View<'_> {
    /// `A = (1 − φ′) + (W + ε) φ′`.
    fn linearise(&mut self, log_tau: f64, unknowns: &mut [ContactUnknown]) -> bool {
        let own = &mut *self.linearisation;
        own.evaluate(self.equilibrated, libm::exp(log_tau), unknowns);
        if !own.factor(self.equilibrated, self.pattern) {
            return false;
        }
        own.lu.solve(self.pattern, &own.f, &mut own.newton);
        own.lu.solve(self.pattern, &own.by_log_tau, &mut own.slope);
        let solutions = own.newton.iter().zip(&own.slope);
        for (unknown, (newton, slope)) in unknowns.iter_mut().zip(solutions) {
            (unknown.newton, unknown.slope) = (*newton, *slope);
        }
        let mut all = own.newton.iter().chain(&own.slope);
        all.all(|d| d.is_finite())
    }
}

impl Linearisation {
    fn resize(&mut self, contacts: usize) {
        for list in [
            &mut self.f,
            &mut self.by_log_tau,
            &mut self.newton,
            &mut self.slope,
        ] {
            zeros(list, contacts);
        }
    }

    /// Laws, `F` and `∂F/∂ln τ`.
    fn evaluate(&mut self, equilibrated: &Equilibrated, tau: f64, unknowns: &[ContactUnknown]) {
        self.laws.clear();
        self.part.clear();
        let contacts = equilibrated.mu.iter().zip(&equilibrated.scale);
        for (unknown, (mu, c)) in unknowns.iter().zip(contacts) {
            let law = SmoothedLaw::new(unknown.z, *mu, tau * c, 0.0);
            let s = law.stiffness();
            let rest = (DMat3::IDENTITY + s).inverse();
            self.laws.push(law);
            self.part.push((s * rest, rest));
        }
        let laws = self.laws.iter().zip(&equilibrated.scale);
        for ((slope, newton), (law, c)) in self.slope.iter_mut().zip(&mut self.newton).zip(laws) {
            *slope = law.rate * (tau * c);
            *newton = law.r;
        }
        equilibrated.velocities(&self.newton, &mut self.f);
        equilibrated.times(&self.slope, &mut self.by_log_tau);
        for (i, unknown) in unknowns.iter().enumerate() {
            self.f[i] += unknown.z - self.newton[i] * (1.0 - EPS);
            self.by_log_tau[i] -= self.slope[i] * (1.0 - EPS);
        }
    }

    fn factor(&mut self, equilibrated: &Equilibrated, pattern: &Pattern) -> bool {
        let part = &self.part;
        let mut diagonal = equilibrated.diagonal.iter().copied().peekable();
        let shift = DMat3::IDENTITY * EPS;
        let block = |e: usize| {
            let (own, rest) = part[equilibrated.column[e]];
            match diagonal.next_if_eq(&e) {
                None => equilibrated.block[e] * own,
                Some(_) => (equilibrated.block[e] + shift) * own + rest,
            }
        };
        self.lu.factor(pattern, block, |_| false)
    }
}

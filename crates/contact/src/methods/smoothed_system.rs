//! The assembled problem with a smoothed law, for a homotopy.
//!
//! > `w = W p + q`, `w = r − z`, `p = r`, `r = φ_τ(z)`
//!
//! in `(p, z)`. With `S = φ′ (1 − φ′)⁻¹` and the step `Δw = W Δp` the Newton system is `(1 + W S) Δw = W a`; it is
//! factored as `(1 − P) + W P`, `P = S (1 + S)⁻¹`, whose pattern is that of `W` and whose entries stay of the order of
//! one. Where a linear step leads a contact out of its law (tension, or penetration) the other of its two unknowns
//! decides. `S⁻¹ + ε` takes the place of `S⁻¹`: a proximal term around the present impulses, since those of an
//! over-constrained structure are not unique.
//!
//! The fixed points of Alart and Curnier's projection, which φ smooths, are those of the exact cone.

use super::assembled_system::AssembledSystem;
use super::equilibrated::Equilibrated;
use crate::continuation::homotopy::{self, Settings, Smoothing, SmoothingHomotopy};
use crate::continuation::smoothed_law::{SmoothedLaw, project_feasible};
use crate::linear::block3::Factors;
use crate::linear::ordering::Pattern;
use crate::linear::vectors::{dot, zeros};
use crate::problem::cone::project_disc;
use glam::{DMat3, DVec3};

/// The homotopy, but for its softness.
const SETTINGS: Settings = Settings {
    start: 0.1,
    end: 1e-7,
    softness: 0.0,
    adaptive_softness: false,
    steps: 100,
    patience: usize::MAX,
    // The few contacts that held up the step are settled among their neighbours.
    sweeps: 60,
};
/// Normal stiffness under which a contact is left out of the matrix: it costs no more than that part of the speed.
const NEGLIGIBLE: f64 = 1e-3;

#[derive(Debug, Clone, Default)]
pub(super) struct SmoothedSystem {
    homotopy: SmoothingHomotopy,
    state: State,
}

/// The present point and the step from it.
#[derive(Debug, Clone, Default)]
struct State {
    /// `Σ c²`, which makes velocities of scaled ones.
    weight: f64,
    contacts: Vec<SmoothedContact>,
    p: Vec<DVec3>,
    /// `W p + q`.
    w: Vec<DVec3>,
    /// Steps of both.
    step: (Vec<DVec3>, Vec<DVec3>),
    from: (Vec<DVec3>, Vec<DVec3>),
    work: (Vec<DVec3>, Vec<DVec3>),
    lu: Factors,
}

/// One contact at the present point.
#[derive(Debug, Clone, Copy, Default)]
struct SmoothedContact {
    z: DVec3,
    /// `w − (r − z)`.
    error: DVec3,
    law: SmoothedLaw,
    /// `P` and `1 − P`.
    part: (DMat3, DMat3),
    /// Where the step starts, and the linear step, in `(r, u)`.
    from: (DVec3, DVec3),
    step: (DVec3, DVec3),
}

impl SmoothedSystem {
    /// Factorisations so far.
    pub fn factored(&self) -> usize {
        self.state.lu.factored()
    }

    /// Starts at the impulses of the system.
    pub fn start(&mut self, system: &AssembledSystem, softness: f64) {
        let equilibrated = &system.equilibrated;
        self.state.start(equilibrated, &system.r);
        let settings = Settings {
            softness,
            ..SETTINGS
        };
        let speed = equilibrated.largest_speed();
        let mut view = self.state.view(equilibrated, &system.pattern);
        self.homotopy.begin(settings, speed, &mut view);
    }

    /// One Newton step; false when the homotopy has ended.
    pub fn iterate(&mut self, system: &AssembledSystem) -> bool {
        let mut view = self.state.view(&system.equilibrated, &system.pattern);
        self.homotopy.step(&mut view)
    }

    /// Impulses within their cones.
    pub fn impulses(&self, equilibrated: &Equilibrated, r: &mut [DVec3]) {
        self.state.impulses(equilibrated, r);
    }
}

/// The state with the problem that it belongs to.
struct View<'a> {
    state: &'a mut State,
    equilibrated: &'a Equilibrated,
    pattern: &'a Pattern,
}

impl State {
    fn view<'a>(&'a mut self, equilibrated: &'a Equilibrated, pattern: &'a Pattern) -> View<'a> {
        View {
            state: self,
            equilibrated,
            pattern,
        }
    }

    fn start(&mut self, equilibrated: &Equilibrated, r: &[DVec3]) {
        let n = equilibrated.contacts();
        self.weight = equilibrated.scale.iter().map(|c| c * c).sum();
        self.contacts.clear();
        self.contacts.resize(n, SmoothedContact::default());
        self.p.clear();
        self.p.extend_from_slice(r);
        zeros(&mut self.w, n);
        for pair in [&mut self.step, &mut self.from, &mut self.work] {
            zeros(&mut pair.0, n);
            zeros(&mut pair.1, n);
        }
        self.place(equilibrated);
    }

    /// Makes the impulses `p` and their velocities the present point.
    fn place(&mut self, equilibrated: &Equilibrated) {
        equilibrated.velocities(&self.p, &mut self.w);
        for ((contact, p), w) in self.contacts.iter_mut().zip(&self.p).zip(&self.w) {
            contact.z = *p - *w;
        }
    }

    fn impulses(&self, equilibrated: &Equilibrated, r: &mut [DVec3]) {
        for ((r, contact), mu) in r.iter_mut().zip(&self.contacts).zip(&equilibrated.mu) {
            *r = project_disc(contact.z, *mu);
        }
    }

    /// Laws, errors and their size as a velocity.
    fn evaluate(&mut self, equilibrated: &Equilibrated, smoothing: Smoothing) -> f64 {
        let mut energy = 0.0;
        for (i, contact) in self.contacts.iter_mut().enumerate() {
            let (mu, tau) = (equilibrated.mu[i], smoothing.tau * equilibrated.scale[i]);
            contact.law = SmoothedLaw::new(contact.z, mu, tau, smoothing.softness);
            let r = contact.law.r;
            contact.error = self.w[i] - (r - contact.z);
            energy += contact.error.length_squared();
            self.work.0[i] = self.p[i] - r;
        }
        equilibrated.times(&self.work.0, &mut self.work.1);
        energy += dot(&self.work.0, &self.work.1).max(0.0);
        (energy / self.weight).sqrt()
    }

    /// `P` and `1 − P` of each contact, and `W a` for the step in which τ falls by `fall`.
    fn linearise(&mut self, equilibrated: &Equilibrated, fall: f64) {
        for (i, contact) in self.contacts.iter_mut().enumerate() {
            let s = contact.law.stiffness();
            contact.part = if contact.law.normal_stiffness() > NEGLIGIBLE {
                let rest = (DMat3::IDENTITY + s).inverse();
                (s * rest, rest)
            } else {
                (DMat3::ZERO, DMat3::IDENTITY)
            };
            let f = contact.law.rate * fall * equilibrated.scale[i];
            self.work.0[i] = contact.law.r - self.p[i] - s * (contact.error + f) - f;
        }
        equilibrated.times(&self.work.0, &mut self.work.1);
    }

    /// Factors `(1 − P) + W P`; false where it is singular.
    fn factor(&mut self, equilibrated: &Equilibrated, pattern: &Pattern) -> bool {
        let contacts = &self.contacts;
        let mut diagonal = equilibrated.diagonal.iter().copied().peekable();
        let block = |e: usize| {
            let (part, rest) = contacts[equilibrated.column[e]].part;
            let b = equilibrated.block[e] * part;
            match diagonal.next_if_eq(&e) {
                None => b,
                Some(_) => b + rest,
            }
        };
        self.lu.factor(pattern, block, |e| {
            contacts[equilibrated.column[e]].part.0 == DMat3::ZERO
        })
    }
}

impl homotopy::SmoothedSystem for View<'_> {
    fn evaluate(&mut self, smoothing: Smoothing) -> f64 {
        self.state.evaluate(self.equilibrated, smoothing)
    }

    fn step(&mut self, _: f64, fall: f64) -> bool {
        let Self {
            state,
            equilibrated,
            pattern,
        } = self;
        state.linearise(equilibrated, fall);
        if !state.factor(equilibrated, pattern) {
            return false;
        }
        state.lu.solve(pattern, &state.work.1, &mut state.step.1);
        let solution = state.step.1.iter().zip(&state.contacts);
        for ((dp, a), (y, contact)) in state.step.0.iter_mut().zip(&state.work.0).zip(solution) {
            *dp = *a - contact.part.0 * *y;
        }
        if !state.step.0.iter().all(|d| d.is_finite()) {
            return false;
        }
        equilibrated.times(&state.step.0, &mut state.step.1);
        for (i, contact) in state.contacts.iter_mut().enumerate() {
            let f = contact.law.rate * fall * equilibrated.scale[i];
            let (r, u) = (contact.law.r, contact.law.r - contact.z);
            let change = state.w[i] + state.step.1[i] - u;
            contact.from = (r, u);
            contact.step = (-(contact.law.stiffness() * (change + f)) - f, change);
        }
        state.from.0.copy_from_slice(&state.p);
        state.from.1.copy_from_slice(&state.w);
        true
    }

    fn apply(&mut self, part: f64, smoothing: Smoothing) -> f64 {
        let state = &mut *self.state;
        for i in 0..state.p.len() {
            state.p[i] = state.from.0[i] + state.step.0[i] * part;
            state.w[i] = state.from.1[i] + state.step.1[i] * part;
        }
        for (contact, mu) in state.contacts.iter_mut().zip(&self.equilibrated.mu) {
            let r = contact.from.0 + contact.step.0 * part;
            let u = contact.from.1 + contact.step.1 * part;
            contact.z = project_feasible(r, u, *mu);
        }
        state.evaluate(self.equilibrated, smoothing)
    }

    fn restart(&mut self, sweeps: usize) {
        let state = &mut *self.state;
        let mut r = std::mem::take(&mut state.p);
        state.impulses(self.equilibrated, &mut r);
        state.p = r;
        self.equilibrated.sweep(sweeps, &mut state.p);
        state.place(self.equilibrated);
    }
}

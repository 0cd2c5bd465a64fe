//! Homotopy in the smoothing τ, from a problem that is easy to the neighbourhood of a solution.
//!
//! Far from a solution Newton's method on the law itself changes the state of a few contacts a step. Here the law is
//! smoothed over velocities of size τ ([`super::smoothed_law::SmoothedLaw`]), and one Newton step follows both the
//! residual and the fall of τ, as an interior point method does. Step lengths come from backtracking on the residual.
//! Where steps stay short the homotopy stagnates, at its end or at a fold: τ goes up, sweeps on the law itself change
//! the starting point, and τ falls more slowly.

use super::step_control::{FallControl, SHORT, Stagnation};

/// τ at most after a retreat, in units of max‖q‖, and the factor by which it goes up.
const LARGEST: f64 = 0.1;
const RETREAT: f64 = 10.0;
/// Residual after a step, in units of τ, up to which τ falls on.
const NEAR: f64 = 3.0;
/// Part of a step below which it is taken as it is.
const SHORTEST: f64 = 0.01;
/// Part of the residual that a whole step at one τ may leave before the softness falls, the factor by which it does,
/// and the least. With these and a patience of 12 poured cubes after 2 s take 0.82 times the steps and hulls 0.73
/// times.
const LEFT: f64 = 0.3;
const HARDER: f64 = 0.1;
const LEAST_SOFTNESS: f64 = 1e-8;

/// How far a law is smoothed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Smoothing {
    /// τ, m/s.
    pub tau: f64,
    /// `ε` of the proximal term in the stiffness, in units of the contact's own `1/ρ`: it bends a step and not the
    /// solution, where impulses are not unique.
    pub softness: f64,
}

/// A smoothed problem with a present point, which the homotopy moves.
pub(crate) trait SmoothedSystem {
    /// Residual at the present point, as a velocity; laws are evaluated first.
    fn evaluate(&mut self, smoothing: Smoothing) -> f64;
    /// The Newton step in which τ is to fall from `tau` by `fall`; false where the matrix is singular.
    fn step(&mut self, tau: f64, fall: f64) -> bool;
    /// Moves to a part of the step from where it began, and evaluates there. The whole step comes first.
    fn apply(&mut self, part: f64, smoothing: Smoothing) -> f64;
    /// Takes the impulses into their cones, does sweeps on the law itself, and makes the result the present point.
    fn restart(&mut self, sweeps: usize);
}

/// What differs between problems.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Settings {
    /// τ at the start and at the end, in units of max‖q‖.
    pub start: f64,
    pub end: f64,
    /// Softness at the start.
    pub softness: f64,
    /// Whether it falls where whole steps leave much.
    pub adaptive_softness: bool,
    /// Newton steps at most.
    pub steps: usize,
    /// Steps in which τ has to halve.
    pub patience: usize,
    /// Sweeps on the law itself after stagnation.
    pub sweeps: usize,
}

/// The state of a homotopy: [`SmoothingHomotopy::begin`], then [`SmoothingHomotopy::step`] while it continues.
#[derive(Debug, Clone, Default)]
pub(crate) struct SmoothingHomotopy {
    settings: Settings,
    now: Smoothing,
    /// τ at the end and at most, m/s.
    end: f64,
    largest: f64,
    fall: FallControl,
    stagnation: Stagnation,
    residual: f64,
    done: usize,
}

impl SmoothingHomotopy {
    /// Starts at the present point of a system whose `max‖q‖` is `speed` (m/s).
    pub fn begin(&mut self, settings: Settings, speed: f64, system: &mut impl SmoothedSystem) {
        let tau = settings.start * speed;
        *self = Self {
            settings,
            now: Smoothing {
                tau,
                softness: settings.softness,
            },
            end: settings.end * speed,
            largest: LARGEST * speed,
            fall: FallControl::default(),
            stagnation: Stagnation::at(tau),
            residual: 0.0,
            done: 0,
        };
        self.residual = system.evaluate(self.now);
    }

    /// Whether there is a step to do.
    pub fn continues(&self) -> bool {
        self.done < self.settings.steps && self.now.tau > self.end
    }

    /// Newton steps done.
    pub fn steps(&self) -> usize {
        self.done
    }

    /// The present τ, m/s.
    pub fn tau(&self) -> f64 {
        self.now.tau
    }

    /// Whether the present point is made of finite numbers.
    pub fn is_finite(&self) -> bool {
        self.residual.is_finite()
    }

    /// One Newton step; false where it is the last: the end is reached, or the system is singular or not finite.
    pub fn step(&mut self, system: &mut impl SmoothedSystem) -> bool {
        let fall = if self.residual <= self.now.tau {
            self.fall.fall(self.now.tau)
        } else {
            0.0
        };
        if !system.step(self.now.tau, fall) {
            return false;
        }
        self.done += 1;
        let before = self.residual;
        let part = self.search(system, fall);
        if !self.is_finite() {
            return false;
        }
        let patience = self.settings.patience;
        if self.stagnation.after(part, self.now.tau, patience) {
            self.retreat(system);
            return self.continues();
        }
        if self.adapt_softness(part, fall == 0.0 && self.residual > LEFT * before) {
            self.residual = system.evaluate(self.now);
        }
        if fall > 0.0 {
            self.fall.adapt(part);
        }
        self.continues()
    }

    /// Takes the largest of the parts 1, ½, ¼ … of the step that stays near the solutions for its τ or comes closer to
    /// them.
    fn search(&mut self, system: &mut impl SmoothedSystem, fall: f64) -> f64 {
        let mut part = 1.0;
        loop {
            let at = Smoothing {
                tau: self.now.tau - part * fall,
                ..self.now
            };
            let residual = system.apply(part, at);
            let near = fall > 0.0 && residual <= NEAR * at.tau;
            if near || residual <= (1.0 - 0.1 * part) * self.residual || part < SHORTEST {
                (self.residual, self.now) = (residual, at);
                return part;
            }
            part *= 0.5;
        }
    }

    /// Back up to a larger τ, from where sweeps lead.
    fn retreat(&mut self, system: &mut impl SmoothedSystem) {
        self.now = Smoothing {
            tau: (RETREAT * self.now.tau).min(self.largest),
            softness: self.settings.softness,
        };
        self.fall = FallControl::after_retreat();
        self.stagnation = Stagnation::at(self.now.tau);
        system.restart(self.settings.sweeps);
        self.residual = system.evaluate(self.now);
    }

    /// The softness falls after a whole step that has left much, and is what it was at first after a short one. Whether
    /// it has changed.
    fn adapt_softness(&mut self, part: f64, left_much: bool) -> bool {
        if !self.settings.adaptive_softness {
            return false;
        }
        let old = self.now.softness;
        if part < SHORT {
            self.now.softness = self.settings.softness;
        } else if part == 1.0 && left_much {
            self.now.softness = (HARDER * old).max(LEAST_SOFTNESS).min(old);
        }
        self.now.softness != old
    }
}

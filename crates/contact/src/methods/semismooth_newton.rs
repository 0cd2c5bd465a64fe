//! Proximal point iteration with semismooth Newton steps.
//!
//! `G(z) + ε (r − r_c) = 0` is solved inexactly by semismooth Newton steps, with a non-monotone line search on
//! `‖(1 + W + ε)⁻¹ G_ε‖` and splitting steps where they fail. The centre `r_c` follows, so `ε` leaves no bias, and a
//! rank-deficient `W` (self-stress in a stack) does no harm.

use super::assembled_system::AssembledSystem;
use super::generalized_jacobian::{JacobianElement, generalized_jacobian_element};
use crate::linear::block3::Factors;
use crate::linear::vectors::{norm, zeros};
use crate::problem::cone::project;
use glam::{DMat3, DVec3};

/// Newton steps per centre.
const INNER: usize = 10;
/// Splitting steps where a Newton step is refused.
const FALLBACK: usize = 20;
/// Factor by which a centre's merit must fall.
const ENOUGH: f64 = 0.1;
/// Change of ε after success or failure.
const RATE: f64 = 0.3;

#[derive(Debug, Clone, Default)]
pub(super) struct SemismoothNewton {
    eps: f64,
    factored: f64,
    /// Successes in a row, and how many are waited for before ε falls.
    successes: usize,
    wait: usize,
    inner: Option<Inner>,
    centre: Vec<DVec3>,
    best: (f64, Vec<DVec3>),
    lu: Factors,
    elements: Vec<JacobianElement>,
    trial: (Vec<DVec3>, Vec<DVec3>, Vec<DVec3>),
    newton: Vec<DVec3>,
    measured: Vec<DVec3>,
}

/// Progress towards the present centre.
#[derive(Debug, Clone)]
struct Inner {
    steps: usize,
    start: f64,
    recent: [f64; 3],
}

impl SemismoothNewton {
    /// Factorisations so far.
    pub fn factored(&self) -> usize {
        self.lu.factored()
    }

    /// Starts anew with this ε.
    pub fn start(&mut self, contacts: usize, eps: f64) {
        self.eps = eps;
        self.factored = f64::NAN;
        (self.successes, self.wait) = (0, 0);
        self.inner = None;
        self.best.0 = f64::INFINITY;
        let (z, g, r) = &mut self.trial;
        let trial = [z, g, r, &mut self.newton, &mut self.measured];
        for list in trial
            .into_iter()
            .chain([&mut self.centre, &mut self.best.1])
        {
            zeros(list, contacts);
        }
    }

    /// One Newton step (or its fallback), with the change of centre where one is due.
    pub fn iterate(&mut self, system: &mut AssembledSystem) {
        let mut inner = match self.inner.take() {
            Some(inner) => inner,
            None => self.recentre(system),
        };
        let limit = inner.recent.iter().copied().fold(0.0, f64::max);
        let merit = match self.newton_step(system, limit) {
            Some(merit) => merit,
            None => self.fall_back(system),
        };
        inner.steps += 1;
        inner.recent = [inner.recent[1], inner.recent[2], merit];
        if merit < self.best.0 {
            self.best.0 = merit;
            self.best.1.copy_from_slice(&system.z);
        }
        let success = merit < ENOUGH * inner.start;
        if success || inner.steps >= INNER {
            self.adapt(success);
        } else {
            self.inner = Some(inner);
        }
    }

    fn recentre(&mut self, system: &mut AssembledSystem) -> Inner {
        if self.best.0.is_finite() {
            system.z.copy_from_slice(&self.best.1);
        }
        for ((c, z), mu) in self
            .centre
            .iter_mut()
            .zip(&system.z)
            .zip(&system.equilibrated.mu)
        {
            *c = project(*z, *mu);
        }
        if self.factored != self.eps {
            system.refactor(self.eps);
            self.factored = self.eps;
        }
        system.equilibrated.normal_map(
            &system.z,
            Some((&self.centre, self.eps)),
            &mut system.g,
            &mut system.r,
        );
        let start = self.merit(system);
        self.best.0 = start;
        self.best.1.copy_from_slice(&system.z);
        Inner {
            steps: 0,
            start,
            recent: [0.0, 0.0, start],
        }
    }

    /// `‖(1 + W + ε)⁻¹ G_ε‖` at the present point: the length of a splitting step.
    fn merit(&mut self, system: &mut AssembledSystem) -> f64 {
        system.split_map(&mut self.measured);
        norm(&self.measured)
    }

    /// Takes the Newton step if some part of it brings the merit under the largest of the last three.
    fn newton_step(&mut self, system: &mut AssembledSystem, limit: f64) -> Option<f64> {
        if !self.factor(system) {
            return None;
        }
        self.lu.solve(&system.pattern, &system.g, &mut self.newton);
        if !self.newton.iter().all(|d| d.is_finite()) {
            return None;
        }
        let mut part = 1.0;
        for _ in 0..6 {
            let (z, g, r) = (&mut self.trial.0, &mut self.trial.1, &mut self.trial.2);
            for ((t, z), d) in z.iter_mut().zip(&system.z).zip(&self.newton) {
                *t = *z - *d * part;
            }
            system
                .equilibrated
                .normal_map(z, Some((&self.centre, self.eps)), g, r);
            system.split(g, &mut self.measured);
            let merit = norm(&self.measured);
            if merit < (1.0 - 0.1 * part) * limit {
                std::mem::swap(z, &mut system.z);
                std::mem::swap(g, &mut system.g);
                std::mem::swap(r, &mut system.r);
                return Some(merit);
            }
            part *= 0.5;
        }
        None
    }

    /// Factors `J = (W + ε − 1) dP + 1 + n dsᵀ`, whose pattern is that of `W`.
    fn factor(&mut self, system: &AssembledSystem) -> bool {
        let equilibrated = &system.equilibrated;
        self.elements.clear();
        self.elements.extend(
            system
                .z
                .iter()
                .zip(&equilibrated.mu)
                .map(|(z, mu)| generalized_jacobian_element(*z, *mu)),
        );
        let elements = &self.elements;
        let shift = DMat3::IDENTITY * (self.eps - 1.0);
        let mut diagonal = equilibrated.diagonal.iter().copied().enumerate().peekable();
        let block = |e: usize| {
            let own = elements[equilibrated.column[e]];
            match diagonal.next_if(|&(_, at)| at == e) {
                None => equilibrated.block[e] * own.projection,
                Some(_) => {
                    let mut b = (equilibrated.block[e] + shift) * own.projection + DMat3::IDENTITY;
                    b.x_axis.x += own.slip.x;
                    b.y_axis.x += own.slip.y;
                    b.z_axis.x += own.slip.z;
                    b
                }
            }
        };
        self.lu.factor(&system.pattern, block, |e| {
            elements[equilibrated.column[e]].open
        })
    }

    /// Plain splitting steps on the regularised problem.
    fn fall_back(&mut self, system: &mut AssembledSystem) -> f64 {
        for _ in 0..FALLBACK {
            system.split_map(&mut self.measured);
            for (z, d) in system.z.iter_mut().zip(&self.measured) {
                *z -= *d * 1.5;
            }
            system.equilibrated.normal_map(
                &system.z,
                Some((&self.centre, self.eps)),
                &mut system.g,
                &mut system.r,
            );
        }
        self.merit(system)
    }

    /// ε falls with success and grows with failure; after a failure success must come several times in a row.
    fn adapt(&mut self, success: bool) {
        if success {
            self.successes += 1;
            if self.successes > self.wait {
                self.eps = (self.eps * RATE).max(1e-10);
                self.successes = 0;
            }
        } else {
            self.eps = (self.eps / RATE).min(1.0);
            self.successes = 0;
            self.wait = 3;
        }
    }
}

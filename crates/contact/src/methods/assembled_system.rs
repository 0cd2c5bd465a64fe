//! The equilibrated problem with its factors, and the present point of the methods that share it.

use super::body_factors::BodyFactors;
use super::equilibrated::Equilibrated;
use crate::linear::block3::Factors;
use crate::linear::minimum_degree::MinimumDegree;
use crate::linear::ordering::Pattern;
use crate::linear::vectors::zeros;
use crate::problem::FrictionContactProblem;
use crate::problem::cone::tangential;
use glam::{DMat3, DVec3};

/// The equilibrated problem, and where the solution stands.
#[derive(Debug, Clone, Default)]
pub(super) struct AssembledSystem {
    pub equilibrated: Equilibrated,
    pub pattern: Pattern,
    search: MinimumDegree,
    /// Factors of `1 + W`, later of `1 + W + ε`, by contacts or by bodies.
    splitting: Factors,
    bodies: Option<Box<BodyFactors>>,
    /// Factorisations for splittings so far.
    pub factored: usize,
    /// `1 + ε` of the present factors.
    shift: f64,
    /// The unknown of the normal map, the map, the impulses, and the step of a splitting.
    pub z: Vec<DVec3>,
    pub g: Vec<DVec3>,
    pub r: Vec<DVec3>,
    pub step: Vec<DVec3>,
}

impl AssembledSystem {
    /// Takes another problem, and starts from impulses.
    pub fn start(&mut self, problem: &FrictionContactProblem, impulses: &[DVec3], limit: f64) {
        let equilibrated = &mut self.equilibrated;
        equilibrated.load(problem);
        equilibrated.limit_friction(problem.mu(), limit);
        self.pattern.order.clear();
        if let Some(jacobian) = problem.jacobian() {
            let bodies = self.bodies.get_or_insert_default();
            let (scale, mu) = (&equilibrated.scale, problem.mu());
            bodies.load(jacobian, scale, mu, &mut self.search);
            // Only Newton's method needs the pattern of the contacts.
        } else {
            self.bodies = None;
            self.arrange();
        }
        for list in [&mut self.z, &mut self.g, &mut self.r, &mut self.step] {
            zeros(list, problem.contacts());
        }
        self.refactor(0.0);
        if impulses.iter().any(|r| *r != DVec3::ZERO) {
            self.equilibrated.scaled(impulses, &mut self.r);
            self.equilibrated.start(&self.r, &mut self.z);
        }
    }

    /// Finds the pattern of the contacts where it is not known.
    pub fn arrange(&mut self) {
        if self.pattern.order.len() == self.contacts() {
            return;
        }
        let equilibrated = &self.equilibrated;
        self.pattern.arrange(
            &equilibrated.row_start,
            &equilibrated.column,
            &mut self.search,
        );
    }

    /// Whether the bodies are factored for splittings.
    pub fn is_by_bodies(&self) -> bool {
        self.bodies.is_some()
    }

    pub fn contacts(&self) -> usize {
        self.equilibrated.contacts()
    }

    /// Whether a contact slips that would not with its own friction.
    pub fn slips_held_back(&self, mu: &[f64]) -> bool {
        let contacts = self.r.iter().zip(mu).zip(&self.equilibrated.mu);
        contacts
            .filter(|((_, own), mu)| own > mu)
            .any(|((r, _), mu)| tangential(*r) > (1.0 - 1e-6) * mu * r.x)
    }

    /// Factors `1 + ε + W`.
    pub fn refactor(&mut self, eps: f64) -> bool {
        self.factored += 1;
        self.shift = 1.0 + eps;
        if let Some(bodies) = &mut self.bodies {
            return bodies.factor(1.0 + eps);
        }
        let equilibrated = &self.equilibrated;
        let shift = DMat3::IDENTITY * (1.0 + eps);
        let mut diagonal = equilibrated.diagonal.iter().copied().peekable();
        let block = |e: usize| match diagonal.next_if_eq(&e) {
            None => equilibrated.block[e],
            Some(_) => equilibrated.block[e] + shift,
        };
        self.splitting.factor(&self.pattern, block, |_| false)
    }

    /// The step of a splitting from `z`, `(1 + ε + W)⁻¹ G(z)`, and its impulses. Part of `G` is `(1 + ε + W) r`, whose
    /// step is `r`: nothing is multiplied by `W`.
    pub fn splitting_step(&mut self) {
        let (shift, g, r) = (self.shift, &mut self.g, &mut self.r);
        self.equilibrated.splitting_map(&self.z, shift, g, r);
        let mut step = std::mem::take(&mut self.step);
        self.split_map(&mut step);
        self.step = step;
        for (step, r) in self.step.iter_mut().zip(&self.r) {
            *step += *r;
        }
    }

    /// Solves `(1 + ε + W) x = b` with the present factors.
    pub fn split(&mut self, b: &[DVec3], x: &mut [DVec3]) {
        match &mut self.bodies {
            Some(bodies) => bodies.solve(b, x),
            None => self.splitting.solve(&self.pattern, b, x),
        }
    }

    /// The same for the map `g` itself.
    pub fn split_map(&mut self, x: &mut [DVec3]) {
        let g = std::mem::take(&mut self.g);
        self.split(&g, x);
        self.g = g;
    }
}

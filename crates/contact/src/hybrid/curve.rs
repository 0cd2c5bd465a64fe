//! The curve of all smoothed problems' solutions, past the folds at which [`super::path`] ends.
//!
//! > `F(z, τ) = (W + ε) φ_τ(z) + q − φ_τ(z) + z = 0`
//!
//! is followed by [`crate::arclength`]. It takes some hundred factorisations for a few contacts, and is the way out where
//! all else has failed.

use super::scaled::Scaled;
use super::three::Factors;
use super::zeros;
use crate::arclength::{Arclength, Place};
use crate::cone::project_disc;
use crate::ordering::Pattern;
use crate::smooth::Smooth;
use glam::{DMat3, DVec3};

/// τ at the start and at the end, in units of max‖q‖.
const START: f64 = 10.0;
const END: f64 = 1e-7;
/// `ε`: without it impulses that are not unique make the matrix singular. The Newton steps that follow take it away.
const EPS: f64 = 1e-8;
/// Newton steps to the start.
const TO_START: usize = 50;
/// Steps at most, of both kinds.
const STEPS: usize = 2000;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Curve {
    way: Arclength,
    on_curve: bool,
    left: usize,
    /// ln τ at the end.
    lowest: f64,
    laws: Vec<Smooth>,
    part: Vec<(DMat3, DMat3)>,
    f: Vec<DVec3>,
    by_height: Vec<DVec3>,
    newton: Vec<DVec3>,
    slope: Vec<DVec3>,
    lu: Factors,
}

impl Curve {
    /// Starts far above the problem.
    pub fn start(&mut self, scaled: &Scaled) {
        let n = scaled.contacts();
        let contacts = scaled.q.iter().zip(&scaled.scale).zip(&scaled.mu);
        let speeds = contacts.clone().map(|((q, c), _)| q.length() / c);
        let speed = speeds.fold(0.0, f64::max);
        self.lowest = (END * speed).ln();
        self.left = STEPS;
        self.on_curve = false;
        let places = contacts.map(|((q, c), mu)| Place::new(-*q, *mu, *c));
        self.way.begin((START * speed).ln(), places);
        for list in [
            &mut self.f,
            &mut self.by_height,
            &mut self.newton,
            &mut self.slope,
        ] {
            zeros(list, n);
        }
    }

    /// One factorisation; false when the curve has come to its end, or can not be followed.
    pub fn iterate(&mut self, scaled: &Scaled, pattern: &Pattern) -> bool {
        self.left -= 1;
        let solved = self.linearise(scaled, pattern);
        let goes_on = if self.on_curve {
            self.way.advance(solved);
            self.way.reached > self.lowest && !self.way.lost()
        } else {
            self.on_curve = solved && self.way.approach();
            solved && (self.on_curve || self.left + TO_START > STEPS)
        };
        if !goes_on && self.on_curve {
            self.way.stand();
        }
        goes_on && self.left > 0
    }

    /// Impulses within their cones.
    pub fn impulses(&self, scaled: &Scaled, r: &mut [DVec3]) {
        for ((r, place), mu) in r.iter_mut().zip(&self.way.places).zip(&scaled.mu) {
            *r = project_disc(place.z, *mu);
        }
    }

    /// `A⁻¹ F` and `A⁻¹ ∂F/∂ln τ` at the present point, `A = (1 − φ′) + (W + ε) φ′`.
    fn linearise(&mut self, scaled: &Scaled, pattern: &Pattern) -> bool {
        let tau = self.way.height.exp();
        self.laws.clear();
        self.part.clear();
        for ((place, mu), c) in self.way.places.iter().zip(&scaled.mu).zip(&scaled.scale) {
            let law = Smooth::new(place.z, *mu, (tau * c, 0.0));
            let s = law.stiffness();
            let rest = (DMat3::IDENTITY + s).inverse();
            self.laws.push(law);
            self.part.push((s * rest, rest));
        }
        for (slope, (law, c)) in self
            .slope
            .iter_mut()
            .zip(self.laws.iter().zip(&scaled.scale))
        {
            *slope = law.rate * (tau * c);
        }
        for (newton, law) in self.newton.iter_mut().zip(&self.laws) {
            *newton = law.r;
        }
        scaled.velocities(&self.newton, &mut self.f);
        scaled.times(&self.slope, &mut self.by_height);
        for i in 0..self.laws.len() {
            self.f[i] += self.way.places[i].z - self.newton[i] * (1.0 - EPS);
            self.by_height[i] -= self.slope[i] * (1.0 - EPS);
        }
        let part = &self.part;
        let mut diagonal = scaled.diagonal.iter().copied().peekable();
        let shift = DMat3::IDENTITY * EPS;
        let block = |e: usize| {
            let (own, rest) = part[scaled.column[e]];
            match diagonal.next_if_eq(&e) {
                None => scaled.block[e] * own,
                Some(_) => (scaled.block[e] + shift) * own + rest,
            }
        };
        if !self.lu.factor(pattern, block, |_| false) {
            return false;
        }
        self.lu.solve(pattern, &self.f, &mut self.newton);
        self.lu.solve(pattern, &self.by_height, &mut self.slope);
        let solutions = self.newton.iter().zip(&self.slope);
        for (place, (newton, slope)) in self.way.places.iter_mut().zip(solutions) {
            (place.newton, place.slope) = (*newton, *slope);
        }
        let mut all = self.newton.iter().chain(&self.slope);
        all.all(|d| d.is_finite())
    }
}

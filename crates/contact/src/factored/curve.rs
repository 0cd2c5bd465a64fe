//! The curve of all smoothed problems' solutions, followed by its own length.
//!
//! [`super::path`] lets the smoothing τ fall and ends at a fold, where the solution that it stands on meets another one and
//! both end. But they are one curve in `(z, τ)`,
//!
//! > `F(z, τ) = z − r + ρ (H v + b) + ε (r − r_c) = 0`, `r = φ_τ(z)`, `M (v − v₀) = Hᵀ r`,
//!
//! which turns around at a fold and goes on. At large τ there is one solution, so the curve that starts there can only end
//! at a solution of the problem itself, or at infinity. Each step goes along the tangent and comes back to the curve by
//! Newton's method at right angles to it (pseudo-arclength continuation, Keller 1977).
//!
//! Lengths are measured by what a change does to the laws: at each contact in units of its distance from the next change of
//! state, at least τ. So a fold that two contacts of thousands make is as long as any other, and steps need not shrink to
//! pass it.
//!
//! `v` is eliminated as on the path: with `K = (S⁻¹ + ε)⁻¹` the solution of `∂F/∂z x = g` comes from `(M + Hᵀ K ρ H) y = Hᵀ K g`.
//! ε stays what it is from start to end: where it is larger or falls with τ the end is not yet a solution, and Newton's
//! method creeps from there.

use super::laws::Laws;
use super::nodal::{Nodal, Stiffness};
use super::path::{NARROW, NOTHING, Point};
use super::{FactoredProblem, NodeVelocity};
use crate::cone::project_disc;
use glam::DVec3;
use pulp::Arch;

/// `ε`, in units of the contact's own `1/ρ`. With 1e-6 and 1e-8 fewer curves come to their end.
const SOFTNESS: f64 = 1e-7;
/// First and least step along the curve, and the largest change of ln τ in one.
const FIRST: f64 = 1.0;
const LEAST: f64 = 1e-4;
const LARGEST: f64 = 1.0;
/// Newton steps to the start, and back to the curve.
const TO_START: usize = 20;
const BACK: usize = 5;
/// The way back must be no longer at first than this part of the step along, and shrink by this factor.
const ASIDE: f64 = 0.3;
const SHRINK: f64 = 0.5;
/// A way back has arrived at this part of the step along, if that is not much in itself; and where it is rounding.
const ARRIVED: f64 = 0.05;
const CLOSE: f64 = 0.3;
const ROUNDING: f64 = 0.03;
/// With fewer steps back than these the next step along is longer; the factors after that and after failure.
const EASY: usize = 2;
const LONGER: f64 = 2.0;
const SHORTER: f64 = 0.4;
/// ln τ over that of the start at which the curve is taken to have turned back.
const BEYOND: f64 = 3.0;
/// Solutions with the same factors, each for what the last has left: near a fold the matrix is nearly singular.
const REFINEMENTS: usize = 3;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Curve {
    points: Vec<Point>,
    places: Vec<Place>,
    /// ln τ: now, where the last step began, and at the start.
    height: f64,
    last: f64,
    start: f64,
    /// Change of ln τ along a tangent of length one, and the length of the step.
    rise: f64,
    length: f64,
    /// Velocities of the nodes that a linear system gives, and none.
    answer: Vec<NodeVelocity>,
    none: Vec<NodeVelocity>,
    /// Groups that put something against a motion, and whether the others have been left out of the matrix.
    closing: Vec<bool>,
    narrowed: bool,
}

/// What one contact keeps of the last point and of the linear systems.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    centre: DVec3,
    /// `z` where the last step began, and the tangent there.
    last: DVec3,
    tangent: DVec3,
    /// Newton's step `A⁻¹ F` and the slope `A⁻¹ ∂F/∂ln τ`, `A = ∂F/∂z`.
    newton: DVec3,
    slope: DVec3,
    /// One over the squared distance from the next change of state.
    weight: f64,
}

impl Curve {
    /// Comes from a point near the curve to the curve at the same τ (m/s). The factorisations done, and whether it did.
    pub fn begin(
        &mut self,
        nodal: &mut Nodal,
        problem: &mut FactoredProblem,
        (points, tau): (&[Point], f64),
    ) -> (usize, bool) {
        self.points.clear();
        self.points.extend_from_slice(points);
        self.places.clear();
        self.places.extend(problem.rows.iter().map(|row| Place {
            centre: row.r,
            ..Place::default()
        }));
        for list in [&mut self.answer, &mut self.none] {
            list.clear();
            list.resize(problem.velocities.len(), NodeVelocity::default());
        }
        self.height = tau.ln();
        self.start = self.height;
        self.rise = -1.0;
        self.length = FIRST;
        self.narrowed = false;
        for steps in 1..=TO_START {
            if !self.linearise(nodal, problem) {
                return (steps, false);
            }
            self.weigh(problem);
            let mut square = 0.0;
            for (point, place) in self.points.iter_mut().zip(&self.places) {
                point.z -= place.newton;
                square += place.newton.length_squared() * place.weight;
            }
            if square <= CLOSE * CLOSE {
                self.turn(problem);
                return (steps, true);
            }
        }
        (TO_START, false)
    }

    /// Follows the curve until `τ ≤ end max‖q‖`, with so many factorisations at most; those done, and whether it came
    /// there. Leaves impulses and velocities as [`super::path::Path::run`] does.
    pub fn run(
        &mut self,
        nodal: &mut Nodal,
        problem: &mut FactoredProblem,
        (end, most): (f64, usize),
        own: &mut Vec<NodeVelocity>,
    ) -> (usize, bool) {
        let lowest = (end * problem.q_max).ln();
        let (mut steps, mut back, mut before) = (0, 0, f64::INFINITY);
        self.leap();
        while steps < most && self.length >= LEAST && self.last <= self.start + BEYOND {
            steps += 1;
            let gone = if self.linearise(nodal, problem) {
                self.come_back()
            } else {
                f64::INFINITY
            };
            let arrived = (ARRIVED * self.length).clamp(ROUNDING, CLOSE);
            if gone <= arrived {
                if back < EASY {
                    let largest = LARGEST / self.rise.abs().max(f64::MIN_POSITIVE);
                    self.length = (LONGER * self.length).min(largest);
                }
                self.turn(problem);
                if self.last <= lowest {
                    break;
                }
            } else if gone <= (ASIDE * self.length).max(ROUNDING).min(SHRINK * before)
                && back < BACK
            {
                (back, before) = (back + 1, gone);
                continue;
            } else {
                self.length *= SHORTER;
            }
            self.leap();
            (back, before) = (0, f64::INFINITY);
        }
        self.stand_back();
        self.evaluate(problem);
        own.clone_from(&problem.velocities);
        for (row, point) in problem.rows.iter_mut().zip(&self.points) {
            row.r = project_disc(point.z, row.mu);
        }
        problem.consistent();
        (steps, self.last <= lowest)
    }

    /// Laws at the present point, the velocities that belong to their impulses, and `F`.
    fn evaluate(&mut self, problem: &mut FactoredProblem) {
        Arch::new().dispatch(Laws {
            points: &mut self.points,
            rows: &problem.rows,
            part: 0.0,
            tau: self.height.exp(),
            softness: SOFTNESS,
        });
        for (row, point) in problem.rows.iter_mut().zip(&self.points) {
            row.r = point.law.r;
        }
        problem.consistent();
        for group in &problem.groups {
            let v = group.relative(&problem.velocities);
            for i in group.start as usize..group.end as usize {
                let (row, point) = (&problem.rows[i], &mut self.points[i]);
                let r = point.law.r;
                let pull = (r - self.places[i].centre) * SOFTNESS;
                point.error = point.z - r + v.at(row) * row.rho + pull;
            }
        }
    }

    /// Newton's step and the slope at the present point; false where a pivot block is singular.
    fn linearise(&mut self, nodal: &mut Nodal, problem: &mut FactoredProblem) -> bool {
        self.evaluate(problem);
        self.slopes(nodal, problem);
        self.make_room(nodal, problem);
        nodal.clear();
        for (g, group) in problem.groups.iter().enumerate() {
            if self.narrowed && !self.closing[g] {
                continue;
            }
            let mut stiffness = Stiffness::ZERO;
            for i in group.start as usize..group.end as usize {
                let row = &problem.rows[i];
                stiffness.gather(row.offset, self.points[i].law.stiffness() * row.rho);
            }
            nodal.stiffen(g, group, &stiffness);
        }
        if !nodal.factor() {
            return false;
        }
        self.solve(nodal, problem, |place| &mut place.newton);
        self.solve(nodal, problem, |place| &mut place.slope);
        let finite = |p: &Place| p.newton.is_finite() && p.slope.is_finite();
        self.places.iter().all(finite)
    }

    /// The right-hand sides `F` and `∂F/∂ln τ = ρ H M⁻¹ Hᵀ φ′ − (1 − ε) φ′`, `φ′ = ∂φ/∂ln τ`.
    fn slopes(&mut self, nodal: &mut Nodal, problem: &FactoredProblem) {
        let tau = self.height.exp();
        nodal.rest();
        for group in &problem.groups {
            let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
            for i in group.start as usize..group.end as usize {
                let row = &problem.rows[i];
                let r = self.points[i].law.rate * (tau * row.rho);
                p += r;
                t += row.offset.cross(r);
            }
            nodal.subtract(group, p, t);
        }
        self.answer.fill(NodeVelocity::default());
        nodal.answer(&problem.nodes, &mut self.answer);
        for group in &problem.groups {
            let v = group.relative(&self.answer);
            for i in group.start as usize..group.end as usize {
                let (row, point) = (&problem.rows[i], &self.points[i]);
                let r = point.law.rate * (tau * row.rho);
                self.places[i].slope = (v.at(row) - row.bias) * row.rho - r * (1.0 - SOFTNESS);
                self.places[i].newton = point.error;
            }
        }
    }

    /// Gives groups that put anything against a motion their place in the matrix.
    fn make_room(&mut self, nodal: &mut Nodal, problem: &FactoredProblem) {
        let narrow = !self.narrowed && self.height.exp() < NARROW * problem.q_max;
        self.narrowed |= narrow;
        self.closing.clear();
        for group in &problem.groups {
            let own = &self.points[group.start as usize..group.end as usize];
            let closes = |p: &Point| p.law.normal_stiffness() > NOTHING;
            self.closing.push(own.iter().any(closes));
        }
        nodal.make_room(&self.closing, narrow);
    }

    /// `A⁻¹ g` in the place of `g`, with the factors that are there.
    fn solve(
        &mut self,
        nodal: &mut Nodal,
        problem: &FactoredProblem,
        of: impl Fn(&mut Place) -> &mut DVec3,
    ) {
        self.answer.fill(NodeVelocity::default());
        for _ in 0..REFINEMENTS {
            nodal.momentum(&self.answer, &self.none);
            for group in &problem.groups {
                let v = group.relative(&self.answer);
                let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
                for i in group.start as usize..group.end as usize {
                    let row = &problem.rows[i];
                    let left = *of(&mut self.places[i]) - (v.at(row) - row.bias) * row.rho;
                    let r = self.points[i].law.stiffness() * left;
                    p += r;
                    t += row.offset.cross(r);
                }
                nodal.subtract(group, p, t);
            }
            nodal.direct();
            nodal.advance(&mut self.answer, 1.0);
        }
        for group in &problem.groups {
            let v = group.relative(&self.answer);
            for i in group.start as usize..group.end as usize {
                let row = &problem.rows[i];
                let g = of(&mut self.places[i]);
                let left = *g - (v.at(row) - row.bias) * row.rho;
                *g = left + self.points[i].law.stiffness() * left * (1.0 - SOFTNESS);
            }
        }
    }

    /// Newton's step at right angles to the tangent; its length.
    fn come_back(&mut self) -> f64 {
        let (mut newton, mut slope) = (0.0, 0.0);
        for p in &self.places {
            newton += p.tangent.dot(p.newton) * p.weight;
            slope += p.tangent.dot(p.slope) * p.weight;
        }
        let rise = newton / (self.rise - slope);
        let mut square = rise * rise;
        for (point, p) in self.points.iter_mut().zip(&self.places) {
            let step = -(p.newton + p.slope * rise);
            point.z += step;
            square += step.length_squared() * p.weight;
        }
        self.height += rise;
        square.sqrt()
    }

    /// Takes the present point for the start of the next step, with the tangent of the last linearisation, which goes on
    /// the way that the last one went.
    fn turn(&mut self, problem: &FactoredProblem) {
        let against = |p: &Place| p.tangent.dot(p.slope) * p.weight;
        let back = self.rise < self.places.iter().map(against).sum();
        self.weigh(problem);
        let square: f64 = self
            .places
            .iter()
            .map(|p| p.slope.length_squared() * p.weight)
            .sum();
        let rise = 1.0 / (1.0 + square).sqrt();
        self.rise = if back { -rise } else { rise };
        for (place, point) in self.places.iter_mut().zip(&self.points) {
            place.tangent = -place.slope * self.rise;
            place.last = point.z;
        }
        self.last = self.height;
    }

    fn weigh(&mut self, problem: &FactoredProblem) {
        let tau = self.height.exp();
        let rows = self.points.iter().zip(&problem.rows);
        for (place, (point, row)) in self.places.iter_mut().zip(rows) {
            let z = point.z;
            let to_disc = (z.y * z.y + z.z * z.z).sqrt() - row.mu * z.x.max(0.0);
            let distance = z.x.abs().min(to_disc.abs()) + tau * row.rho;
            place.weight = 1.0 / (distance * distance);
        }
    }

    /// The step along the tangent, from where the last one began.
    fn leap(&mut self) {
        for (point, p) in self.points.iter_mut().zip(&self.places) {
            point.z = p.last + p.tangent * self.length;
        }
        self.height = self.last + self.rise * self.length;
    }

    fn stand_back(&mut self) {
        for (point, p) in self.points.iter_mut().zip(&self.places) {
            point.z = p.last;
        }
        self.height = self.last;
    }
}

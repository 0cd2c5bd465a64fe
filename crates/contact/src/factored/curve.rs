//! The curve of all smoothed problems' solutions, past the folds at which [`super::path`] ends.
//!
//! > `F(z, τ) = z − r + ρ (H v + b) + ε (r − r_c) = 0`, `r = φ_τ(z)`, `M (v − v₀) = Hᵀ r`
//!
//! is followed by [`crate::arclength`]. `v` is eliminated as on the path: with `K = (S⁻¹ + ε)⁻¹` the solution of
//! `∂F/∂z x = g` comes from `(M + Hᵀ K ρ H) y = Hᵀ K g`. ε stays what it is from start to end: where it is larger or falls
//! with τ the end is not yet a solution, and Newton's method creeps from there.

use super::lanes::{get, put};
use super::laws::{Laws, Point};
use super::nodal::Nodal;
use super::path::{NARROW, NOTHING};
use super::path_step::Assembly;
use super::{FactoredProblem, NodeVelocity, octets};
use crate::arclength::{Arclength, Place};
use crate::cone::project_disc;
use crate::smooth::Smooth;
use glam::DVec3;
use pulp::Arch;

/// `ε`, in units of the contact's own `1/ρ`. With 1e-6 and 1e-8 fewer curves come to their end.
const SOFTNESS: f64 = 1e-7;
/// Newton steps to the start.
const TO_START: usize = 20;
/// Solutions with the same factors, each for what the last has left: near a fold the matrix is nearly singular.
const REFINEMENTS: usize = 3;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Curve {
    way: Arclength,
    points: Vec<Point>,
    /// The same laws, contact by contact.
    laws: Vec<Smooth>,
    /// `r_c`.
    centre: Vec<DVec3>,
    /// Velocities of the nodes that a linear system gives, and none.
    answer: Vec<NodeVelocity>,
    none: Vec<NodeVelocity>,
    /// Groups that put something against a motion, and whether the others have been left out of the matrix.
    closing: Vec<bool>,
    narrowed: bool,
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
        self.centre.clear();
        self.centre.extend(problem.rows.iter().map(|row| row.r));
        for list in [&mut self.answer, &mut self.none] {
            list.clear();
            list.resize(problem.velocities.len(), NodeVelocity::default());
        }
        self.narrowed = false;
        let rows = nodal.octets.places.iter().zip(&problem.rows);
        let places = rows.map(|(at, row)| {
            let z = get(&points[at.slot].z, at.lane);
            Place::new(z, row.mu, row.rho)
        });
        self.way.begin(tau.ln(), places);
        for steps in 1..=TO_START {
            if !self.linearise(nodal, problem) {
                return (steps, false);
            }
            if self.way.approach() {
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
        let mut steps = 0;
        self.way.leap();
        while steps < most && self.way.reached > lowest && !self.way.lost() {
            steps += 1;
            let solved = self.linearise(nodal, problem);
            self.way.advance(solved);
        }
        self.way.stand();
        self.evaluate(nodal, problem);
        own.clone_from(&problem.velocities);
        for (row, place) in problem.rows.iter_mut().zip(&self.way.places) {
            row.r = project_disc(place.z, row.mu);
        }
        problem.consistent();
        (steps, self.way.reached <= lowest)
    }

    /// Laws at the present point, the velocities that belong to their impulses, and `F`.
    fn evaluate(&mut self, nodal: &Nodal, problem: &mut FactoredProblem) {
        for (at, place) in nodal.octets.places.iter().zip(&self.way.places) {
            put(&mut self.points[at.slot].z, at.lane, place.z);
        }
        Arch::new().dispatch(Laws {
            points: &mut self.points,
            slots: &nodal.octets.slots,
            tau: self.way.height.exp(),
            softness: SOFTNESS,
        });
        self.laws.clear();
        let law = |at: &octets::Place| self.points[at.slot].law(at.lane);
        self.laws.extend(nodal.octets.places.iter().map(law));
        for (row, law) in problem.rows.iter_mut().zip(&self.laws) {
            row.r = law.r;
        }
        problem.consistent();
        for group in &problem.groups {
            let v = group.relative(&problem.velocities);
            for i in group.start as usize..group.end as usize {
                let (row, r, place) = (&problem.rows[i], self.laws[i].r, &mut self.way.places[i]);
                let pull = (r - self.centre[i]) * SOFTNESS;
                place.newton = place.z - r + v.at(row) * row.rho + pull;
            }
        }
    }

    /// Newton's step and the slope at the present point; false where a pivot block is singular.
    fn linearise(&mut self, nodal: &mut Nodal, problem: &mut FactoredProblem) -> bool {
        self.evaluate(nodal, problem);
        self.slopes(nodal, problem);
        self.make_room(nodal, problem);
        nodal.clear();
        // The gradient is another one for each solution.
        let (octets, gradient, matrix) = nodal.parts();
        Arch::new().dispatch(Assembly {
            octets,
            gradient,
            matrix,
            points: &self.points,
            takes_part: self.narrowed.then_some(&self.closing),
            fall: 0.0,
            compliance: 0.0,
        });
        if !nodal.factor() {
            return false;
        }
        self.solve(nodal, problem, |place| &mut place.newton);
        self.solve(nodal, problem, |place| &mut place.slope);
        let finite = |p: &Place| p.newton.is_finite() && p.slope.is_finite();
        self.way.places.iter().all(finite)
    }

    /// The right-hand sides `F` and `∂F/∂ln τ = ρ H M⁻¹ Hᵀ φ′ − (1 − ε) φ′`, `φ′ = ∂φ/∂ln τ`.
    fn slopes(&mut self, nodal: &mut Nodal, problem: &FactoredProblem) {
        let tau = self.way.height.exp();
        nodal.rest();
        for group in &problem.groups {
            let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
            for i in group.start as usize..group.end as usize {
                let row = &problem.rows[i];
                let r = self.laws[i].rate * (tau * row.rho);
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
                let row = &problem.rows[i];
                let r = self.laws[i].rate * (tau * row.rho);
                self.way.places[i].slope = (v.at(row) - row.bias) * row.rho - r * (1.0 - SOFTNESS);
            }
        }
    }

    /// Gives groups that put anything against a motion their place in the matrix.
    fn make_room(&mut self, nodal: &mut Nodal, problem: &FactoredProblem) {
        let narrow = !self.narrowed && self.way.height.exp() < NARROW * problem.q_max;
        self.narrowed |= narrow;
        let stiffness = |s: usize| self.points[s].normal_stiffness();
        nodal.octets.mark(&mut self.closing, stiffness, NOTHING);
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
                    let left = *of(&mut self.way.places[i]) - (v.at(row) - row.bias) * row.rho;
                    let r = self.laws[i].stiffness() * left;
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
                let g = of(&mut self.way.places[i]);
                let left = *g - (v.at(row) - row.bias) * row.rho;
                *g = left + self.laws[i].stiffness() * left * (1.0 - SOFTNESS);
            }
        }
    }
}

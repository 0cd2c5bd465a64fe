//! A path through smoothed problems to the neighbourhood of the solution.
//!
//! Far from the solution Newton's method on the law itself changes the state of a few contacts a step and takes a hundred
//! steps. Here the law is smoothed over velocities of size τ ([`Smooth`]) and
//!
//! > `M (v − v₀) = Hᵀ r`, `H v + b = (r − z)/ρ`, `r = φ_τ(z)`
//!
//! is solved in `(v, z)` while τ falls: one Newton step follows the residuals and the fall of τ together, as the steps of
//! an interior point method do; `z` is eliminated contact by contact, so the matrix is `M + Hᵀ S H` with the pattern of
//! the last digits' Newton method. Where a linear step leads a contact out of its law (an impulse that pulls, two surfaces
//! that pass through each other) the other of its two unknowns decides. At τ = 5e-6 max‖q‖ the state of nearly all contacts is known;
//! below, the kinks come back and the steps grow short.
//!
//! Impulses that are not unique (four corners of a face) make the step long and the path lost. So `S⁻¹ + ε` takes the place
//! of `S⁻¹`: a proximal term around the present impulses, which bends a step and not the solution. Where impulses have far to go
//! (a wedged block) it is what holds them up, and ε falls.

use super::lanes::{get, put};
use super::laws::Point;
use super::nodal::Nodal;
use super::path_step::{Assembly, Evaluation};
use super::run::Goal;
use super::{FactoredProblem, NodeVelocity};
use crate::cone::project_disc;
use pulp::Arch;

/// τ at most, in units of max‖q‖.
const LARGEST: f64 = 0.1;
/// `ε` of the proximal term, in units of the contact's own `1/ρ`. On poured cubes 3e-5 and 3e-4 take a quarter more steps.
const SOFTNESS: f64 = 1e-4;
/// Part that a whole step at one τ may leave before `ε` falls, the factor by which it does, and the least. With these and
/// PATIENCE poured cubes after 2 s take 0.82 times the steps and hulls 0.73 times.
const LEFT: f64 = 0.3;
const HARDER: f64 = 0.1;
const LEAST_SOFTNESS: f64 = 1e-8;
/// Newton steps at most.
const STEPS: usize = 80;
/// Part of τ that the first step takes off, and the least and the most that a step does.
const DROP: f64 = 0.7;
const LEAST_DROP: f64 = 0.1;
const LARGEST_DROP: f64 = 0.9;
/// After two steps in a row of less than this part, or as many as these in which τ has not halved, the path has come to an end
/// or a fold: τ goes up by a factor and down more slowly.
const SHORT: f64 = 0.2;
const PATIENCE: usize = 12;
const RETREAT: f64 = 10.0;
const RETREAT_DROP: f64 = 0.5;
/// Sweeps on the law itself at such a place, accelerated: Newton's method is drawn to any solution or fold of the path, sweeps
/// leave those behind that a small disturbance leads away from. With 60 poured hulls take 1.4 times the steps, with 300 poured
/// cubes 1.3 times the time.
const SWEEPS: usize = 150;
/// What is left after a step, in units of τ, at which it is near enough to the path for τ to fall on.
const NEAR: f64 = 3.0;
/// τ, in units of max‖q‖, from which on groups that stay open are left out of the matrix, and the normal stiffness, in
/// units of 1/ρ, under which they are: Newton's method loses no more than that part of its speed.
pub(super) const NARROW: f64 = 1e-3;
pub(super) const NOTHING: f64 = 1e-3;
/// Part of a step below which it is taken as it is.
const SHORTEST: f64 = 0.01;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Path {
    points: Vec<Point>,
    /// What each contact's error adds to the size of what is left.
    energies: Vec<f64>,
    start: Vec<NodeVelocity>,
    /// Velocities at which the path stands.
    at: Vec<NodeVelocity>,
    tau: f64,
    drop: f64,
    softness: f64,
    /// What ε is at first: 0 for springs, whose impulses are unique.
    usual: f64,
    compliance: f64,
    /// Groups that put something against a motion, and whether the others have been left out of the matrix.
    closing: Vec<bool>,
    narrowed: bool,
}

impl Path {
    /// Starts at impulses and velocities of the problem with `τ = start max‖q‖`.
    pub fn begin(&mut self, problem: &FactoredProblem, start: f64) {
        self.points.clear();
        self.at.clone_from(&problem.velocities);
        self.tau = start * problem.q_max;
        self.drop = DROP;
        self.compliance = problem.compliance;
        self.usual = if self.compliance > 0.0 { 0.0 } else { SOFTNESS };
        self.softness = self.usual;
        self.narrowed = false;
    }

    /// Follows the path to `τ = end max‖q‖`; the Newton steps done. Leaves impulses within their cones and velocities that
    /// belong to them, and the path's own velocities in `own`.
    pub fn run(
        &mut self,
        nodal: &mut Nodal,
        problem: &mut FactoredProblem,
        end: f64,
        own: &mut Vec<NodeVelocity>,
    ) -> usize {
        problem.velocities.copy_from_slice(&self.at);
        if self.points.is_empty() {
            self.stand(nodal, problem);
        }
        let mut steps = 0;
        let mut jam = Jam::at(self.tau);
        let mut size = self.evaluate(nodal, problem, None, (0.0, self.tau));
        while steps < STEPS && self.tau > end * problem.q_max {
            let fall = if size <= self.tau {
                self.drop * self.tau
            } else {
                0.0
            };
            self.make_room(nodal, problem);
            self.assemble(nodal, fall);
            if !nodal.solve() {
                break;
            }
            steps += 1;
            let before = size;
            let part = self.search(nodal, problem, fall, &mut size);
            if !size.is_finite() {
                break;
            }
            if jam.after(part, self.tau) {
                self.retreat(nodal, problem);
                jam = Jam::at(self.tau);
                size = self.evaluate(nodal, problem, None, (0.0, self.tau));
                continue;
            }
            if self.adapt_softness(part, fall == 0.0 && size > LEFT * before) {
                size = self.evaluate(nodal, problem, None, (0.0, self.tau));
            }
            if fall > 0.0 {
                self.adapt(part);
            }
        }
        if size.is_finite() {
            self.at.clone_from(&problem.velocities);
            own.clone_from(&problem.velocities);
            self.impulses(nodal, problem);
        } else {
            problem.consistent();
            own.clone_from(&problem.velocities);
        }
        steps
    }

    /// Where it stands: its points, and τ in m/s.
    pub fn place(&self) -> (&[Point], f64) {
        (&self.points, self.tau)
    }

    /// Stands at the impulses and velocities of the problem.
    fn stand(&mut self, nodal: &Nodal, problem: &FactoredProblem) {
        self.points.clear();
        self.points.resize(nodal.octets.slots.len(), Point::ZERO);
        for group in &problem.groups {
            let v = group.relative(&problem.velocities);
            for i in group.start as usize..group.end as usize {
                let (row, place) = (&problem.rows[i], nodal.octets.places[i]);
                let u = v.at(row) + row.r * problem.compliance;
                let z = row.r - u * row.rho;
                put(&mut self.points[place.slot].z, place.lane, z);
            }
        }
    }

    /// Gives the problem impulses within their cones and the velocities that belong to them.
    fn impulses(&self, nodal: &Nodal, problem: &mut FactoredProblem) {
        for (row, place) in problem.rows.iter_mut().zip(&nodal.octets.places) {
            row.r = project_disc(get(&self.points[place.slot].z, place.lane), row.mu);
        }
        problem.consistent();
    }

    /// ε falls after a whole step that has left much, and is what it was after a short one. Whether it has changed.
    fn adapt_softness(&mut self, part: f64, left_much: bool) -> bool {
        let old = self.softness;
        if part < SHORT {
            self.softness = self.usual;
        } else if part == 1.0 && left_much {
            self.softness = (HARDER * old).max(LEAST_SOFTNESS).min(old);
        }
        self.softness != old
    }

    /// Back up to a larger τ, from where sweeps lead.
    fn retreat(&mut self, nodal: &Nodal, problem: &mut FactoredProblem) {
        self.tau = (RETREAT * self.tau).min(LARGEST * problem.q_max);
        self.drop = RETREAT_DROP;
        self.softness = self.usual;
        self.impulses(nodal, problem);
        problem.accelerated(Goal::only(0.0), SWEEPS, false);
        self.stand(nodal, problem);
    }

    /// τ falls faster after a whole step and more slowly after a part of one.
    fn adapt(&mut self, part: f64) {
        self.drop = if part == 1.0 {
            (0.5 + 0.5 * self.drop).min(LARGEST_DROP)
        } else {
            (1.5 * part * self.drop).clamp(LEAST_DROP, LARGEST_DROP)
        };
    }

    /// Says which groups put anything against a motion, and gives them their place in the matrix.
    fn make_room(&mut self, nodal: &mut Nodal, problem: &FactoredProblem) {
        let narrow = !self.narrowed && self.tau < NARROW * problem.q_max;
        self.narrowed |= narrow;
        let stiffness = |s: usize| self.points[s].normal_stiffness();
        nodal.octets.mark(&mut self.closing, stiffness, NOTHING);
        nodal.make_room(&self.closing, narrow);
    }

    /// The system of one step, in which τ is to fall by `fall`.
    fn assemble(&self, nodal: &mut Nodal, fall: f64) {
        nodal.clear();
        let (octets, gradient, matrix) = nodal.parts();
        Arch::new().dispatch(Assembly {
            octets,
            gradient,
            matrix,
            points: &self.points,
            takes_part: self.narrowed.then_some(&self.closing),
            fall,
            compliance: self.compliance,
        });
    }

    /// Takes the largest of the parts 1, ½, ¼ … of the step that stays near the path or comes closer to it.
    fn search(
        &mut self,
        nodal: &mut Nodal,
        problem: &mut FactoredProblem,
        fall: f64,
        size: &mut f64,
    ) -> f64 {
        self.start.clone_from(&problem.velocities);
        nodal.advance(&mut problem.velocities, 1.0);
        let mut part = 1.0;
        loop {
            let tau = self.tau - part * fall;
            let first = (part == 1.0).then_some(fall);
            let now = self.evaluate(nodal, problem, first, (part, tau));
            let near = fall > 0.0 && now <= NEAR * tau;
            if near || now <= (1.0 - 0.1 * part) * *size || part < SHORTEST {
                (*size, self.tau) = (now, tau);
                return part;
            }
            part *= 0.5;
            problem.velocities.copy_from_slice(&self.start);
            nodal.advance(&mut problem.velocities, part);
        }
    }

    /// Moves each contact by a part of its step, which is taken `first` where τ is to fall by that much in it; then
    /// evaluates the laws, the errors and the gradient. Gives the size of what is left, as a velocity.
    fn evaluate(
        &mut self,
        nodal: &mut Nodal,
        problem: &FactoredProblem,
        first: Option<f64>,
        (part, tau): (f64, f64),
    ) -> f64 {
        nodal.momentum(&problem.velocities, &problem.free);
        let (octets, gradient, _) = nodal.parts();
        self.energies.clear();
        self.energies.resize(problem.rows.len(), 0.0);
        Arch::new().dispatch(Evaluation {
            octets,
            gradient,
            velocities: &problem.velocities,
            points: &mut self.points,
            energies: &mut self.energies,
            first,
            part,
            law: (tau, self.softness, self.compliance),
        });
        let energy: f64 = self.energies.iter().sum();
        let gradient = nodal.gradient_size(&problem.nodes);
        ((energy + gradient * gradient) / nodal.total_mass()).sqrt()
    }
}

/// Whether the path goes on.
struct Jam {
    /// Short steps in a row.
    short: usize,
    /// τ at its last halving, and the steps since.
    tau: f64,
    waited: usize,
}

impl Jam {
    fn at(tau: f64) -> Self {
        Self {
            short: 0,
            tau,
            waited: 0,
        }
    }

    /// Whether the path is jammed after a step of this part to this τ.
    fn after(&mut self, part: f64, tau: f64) -> bool {
        self.short = if part < SHORT { self.short + 1 } else { 0 };
        self.waited += 1;
        if tau <= 0.5 * self.tau {
            (self.tau, self.waited) = (tau, 0);
        }
        self.short == 2 || self.waited == PATIENCE
    }
}

//! The problem of bodies with a smoothed law, for a homotopy.
//!
//! > `M (v − v₀) = Hᵀ r`, `H v + b = (r − z)/ρ`, `r = φ_τ(z)`
//!
//! in `(v, z)`. `z` is eliminated contact by contact, so the matrix of a Newton step is `M + Hᵀ S H` with the pattern
//! of [`super::semismooth_newton`]. Where a linear step leads a contact out of its law (tension, or penetration) the
//! other of its two unknowns decides. At τ = 5e-6 max‖q‖ the state of nearly all contacts is known; below, the kinks
//! return and the steps grow short.
//!
//! Impulses that are not unique (four corners of a face) make the step long and the homotopy lost. So `S⁻¹ + ε` takes
//! the place of `S⁻¹`: a proximal term around the present impulses, which bends a step and not the solution. Where
//! impulses have far to change (a wedged block) it is what holds them up, and ε falls.

use super::accelerated_sweeps::{AcceleratedSweeps, Run};
use super::body::BodyVelocity;
use super::narrowing::Narrowing;
use super::newton_system::NewtonSystem;
use super::problem::Problem;
use super::wide::lane::{get, put};
use super::wide::smoothed_laws::WideSmoothedContact;
use super::wide::smoothed_step::{Assembly, Evaluation};
use crate::continuation::homotopy::{self, Settings, Smoothing};
use crate::problem::cone::project_disc;
use pulp::Arch;

/// `ε` of the proximal term. On poured cubes 3e-5 and 3e-4 take a quarter more steps.
const SOFTNESS: f64 = 1e-4;
/// Newton steps at most, and those in which τ has to halve.
const STEPS: usize = 80;
const PATIENCE: usize = 12;
/// Accelerated sweeps on the law itself after stagnation: Newton's method is drawn to any solution or fold of the
/// homotopy, sweeps leave those behind that a small disturbance leads away from. With 60 poured hulls take 1.4 times
/// the steps, with 300 poured cubes 1.3 times the time.
const SWEEPS: usize = 150;

/// The present point, kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct SmoothedState {
    pub contacts: Vec<WideSmoothedContact>,
    /// What each contact's error adds to the size of the residual.
    energies: Vec<f64>,
    start: Vec<BodyVelocity>,
    /// What τ falls by in the present step.
    fall: f64,
    narrowing: Narrowing,
}

/// A problem with the state of its homotopy and all that a step needs.
pub(super) struct SmoothedSystem<'a> {
    pub state: &'a mut SmoothedState,
    pub problem: &'a mut Problem,
    pub system: &'a mut NewtonSystem,
    pub sweeps: &'a mut AcceleratedSweeps,
}

/// The homotopy of a problem from τ = `start` to `end`, in units of max‖q‖.
pub(super) fn settings(problem: &Problem, start: f64, end: f64) -> Settings {
    Settings {
        start,
        end,
        // Impulses of compliant contacts are unique.
        softness: if problem.is_compliant() {
            0.0
        } else {
            SOFTNESS
        },
        adaptive_softness: true,
        steps: STEPS,
        patience: PATIENCE,
        sweeps: SWEEPS,
    }
}

impl SmoothedSystem<'_> {
    /// Makes the impulses and velocities of the problem the present point.
    pub fn start(&mut self) {
        self.state.narrowing.begin();
        self.place();
    }

    fn place(&mut self) {
        let (problem, wide) = (&*self.problem, &self.system.groups);
        let contacts = &mut self.state.contacts;
        contacts.clear();
        contacts.resize(wide.contacts.len(), WideSmoothedContact::ZERO);
        for group in &problem.groups {
            let v = group.relative(&problem.velocities);
            for i in group.rows() {
                let (row, index) = (&problem.rows[i], wide.index[i]);
                let u = v.at(row) + row.r * row.compliance;
                let z = row.r - u * row.rho;
                put(&mut contacts[index.contact].z, index.lane, z);
            }
        }
    }

    /// Gives the problem impulses within their cones and the velocities that belong to them.
    pub fn hand_over(&mut self) {
        let rows = self.problem.rows.iter_mut();
        for (row, index) in rows.zip(&self.system.groups.index) {
            let z = get(&self.state.contacts[index.contact].z, index.lane);
            row.r = project_disc(z, row.mu);
        }
        self.problem.update_velocities();
    }

    /// Moves each contact by a part of its step, which is taken first where the part is whole; then evaluates the laws,
    /// the errors and the gradient.
    fn pass(&mut self, part: f64, smoothing: Smoothing) -> f64 {
        let (state, problem) = (&mut *self.state, &*self.problem);
        self.system.momentum(&problem.velocities, &problem.free);
        let (groups, gradient, _) = self.system.parts();
        state.energies.clear();
        state.energies.resize(problem.rows.len(), 0.0);
        Arch::new().dispatch(Evaluation {
            groups,
            gradient,
            velocities: &problem.velocities,
            points: &mut state.contacts,
            energies: &mut state.energies,
            first: (part == 1.0).then_some(state.fall),
            part,
            smoothing,
        });
        let energy: f64 = state.energies.iter().sum();
        let gradient = self.system.gradient_size(&problem.bodies);
        ((energy + gradient * gradient) / self.system.total_mass()).sqrt()
    }
}

impl homotopy::SmoothedSystem for SmoothedSystem<'_> {
    fn evaluate(&mut self, smoothing: Smoothing) -> f64 {
        self.pass(0.0, smoothing)
    }

    fn step(&mut self, tau: f64, fall: f64) -> bool {
        let state = &mut *self.state;
        let (system, problem) = (&mut *self.system, &*self.problem);
        state
            .narrowing
            .restrict_pattern(system, problem, &state.contacts, tau);
        self.system.clear();
        let (groups, gradient, matrix) = self.system.parts();
        Arch::new().dispatch(Assembly {
            groups,
            gradient,
            matrix,
            points: &state.contacts,
            takes_part: state.narrowing.takes_part(),
            fall,
        });
        state.fall = fall;
        state.start.clone_from(&self.problem.velocities);
        self.system.solve()
    }

    fn apply(&mut self, part: f64, smoothing: Smoothing) -> f64 {
        let velocities = &mut self.problem.velocities;
        velocities.copy_from_slice(&self.state.start);
        self.system.advance(velocities, part);
        self.pass(part, smoothing)
    }

    fn restart(&mut self, sweeps: usize) {
        self.hand_over();
        let run = Run {
            tolerance: 0.0,
            max_sweeps: sweeps,
            opening: None,
        };
        self.sweeps.run(self.problem, run);
        self.place();
    }
}

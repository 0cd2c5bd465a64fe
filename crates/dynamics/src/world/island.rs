//! The contact problem of one island, with what solves it.

use super::contacts::WorldContact;
use super::state::WorldState;
use crate::{DynamicsError, Twist};
use glam::DVec3;
use klast_contact::bodies::{Assembler, BodyInertia, BodyVelocity, ContactPair, Problem, Solver};
use klast_contact::{Workspace, project};

/// Work of a contact under this part of impulse times speeds is rounding of its sums.
const ROUNDING: f64 = 1e-14;

/// An island with its problems and their solvers, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Island {
    /// Free bodies, in their order.
    pub bodies: Vec<u32>,
    /// Positions in the world's list of contacts, in order.
    pub contacts: Vec<u32>,
    pub(super) nodes: Vec<BodyInertia>,
    pub(super) velocities: Vec<BodyVelocity>,
    pub(super) links: Vec<ContactPair>,
    /// Relative speed of the bodies at each contact before the step (m/s).
    pub(super) speeds: Vec<f64>,
    pub(super) problem: Problem,
    pub(super) solver: Solver,
    /// Impulses to come back to, and those of the best round.
    pub(super) kept: Vec<DVec3>,
    pub(super) best: Vec<DVec3>,
    /// Only where it was needed.
    pub(super) general: Option<Box<General>>,
    pub(super) shifts: Problem,
    pub(super) shift_solver: Solver,
    /// Links of `problem` that the displacements are asked of.
    pub(super) near: Vec<u32>,
    pub solved: Solved,
    /// Nothing is solved while all its bodies sleep.
    pub asleep: bool,
    /// Velocity of each body, after impulses.
    pub after: Vec<BodyVelocity>,
    /// Displacement velocity of each body that takes out overlap; empty if there is none to take out.
    pub shift: Vec<BodyVelocity>,
    /// Bodies whose overlap no displacement takes out.
    pub wedged: Vec<u32>,
    /// What acts at each contact.
    pub reactions: Vec<Reaction>,
}

/// The solver for over-constrained problems.
#[derive(Debug, Clone, Default)]
pub(super) struct General {
    pub assembler: Assembler,
    pub workspace: Workspace,
}

/// What acts at a contact, world axes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reaction {
    pub impulse: DVec3,
    /// Relative velocity at the end of the step.
    pub velocity: DVec3,
    /// Energy that a spring has stored (J).
    pub stored: f64,
    /// Work of a bounce on its way back, `r_n e |u_n⁻|` (J).
    pub returned: f64,
    /// Size of what rounding leaves of the work (J).
    pub rounding: f64,
}

impl Reaction {
    /// Energy that the law takes at the contact, `−r·u` with the return of a bounce and what a spring stores left out:
    /// `μ r_n ‖u_T‖`, and for a gap that closes its impulse times the speed of closing.
    pub fn loss(&self) -> f64 {
        self.returned - self.impulse.dot(self.velocity) - self.stored
    }
}

/// How well an island was solved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Solved {
    pub sweeps: usize,
    pub relative: f64,
    /// The same as a speed (m/s).
    pub residual: f64,
    pub converged: bool,
    /// Sweeps for the displacements that take out overlap, where their number is fixed.
    pub sweeps_on_overlap: Option<usize>,
}

impl Island {
    /// Drops the answers of another step: a sleeping island has none.
    pub fn forget(&mut self) {
        self.after.clear();
        self.shift.clear();
        self.wedged.clear();
        self.reactions.clear();
        self.solved = Solved {
            sweeps: 0,
            relative: 0.0,
            residual: 0.0,
            converged: true,
            sweeps_on_overlap: None,
        };
    }

    /// Solves the island for velocities, then for displacements.
    pub fn solve(&mut self, frozen: &Frozen, place: &[(u32, u32)]) -> Result<(), DynamicsError> {
        self.collect(frozen, place);
        let compliance = frozen.state.settings.compliance();
        self.problem
            .load_compliant(&self.nodes, &self.velocities, &self.links, compliance)?;
        self.solved = self.work(frozen)?;
        self.take_answer(compliance);
        self.take_out_overlap(frozen)
    }

    /// Velocities, impulses and relative velocities from the solved problem.
    fn take_answer(&mut self, compliance: f64) {
        let count = self.bodies.len();
        self.after.clear();
        self.after
            .extend_from_slice(&self.problem.velocities()[..count]);
        self.velocities[..count].copy_from_slice(&self.after);
        self.reactions.clear();
        let q = self.problem.q_max();
        let impulses = self.problem.impulses().zip(self.problem.frames());
        for ((r, frame), l) in impulses.zip(&self.links) {
            let (first, speed) = at(&self.velocities[l.first], l.arm_first);
            let (second, other) = l.second.map_or((DVec3::ZERO, 0.0), |k| {
                at(&self.velocities[k], l.arm_second)
            });
            let carried = match compliance > 0.0 {
                true => project(l.impulse, l.mu),
                false => r,
            };
            self.reactions.push(Reaction {
                impulse: frame.to_world(r),
                velocity: first - second,
                returned: r.x * (-l.bias.x).max(0.0),
                stored: 0.5 * compliance * (r - carried).dot(r + carried),
                rounding: ROUNDING
                    * r.length()
                    * (q + speed + other + compliance * (r.length() + carried.length())),
            });
        }
    }
}

/// Velocity of a point of a node, and the size of its terms.
fn at(v: &BodyVelocity, arm: DVec3) -> (DVec3, f64) {
    let turning = v.angular.cross(arm);
    (v.linear + turning, v.linear.length() + turning.length())
}

/// What the islands read.
pub(super) struct Frozen<'a> {
    pub state: &'a WorldState,
    pub contacts: &'a [WorldContact],
    /// Those of the step before.
    pub old: &'a [WorldContact],
    pub free: &'a [Twist],
}

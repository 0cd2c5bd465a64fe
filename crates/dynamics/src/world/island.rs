//! The contact problem of one island, with what solves it.

use super::contact_problem::ContactProblem;
use super::exchanged::Exchanged;
use super::frozen::Frozen;
use super::overlap::Displacements;
use super::reaction::{Reaction, react};
use super::solution::{IslandSolver, Solved};
use super::tied::{ROUNDS, TieInStep};
use crate::DynamicsError;
use klast_contact::bodies::BodyVelocity;

/// Who belongs together, the problem of that, its solvers and their answers; kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Island {
    /// Free bodies, in their order.
    pub bodies: Vec<u32>,
    /// Positions in the world's list of contacts, in order.
    pub contacts: Vec<u32>,
    /// Its ties, in order.
    pub ties: Vec<TieInStep>,
    /// Nothing is solved while all its bodies sleep.
    pub asleep: bool,
    problem: ContactProblem,
    solver: IslandSolver,
    pub solved: Solved,
    /// Velocity of each body, after impulses.
    pub after: Vec<BodyVelocity>,
    /// What acts at each contact.
    pub reactions: Vec<Reaction>,
    /// What takes the bodies out of overlap.
    pub displacements: Displacements,
    /// Energy that came and went.
    pub exchanged: Exchanged,
}

impl Island {
    /// Drops the answers of another step: a sleeping island has none.
    pub fn forget(&mut self) {
        self.after.clear();
        self.reactions.clear();
        self.displacements.forget();
        self.exchanged = Exchanged::default();
        self.solved = Solved {
            converged: true,
            ..Solved::default()
        };
    }

    /// Solves the island for velocities, again where ties break or yield, then for displacements.
    pub fn solve(&mut self, frozen: &Frozen) -> Result<(), DynamicsError> {
        let settings = &frozen.state.settings;
        let (problem, bodies) = (&mut self.problem, &self.bodies);
        let mut spent = frozen.newton_steps.of_island(bodies);
        let factored = self.solver.factorisations();
        for round in 1..=ROUNDS {
            problem.load(bodies, &self.contacts, &mut self.ties, frozen)?;
            self.solved = self.solver.work(problem, settings, spent)?;
            self.after.clear();
            self.after
                .extend_from_slice(&problem.system.velocities()[..bodies.len()]);
            let mut changed = false;
            for tie in &mut self.ties {
                problem.answer(tie, &self.after);
                let placed = &frozen.state.ties[tie.tie as usize];
                changed |= round < ROUNDS && tie.changes(placed, settings.step);
            }
            if !changed {
                break;
            }
            spent = self.solved.newton_steps;
        }
        react(problem, &self.after, settings, &mut self.reactions);
        let contacts = self.contacts.iter().map(|&k| &frozen.contacts[k as usize]);
        let ends = contacts.zip(&self.reactions);
        let sweeps = self.solved.sweeps_on_overlap;
        let solver = self.solver.of_bodies();
        self.displacements
            .solve((problem, solver), bodies, ends, sweeps, settings)?;
        self.solved.factorisations = self.solver.factorisations() - factored;
        Ok(())
    }
}

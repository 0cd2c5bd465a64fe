//! The ties of an island in a step: how they act, and what they were solved for.

use super::ties::{Failure, PlacedTie, Stretched};
use glam::DVec3;

/// Solutions of an island at most in which ties break, yield and close again.
pub(super) const ROUNDS: usize = 6;
/// Part of its strength by which the force of a tie may exceed it: the residual of the solution.
const BEYOND: f64 = 1e-9;

/// How a tie acts in a solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mode {
    Elastic,
    /// With its strength: the impulse on the first end (N s).
    Yielding(DVec3),
    Broken,
}

/// A tie in a solution.
#[derive(Debug, Clone, Copy)]
pub(super) struct TieInStep {
    /// Number of the tie.
    pub tie: u32,
    pub mode: Mode,
    pub start: Stretched,
    /// Nodes and arms of both ends.
    pub nodes: [(usize, DVec3); 2],
    /// Its links in the problem.
    pub links: (usize, usize),
    /// Impulse on the first end, and the velocity of the first end relative to the second at the end of the step.
    pub impulse: DVec3,
    pub velocity: DVec3,
}

impl TieInStep {
    pub fn new(tie: u32, start: Stretched) -> Self {
        Self {
            tie,
            mode: Mode::Elastic,
            start,
            nodes: [(0, DVec3::ZERO); 2],
            links: (0, 0),
            impulse: DVec3::ZERO,
            velocity: DVec3::ZERO,
        }
    }

    /// Whether it acts in another way than it was solved with, which it does from then on.
    pub fn changes(&mut self, tie: &PlacedTie, step: f64) -> bool {
        let Some(strength) = tie.strength() else {
            return false;
        };
        let most = strength * step;
        let before = self.mode;
        self.mode = match before {
            Mode::Elastic if self.impulse.length() > most * (1.0 + BEYOND) => match tie.failure() {
                Failure::Brittle => Mode::Broken,
                Failure::Plastic => Mode::Yielding(self.impulse.normalize() * most),
            },
            // It is unloaded where its ends approach each other.
            Mode::Yielding(impulse) if impulse.dot(self.velocity) > 0.0 => Mode::Elastic,
            mode => mode,
        };
        self.mode != before
    }

    /// Force at the end of the step (N).
    pub fn force(&self, step: f64) -> DVec3 {
        self.impulse / step
    }
}

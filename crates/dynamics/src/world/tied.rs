//! The ties of an island in its contact problem, and what they did over the step.

use super::audit::StepReport;
use super::contact_problem::ContactProblem;
use super::frozen::Frozen;
use super::islands::Islands;
use super::state::WorldState;
use super::ties::{Failure, Form, PlacedTie, Stretched};
use crate::Twist;
use glam::DVec3;
use klast_contact::bodies::{BodyVelocity, ContactPair};

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
    start: Stretched,
    /// Nodes and arms of both ends.
    nodes: [(usize, DVec3); 2],
    /// Its links in the problem.
    links: (usize, usize),
    /// Impulse on the first end, and the velocity of the first end relative to the second at the end of the step.
    pub impulse: DVec3,
    velocity: DVec3,
}

impl TieInStep {
    pub fn new(tie: u32, state: &WorldState) -> Self {
        Self {
            tie,
            mode: Mode::Elastic,
            start: state.ties[tie as usize].stretched(state),
            nodes: [(0, DVec3::ZERO); 2],
            links: (0, 0),
            impulse: DVec3::ZERO,
            velocity: DVec3::ZERO,
        }
    }

    /// Enters the tie into the problem: its links with their compliances, or the force that it yields with.
    pub fn pose(&mut self, p: &mut ContactProblem, origin: DVec3, frozen: &Frozen) {
        let tie = &frozen.state.ties[self.tie as usize];
        let bodies = tie.bodies();
        self.nodes = std::array::from_fn(|k| {
            let point = self.start.points[k];
            match bodies[k] {
                Some(body) => {
                    let (node, arm, _) = p.node_of(body as u32, (point, origin), frozen);
                    (node, arm)
                }
                None => (p.immovable(DVec3::ZERO, DVec3::ZERO), point - origin),
            }
        });
        let from = p.links.len();
        match self.mode {
            Mode::Elastic => self.link(p, tie, frozen.state.settings.step),
            Mode::Yielding(impulse) => {
                let [(first, arm), (second, other)] = self.nodes;
                p.push(first, arm, impulse);
                p.push(second, other, -impulse);
            }
            Mode::Broken => {}
        }
        self.links = (from, p.links.len());
    }

    fn link(&self, p: &mut ContactProblem, tie: &PlacedTie, step: f64) {
        let [(first, arm_first), (second, arm_second)] = self.nodes;
        let compliance = 1.0 / (tie.stiffness() * step * step);
        let mut add = |normal: DVec3, force: f64, slack: f64| {
            p.links.push(ContactPair {
                first,
                second: Some(second),
                normal,
                arm_first,
                arm_second,
                bias: DVec3::X * (slack / step),
                mu: 0.0,
                impulse: DVec3::X * (force * step),
            });
            p.compliances.push(compliance);
        };
        match tie.form() {
            Form::Bar => {
                let force = self.start.force.length();
                add(self.start.along, force, (-self.start.elastic).max(0.0));
            }
            // A spring that pulls and pushes is two of which each only pulls, the other way round.
            Form::Dowel => {
                for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                    for normal in [axis, -axis] {
                        let force = normal.dot(self.start.force);
                        let room = (-force).max(0.0) / tie.stiffness();
                        add(normal, force.max(0.0), room);
                    }
                }
            }
        }
    }

    /// Takes what the solution gave.
    pub fn take(&mut self, p: &ContactProblem, after: &[BodyVelocity]) {
        self.impulse = match self.mode {
            Mode::Yielding(impulse) => impulse,
            Mode::Broken => DVec3::ZERO,
            Mode::Elastic => {
                let (from, to) = self.links;
                let own = p.system.impulses().zip(&p.links).skip(from).take(to - from);
                own.map(|(r, link)| link.normal * r.x).sum()
            }
        };
        let at = |(node, arm): (usize, DVec3)| {
            let v = after.get(node).unwrap_or(&p.velocities[node]);
            v.linear + v.angular.cross(arm)
        };
        self.velocity = at(self.nodes[0]) - at(self.nodes[1]);
    }

    /// Whether it acts in another way than it was solved with, which it does from then on.
    pub fn changes(&mut self, state: &WorldState) -> bool {
        let tie = &state.ties[self.tie as usize];
        let Some(strength) = tie.strength() else {
            return false;
        };
        let most = strength * state.settings.step;
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
    fn force(&self, step: f64) -> DVec3 {
        self.impulse / step
    }
}

/// What the ties of all islands took and stored goes into the audit, once bodies have moved: they have broken and
/// become longer by then. `free` are the velocities of what is driven.
pub(super) fn wear(
    state: &mut WorldState,
    islands: &mut Islands,
    free: &[Twist],
    report: &mut StepReport,
) {
    if state.ties.is_empty() {
        return;
    }
    let step = state.settings.step;
    for number in 0..islands.count() {
        let island = islands.island_mut(number);
        for t in &island.ties {
            let tie = &state.ties[t.tie as usize];
            let before = tie.energy(t.start.force);
            let linear = match t.mode {
                Mode::Broken => 0.0,
                Mode::Elastic | Mode::Yielding(_) => tie.energy(t.force(step)),
            };
            let work = boundary_work(t, tie, state, free);
            report.boundary_work += work;
            report.tie_loss -= t.impulse.dot(t.velocity) + linear - before;
            island.exchanged.given += work - (linear - before);
            island.exchanged.handled += before + linear + (t.impulse.dot(t.velocity)).abs();
            let now = tie.stretched(state);
            let (strength, failure) = (tie.strength(), tie.failure());
            let tie = &mut state.ties[t.tie as usize];
            tie.worn.broken |= t.mode == Mode::Broken;
            if let Some(strength) = strength.filter(|_| failure == Failure::Plastic) {
                tie.yield_to(strength, &now);
            }
            report.broken_ties += usize::from(t.mode == Mode::Broken);
            // What turning has added to the length, beyond the linear step.
            let end = state.ties[t.tie as usize].stored(state);
            report.scheme_loss -= end - linear;
        }
    }
}

/// Work of what is not free on a tie (J).
fn boundary_work(t: &TieInStep, tie: &PlacedTie, state: &WorldState, free: &[Twist]) -> f64 {
    let speed = |k: usize| match tie.bodies()[k] {
        Some(i) if !state.is_free(i) => {
            let centre = state.members[i].state.pose.translation;
            free.get(i)
                .map_or(DVec3::ZERO, |v| v.at(t.start.points[k] - centre))
        }
        _ => DVec3::ZERO,
    };
    t.impulse.dot(speed(1)) - t.impulse.dot(speed(0))
}

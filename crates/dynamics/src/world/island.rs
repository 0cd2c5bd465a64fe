//! Groups of bodies that contacts connect, each solved on its own.

use super::broad_phase::PLANES;
use super::contacts::WorldContact;
use super::guard::{Impulsive, scaled};
use super::member::{Boundary, Member};
use super::settings::{Effort, WorldSettings};
use crate::{DynamicsError, Twist};
use glam::DVec3;
use klast_contact::{
    FactoredProblem, Frame, Link, Method, Node, NodeVelocity, SolveOptions, solve_with,
};

/// Contacts beyond which an island is left to Gauss–Seidel: a factorisation of it would not fit a step.
const LARGEST_ASSEMBLED: usize = 1000;
/// Iterations of the solver for over-constrained problems.
const ITERATIONS: usize = 600;
/// A rise of energy under this part of an island's energy is left to runs to a residual: a tenth of what the audit takes
/// for rounding of its sums.
const ROUNDING: f64 = 1e-13;
/// Contacts that are this many slops open take part in taking out overlap, so that nothing is pushed through them.
const NEIGHBOURHOOD: f64 = 50.0;

/// An island and its working room, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Island {
    /// Free bodies, in their order.
    pub bodies: Vec<u32>,
    /// Positions in the world's list of contacts, in order.
    pub contacts: Vec<u32>,
    nodes: Vec<Node>,
    velocities: Vec<NodeVelocity>,
    links: Vec<Link>,
    problem: FactoredProblem,
    shifts: FactoredProblem,
    pub solved: Solved,
    /// Nothing is solved while all its bodies sleep.
    pub asleep: bool,
    /// Velocity of each body, after impulses.
    pub after: Vec<NodeVelocity>,
    /// Displacement velocity of each body that takes out overlap; empty if there is none to take out.
    pub shift: Vec<NodeVelocity>,
    /// Impulse and relative velocity of each contact, world axes.
    pub reactions: Vec<(DVec3, DVec3)>,
}

/// How well an island was solved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Solved {
    pub sweeps: usize,
    pub relative: f64,
    pub converged: bool,
}

/// All islands of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Islands {
    pub list: Vec<Island>,
    pub count: usize,
    /// Island of each body, and its place there.
    place: Vec<(u32, u32)>,
    /// Representative of each body, while they are sorted.
    root: Vec<u32>,
}

/// What the islands read.
pub(super) struct Frozen<'a> {
    pub members: &'a [Member],
    pub planes: &'a [Boundary],
    pub contacts: &'a [WorldContact],
    pub free: &'a [Twist],
    pub settings: &'a WorldSettings,
}

impl Islands {
    /// Sorts bodies and contacts into islands; those without a contact belong to none.
    pub fn sort(&mut self, members: &[Member], contacts: &[WorldContact]) {
        let mut root = std::mem::take(&mut self.root);
        root.clear();
        root.extend(0..members.len() as u32);
        let free = |i: u32| members.get(i as usize).is_some_and(Member::is_free);
        for c in contacts
            .iter()
            .filter(|c| c.second < PLANES && free(c.first) && free(c.second))
        {
            let (a, b) = (find(&mut root, c.first), find(&mut root, c.second));
            root[a.max(b) as usize] = a.min(b);
        }
        for island in &mut self.list {
            island.bodies.clear();
            island.contacts.clear();
            island.asleep = false;
        }
        self.count = 0;
        self.place.clear();
        self.place.resize(members.len(), (u32::MAX, 0));
        // An island is numbered when its first contact comes by.
        for (k, c) in contacts.iter().enumerate() {
            let body = if free(c.first) { c.first } else { c.second };
            let name = find(&mut root, body) as usize;
            if self.place[name].0 == u32::MAX {
                self.place[name].0 = self.count as u32;
                self.count += 1;
                if self.list.len() < self.count {
                    self.list.push(Island::default());
                }
            }
            self.list[self.place[name].0 as usize]
                .contacts
                .push(k as u32);
        }
        for i in 0..members.len() as u32 {
            let island = self.place[find(&mut root, i) as usize].0;
            if free(i) && island != u32::MAX {
                let bodies = &mut self.list[island as usize].bodies;
                self.place[i as usize] = (island, bodies.len() as u32);
                bodies.push(i);
            }
        }
        self.root = root;
    }

    /// Islands to solve, and the place of each body in its island.
    pub fn active(&mut self) -> (&mut [Island], &[(u32, u32)]) {
        (&mut self.list[..self.count], &self.place)
    }
}

/// The representative of a body, with the path halved on the way.
fn find(root: &mut [u32], mut i: u32) -> u32 {
    while root[i as usize] != i {
        root[i as usize] = root[root[i as usize] as usize];
        i = root[i as usize];
    }
    i
}

impl Island {
    /// Drops the answers of another step: a sleeping island has none.
    pub fn forget(&mut self) {
        self.after.clear();
        self.shift.clear();
        self.reactions.clear();
        self.solved = Solved {
            sweeps: 0,
            relative: 0.0,
            converged: true,
        };
    }

    /// Solves the island for velocities, then for displacements.
    pub fn solve(&mut self, frozen: &Frozen, place: &[(u32, u32)]) -> Result<(), DynamicsError> {
        self.collect(frozen, place);
        self.problem
            .load(&self.nodes, &self.velocities, &self.links)?;
        match frozen.settings.effort {
            Effort::Sweeps(count) => {
                self.solved = self.sweep(count - count / 4);
                self.take_answer(frozen);
            }
            Effort::Residual { tolerance, sweeps } => {
                self.solve_and_guard(tolerance, sweeps, frozen)
            }
        }
        self.take_out_overlap(frozen)
    }

    /// Solves to the tolerance, also after the guard has had its say: where it costs digits, more are asked for.
    fn solve_and_guard(&mut self, tolerance: f64, sweeps: usize, frozen: &Frozen) {
        let mut asked = tolerance;
        for _ in 0..3 {
            let before = self.solved.sweeps;
            self.solved = self.solve_to(asked, sweeps);
            if asked < tolerance {
                self.solved.sweeps += before;
            }
            if self.take_answer(frozen) == 1.0 {
                break;
            }
            let solved = self.solved.converged;
            let scaled: Vec<DVec3> = self
                .reactions
                .iter()
                .zip(self.problem.frames())
                .map(|((r, _), frame)| frame.to_local(*r))
                .collect();
            if self.problem.set_impulses(&scaled).is_err() {
                break;
            }
            let (eta, q) = (self.problem.eta(), self.problem.q_max());
            self.solved.relative = if q > 0.0 { eta / q } else { eta };
            self.solved.converged = self.solved.relative <= 1.01 * tolerance;
            if self.solved.converged || !solved {
                break;
            }
            asked *= 0.3;
        }
    }

    /// Velocities, impulses and relative velocities from the solved problem, and by which factor the guard has scaled
    /// them.
    fn take_answer(&mut self, frozen: &Frozen) -> f64 {
        let count = self.bodies.len();
        self.after.clear();
        self.after
            .extend_from_slice(&self.problem.velocities()[..count]);
        self.velocities[..count].copy_from_slice(&self.after);
        self.reactions.clear();
        let impulses = self.problem.impulses().zip(self.problem.frames());
        self.reactions
            .extend(impulses.map(|(r, f)| (f.to_world(r), DVec3::ZERO)));
        // A bounce may gain by its own law, which is reported and not hidden.
        let bounces = self.links.iter().any(|l| l.bias.x < 0.0);
        // With θ below 1 the scheme itself may gain where a contact closes; what is solved to a residual is left so.
        let swept = matches!(frozen.settings.effort, Effort::Sweeps(_));
        let mut factor = 1.0;
        if !bounces && (swept || frozen.settings.theta == 1.0) {
            let boundary_work = self.boundary_work();
            factor = Impulsive {
                bodies: &self.bodies,
                after: &self.after,
                boundary_work,
                rounding: if swept { 0.0 } else { ROUNDING },
            }
            .largest_factor(frozen);
            if factor < 1.0 {
                for (k, &i) in self.bodies.iter().enumerate() {
                    self.after[k] = scaled(&frozen.free[i as usize], &self.after[k], factor);
                }
                self.velocities[..count].copy_from_slice(&self.after);
                self.reactions.iter_mut().for_each(|r| r.0 *= factor);
            }
        }
        let at = |v: &NodeVelocity, arm: DVec3| v.linear + v.angular.cross(arm);
        for (reaction, l) in self.reactions.iter_mut().zip(&self.links) {
            let second = l
                .second
                .map_or(DVec3::ZERO, |k| at(&self.velocities[k], l.arm_second));
            reaction.1 = at(&self.velocities[l.first], l.arm_first) - second;
        }
        factor
    }

    /// Work that fixed and driven members do on the island through its contacts (J).
    fn boundary_work(&self) -> f64 {
        let speed = |node: usize, arm: DVec3| match self.velocities.get(node) {
            Some(v) if node >= self.bodies.len() => v.linear + v.angular.cross(arm),
            _ => DVec3::ZERO,
        };
        let work = |(r, l): (&(DVec3, DVec3), &Link)| {
            let second = l.second.map_or(DVec3::ZERO, |k| speed(k, l.arm_second));
            r.0.dot(second - speed(l.first, l.arm_first))
        };
        self.reactions.iter().zip(&self.links).map(work).sum()
    }

    fn sweep(&mut self, count: usize) -> Solved {
        self.problem.sweep(count);
        let eta = self.problem.eta();
        let q = self.problem.q_max();
        Solved {
            sweeps: count,
            relative: if q > 0.0 { eta / q } else { eta },
            converged: true,
        }
    }

    /// Sweeps, and where they crawl the solver for over-constrained problems from where they came to.
    fn solve_to(&mut self, tolerance: f64, sweeps: usize) -> Solved {
        let report = self.problem.solve(tolerance, sweeps);
        let mut solved = Solved {
            sweeps: report.sweeps,
            relative: report.relative,
            converged: report.converged,
        };
        if solved.converged || self.problem.contacts() > LARGEST_ASSEMBLED {
            return solved;
        }
        let Ok(assembled) = self.problem.assemble() else {
            return solved;
        };
        let start: Vec<DVec3> = self.problem.impulses().collect();
        let options = SolveOptions {
            method: Method::Default,
            tolerance,
            max_iterations: ITERATIONS,
        };
        let solution = solve_with(
            &assembled,
            options.method.solver().as_mut(),
            &options,
            Some(&start),
        );
        if self.problem.set_impulses(&solution.impulses).is_ok() {
            let (eta, q) = (self.problem.eta(), self.problem.q_max());
            let relative = if q > 0.0 { eta / q } else { eta };
            if relative <= solved.relative {
                solved.relative = relative;
                // The solver's own test is the stricter one; a factor covers the rounding between the two forms of W.
                solved.converged = relative <= 1.01 * tolerance;
            } else if self.problem.set_impulses(&start).is_err() {
                solved.converged = false;
            }
        }
        solved
    }

    /// Nodes, velocities and links of the island.
    fn collect(&mut self, frozen: &Frozen, place: &[(u32, u32)]) {
        self.nodes.clear();
        self.velocities.clear();
        self.links.clear();
        for &i in &self.bodies {
            self.nodes.push(frozen.members[i as usize].node());
            let v = frozen.free[i as usize];
            self.velocities.push(NodeVelocity {
                linear: v.linear,
                angular: v.angular,
            });
        }
        let contacts = std::mem::take(&mut self.contacts);
        for &k in &contacts {
            let c = &frozen.contacts[k as usize];
            let (first, arm_first, speed_first) = self.node_of(c.first, c.point, frozen, place);
            let (second, arm_second, speed_second) = self.node_of(c.second, c.point, frozen, place);
            let impulse =
                Frame::from_normal(c.normal).map_or(DVec3::ZERO, |f| f.to_local(c.impulse));
            let approach = c.normal.dot(speed_first - speed_second);
            self.links.push(Link {
                first,
                second: Some(second),
                normal: c.normal,
                arm_first,
                arm_second,
                bias: DVec3::new(bias(c, approach, frozen.settings), 0.0, 0.0),
                mu: c.friction,
                impulse,
            });
        }
        self.contacts = contacts;
    }

    /// Node of a member (made for one that is not free), the arm of a point and its velocity before the step.
    fn node_of(
        &mut self,
        member: u32,
        point: DVec3,
        frozen: &Frozen,
        place: &[(u32, u32)],
    ) -> (usize, DVec3, DVec3) {
        if let Some(b) = member
            .checked_sub(PLANES)
            .and_then(|k| frozen.planes.get(k as usize))
        {
            return (
                self.immovable(b.velocity, DVec3::ZERO),
                DVec3::ZERO,
                b.velocity,
            );
        }
        let m = &frozen.members[member as usize];
        let arm = point - m.state.pose.translation;
        if m.is_free() {
            return (
                place[member as usize].1 as usize,
                arm,
                m.state.velocity.at(arm),
            );
        }
        let v = frozen.free[member as usize];
        (self.immovable(v.linear, v.angular), arm, v.at(arm))
    }

    /// A node that no impulse moves; the last one is used again if it moves in the same way.
    fn immovable(&mut self, linear: DVec3, angular: DVec3) -> usize {
        let velocity = NodeVelocity { linear, angular };
        let known = self.velocities.iter().rposition(|v| *v == velocity);
        if let Some(k) =
            known.filter(|k| *k >= self.bodies.len() && *k + 8 >= self.velocities.len())
        {
            return k;
        }
        self.nodes.push(Node::FIXED);
        self.velocities.push(velocity);
        self.velocities.len() - 1
    }

    /// Displacements (as velocities over one step) that take out the overlap left after the step's motion.
    fn take_out_overlap(&mut self, frozen: &Frozen) -> Result<(), DynamicsError> {
        let s = frozen.settings;
        self.shift.clear();
        let mut worst = 0.0f64;
        let after = |k: usize, reaction: &(DVec3, DVec3), contacts: &[u32]| {
            let c = &frozen.contacts[contacts[k] as usize];
            c.gap + s.step * c.normal.dot(reaction.1)
        };
        let near = NEIGHBOURHOOD * s.slop;
        let mut kept = 0;
        for k in 0..self.links.len() {
            let gap = after(k, &self.reactions[k], &self.contacts);
            worst = worst.max(-gap - s.slop);
            if gap > near {
                continue;
            }
            let open = gap + s.slop;
            let mut link = self.links[k];
            link.bias = DVec3::new(
                if open < 0.0 { s.recovery * open } else { open } / s.step,
                0.0,
                0.0,
            );
            link.mu = 0.0;
            link.impulse = DVec3::ZERO;
            self.links[kept] = link;
            kept += 1;
        }
        self.links.truncate(kept);
        if worst <= 0.0 || s.recovery == 0.0 {
            return Ok(());
        }
        self.velocities
            .iter_mut()
            .for_each(|v| *v = NodeVelocity::default());
        self.shifts
            .load(&self.nodes, &self.velocities, &self.links)?;
        match s.effort {
            Effort::Sweeps(count) => self.shifts.sweep(count / 4),
            Effort::Residual { .. } => {
                self.shifts.solve(1e-2, 60);
            }
        }
        self.shift
            .extend_from_slice(&self.shifts.velocities()[..self.bodies.len()]);
        Ok(())
    }
}

/// What a contact adds to its normal velocity: the room of an open gap over the step, or the bounce of a closing one.
fn bias(c: &WorldContact, approach: f64, s: &WorldSettings) -> f64 {
    let room = c.gap.max(0.0) / s.step;
    if c.restitution > 0.0 && approach < -s.bounce_above && room < -approach {
        return c.restitution * approach;
    }
    room
}

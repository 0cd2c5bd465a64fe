//! Overlap is taken out by moving bodies, never by giving them velocity; but for that by which springs are shortened.

use super::contact_problem::ContactProblem;
use super::contacts::WorldContact;
use super::reaction::Reaction;
use super::settings::WorldSettings;
use crate::DynamicsError;
use glam::DVec3;
use klast_contact::bodies::{BodyVelocity, ContactPair, Problem, Solver, Tolerance};

/// Contacts that are this many slops open take part, so that nothing is pushed through them.
const NEIGHBOURHOOD: f64 = 50.0;
/// Relative residual of the displacements, the sweeps that are spent on it and after how many it is looked at.
const NEARLY: f64 = 1e-2;
const SWEEPS: usize = 60;
const LOOK: usize = 15;
/// Bound on what bodies move relative to each other at a contact, in overlaps to take out: a wedge of 15° needs four.
/// Where none of the displacements that take it out is as small, they are found with springs, or shortened.
const MOST_SHIFT: f64 = 4.0;
/// Compliance of those springs in inverse masses of the lightest body.
const SHARING: f64 = 1e-3;
/// Part of the largest overlap above which a contact that keeps its own is said to be wedged.
const WEDGED: f64 = 0.1;
/// Contacts up to which bodies that sweeps leave in overlap are asked whether they fit, and from how many slops on.
const ASKED: usize = 500;
const ASKED_FROM: f64 = 0.5;

/// The displacements of an island, with their problem and its solver; kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Displacements {
    /// Displacement velocity of each body that takes out overlap; empty if there is none to take out.
    pub shift: Vec<BodyVelocity>,
    /// Bodies whose overlap no displacement takes out.
    pub wedged: Vec<u32>,
    /// Contacts of the island that take part, and their links.
    near: Vec<u32>,
    links: Vec<ContactPair>,
    /// What is asked of each contact of the island, as a bias (m/s), and velocities by sweeps on the island's problem.
    asked: Vec<f64>,
    swept: Vec<BodyVelocity>,
    at_rest: Vec<BodyVelocity>,
    problem: Problem,
    solver: Solver,
}

impl Displacements {
    /// Drops those of another step.
    pub fn forget(&mut self) {
        self.shift.clear();
        self.wedged.clear();
    }

    /// Displacements (as velocities over one step) that take out the overlap left after the step's motion: `ends` are
    /// the contacts of the problem with what acts there, `sweeps` how many are spent where their number is fixed.
    pub fn solve<'a>(
        &mut self,
        (p, solver): (&ContactProblem, &mut Solver),
        bodies: &[u32],
        ends: impl Iterator<Item = (&'a WorldContact, &'a Reaction)>,
        sweeps: Option<usize>,
        s: &WorldSettings,
    ) -> Result<(), DynamicsError> {
        self.forget();
        let worst = self.ask(ends, s);
        if worst <= 0.0 || s.recovery == 0.0 {
            return Ok(());
        }
        let most = MOST_SHIFT * worst / s.step;
        let many = sweeps.filter(|_| self.asked.len() > ASKED && p.compliances.is_empty());
        let (mut largest, done) = match many {
            Some(count) => {
                solver.sweep_from_rest(&p.system, &self.asked, count, &mut self.swept);
                let small = p.slower_at_contacts(&self.swept, most);
                let exact = || largest_shift(&p.links, &self.swept);
                (if small { 0.0 } else { exact() }, true)
            }
            None => {
                self.choose(p, s);
                let done = self.solve_chosen(p, sweeps, worst, s)?;
                (largest_shift(&self.links, self.problem.velocities()), done)
            }
        };
        let shared = !done || largest > most;
        if shared {
            if many.is_some() {
                self.choose(p, s);
            }
            self.share_overlap(p, bodies)?;
            largest = largest_shift(&self.links, self.problem.velocities());
        }
        let part = if largest > most { most / largest } else { 1.0 };
        let all = match many.is_some() && !shared {
            true => &self.swept[..],
            false => self.problem.velocities(),
        };
        let shifts = all[..bodies.len()].iter();
        self.shift.extend(shifts.map(|v| BodyVelocity {
            linear: v.linear * part,
            angular: v.angular * part,
        }));
        Ok(())
    }

    /// Displacements of the contacts that were chosen; whether they are right, or enough.
    fn solve_chosen(
        &mut self,
        p: &ContactProblem,
        sweeps: Option<usize>,
        worst: f64,
        s: &WorldSettings,
    ) -> Result<bool, DynamicsError> {
        self.at_rest.clear();
        self.at_rest.resize(p.nodes.len(), BodyVelocity::default());
        self.problem
            .load_subset(&p.system, &self.at_rest, &self.links, &self.near)?;
        let Some(count) = sweeps else {
            return Ok(self.sweep_shifts(|_| false));
        };
        self.solver.sweep(&mut self.problem, count);
        // Sweeps leave much undone in a heap that fits; a few bodies at rest are asked whether they do.
        let asked =
            self.links.len() <= ASKED && worst > ASKED_FROM * s.slop && p.rests(s) && !self.fit();
        Ok(!asked || self.sweep_shifts(Self::fit))
    }

    /// Asks displacements of the contacts. The largest overlap after the step beyond what is allowed (m).
    fn ask<'a>(
        &mut self,
        ends: impl Iterator<Item = (&'a WorldContact, &'a Reaction)>,
        s: &WorldSettings,
    ) -> f64 {
        let mut worst = 0.0f64;
        self.asked.clear();
        for (c, reaction) in ends {
            let closing = c.normal.dot(reaction.velocity) + c.rolling_speed;
            let gap = c.gap + s.step * closing;
            // A spring is as short as its force makes it: taking that out under the force it keeps would drive the
            // bodies.
            let held = || s.compliance() * s.step * c.normal.dot(reaction.impulse);
            let allowed = s.slop + s.stiffness.map_or(0.0, |_| held());
            worst = worst.max(-gap - allowed);
            let open = gap + allowed;
            let asked = if open < 0.0 { s.recovery * open } else { open };
            self.asked.push(asked / s.step);
        }
        worst
    }

    /// Chooses the contacts that overlap after the step, or nearly so.
    fn choose(&mut self, p: &ContactProblem, s: &WorldSettings) {
        let near = NEIGHBOURHOOD * s.slop / s.step;
        self.near.clear();
        self.links.clear();
        for (k, (asked, link)) in self.asked.iter().zip(&p.links).enumerate() {
            if *asked > near {
                continue;
            }
            self.links.push(ContactPair {
                bias: DVec3::new(*asked, 0.0, 0.0),
                mu: 0.0,
                impulse: DVec3::ZERO,
                ..*link
            });
            self.near.push(k as u32);
        }
    }

    /// Sweeps until the displacements are right to a hundredth, or enough as they are, and whether they are.
    fn sweep_shifts(&mut self, enough: impl Fn(&Self) -> bool) -> bool {
        (0..SWEEPS / LOOK).any(|_| {
            self.solver.sweep(&mut self.problem, LOOK);
            self.problem.relative_residual() <= NEARLY || enough(self)
        })
    }

    /// Whether the present displacements take out more than half of what is asked for at each contact: no body is
    /// wedged then.
    fn fit(&self) -> bool {
        self.least_taken_out() > 0.5
    }

    /// Least part of the overlap asked for that the present displacements take out at a contact.
    fn least_taken_out(&self) -> f64 {
        let asked = self.links.iter().filter(|link| link.bias.x < 0.0);
        let parts = asked
            .map(|link| link.normal.dot(shift(link, self.problem.velocities())) / -link.bias.x);
        parts.fold(1.0, f64::min)
    }

    /// Displacements where sweeps do not get there. No rigid ones may take out all of the overlap, as of bodies in a
    /// slot that is too narrow: contacts are springs as soft as a part of the bodies' inverse mass, so that each keeps
    /// its share of what is left. Notes the bodies at contacts that keep more than half of theirs.
    fn share_overlap(&mut self, p: &ContactProblem, bodies: &[u32]) -> Result<(), DynamicsError> {
        let lightest = p
            .nodes
            .iter()
            .map(|node| node.inverse_mass)
            .fold(0.0, f64::max);
        // Smooth faces under pressure would slip and let bodies buckle out of where they are.
        self.links.iter_mut().for_each(|link| link.mu = 1.0);
        let at_rest = &self.at_rest;
        self.problem
            .load_compliant(&p.nodes, at_rest, &self.links, SHARING * lightest)?;
        let tolerance = Tolerance::of(NEARLY);
        self.solver.solve(&mut self.problem, tolerance, SWEEPS);
        let asked = self
            .links
            .iter()
            .map(|link| -link.bias.x)
            .fold(0.0, f64::max);
        for link in self
            .links
            .iter()
            .filter(|link| -link.bias.x > WEDGED * asked)
        {
            let taken_out = link.normal.dot(shift(link, self.problem.velocities()));
            if taken_out < -0.5 * link.bias.x {
                let own = [Some(link.first), link.second];
                let kept = own.iter().flatten().filter_map(|&node| bodies.get(node));
                self.wedged.extend(kept);
            }
        }
        self.wedged.sort_unstable();
        self.wedged.dedup();
        Ok(())
    }
}

/// Largest relative velocity of two bodies at a contact (m/s).
fn largest_shift(links: &[ContactPair], velocities: &[BodyVelocity]) -> f64 {
    let squares = links
        .iter()
        .map(|link| shift(link, velocities).length_squared());
    // The root of the largest square is the largest root.
    let largest = squares.fold(0.0, |most, square| {
        if square.is_finite() {
            f64::max(most, square)
        } else {
            f64::INFINITY
        }
    });
    largest.sqrt()
}

/// Velocity at a contact of the first body relative to the second (m/s).
fn shift(link: &ContactPair, velocities: &[BodyVelocity]) -> DVec3 {
    let at = |node: usize, arm: DVec3| {
        velocities
            .get(node)
            .map_or(DVec3::ZERO, |v| v.linear + v.angular.cross(arm))
    };
    let second = link
        .second
        .map_or(DVec3::ZERO, |node| at(node, link.arm_second));
    at(link.first, link.arm_first) - second
}

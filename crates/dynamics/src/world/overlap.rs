//! Overlap is taken out by moving bodies, never by giving them velocity; but for that by which springs are shortened.

use super::island::{Frozen, Island, Reaction};
use crate::DynamicsError;
use glam::DVec3;
use klast_contact::bodies::{BodyVelocity, ContactPair, Tolerance};

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

impl Island {
    /// Displacements (as velocities over one step) that take out the overlap left after the step's motion.
    pub(super) fn take_out_overlap(&mut self, frozen: &Frozen) -> Result<(), DynamicsError> {
        let s = &frozen.state.settings;
        self.shift.clear();
        self.wedged.clear();
        let mut worst = 0.0f64;
        let after = |k: usize, reaction: &Reaction, contacts: &[u32]| {
            let c = &frozen.contacts[contacts[k] as usize];
            c.gap + s.step * c.normal.dot(reaction.velocity)
        };
        // A spring is as short as its force makes it: taking that out under the force it keeps would drive the bodies.
        let held = |k: usize, reaction: &Reaction, contacts: &[u32]| {
            let normal = frozen.contacts[contacts[k] as usize].normal;
            s.compliance() * s.step * normal.dot(reaction.impulse)
        };
        let near = NEIGHBOURHOOD * s.slop;
        self.near.clear();
        for k in 0..self.links.len() {
            let gap = after(k, &self.reactions[k], &self.contacts);
            let allowed = s.slop + held(k, &self.reactions[k], &self.contacts);
            worst = worst.max(-gap - allowed);
            if gap > near {
                continue;
            }
            let open = gap + allowed;
            let mut link = self.links[k];
            link.bias = DVec3::new(
                if open < 0.0 { s.recovery * open } else { open } / s.step,
                0.0,
                0.0,
            );
            link.mu = 0.0;
            link.impulse = DVec3::ZERO;
            self.links[self.near.len()] = link;
            self.near.push(k as u32);
        }
        self.links.truncate(self.near.len());
        if worst <= 0.0 || s.recovery == 0.0 {
            return Ok(());
        }
        self.velocities
            .iter_mut()
            .for_each(|v| *v = BodyVelocity::default());
        self.shifts
            .load_subset(&self.problem, &self.velocities, &self.links, &self.near)?;
        let done = match self.solved.sweeps_on_overlap {
            Some(count) => {
                self.shift_solver.sweep(&mut self.shifts, count);
                // Sweeps leave much undone in a heap that fits; a few bodies at rest are asked whether they do.
                let asked = self.links.len() <= ASKED
                    && worst > ASKED_FROM * s.slop
                    && self.rests(frozen)
                    && self.least_taken_out() <= 0.5;
                !asked || self.sweep_shifts()
            }
            None => self.sweep_shifts(),
        };
        let most = MOST_SHIFT * worst / s.step;
        if !done || self.largest_shift() > most {
            self.share_overlap()?;
        }
        let largest = self.largest_shift();
        let part = if largest > most { most / largest } else { 1.0 };
        let shifts = self.shifts.velocities()[..self.bodies.len()].iter();
        self.shift.extend(shifts.map(|v| BodyVelocity {
            linear: v.linear * part,
            angular: v.angular * part,
        }));
        Ok(())
    }

    /// Sweeps until the displacements are right to a hundredth, and whether they are.
    fn sweep_shifts(&mut self) -> bool {
        (0..SWEEPS / LOOK).any(|_| {
            self.shift_solver.sweep(&mut self.shifts, LOOK);
            self.shifts.relative_residual() <= NEARLY
        })
    }

    /// Largest relative velocity of two bodies at a contact by the present displacements (m/s).
    fn largest_shift(&self) -> f64 {
        let moves = self
            .links
            .iter()
            .map(|link| shift(link, self.shifts.velocities()).length());
        moves.fold(0.0, |most, u| {
            if u.is_finite() {
                f64::max(most, u)
            } else {
                f64::INFINITY
            }
        })
    }

    /// Least part of the overlap asked for that the present displacements take out at a contact.
    fn least_taken_out(&self) -> f64 {
        let asked = self.links.iter().filter(|link| link.bias.x < 0.0);
        let parts =
            asked.map(|link| link.normal.dot(shift(link, self.shifts.velocities())) / -link.bias.x);
        parts.fold(1.0, f64::min)
    }

    /// Displacements where sweeps do not get there. No rigid ones may take out all of the overlap, as of bodies in a
    /// slot that is too narrow: contacts are springs as soft as a part of the bodies' inverse mass, so that each keeps
    /// its share of what is left. Notes the bodies at contacts that keep more than half of theirs.
    fn share_overlap(&mut self) -> Result<(), DynamicsError> {
        let lightest = self
            .nodes
            .iter()
            .map(|node| node.inverse_mass)
            .fold(0.0, f64::max);
        // Smooth faces under pressure would slip and let bodies buckle out of where they are.
        self.links.iter_mut().for_each(|link| link.mu = 1.0);
        let (nodes, at_rest) = (&self.nodes, &self.velocities);
        self.shifts
            .load_compliant(nodes, at_rest, &self.links, SHARING * lightest)?;
        let tolerance = Tolerance::of(NEARLY);
        self.shift_solver.solve(&mut self.shifts, tolerance, SWEEPS);
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
            let taken_out = link.normal.dot(shift(link, self.shifts.velocities()));
            if taken_out < -0.5 * link.bias.x {
                let own = [Some(link.first), link.second];
                let bodies = own
                    .iter()
                    .flatten()
                    .filter_map(|&node| self.bodies.get(node));
                self.wedged.extend(bodies);
            }
        }
        self.wedged.sort_unstable();
        self.wedged.dedup();
        Ok(())
    }
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

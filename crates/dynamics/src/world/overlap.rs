//! Overlap is taken out by moving bodies, never by giving them velocity; but for that by which springs are shortened.

use super::island::{Island, Reaction};
use super::islands::Frozen;
use super::settings::Effort;
use crate::DynamicsError;
use glam::DVec3;
use klast_contact::NodeVelocity;

/// Contacts that are this many slops open take part, so that nothing is pushed through them.
const NEIGHBOURHOOD: f64 = 50.0;

impl Island {
    /// Displacements (as velocities over one step) that take out the overlap left after the step's motion.
    pub(super) fn take_out_overlap(&mut self, frozen: &Frozen) -> Result<(), DynamicsError> {
        let s = frozen.settings;
        self.shift.clear();
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
            .for_each(|v| *v = NodeVelocity::default());
        self.shifts
            .load_part(&self.problem, &self.velocities, (&self.links, &self.near))?;
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

//! One step of the world.

use super::audit::StepReport;
use super::broad_phase::PLANES;
use super::contacts::WorldContact;
use super::divided_step::divisions;
use super::facade::World;
use super::find_contacts::find_contacts;
use super::impacts::strike;
use super::island::{Frozen, Island};
use super::member::{Member, Role};
use super::motion::moved;
use super::sleep::{fall_asleep, wake_the_touched};
use crate::{DynamicsError, Twist};
use glam::{DQuat, DVec3};
use klast_numerics::check::finite_vector;
use rayon::prelude::*;

impl World {
    /// Moves the world on by one step and says what happened to its energy. A step in which bodies meet that are fast
    /// for their size is divided, so that none goes far for its size before its contacts are looked at again.
    ///
    /// # Errors
    /// When a velocity or a pose has stopped being finite (a step far too large for the spin); the world then stays
    /// as it was before the step, but that who was about to be woken is awake.
    pub fn step(&mut self) -> Result<StepReport, DynamicsError> {
        match divisions(&self.state, &mut self.work.search.broad) {
            1 => self.one_step(),
            parts => self.divided_step(parts),
        }
    }

    /// A step in equal parts.
    fn divided_step(&mut self, parts: u32) -> Result<StepReport, DynamicsError> {
        let (before, settings) = (self.snapshot(), self.state.settings);
        let (end, steps, counted) = (
            self.state.time + settings.step,
            self.history.steps,
            self.history.ledger.steps,
        );
        self.divide_step(1.0 / f64::from(parts));
        let mut report = StepReport::default();
        for _ in 0..parts {
            match self.one_step() {
                Ok(part) => report.append(&part),
                Err(error) => {
                    self.state.settings = settings;
                    self.restore(&before)?;
                    return Err(error);
                }
            }
        }
        self.divide_step(f64::from(parts));
        self.state.settings.step = settings.step;
        (self.state.time, report.time) = (end, end);
        (self.history.steps, self.history.ledger.steps) = (steps + 1, counted + 1);
        Ok(report)
    }

    /// Another step for the same forces.
    fn divide_step(&mut self, part: f64) {
        self.state.settings.step *= part;
        self.history
            .contacts
            .iter_mut()
            .for_each(|c| c.impulse *= part);
    }

    fn one_step(&mut self) -> Result<StepReport, DynamicsError> {
        let report = self.try_step();
        if report.is_err() {
            self.work.impacts.take_back(&mut self.state.members);
            std::mem::swap(&mut self.history.contacts, &mut self.work.old_contacts);
        }
        #[cfg(feature = "tracing")]
        if let Ok(step) = &report {
            tracing::debug!(
                time = step.time,
                contacts = step.contacts,
                islands = step.islands,
                sweeps = step.sweeps,
                residual = step.residual,
                kinetic = step.kinetic,
                gain = step.gain,
                "step"
            );
        }
        report
    }

    fn try_step(&mut self) -> Result<StepReport, DynamicsError> {
        let settings = self.state.settings;
        let (kinetic, potential) = (self.state.kinetic_energy(), self.state.potential_energy());
        let elastic = self.history.elastic_energy(&self.state.settings);
        for plane in &mut self.state.planes {
            plane.velocity = plane.drive.as_ref().map_or(DVec3::ZERO, |d| {
                d.velocity(self.state.time, settings.step).linear
            });
        }
        std::mem::swap(&mut self.history.contacts, &mut self.work.old_contacts);
        find_contacts(
            &self.state,
            &self.work.old_contacts,
            &mut self.work.search,
            &mut self.history.contacts,
        );
        let mut report = self.overlap_now();
        let mut free = self.free_velocities();
        let mut after = std::mem::take(&mut self.work.ends.after);
        self.work
            .islands
            .sort(&self.state.members, &self.history.contacts);
        wake_the_touched(
            &mut self.state,
            &self.history.contacts,
            &mut self.work.islands,
            &mut free,
        );
        self.work.impacts.begin();
        strike(
            &mut self.state,
            &self.history.contacts,
            &mut self.work.impacts,
            &mut free,
            &mut report,
        )?;
        self.solve_islands(&free)?;
        self.velocities_after(&free, &mut after);
        self.poses_after(&after);
        self.solve_for_entering(&mut free, &mut after, &mut report)?;
        self.check_end(&after)?;
        report.contacts = self.history.contacts.len();
        report.islands = self.work.islands.count();
        self.collect_reactions(&free, &mut report);
        report.scheme_loss = self.scheme_loss(&free, &after);
        report.angular_momentum_error = self.move_bodies(&free, &after);
        report.stabilisation = self.shift_bodies();
        fall_asleep(
            &mut self.state,
            &self.history.contacts,
            &self.work.islands,
            &free,
            &mut report,
        );
        (self.work.ends.free, self.work.ends.after) = (free, after);
        self.state.time += settings.step;
        self.history.steps += 1;
        report.time = self.state.time;
        (report.kinetic, report.potential) =
            (self.state.kinetic_energy(), self.state.potential_energy());
        report.elastic = self.history.elastic_energy(&self.state.settings);
        report.spring_loss += elastic - report.elastic;
        let change = report.kinetic - kinetic + report.potential - potential + report.elastic
            - elastic
            - report.stabilisation;
        report.gain = change - report.boundary_work;
        report.unexplained = report.gain + report.losses();
        let scale = kinetic
            + report.kinetic
            + potential.abs()
            + report.potential.abs()
            + elastic
            + report.contact_loss.abs();
        self.history.ledger.enter(&report, scale);
        Ok(report)
    }

    /// Refuses an end of the step that is not finite.
    fn check_end(&self, after: &[Twist]) -> Result<(), DynamicsError> {
        for (pose, v) in self.work.ends.poses.iter().zip(after) {
            finite_vector("position after a step", pose.translation)?;
            finite_vector("velocity after a step", v.linear)?;
            finite_vector("spin after a step", v.angular)?;
            let q = pose.rotation;
            finite_vector("rotation after a step", DVec3::new(q.x, q.y, q.z + q.w))?;
        }
        Ok(())
    }

    /// A report with the overlaps at the start of the step.
    fn overlap_now(&self) -> StepReport {
        let mut report = StepReport::default();
        for c in self.history.contacts.iter().filter(|c| c.gap < 0.0) {
            report.deepest = report.deepest.max(-c.gap);
            report.overlap -= c.gap;
            report.overlapping += 1;
        }
        report
    }

    /// Velocities at the end of the step if there were no contacts; given ones for what is driven.
    fn free_velocities(&mut self) -> Vec<Twist> {
        let mut free = std::mem::take(&mut self.work.ends.free);
        free.clear();
        let one = |m: &Member| m.free_velocity(&self.state.settings, self.state.time);
        free.extend(self.state.members.iter().map(one));
        free
    }

    pub(super) fn solve_islands(&mut self, free: &[Twist]) -> Result<(), DynamicsError> {
        let parallel = self.state.settings.parallel;
        let frozen = Frozen {
            members: &self.state.members,
            planes: &self.state.planes,
            contacts: &self.history.contacts,
            old: &self.work.old_contacts,
            free,
            settings: &self.state.settings,
        };
        let (islands, place) = self.work.islands.active();
        if parallel && islands.len() > 1 {
            islands
                .par_iter_mut()
                .filter(|island| !island.asleep)
                .try_for_each(|island| island.solve(&frozen, place))
        } else {
            islands
                .iter_mut()
                .filter(|island| !island.asleep)
                .try_for_each(|island: &mut Island| island.solve(&frozen, place))
        }
    }

    /// Writes impulses and velocities back to the contacts.
    pub(super) fn write_reactions(&mut self) {
        for island in self.work.islands.iter() {
            for (&k, reaction) in island.contacts.iter().zip(&island.reactions) {
                let c = &mut self.history.contacts[k as usize];
                (c.impulse, c.velocity) = (reaction.impulse, reaction.velocity);
            }
        }
    }

    /// Writes impulses and velocities back to the contacts and sums their work.
    fn collect_reactions(&mut self, free: &[Twist], report: &mut StepReport) {
        self.write_reactions();
        for island in self.work.islands.iter() {
            for (&k, reaction) in island.contacts.iter().zip(&island.reactions) {
                let c = &self.history.contacts[k as usize];
                let loss = reaction.loss();
                report.contact_loss += loss - reaction.returned;
                report.returned += reaction.returned;
                report.spring_loss += reaction.stored;
                report.least_contact_loss = report.least_contact_loss.min(loss);
                if loss < -reaction.rounding {
                    report.driving_contacts += 1;
                    report.driven -= loss;
                }
                report.boundary_work +=
                    boundary_work(c, &self.state.members, &self.state.planes, free);
            }
            report.sweeps = report.sweeps.max(island.solved.sweeps);
            report.residual = report.residual.max(island.solved.relative);
            report.residual_speed = report.residual_speed.max(island.solved.residual);
            report.unconverged += usize::from(!island.solved.converged);
            report.wedged += island.wedged.len();
        }
    }

    /// Velocities at the end of the step.
    pub(super) fn velocities_after(&self, free: &[Twist], after: &mut Vec<Twist>) {
        after.clear();
        after.extend_from_slice(free);
        for island in self.work.islands.iter() {
            for (&i, v) in island.bodies.iter().zip(&island.after) {
                after[i as usize] = Twist {
                    linear: v.linear,
                    angular: v.angular,
                };
            }
        }
    }

    /// Poses at the end of the step, before overlap is taken out.
    pub(super) fn poses_after(&mut self, after: &[Twist]) {
        let s = self.state.settings;
        let pose = |(m, v): (&Member, &Twist)| {
            if m.role == Role::Fixed {
                return m.state.pose;
            }
            let theta = if m.is_free() { s.theta } else { 1.0 };
            let linear = v.linear * theta + m.state.velocity.linear * (1.0 - theta);
            moved(&m.state.pose, linear * s.step, v.angular * s.step)
        };
        self.work.ends.poses.clear();
        self.work
            .ends
            .poses
            .extend(self.state.members.iter().zip(after).map(pose));
    }

    /// ½ Δv·MΔv − (1 − θ) h m g·Δv over the free bodies, Δv without the gyroscopic part, which keeps the energy.
    fn scheme_loss(&self, free: &[Twist], after: &[Twist]) -> f64 {
        let s = &self.state.settings;
        let bodies = self
            .state
            .members
            .iter()
            .zip(free)
            .zip(after)
            .filter(|((m, _), _)| m.is_free());
        bodies
            .map(|((m, free), after)| {
                let linear = after.linear - m.state.velocity.linear;
                let angular = m
                    .state
                    .pose
                    .inverse_transform_vector(after.angular - free.angular);
                0.5 * m.body.mass() * linear.length_squared()
                    + 0.5 * angular.dot(m.body.inertia() * angular)
                    - (1.0 - s.theta) * s.step * m.body.mass() * s.gravity.dot(linear)
            })
            .sum()
    }

    /// Moves all bodies and planes over the step. Returns what the rotation has changed in the angular momenta beyond
    /// the impulses, summed over the bodies (N m s): without an impulse a body is turned back by it, and nothing is
    /// left.
    fn move_bodies(&mut self, free: &[Twist], after: &[Twist]) -> f64 {
        let s = self.state.settings;
        let ends = self.work.ends.poses.iter().zip(free.iter().zip(after));
        let mut error = 0.0;
        for (m, (pose, (free, after))) in self.state.members.iter_mut().zip(ends) {
            if m.role == Role::Fixed {
                continue;
            }
            let start = m.state;
            (m.state.pose, m.state.velocity) = (*pose, *after);
            if !m.is_free() || m.body.is_isotropic() {
                continue;
            }
            let mut momentum = start.angular_momentum(&m.body);
            if free == after {
                keep_direction(m, momentum);
            } else {
                let body_axes = |w: DVec3| start.pose.inverse_transform_vector(w);
                let impulse = m.body.inertia() * body_axes(after.angular - free.angular);
                momentum += start.pose.transform_vector(impulse);
            }
            error += (m.state.angular_momentum(&m.body) - momentum).length();
        }
        for plane in &mut self.state.planes {
            plane.plane.offset += plane.plane.normal.dot(plane.velocity) * s.step;
        }
        error
    }

    /// Takes bodies out of overlap; returns the potential energy that this has added.
    fn shift_bodies(&mut self) -> f64 {
        let s = self.state.settings;
        let mut added = 0.0;
        for island in self.work.islands.iter() {
            for (&i, v) in island.bodies.iter().zip(&island.shift) {
                let m = &mut self.state.members[i as usize];
                m.state.pose = moved_keeping_energy(m, v.linear * s.step, v.angular * s.step);
                added -= m.body.mass() * s.gravity.dot(v.linear) * s.step;
            }
        }
        added
    }
}

/// Turns a body with its spin so that its angular momentum points where it is to point. The rule for the gyroscopic
/// moment keeps its length and the energy, so a turn is all that is missing.
fn keep_direction(m: &mut Member, momentum: DVec3) {
    let now = m.state.angular_momentum(&m.body);
    let lengths = now.length() * momentum.length();
    // Twice the half angle's cosine times the quaternion of the shortest turn.
    let turn = DQuat::from_vec4(now.cross(momentum).extend(lengths + now.dot(momentum)));
    if turn.w > lengths {
        let turn = turn.normalize();
        m.state.pose.rotation = (turn * m.state.pose.rotation).normalize();
        m.state.velocity.angular = turn * m.state.velocity.angular;
    }
}

/// The shifted pose; the spin turns with the body, so that its kinetic energy stays what it is.
fn moved_keeping_energy(m: &mut Member, displacement: DVec3, turn: DVec3) -> klast_geometry::Pose {
    let pose = moved(&m.state.pose, displacement, turn);
    if !m.body.is_isotropic() {
        m.state.velocity.angular = pose.transform_vector(m.state.body_spin());
    }
    pose
}

/// Work that a fixed or driven member does on the free one through a contact.
fn boundary_work(
    c: &WorldContact,
    members: &[Member],
    planes: &[super::member::Boundary],
    free: &[Twist],
) -> f64 {
    if let Some(b) = c
        .second
        .checked_sub(PLANES)
        .and_then(|k| planes.get(k as usize))
    {
        return c.impulse.dot(b.velocity);
    }
    let [first, second] = c.points();
    let speed = |i: u32, point: DVec3| match members.get(i as usize) {
        Some(m) if !m.is_free() => free[i as usize].at(point - m.state.pose.translation),
        _ => DVec3::ZERO,
    };
    c.impulse.dot(speed(c.second, second)) - c.impulse.dot(speed(c.first, first))
}

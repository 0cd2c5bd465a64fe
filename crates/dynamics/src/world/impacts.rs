//! Impacts of the bodies of a pair, one pair after the other in the order in which they meet within a step.
//!
//! Rigid bodies that meet at one instant do not say how the impulse travels through them. A wave takes its time from
//! one contact to the next, so that two bodies have parted before a third is reached: the impacts are binary, and each
//! keeps the momentum and the part of the energy that its law says (of bodies in a row the last alone flies off, as in
//! Newton's cradle). So a step begins with the impacts that the velocities at its start lead to: the pair that meets
//! first, with the contacts that are then closed; the velocities change; the next pair, until none meets faster than
//! [`super::settings::WorldSettings::bounce_above`]. The contact problem of the step then has no restitution.

use super::audit::StepReport;
use super::broad_phase::PLANES;
use super::contacts::WorldContact;
use super::facade::World;
use super::impact_run::{ImpactRun, Meeting, Pair};
use super::settings::{Impacts, Restitution};
use crate::{DynamicsError, Twist};
use glam::{DMat3, DVec3};
use klast_contact::{
    Delassus, Frame, Friction, ImpactContact, ImpactLaw, ImpactProblem, SolveOptions,
};
use std::ops::Range;

/// Impacts of a step at most, for each pair that may bounce: what is left then is plastic.
const IMPACTS: usize = 50;
const TOLERANCE: f64 = 1e-12;

/// A body at an impact: what moves it, and where.
struct Side {
    velocity: Twist,
    arm: DVec3,
    inverse_mass: f64,
    inverse_inertia: DMat3,
}

impl World {
    /// Lets the pairs that meet within the step collide, and gives the bodies the velocities of that.
    pub(super) fn strike(
        &mut self,
        free: &mut [Twist],
        report: &mut StepReport,
    ) -> Result<(), DynamicsError> {
        let Impacts::InTurn(law) = self.state.settings.impacts else {
            return Ok(());
        };
        if self.state.settings.stiffness.is_some()
            || self.history.contacts.iter().all(|c| c.restitution == 0.0)
        {
            return Ok(());
        }
        let mut run = std::mem::take(&mut self.work.impacts);
        let done = self.collide(&mut run, &law.of_contacts(), report);
        for (i, _) in &run.changed {
            let m = &mut self.state.members[*i as usize];
            m.state.velocity = run.velocities[*i as usize];
            free[*i as usize] = m.free_velocity(&self.state.settings, self.state.time);
        }
        self.work.impacts = run;
        done
    }

    /// Takes the impacts of the step back.
    pub(super) fn take_impacts_back(&mut self) {
        for (i, velocity) in self.work.impacts.changed.drain(..).rev() {
            if let Some(m) = self.state.members.get_mut(i as usize) {
                m.state.velocity = velocity;
            }
        }
    }

    /// Forgets which velocities the step began with.
    pub(super) fn begin_impacts(&mut self) {
        self.work.impacts.changed.clear();
    }

    fn collide(
        &self,
        run: &mut ImpactRun,
        law: &ImpactLaw,
        report: &mut StepReport,
    ) -> Result<(), DynamicsError> {
        let s = &self.state.settings;
        run.velocities.clear();
        let now = self
            .state
            .members
            .iter()
            .map(|m| m.present_velocity(s, self.state.time));
        run.velocities.extend(now);
        run.gaps.clear();
        run.gaps.extend(self.history.contacts.iter().map(|c| c.gap));
        run.pairs.clear();
        let mut from = 0;
        for chunk in self
            .history
            .contacts
            .chunk_by(|a, b| (a.first, a.second) == (b.first, b.second))
        {
            let contacts = from..from + chunk.len();
            from = contacts.end;
            let awake = |i: u32| i >= PLANES || !self.state.is_asleep(i as usize);
            if chunk
                .iter()
                .any(|c| c.restitution > 0.0 && awake(c.first) && awake(c.second))
            {
                run.pairs.push(Pair {
                    contacts,
                    meets: None,
                });
            }
        }
        let mut time = 0.0;
        for k in 0..run.pairs.len() {
            run.pairs[k].meets = self.meeting(run, &run.pairs[k].contacts, time);
        }
        let mut cut_short = !run.pairs.is_empty();
        for _ in 0..IMPACTS * run.pairs.len() {
            let next = run
                .pairs
                .iter()
                .enumerate()
                .filter_map(|(k, p)| Some((p.meets?, k)));
            let Some((next, k)) = next.min_by(|(a, i), (b, j)| a.before(b).then(i.cmp(j))) else {
                cut_short = false;
                break;
            };
            self.advance(run, next.time - time);
            time = next.time;
            // Rounding would leave it a little apart, and not struck.
            run.gaps[next.contact] = run.gaps[next.contact].min(0.0);
            let pair = run.pairs[k].contacts.clone();
            self.collide_pair(run, pair.clone(), law, report)?;
            let (a, b) = (
                self.history.contacts[pair.start].first,
                self.history.contacts[pair.start].second,
            );
            for j in 0..run.pairs.len() {
                let c = &self.history.contacts[run.pairs[j].contacts.start];
                let touches = |i: u32| {
                    i < PLANES && self.state.is_free(i as usize) && (i == c.first || i == c.second)
                };
                if touches(a) || touches(b) {
                    run.pairs[j].meets = self.meeting(run, &run.pairs[j].contacts, time);
                }
            }
        }
        report.unconverged += usize::from(cut_short);
        Ok(())
    }

    /// Where a pair meets at the present velocities; none if not within the step.
    fn meeting(&self, run: &ImpactRun, contacts: &Range<usize>, time: f64) -> Option<Meeting> {
        let left = self.state.settings.step - time;
        let meetings = contacts.clone().filter_map(|k| {
            let c = &self.history.contacts[k];
            let closing = -c.normal.dot(self.relative(run, c));
            let wait = run.gaps[k].max(0.0) / closing;
            let meets =
                c.restitution > 0.0 && closing > self.state.settings.bounce_above && wait < left;
            meets.then_some(Meeting {
                time: time + wait,
                speed: closing,
                contact: k,
            })
        });
        meetings.min_by(Meeting::before)
    }

    /// Moves the gaps on.
    fn advance(&self, run: &mut ImpactRun, time: f64) {
        if time == 0.0 {
            return;
        }
        for p in 0..run.pairs.len() {
            for k in run.pairs[p].contacts.clone() {
                let c = &self.history.contacts[k];
                let speed = c.normal.dot(self.relative(run, c));
                run.gaps[k] += speed * time;
            }
        }
    }

    /// Velocity of the first body relative to the second at a contact.
    fn relative(&self, run: &ImpactRun, c: &WorldContact) -> DVec3 {
        let points = c.points();
        let at = |i: u32, point: DVec3| match i.checked_sub(PLANES) {
            Some(k) => self
                .state
                .planes
                .get(k as usize)
                .map_or(DVec3::ZERO, |p| p.velocity),
            None => run.velocities[i as usize]
                .at(point - self.state.members[i as usize].state.pose.translation),
        };
        at(c.first, points[0]) - at(c.second, points[1])
    }

    /// Both bodies of a contact as they are now.
    fn sides(&self, run: &ImpactRun, c: &WorldContact) -> [Side; 2] {
        let points = c.points();
        [(c.first, points[0]), (c.second, points[1])].map(|(i, point)| {
            if let Some(k) = i.checked_sub(PLANES) {
                let plane = self.state.planes.get(k as usize);
                return Side {
                    velocity: Twist {
                        linear: plane.map_or(DVec3::ZERO, |p| p.velocity),
                        angular: DVec3::ZERO,
                    },
                    arm: DVec3::ZERO,
                    inverse_mass: 0.0,
                    inverse_inertia: DMat3::ZERO,
                };
            }
            let m = &self.state.members[i as usize];
            let node = m.node();
            Side {
                velocity: run.velocities[i as usize],
                arm: point - m.state.pose.translation,
                inverse_mass: node.inverse_mass,
                inverse_inertia: node.inverse_inertia,
            }
        })
    }

    /// The impact of one pair, at the contacts that are closed now.
    fn collide_pair(
        &self,
        run: &mut ImpactRun,
        pair: Range<usize>,
        law: &ImpactLaw,
        report: &mut StepReport,
    ) -> Result<(), DynamicsError> {
        let s = &self.state.settings;
        let closed: Vec<usize> = pair.filter(|&k| run.gaps[k] <= s.slop).collect();
        let mut list = Vec::with_capacity(closed.len());
        let (mut contacts, mut blocks) = (vec![], vec![]);
        for &k in &closed {
            let c = &self.history.contacts[k];
            let frame = Frame::from_normal(c.normal)?;
            let u = frame.to_local(self.relative(run, c));
            let bounces = -u.x > s.bounce_above;
            let e = if bounces { c.restitution } else { 0.0 };
            let mut contact = ImpactContact::new(u)
                .with_friction(c.friction)
                .with_restitution(e);
            contact.group = Some(0);
            contacts.push(contact);
            list.push((frame, self.sides(run, c)));
        }
        for (i, (frame, at)) in list.iter().enumerate() {
            for (j, (other, by)) in list.iter().enumerate() {
                let column = |axis: DVec3| {
                    let p = other.to_world(axis);
                    let moved = |k: usize| {
                        let turn = by[k].inverse_inertia * by[k].arm.cross(p);
                        p * by[k].inverse_mass + turn.cross(at[k].arm)
                    };
                    frame.to_local(moved(0) + moved(1))
                };
                let w = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
                blocks.push((i, j, w));
            }
        }
        let problem = ImpactProblem::new(Delassus::from_blocks(list.len(), blocks)?, contacts)?;
        let options = SolveOptions {
            tolerance: TOLERANCE,
            ..SolveOptions::default()
        };
        let impact = law.resolve(&problem, &options)?;
        let ends = problem.contacts().iter().zip(&impact.impulses);
        for ((&k, (frame, sides)), (start, r)) in closed.iter().zip(&list).zip(ends) {
            let c = &self.history.contacts[k];
            report.returned += r.x * start.restitution * (-start.velocity.x).max(0.0);
            let p = frame.to_world(*r);
            for (member, side, sign) in [(c.first, &sides[0], 1.0), (c.second, &sides[1], -1.0)] {
                if side.inverse_mass == 0.0 {
                    report.boundary_work -= sign * p.dot(side.velocity.at(side.arm));
                    continue;
                }
                if run.changed.iter().all(|(i, _)| *i != member) {
                    run.changed.push((member, run.velocities[member as usize]));
                }
                let v = &mut run.velocities[member as usize];
                v.linear += p * (sign * side.inverse_mass);
                v.angular += side.inverse_inertia * side.arm.cross(p) * sign;
            }
        }
        report.impacts += 1;
        report.unconverged += usize::from(!impact.converged);
        report.contact_loss -= impact.energy.change;
        if impact.energy.is_gain() {
            report.driving_contacts += 1;
            report.driven += impact.energy.change;
        }
        Ok(())
    }
}

impl Restitution {
    fn of_contacts(self) -> ImpactLaw {
        let friction = Friction::MaximumDissipation;
        match self {
            Self::Newton => ImpactLaw::Newton { friction },
            Self::Sequential => ImpactLaw::Sequential { friction },
            Self::Poisson => ImpactLaw::Poisson,
            Self::Stronge => ImpactLaw::Stronge,
        }
    }
}

//! Impacts of the bodies of a pair, one pair after the other in the order in which they meet within a step.
//!
//! Rigid bodies that meet at one instant do not say how the impulse travels through them. A wave takes its time from
//! one contact to the next, so that two bodies have parted before a third is reached: the impacts are binary, and each
//! keeps the momentum and the part of the energy that its law says (of bodies in a row the last alone flies off, as in
//! Newton's cradle). So a step begins with the impacts that the velocities at its start lead to: the pair that meets
//! first, with the contacts that are then closed; the velocities change; the next pair, until none meets faster than
//! [`super::WorldSettings::bounce_above`]. The contact problem of the step then has no restitution.
//!
//! Pairs that share a body and meet at the same time are one impact: in turn, the first would decide what the second
//! meets, and a lintel that falls flat on two posts would turn. Of pairs that meet at the same time and share no body,
//! all are struck before a pair that they make meet: two posts that carry a lintel both rebound before they meet it.
//! Poisson's and Stronge's laws, which are in turn themselves, keep the order of the pairs.

use super::audit::StepReport;
use super::contacts::{PLANES, WorldContact};
use super::impact_run::{ImpactRun, Meeting, Pair};
use super::member::Member;
use super::settings::{Impacts, Restitution};
use super::state::WorldState;
use crate::{DynamicsError, Twist};
use glam::{DMat3, DVec3};
use klast_contact::{
    Delassus, Frame, Friction, ImpactContact, ImpactLaw, ImpactProblem, SolveOptions,
};

/// Impacts of a step at most, for each pair that may bounce: what is left then is plastic.
const IMPACTS: usize = 50;
const TOLERANCE: f64 = 1e-12;
/// Difference of times, in the step, up to which pairs meet at the same time: gaps and speeds are rounded.
const SAME_TIME: f64 = 1e-9;

/// A body at an impact: what moves it, and where.
struct Side {
    velocity: Twist,
    arm: DVec3,
    inverse_mass: f64,
    inverse_inertia: DMat3,
}

/// A contact that is closed, with its frame and both bodies.
type Closed<'a> = (&'a WorldContact, Frame, [Side; 2]);

/// What collides in a step: bodies and contacts at its start, and how far the impacts have got.
struct Collisions<'a> {
    state: &'a WorldState,
    contacts: &'a [WorldContact],
    law: ImpactLaw,
    run: &'a mut ImpactRun,
    report: &'a mut StepReport,
}

/// Lets the pairs that meet within the step collide, and gives the bodies the velocities of that, also those that they
/// would have at the end without contacts.
pub(super) fn strike(
    state: &mut WorldState,
    contacts: &[WorldContact],
    run: &mut ImpactRun,
    free: &mut [Twist],
    report: &mut StepReport,
) -> Result<(), DynamicsError> {
    let Impacts::InTurn(law) = state.settings.impacts else {
        return Ok(());
    };
    if state.settings.stiffness.is_some() || contacts.iter().all(|c| c.restitution == 0.0) {
        return Ok(());
    }
    run.load(state, contacts);
    let done = Collisions {
        state,
        contacts,
        law: law.of_contacts(),
        run,
        report,
    }
    .collide();
    for (i, _) in &run.changed {
        let m = &mut state.members[*i as usize];
        m.state.velocity = run.velocities[*i as usize];
        free[*i as usize] = m.free_velocity(&state.settings, state.time);
    }
    done
}

impl ImpactRun {
    /// Takes the impacts of the step back.
    pub(super) fn take_back(&mut self, members: &mut [Member]) {
        for (i, velocity) in self.changed.drain(..).rev() {
            if let Some(m) = members.get_mut(i as usize) {
                m.state.velocity = velocity;
            }
        }
    }

    /// Forgets which velocities the step began with.
    pub(super) fn begin(&mut self) {
        self.changed.clear();
    }

    /// Velocities and gaps at the start of the step, and the pairs that may bounce.
    fn load(&mut self, state: &WorldState, contacts: &[WorldContact]) {
        let (s, time) = (&state.settings, state.time);
        self.velocities.clear();
        let now = state.members.iter().map(|m| m.present_velocity(s, time));
        self.velocities.extend(now);
        self.gaps.clear();
        self.gaps.extend(contacts.iter().map(|c| c.gap));
        self.pairs.clear();
        let awake = |i: u32| i >= PLANES || !state.is_asleep(i as usize);
        let mut from = 0;
        for chunk in contacts.chunk_by(|a, b| (a.first, a.second) == (b.first, b.second)) {
            let contacts = from..from + chunk.len();
            from = contacts.end;
            // The points about that of a sphere stand for one contact.
            let own = match chunk.first() {
                Some(c) if c.rolling_length > 0.0 => contacts.start..contacts.start + 1,
                _ => contacts,
            };
            if chunk
                .iter()
                .any(|c| c.restitution > 0.0 && awake(c.first) && awake(c.second))
            {
                self.pairs.push(Pair {
                    contacts: own,
                    meets: None,
                });
            }
        }
    }
}

impl Collisions<'_> {
    fn collide(&mut self) -> Result<(), DynamicsError> {
        let (count, mut time) = (self.run.pairs.len(), 0.0);
        for k in 0..count {
            self.look_at(k, time);
        }
        let mut left = IMPACTS * count;
        loop {
            let now = self.next_at_once();
            let first = now.first().and_then(|&k| self.run.pairs[k].meets);
            let Some(first) = first else { break };
            if left == 0 {
                self.report.unsolved_impacts += 1;
                break;
            }
            self.advance(first.time - time);
            time = first.time;
            // Pairs that meet because of one of these impacts meet after all of them, in whatever order these are
            // struck.
            for struck in self.impacts_of(&now) {
                self.close_gaps(&struck);
                self.collide_pairs(&struck)?;
                left = left.saturating_sub(1);
            }
            for j in 0..count {
                if now.iter().any(|&k| self.share_a_body(k, j)) {
                    self.look_at(j, time);
                }
            }
        }
        Ok(())
    }

    /// The pairs that meet next, all that do so at the same time, the first first; none if none meets within the step.
    fn next_at_once(&self) -> Vec<usize> {
        let pairs = self.run.pairs.iter().enumerate();
        let mut meetings: Vec<_> = pairs.filter_map(|(k, p)| Some((p.meets?, k))).collect();
        let order =
            |(a, i): &(Meeting, usize), (b, j): &(Meeting, usize)| a.before(b).then(i.cmp(j));
        let Some((first, k)) = meetings.iter().min_by(|a, b| order(a, b)) else {
            return vec![];
        };
        if matches!(self.law, ImpactLaw::Poisson | ImpactLaw::Stronge) {
            return vec![*k];
        }
        let latest = first.time + SAME_TIME * self.state.settings.step;
        meetings.retain(|(m, _)| m.time <= latest);
        meetings.sort_unstable_by(order);
        meetings.into_iter().map(|(_, k)| k).collect()
    }

    /// The impacts of pairs that meet at once, each the pairs, in order, that share a body with another of them.
    fn impacts_of(&self, now: &[usize]) -> Vec<Vec<usize>> {
        let (mut impacts, mut others) = (vec![], now.to_vec());
        while !others.is_empty() {
            let mut struck = vec![others.remove(0)];
            let mut at = 0;
            while let Some(&of) = struck.get(at) {
                let (joined, left) = others.iter().partition(|&&k| self.share_a_body(of, k));
                struck.extend::<Vec<usize>>(joined);
                others = left;
                at += 1;
            }
            struck.sort_unstable();
            impacts.push(struck);
        }
        impacts
    }

    /// Closes the contacts at which pairs meet: rounding would leave them a little apart, and not struck.
    fn close_gaps(&mut self, pairs: &[usize]) {
        for &k in pairs {
            if let Some(meeting) = self.run.pairs[k].meets {
                let gap = &mut self.run.gaps[meeting.contact];
                *gap = gap.min(0.0);
            }
        }
    }

    /// Whether two pairs have a free body in common; so has each with itself.
    fn share_a_body(&self, k: usize, j: usize) -> bool {
        let [a, b] = [k, j].map(|p| &self.contacts[self.run.pairs[p].contacts.start]);
        let free = |i: u32| i < PLANES && self.state.is_free(i as usize);
        let of_b = |i: u32| i == b.first || i == b.second;
        [a.first, a.second].into_iter().any(|i| free(i) && of_b(i))
    }

    /// Notes where a pair meets at the present velocities; nowhere if not within the step.
    fn look_at(&mut self, pair: usize, time: f64) {
        let s = &self.state.settings;
        let left = s.step - time;
        let meetings = self.run.pairs[pair].contacts.clone().filter_map(|k| {
            let c = &self.contacts[k];
            let closing = -c.normal.dot(self.relative(c));
            let wait = self.run.gaps[k].max(0.0) / closing;
            let meets = c.restitution > 0.0 && closing > s.bounce_above && wait < left;
            meets.then_some(Meeting {
                time: time + wait,
                speed: closing,
                contact: k,
            })
        });
        self.run.pairs[pair].meets = meetings.min_by(Meeting::before);
    }

    /// Moves the gaps on.
    fn advance(&mut self, time: f64) {
        if time == 0.0 {
            return;
        }
        for p in 0..self.run.pairs.len() {
            for k in self.run.pairs[p].contacts.clone() {
                let c = &self.contacts[k];
                let speed = c.normal.dot(self.relative(c));
                self.run.gaps[k] += speed * time;
            }
        }
    }

    /// Velocity of the first body relative to the second at a contact.
    fn relative(&self, c: &WorldContact) -> DVec3 {
        let points = c.points_of_impact();
        let at = |i: u32, point: DVec3| match i.checked_sub(PLANES) {
            Some(k) => {
                let plane = self.state.planes.get(k as usize);
                plane.map_or(DVec3::ZERO, |p| p.velocity)
            }
            None => {
                let centre = self.state.members[i as usize].state.pose.translation;
                self.run.velocities[i as usize].at(point - centre)
            }
        };
        at(c.first, points[0]) - at(c.second, points[1])
    }

    /// Both bodies of a contact as they are now.
    fn sides(&self, c: &WorldContact) -> [Side; 2] {
        let points = c.points_of_impact();
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
                velocity: self.run.velocities[i as usize],
                arm: point - m.state.pose.translation,
                inverse_mass: node.inverse_mass,
                inverse_inertia: node.inverse_inertia,
            }
        })
    }

    /// The impact of pairs that meet at once, at their contacts that are closed now.
    fn collide_pairs(&mut self, pairs: &[usize]) -> Result<(), DynamicsError> {
        let slop = self.state.settings.slop;
        let contacts = pairs
            .iter()
            .flat_map(|&p| self.run.pairs[p].contacts.clone());
        let mut closed = Vec::new();
        for k in contacts.filter(|&k| self.run.gaps[k] <= slop) {
            let c = &self.contacts[k];
            closed.push((c, Frame::from_normal(c.normal)?, self.sides(c)));
        }
        let problem = self.problem(&closed)?;
        let options = SolveOptions {
            tolerance: TOLERANCE,
            ..SolveOptions::default()
        };
        let impact = self.law.resolve(&problem, &options)?;
        let ends = problem.contacts().iter().zip(&impact.impulses);
        for ((c, frame, sides), (start, r)) in closed.iter().zip(ends) {
            self.report.returned += r.x * start.restitution * (-start.velocity.x).max(0.0);
            let p = frame.to_world(*r);
            self.push(c.first, &sides[0], p, 1.0);
            self.push(c.second, &sides[1], p, -1.0);
        }
        self.report.impacts += pairs.len();
        self.report.unsolved_impacts += usize::from(!impact.converged);
        self.report.contact_loss -= impact.energy.change;
        if impact.energy.is_gain() {
            self.report.driving_contacts += 1;
            self.report.driven += impact.energy.change;
        }
        Ok(())
    }

    /// The impact problem at closed contacts, with `W` from the masses of their bodies.
    fn problem(&self, closed: &[Closed]) -> Result<ImpactProblem, DynamicsError> {
        let (mut contacts, mut blocks) = (vec![], vec![]);
        for (i, (c, frame, at)) in closed.iter().enumerate() {
            let u = frame.to_local(self.relative(c));
            // On a contact that separates the restitution acts too: with none there the others would give it energy.
            let bounces = u.x > 0.0 || -u.x > self.state.settings.bounce_above;
            let e = if bounces { c.restitution } else { 0.0 };
            let mut contact = ImpactContact::new(u)
                .with_friction(c.friction)
                .with_restitution(e);
            contact.group = Some(0);
            contacts.push(contact);
            for (j, (d, other, by)) in closed.iter().enumerate() {
                // An impulse acts on the first body, and against it on the second.
                let (own, others) = ([c.first, c.second], [d.first, d.second]);
                let column = |axis: DVec3| {
                    let p = other.to_world(axis);
                    let moved = |k: usize, l: usize| {
                        if own[k] != others[l] {
                            return DVec3::ZERO;
                        }
                        let turn = by[l].inverse_inertia * by[l].arm.cross(p);
                        let moved = p * by[l].inverse_mass + turn.cross(at[k].arm);
                        if k == l { moved } else { -moved }
                    };
                    let same = moved(0, 0) + moved(1, 1);
                    frame.to_local(same + (moved(0, 1) + moved(1, 0)))
                };
                let w = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
                blocks.push((i, j, w));
            }
        }
        let delassus = Delassus::from_blocks(closed.len(), blocks)?;
        Ok(ImpactProblem::new(delassus, contacts)?)
    }

    /// Lets an impulse act on one side of a contact: its velocity changes, or a boundary does work.
    fn push(&mut self, member: u32, side: &Side, p: DVec3, sign: f64) {
        if side.inverse_mass == 0.0 {
            self.report.boundary_work -= sign * p.dot(side.velocity.at(side.arm));
            return;
        }
        let run = &mut *self.run;
        let v = &mut run.velocities[member as usize];
        if run.changed.iter().all(|(i, _)| *i != member) {
            run.changed.push((member, *v));
        }
        v.linear += p * (sign * side.inverse_mass);
        v.angular += side.inverse_inertia * side.arm.cross(p) * sign;
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

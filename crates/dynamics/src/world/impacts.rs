//! Impacts of the bodies of a pair, one pair after the other in the order in which they meet within a step.
//!
//! Rigid bodies that meet at one instant do not say how the impulse travels through them. A wave takes its time from
//! one contact to the next, so that two bodies have parted before a third is reached: the impacts are binary, and each
//! keeps the momentum and the part of the energy that its law says (of bodies in a row the last alone flies off, as in
//! Newton's cradle). So a step begins with the impacts that the velocities at its start lead to: the pair that meets
//! first, with the contacts that are then closed; the velocities change; the next pair, until none meets faster than
//! [`super::WorldSettings::bounce_above`]. The contact problem of the step then has no restitution.
//!
//! A body that is given Δv at the time t of the step moves with its old velocity until then. Its way over the step is
//! h v⁺ − t Δv, which is exact for what does not turn, and the contact problem of the step takes the gaps that lead
//! there. Had it gone h v⁺, the next gap would close in that problem, without a bounce. In the impact gravity has acted
//! for t: with the velocities of that, kinetic and potential energy change over the step by what the impact takes and
//! by what a step without impacts takes, whatever t and θ are.
//!
//! No impact makes energy ([`super::pair_impact`]). [`IMPACTS`] bounds those of a step; bodies that still close then
//! are stopped by the contact problem of the step, all at once, and what restitution does not return is counted.
//!
//! Pairs that share a body and meet at the same time are one impact: in turn, the first would decide what the second
//! meets, and a lintel that falls flat on two posts would turn. Of pairs that meet at the same time and share no body,
//! all are struck before a pair that they make meet: two posts that carry a lintel both rebound before they meet it.
//! Poisson's and Stronge's laws, which are in turn themselves, keep the order of the pairs. With
//! [`Impacts::Together`] all that touches what meets is one impact.

use super::audit::StepReport;
use super::contacts::{PLANES, WorldContact};
use super::ends::{Ends, opened};
use super::impact_run::{Collisions, ImpactRun, Meeting, Pair};
use super::member::Member;
use super::settings::{Impacts, Restitution};
use super::state::WorldState;
use crate::{DynamicsError, Twist};
use klast_contact::{Friction, ImpactLaw};

/// Impacts of a step at most, for each pair that may bounce: what is left then is plastic.
const IMPACTS: usize = 50;
/// Difference of times, in the step, up to which pairs meet at the same time: gaps and speeds are rounded.
const SAME_TIME: f64 = 1e-9;

/// Part of the fastest velocity of a body under which an approach is rounding, or the residual of an impact before it.
const ROUNDING: f64 = 1e-9;

/// Lets the pairs that meet within the step collide, and gives the bodies the velocities of that, also those that they
/// would have at the end without contacts, and the contacts the gaps that lead to the places of that.
pub(super) fn strike(
    state: &mut WorldState,
    contacts: &mut [WorldContact],
    run: &mut ImpactRun,
    ends: &mut Ends,
    report: &mut StepReport,
) -> Result<(), DynamicsError> {
    if state.settings.stiffness.is_some() || contacts.iter().all(|c| c.restitution == 0.0) {
        return Ok(());
    }
    let (law, together) = match state.settings.impacts {
        Impacts::InTurn(law) => (law.of_contacts(), false),
        Impacts::Together => (ImpactLaw::default(), true),
    };
    run.load(state, contacts);
    let done = Collisions {
        state,
        contacts,
        law,
        together,
        run,
        report,
    }
    .collide();
    if run.struck {
        for (i, _) in &run.changed {
            let m = &mut state.members[*i as usize];
            m.state.velocity = run.velocities[*i as usize];
            ends.renew(*i as usize, state);
        }
        for c in contacts {
            c.gap += opened(c, &state.members, &run.offsets);
        }
        ends.add_offsets(&run.offsets);
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

    /// Velocities and gaps at the start of the step, and the pairs that may bounce; with all at once, those too that do
    /// not, which hold those that do.
    fn load(&mut self, state: &WorldState, contacts: &[WorldContact]) {
        let (s, time) = (&state.settings, state.time);
        self.velocities.clear();
        let now = state.members.iter().map(|m| m.present_velocity(s, time));
        self.velocities.extend(now);
        let speeds = self.velocities.iter().map(|v| v.linear.length_squared());
        let fastest = speeds.fold(0.0, f64::max).sqrt();
        self.bounce_above = s.bounce_above.max(ROUNDING * fastest);
        self.offsets.clear();
        self.offsets.resize(state.members.len(), Twist::ZERO);
        (self.time, self.struck) = (0.0, false);
        self.falling = s.theta * s.step;
        let all = s.impacts == Impacts::Together;
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
                .any(|c| (all || c.restitution > 0.0) && awake(c.first) && awake(c.second))
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
        let count = self.run.pairs.len();
        (0..count).for_each(|k| self.look_at(k));
        let mut left = IMPACTS * count;
        loop {
            let now = self.next_at_once();
            let first = now.first().and_then(|&k| self.run.pairs[k].meets);
            let Some(first) = first else { break };
            if left == 0 {
                self.report.events.unsolved_impacts += 1;
                break;
            }
            self.advance(first.time - self.run.time);
            (self.run.time, self.run.struck) = (first.time, true);
            // Pairs that meet because of one of these impacts meet after all of them, in whatever order these are
            // struck.
            let mut all = vec![];
            for mut struck in self.impacts_of(&now) {
                if all.contains(&struck[0]) {
                    continue;
                }
                self.close_gaps(&struck);
                if self.together {
                    self.with_all_that_touch(&mut struck);
                }
                self.collide_pairs(&struck)?;
                all.append(&mut struck);
                left = left.saturating_sub(1);
            }
            for j in 0..count {
                if all.iter().any(|&k| self.share_a_body(k, j)) {
                    self.look_at(j);
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

    /// Notes where a pair meets at the present velocities; nowhere if not within the step. The bodies move with the
    /// velocities that gravity gives them over the step; whether they bounce is told without that, so that none does
    /// that rests.
    fn look_at(&mut self, pair: usize) {
        let time = self.run.time;
        let left = self.state.settings.step - time;
        let meetings = self.run.pairs[pair].contacts.clone().filter_map(|k| {
            let c = &self.contacts[k];
            let speed = -c.normal.dot(self.relative(c));
            if c.restitution == 0.0 || speed <= self.run.bounce_above {
                return None;
            }
            let closing = speed - c.normal.dot(self.fall(c, self.run.falling));
            let wait = self.run.gaps[k].max(0.0) / closing;
            let meets = closing > 0.0 && wait < left;
            meets.then_some(Meeting {
                time: time + wait,
                speed,
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
                let speed = c
                    .normal
                    .dot(self.relative(c) + self.fall(c, self.run.falling));
                self.run.gaps[k] += speed * time;
            }
        }
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

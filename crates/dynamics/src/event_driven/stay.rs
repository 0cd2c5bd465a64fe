//! The part of a run in which the body stays in contact: naming the modes, one phase, rest, and the way out of a jam.

use super::{EventDriven, Motion, NO_SPEED};
use crate::impact::GeneralContacts;
use crate::ode::Dopri853;
use crate::staying::{
    Active, BEGINS, BLENDS, ForceRoom, GONE, Mode, Moment, Phase, PhaseEnd, SLIPS, STILL, Setting,
    modes,
};
use crate::{Body, DynamicsError, Recorder, State, StopReason};

/// Lists and the integrator of contact phases, which go from phase to phase.
#[derive(Debug, Clone, Default)]
pub(super) struct StayRoom {
    candidates: Vec<Active>,
    active: Vec<Active>,
    forces: ForceRoom,
    method: Option<Dopri853>,
    pub(super) rescue: GeneralContacts,
}

/// What became of a body in contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stay {
    /// The contacts carry nothing: it flies.
    Opens,
    /// The contacts have to be looked at again.
    GoesOn,
    /// The run is over.
    Ends(StopReason),
}

impl EventDriven {
    /// Motion in contact from a state whose `resting` vertices touch and neither leave nor strike.
    pub(super) fn stay(
        &self,
        body: &Body,
        motion: &mut Motion,
        resting: &[usize],
        recorder: &mut impl Recorder,
        room: &mut StayRoom,
    ) -> Result<Stay, DynamicsError> {
        let setting = Setting {
            body,
            frame: self.frame,
            gravity: self.gravity,
            friction: self.material.friction(),
        };
        let moment = Moment::new(&setting, &motion.state);
        let StayRoom {
            candidates,
            active,
            forces,
            method,
            rescue,
        } = room;
        candidates.clear();
        let touching = resting.iter().map(|&v| candidate(&setting, &moment, v));
        candidates.extend(touching);
        let Some(rates) = moment.resolved(&setting, candidates, forces) else {
            return self.rescue(body, motion, recorder, rescue);
        };
        modes(
            &setting,
            &moment,
            candidates,
            &forces.forces,
            &rates,
            active,
        );
        if active.is_empty() {
            // They open; a speed of rounding size into the ground must not hold the flight back.
            let sinks = |c: &Active| {
                moment
                    .velocity
                    .at(moment.arm(body, c.vertex))
                    .dot(self.plane.normal)
                    < 0.0
            };
            candidates.retain(sinks);
            motion.state.velocity =
                moment.without_normal_speed(&setting, candidates, &mut forces.arms);
            return Ok(Stay::Opens);
        }
        let velocity = moment.without_normal_speed(&setting, active, &mut forces.arms);
        let start = State {
            pose: motion.state.pose,
            velocity,
        };
        if self.comes_to_rest(&setting, &start, candidates, forces) {
            self.enter_work(body, motion, &State::at_rest(start.pose));
            return Ok(Stay::Ends(StopReason::AtRest));
        }
        let lists = (std::mem::take(active), std::mem::take(forces));
        let phase = Phase::new(setting, self.plane, lists.0, self.gate, lists.1);
        let longest = self.limits.time - motion.time;
        let (after, duration, end) = phase.run(&start, longest, method);
        (*active, *forces) = phase.into_lists();
        if end == PhaseEnd::Failed {
            return self.rescue(body, motion, recorder, rescue);
        }
        self.pass(body, motion, after, duration, recorder);
        Ok(match end {
            PhaseEnd::Gate => Stay::Ends(StopReason::PassedGate),
            PhaseEnd::TimeUp => Stay::Ends(StopReason::MaximumTime),
            PhaseEnd::Change | PhaseEnd::Failed => Stay::GoesOn,
        })
    }

    /// Enters a stretch of motion in contact.
    pub(super) fn pass(
        &self,
        body: &Body,
        motion: &mut Motion,
        after: State,
        duration: f64,
        recorder: &mut impl Recorder,
    ) {
        recorder.contact(motion.time, &motion.state, duration, &after);
        self.enter_work(body, motion, &after);
        motion.time += duration;
    }

    /// Goes to a state and enters the energy that the contacts took on the way.
    fn enter_work(&self, body: &Body, motion: &mut Motion, after: &State) {
        let energy =
            |s: &State| s.kinetic_energy(body).total() + s.potential_energy(body, self.gravity);
        motion.energy.slid += energy(&motion.state) - energy(after);
        motion.state = *after;
    }

    /// Whether the body is slow and its contacts, which are candidates no more, can hold it.
    fn comes_to_rest(
        &self,
        setting: &Setting,
        state: &State,
        contacts: &mut [Active],
        forces: &mut ForceRoom,
    ) -> bool {
        let radius = setting.body.shape().radius();
        let fastest = state.velocity.linear.length() + state.velocity.angular.length() * radius;
        if fastest > self.limits.stopped_velocity.max(NO_SPEED) {
            return false;
        }
        let moment = Moment::new(setting, &State::at_rest(state.pose));
        contacts.iter_mut().for_each(|c| c.mode = Mode::Stick);
        moment.resolved(setting, contacts, forces).is_some_and(|r| {
            r.linear.length() + r.angular.length() * radius <= 10.0 * GONE * self.gravity.length()
        })
    }
}

/// A touching vertex as the contact problem on accelerations sees it: slipping if it moves, else at rest.
fn candidate(setting: &Setting, moment: &Moment, vertex: usize) -> Active {
    let slip = moment.slip(&setting.frame, moment.arm(setting.body, vertex));
    let speed = slip.length();
    let mode = match speed > SLIPS {
        true => Mode::Slip {
            reference: slip / speed,
            blend: if speed < 0.99 * BLENDS * BEGINS {
                BEGINS
            } else {
                STILL
            },
        },
        false => Mode::Stick,
    };
    Active { vertex, mode }
}

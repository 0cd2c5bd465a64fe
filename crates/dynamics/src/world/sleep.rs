//! Islands at rest may sleep: an option, off unless asked for.
//!
//! An island whose bodies have all been slower than a bound for some time is put to sleep as a whole: its velocities
//! become zero, the kinetic energy they had is a term of the audit, and no step looks at its pairs or solves it again.
//! Its contacts keep the impulses that hold it. It wakes as a whole when a free body that is awake, or a boundary that
//! moves, comes within reach of a contact, or when the scene is changed. What is awake and touches no sleeper has the
//! same bits as without sleep, since islands are solved one by one.
//!
//! Sleep is a guess about the future: a heap that creeps slower than the bound is frozen. Where rest is the question
//! leave it off.

use super::audit::StepReport;
use super::broad_phase::PLANES;
use super::drowsiness::{Drowsiness, STANDS, stands};
use super::facade::World;
use super::island::Island;
use crate::Twist;

impl World {
    /// Says of each island whether it sleeps through this step, and wakes those that something has come to.
    pub(super) fn wake_the_touched(&mut self, free: &mut [Twist]) {
        if self.state.settings.sleep.is_none() {
            return;
        }
        for k in 0..self.work.islands.count() {
            let island = self.work.islands.island(k);
            let all = island
                .bodies
                .iter()
                .all(|&i| self.state.is_asleep(i as usize));
            let asleep = all && !self.is_driven(island, free);
            if !asleep {
                for &i in &island.bodies {
                    let m = &mut self.state.members[i as usize];
                    if m.is_asleep() {
                        m.drowsiness = Drowsiness::AWAKE;
                        free[i as usize] = m.free_velocity(&self.state.settings, self.state.time);
                    }
                }
            }
            let island = self.work.islands.island_mut(k);
            island.asleep = asleep;
            if asleep {
                island.forget();
            }
        }
    }

    /// Whether something that is not free and moves touches an island.
    fn is_driven(&self, island: &Island, free: &[Twist]) -> bool {
        let moves = |member: u32| match member.checked_sub(PLANES) {
            Some(k) => self
                .state
                .planes
                .get(k as usize)
                .is_some_and(|b| b.velocity.length() > STANDS),
            None => {
                let m = self.state.members.get(member as usize);
                m.is_some_and(|m| !m.is_free())
                    && free.get(member as usize).is_some_and(|v| !stands(v))
            }
        };
        let contacts = island
            .contacts
            .iter()
            .map(|&k| &self.history.contacts[k as usize]);
        contacts
            .into_iter()
            .any(|c| moves(c.first) || moves(c.second))
    }

    /// Counts slow steps and puts to sleep the islands that have been slow for long; enters what that took (J).
    pub(super) fn fall_asleep(&mut self, free: &[Twist], report: &mut StepReport) {
        let Some(sleep) = self.state.settings.sleep else {
            return;
        };
        let needed = sleep.after / self.state.settings.step;
        for k in 0..self.work.islands.count() {
            let island = self.work.islands.island(k);
            let driven = !island.asleep && self.is_driven(island, free);
            let asleep = island.asleep;
            let bodies = &island.bodies;
            let mut all = true;
            for &i in bodies {
                let m = &mut self.state.members[i as usize];
                if let Some(slept) = &mut m.drowsiness.slept {
                    *slept = slept.saturating_add(1);
                    continue;
                }
                let slow =
                    m.fastest(self.state.time, self.state.settings.step) <= sleep.speed && !driven;
                m.drowsiness.slow = if slow {
                    m.drowsiness.slow.saturating_add(1)
                } else {
                    0
                };
                all &= slow && f64::from(m.drowsiness.slow) >= needed;
            }
            if asleep || !all {
                continue;
            }
            for &i in bodies {
                let m = &mut self.state.members[i as usize];
                report.sleep_loss += m.state.kinetic_energy(&m.body).total();
                m.state.velocity = Twist::ZERO;
                m.drowsiness.slept = Some(0);
            }
        }
        report.asleep = self.state.members.iter().filter(|m| m.is_asleep()).count();
    }
}

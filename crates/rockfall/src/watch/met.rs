//! What of barriers and collectors a rock meets along an arc.

use super::{Stop, Watch};
use crate::arc::Arc;
use crate::collector::Passage;
use crate::outline::Outline;
use glam::DVec3;
use klast_numerics::mutant;

impl Watch<'_> {
    /// Fills the list of what an arc meets, in order of time.
    fn meetings(&mut self, arc: &Arc, rock: &Outline, barriers_act: bool) {
        self.room.met.clear();
        for (wall, number) in self.walls.iter().zip(0u32..) {
            if wall.is_barrier() && !barriers_act {
                continue;
            }
            self.room.times.clear();
            let room = &mut *self.room;
            wall.crossings(arc, self.place, rock, &mut room.times);
            room.met
                .extend(room.times.iter().map(|&t| (t, number, false)));
            if !wall.is_barrier() || wall.is_far(arc, rock) {
                continue;
            }
            let starts = arc.time == 0.0 && !self.room.touching.has(number);
            if starts && wall.is_met(arc, 0.0, rock) {
                self.room.touching.begin(number, None);
            }
            if !self.room.touching.has(number) && !self.has_met(number) {
                let first = wall.first_meeting(arc, rock);
                self.room.met.extend(first.map(|t| (t, number, true)));
            }
        }
        if self.room.met.len() > 1 {
            self.room.met.sort_unstable_by(|a, b| {
                let order = a.0.total_cmp(&b.0);
                order.then((a.1, a.2).cmp(&(b.1, b.2)))
            });
        }
    }

    /// Whether the rock has arrived at a collector.
    pub(super) fn has_met(&self, collector: u32) -> bool {
        let passages = &self.result.passages;
        passages.iter().any(|p| p.collector == collector)
    }

    /// Records all collectors that an arc meets in order of time, up to one that holds the rock or that it tears.
    #[inline(never)]
    pub(super) fn collectors(
        &mut self,
        arc: &Arc,
        rock: &Outline,
        barriers_act: bool,
    ) -> Option<Stop> {
        self.meetings(arc, rock, barriers_act);
        for k in 0..self.room.met.len() {
            let Some(&(t, collector, only_its_body)) = self.room.met.get(k) else {
                continue;
            };
            // A net that a rock has torn is down for it.
            let torn = |p: &Passage| p.collector == collector && p.residual.is_some();
            if self.result.passages.iter().any(torn) {
                continue;
            }
            let Some(passage) = self.passage((arc, rock), t, collector) else {
                continue;
            };
            // The first passage decides: what has passed a barrier is not held when it comes again, from either side.
            let again = self.has_met(collector);
            if only_its_body {
                if !again {
                    self.room.touching.begin(collector, Some(passage));
                }
                continue;
            }
            self.room.touching.forget(collector);
            let passage = if again { passage.free() } else { passage };
            let stopped = self.enter(passage, t);
            if stopped.is_some() {
                return stopped;
            }
        }
        if self.room.touching.is_empty() {
            return None;
        }
        let (end, walls) = (arc.duration, self.walls);
        let is_left = |number: u32| {
            let wall = walls.get(number as usize);
            wall.is_some_and(|wall| !wall.is_met(arc, end, rock))
        };
        while let Some(passage) = self.room.touching.left(is_left) {
            let stopped = self.enter(passage, end);
            if stopped.is_some() {
                return stopped;
            }
        }
        None
    }

    /// Enters a passage that is known at a time of the arc (s), and whether it ends the arc there.
    pub(super) fn enter(&mut self, passage: Passage, t: f64) -> Option<Stop> {
        self.result.passages.push(passage);
        if passage.held {
            return Some(Stop::Held(t, passage.collector));
        }
        let residual = passage.residual?;
        let energy = passage.translational + passage.rotational;
        self.torn = Some((t, (residual / energy).sqrt()));
        Some(Stop::Torn(t))
    }

    /// What a rock is like at a collector; none where the collector has no ground to stand on.
    fn passage(&self, (arc, rock): (&Arc, &Outline), t: f64, collector: u32) -> Option<Passage> {
        let position = arc.position_at(t);
        let terrain = &self.scene.terrain;
        let ground = terrain.surface(position.x, position.y)?;
        let height = position.z - ground.height;
        let (speed, rotational) = self.motion(arc, t, position);
        let translational = 0.5 * self.result.mass * speed * speed;
        let top = height + rock.rise(arc, t);
        let wall = self.walls.get(collector as usize);
        let energy = translational + rotational;
        let held = wall.is_some_and(|w| w.holds(top, energy));
        Some(Passage {
            collector,
            time: arc.time + t,
            position,
            height,
            top,
            speed,
            translational,
            rotational,
            held,
            above_service: held && wall.is_some_and(|w| w.above_service(energy)),
            residual: wall.and_then(|w| w.residual(top, energy)),
        })
    }

    /// Speed and rotational energy at a collector. Where an impact is on the line of the collector, rounding decides
    /// which side of it the line is met on: it is the one with more energy.
    fn motion(&self, arc: &Arc, t: f64, position: DVec3) -> (f64, f64) {
        let (speed, rotational) = (
            arc.velocity_at(t).length(),
            arc.rotational_energy * mutant::factor("collector-spin", 0.99),
        );
        let begins = (position - arc.position).truncate().length();
        let rounding = 1e-9 * (1.0 + position.truncate().abs().max_element());
        let energy =
            |speed: f64, rotational: f64| 0.5 * self.result.mass * speed * speed + rotational;
        match self.before {
            Some((v, r))
                if begins <= rounding && energy(v.length(), r) > energy(speed, rotational) =>
            {
                (v.length(), r)
            }
            _ => (speed, rotational),
        }
    }
}

//! Watches one rock on its way: collectors, raster, whoever else wants the path.

use super::rock_result::{Lists, RockResult};
use crate::arc::{Arc, Motion};
use crate::beside::{Beside, Missed};
use crate::collector::{Passage, Wall};
use crate::footprint::Footprint;
use crate::heights::Heights;
use crate::lumped::Glide;
use crate::outline::Outline;
use crate::scene::Scene;
use crate::seeder::DrawnRock;
use crate::stop::Outcome;
use crate::touching::Touching;
use glam::{DQuat, DVec2, DVec3};
use klast_numerics::mutant;
use std::ops::ControlFlow;

/// One rock and what it has met so far.
pub(crate) struct Watch<'a> {
    scene: &'a Scene,
    walls: &'a [Wall],
    path: Option<&'a mut dyn FnMut(&Arc)>,
    beside: Beside<'a>,
    footprint: Footprint,
    heights: Heights,
    pub(crate) result: RockResult,
    /// Where the last arc ended, in plan: what the next one crosses it crosses from there.
    place: DVec2,
    /// Velocity and rotational energy at the end of the last arc.
    before: Option<(DVec3, f64)>,
    times: Vec<f64>,
    met: Vec<Met>,
    touching: Touching,
    /// Time at which the run that is watched began (s): a rock that tears a net is run anew from there.
    began: f64,
    /// Where in the last arc a net was torn (s), and the factor on all velocities behind it.
    torn: Option<(f64, f64)>,
}

/// When a rock meets which barrier or collector (s), and whether only its body does: the mass centre first.
type Met = (f64, u32, bool);

/// What an arc is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Of a path that was kept: no barrier acts on it, as it holds what they did.
    Kept,
    /// A motion from its beginning to its end.
    Whole,
    /// A part of a slide, whose ends are known better.
    Part,
}

/// What ends an arc.
#[derive(Debug, Clone, Copy)]
enum Stop {
    Held(f64, u32),
    Torn(f64),
}

/// Workspace that goes from rock to rock.
#[derive(Debug, Default)]
pub(crate) struct WatchWorkspace {
    times: Vec<f64>,
    met: Vec<Met>,
    touching: Touching,
    footprint: Footprint,
    heights: Heights,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(
        (scene, walls): (&'a Scene, &'a [Wall]),
        rock: &DrawnRock,
        (source, rank): (usize, u64),
        weight: f64,
        path: Option<&'a mut dyn FnMut(&Arc)>,
        (mut workspace, (mut passages, mut visits)): (WatchWorkspace, Lists),
    ) -> Self {
        workspace.touching.clear();
        passages.clear();
        visits.clear();
        workspace.footprint.begin(visits);
        let result = RockResult {
            outcome: Outcome::LeftMap,
            source,
            rank,
            weight,
            group: rock.group,
            mass: rock.mass,
            volume: rock.volume,
            attitude: DQuat::IDENTITY,
            set: 0,
            greatest_speed: 0.0,
            greatest_energy: 0.0,
            greatest_height: 0.0,
            start: DVec3::ZERO,
            end: DVec3::ZERO,
            time: 0.0,
            passages,
            visits: Vec::new(),
            off_map: false,
            below_ground: false,
            raised: false,
            unconverged: 0,
            energy_gains: 0,
            energy_rises: 0,
            lifted: 0.0,
            lifted_part: 0.0,
            dug: 0.0,
            depth: 0.0,
            forced: 0,
            swinging: false,
            unresolved_edges: 0,
            impact_loss: 0.0,
            unresolved_loss: 0.0,
        };
        Watch {
            scene,
            walls,
            path,
            beside: Beside::new(walls),
            footprint: workspace.footprint,
            heights: workspace.heights,
            result,
            place: DVec2::ZERO,
            before: None,
            times: workspace.times,
            met: workspace.met,
            touching: workspace.touching,
            began: 0.0,
            torn: None,
        }
    }

    /// Where in the last arc a net was torn (s), and the factor on all velocities; asked once, before the rock goes on
    /// from there.
    pub(crate) fn torn(&mut self) -> Option<(f64, f64)> {
        let torn = self.torn.take();
        if torn.is_some() {
            self.began = self.result.time;
        }
        torn
    }

    /// Time since release (s).
    pub(crate) fn elapsed(&self) -> f64 {
        self.result.time
    }

    /// It was released in the ground and is not run.
    pub(crate) fn below_ground(&mut self, position: DVec3) {
        self.result.below_ground = true;
        self.begin(position);
    }

    pub(crate) fn begin(&mut self, position: DVec3) {
        (self.result.start, self.result.end) = (position, position);
        self.place = position.truncate();
    }

    pub(crate) fn end(&mut self, outcome: Outcome, position: DVec3) {
        self.result.outcome = outcome;
        // A caught rock ends at its collector.
        if matches!(outcome, Outcome::Caught { .. }) {
            return;
        }
        self.result.end = position;
        // What ends while it touches a barrier is held by it.
        while let Some(passage) = self.touching.left(|_| true) {
            if let Some(Stop::Held(_, barrier)) = self.enter(passage, self.result.time) {
                self.result.outcome = Outcome::Caught { barrier };
                return;
            }
        }
    }

    pub(crate) fn kept_arc(&mut self, arc: &Arc, rock: Outline) {
        let _ = self.next_arc(arc, &rock, Kind::Kept);
    }

    pub(crate) fn arc(&mut self, arc: &Arc, rock: Outline) -> ControlFlow<Outcome> {
        self.next_arc(arc, &rock, Kind::Whole)
    }

    /// An arc of a slide that was said to need arcs.
    pub(crate) fn part(&mut self, arc: &Arc, rock: Outline) -> ControlFlow<Outcome> {
        self.next_arc(arc, &rock, Kind::Part)
    }

    /// Whether a slide that begins has to be shown in arcs: where a map or somebody else wants its path, and near a
    /// barrier or collector.
    pub(crate) fn slide_begins(&mut self, glide: &Glide, rock: Outline) -> bool {
        self.fastest(glide.velocities[0], glide.rotational_energy);
        let near = |wall: &Wall| wall.is_near(glide.plan, rock.radius());
        let watched = self.scene.raster.is_some() || self.path.is_some();
        watched || !self.touching.is_empty() || self.walls.iter().any(near)
    }

    /// A slide has ended as it does whether it was shown or not.
    pub(crate) fn slide_ends(&mut self, glide: &Glide, shown: bool) {
        self.fastest(glide.velocities[1], glide.rotational_energy);
        self.result.time = self.began + glide.time + glide.duration;
        if !shown {
            self.place = glide.end.truncate();
            self.before = Some((glide.velocities[1], glide.rotational_energy));
            self.beside.goes_to(self.place);
        }
    }

    fn next_arc(&mut self, arc: &Arc, rock: &Outline, kind: Kind) -> ControlFlow<Outcome> {
        let mut arc = Arc {
            time: self.began + arc.time,
            ..*arc
        };
        let stopped = self.collectors(&arc, rock, kind != Kind::Kept);
        self.place = arc.end().truncate();
        self.before = Some((arc.velocity_at(arc.duration), arc.rotational_energy));
        if let Some(Stop::Held(t, _) | Stop::Torn(t)) = stopped {
            arc = arc.until(t);
        }
        let terrain = &*self.scene.terrain;
        match (&self.scene.raster, arc.motion) {
            (Some(_), _) => self.heights.look(&arc, terrain),
            (None, Motion::Flight) => {
                let most = self.result.greatest_height;
                self.heights.look_above(most, &arc, terrain);
            }
            (None, Motion::Contact) => {}
        }
        if let Some(frame) = &self.scene.raster {
            let (mass, looks) = (self.result.mass, &self.heights.looks);
            self.footprint.add(frame, (&arc, looks), mass, terrain);
        }
        if kind != Kind::Part || stopped.is_some() {
            self.extremes(&arc);
        }
        self.beside.arc(&arc);
        if let Some(path) = &mut self.path {
            path(&arc);
        }
        self.result.time = arc.time + arc.duration;
        match stopped {
            None => ControlFlow::Continue(()),
            Some(Stop::Held(_, collector)) => {
                self.result.end = arc.end();
                ControlFlow::Break(Outcome::Caught { barrier: collector })
            }
            Some(Stop::Torn(_)) => {
                self.place = arc.end().truncate();
                self.before = None;
                ControlFlow::Break(Outcome::TimedOut)
            }
        }
    }

    /// Greatest speed and energy, at an end of an arc as speed is convex in time, and height of a flight.
    fn extremes(&mut self, arc: &Arc) {
        let (begin, end) = (arc.velocity, arc.velocity_at(arc.duration));
        let faster = match begin.length_squared() > end.length_squared() {
            true => begin,
            false => end,
        };
        self.fastest(faster, arc.rotational_energy);
        if arc.motion == Motion::Flight {
            let result = &mut self.result;
            result.greatest_height = result.greatest_height.max(self.heights.greatest(arc));
        }
    }

    /// Speed and energy at a velocity.
    fn fastest(&mut self, velocity: DVec3, rotational: f64) {
        let result = &mut self.result;
        let speed = velocity.length();
        let energy = 0.5 * result.mass * speed * speed + rotational;
        result.greatest_speed = result.greatest_speed.max(speed);
        result.greatest_energy = result.greatest_energy.max(energy);
    }

    /// Fills the list of what an arc meets, in order of time.
    fn meetings(&mut self, arc: &Arc, rock: &Outline, barriers_act: bool) {
        self.met.clear();
        for (wall, number) in self.walls.iter().zip(0u32..) {
            if wall.is_barrier() && !barriers_act {
                continue;
            }
            self.times.clear();
            wall.crossings(arc, self.place, rock, &mut self.times);
            self.met
                .extend(self.times.iter().map(|&t| (t, number, false)));
            if !wall.is_barrier() || wall.is_far(arc, rock) {
                continue;
            }
            let starts = arc.time == 0.0 && !self.touching.has(number);
            if starts && wall.is_met(arc, 0.0, rock) {
                self.touching.begin(number, None);
            }
            if !self.touching.has(number) && !self.has_met(number) {
                let first = wall.first_meeting(arc, rock);
                self.met.extend(first.map(|t| (t, number, true)));
            }
        }
        self.met.sort_unstable_by(|a, b| {
            let order = a.0.total_cmp(&b.0);
            order.then((a.1, a.2).cmp(&(b.1, b.2)))
        });
    }

    /// Whether the rock has arrived at a collector.
    fn has_met(&self, collector: u32) -> bool {
        let passages = &self.result.passages;
        passages.iter().any(|p| p.collector == collector)
    }

    /// Records all collectors that an arc meets in order of time, up to one that holds the rock or that it tears.
    fn collectors(&mut self, arc: &Arc, rock: &Outline, barriers_act: bool) -> Option<Stop> {
        self.meetings(arc, rock, barriers_act);
        for k in 0..self.met.len() {
            let Some(&(t, collector, only_its_body)) = self.met.get(k) else {
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
                    self.touching.begin(collector, Some(passage));
                }
                continue;
            }
            self.touching.forget(collector);
            let passage = if again { passage.free() } else { passage };
            let stopped = self.enter(passage, t);
            if stopped.is_some() {
                return stopped;
            }
        }
        let (end, walls) = (arc.duration, self.walls);
        let is_left = |number: u32| {
            let wall = walls.get(number as usize);
            wall.is_some_and(|wall| !wall.is_met(arc, end, rock))
        };
        while let Some(passage) = self.touching.left(is_left) {
            let stopped = self.enter(passage, end);
            if stopped.is_some() {
                return stopped;
            }
        }
        None
    }

    /// Enters a passage that is known at a time of the arc (s), and whether it ends the arc there.
    fn enter(&mut self, passage: Passage, t: f64) -> Option<Stop> {
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

    /// The result, what the rock does not arrive at, and the workspace for the next rock.
    pub(crate) fn finish(mut self) -> (RockResult, Missed, WatchWorkspace) {
        self.result.visits = self.footprint.take();
        let workspace = WatchWorkspace {
            times: self.times,
            met: self.met,
            touching: self.touching,
            footprint: self.footprint,
            heights: self.heights,
        };
        let missed = self.beside.passed(&self.result);
        (self.result, missed, workspace)
    }
}

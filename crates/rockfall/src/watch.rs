//! Watches one rock on its way: collectors, raster, whoever else wants the path.

mod met;

use super::rock_result::{Lists, RockResult};
use crate::arc::{Arc, Motion};
use crate::beside::{Beside, Missed};
use crate::collector::Wall;
use crate::footprint::Footprint;
use crate::heights::{Heights, greater};
use crate::lumped::Glide;
use crate::outline::Outline;
use crate::scene::Scene;
use crate::seeder::DrawnRock;
use crate::stop::Outcome;
use crate::touching::Touching;
use glam::{DQuat, DVec2, DVec3};
use std::ops::ControlFlow;

/// One rock and what it has met so far.
pub(crate) struct Watch<'a> {
    scene: &'a Scene,
    walls: &'a [Wall],
    path: Option<&'a mut dyn FnMut(&Arc)>,
    beside: Beside<'a>,
    room: Box<WatchWorkspace>,
    pub(crate) result: RockResult,
    /// Where the last arc ended, in plan: what the next one crosses it crosses from there.
    place: DVec2,
    /// Velocity and rotational energy at the end of the last arc.
    before: Option<(DVec3, f64)>,
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
    /// The same over one facet, on which it lies at its ends: a slide along it, or a flight.
    Flat,
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
        (mut room, (mut passages, mut visits)): (Box<WatchWorkspace>, Lists),
    ) -> Self {
        room.touching.clear();
        passages.clear();
        visits.clear();
        room.footprint.begin(visits);
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
            room,
            result,
            place: DVec2::ZERO,
            before: None,
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
        while let Some(passage) = self.room.touching.left(|_| true) {
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

    /// An arc of a mass centre over one facet, on which it lies at its ends.
    pub(crate) fn flat_arc(&mut self, arc: &Arc, rock: Outline) -> ControlFlow<Outcome> {
        self.next_arc(arc, &rock, Kind::Flat)
    }

    /// An arc of a slide that was said to need arcs.
    pub(crate) fn part(&mut self, arc: &Arc, rock: Outline) -> ControlFlow<Outcome> {
        self.next_arc(arc, &rock, Kind::Part)
    }

    /// Whether a slide that begins has to be shown in arcs: where a map or somebody else wants its path, and near a
    /// barrier or collector.
    pub(crate) fn slide_begins(&mut self, glide: &Glide, rock: Outline) -> bool {
        self.fastest(glide.velocities[0].length(), glide.rotational_energy);
        let near = |wall: &Wall| wall.is_near(glide.plan, rock.radius());
        let watched = self.scene.raster.is_some() || self.path.is_some();
        watched || !self.room.touching.is_empty() || self.walls.iter().any(near)
    }

    /// A slide has ended as it does whether it was shown or not.
    pub(crate) fn slide_ends(&mut self, glide: &Glide, shown: bool) {
        self.fastest(glide.velocities[1].length(), glide.rotational_energy);
        self.result.time = self.began + glide.time + glide.duration;
        if !shown {
            self.place = glide.end.truncate();
            self.before = Some((glide.velocities[1], glide.rotational_energy));
            self.beside.goes_to(self.place);
        }
    }

    fn next_arc(&mut self, arc: &Arc, rock: &Outline, kind: Kind) -> ControlFlow<Outcome> {
        if self.began == 0.0 {
            return self.follow(arc, rock, kind);
        }
        let later = Arc {
            time: self.began + arc.time,
            ..*arc
        };
        self.follow(&later, rock, kind)
    }

    /// The same of an arc that is timed from release.
    fn follow(&mut self, arc: &Arc, rock: &Outline, kind: Kind) -> ControlFlow<Outcome> {
        let walls = &mut self.walls.iter();
        let meets_nothing =
            self.room.touching.is_empty() && walls.all(|wall| wall.is_beside(arc, self.place));
        let stopped = match meets_nothing {
            true => None,
            false => self.collectors(arc, rock, kind != Kind::Kept),
        };
        self.place = arc.end().truncate();
        self.before = Some((arc.velocity_at(arc.duration), arc.rotational_energy));
        let cut;
        let (arc, kind) = match stopped {
            None => (arc, kind),
            Some(Stop::Held(t, _) | Stop::Torn(t)) => {
                cut = arc.until(t);
                // Where a slide is cut it is not known better.
                let whole = kind == Kind::Part;
                (&cut, if whole { Kind::Whole } else { kind })
            }
        };
        self.record(arc, kind);
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

    /// Records an arc that was gone.
    #[inline(never)]
    fn record(&mut self, arc: &Arc, kind: Kind) {
        let terrain = &*self.scene.terrain;
        match (&self.scene.raster, arc.motion) {
            (None, Motion::Contact) => {}
            _ if kind == Kind::Flat => self.room.heights.lie(arc),
            (Some(_), _) => self.room.heights.look(arc, terrain),
            (None, Motion::Flight) => {
                let most = self.result.greatest_height;
                self.room.heights.look_above(most, arc, terrain);
            }
        }
        if kind != Kind::Part {
            self.extremes(arc);
        }
        if let Some(frame) = &self.scene.raster {
            let (mass, room) = (self.result.mass, &mut *self.room);
            room.footprint
                .add(frame, (arc, &room.heights.looks), mass, terrain);
        }
        self.beside.arc(arc);
        if let Some(path) = &mut self.path {
            path(arc);
        }
        self.result.time = arc.time + arc.duration;
    }

    /// Greatest speed and energy, at an end of an arc as speed is convex in time, and height of a flight.
    fn extremes(&mut self, arc: &Arc) {
        let ends = [arc.velocity, arc.velocity_at(arc.duration)];
        let [begin, end] = ends.map(DVec3::length_squared);
        let square = if begin > end { begin } else { end };
        self.fastest(square.sqrt(), arc.rotational_energy);
        let most = self.result.greatest_height;
        if arc.motion == Motion::Flight && !self.room.heights.is_below(most, arc) {
            self.result.greatest_height = most.max(self.room.heights.greatest(arc));
        }
    }

    /// A speed (m/s), and the energy with it.
    fn fastest(&mut self, speed: f64, rotational: f64) {
        let result = &mut self.result;
        let energy = 0.5 * result.mass * speed * speed + rotational;
        result.greatest_speed = greater(speed, result.greatest_speed);
        result.greatest_energy = greater(energy, result.greatest_energy);
    }

    /// The result, what the rock does not arrive at, and the workspace for the next rock.
    pub(crate) fn finish(mut self) -> (RockResult, Missed, Box<WatchWorkspace>) {
        self.result.visits = self.room.footprint.take();
        let missed = self.beside.passed(&self.result);
        (self.result, missed, self.room)
    }
}

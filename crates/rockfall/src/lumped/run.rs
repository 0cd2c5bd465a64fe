//! One rock as a lumped mass, from release to its end.

use super::crossing::{Flight, Meeting};
use super::gutter::Gutter;
use super::impact::{LumpedLaw, Restitution};
use super::slide::{Slide, SlideEnd, slide};
use crate::arc::{Arc, Motion};
use crate::material::{Ground, MaterialSample, roughened};
use crate::stop::{Outcome, StopConditions};
use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Area, Facet, Terrain};
use rand_pcg::Pcg64;
use std::ops::ControlFlow;

/// A slide shorter than this (s) leads nowhere, and how many of them a rock may make in a row.
const SHORT: f64 = 1e-6;
const PATIENCE: u32 = 16;
/// A rock that facets throw at each other more often than this at one place is wedged between them.
const THROWS: u32 = 2;
/// Speed across a gutter (m/s) that is none whatever the cutoff: twice what gravity adds in the shortest step of a slide.
const SLOW: f64 = 1e-2;

/// A lumped mass: point, mass, and the sphere of its volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LumpedMass {
    /// Mass (kg).
    pub mass: f64,
    /// Radius of the sphere of equal volume (m).
    pub radius: f64,
}

/// Where it is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LumpedState {
    /// Position (m), local coordinates.
    pub position: DVec3,
    /// Velocity (m/s).
    pub velocity: DVec3,
    /// Spin (rad/s).
    pub spin: DVec3,
}

/// The generator from which roughness angles are drawn at each impact; `None` for smooth ground.
pub type Roughness = Option<Pcg64>;

impl LumpedMass {
    /// A mass (kg) with the radius of the sphere of its volume (m³), r = (3V/4π)^⅓.
    pub fn new(mass: f64, volume: f64) -> Result<Self, crate::RockfallError> {
        crate::error::within("mass", mass, mass > 0.0, "a finite mass above 0 kg")?;
        crate::error::within("volume", volume, volume > 0.0, "a finite volume above 0 m³")?;
        Ok(LumpedMass {
            mass,
            radius: libm::cbrt(3.0 * volume / (4.0 * std::f64::consts::PI)),
        })
    }

    fn rotational_energy(&self, spin: DVec3) -> f64 {
        0.2 * self.mass * self.radius * self.radius * spin.length_squared()
    }
}

/// The lumped-mass engine: everything that is the same for all rocks of a run.
#[derive(Clone, Copy)]
pub struct LumpedRock<'a> {
    /// The law of impact.
    pub law: LumpedLaw,
    /// The ground's shape.
    pub terrain: &'a dyn Terrain,
    /// Its materials.
    pub ground: &'a Ground,
    /// Stop conditions.
    pub stop: &'a StopConditions,
    /// Gravity (m/s²).
    pub gravity: DVec3,
}

impl LumpedRock<'_> {
    /// Follows a rock. Every arc goes to `path` in order; when `path` breaks, the rock has been caught by what watches it.
    pub fn run(
        &self,
        rock: &LumpedMass,
        samples: &[MaterialSample],
        start: LumpedState,
        roughness: Roughness,
        path: &mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
    ) -> (Outcome, LumpedState) {
        self.run_in(rock, samples, start, roughness, path, &mut Vec::new())
    }

    /// The same in room that goes from rock to rock.
    pub(crate) fn run_in(
        &self,
        rock: &LumpedMass,
        samples: &[MaterialSample],
        start: LumpedState,
        roughness: Roughness,
        path: &mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
        facets: &mut Vec<Facet>,
    ) -> (Outcome, LumpedState) {
        let mut run = Run {
            engine: self,
            rock,
            samples,
            roughness,
            path,
            state: start,
            time: 0.0,
            facets: std::mem::take(facets),
            idle: 0,
        };
        let outcome = match run.follow() {
            ControlFlow::Break(outcome) => outcome,
            ControlFlow::Continue(()) => Outcome::TimedOut,
        };
        *facets = run.facets;
        (outcome, run.state)
    }
}

struct Run<'a> {
    engine: &'a LumpedRock<'a>,
    rock: &'a LumpedMass,
    samples: &'a [MaterialSample],
    roughness: Roughness,
    path: &'a mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
    state: LumpedState,
    time: f64,
    facets: Vec<Facet>,
    /// Slides in a row that led nowhere.
    idle: u32,
}

type Flow<T> = ControlFlow<Outcome, T>;

/// What comes next.
#[derive(Debug, Clone, Copy)]
enum Phase {
    Fly,
    Slide(Facet),
    Wedged(Gutter),
}

impl Run<'_> {
    fn follow(&mut self) -> Flow<()> {
        let p = self.state.position;
        if self.engine.terrain.surface(p.x, p.y).is_none() {
            return ControlFlow::Break(Outcome::LeftMap);
        }
        let mut phase = self.released()?;
        for _ in 0..self.engine.stop.maximum_steps {
            phase = match phase {
                Phase::Fly => self.fly()?,
                Phase::Slide(facet) => self.slide(facet)?,
                Phase::Wedged(gutter) => self.run_down(gutter)?,
            };
        }
        ControlFlow::Continue(())
    }

    /// A rock released on the ground and not thrown off it meets the ground at once; no flight would see it.
    fn released(&mut self) -> Flow<Phase> {
        let (p, v) = (self.state.position, self.state.velocity);
        let level = 1e-9 * (1.0 + p.abs().max_element());
        self.facets.clear();
        self.engine
            .terrain
            .facets(Area::around(p.truncate(), level), &mut self.facets);
        let under = |f: &&Facet| f.inside(p) >= 0.0;
        let highest = |a: &&Facet, b: &&Facet| b.height(p).total_cmp(&a.height(p));
        let found = self.facets.iter().filter(under).max_by(highest).copied();
        match found {
            Some(facet) if facet.height(p) <= level && facet.normal.dot(v) <= 0.0 => {
                // A bilinear surface and the facets that stand for it differ a little.
                self.state.position -= facet.normal * facet.height(p).min(0.0);
                self.impact(facet.normal, facet.id)
            }
            _ => ControlFlow::Continue(Phase::Fly),
        }
    }

    fn fly(&mut self) -> Flow<Phase> {
        let LumpedState {
            position, velocity, ..
        } = self.state;
        let flight = Flight {
            position,
            velocity,
            gravity: self.engine.gravity,
        };
        let left = self.engine.stop.maximum_time - self.time;
        match flight.meet(self.engine.terrain, left, &mut self.facets) {
            Meeting::Air => {
                self.travel(left, self.engine.gravity, Motion::Flight)?;
                ControlFlow::Break(Outcome::TimedOut)
            }
            Meeting::Nothing { time } => {
                self.travel(time, self.engine.gravity, Motion::Flight)?;
                ControlFlow::Break(Outcome::LeftMap)
            }
            Meeting::Ground {
                time,
                normal,
                facet,
            } => {
                self.travel(time, self.engine.gravity, Motion::Flight)?;
                self.impact(normal, facet)
            }
        }
    }

    /// Moves along an arc and shows it.
    fn travel(&mut self, duration: f64, acceleration: DVec3, motion: Motion) -> Flow<()> {
        let arc = Arc {
            time: self.time,
            duration,
            position: self.state.position,
            velocity: self.state.velocity,
            acceleration,
            spin: self.state.spin,
            rotational_energy: self.rock.rotational_energy(self.state.spin),
            motion,
        };
        self.state.position = arc.end();
        self.state.velocity = arc.velocity_at(duration);
        self.time += duration;
        (self.path)(&arc)
    }

    fn material(&self, facet: u32) -> (usize, MaterialSample) {
        let map = (self.engine.terrain.origin() + self.state.position).truncate();
        let number = self.engine.ground.material(map, facet);
        let rest = MaterialSample {
            normal_restitution: 0.0,
            tangential_restitution: 0.0,
            friction: f64::INFINITY,
        };
        (number, self.samples.get(number).copied().unwrap_or(rest))
    }

    fn impact(&mut self, normal: DVec3, facet: u32) -> Flow<Phase> {
        if self.rebounds(normal, facet) {
            ControlFlow::Continue(Phase::Fly)
        } else {
            self.ground_ahead(normal, facet)
        }
    }

    /// Strikes the ground, and whether that throws the rock off it.
    fn rebounds(&mut self, normal: DVec3, facet: u32) -> bool {
        let (number, sample) = self.material(facet);
        let restitution = Restitution {
            normal: sample.normal_restitution,
            tangential: sample.tangential_restitution,
        };
        let met = self.met_normal(normal, number);
        let rebound = self.engine.law.impact(
            met,
            self.state.velocity,
            self.state.spin,
            self.rock.radius,
            restitution,
        );
        self.state.spin = rebound.spin;
        let off = rebound.velocity.dot(normal);
        // A literal reading sends the rock into the ground: it then slides, as it does when the rebound is too slow.
        if off >= self.engine.stop.normal_velocity_cutoff.max(1e-9) {
            self.state.velocity = rebound.velocity;
            return true;
        }
        self.state.velocity = rebound.velocity - normal * off;
        false
    }

    /// The normal met at an impact: turned by the roughness of the material, unless the rock would then leave the ground without touching it.
    fn met_normal(&mut self, normal: DVec3, material: usize) -> DVec3 {
        let Some(rng) = &mut self.roughness else {
            return normal;
        };
        let Some(roughness) = self
            .engine
            .ground
            .materials()
            .get(material)
            .map(|m| m.roughness)
        else {
            return normal;
        };
        let angles = (roughness.sample(rng), roughness.sample(rng));
        let turned = roughened(normal, angles);
        if turned.dot(self.state.velocity) < 0.0 && turned.z > 0.0 {
            turned
        } else {
            normal
        }
    }

    /// Goes on over the facet that lies ahead: along it, into the air, or against it.
    fn ground_ahead(&mut self, normal: DVec3, id: u32) -> Flow<Phase> {
        let (mut normal, mut id, mut throws) = (normal, id, 0);
        loop {
            let Some(facet) = self.facet_ahead(normal, id) else {
                return ControlFlow::Break(Outcome::LeftMap);
            };
            let off = facet.normal.dot(self.state.velocity);
            // Rounding of a velocity along the facet is below 1e-12 of it.
            if off.abs() <= 1e-12 * self.state.velocity.length() {
                return ControlFlow::Continue(Phase::Slide(facet));
            }
            if off > 0.0 || self.rebounds(facet.normal, facet.id) {
                return ControlFlow::Continue(Phase::Fly);
            }
            throws += 1;
            let limit = if throws > THROWS {
                f64::INFINITY
            } else {
                self.engine.stop.normal_velocity_cutoff.max(SLOW)
            };
            if let Some(wedged) = self.wedged(limit)? {
                return ControlFlow::Continue(wedged);
            }
            if throws > THROWS {
                return ControlFlow::Continue(Phase::Slide(facet));
            }
            (normal, id) = (facet.normal, facet.id);
        }
    }

    /// The facet to slide on from here, in the direction of motion.
    fn facet_ahead(&mut self, normal: DVec3, id: u32) -> Option<Facet> {
        let p = self.state.position;
        let step = rounding(p);
        let ahead = p + self.state.velocity.normalize_or_zero() * step;
        self.look_around(step);
        let under = |f: &&Facet| f.inside(ahead) >= 0.0 && touches(f, p);
        self.facets
            .iter()
            .filter(under)
            .min_by_key(|f| (f.id != id, f.normal != normal))
            .copied()
    }

    fn look_around(&mut self, step: f64) {
        let plan = self.state.position.truncate();
        self.facets.clear();
        self.engine
            .terrain
            .facets(Area::around(plan, 4.0 * step), &mut self.facets);
    }

    /// The gutter that a rock is in, the way it goes: what its velocity has across the edge, the facets take. `None` where no two facets hold it, or it crosses
    /// the edge faster than `limit` (m/s).
    fn wedged(&mut self, limit: f64) -> Flow<Option<Phase>> {
        let (p, v, g) = (
            self.state.position,
            self.state.velocity,
            self.engine.gravity,
        );
        let step = rounding(p);
        self.look_around(step);
        let ways = || Gutter::from(&self.facets, p, step, g);
        let most = |u: DVec3| ways().max_by(|a, b| u.dot(a.along).total_cmp(&u.dot(b.along)));
        let Some(down) = most(g) else {
            return ControlFlow::Continue(None);
        };
        let on = most(v).filter(|way| v.dot(way.along) > 0.0);
        let across = v - on.map_or(DVec3::ZERO, |way| way.along * v.dot(way.along));
        if across.length() > limit {
            return ControlFlow::Continue(None);
        }
        let way = on.unwrap_or(down);
        if on.is_none() && g.dot(down.along) <= 0.0 {
            // Every way rises: a pit.
            self.state.velocity = DVec3::ZERO;
            return ControlFlow::Break(Outcome::Stopped);
        }
        self.enter(way);
        ControlFlow::Continue(Some(Phase::Wedged(way)))
    }

    fn enter(&mut self, gutter: Gutter) {
        let speed = self.state.velocity.dot(gutter.along).max(0.0);
        self.state.position = gutter.foot;
        self.state.velocity = gutter.along * speed;
    }

    /// One step along a gutter.
    fn run_down(&mut self, gutter: Gutter) -> Flow<Phase> {
        let friction = gutter.facets.map(|f| self.material(f.id).1.friction);
        let step = gutter.slide(
            self.state.velocity.length(),
            self.engine.gravity,
            friction,
            self.engine.stop.stopped_velocity_cutoff,
        );
        self.slid(&step)?;
        self.idle = 0;
        match step.end {
            SlideEnd::Stopped => ControlFlow::Break(Outcome::Stopped),
            SlideEnd::Step => {
                self.state.velocity = DVec3::ZERO;
                let back = self.wedged(f64::INFINITY)?;
                ControlFlow::Continue(back.unwrap_or(Phase::Fly))
            }
            SlideEnd::Edge => self.gutter_ahead(gutter),
        }
    }

    /// The gutter that goes straight on, or else what lies ahead.
    fn gutter_ahead(&mut self, gutter: Gutter) -> Flow<Phase> {
        let (p, v) = (self.state.position, self.state.velocity);
        if !self.engine.terrain.extent().contains(p.truncate()) {
            return ControlFlow::Break(Outcome::LeftMap);
        }
        let step = rounding(p);
        self.look_around(step);
        // Heights are rounded: edges in one line differ a little.
        let straight = |way: &Gutter| v.cross(way.along).length() <= 1e-9 * v.dot(way.along);
        let on = Gutter::from(&self.facets, p, step, self.engine.gravity).find(straight);
        match on {
            Some(way) => {
                self.enter(way);
                ControlFlow::Continue(Phase::Wedged(way))
            }
            None => self.ground_ahead(gutter.facets[0].normal, u32::MAX),
        }
    }

    /// Travels a step on the ground, as far as the time allows.
    fn slid(&mut self, step: &Slide) -> Flow<()> {
        let left = self.engine.stop.maximum_time - self.time;
        self.travel(step.duration.min(left), step.acceleration, Motion::Contact)?;
        if step.duration >= left {
            ControlFlow::Break(Outcome::TimedOut)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn slide(&mut self, facet: Facet) -> Flow<Phase> {
        let (_, sample) = self.material(facet.id);
        let step = slide(
            &facet,
            self.state.position,
            self.state.velocity,
            self.engine.gravity,
            sample.friction,
            self.engine.stop.stopped_velocity_cutoff,
        );
        self.slid(&step)?;
        self.idle = if step.duration > SHORT {
            0
        } else {
            self.idle + 1
        };
        // In a gutter a rock goes from side to side in ever shorter slides.
        if self.idle > PATIENCE
            && let Some(phase) = self.settled()?
        {
            return ControlFlow::Continue(phase);
        }
        match step.end {
            SlideEnd::Stopped => ControlFlow::Break(Outcome::Stopped),
            SlideEnd::Step => {
                // Rounding must not lift the motion off the plane.
                self.state.velocity -= facet.normal * facet.normal.dot(self.state.velocity);
                ControlFlow::Continue(Phase::Slide(facet))
            }
            SlideEnd::Edge => {
                let plan: DVec2 = self.state.position.truncate();
                if !self.engine.terrain.extent().contains(plan) {
                    return ControlFlow::Break(Outcome::LeftMap);
                }
                self.ground_ahead(facet.normal, u32::MAX)
            }
        }
    }

    /// What becomes of a rock whose slides lead nowhere: it is wedged in a gutter, at rest, or on a lip, along which it moves and over which gravity takes it.
    fn settled(&mut self) -> Flow<Option<Phase>> {
        if let Some(phase) = self.wedged(f64::INFINITY)? {
            return ControlFlow::Continue(Some(phase));
        }
        let (p, v) = (self.state.position, self.state.velocity);
        let stop = self.engine.stop;
        if v.length() <= stop.stopped_velocity_cutoff.max(1e-6) {
            return ControlFlow::Break(Outcome::Stopped);
        }
        let leads_on = |f: &&Facet| {
            let (_, sample) = self.material(f.id);
            let (g, mu) = (self.engine.gravity, sample.friction);
            touches(f, p)
                && f.inside(p) >= -rounding(p)
                && f.normal.dot(v).abs() <= 1e-9 * v.length()
                && slide(f, p, v, g, mu, stop.stopped_velocity_cutoff).duration > SHORT
        };
        let lip = self.facets.iter().find(leads_on).copied();
        if let Some(f) = lip {
            self.state.velocity -= f.normal * f.normal.dot(v);
        }
        ControlFlow::Continue(lip.map(Phase::Slide))
    }
}

/// How far a step is looked ahead (m): well above the rounding of a place in plan.
fn rounding(p: DVec3) -> f64 {
    1e-9 * (1.0 + p.truncate().abs().max_element())
}

/// Whether a point lies in the plane of a facet.
fn touches(facet: &Facet, p: DVec3) -> bool {
    facet.height(p).abs() <= 1e-6 * (1.0 + p.abs().max_element())
}

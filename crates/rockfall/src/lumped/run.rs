//! One rock as a lumped mass, from release to its end.

mod edge;
mod on_ground;
mod rest;

use super::concave_edge::Gutter;
use super::crossing::{Flight, Meeting};
use super::follower::Follower;
use super::impact::Restitution;
use super::lift::Lift;
use super::mass::{LumpedMass, LumpedState};
use super::rebound_law::{ReboundLaw, Struck};
use crate::arc::{Arc, Motion};
use crate::ground::Ground;
use crate::material::{MaterialSample, roughened};
use crate::stop::{Outcome, StopConditions};
use glam::{DQuat, DVec3};
use klast_geometry::terrain::{Area, Facet, Terrain};
use rand_pcg::Pcg64;
use std::ops::ControlFlow;

/// The generator from which roughness angles are drawn at each impact; `None` for smooth ground.
pub type Roughness = Option<Pcg64>;

/// What the ground's resolution had to say on a way.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LumpedTally {
    /// Edges passed as smooth ground because their kink is below the vertical resolution.
    pub unresolved_edges: u32,
    /// Kinetic energy lost in impacts (J).
    pub impact_loss: f64,
    /// Of this, in impacts whose normal speed the vertical resolution leaves open by a tenth or more (J).
    pub unresolved_loss: f64,
}

/// The lumped-mass engine: everything that is the same for all rocks of a run.
#[derive(Clone, Copy)]
pub struct LumpedRock<'a> {
    /// The law of impact.
    pub law: ReboundLaw,
    /// The ground's shape.
    pub terrain: &'a dyn Terrain,
    /// Its materials.
    pub ground: &'a Ground,
    /// Stop conditions.
    pub stop: &'a StopConditions,
    /// Gravity (m/s²).
    pub gravity: DVec3,
}

impl<'a> LumpedRock<'a> {
    /// The engine on a ground, with the law of the manual with rotation and 9.81 m/s².
    pub fn new(terrain: &'a dyn Terrain, ground: &'a Ground, stop: &'a StopConditions) -> Self {
        LumpedRock {
            law: ReboundLaw::default(),
            terrain,
            ground,
            stop,
            gravity: DVec3::new(0.0, 0.0, -9.81),
        }
    }
}

impl LumpedRock<'_> {
    /// Follows a rock. Every arc goes to `path` in order; when `path` breaks, the rock has been caught by what watches
    /// it.
    pub fn run(
        &self,
        rock: &LumpedMass,
        samples: &[MaterialSample],
        start: LumpedState,
        roughness: Roughness,
        path: &mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
    ) -> (Outcome, LumpedState, LumpedTally) {
        self.follow(
            rock,
            samples,
            start,
            &mut { roughness },
            &mut { path },
            &mut Vec::new(),
        )
    }

    /// The same in a workspace that goes from rock to rock.
    pub(crate) fn follow(
        &self,
        rock: &LumpedMass,
        samples: &[MaterialSample],
        start: LumpedState,
        roughness: &mut Roughness,
        path: &mut dyn Follower,
        facets: &mut Vec<Facet>,
    ) -> (Outcome, LumpedState, LumpedTally) {
        let mut run = Run {
            engine: self,
            rock,
            samples,
            roughness: roughness.take(),
            path,
            state: start,
            time: 0.0,
            facets: std::mem::take(facets),
            looked: None,
            met: None,
            along: None,
            gutter: None,
            idle: 0,
            lift: Lift::default(),
            plane: None,
            tally: LumpedTally::default(),
        };
        let outcome = match run.follow() {
            ControlFlow::Break(outcome) => outcome,
            ControlFlow::Continue(()) => Outcome::TimedOut,
        };
        *facets = run.facets;
        *roughness = run.roughness;
        (outcome, run.state, run.tally)
    }
}

struct Run<'a> {
    engine: &'a LumpedRock<'a>,
    rock: &'a LumpedMass,
    samples: &'a [MaterialSample],
    roughness: Roughness,
    path: &'a mut dyn Follower,
    state: LumpedState,
    time: f64,
    facets: Vec<Facet>,
    /// Where the facets are those around the rock (m).
    looked: Option<DVec3>,
    /// The facet that the rock flies against, or has just rebounded from.
    met: Option<Facet>,
    /// The facet that the rock slides along.
    along: Option<Facet>,
    /// The gutter that the rock is in.
    gutter: Option<Gutter>,
    /// Slides in a row that led nowhere.
    idle: u32,
    lift: Lift,
    /// The facet whose plane the rock follows over narrower ones, on which rounded heights say less.
    plane: Option<Facet>,
    tally: LumpedTally,
}

type Flow<T> = ControlFlow<Outcome, T>;

/// Friction that stops any rock at once, with a deceleration that is still a number.
const STUCK: f64 = 1e100;

/// The attitude of a lumped mass at both ends of an arc.
const UNTURNED: [DQuat; 2] = [DQuat::IDENTITY; 2];

/// An impact is resolved where rounded heights change its normal speed by less than a tenth.
const RESOLVED: f64 = 10.0;

/// What comes next.
#[derive(Debug, Clone, Copy)]
enum Phase {
    Fly,
    /// Along a facet.
    Slide,
    /// In a gutter.
    Wedged,
}

/// What a rock on the ground comes from.
#[derive(Debug, Clone, Copy)]
enum Behind {
    /// A facet that it moved along.
    Facet(Facet),
    /// Ground met in flight or along a gutter: its normal and number.
    Normal(DVec3, u32),
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
                Phase::Slide => self.slide()?,
                Phase::Wedged => self.run_down()?,
            };
        }
        ControlFlow::Continue(())
    }

    /// A rock released on the ground and not thrown off it meets the ground at once; no flight would see it.
    fn released(&mut self) -> Flow<Phase> {
        let (p, v) = (self.state.position, self.state.velocity);
        let level = 1e-9 * (1.0 + p.abs().max_element());
        self.looked = None;
        self.facets.clear();
        self.engine
            .terrain
            .facets(Area::around(p.truncate(), level), &mut self.facets);
        let under = |f: &&Facet| f.inside(p) >= 0.0;
        let highest = |a: &&Facet, b: &&Facet| b.height(p).total_cmp(&a.height(p));
        let found = self.facets.iter().filter(under).max_by(highest).copied();
        let Some(facet) = found.filter(|f| f.height(p) <= level) else {
            return ControlFlow::Continue(Phase::Fly);
        };
        let off = facet.normal.dot(v);
        let least = self.least_throw(&facet, self.unresolved_slope(None, &facet));
        if off > least {
            return ControlFlow::Continue(Phase::Fly);
        }
        // A bilinear surface and the facets that stand for it differ a little.
        self.state.position -= facet.normal * facet.height(p).min(0.0);
        if off < -least {
            self.met = Some(facet);
            return self.impact(facet.normal, facet.id);
        }
        self.keep_along(facet.normal);
        self.ground_ahead(Behind::Facet(facet))
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
        self.looked = None;
        let from = self.met.as_ref();
        let from = from.filter(|_| self.engine.terrain.is_its_facets());
        let plane = |f: &Facet| (f.id, f.normal);
        let behind = from.map(plane);
        if let Some((id, normal)) = behind
            && let Some(time) = from.and_then(|f| flight.comes_back(f))
            && time <= left
        {
            self.hop(time)?;
            return self.impact(normal, id);
        }
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
                met,
            } => {
                self.met = met;
                match met.is_some() && met.as_ref().map(plane) == behind {
                    true => self.hop(time)?,
                    false => self.travel(time, self.engine.gravity, Motion::Flight)?,
                }
                self.impact(normal, facet)
            }
        }
    }

    /// Moves along an arc and shows it.
    fn travel(&mut self, duration: f64, acceleration: DVec3, motion: Motion) -> Flow<()> {
        let arc = self.go(duration, acceleration, motion);
        self.path.arc(&arc)
    }

    /// The same of a flight that ends on the facet on which it began.
    fn hop(&mut self, duration: f64) -> Flow<()> {
        let arc = self.go(duration, self.engine.gravity, Motion::Flight);
        self.path.hop(&arc)
    }

    fn go(&mut self, duration: f64, acceleration: DVec3, motion: Motion) -> Arc {
        let arc = self.arc(duration, acceleration, motion);
        self.state.position = arc.end();
        self.state.velocity = arc.velocity_at(duration);
        self.time += duration;
        arc
    }

    /// The arc from here.
    fn arc(&self, duration: f64, acceleration: DVec3, motion: Motion) -> Arc {
        Arc {
            time: self.time,
            duration,
            position: self.state.position,
            velocity: self.state.velocity,
            acceleration,
            spin: self.state.spin,
            attitude: UNTURNED,
            rotational_energy: self.rock.rotational_energy(self.state.spin),
            motion,
        }
    }

    /// The number of the material here, and what was drawn of it: none stops a rock.
    fn material(&self, facet: u32) -> (usize, Option<&MaterialSample>) {
        let LumpedRock {
            terrain, ground, ..
        } = self.engine;
        let here = || (terrain.origin() + self.state.position).truncate();
        let everywhere = ground.everywhere();
        let number = everywhere.unwrap_or_else(|| ground.material(here(), facet));
        (number, self.samples.get(number))
    }

    /// μ here.
    fn friction(&self, facet: u32) -> f64 {
        let (_, sample) = self.material(facet);
        sample.map_or(STUCK, |s| s.friction.min(STUCK))
    }

    /// The end of a flight. One that comes down slower than the cutoff ends without an impact.
    fn impact(&mut self, normal: DVec3, facet: u32) -> Flow<Phase> {
        (self.lift, self.plane) = (Lift::default(), None);
        let down = -normal.dot(self.state.velocity);
        if down < self.engine.stop.normal_velocity_cutoff {
            self.keep_along(normal);
        } else {
            let hidden = |f| self.unresolved_speed(f, self.unresolved_slope(None, f));
            if self.rebounds(normal, facet, self.met.as_ref().map(hidden)) {
                return ControlFlow::Continue(Phase::Fly);
            }
        }
        self.met = None;
        self.ground_ahead(Behind::Normal(normal, facet))
    }

    /// Strikes the ground, and whether that throws the rock off it. What is met, where it has corners, comes with the
    /// normal speed (m/s) that rounded heights may make of none.
    fn rebounds(&mut self, normal: DVec3, facet: u32, hidden: Option<f64>) -> bool {
        let number = self.material(facet).0;
        let turned = self.met_normal(normal, number);
        let sample = self.samples.get(number);
        // The normal speed that R_n depends on is that against the ground met, as for a rigid body.
        let into = -turned.dot(self.state.velocity);
        let ground = Struck {
            normal: turned,
            restitution: Restitution {
                normal: sample.map_or(0.0, |s| s.restitution_at(into, self.rock.mass)),
                tangential: sample.map_or(0.0, |s| s.tangential_restitution),
            },
            friction: sample.map_or(STUCK, |s| s.friction.min(STUCK)),
        };
        let before = self.rock.kinetic_energy(&self.state);
        let down = -normal.dot(self.state.velocity);
        let unresolved = hidden.is_some_and(|speed| down <= RESOLVED * speed);
        let LumpedState { velocity, spin, .. } = self.state;
        let radius = self.rock.radius;
        let rebound = self.engine.law.rebound(&ground, velocity, spin, radius);
        self.state.spin = rebound.spin;
        let off = rebound.velocity.dot(normal);
        // A literal reading sends the rock into the ground: it then slides, as it does when the rebound is too slow.
        let thrown = off >= self.engine.stop.normal_velocity_cutoff.max(1e-9);
        self.state.velocity = match thrown {
            true => rebound.velocity,
            false => rebound.velocity - normal * off,
        };
        let loss = (before - self.rock.kinetic_energy(&self.state)).max(0.0);
        self.tally.impact_loss += loss;
        if unresolved {
            self.tally.unresolved_loss += loss;
        }
        thrown
    }

    /// The normal met at an impact: turned by the roughness of the material, unless the rock would then leave the
    /// ground without touching it.
    fn met_normal(&mut self, normal: DVec3, material: usize) -> DVec3 {
        let Some(rng) = &mut self.roughness else {
            return normal;
        };
        let own = self.samples.get(material).and_then(|s| s.roughness);
        let materials = self.engine.ground.materials();
        let Some(roughness) = own.or(materials.get(material).map(|m| m.roughness)) else {
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
}

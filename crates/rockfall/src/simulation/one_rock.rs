//! One rock of a simulation: what is drawn for it, and its way with either engine.

use super::{Engine, Simulation};
use crate::arc::Arc;
use crate::lumped::{LumpedMass, LumpedRock, LumpedState, Roughness};
use crate::material::MaterialSample;
use crate::release::Start;
use crate::results::RockResult;
use crate::rigid::RigidRock;
use crate::seeder::{DrawnRock, Seeder};
use crate::stop::StopConditions;
use crate::watch::{Watch, WatchRoom};
use klast_dynamics::single::Workspace;
use klast_dynamics::{Body, Purpose, State, Streams, Twist};
use klast_geometry::ConvexPolyhedron;
use klast_geometry::terrain::{Facet, FacetPatch};
use std::sync::{MutexGuard, PoisonError};

/// What a rock needs while it runs and leaves to the next one: buffers, and its body, which may be that of the next one too.
#[derive(Default)]
pub(super) struct Room {
    samples: Vec<MaterialSample>,
    facets: Vec<Facet>,
    patch: FacetPatch,
    rigid: Workspace,
    watch: WatchRoom,
    body: Option<(usize, DrawnRock, Body)>,
    /// The shape of a rock in its size.
    scaled: Option<ConvexPolyhedron>,
}

impl Simulation {
    /// Runs one rock; `path` sees every arc.
    pub fn rock(&self, index: u64, path: &mut dyn FnMut(&Arc)) -> RockResult {
        self.rock_until(index, &self.scene.stop, path)
    }

    /// Runs one rock under stop conditions of its own.
    pub(super) fn rock_until(
        &self,
        index: u64,
        stop: &StopConditions,
        path: &mut dyn FnMut(&Arc),
    ) -> RockResult {
        let (source, rank, seeder) = self.source(index);
        let streams = Streams::new(self.scene.seed);
        let map = seeder
            .release
            .draw(&mut streams.rng(Purpose::Position, index));
        let height = seeder
            .height
            .sample(&mut streams.rng(Purpose::Custom(0), index));
        let elevation = seeder.elevation.map(|d| {
            d.sample(&mut streams.rng(Purpose::Custom(0), index)) - self.scene.terrain.origin().z
        });
        let rock = seeder.draw_rock(&mut streams.rng(Purpose::Shape, index));
        let (velocity, spin) = seeder.draw_velocity(&mut streams.rng(Purpose::Velocity, index));
        let attitude = seeder.draw_attitude(&mut streams.rng(Purpose::Attitude, index));
        let mut room = self.rooms().pop().unwrap_or_default();
        self.scene.ground.sample_into(
            &mut streams.rng(Purpose::Material, index),
            &mut room.samples,
        );
        let roughness = self.rough.then(|| streams.rng(Purpose::Roughness, index));
        let plan = map - self.scene.terrain.origin().truncate();
        let weight = seeder
            .annual_frequency
            .map_or(0.0, |f| f / seeder.count as f64);
        let kept = std::mem::take(&mut room.watch);
        let lists = self.lists().pop().unwrap_or_default();
        let mut watch = Watch::new(self, &rock, (source, rank), weight, path, (kept, lists));
        match self.scene.terrain.surface(plan.x, plan.y) {
            None => watch.result.off_map = true,
            Some(ground) => {
                let release = plan.extend(ground.height);
                let start = Start {
                    release,
                    height,
                    elevation,
                    velocity,
                    spin,
                    attitude,
                };
                self.follow((&rock, stop), start, roughness, &mut watch, &mut room);
            }
        }
        let (result, kept) = watch.finish();
        room.watch = kept;
        self.rooms().push(room);
        result
    }

    fn rooms(&self) -> MutexGuard<'_, Vec<Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The source of a rock by number, and the rock's rank: its place in the source, stretched over all rocks.
    fn source(&self, index: u64) -> (usize, u64, &Seeder) {
        let mut left = index;
        let rank = |left: u64, of: u64| {
            (u128::from(left) * u128::from(self.count()) / u128::from(of.max(1))) as u64
        };
        for (number, seeder) in self.scene.seeders.iter().enumerate() {
            if left < seeder.count {
                return (number, rank(left, seeder.count), seeder);
            }
            left -= seeder.count;
        }
        // Beyond the last rock: the last source goes on.
        let last = self.scene.seeders.len() - 1;
        (last, index, &self.scene.seeders[last])
    }

    fn follow(
        &self,
        (rock, stop): (&DrawnRock, &StopConditions),
        start: Start,
        roughness: Roughness,
        watch: &mut Watch,
        room: &mut Room,
    ) {
        let scene = &self.scene;
        let Engine::Lumped(law) = scene.engine else {
            if let Some(engine) = scene.rigid_rock(stop) {
                self.follow_body(&engine, rock, start, roughness, watch, room);
            }
            return;
        };
        let engine = LumpedRock {
            law,
            terrain: &*scene.terrain,
            ground: &scene.ground,
            stop,
            gravity: scene.gravity,
        };
        self.follow_point(&engine, rock, start, roughness, watch, room);
    }

    fn follow_point(
        &self,
        engine: &LumpedRock,
        rock: &DrawnRock,
        start: Start,
        roughness: Roughness,
        watch: &mut Watch,
        room: &mut Room,
    ) {
        let built = LumpedMass::of_volume(rock.volume).and_then(|m| m.with_mass(rock.mass));
        let Ok(mass) = built else {
            return;
        };
        watch.radius = mass.radius;
        let Some(position) = start.point() else {
            watch.below_ground(start.release);
            return;
        };
        let state = LumpedState {
            position,
            velocity: start.velocity,
            spin: start.spin,
        };
        watch.begin(state.position);
        let (outcome, end, tally) = engine.run_in(
            &mass,
            &room.samples,
            state,
            roughness,
            &mut |arc| watch.arc(arc),
            &mut room.facets,
        );
        watch.result.unresolved_edges = tally.unresolved_edges;
        watch.result.impact_loss = tally.impact_loss;
        watch.result.unresolved_loss = tally.unresolved_loss;
        watch.end(outcome, end.position);
    }

    fn follow_body(
        &self,
        engine: &RigidRock,
        rock: &DrawnRock,
        start: Start,
        roughness: Roughness,
        watch: &mut Watch,
        room: &mut Room,
    ) {
        let source = watch.result.source;
        let Some(body) = self.body(rock, source, room) else {
            return;
        };
        watch.radius = body.shape().radius();
        let Some(pose) = start.pose(
            &body,
            &*self.scene.terrain,
            (&mut room.facets, &mut room.patch),
        ) else {
            watch.below_ground(start.release);
            return;
        };
        let state = State {
            pose,
            velocity: Twist {
                linear: start.velocity,
                angular: start.spin,
            },
        };
        watch.begin(pose.translation);
        let (outcome, end, tally) = engine.run(
            &body,
            &room.samples,
            state,
            roughness,
            &mut |arc| watch.arc(arc),
            &mut room.rigid,
        );
        room.body = Some((source, *rock, body));
        watch.result.unconverged = tally.unconverged;
        watch.result.energy_gains = tally.energy_gains;
        watch.result.energy_rises = tally.energy_rises;
        watch.result.forced = tally.forced;
        watch.result.swinging = tally.swinging;
        watch.end(outcome, end.pose.translation);
    }

    /// The body of a rock: that of the rock before if it is the same, else made in its room.
    fn body(&self, rock: &DrawnRock, source: usize, room: &mut Room) -> Option<Body> {
        let kept = match room.body.take() {
            Some((s, r, body)) if (s, &r) == (source, rock) => return Some(body),
            other => other.map(|(_, _, body)| body),
        };
        let unit = self.shapes.get(source)?.get(rock.group)?;
        let scaled = room.scaled.get_or_insert_with(|| unit.clone());
        unit.scaled_into(libm::cbrt(rock.volume), scaled).ok()?;
        let density = rock.mass / rock.volume;
        match kept {
            Some(body) => Body::uniform_in(scaled, density, body).ok(),
            None => Body::uniform(scaled, density).ok(),
        }
    }
}

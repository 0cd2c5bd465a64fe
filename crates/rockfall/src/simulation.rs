//! Many rocks on one terrain: seeding, running, watching.

use crate::RockfallError;
use crate::arc::Arc;
use crate::gate::{Gate, Wall};
use crate::lumped::{LumpedLaw, LumpedMass, LumpedRock, LumpedState, Roughness};
use crate::material::{Ground, MaterialSample};
use crate::raster::RasterFrame;
use crate::release::{Start, on_the_map};
use crate::results::{Results, RockResult};
use crate::rigid::{RigidRock, RigidRoom, Scarring, VegetationDrag};
use crate::seeder::{DrawnRock, RockGroup, RockSize, Seeder, extremes};
use crate::stop::StopConditions;
use crate::watch::{Lists, Watch, WatchRoom};
use glam::DVec3;
use klast_dynamics::{
    Body, Distribution, EnsembleRoom, Purpose, State, Streams, Twist, ensemble_in,
};
use klast_geometry::ConvexPolyhedron;
use klast_geometry::terrain::{Facet, FacetPatch, Terrain};
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Which engine moves the rocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Engine {
    /// Points with the inertia of a sphere.
    Lumped(LumpedLaw),
    /// Convex rigid bodies.
    Rigid {
        /// Step of the motion in contact (s).
        contact_step: f64,
        /// Slippage-dependent friction.
        scarring: Option<Scarring>,
        /// Vegetation drag.
        drag: Option<VegetationDrag>,
    },
}

/// Everything that makes a run. Check it once with [`Simulation::new`].
pub struct Scene {
    /// The ground's shape.
    pub terrain: Box<dyn Terrain>,
    /// Its materials.
    pub ground: Ground,
    /// Sources of rocks.
    pub seeders: Vec<Seeder>,
    /// The engine.
    pub engine: Engine,
    /// Stop conditions.
    pub stop: StopConditions,
    /// Gravity (m/s²).
    pub gravity: DVec3,
    /// Barriers and collectors.
    pub gates: Vec<Gate>,
    /// Frame of the hazard raster.
    pub raster: Option<RasterFrame>,
    /// Seed of the run.
    pub seed: u64,
}

/// What a rock needs while it runs and leaves to the next one: buffers, and its body, which may be that of the next one too.
#[derive(Default)]
struct Room {
    samples: Vec<MaterialSample>,
    facets: Vec<Facet>,
    patch: FacetPatch,
    rigid: RigidRoom,
    watch: WatchRoom,
    body: Option<(usize, DrawnRock, Body)>,
    /// The shape of a rock in its size.
    scaled: Option<ConvexPolyhedron>,
}

/// A checked scene, ready to run.
pub struct Simulation {
    scene: Scene,
    walls: Vec<Wall>,
    // Unit shapes by source and group.
    shapes: Vec<Vec<ConvexPolyhedron>>,
    rough: bool,
    // One for each thread that is or was at work.
    rooms: Mutex<Vec<Room>>,
    // Of results that have been added up.
    lists: Mutex<Vec<Lists>>,
    // Of whole runs; a second one at the same time makes its own.
    results: Mutex<EnsembleRoom<RockResult>>,
}

impl Simulation {
    /// Checks a scene.
    pub fn new(scene: Scene) -> Result<Self, RockfallError> {
        scene.stop.validate()?;
        crate::error::within(
            "gravity",
            scene.gravity.z,
            scene.gravity.is_finite() && scene.gravity.z < 0.0,
            "finite, with a downward part",
        )?;
        if let Engine::Rigid {
            contact_step,
            scarring,
            drag,
        } = scene.engine
        {
            RigidRock {
                terrain: &*scene.terrain,
                ground: &scene.ground,
                stop: &scene.stop,
                gravity: scene.gravity,
                contact_step,
                scarring,
                drag,
            }
            .validate()?;
        }
        if scene.seeders.is_empty() {
            return Err(RockfallError::Count {
                field: "sources",
                found: 0,
                accepted: "1 or more".into(),
            });
        }
        for seeder in &scene.seeders {
            seeder.validate()?;
            on_the_map(&*scene.terrain, seeder)?;
        }
        let shapes = scene
            .seeders
            .iter()
            .map(|s| s.groups.iter().map(|g| g.shape.unit()).collect())
            .collect::<Result<Vec<Vec<_>>, _>>()?;
        for (seeder, shapes) in scene.seeders.iter().zip(&shapes) {
            for (group, unit) in seeder.groups.iter().zip(shapes) {
                buildable(&scene.engine, group, unit)?;
            }
        }
        let walls = scene
            .gates
            .iter()
            .map(|g| g.wall(&*scene.terrain))
            .collect::<Result<_, _>>()?;
        let smooth = Distribution::constant(0.0);
        let rough = scene
            .ground
            .materials()
            .iter()
            .any(|m| m.roughness != smooth);
        Ok(Simulation {
            scene,
            walls,
            shapes,
            rough,
            rooms: Mutex::default(),
            lists: Mutex::default(),
            results: Mutex::default(),
        })
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub(crate) fn walls(&self) -> &[Wall] {
        &self.walls
    }

    /// How many rocks there are over all sources.
    pub fn count(&self) -> u64 {
        self.scene
            .seeders
            .iter()
            .fold(0, |n, s| n.saturating_add(s.count))
    }

    /// Empty results of this scene.
    pub fn empty_results(&self) -> Results {
        Results::new(self.scene.gates.len(), self.scene.raster)
    }

    /// Runs a range of rocks in parallel and adds them to `results` in order. `go_on` is asked after each rock with its number and result; when it says no, the run
    /// ends. Returns the first number that was not run: where to resume.
    pub fn run(
        &self,
        range: Range<u64>,
        results: &mut Results,
        mut go_on: impl FnMut(u64, &RockResult) -> bool + Send,
    ) -> u64 {
        let mut room = std::mem::take(&mut *self.results());
        let next = ensemble_in(
            range,
            |index| self.rock(index, &mut |_| {}),
            |index, rock| {
                results.add(&rock);
                let flow = if go_on(index, &rock) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                };
                self.lists().push((rock.passages, rock.visits));
                flow
            },
            &mut room,
        );
        *self.results() = room;
        next
    }

    /// Runs one rock; `path` sees every arc.
    pub fn rock(&self, index: u64, path: &mut dyn FnMut(&Arc)) -> RockResult {
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
                self.follow(&rock, start, roughness, &mut watch, &mut room);
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

    fn lists(&self) -> MutexGuard<'_, Vec<Lists>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn results(&self) -> MutexGuard<'_, EnsembleRoom<RockResult>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
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
        rock: &DrawnRock,
        start: Start,
        roughness: Roughness,
        watch: &mut Watch,
        room: &mut Room,
    ) {
        let scene = &self.scene;
        match scene.engine {
            Engine::Lumped(law) => {
                let Ok(mass) = LumpedMass::new(rock.mass, rock.volume) else {
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
                let engine = LumpedRock {
                    law,
                    terrain: &*scene.terrain,
                    ground: &scene.ground,
                    stop: &scene.stop,
                    gravity: scene.gravity,
                };
                let (outcome, end) = engine.run_in(
                    &mass,
                    &room.samples,
                    state,
                    roughness,
                    &mut |arc| watch.arc(arc),
                    &mut room.facets,
                );
                watch.end(outcome, end.position);
            }
            Engine::Rigid {
                contact_step,
                scarring,
                drag,
            } => {
                let source = watch.result.source;
                let Some(body) = self.body(rock, source, room) else {
                    return;
                };
                let engine = RigidRock {
                    terrain: &*scene.terrain,
                    ground: &scene.ground,
                    stop: &scene.stop,
                    gravity: scene.gravity,
                    contact_step,
                    scarring,
                    drag,
                };
                watch.radius = body.shape().radius();
                let Some(pose) =
                    start.pose(&body, &*scene.terrain, (&mut room.facets, &mut room.patch))
                else {
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
                let (outcome, end, tally) = engine.run_in(
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
                watch.result.forced = tally.forced;
                watch.result.swinging = tally.swinging;
                watch.end(outcome, end.pose.translation);
            }
        }
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

/// Refuses a group whose least or greatest rock cannot be built.
fn buildable(
    engine: &Engine,
    group: &RockGroup,
    unit: &ConvexPolyhedron,
) -> Result<(), RockfallError> {
    let (RockSize::Volume(size) | RockSize::Mass(size)) = &group.size;
    for size in extremes(size) {
        for density in extremes(&group.density) {
            let (volume, mass) = match group.size {
                RockSize::Volume(_) => (size, size * density),
                RockSize::Mass(_) => (size / density, size),
            };
            match engine {
                Engine::Lumped(_) => {
                    LumpedMass::new(mass, volume)?;
                }
                Engine::Rigid { .. } => {
                    crate::error::within("volume", volume, volume > 0.0, "a finite volume")?;
                    Body::uniform(&unit.scaled(libm::cbrt(volume))?, mass / volume)?;
                }
            }
        }
    }
    Ok(())
}

//! Many rocks on one terrain: seeding, running, watching.

use crate::RockfallError;
use crate::arc::Arc;
use crate::gate::{Gate, Passage, Wall};
use crate::lumped::{LumpedLaw, LumpedMass, LumpedState, Roughness};
use crate::material::{Ground, MaterialSample};
use crate::raster::{Footprint, RasterFrame};
use crate::results::{Results, RockResult};
use crate::rigid::{RigidRock, Scarring, VegetationDrag};
use crate::seeder::{DrawnRock, Release, Seeder};
use crate::stop::{Outcome, StopConditions};
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::{Body, Distribution, Purpose, State, Streams, Twist, ensemble};
use klast_geometry::terrain::{Area, FacetPatch, Terrain, terrain_separation};
use klast_geometry::{ConvexPolyhedron, Pose};
use std::ops::{ControlFlow, Range};

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

/// A checked scene, ready to run.
pub struct Simulation {
    scene: Scene,
    walls: Vec<Wall>,
    // Unit shapes by source and group.
    shapes: Vec<Vec<ConvexPolyhedron>>,
    rough: bool,
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
            .collect::<Result<_, _>>()?;
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
        })
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
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
        ensemble(
            range,
            |index| self.rock(index, &mut |_| {}),
            |index, rock| {
                results.add(&rock);
                if go_on(index, &rock) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            },
        )
    }

    /// Runs one rock; `path` sees every arc.
    pub fn rock(&self, index: u64, path: &mut dyn FnMut(&Arc)) -> RockResult {
        let (source, seeder) = self.source(index);
        let streams = Streams::new(self.scene.seed);
        let map = seeder
            .release
            .draw(&mut streams.rng(Purpose::Position, index));
        let height = seeder
            .height
            .sample(&mut streams.rng(Purpose::Custom(0), index));
        let rock = seeder.draw_rock(&mut streams.rng(Purpose::Shape, index));
        let (velocity, spin) = seeder.draw_velocity(&mut streams.rng(Purpose::Velocity, index));
        let attitude = seeder.draw_attitude(&mut streams.rng(Purpose::Attitude, index));
        let samples = self
            .scene
            .ground
            .sample(&mut streams.rng(Purpose::Material, index));
        let roughness = self.rough.then(|| streams.rng(Purpose::Roughness, index));
        let plan = map - self.scene.terrain.origin().truncate();
        let weight = seeder
            .annual_frequency
            .map_or(0.0, |f| f / seeder.count as f64);
        let mut watch = Watch::new(self, &rock, source, weight, path);
        match self.scene.terrain.surface(plan.x, plan.y) {
            None => watch.result.off_map = true,
            Some(ground) => {
                let release = plan.extend(ground.height);
                let start = Start {
                    release,
                    height,
                    velocity,
                    spin,
                    attitude,
                };
                self.follow(&rock, start, &samples, roughness, &mut watch);
            }
        }
        watch.finish()
    }

    fn source(&self, index: u64) -> (usize, &Seeder) {
        let mut left = index;
        for (number, seeder) in self.scene.seeders.iter().enumerate() {
            if left < seeder.count {
                return (number, seeder);
            }
            left -= seeder.count;
        }
        // Beyond the last rock: the last source goes on.
        let last = self.scene.seeders.len() - 1;
        (last, &self.scene.seeders[last])
    }

    fn follow(
        &self,
        rock: &DrawnRock,
        start: Start,
        samples: &[MaterialSample],
        roughness: Roughness,
        watch: &mut Watch,
    ) {
        let scene = &self.scene;
        match scene.engine {
            Engine::Lumped(law) => {
                let Ok(mass) = LumpedMass::new(rock.mass, rock.volume) else {
                    return;
                };
                watch.radius = mass.radius;
                let state = LumpedState {
                    position: start.release + DVec3::Z * start.height,
                    velocity: start.velocity,
                    spin: start.spin,
                };
                watch.begin(state.position);
                let (outcome, end) = mass.run(
                    &law,
                    &*scene.terrain,
                    &scene.ground,
                    samples,
                    &scene.stop,
                    scene.gravity,
                    state,
                    roughness,
                    &mut |arc| watch.arc(arc),
                );
                watch.end(outcome, end.position);
            }
            Engine::Rigid {
                contact_step,
                scarring,
                drag,
            } => {
                let Some(body) = self.body(rock, watch.result.source) else {
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
                let pose = self.placed(&body, &start);
                let state = State {
                    pose,
                    velocity: Twist {
                        linear: start.velocity,
                        angular: start.spin,
                    },
                };
                watch.begin(pose.translation);
                let (outcome, end, tally) =
                    engine.run(&body, samples, state, roughness, &mut |arc| watch.arc(arc));
                watch.result.unconverged = tally.unconverged;
                watch.result.energy_gains = tally.energy_gains;
                watch.end(outcome, end.pose.translation);
            }
        }
    }

    fn body(&self, rock: &DrawnRock, source: usize) -> Option<Body> {
        let unit = self.shapes.get(source)?.get(rock.group)?;
        let shape = unit.scaled(libm::cbrt(rock.volume)).ok()?;
        Body::uniform(&shape, rock.mass / rock.volume).ok()
    }

    /// The pose over the release point with the lowest point of the rock at the wanted height: raised until nothing touches the ground.
    fn placed(&self, body: &Body, start: &Start) -> Pose {
        let terrain = &*self.scene.terrain;
        let mut pose = Pose {
            rotation: start.attitude,
            translation: start.release,
        };
        let room = |pose: &Pose| {
            let over = |v: &DVec3| {
                let p = pose.transform_point(*v);
                terrain.surface(p.x, p.y).map(|s| p.z - s.height)
            };
            body.vertices()
                .iter()
                .filter_map(over)
                .fold(f64::INFINITY, f64::min)
        };
        let lowest = room(&pose);
        pose.translation.z += if lowest.is_finite() {
            -lowest
        } else {
            body.shape().radius()
        };
        // A crest under a face: no vertex sees it.
        let mut facets = Vec::new();
        terrain.facets(
            Area::around(start.release.truncate(), body.shape().radius()),
            &mut facets,
        );
        let mut scratch = FacetPatch::default();
        for _ in 0..50 {
            match terrain_separation(body.shape(), &pose, &facets, f64::INFINITY, &mut scratch) {
                Some(near) if near.gap < 0.0 => pose.translation.z += 1e-9 - near.gap,
                _ => break,
            }
        }
        pose.translation.z += start.height;
        pose
    }
}

/// The state of a release before the engine's own form of it.
struct Start {
    release: DVec3,
    height: f64,
    velocity: DVec3,
    spin: DVec3,
    attitude: DQuat,
}

/// A single release place must stand on ground; of a line, an area or cells, some part must.
fn on_the_map(terrain: &dyn Terrain, seeder: &Seeder) -> Result<(), RockfallError> {
    let origin = terrain.origin().truncate();
    let stands = |p: &DVec2| {
        let p = *p - origin;
        terrain.surface(p.x, p.y).is_some()
    };
    let places: Vec<DVec2> = match &seeder.release {
        Release::Point(p) => vec![*p],
        release => {
            let mut rng = Streams::new(0).rng(Purpose::Position, 0);
            (0..200).map(|_| release.draw(&mut rng)).collect()
        }
    };
    match places.first() {
        Some(p) if !places.iter().any(stands) => Err(RockfallError::OffMap {
            what: "release",
            x: p.x,
            y: p.y,
        }),
        _ => Ok(()),
    }
}

/// Watches one rock: gates, raster, whoever else wants the path.
struct Watch<'a> {
    simulation: &'a Simulation,
    path: &'a mut dyn FnMut(&Arc),
    footprint: Footprint,
    result: RockResult,
    radius: f64,
    times: Vec<f64>,
}

impl<'a> Watch<'a> {
    fn new(
        simulation: &'a Simulation,
        rock: &DrawnRock,
        source: usize,
        weight: f64,
        path: &'a mut dyn FnMut(&Arc),
    ) -> Self {
        let result = RockResult {
            outcome: Outcome::LeftMap,
            source,
            weight,
            mass: rock.mass,
            start: DVec3::ZERO,
            end: DVec3::ZERO,
            time: 0.0,
            passages: Vec::new(),
            visits: Vec::new(),
            off_map: false,
            unconverged: 0,
            energy_gains: 0,
        };
        Watch {
            simulation,
            path,
            footprint: Footprint::new(),
            result,
            radius: 0.0,
            times: Vec::new(),
        }
    }

    fn begin(&mut self, position: DVec3) {
        (self.result.start, self.result.end) = (position, position);
    }

    fn end(&mut self, outcome: Outcome, position: DVec3) {
        self.result.outcome = outcome;
        // A caught rock ends at its gate.
        if !matches!(outcome, Outcome::Caught { .. }) {
            self.result.end = position;
        }
    }

    fn arc(&mut self, arc: &Arc) -> ControlFlow<Outcome> {
        let caught = self.gates(arc);
        let arc = caught.map_or(*arc, |(t, _)| arc.until(t));
        if let Some(frame) = &self.simulation.scene.raster {
            self.footprint.add(
                frame,
                &arc,
                self.result.mass,
                &*self.simulation.scene.terrain,
            );
        }
        (self.path)(&arc);
        self.result.time = arc.time + arc.duration;
        match caught {
            None => ControlFlow::Continue(()),
            Some((_, gate)) => {
                self.result.end = arc.end();
                ControlFlow::Break(Outcome::Caught { barrier: gate })
            }
        }
    }

    /// Records all gates that an arc crosses in order of time, up to one that holds the rock.
    fn gates(&mut self, arc: &Arc) -> Option<(f64, u32)> {
        let mut met: Vec<(f64, u32)> = Vec::new();
        for (number, wall) in self.simulation.walls.iter().enumerate() {
            self.times.clear();
            wall.crossings(arc, &mut self.times);
            met.extend(self.times.iter().map(|&t| (t, number as u32)));
        }
        met.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (t, gate) in met {
            let passage = self.passage(arc, t, gate);
            self.result.passages.push(passage);
            if passage.held {
                return Some((t, gate));
            }
        }
        None
    }

    fn passage(&self, arc: &Arc, t: f64, gate: u32) -> Passage {
        let position = arc.position_at(t);
        let ground = self
            .simulation
            .scene
            .terrain
            .surface(position.x, position.y);
        let height = ground.map_or(0.0, |s| position.z - s.height);
        let speed = arc.velocity_at(t).length();
        let translational = 0.5 * self.result.mass * speed * speed;
        let (rotational, top) = (arc.rotational_energy, height + self.radius);
        let held = self
            .simulation
            .walls
            .get(gate as usize)
            .is_some_and(|w| w.holds(top, translational + rotational));
        Passage {
            gate,
            time: arc.time + t,
            position,
            height,
            top,
            speed,
            translational,
            rotational,
            held,
        }
    }

    fn finish(mut self) -> RockResult {
        self.result.visits = self.footprint.visits;
        self.result
    }
}

//! One rock of a simulation: what is drawn for it, and its way with either engine.

use super::Simulation;
use super::workspace::RockWorkspace;
use crate::arc::Arc;
use crate::beside::Followed;
use crate::kept_path::KeptPath;
use crate::lumped::{LumpedMass, LumpedRock, Roughness};
use crate::outline::Outline;
use crate::release::Start;
use crate::release_ground;
use crate::rigid::RigidRock;
use crate::rock_group::RockShape;
use crate::rock_result::{Lists, RockResult};
use crate::scene::Engine;
use crate::seeder::{DrawnRock, GivenStart, Seeder};
use crate::stop::StopConditions;
use crate::watch::Watch;
use glam::DVec2;
use klast_dynamics::{Body, State, Twist};
use klast_sampling::{Purpose, Streams};
use std::mem::take;
use std::sync::{MutexGuard, PoisonError};

/// Stop conditions of a rock that has been under way for a time (s).
fn left_of(stop: &StopConditions, elapsed: f64) -> StopConditions {
    StopConditions {
        maximum_time: stop.maximum_time - elapsed,
        ..*stop
    }
}

/// Where a rock stands among all.
struct Place<'a> {
    /// Number of its source.
    source: usize,
    /// Its number in the source.
    number: u64,
    /// That number, stretched over all rocks.
    rank: u64,
    seeder: &'a Seeder,
}

impl Simulation {
    /// Runs one rock; `path` sees every arc.
    pub fn rock(&self, index: u64, path: &mut dyn FnMut(&Arc)) -> RockResult {
        self.rock_until(index, &self.scene.stop, Some(path), Lists::default())
            .0
    }

    /// Runs one rock in the place of one that has been added up.
    pub(super) fn rock_in_place(&self, index: u64) -> Box<Followed> {
        let kept = self.added().pop();
        let Some(mut place) = kept else {
            return Box::new(self.rock_until(index, &self.scene.stop, None, Lists::default()));
        };
        let lists = (take(&mut place.0.passages), take(&mut place.0.visits));
        *place = self.rock_until(index, &self.scene.stop, None, lists);
        place
    }

    /// Runs one rock under stop conditions of its own; `path` sees every arc.
    pub(super) fn rock_until<'a>(
        &'a self,
        index: u64,
        stop: &StopConditions,
        path: Option<&'a mut (dyn FnMut(&Arc) + 'a)>,
        lists: Lists,
    ) -> Followed {
        let Place {
            source,
            number,
            rank,
            seeder,
        } = self.source(index);
        let given = seeder.given(number);
        let streams = Streams::new(self.scene.seed);
        let map = self.place(index, source, seeder);
        let rng = |purpose| streams.rng(purpose, index);
        let constants = self.constants.get(source).copied().unwrap_or_default();
        let height = constants.height;
        let height = height.unwrap_or_else(|| seeder.height.sample(&mut rng(Purpose::Custom(0))));
        let elevation = seeder
            .elevation
            .map(|d| d.sample(&mut rng(Purpose::Custom(0))) - self.scene.terrain.origin().z);
        let rock = self.rock_of((source, seeder), given, index);
        let velocity = constants.velocity;
        let (velocity, spin) =
            velocity.unwrap_or_else(|| seeder.draw_velocity(&mut rng(Purpose::Velocity)));
        let attitude = constants.attitude;
        let attitude =
            attitude.unwrap_or_else(|| seeder.draw_attitude(&mut rng(Purpose::Attitude)));
        let map = given.map_or(map, |g| g.place);
        let local = |z: f64| z - self.scene.terrain.origin().z;
        let elevation = given.and_then(|g| g.elevation).map(local).or(elevation);
        let velocity = given.and_then(|g| g.velocity).unwrap_or(velocity);
        let spin = given.and_then(|g| g.spin).unwrap_or(spin);
        let attitude = given.and_then(|g| g.rotation()).unwrap_or(attitude);
        let mut workspace = self.workspaces().pop().unwrap_or_default();
        let set = self.scene.ground.set_of(seeder.turn(number));
        let class = seeder.groups.get(rock.group).map_or(0, |g| g.class);
        let law = (set, class);
        if self.varies || workspace.sampled != Some(law) {
            let (rng, samples) = (&mut rng(Purpose::Material), &mut workspace.samples);
            self.scene.ground.sample_into(law, rng, samples);
            workspace.sampled = Some(law);
        }
        let roughness = self.rough.then(|| rng(Purpose::Roughness));
        let plan = map - self.scene.terrain.origin().truncate();
        let weight = seeder
            .annual_frequency
            .map_or(0.0, |f| f / seeder.count as f64);
        let kept = workspace.watch.take().unwrap_or_default();
        let course = (&self.scene, self.walls.as_slice());
        let mut watch = Watch::new(course, &rock, (source, rank), weight, path, (kept, lists));
        (watch.result.attitude, watch.result.set) = (attitude, set as u32);
        match self.scene.terrain.surface(plan.x, plan.y) {
            None => {
                watch.result.off_map = true;
                // Where it was to be let go, in plan; there is no height.
                let place = plan.extend(-self.scene.terrain.origin().z);
                (watch.result.start, watch.result.end) = (place, place);
            }
            Some(ground) => {
                let kept = self.kept.get(index as usize);
                // Under other stop conditions it takes another path.
                let kept = kept.filter(|k| !k.arcs.is_empty() && *stop == self.scene.stop);
                if let Some(kept) = kept {
                    self.follow_kept(kept, (&rock, source), &mut watch, &mut workspace);
                    return self.finish(watch, workspace);
                }
                let release = plan.extend(ground.height);
                let start = Start {
                    release,
                    height,
                    elevation,
                    raised_up_to: seeder.raised_up_to,
                    velocity,
                    spin,
                    attitude,
                };
                self.follow((&rock, stop), start, roughness, &mut watch, &mut workspace);
            }
        }
        self.finish(watch, workspace)
    }

    fn finish(&self, watch: Watch, mut workspace: Box<RockWorkspace>) -> Followed {
        let (result, missed, kept) = watch.finish();
        workspace.watch = Some(kept);
        self.workspaces().push(workspace);
        (result, missed)
    }

    /// Mass of a rock (kg) and where it is let go, local coordinates in plan (m).
    pub(super) fn drawn(&self, index: u64) -> (f64, DVec2) {
        let Place {
            source,
            number,
            seeder,
            ..
        } = self.source(index);
        let given = seeder.given(number);
        let rock = self.rock_of((source, seeder), given, index);
        let map = self.place(index, source, seeder);
        let map = given.map_or(map, |g| g.place);
        (rock.mass, map - self.scene.terrain.origin().truncate())
    }

    /// What a rock is: given, the same for all of its source, or drawn.
    fn rock_of(
        &self,
        (source, seeder): (usize, &Seeder),
        given: Option<&GivenStart>,
        index: u64,
    ) -> DrawnRock {
        match self.constants.get(source).and_then(|c| c.rock) {
            Some(rock) => given.map_or(rock, |g| g.rock(rock)),
            None => {
                let mut rng = Streams::new(self.scene.seed).rng(Purpose::Shape, index);
                seeder.draw_given(given, &mut rng)
            }
        }
    }

    /// Where a rock is let go if no start is given, map coordinates (m).
    fn place(&self, index: u64, source: usize, seeder: &Seeder) -> DVec2 {
        let mut rng = Streams::new(self.scene.seed).rng(Purpose::Position, index);
        let steepest = self.steepest.get(source).copied().unwrap_or(1.0);
        let release = (&seeder.release, steepest);
        release_ground::place(&*self.scene.terrain, release, &mut rng)
    }

    #[expect(
        clippy::vec_box,
        reason = "each is taken out and put back for every rock"
    )]
    fn workspaces(&self) -> MutexGuard<'_, Vec<Box<RockWorkspace>>> {
        self.workspaces
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The source of a rock by number, and its place in it.
    fn source(&self, index: u64) -> Place<'_> {
        let mut left = index;
        let rank = |left: u64, of: u64| {
            (u128::from(left) * u128::from(self.count()) / u128::from(of.max(1))) as u64
        };
        for (number, seeder) in self.scene.seeders.iter().enumerate() {
            if left < seeder.count {
                return Place {
                    source: number,
                    number: left,
                    rank: rank(left, seeder.count),
                    seeder,
                };
            }
            left -= seeder.count;
        }
        // Beyond the last rock: the last source goes on.
        let last = self.scene.seeders.len() - 1;
        Place {
            source: last,
            number: index,
            rank: index,
            seeder: &self.scene.seeders[last],
        }
    }

    fn follow(
        &self,
        (rock, stop): (&DrawnRock, &StopConditions),
        start: Start,
        roughness: Roughness,
        watch: &mut Watch,
        workspace: &mut RockWorkspace,
    ) {
        let scene = &self.scene;
        let Engine::Lumped(law) = scene.engine else {
            if let Some(engine) = scene.rigid_rock(stop) {
                self.follow_body(&engine, rock, start, roughness, watch, workspace);
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
        self.follow_point(&engine, rock, start, roughness, watch, workspace);
    }

    fn follow_body(
        &self,
        engine: &RigidRock,
        rock: &DrawnRock,
        start: Start,
        roughness: Roughness,
        watch: &mut Watch,
        workspace: &mut RockWorkspace,
    ) {
        let source = watch.result.source;
        let Some(body) = self.body(rock, source, workspace) else {
            return;
        };
        let outline = Outline::of(&body);
        let Some(placed) = start.pose(
            &body,
            &*self.scene.terrain,
            (&mut workspace.facets, &mut workspace.patch),
        ) else {
            watch.below_ground(start.release);
            return;
        };
        let pose = placed.at;
        watch.result.raised = placed.raised;
        let state = State {
            pose,
            velocity: Twist {
                linear: start.velocity,
                angular: start.spin,
            },
        };
        watch.begin(pose.translation);
        let (mut state, mut roughness, mut slippage) = (state, roughness, 0.0);
        let (outcome, end) = loop {
            let stop = left_of(engine.stop, watch.elapsed());
            let engine = RigidRock {
                stop: &stop,
                ..*engine
            };
            let run = engine.follow(
                &body,
                &workspace.samples,
                state,
                (&mut roughness, slippage),
                &mut |arc| watch.arc(arc, outline),
                &mut workspace.rigid,
            );
            watch.result.unconverged += run.tally.unconverged;
            watch.result.energy_gains += run.tally.energy_gains;
            watch.result.energy_rises += run.tally.energy_rises;
            watch.result.lifted += run.tally.lifted;
            watch.result.lifted_part = watch.result.lifted_part.max(run.tally.lifted_part);
            watch.result.dug += run.tally.dug;
            watch.result.depth = watch.result.depth.max(run.tally.depth);
            watch.result.forced += run.tally.forced;
            watch.result.swinging |= run.tally.swinging;
            let Some((t, factor)) = watch.torn() else {
                break (run.outcome, run.state);
            };
            slippage = run.tally.slippage;
            state = run.within(&body, t);
            state.velocity.linear *= factor;
            state.velocity.angular *= factor;
        };
        workspace.body = Some((source, *rock, body));
        watch.end(outcome, end.pose.translation);
    }

    /// Lets a rock go again along a path that was kept.
    fn follow_kept(
        &self,
        kept: &KeptPath,
        (rock, source): (&DrawnRock, usize),
        watch: &mut Watch,
        workspace: &mut RockWorkspace,
    ) {
        let collectors = &self.scene.collectors;
        if matches!(self.scene.engine, Engine::Lumped(_)) {
            let radius = LumpedMass::of_volume(rock.volume).map_or(0.0, |m| m.radius);
            return kept.follow(collectors, Outline::Sphere(radius), watch);
        }
        if let Some(body) = self.body(rock, source, workspace) {
            kept.follow(collectors, Outline::of(&body), watch);
            workspace.body = Some((source, *rock, body));
        }
    }

    fn is_sphere(&self, source: usize, group: usize) -> bool {
        let seeder = self.scene.seeders.get(source);
        let group = seeder.and_then(|s| s.groups.get(group));
        group.is_some_and(|g| g.shape == RockShape::Sphere)
    }

    /// The body of a rock: that of the rock before if it is the same, else made in its workspace.
    fn body(&self, rock: &DrawnRock, source: usize, workspace: &mut RockWorkspace) -> Option<Body> {
        let kept = match workspace.body.take() {
            Some((s, r, body)) if (s, &r) == (source, rock) => return Some(body),
            other => other.map(|(_, _, body)| body),
        };
        let density = rock.mass / rock.volume;
        if self.is_sphere(source, rock.group) {
            let radius = libm::cbrt(0.75 * rock.volume / std::f64::consts::PI);
            return match kept {
                Some(body) => Body::sphere_reusing(radius, density, body).ok(),
                None => Body::sphere(radius, density).ok(),
            };
        }
        let unit = self.shapes.get(source)?.get(rock.group)?;
        let scaled = workspace.scaled.get_or_insert_with(|| unit.clone());
        unit.scaled_into(libm::cbrt(rock.volume), scaled).ok()?;
        match kept {
            Some(body) => Body::uniform_reusing(scaled, density, body).ok(),
            None => Body::uniform(scaled, density).ok(),
        }
    }
}

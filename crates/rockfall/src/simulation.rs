//! Many rocks on one terrain: seeding, running, watching.

mod one_rock;
mod point;
mod workspace;

use super::rock_group::{RockGroup, RockSize, extremes};
use super::rock_result::{Lists, RockResult};
use super::scene::{Engine, Scene};
use crate::RockfallError;
use crate::beside::Followed;
use crate::collector::Wall;
use crate::kept_path::{self, KeptPath};
use crate::lumped::LumpedMass;
use crate::release::on_the_map;
use crate::release_ground;
use crate::results::Results;
use crate::seeder::{Constants, Seeder};
use crate::stop::StopConditions;
use klast_dynamics::Body;
use klast_geometry::ConvexPolyhedron;
use klast_sampling::EnsembleWorkspace;
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, MutexGuard, PoisonError};
use workspace::RockWorkspace;

/// What the cutoffs do to the runout of some rocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutoffEffect {
    /// How many.
    pub rocks: u64,
    /// Their mean runout with the cutoffs as they are (m).
    pub runout: f64,
    /// The same with both cutoffs at half their size (m).
    pub halved: f64,
}

/// Rocks that are added up together.
const ADDED: usize = 256;

/// What a run leaves to the next: lists of rocks on their way, and of those that are to be added up.
type Kept = (EnsembleWorkspace<Box<Followed>>, Vec<Box<Followed>>);

/// A checked scene, ready to run.
pub struct Simulation {
    scene: Scene,
    walls: Vec<Wall>,
    // Largest true area for an area in plan, by source.
    steepest: Vec<f64>,
    // By source.
    constants: Vec<Constants>,
    // Whether each rock draws laws of the ground of its own.
    varies: bool,
    // Unit shapes by source and group.
    shapes: Vec<Vec<ConvexPolyhedron>>,
    rough: bool,
    // One for each thread that is or was at work.
    #[expect(
        clippy::vec_box,
        reason = "each is taken out and put back for every rock"
    )]
    workspaces: Mutex<Vec<Box<RockWorkspace>>>,
    // Added up, for others to take their places. One thread hands rocks on, so it is to move no more than their
    // addresses.
    #[expect(clippy::vec_box, reason = "results go from list to list")]
    added: Mutex<Vec<Box<Followed>>>,
    // By rock; empty where rocks are run.
    kept: Vec<KeptPath>,
    // Of whole runs; a second one at the same time makes its own.
    results: Mutex<Kept>,
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
        if let Some(rock) = scene.rigid_rock(&scene.stop) {
            rock.validate()?;
        }
        if let Engine::Lumped(law) = &scene.engine {
            law.validate(&scene.ground)?;
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
            .map(|s| s.groups.iter().map(|g| scene.hull(g)).collect())
            .collect::<Result<Vec<Vec<_>>, _>>()?;
        for (seeder, shapes) in scene.seeders.iter().zip(&shapes) {
            for (group, unit) in seeder.groups.iter().zip(shapes) {
                buildable(&scene.engine, group, unit)?;
            }
        }
        let walls = scene
            .collectors
            .iter()
            .map(|g| g.wall(&*scene.terrain))
            .collect::<Result<_, _>>()?;
        let rough = scene.ground.is_rough();
        let steepest = scene.seeders.iter();
        let steepest = steepest
            .map(|s| release_ground::steepest(&*scene.terrain, &s.release))
            .collect();
        Ok(Simulation {
            constants: scene.seeders.iter().map(Seeder::constants).collect(),
            varies: scene.ground.varies(),
            scene,
            walls,
            steepest,
            shapes,
            rough,
            workspaces: Mutex::default(),
            added: Mutex::default(),
            results: Mutex::default(),
            kept: Vec::new(),
        })
    }

    /// The same run with another seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.scene.seed = seed;
        self
    }

    /// Lets rocks go along paths that were kept of a run of the same sources, barriers and seed ([`KeptPath::of`]), the
    /// first along the first: collectors and the raster may be others. A rock beyond the last path is run.
    ///
    /// # Errors
    /// A path of another rock.
    pub fn with_paths(mut self, paths: Vec<KeptPath>) -> Result<Self, RockfallError> {
        for (index, path) in paths.iter().enumerate() {
            let (mass, place) = self.drawn(index as u64);
            let start = path.ends[0].truncate();
            // A rock is let go above its place: rounding of map coordinates.
            let same = path.arcs.is_empty() || place.distance(start) <= 1e-6;
            let ground = path.ends.map(|p| kept_path::ground(&self.scene, p));
            if mass != path.mass || ground != path.ground || !same {
                return Err(RockfallError::Count {
                    field: "rock of a kept path",
                    found: index,
                    accepted: "paths of the same terrain, sources and seed".into(),
                });
            }
        }
        self.kept = paths;
        Ok(self)
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
        let results = Results::new(self.scene.collectors.len(), self.scene.raster);
        results.with_sets(self.scene.ground.weights())
    }

    /// Runs a range of rocks in parallel and adds them to `results` in order. `go_on` is asked after each rock with its
    /// number and result; when it says no, the run ends. Returns the first number that was not run: where to resume.
    pub fn run(
        &self,
        range: Range<u64>,
        results: &mut Results,
        mut go_on: impl FnMut(u64, &RockResult) -> bool + Send,
    ) -> u64 {
        let (mut workspace, mut rocks) = std::mem::take(&mut *self.results());
        let next = workspace.run(
            range,
            |index| self.rock_in_place(index),
            |index, rock| {
                let goes_on = go_on(index, &rock.0);
                rocks.push(rock);
                if rocks.len() >= ADDED {
                    self.add(&mut rocks, results);
                }
                match goes_on {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            },
        );
        self.add(&mut rocks, results);
        *self.results() = (workspace, rocks);
        next
    }

    /// Adds rocks up, and keeps their places for others.
    #[expect(clippy::vec_box, reason = "results go from list to list")]
    fn add(&self, rocks: &mut Vec<Box<Followed>>, results: &mut Results) {
        results.add_all(rocks);
        self.added().append(rocks);
    }

    /// What the cutoffs do to the runout: some rocks of a range, evenly taken, with both cutoffs as they are and at
    /// half their size. `None` without rocks.
    pub fn cutoff_effect(&self, range: Range<u64>, rocks: u64) -> Option<CutoffEffect> {
        let count = range.end.saturating_sub(range.start);
        let rocks = rocks.min(count);
        if rocks == 0 {
            return None;
        }
        let stop = &self.scene.stop;
        let half = StopConditions {
            normal_velocity_cutoff: 0.5 * stop.normal_velocity_cutoff,
            stopped_velocity_cutoff: 0.5 * stop.stopped_velocity_cutoff,
            ..*stop
        };
        let index = |k: u64| range.start + taken_evenly(k, count, rocks);
        let pairs: Vec<(f64, f64)> = (0..rocks)
            .into_par_iter()
            .map(|k| {
                [stop, &half].map(|stop| {
                    self.rock_until(index(k), stop, None, Lists::default())
                        .0
                        .runout()
                })
            })
            .map(|[whole, halved]| (whole, halved))
            .collect();
        let mean = |f: fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / rocks as f64;
        Some(CutoffEffect {
            rocks,
            runout: mean(|p| p.0),
            halved: mean(|p| p.1),
        })
    }

    #[expect(clippy::vec_box, reason = "results go from list to list")]
    fn added(&self) -> MutexGuard<'_, Vec<Box<Followed>>> {
        self.added.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn results(&self) -> MutexGuard<'_, Kept> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of one of some rocks, taken evenly from all. Within its stride each is one further on than the last, and
/// after as many as the stride is long one more: starts and sets of the ground come in turn, and a fixed stride, or one
/// that shares a factor with their number, would meet a few of them only.
pub fn taken_evenly(k: u64, count: u64, rocks: u64) -> u64 {
    let first = (u128::from(k) * u128::from(count) / u128::from(rocks.max(1))) as u64;
    let stride = (count / rocks.max(1)).max(1);
    first + (k + k / stride) % stride
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
                    LumpedMass::of_volume(volume)?.with_mass(mass)?;
                }
                Engine::Rigid(_) => {
                    crate::error::within("volume", volume, volume > 0.0, "a finite volume")?;
                    Body::uniform(&unit.scaled(libm::cbrt(volume))?, mass / volume)?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::taken_evenly;

    #[test]
    fn rocks_that_are_taken_evenly_meet_every_turn() {
        // A stride equal to the number of sets, and strides that share a factor with it.
        for (count, rocks, sets) in [
            (1200, 100, 12),
            (10_000, 1000, 20),
            (100_000, 1000, 200),
            (2400, 200, 24),
        ] {
            let taken: Vec<u64> = (0..rocks).map(|k| taken_evenly(k, count, rocks)).collect();
            let rising = taken.windows(2).all(|w| w[0] < w[1]);
            assert!(rising && taken.last() < Some(&count), "{count} {rocks}");
            let met: std::collections::BTreeSet<u64> = taken.iter().map(|n| n % sets).collect();
            assert_eq!(met.len() as u64, sets, "{count} {rocks}");
        }
        // All of them where all are wanted.
        assert!((0..7).all(|k| taken_evenly(k, 7, 7) == k));
    }
}

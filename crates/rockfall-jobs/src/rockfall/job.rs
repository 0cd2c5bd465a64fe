//! A rockfall run: seeded, interruptible, resumable, in parts.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use klast_rockfall::{Results as Statistics, Simulation};
use klast_runs::bail;
use klast_runs::error::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::lumped::Lumped;
use super::orthophoto::Orthophoto;
use super::part::Part;
use super::rock_table::RockTable;
use super::rocks::RockRow;
use super::tiled::TiledJob;
use super::told::{tell_counts, tell_swallowed};
use super::{
    barriers, convert, design, ground, ground_spread, input_remarks, kept_paths, maps, paths,
    posterior, result, scene::Scene, sensitivity,
};
use klast_runs::Results;
use klast_runs::answer::counted;
use klast_runs::faults::{At as _, Fault, Faults};
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::progress::Interrupted;
use klast_runs::text::SceneText;

struct RockfallJob {
    scene: Scene,
    text: SceneText,
    /// What the scene was converted into, until a run takes it.
    simulation: Mutex<Option<Simulation>>,
    count: u64,
    screens: usize,
    orthophoto: Option<Orthophoto>,
}

/// Where an interrupted run goes on, and what it has so far.
#[derive(Deserialize)]
struct State {
    /// Everything that decides the numbers.
    key: String,
    next: u64,
    swallowed: u64,
    results: Statistics,
    /// How many rows of the table of rocks belong to it.
    rocks: u64,
}

/// The same as it is written, without a copy.
#[derive(Serialize)]
struct Kept<'a> {
    key: &'a str,
    next: u64,
    /// Rocks that ended in missing data within the terrain.
    swallowed: u64,
    results: &'a Statistics,
    rocks: u64,
}

const STATE: &str = "state.json";
/// The rows of the table of rocks that belong to the state, and maybe some more.
const STATE_ROCKS: &str = "state_rocks.csv";
/// Energies and periods that maps may be asked for: the name of a map's file holds one in decimals.
const MAPPED: std::ops::RangeInclusive<f64> = 1e-6..=1e12;
/// How often the state of a long run is kept.
const KEEP: Duration = Duration::from_secs(60);

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    for (key, list) in [
        ("return_periods_a", &scene.return_periods_a),
        (
            "return_period_energies_kj",
            &scene.return_period_energies_kj,
        ),
    ] {
        for (k, found) in list.iter().enumerate() {
            faults.check(MAPPED.contains(found), || {
                Fault::new(format!("{key}[{k}]"), found).accepted("1e-6 to 1e12")
            });
        }
    }
    for (k, source) in scene.sources.iter().enumerate() {
        faults.check(
            source.height_m.is_none() || source.elevation_m.is_none(),
            || {
                Fault::new(
                    format!("sources[{k}].height_m"),
                    "stands beside elevation_m",
                )
                .accepted("one of them")
            },
        );
    }
    match faults.take("", TiledJob::of(&scene, text)) {
        Some(None) => {}
        tiled => return Ok(Box::new(faults.or_all(|| tiled.flatten())?)),
    }
    let simulation = faults.take("", simulation(&scene, text, scene.seed));
    let photo = scene.orthophoto.as_deref().zip(simulation.as_ref());
    let photo = photo.map(|(file, simulation)| {
        let read = Orthophoto::read(file, text, &*simulation.scene().terrain);
        faults.take("orthophoto", read)
    });
    let job = faults.or_all(|| {
        let simulation = simulation?;
        Some(RockfallJob {
            orthophoto: photo.flatten(),
            count: simulation.count(),
            screens: simulation.scene().collectors.len(),
            simulation: Mutex::new(Some(simulation)),
            text: text.clone(),
            scene,
        })
    });
    Ok(Box::new(job?))
}

/// What is run, with the paths that it follows.
fn simulation(scene: &Scene, text: &SceneText, seed: u64) -> Result<Simulation> {
    let simulation = convert::simulation(scene, text, seed)?;
    match &scene.paths {
        Some(file) => Ok(kept_paths::take(file, text, simulation).at("paths")?),
        None => Ok(simulation),
    }
}

impl Job for RockfallJob {
    fn describe(&self) -> String {
        format!(
            "rockfall: {} from {}, {}",
            counted(self.count, "rock"),
            counted(self.scene.sources.len() as u64, "source"),
            match self.screens {
                1 => "1 barrier or collector".to_owned(),
                n => format!("{n} barriers and collectors"),
            }
        )
    }

    fn has_parts(&self) -> bool {
        true
    }

    fn keeps(&self) -> Keeps {
        Keeps::WhenStopped
    }

    fn draws(&self) -> bool {
        true
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let simulation = self.simulation(run)?;
        let range = run.shard.map_or(0..self.count, |s| s.range(self.count));
        let key = format!("{:?} {range:?} {}", run.seed, self.text.key());
        let listed = self.scene.write_rocks;
        let kept = resume(run.files, &key, &simulation);
        let (mut results, mut rocks, mut next, mut swallowed) = kept.unwrap_or((
            simulation.empty_results(),
            RockTable::default(),
            range.start,
            0,
        ));
        let mut listing = Ok(());
        let progress = run.progress;
        progress.begin("rocks", range.end - range.start);
        progress.skip(next - range.start);
        while next < range.end {
            let clock = Instant::now();
            next = simulation.run(next..range.end, &mut results, |number, rock| {
                progress.item(number, rock);
                if number < listed && listing.is_ok() {
                    listing = rocks.push(&RockRow::of(&simulation, number, rock));
                }
                progress.add(1);
                swallowed += u64::from(input_remarks::swallowed(&simulation, rock));
                listing.is_ok() && !progress.interrupted() && clock.elapsed() < KEEP
            });
            std::mem::replace(&mut listing, Ok(())).with_context(|| result::ROCKS.to_owned())?;
            if next < range.end {
                let kept = Kept {
                    key: &key,
                    next,
                    swallowed,
                    results: &results,
                    rocks: rocks.len(),
                };
                // First the rows: a state that is older than they are takes those that it knows.
                run.files.write(STATE_ROCKS, &mut |out| rocks.copy(out))?;
                run.files.state(STATE, &kept)?;
                if progress.interrupted() {
                    return Err(Interrupted.into());
                }
            }
        }
        progress.finish();
        // The state of a finished run has served.
        run.files.remove(STATE);
        run.files.remove(STATE_ROCKS);
        tell_swallowed(run, swallowed, range.end - range.start);
        if run.shard.is_some() {
            tell_counts(run, &results);
            let summary = Some(result::summary(&simulation, &results));
            return Ok(Box::new(Part {
                statistics: results,
                rocks,
                swallowed,
                summary,
            }));
        }
        self.results(run, simulation, results, rocks)
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        let simulation = self.simulation(run)?;
        let joined = Part::joined(parts)?;
        let found = joined.as_ref().map_or(0, |j| j.statistics.account.seeded);
        let Some(joined) = joined.filter(|_| found == self.count) else {
            bail!("the parts hold {found} rocks; accepted: {}", self.count);
        };
        tell_swallowed(run, joined.swallowed, found);
        self.results(run, simulation, joined.statistics, joined.rocks)
    }
}

impl RockfallJob {
    /// What is run with the seed of the run; warns of what the scene asks for in vain.
    fn simulation(&self, run: &mut Run) -> Result<Simulation> {
        let seed = run.seed.unwrap_or(self.scene.seed);
        run.seed = Some(seed);
        run.warnings(&maps::warnings(&self.scene));
        let made = self.simulation.lock();
        let made = made.unwrap_or_else(PoisonError::into_inner).take();
        // A job that runs again, or along kept paths with a seed that may not be theirs, is converted again.
        let simulation =
            match made.filter(|_| self.scene.paths.is_none() || seed == self.scene.seed) {
                Some(simulation) => simulation.with_seed(seed),
                None => self::simulation(&self.scene, &self.text, seed)?,
            };
        run.warnings(&ground::warnings(&self.scene, &simulation.scene().ground));
        run.warnings(&self.text.cautions());
        Ok(simulation)
    }

    /// The results of all rocks.
    fn results(
        &self,
        run: &mut Run,
        simulation: Simulation,
        statistics: Statistics,
        rocks: RockTable,
    ) -> Result<Box<dyn Results>> {
        run.warnings(&ground::beyond_the_field(&statistics));
        tell_counts(run, &statistics);
        run.warnings(&input_remarks::ends(&statistics));
        run.warnings(&input_remarks::near_the_release(&statistics));
        run.warnings(&input_remarks::computation(&statistics));
        let screens = &simulation.scene().collectors;
        run.warnings(&barriers::warnings(screens, &statistics));
        let maps = maps::maps(&self.scene, &statistics);
        let written = self.scene.write_trajectories.min(simulation.count());
        let kept = convert::kept(&self.scene);
        let paths = paths::paths(&simulation, kept, written);
        let exact = (self.scene.write_paths > 0)
            .then(|| kept_paths::File::of(&self.text, &simulation, self.scene.write_paths));
        let lumped = Lumped::of(&simulation, &statistics);
        run.warnings(
            &lumped
                .iter()
                .filter_map(Lumped::warning)
                .collect::<Vec<_>>(),
        );
        let mut results = result::Results::of(simulation, statistics, maps, paths, written);
        results.summary.lumped_mass = lumped;
        results.rocks = rocks;
        results.exact_paths = exact;
        results.every_digit = kept != paths::Kept::Picture;
        results.ground = ground::rows(&self.scene, &results.simulation);
        let (scene, simulation) = (&self.scene, &results.simulation);
        let collectors = &simulation.scene().collectors;
        let caveat = posterior::caveat(scene, &self.text)?;
        results.barrier_design =
            design::rows(scene, collectors, &results.statistics, caveat.as_deref());
        run.warnings(caveat.as_slice());
        results.caveat = caveat;
        run.warnings(&ground_spread::few_arrivals(
            collectors,
            &results.statistics,
        ));
        results.sweep = sensitivity::sweeps(scene, simulation, &results.statistics);
        run.warnings(&sensitivity::behind(&results.sweep));
        let seed = run.seed.unwrap_or(scene.seed);
        results.cells = sensitivity::cells(scene, &self.text, seed, simulation)?;
        results.orthophoto = self.orthophoto.clone();
        results.degrees = self.scene.wgs84_lines;
        results.ascii_maps = maps::AsciiNames {
            own: self.scene.write_ascii_maps,
            rockyfor3d: self.scene.write_rockyfor3d_maps,
        };
        Ok(Box::new(results))
    }
}

/// What an interrupted run had: statistics, rocks, the next one, and how many were swallowed by holes.
type Resumed = (Statistics, RockTable, u64, u64);

/// The state of an interrupted run of the same scene, seed and part.
fn resume(files: &dyn Files, key: &str, simulation: &Simulation) -> Option<Resumed> {
    let state: State = files.kept_state(STATE)?;
    let same = state.key == key && state.next <= simulation.count();
    let rows = || match state.rocks {
        0 => Some(RockTable::default()),
        count => RockTable::of_lines(&files.read(STATE_ROCKS)?, count),
    };
    let rocks = same.then(rows)??;
    Some((state.results, rocks, state.next, state.swallowed))
}

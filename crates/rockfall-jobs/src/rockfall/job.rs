//! A rockfall run: seeded, interruptible, resumable, in parts.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use klast_rockfall::{Results as Statistics, Simulation};
use klast_runs::bail;
use klast_runs::error::{Context as _, Outside as _, Result};
use serde::{Deserialize, Serialize};

use super::lumped::Lumped;
use super::orthophoto::Orthophoto;
use super::result::{ROCKS, STATISTICS};
use super::rocks::RockRow;
use super::{
    barriers, convert, design, ground, ground_spread, input_remarks, kept_paths, maps, paths,
    posterior, result, scene::Scene, sensitivity,
};
use klast_runs::Results;
use klast_runs::answer::counted;
use klast_runs::faults::{At as _, Fault, Faults};
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::manifest::Manifest;
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
    rocks: Vec<RockRow>,
}

/// The same as it is written, without a copy.
#[derive(Serialize)]
struct Kept<'a> {
    key: &'a str,
    next: u64,
    /// Rocks that ended in missing data within the terrain.
    swallowed: u64,
    results: &'a Statistics,
    rocks: &'a [RockRow],
}

const STATE: &str = "state.json";
/// The count of rocks that ended in missing data within the terrain, by which parts hand it on.
const SWALLOWED: &str = "swallowed";
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
        let (mut results, mut rocks, mut next, mut swallowed) =
            kept.unwrap_or((simulation.empty_results(), Vec::new(), range.start, 0));
        let progress = run.progress;
        progress.begin("rocks", range.end - range.start);
        progress.skip(next - range.start);
        while next < range.end {
            let clock = Instant::now();
            next = simulation.run(next..range.end, &mut results, |number, rock| {
                progress.item(number, rock);
                if number < listed {
                    rocks.push(RockRow::of(&simulation, number, rock));
                }
                progress.add(1);
                swallowed += u64::from(input_remarks::swallowed(&simulation, rock));
                !progress.interrupted() && clock.elapsed() < KEEP
            });
            if next < range.end {
                let kept = Kept {
                    key: &key,
                    next,
                    swallowed,
                    results: &results,
                    rocks: &rocks,
                };
                run.files.state(STATE, &kept)?;
                if progress.interrupted() {
                    return Err(Interrupted.into());
                }
            }
        }
        progress.finish();
        // The state of a finished run has served.
        run.files.remove(STATE);
        tell_swallowed(run, swallowed, range.end - range.start);
        self.results(run, simulation, results, rocks, range)
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        let simulation = self.simulation(run)?;
        let mut results = simulation.empty_results();
        let mut rocks = Vec::new();
        let mut swallowed = 0;
        for part in parts {
            let counts = Manifest::read(part)?.counts;
            swallowed += counts.get(SWALLOWED).and_then(|n| n.as_u64()).unwrap_or(0);
            rocks.extend(rows_of(part)?);
            let file = part.join(STATISTICS);
            let name = file.display();
            let reader = std::fs::File::open(&file)
                .map(std::io::BufReader::new)
                .outside()
                .with_context(|| format!("{name}: cannot be read"))?;
            let more: Statistics = serde_json::from_reader(reader)
                .outside()
                .with_context(|| format!("{name}: not the results of a part"))?;
            results.merge(&more).with_context(|| name.to_string())?;
        }
        let found = results.account.seeded;
        if found != self.count {
            bail!("the parts hold {found} rocks; accepted: {}", self.count);
        }
        rocks.sort_by_key(|r| r.rock);
        tell_swallowed(run, swallowed, found);
        self.results(run, simulation, results, rocks, 0..self.count)
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
        run.warnings(&ground::warnings(&self.scene, &simulation));
        run.warnings(&self.text.cautions());
        Ok(simulation)
    }

    /// The results of a range of rocks.
    fn results(
        &self,
        run: &mut Run,
        simulation: Simulation,
        statistics: Statistics,
        rocks: Vec<RockRow>,
        range: Range<u64>,
    ) -> Result<Box<dyn Results>> {
        run.warnings(&ground::beyond_the_field(&statistics));
        let account = &statistics.account;
        run.count("rocks", account.seeded);
        run.count("stopped", account.stopped);
        run.count("left_map", account.left_map);
        run.count("timed_out", account.timed_out);
        run.count("unresolved", account.unresolved);
        run.count("caught", account.caught.iter().sum::<u64>());
        run.count("unconverged", statistics.unconverged);
        run.count("energy_gains", statistics.energy_gains);
        run.count("energy_rises", statistics.energy_rises);
        run.count("forced_steps", statistics.forced);
        run.count("swinging", statistics.swinging);
        run.warnings(&input_remarks::ends(&statistics));
        run.warnings(&input_remarks::near_the_release(&statistics));
        run.warnings(&input_remarks::computation(&statistics));
        let screens = &simulation.scene().collectors;
        run.warnings(&barriers::warnings(screens, &statistics));
        let maps = maps::maps(&self.scene, &statistics);
        let written = self.scene.write_trajectories.min(simulation.count());
        let kept = convert::kept(&self.scene);
        let paths = paths::paths(&simulation, kept, written, range.clone());
        let exact = (self.scene.write_paths > 0 && run.shard.is_none())
            .then(|| kept_paths::File::of(&self.text, &simulation, self.scene.write_paths));
        let lumped = Lumped::of(&simulation, &statistics, range);
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
        // Of a part it would be repeated in each; the whole has it.
        if run.shard.is_none() {
            let seed = run.seed.unwrap_or(scene.seed);
            results.cells = sensitivity::cells(scene, &self.text, seed, simulation)?;
        }
        results.orthophoto = self.orthophoto.clone();
        results.part = run.shard.is_some();
        results.degrees = self.scene.wgs84_lines;
        Ok(Box::new(results))
    }
}

/// Counts and warns of rocks that ended in missing data within the terrain.
fn tell_swallowed(run: &mut Run, swallowed: u64, of: u64) {
    if swallowed > 0 {
        run.count(SWALLOWED, swallowed);
        run.warning(&format!(
            "{swallowed} of {of} rocks ended where heights are missing inside the terrain: fill the holes, or take them for lost"
        ));
    }
}

/// The rocks that a part lists; none where it has no such table.
fn rows_of(part: &Path) -> Result<Vec<RockRow>> {
    let file = part.join(ROCKS);
    let Ok(bytes) = std::fs::read(&file) else {
        return Ok(Vec::new());
    };
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let rows: std::result::Result<Vec<RockRow>, _> = reader.deserialize().collect();
    rows.outside()
        .with_context(|| format!("{}: not the rocks of a part", file.display()))
}

/// What an interrupted run had: statistics, rocks, the next one, and how many were swallowed by holes.
type Resumed = (Statistics, Vec<RockRow>, u64, u64);

/// The state of an interrupted run of the same scene, seed and part.
fn resume(files: &dyn Files, key: &str, simulation: &Simulation) -> Option<Resumed> {
    let state: State = files.kept_state(STATE)?;
    let same = state.key == key && state.next <= simulation.count();
    same.then_some((state.results, state.rocks, state.next, state.swallowed))
}

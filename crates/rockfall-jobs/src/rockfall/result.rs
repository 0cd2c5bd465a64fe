//! What a rockfall run gives.

use super::map::Map;
use klast_rockfall::{Results as Statistics, Simulation};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::barriers::{self, Exceedance, Histogram, Quantiles, Settling, Sheet};
use super::design::DesignRow;
use super::frame::{self, Frame};
use super::ground::GroundRow;
use super::ground_spread::{self, GroundSpread};
use super::kept_paths;
use super::lumped::Lumped;
use super::maps::{self};
use super::orthophoto::Orthophoto;
use super::paths::{self, Moment, Path};
use super::rock_table::RockTable;
use super::rocks::{RockRow, yields};
use super::sensitivity::{CellRow, SweepRow};
use super::stations::{self, StationRow};
use klast_files::crs::Crs;
use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;
use klast_runs::table::Table;

/// What each rock did.
pub const ROCKS: &str = "rocks.csv";

/// The results of a scene of kind `rockfall`.
#[derive(Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Results at each barrier and collector: the rows of `barriers.csv`.
    pub barriers: Vec<Sheet>,
    /// Quantiles at each barrier and collector: the rows of `barrier_quantiles.csv`.
    pub barrier_quantiles: Vec<Quantiles>,
    /// Histograms at each barrier and collector: the rows of `barrier_histograms.csv`.
    pub barrier_histograms: Vec<Histogram>,
    /// The 95 % quantile of the energy after increasing numbers of rocks: the rows of `barrier_settling.csv`. The rows
    /// show whether there are enough rocks.
    pub barrier_settling: Vec<Settling>,
    /// Exceedance of energies at each barrier and collector: the rows of `barrier_exceedance.csv`.
    pub barrier_exceedance: Vec<Exceedance>,
    /// Comparison of barriers with their design values: the rows of `barrier_design.csv`.
    pub barrier_design: Vec<DesignRow>,
    /// Rocks, energies and heights at each position of the lines of `sweeps`: the rows of `sweep.csv`.
    pub sweep: Vec<SweepRow>,
    /// Results of the same rocks on terrain with other cell sizes: the rows of `cells.csv`.
    pub cells: Vec<CellRow>,
    /// Spread of the results at each barrier and collector over the sets of a calibrated ground: the rows of
    /// `barrier_ground.csv`.
    pub barrier_ground: Vec<GroundSpread>,
    /// All rocks at each station of a profile: the rows of `stations.csv`.
    pub stations: Vec<StationRow>,
    /// Histogram of the runouts: the rows of `runout.csv`.
    pub runout: Vec<RunoutRow>,
    /// Start and end of each rock: the rows of `rocks.csv`. The key `write_rocks` of the scene limits their number.
    pub rocks: RockTable,
    /// Each parameter of each material with its source: the rows of `ground.csv`.
    pub ground: Vec<GroundRow>,
    /// Trajectories of the first rocks, as many as `write_trajectories` states: the rows of `trajectories.csv`.
    pub trajectories: Vec<Moment>,
    /// Maps; each is written as GeoTIFF, and as ESRI ASCII grid where that is asked for.
    #[serde(skip)]
    pub maps: Vec<Map>,
    /// The first rocks from release to end: those that are written, and as many as envelopes are taken over.
    #[serde(skip)]
    pub paths: Vec<Path>,
    /// How many of them are written.
    #[serde(skip)]
    pub written: u64,
    /// The statistics of all rocks.
    #[serde(skip)]
    pub statistics: Statistics,
    /// Whether trajectories are written with every digit, as those are that another program's are compared with.
    #[serde(skip)]
    pub every_digit: bool,
    /// The exact paths that are kept, `paths.json`.
    #[serde(skip)]
    pub exact_paths: Option<kept_paths::File>,
    /// Whether maps are written as ESRI ASCII grids too.
    #[serde(skip)]
    pub ascii_maps: maps::AsciiNames,
    /// Whether lines are written in WGS 84 too.
    #[serde(skip)]
    pub degrees: bool,
    /// What lies over the ground in the view in space.
    #[serde(skip)]
    pub orthophoto: Option<Orthophoto>,
    /// What is to be said of the calibration of the ground with every verdict.
    #[serde(skip)]
    pub caveat: Option<String>,
    /// What was run: terrain, barriers and collectors.
    #[serde(skip)]
    pub simulation: Simulation,
}

impl std::fmt::Debug for Results {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Results")
            .field("summary", &self.summary)
            .finish_non_exhaustive()
    }
}

/// Verdict of the run, numbers of rocks by outcome, and checks of the computation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of rocks that were released.
    pub seeded: u64,
    /// Number of rocks that came to rest.
    pub stopped: u64,
    /// Number of rocks that left the map. It includes rocks that were released where there is no ground, or below the
    /// ground.
    pub left_map: u64,
    /// Number of the rocks in `left_map` that were released where there is no ground.
    pub released_off_map: u64,
    /// Number of the rocks in `left_map` that were released below the ground. These rocks are not run.
    pub released_below_ground: u64,
    /// Number of rocks that would have started in the ground and were raised until they stood on it, by no more than
    /// `raise_buried_up_to_m` of their source.
    pub raised_starts: u64,
    /// Number of rocks that reached the longest time or the largest number of steps before they stopped.
    pub timed_out: u64,
    /// Number of rocks whose motion is unresolved: they stay in one place, and not friction but the length of their
    /// steps in contact holds them up.
    pub unresolved: u64,
    /// Number of rocks held by each barrier.
    pub caught: Vec<Caught>,
    /// Number of unconverged contact problems: their residual stayed above the tolerance.
    pub unconverged: u64,
    /// Number of impacts whose impact law generates energy. Another law takes its place, except with the `manual` of a
    /// program.
    pub energy_gains: u64,
    /// Number of phases of sustained contact in which the energy rose by more than 1e-9 of the largest kinetic energy.
    pub energy_rises: u64,
    /// Potential energy that the correction of rocks out of the ground gave them (J), summed over all rocks.
    pub correction_energy_j: f64,
    /// Largest ratio of that energy of a rock to its largest kinetic energy.
    pub max_correction_energy_ratio: f64,
    /// What impacts took and how deep they went where the ground yields; absent where no material does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penetration: Option<Penetration>,
    /// Number of steps without a contact force in which a rock moved deeper into the ground and ended deeper than a
    /// thousandth of its radius.
    pub forced_steps: u64,
    /// Number of rocks that only swing in a hollow at the end; they count as stopped.
    pub swinging: u64,
    /// Effect of the cutoffs, and of the rounding of heights, on a lumped-mass run; null for the engine `rigid_body`.
    pub lumped_mass: Option<Lumped>,
}

/// Impacts on ground that yields.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Penetration {
    /// Energy that these impacts took, summed over all rocks (J).
    pub energy_j: f64,
    /// Greatest depth of the lowest point of a rock in the ground (m).
    pub greatest_depth_m: f64,
}

/// Number of rocks that a barrier has held.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Caught {
    /// Name of the barrier.
    pub name: String,
    /// Number of rocks that the barrier held.
    pub rocks: u64,
}

/// Number of rocks in an interval of the runout.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct RunoutRow {
    /// Lower end of the interval (m).
    pub from_m: f64,
    /// Upper end of the interval (m).
    pub to_m: f64,
    /// Number of rocks in the interval.
    pub rocks: u64,
}

impl Results {
    /// The results of all rocks.
    #[must_use]
    pub fn of(
        simulation: Simulation,
        statistics: Statistics,
        maps: Vec<Map>,
        paths: Vec<Path>,
        written: u64,
    ) -> Self {
        let screens = &simulation.scene().collectors;
        let runout = statistics.runout.bins();
        let runout = runout.map(|(from_m, to_m, rocks)| RunoutRow {
            from_m,
            to_m,
            rocks,
        });
        let measured = || screens.iter().zip(&statistics.collectors);
        let seeded = statistics.account.seeded;
        Self {
            summary: summary(&simulation, &statistics),
            barriers: measured()
                .map(|(screen, s)| Sheet::of(screen, s, seeded))
                .collect(),
            barrier_quantiles: measured().flat_map(barriers::quantiles).collect(),
            barrier_histograms: measured().flat_map(barriers::histograms).collect(),
            barrier_settling: barriers::settling(screens, &statistics),
            barrier_exceedance: measured().flat_map(barriers::exceedance).collect(),
            barrier_design: Vec::new(),
            sweep: Vec::new(),
            cells: Vec::new(),
            barrier_ground: ground_spread::rows(screens, &statistics),
            stations: stations::rows(&statistics),
            runout: runout.collect(),
            rocks: RockTable::default(),
            ground: Vec::new(),
            trajectories: paths::rows(&paths, written),
            maps,
            paths,
            written,
            statistics,
            every_digit: false,
            exact_paths: None,
            ascii_maps: maps::AsciiNames::default(),
            degrees: false,
            orthophoto: None,
            caveat: None,
            simulation,
        }
    }

    /// Writes the trajectories, as a table and as lines.
    fn write_paths(&self, frame: &Frame, files: &mut dyn Files) -> Result<()> {
        if self.every_digit {
            files.table("trajectories.csv", &self.trajectories)?;
            return paths::write(&self.paths, self.written, frame, files);
        }
        let moments = self.trajectories.iter().map(Moment::for_a_picture);
        files.table("trajectories.csv", &moments.collect::<Vec<_>>())?;
        let written = self.paths.iter().filter(|p| p.rock < self.written);
        let shown = written.map(|path| Path {
            moments: path.moments.iter().map(Moment::for_a_picture).collect(),
            ..path.clone()
        });
        paths::write(&shown.collect::<Vec<_>>(), self.written, frame, files)
    }

    /// Whether the barriers with a design hold, a sentence each.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let rows = self.barrier_design.iter();
        let sentences: Vec<&str> = rows.map(|r| r.sentence.as_str()).collect();
        (!sentences.is_empty()).then(|| sentences.join("\n"))
    }
}

/// The numbers of some rocks.
pub fn summary(simulation: &Simulation, statistics: &Statistics) -> Summary {
    let account = &statistics.account;
    let caught = simulation.scene().collectors.iter().zip(&account.caught);
    Summary {
        seeded: account.seeded,
        stopped: account.stopped,
        left_map: account.left_map,
        released_off_map: account.released_off_map,
        released_below_ground: account.released_below_ground,
        raised_starts: account.raised_starts,
        timed_out: account.timed_out,
        unresolved: account.unresolved,
        caught: caught
            .filter(|(screen, _)| screen.barrier.is_some())
            .map(|(screen, &rocks)| Caught {
                name: screen.name.clone(),
                rocks,
            })
            .collect(),
        unconverged: statistics.unconverged,
        energy_gains: statistics.energy_gains,
        energy_rises: statistics.energy_rises,
        correction_energy_j: statistics.lifted_mj as f64 * 1e-3,
        max_correction_energy_ratio: statistics.lifted_part,
        penetration: yields(simulation).then_some(Penetration {
            energy_j: statistics.dug_mj as f64 * 1e-3,
            greatest_depth_m: statistics.deepest,
        }),
        forced_steps: statistics.forced,
        swinging: statistics.swinging,
        lumped_mass: None,
    }
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        self.answer()
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        let screens = &self.simulation.scene().collectors;
        let terrain = &*self.simulation.scene().terrain;
        let frame = Frame {
            crs: terrain.crs().and_then(|label| Crs::parse(label).ok()),
            degrees: self.degrees,
            middle: frame::middle(terrain),
        };
        if !screens.is_empty() {
            files.table("barriers.csv", &self.barriers)?;
            frame.write("barriers", barriers::lines(screens, &self.barriers), files)?;
            files.table("barrier_quantiles.csv", &self.barrier_quantiles)?;
            files.table("barrier_histograms.csv", &self.barrier_histograms)?;
            files.table("barrier_settling.csv", &self.barrier_settling)?;
            files.table("barrier_exceedance.csv", &self.barrier_exceedance)?;
        }
        if !self.barrier_design.is_empty() {
            files.table("barrier_design.csv", &self.barrier_design)?;
        }
        if !self.sweep.is_empty() {
            files.table("sweep.csv", &self.sweep)?;
        }
        if !self.cells.is_empty() {
            files.table("cells.csv", &self.cells)?;
        }
        if !self.barrier_ground.is_empty() {
            files.table("barrier_ground.csv", &self.barrier_ground)?;
        }
        let shown = (self.maps.as_slice(), self.ascii_maps);
        maps::write(
            &maps::Place::of(&self.simulation),
            &self.statistics,
            shown,
            files,
        )?;
        if !self.stations.is_empty() {
            files.table("stations.csv", &self.stations)?;
        }
        files.table("runout.csv", &self.runout)?;
        files.table("ground.csv", &self.ground)?;
        if !self.rocks.is_empty() {
            files.write(ROCKS, &mut |out| {
                let mut table = Table::new(&RockRow::default(), out)?;
                self.rocks.each(|row| table.row(&row))?;
                table.end()
            })?;
        }
        if !self.trajectories.is_empty() {
            self.write_paths(&frame, files)?;
        }
        if let Some(paths) = &self.exact_paths {
            files.data(kept_paths::PATHS, paths)?;
        }
        Ok(())
    }
}

//! What one motion of a row of blocks gives.

use klast_assembly::analysis::{Pattern, PeriodReport, Response, Sample as Moment};
use klast_assembly::{Assembly, Event};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `assembly`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// State of the motion over time: the rows of `history.csv`.
    pub history: Vec<Sample>,
    /// Events of the motion: the rows of `events.csv`.
    pub events: Vec<EventRow>,
    /// Sections: position and slip of each block at the end of each drive period of a periodic motion. The sections are
    /// the rows of `sections.csv`.
    pub sections: Vec<Section>,
    /// Inside length of the basin (m).
    #[serde(skip)]
    pub basin_length: f64,
}

/// Numbers of the whole motion.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Time at the end (s).
    pub time_s: f64,
    /// Energy balance of the motion.
    pub energy_j: Energy,
    /// Largest residual of momentum in an impact, over the largest momentum.
    pub worst_momentum_residual: f64,
    /// Largest overlap of two neighbours (m).
    pub worst_overlap_m: f64,
    /// Events by their kind.
    pub events: Counts,
    /// The impact with the largest energy of approach.
    pub largest_impact: LargestImpact,
    /// The first hundred grazing contacts.
    pub grazings: Vec<Grazing>,
    /// Impacts at each interface, from the left wall to the right wall.
    pub interfaces: Vec<Interface>,
    /// Clusters at the end: blocks that move as one.
    pub clusters: Vec<Cluster>,
    /// Horizon of predictability (s): the time up to which a slightly disturbed motion stays near the undisturbed
    /// motion. It is null if both motions stay near each other to the end.
    pub horizon_of_predictability_s: Option<f64>,
    /// Period and stability of the motion after a long time; null if the drive is not periodic, or if no period was
    /// searched for (the key `search_periods` of the scene, or more than 64 blocks without it).
    pub period: Option<PeriodFound>,
    /// Response after a long time; null without `long_time` in the scene.
    pub long_time: Option<LongTime>,
}

/// Energies (J). `initial` and `kinetic` are values at one time; the other energies are sums since the start.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Energy {
    /// Kinetic energy at the start (J).
    pub initial: f64,
    /// Kinetic energy at the end (J).
    pub kinetic: f64,
    /// Work of the drive (J).
    pub drive: f64,
    /// Energy dissipated by impacts (J).
    pub impacts: f64,
    /// Energy dissipated by friction (J).
    pub friction: f64,
    /// Energy residual of the balance, over the sum of the absolute values of all contributions to the balance.
    pub relative_residual: f64,
}

/// Events by their kind.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Counts {
    /// Number of impacts.
    pub impacts: u64,
    /// Number of impacts between two blocks.
    pub pair_impacts: u64,
    /// Number of impacts of a block on a wall.
    pub wall_impacts: u64,
    /// Number of times that a block came to rest on the floor.
    pub stops: u64,
    /// Number of times that a block began to slip on the floor.
    pub slips: u64,
    /// Number of times that clusters of blocks joined.
    pub joins: u64,
    /// Number of grazing contacts: contacts without a speed of approach.
    pub grazings: u64,
    /// Number of endless sequences of impacts that klast replaced by one plastic impact.
    pub cut_off: u64,
}

/// The impact with the largest energy of approach.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct LargestImpact {
    /// Kinetic energy of the approach (J).
    pub approach_energy_j: f64,
    /// Dissipated energy (J).
    pub dissipated_j: f64,
    /// Time of the event (s).
    pub time_s: f64,
    /// Number of the interface: 0 at the left wall, k between the blocks k and k + 1.
    pub interface: usize,
}

/// A grazing contact of two neighbours.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Grazing {
    /// Time of the event (s).
    pub time_s: f64,
    /// Number of the interface: 0 at the left wall, k between the blocks k and k + 1.
    pub interface: usize,
    /// Speed of approach (m/s).
    pub speed_m_s: f64,
}

/// Blocks that move as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cluster {
    /// First block of the cluster, counted from 1.
    pub first_block: usize,
    /// Last block of the cluster, counted from 1.
    pub last_block: usize,
}

impl From<(usize, usize)> for Cluster {
    fn from((first, last): (usize, usize)) -> Self {
        Self {
            first_block: first + 1,
            last_block: last + 1,
        }
    }
}

/// Impacts at an interface.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Interface {
    /// Number of impacts.
    pub impacts: u64,
    /// Sum of the impulses (N s).
    pub impulse_n_s: f64,
}

/// Period of the motion after a long time.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PeriodFound {
    /// Period of the motion, as a number of drive periods; null if the motion does not repeat.
    pub drive_periods: Option<u64>,
    /// Residual of the search for a period: largest difference between two states one period apart. Positions are
    /// divided by the amplitude u0 of the drive, and velocities by u0 Ω. If no period is found, the value is the
    /// smallest residual of all periods that were tried. It is null if no states could be compared.
    pub residual: Option<f64>,
    /// Number of drive periods from the start after which the motion repeats; null if it does not repeat.
    pub settled_after: Option<u64>,
    /// Floquet multipliers, each as real and imaginary part: factors by which a small disturbance of the motion grows
    /// in one period of the motion.
    pub multipliers: Vec<[f64; 2]>,
}

/// Response after a long time, over 20 drive periods after the transient and the search for a period.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LongTime {
    /// Period of the motion, as a number of drive periods; null if the motion does not repeat.
    pub drive_periods: Option<u64>,
    /// Residual of the search for a period, as in `period`.
    pub residual: Option<f64>,
    /// Least inertia index.
    pub inertia_index_min: f64,
    /// Mean inertia index.
    pub inertia_index_mean: f64,
    /// Largest inertia index.
    pub inertia_index_max: f64,
    /// Mean kinetic index.
    pub kinetic_index_mean: f64,
    /// Largest kinetic index.
    pub kinetic_index_max: f64,
    /// Mean number of impacts in a drive period.
    pub impacts_per_period: f64,
    /// Mean number of impacts on the walls in a drive period.
    pub wall_impacts_per_period: f64,
    /// Largest energy of approach of an impact (J).
    pub max_approach_energy_j: f64,
    /// Pattern of the motion: `densified` (the row stays together), `rarified` (the row stays spread) or `breathing`
    /// (the row opens and closes again).
    pub pattern: &'static str,
    /// Position of the mass centre of the row in the basin at the end of each drive period of the search (m).
    pub centroid_m: Vec<f64>,
    /// Velocity of the mass centre of the row in the basin at the same times (m/s).
    pub slip_m_s: Vec<f64>,
}

impl From<&Response> for LongTime {
    fn from(r: &Response) -> Self {
        let (inertia, kinetic) = (r.inertia_index, r.kinetic_index);
        Self {
            drive_periods: r.period,
            residual: Some(r.residual).filter(|x| x.is_finite()),
            inertia_index_min: inertia.0,
            inertia_index_mean: inertia.1,
            inertia_index_max: inertia.2,
            kinetic_index_mean: kinetic.0,
            kinetic_index_max: kinetic.1,
            impacts_per_period: r.impacts.0,
            wall_impacts_per_period: r.impacts.1,
            max_approach_energy_j: r.largest_impact,
            pattern: match r.pattern {
                Pattern::Densified => "densified",
                Pattern::Breathing => "breathing",
                Pattern::Rarified => "rarified",
            },
            centroid_m: r.sections.iter().map(|s| s.0).collect(),
            slip_m_s: r.sections.iter().map(|s| s.1).collect(),
        }
    }
}

impl PeriodFound {
    /// What a search found.
    #[must_use]
    pub fn of(found: &PeriodReport, multipliers: Vec<[f64; 2]>) -> Self {
        Self {
            drive_periods: found.period,
            residual: Some(found.residual).filter(|x| x.is_finite()),
            settled_after: found.settled,
            multipliers,
        }
    }
}

/// The state at one time.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Sample {
    /// Time t (s).
    pub time_s: f64,
    /// Position of the left wall (m).
    pub basin_m: f64,
    /// Mass centre of the row in the basin (m).
    pub centroid_m: f64,
    /// Velocity of the mass centre of the row (m/s).
    pub centroid_velocity_m_s: f64,
    /// Moment of inertia of the row about its mass centre, over the same moment at release.
    pub inertia_index: f64,
    /// Kinetic energy of the row, over its kinetic energy at the speed (1 + e) u0 Ω, with the restitution e at the
    /// walls.
    pub kinetic_index: f64,
    /// Position of the left edge of each block (m).
    pub left_m: Vec<f64>,
    /// Position of the right edge of each block (m).
    pub right_m: Vec<f64>,
    /// Velocity of each block (m/s).
    pub velocity_m_s: Vec<f64>,
}

impl From<&Moment> for Sample {
    fn from(s: &Moment) -> Self {
        let i = &s.indices;
        Self {
            time_s: s.time,
            basin_m: s.basin.position,
            centroid_m: i.centroid,
            centroid_velocity_m_s: i.centroid_velocity,
            inertia_index: i.inertia_index,
            kinetic_index: i.kinetic_index,
            left_m: s.blocks.iter().map(|b| b.left).collect(),
            right_m: s.blocks.iter().map(|b| b.right).collect(),
            velocity_m_s: s.blocks.iter().map(|b| b.velocity).collect(),
        }
    }
}

/// An event of the motion.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct EventRow {
    /// Time t (s).
    pub time_s: f64,
    /// Kind of event: `impact`, `graze`, `stop`, `slip` or `join`.
    pub event: &'static str,
    /// First of the neighbouring blocks to which the event belongs, counted from 1.
    pub first_block: usize,
    /// Last of the neighbouring blocks to which the event belongs, counted from 1.
    pub last_block: usize,
    /// Number of the interface at which the impact takes place: 0 at the left wall, k between the blocks k and k + 1.
    pub interface: Option<usize>,
    /// Speed of approach of the impact (m/s).
    pub approach_m_s: Option<f64>,
    /// Impulse of the impact (N s).
    pub impulse_n_s: Option<f64>,
    /// Energy dissipated by the impact (J).
    pub dissipated_j: Option<f64>,
}

impl From<&Event> for EventRow {
    fn from(event: &Event) -> Self {
        let row = |event: &'static str, blocks: (usize, usize)| Self {
            event,
            first_block: blocks.0 + 1,
            last_block: blocks.1 + 1,
            ..Self::default()
        };
        let row = match event {
            Event::Impact(c) => Self {
                interface: Some(c.interface),
                approach_m_s: Some(c.approach),
                impulse_n_s: Some(c.impulse),
                dissipated_j: Some(c.dissipated),
                ..row(if c.grazing { "graze" } else { "impact" }, c.blocks)
            },
            Event::Stop { blocks, .. } => row("stop", *blocks),
            Event::Slip { blocks, .. } => row("slip", *blocks),
            Event::Join { blocks, .. } => row("join", *blocks),
        };
        Self {
            time_s: event.time(),
            ..row
        }
    }
}

/// The row at the end of a drive period.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Section {
    /// Position of each block in the basin, less the lengths of the blocks to its left (m).
    pub position_m: Vec<f64>,
    /// Slip of each block: its velocity relative to the basin (m/s).
    pub slip_m_s: Vec<f64>,
}

impl Summary {
    /// Figures of a run at its end.
    #[must_use]
    pub fn of(
        run: &Assembly,
        horizon: Option<f64>,
        (period, long_time): (Option<PeriodFound>, Option<LongTime>),
    ) -> Self {
        let (e, c, largest) = (run.energy(), run.counts(), run.largest_impact());
        let interface = |i: &klast_assembly::InterfaceRecord| Interface {
            impacts: i.impacts,
            impulse_n_s: i.impulse,
        };
        let grazing = |g: &klast_assembly::Grazing| Grazing {
            time_s: g.time,
            interface: g.interface,
            speed_m_s: g.speed,
        };
        Self {
            time_s: run.time(),
            energy_j: Energy {
                initial: e.initial,
                kinetic: e.kinetic,
                drive: e.drive,
                impacts: e.impacts,
                friction: e.friction,
                relative_residual: e.relative_residual(),
            },
            worst_momentum_residual: run.worst_momentum_residual(),
            worst_overlap_m: run.worst_overlap(),
            events: Counts {
                impacts: c.impacts,
                pair_impacts: c.pair_impacts,
                wall_impacts: c.wall_impacts,
                stops: c.stops,
                slips: c.slips,
                joins: c.joins,
                grazings: c.grazings,
                cut_off: c.cut_off,
            },
            largest_impact: LargestImpact {
                approach_energy_j: largest.approach_energy,
                dissipated_j: largest.dissipated,
                time_s: largest.time,
                interface: largest.interface,
            },
            grazings: run.grazings().iter().take(100).map(grazing).collect(),
            interfaces: run.interfaces().iter().map(interface).collect(),
            clusters: run.clusters().into_iter().map(Cluster::from).collect(),
            horizon_of_predictability_s: horizon,
            period,
            long_time,
        }
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
        files.table("history.csv", &self.history)?;
        files.table("events.csv", &self.events)
    }
}

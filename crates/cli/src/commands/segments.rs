//! `klast rockfall segments`: observed flights against exact ballistics, and apparent restitution at observed impacts.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use glam::DVec3;
use klast_geometry::terrain::{Grid, Terrain};
use klast_plot::{Axis, LineChart, Series};
use klast_rockfall::segment::{FlightCheck, FlightSample, apparent_restitution, check_flight};
use serde::Serialize;

use crate::failure::input;
use crate::session::Options;
use crate::terminal::stdout_line;
use klast_files::{by_ending, table};
use klast_scenes::files::{FilesExt as _, Folder};

/// Inputs of the comparison.
#[derive(Debug, Clone, clap::Args)]
pub struct Segments {
    /// CSV table of samples in the order of time: trajectory_id (one for each flight), time_s, x_m, y_m, z_m, vx_mps,
    /// vy_mps, vz_mps
    trajectories: PathBuf,
    /// CSV table of impacts: event_id, x_m, y_m, radius_m, and the velocities incoming_vx_mps … outgoing_vz_mps
    #[arg(long, requires = "terrain")]
    events: Option<PathBuf>,
    /// Path of the terrain raster at the impacts
    #[arg(long)]
    terrain: Option<PathBuf>,
    /// Number of significant digits of the samples
    #[arg(long, default_value_t = 12)]
    digits: i32,
}

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

#[derive(Debug, Serialize)]
struct Line {
    flight: String,
    samples: usize,
    duration_s: f64,
    error_x_m: f64,
    error_y_m: f64,
    error_z_m: f64,
    velocity_error_m_s: f64,
    part_of_sampling_error: f64,
    ballistic: bool,
}

#[derive(Debug, Serialize)]
struct Impact {
    event: String,
    slope_deg: f64,
    apparent_normal: f64,
    apparent_tangential: f64,
    speed_ratio: f64,
}

#[derive(Debug, Serialize)]
struct Summary {
    flights: usize,
    ballistic_within_sampling_error: usize,
    max_part_of_sampling_error: f64,
    impacts: Vec<Impact>,
}

impl Segments {
    pub fn run(&self, options: &Options) -> Result<()> {
        input(self.check())?;
        let flights = input(self.flights())?;
        let impacts = input(self.impacts())?;
        let folder = options.out.clone();
        let mut output = Folder::open(&folder.unwrap_or_else(|| "out/segments".into()))?;
        output.json("flights.json", &flights)?;
        output.json("impacts.json", &impacts)?;
        output.text("flights.svg", &picture(&flights)?)?;
        let parts = flights.iter().map(|f| f.part_of_sampling_error);
        let summary = Summary {
            flights: flights.len(),
            ballistic_within_sampling_error: flights.iter().filter(|f| f.ballistic).count(),
            max_part_of_sampling_error: parts.fold(0.0, f64::max),
            impacts,
        };
        output.json("summary.json", &summary)?;
        stdout_line(serde_json::to_string_pretty(&summary)?)?;
        Ok(())
    }

    fn check(&self) -> Result<()> {
        ensure!(
            (1..=17).contains(&self.digits),
            "--digits {}; accepted: 1 to 17",
            self.digits
        );
        Ok(())
    }

    fn flights(&self) -> Result<Vec<Line>> {
        let mut flights: Vec<(String, Vec<FlightSample>)> = Vec::new();
        for row in table::read(&self.trajectories)? {
            let name = row.word("trajectory_id")?;
            let sample = FlightSample {
                time: row.number("time_s")?,
                position: row.vector(["x_m", "y_m", "z_m"])?,
                velocity: row.vector(["vx_mps", "vy_mps", "vz_mps"])?,
            };
            match flights.last_mut().filter(|f| f.0 == name) {
                Some(flight) => flight.1.push(sample),
                None => flights.push((name.to_owned(), vec![sample])),
            }
        }
        let mut lines = Vec::new();
        for (name, samples) in flights {
            let Some(check) = check_flight(&samples, self.digits, GRAVITY)? else {
                bail!("flight '{name}' has one sample; accepted: 2 or more");
            };
            lines.push(line(name, &check));
        }
        Ok(lines)
    }

    fn impacts(&self) -> Result<Vec<Impact>> {
        let (Some(events), Some(terrain)) = (&self.events, &self.terrain) else {
            return Ok(Vec::new());
        };
        let grid: Grid = by_ending::ground(terrain)
            .with_context(|| terrain.display().to_string())?
            .grid;
        let mut impacts = Vec::new();
        for row in table::read(events)? {
            let event = row.word("event_id")?.to_owned();
            let place = glam::DVec2::new(row.number("x_m")?, row.number("y_m")?);
            let found = apparent_restitution(
                &grid,
                place - grid.origin().truncate(),
                row.number("radius_m")?,
                row.vector(["incoming_vx_mps", "incoming_vy_mps", "incoming_vz_mps"])?,
                row.vector(["outgoing_vx_mps", "outgoing_vy_mps", "outgoing_vz_mps"])?,
            );
            // At the rim of the raster there is no normal to be had.
            let Some(found) = found else { continue };
            impacts.push(Impact {
                event,
                slope_deg: found.slope.to_degrees(),
                apparent_normal: found.normal,
                apparent_tangential: found.tangential,
                speed_ratio: found.speed,
            });
        }
        Ok(impacts)
    }
}

fn line(flight: String, check: &FlightCheck) -> Line {
    let [error_x_m, error_y_m, error_z_m] = check.position_error.to_array();
    Line {
        flight,
        samples: check.samples,
        duration_s: check.duration,
        error_x_m,
        error_y_m,
        error_z_m,
        velocity_error_m_s: check.velocity_error.max_element(),
        part_of_sampling_error: check.part_of_sampling_error,
        ballistic: check.part_of_sampling_error <= 1.0,
    }
}

fn picture(flights: &[Line]) -> Result<String> {
    let points = flights.iter().enumerate();
    let points = points.map(|(k, f)| ((k + 1) as f64, f.part_of_sampling_error));
    let x = Axis::new("flight").range(0.0, flights.len() as f64 + 1.0);
    let y = Axis::new("largest error / sampling error [-]").range(0.0, 1.2);
    let limit = vec![(0.0, 1.0), (flights.len() as f64 + 1.0, 1.0)];
    Ok(
        LineChart::new("Observed flights against exact ballistics", x, y)
            .with(Series::points("flights", points.collect()))
            .with(Series::dashed("sampling error", limit))
            .svg()?,
    )
}

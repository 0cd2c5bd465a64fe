//! What each rock did: a row a rock, without its trajectory.

use klast_rockfall::{Outcome, RockResult, Simulation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rock of the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RockRow {
    /// Number of the rock, counted from 0.
    pub rock: u64,
    /// Name of the source.
    pub source: String,
    /// Number of the shape in the `shapes` of the source, from 1.
    pub shape: usize,
    /// Number of the set of ground parameters of the rock, from 1.
    pub ground_set: u32,
    /// Mass (kg).
    pub mass_kg: f64,
    /// Volume (m³).
    pub volume_m3: f64,
    /// Attitude at release, w part of the unit quaternion.
    pub qw: f64,
    /// Attitude at release, x part of the quaternion.
    pub qx: f64,
    /// Attitude at release, y part of the quaternion.
    pub qy: f64,
    /// Attitude at release, z part of the quaternion.
    pub qz: f64,
    /// Mass centre at release, map coordinate x (m).
    pub release_x_m: f64,
    /// Mass centre at release, map coordinate y (m).
    pub release_y_m: f64,
    /// Mass centre at release, map coordinate z (m).
    pub release_z_m: f64,
    /// Mass centre at the end, map coordinate x (m).
    pub end_x_m: f64,
    /// Mass centre at the end, map coordinate y (m).
    pub end_y_m: f64,
    /// Mass centre at the end, map coordinate z (m).
    pub end_z_m: f64,
    /// Distance in plan from release to end (m).
    pub runout_m: f64,
    /// Time from release to end (s).
    pub time_s: f64,
    /// Outcome of the rock: `stopped`, `left_map`, `timed_out`, `unresolved` (held up by the length of its steps),
    /// `caught` (held by a barrier), `released_off_map` or `released_below_ground`.
    pub outcome: String,
    /// Name of the barrier that holds the rock; null if no barrier holds it.
    pub barrier: Option<String>,
    /// Greatest speed of the mass centre (m/s).
    pub greatest_speed_m_s: f64,
    /// Greatest kinetic energy (kJ).
    pub greatest_energy_kj: f64,
    /// Greatest height of the mass centre over the ground in flight (m).
    pub greatest_height_m: f64,
    /// Greatest depth of the lowest point of the rock in ground that yields (m), 0 of a rock that did not go in; null
    /// if no material yields.
    pub greatest_depth_m: Option<f64>,
}

/// Whether a material of the ground yields to impacts.
pub fn yields(simulation: &Simulation) -> bool {
    let materials = simulation.scene().ground.materials();
    materials.iter().any(|m| m.penetration.is_some())
}

impl RockRow {
    /// The row of a rock.
    #[must_use]
    pub fn of(simulation: &Simulation, rock: u64, result: &RockResult) -> Self {
        let scene = simulation.scene();
        let origin = scene.terrain.origin();
        let (start, end) = (result.start + origin, result.end + origin);
        let q = result.attitude;
        let barrier = match result.outcome {
            Outcome::Caught { barrier } => scene.collectors.get(barrier as usize),
            _ => None,
        };
        Self {
            rock,
            source: scene
                .seeders
                .get(result.source)
                .map_or(String::new(), |s| s.name.clone()),
            shape: result.group + 1,
            ground_set: result.set + 1,
            mass_kg: result.mass,
            volume_m3: result.volume,
            qw: q.w,
            qx: q.x,
            qy: q.y,
            qz: q.z,
            release_x_m: millimetres(start.x),
            release_y_m: millimetres(start.y),
            release_z_m: millimetres(start.z),
            end_x_m: millimetres(end.x),
            end_y_m: millimetres(end.y),
            end_z_m: millimetres(end.z),
            runout_m: result.runout(),
            time_s: result.time,
            outcome: outcome(result).to_owned(),
            barrier: barrier.map(|b| b.name.clone()),
            greatest_speed_m_s: result.greatest_speed,
            greatest_energy_kj: 1e-3 * result.greatest_energy,
            greatest_height_m: result.greatest_height,
            greatest_depth_m: yields(simulation).then_some(result.depth),
        }
    }
}

/// Rounded to a millimetre, as map coordinates are worth.
fn millimetres(x: f64) -> f64 {
    (1e3 * x).round() / 1e3
}

fn outcome(result: &RockResult) -> &'static str {
    match result.outcome {
        _ if result.off_map => "released_off_map",
        _ if result.below_ground => "released_below_ground",
        Outcome::Stopped => "stopped",
        Outcome::LeftMap => "left_map",
        Outcome::TimedOut => "timed_out",
        Outcome::Unresolved => "unresolved",
        Outcome::Caught { .. } => "caught",
    }
}

//! What a shot through a layer of rock gives.

use glam::DVec3;
use klast_dem::{Flight, PackingReport, PackingSpec, Penetration};
use klast_geometry::Pose;
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `rockfill`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// State of the projectile over time: the rows of `history.csv`.
    pub history: Vec<Sample>,
    /// Faces of the bodies before the shot, the projectile last.
    #[serde(skip)]
    pub start: Vec<Solid>,
    /// Frames that were written, by their time (s).
    #[serde(skip)]
    pub frames: Vec<(f64, String)>,
    /// Poses of the bodies at the frames.
    #[serde(skip)]
    pub poses: Vec<Vec<Pose>>,
}

/// The faces of a body, each by its corners (m).
pub type Solid = Vec<Vec<DVec3>>;

/// The layer of rocks, and the result of the shot.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of rocks of the layer.
    pub rocks: usize,
    /// Porosity of the layer.
    pub porosity: f64,
    /// Mean number of contacts of each rock.
    pub coordination: f64,
    /// Digest of the inputs from which the layer is made: equal digests mean equal layers.
    pub layer_hash: String,
    /// Time at which the tip passes the near side of the layer (s).
    pub strike_s: f64,
    /// Time at which the tip passes the far side of the layer (s); null if the tip does not pass it.
    pub exit_s: Option<f64>,
    /// Residual velocity of ballistics (m/s): speed of the projectile at the time at which the whole projectile has
    /// left the layer, or at the end of the run. It is not a residual of a solver.
    pub residual_m_s: f64,
    /// Angle between the velocity of the projectile at the start and its velocity at the end (degrees). The end is the
    /// time at which the whole projectile has left the layer, or the end of the run.
    pub velocity_deflection_deg: f64,
    /// Angle between the axis of the projectile at the start and its axis at the end (degrees). The end is the time at
    /// which the whole projectile has left the layer, or the end of the run.
    pub axis_deflection_deg: f64,
    /// Distance from the line of the shot (m) within which 95 % of the moved rocks lie. A rock counts as moved if its
    /// displacement is larger than 0.05 of its size.
    pub affected_radius_m: f64,
    /// Mean resistance while the tip is in the layer (N).
    pub mean_resistance_n: f64,
    /// Largest resistance (N).
    pub peak_resistance_n: f64,
    /// Number of time steps.
    pub steps: usize,
    /// Digest of the state at the end: equal digests mean equal bits of the state.
    pub state_hash: String,
}

/// The projectile at one time.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct Sample {
    /// Time t (s).
    pub time_s: f64,
    /// Distance of the tip behind the near side of the layer (m). It is negative before the tip meets the layer.
    pub tip_m: f64,
    /// Speed of the projectile (m/s).
    pub speed_m_s: f64,
    /// Resistance (N): component of the force on the projectile in the direction opposite to its velocity.
    pub resistance_n: f64,
    /// Angle between the velocity of the projectile and its velocity at the start (degrees).
    pub velocity_deflection_deg: f64,
    /// Angle between the axis of the projectile and the same axis at the start (degrees).
    pub axis_deflection_deg: f64,
    /// Number of rocks that touch the projectile.
    pub contacts: usize,
    /// Total energy of the projectile and the rocks: kinetic, elastic and potential (J).
    pub energy_j: f64,
}

impl Results {
    /// The results of a shot.
    #[must_use]
    pub fn of(
        spec: &PackingSpec,
        layer: &PackingReport,
        shot: &Penetration,
        start: Vec<Solid>,
        frames: Vec<(f64, String)>,
    ) -> Self {
        let sample = |s: &klast_dem::Sample| Sample {
            time_s: s.time,
            tip_m: s.tip,
            speed_m_s: s.velocity.length(),
            resistance_n: s.resistance,
            velocity_deflection_deg: s.velocity_deflection.to_degrees(),
            axis_deflection_deg: s.axis_deflection.to_degrees(),
            contacts: s.contacts,
            energy_j: s.energy,
        };
        Self {
            summary: Summary {
                rocks: layer.rocks,
                porosity: layer.porosity,
                coordination: layer.coordination,
                layer_hash: format!("{:016x}", spec.hash()),
                strike_s: shot.strike,
                exit_s: shot.exit,
                residual_m_s: shot.residual,
                velocity_deflection_deg: shot.velocity_deflection.to_degrees(),
                axis_deflection_deg: shot.axis_deflection.to_degrees(),
                affected_radius_m: shot.affected_radius,
                mean_resistance_n: shot.mean_resistance,
                peak_resistance_n: shot.peak_resistance,
                steps: shot.steps,
                state_hash: format!("{:016x}", shot.hash),
            },
            history: shot.samples.iter().map(sample).collect(),
            start,
            frames,
            poses: Vec::new(),
        }
    }
}

/// The faces of all bodies where they are now.
#[must_use]
pub fn solids(flight: &Flight) -> Vec<Solid> {
    let world = flight.world();
    let bodies = world.particles().iter().zip(world.motions());
    bodies
        .map(|(p, m)| {
            let pose = m.pose();
            let corner = |v: &u32| pose.transform_point(p.shape.vertices()[*v as usize]);
            let facets = 0..p.shape.facets().len();
            facets
                .map(|f| p.shape.facet_vertices(f).iter().map(corner).collect())
                .collect()
        })
        .collect()
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
        files.table("history.csv", &self.history)
    }
}

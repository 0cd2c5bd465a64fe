//! The scene of a column in space.

use klast_rocking::spatial::{SpatialBody, SpatialColumn};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use klast_runs::common::duration::Duration;
use klast_runs::common::gravity::Gravity;
use klast_runs::common::motion::Motion;
use klast_runs::faults::{At as _, Faults};

/// A scene of kind `column`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The drums, from the base upwards: one to forty, with their mass centres on one vertical axis. A single drum is a
    /// prism, a cylinder or a frustum on the base.
    pub drums: Vec<Drum>,
    /// Density of the drums (kg/m³), above 0. The density changes the energies, but not the motion.
    pub density_kg_m3: f64,
    /// Number of points of each circle of a round drum, 3 to 1000, that are contacts; 24 unless stated. The first of
    /// them is where the circle touches, the others follow at equal angles. A drum that stands level in a column tips
    /// over the polygon of these points and then rolls on its circle. Against a prism a round drum is a prism with as
    /// many sides. A round drum that stands alone tips and rolls on its circle; the points only count in impacts.
    #[serde(default = "facets")]
    pub facets: usize,
    /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Friction coefficient between drums and on the base, 0 or more.
    pub friction: f64,
    /// Motion of the base along x; no motion unless stated.
    #[serde(default)]
    pub horizontal: Motion,
    /// Motion of the base along y; no motion unless stated.
    #[serde(default)]
    pub transverse: Motion,
    /// Motion of the base along z, positive upwards; no motion unless stated.
    #[serde(default)]
    pub vertical: Motion,
    /// Duration of the motion (s), above 0.
    pub duration_s: Duration,
    /// Tilt of the whole column at the start (rad), below π/2 in size; 0 unless stated.
    #[serde(default)]
    pub tilt_rad: f64,
    /// Direction of the tilt at the start, measured from x towards y (rad), between -2π and 2π; 0 unless stated.
    #[serde(default)]
    pub azimuth_rad: f64,
    /// Time step (s), above 0; 0.0005 s unless stated.
    #[serde(default = "step")]
    pub step_s: f64,
    /// Whether the motion is also computed with half of the time step and, if a drum is round, with twice as many
    /// points. The verdict then depends on all these runs: it is undecided if their outcomes differ. True unless
    /// stated.
    #[serde(default = "half_step")]
    pub half_step: bool,
    /// Time between two rows of the history (s), above 0.
    #[serde(default = "interval")]
    pub sample_s: f64,
}

impl Scene {
    /// The column of its drums, round ones with so many points.
    ///
    /// # Errors
    /// Every drum that cannot be; a column that is none.
    pub fn column(&self, facets: usize) -> Result<SpatialColumn, Faults> {
        let mut faults = Faults::default();
        let drums = self.drums.iter().enumerate().filter_map(|(k, drum)| {
            let built = drum.build(facets, self.density_kg_m3);
            faults.take(&format!("drums[{k}]"), built)
        });
        let drums: Vec<SpatialBody> = drums.collect();
        faults.or_all(|| Some(()))?;
        SpatialColumn::new(drums).at("drums")
    }
}

/// Shape of a drum.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Drum {
    /// A cylinder.
    Cylinder {
        /// Radius (m), above 0.
        radius_m: f64,
        /// Height (m), above 0.
        height_m: f64,
    },
    /// A frustum of a cone.
    Frustum {
        /// Radius at the bottom (m), above 0.
        bottom_radius_m: f64,
        /// Radius at the top (m), above 0.
        top_radius_m: f64,
        /// Height (m), above 0.
        height_m: f64,
    },
    /// A rectangular prism.
    Prism {
        /// Width along x (m), above 0.
        width_m: f64,
        /// Depth along y (m), above 0.
        depth_m: f64,
        /// Height (m), above 0.
        height_m: f64,
    },
}

impl Drum {
    /// Whether it is round.
    #[must_use]
    pub fn is_round(self) -> bool {
        match self {
            Self::Cylinder { .. } | Self::Frustum { .. } => true,
            Self::Prism { .. } => false,
        }
    }

    /// The body, of a density (kg/m³), round ones with so many points.
    pub fn build(self, facets: usize, density: f64) -> Result<SpatialBody> {
        Ok(match self {
            Self::Cylinder { radius_m, height_m } => {
                SpatialBody::cylinder(radius_m, height_m, facets, density)?
            }
            Self::Frustum {
                bottom_radius_m,
                top_radius_m,
                height_m,
            } => SpatialBody::frustum(bottom_radius_m, top_radius_m, height_m, facets, density)?,
            Self::Prism {
                width_m,
                depth_m,
                height_m,
            } => SpatialBody::prism(width_m, depth_m, height_m, density)?,
        })
    }
}

fn facets() -> usize {
    24
}

fn step() -> f64 {
    5e-4
}

fn half_step() -> bool {
    true
}

fn interval() -> f64 {
    0.01
}

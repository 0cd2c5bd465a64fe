use klast_dynamics::DynamicsError;
use klast_geometry::GeometryError;
use klast_geometry::terrain::{Area, TerrainError};
use klast_numerics::ModelError;
use klast_sampling::DistributionError;
use thiserror::Error;

/// What is wrong with the line of a barrier or collector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LineFault {
    /// One point, or none.
    #[error("fewer than two points")]
    FewPoints,
    /// NaN or infinity.
    #[error("a point that is not finite")]
    NotFinite,
    /// All points are the same.
    #[error("no length")]
    NoLength,
    /// It lies beside the terrain.
    #[error("no ground under it: no rock can cross it")]
    NoGround,
}

/// Why a rockfall scene was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RockfallError {
    /// A number outside its range.
    #[error("{field} is {found}; accepted: {accepted}")]
    OutOfRange {
        /// The quantity.
        field: &'static str,
        /// Its value.
        found: f64,
        /// What would do.
        accepted: &'static str,
    },
    /// A release position inside the ground.
    #[error(
        "released at {height} m where the ground stands at {ground} m; accepted: at or above the ground"
    )]
    BelowGround {
        /// Height of the release (m).
        height: f64,
        /// Height of the ground (m).
        ground: f64,
    },
    /// Something lies where there is no ground.
    #[error(
        "{what} at ({x}, {y}) m is off the map or over missing data; accepted: a place with ground in {map}"
    )]
    OffMap {
        /// What it is.
        what: &'static str,
        /// Map coordinate (m).
        x: f64,
        /// Map coordinate (m).
        y: f64,
        /// The area of the map, in map coordinates.
        map: Area,
    },
    /// A ring of a polygon crosses itself or another: what is inside is not known.
    #[error(
        "a ring of the polygon crosses itself or another at ({x}, {y}) m; accepted: rings that do not"
    )]
    Crossed {
        /// Map coordinate (m).
        x: f64,
        /// Map coordinate (m).
        y: f64,
    },
    /// A list is too short, too long, or points outside of another.
    #[error("{field}: found {found}; accepted: {accepted}")]
    Count {
        /// The list.
        field: &'static str,
        /// What was found.
        found: usize,
        /// What would do.
        accepted: String,
    },
    /// A barrier or collector that no rock can meet.
    #[error(
        "barrier '{name}' has {reason}; accepted: a line of two or more different points over the terrain"
    )]
    Barrier {
        /// Its name.
        name: String,
        /// What is wrong with its line.
        reason: LineFault,
    },
    /// Results of two runs that do not belong together.
    #[error("cannot merge: {what} differ; accepted: results of the same scene")]
    Merge {
        /// What differs.
        what: &'static str,
    },
    /// A distribution was refused.
    #[error("{field}: {source}")]
    Distribution {
        /// The quantity.
        field: &'static str,
        /// Why.
        source: DistributionError,
    },
    /// A terrain was refused.
    #[error(transparent)]
    Terrain(#[from] TerrainError),
    /// A shape was refused.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A body or a motion was refused.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
}

impl ModelError for RockfallError {
    fn number(&self) -> Option<f64> {
        match self {
            Self::OutOfRange { found, .. } => Some(*found),
            Self::Count { found, .. } => Some(*found as f64),
            _ => None,
        }
    }
}

/// Refuses a number that is not finite or does not hold.
pub(crate) fn within(
    field: &'static str,
    found: f64,
    holds: bool,
    accepted: &'static str,
) -> Result<(), RockfallError> {
    if found.is_finite() && holds {
        Ok(())
    } else {
        Err(RockfallError::OutOfRange {
            field,
            found,
            accepted,
        })
    }
}

/// Refuses a step on the ground (s) that does not resolve a rock's turning.
pub(crate) fn contact_step(step: f64) -> Result<(), RockfallError> {
    let holds = step > 0.0 && step <= 0.1;
    within("contact_step", step, holds, "above 0, up to 0.1 s")
}

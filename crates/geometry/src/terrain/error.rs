use klast_numerics::{ModelError, OutOfRange};
use thiserror::Error;

/// Why a terrain was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TerrainError {
    /// A number or a count outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A profile whose stations do not increase.
    #[error(
        "profile point {index} goes from station {from} to {to} m; accepted: stations that increase"
    )]
    FoldsBack {
        /// Number of the second point, from 0.
        index: usize,
        /// Station before (m).
        from: f64,
        /// Station found (m).
        to: f64,
    },
    /// A surveyed line that meets itself.
    #[error(
        "profile segments {first} and {second} (from 0) cross or touch; accepted: a line that meets itself nowhere"
    )]
    Crosses {
        /// Number of a segment, from 0.
        first: usize,
        /// Number of a later one.
        second: usize,
    },
    /// A surveyed point that repeats the one before it.
    #[error("profile point {index} (from 0) is the point before it; accepted: every point once")]
    Twice {
        /// Number of the second point, from 0.
        index: usize,
    },
    /// A surveyed line that does not run from its least to its greatest station.
    #[error(
        "profile point {index} (from 0) is at station {station} m, the line runs from {first} to {last} m; accepted: a first point with the least station, a last one with the greatest"
    )]
    BeyondEnds {
        /// Number of the point, from 0.
        index: usize,
        /// Its station (m).
        station: f64,
        /// Station of the first point (m).
        first: f64,
        /// Station of the last point (m).
        last: f64,
    },
    /// A vertical face without the room by which it leans.
    #[error(
        "profile: a vertical facet near station {station:.3} m has too little room; accepted: {lean} m or more before its foot, by which the facet leans, and twice that between two facets"
    )]
    Narrow {
        /// Station of the face (m).
        station: f64,
        /// How far a face leans (m).
        lean: f64,
    },
    /// A mesh triangle that cannot be ground.
    #[error(
        "triangle {index} {reason}; accepted: three different corners of the list with an area in plan"
    )]
    Triangle {
        /// Number of the triangle, from 0.
        index: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A mesh whose height is not along z.
    #[error(
        "the mesh lies on its side: {plan:.3e} m² in plan, {side:.3e} m² seen along {axis}; accepted: z upwards (most modelling programs export 'z up')"
    )]
    OnItsSide {
        /// Area in plan (m²).
        plan: f64,
        /// Area seen along the axis that may be meant for the height (m²).
        side: f64,
        /// That axis.
        axis: &'static str,
    },
}

impl ModelError for TerrainError {
    fn number(&self) -> Option<f64> {
        match self {
            Self::OutOfRange(out) => out.number(),
            _ => None,
        }
    }
}

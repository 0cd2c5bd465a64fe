use klast_numerics::OutOfRange;
use thiserror::Error;

/// Why a terrain was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TerrainError {
    /// A number or a count outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A profile whose stations do not increase.
    #[error(
        "profile point {index} goes from station {from} to {to} m; accepted: stations that increase (no fold, no overhang)"
    )]
    FoldsBack {
        /// Number of the second point, from 0.
        index: usize,
        /// Station before (m).
        from: f64,
        /// Station found (m).
        to: f64,
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
    /// Text that is not what the format says.
    #[error("line {line}: found '{found}'; accepted: {accepted}")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What would do.
        accepted: &'static str,
    },
}

use thiserror::Error;

/// Why a terrain was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TerrainError {
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
    /// Too few or too many of something.
    #[error("{field}: {found}; accepted: {accepted}")]
    Count {
        /// What is counted.
        field: &'static str,
        /// How many there are.
        found: usize,
        /// What would do.
        accepted: String,
    },
    /// A number in a list is not finite.
    #[error("{field} {index} is {found}; accepted: a finite number")]
    NotFinite {
        /// The list.
        field: &'static str,
        /// Where in it, from 0.
        index: usize,
        /// The value.
        found: f64,
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

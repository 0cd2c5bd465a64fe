//! The scene of one motion of a row of blocks.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::row::Row;
use klast_runs::common::duration::Duration;

/// A scene of kind `assembly`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Basin, drive, blocks and start.
    pub row: Row,
    /// Duration of the motion (s), above 0.
    pub duration_s: Duration,
    /// Time between two rows of the history (s), above 0.
    pub sample_s: f64,
    /// Number of drive periods in which klast searches for a period of the motion, from the start: 0 for no search, or
    /// 12 or more. The search is a second run of this length, whatever `duration_s` is. Without the key it is 120 for
    /// up to 64 blocks, and 0 for more blocks.
    pub search_periods: Option<u64>,
}

//! The scene of one motion of a row of blocks.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::duration::Duration;
use crate::common::row::Row;

/// A scene of kind `assembly`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Basin, drive, blocks and start.
    pub row: Row,
    /// Duration (s).
    pub duration_s: Duration,
    /// Interval of the history (s).
    pub sample_s: f64,
}

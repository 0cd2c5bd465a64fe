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
    /// Response after a long time, from a run of its own; it needs a periodic drive: `harmonic`, or `waves` with a
    /// single wave. Without the key it is not computed.
    pub long_time: Option<LongTime>,
}

/// How long the run of the response after a long time is.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LongTime {
    /// Number of drive periods at the start that the response leaves out (the transient), 0 or more.
    pub transient_periods: u64,
    /// Number of drive periods after the transient in which klast searches for a period of the motion, 0 or more. The
    /// 20 drive periods that follow give the indices and the impacts.
    pub search_periods: u64,
    /// Longest period that klast searches for, as a number of drive periods, 0 or more.
    pub maximum_period: u64,
}

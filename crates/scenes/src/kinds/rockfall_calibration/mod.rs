//! Observed runs of a campaign, each forecast from the others.

mod job;
mod read;
mod report;
mod scene;

use crate::kinds::Kind;

/// Observed runs of a campaign, each forecast from the others.
pub const KIND: Kind = Kind {
    name: "rockfall_calibration",
    summary: "observed runs of a campaign, each forecast from the others",
    example: include_str!("../../../../../examples/rockfall-calibration.json"),
    schema: || schemars::schema_for!(scene::Scene),
    prepare: job::prepare,
};

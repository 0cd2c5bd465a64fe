//! Observed runs of a campaign, each forecast from the others.

mod answer;
mod job;
mod judged;
mod limits;
mod read;
pub mod result;
pub mod scene;

use crate::kind::Kind;

/// Observed runs of a campaign, each forecast from the others.
pub const KIND: Kind = Kind {
    name: "rockfall_calibration",
    summary: "ground parameters from observed rockfall runs, and scores that show how well each run is forecast from the other runs",
    example: include_str!("../../../../../examples/rockfall-calibration.json"),
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};

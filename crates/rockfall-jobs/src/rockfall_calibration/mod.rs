//! Observed runs of a campaign, each forecast from the others.

mod job;
mod limits;
mod read;
pub mod result;
pub mod scene;
mod scores;
mod verdict;

use klast_runs::kind::Kind;

/// Observed runs of a campaign, each forecast from the others.
pub const KIND: Kind = Kind {
    name: "rockfall_calibration",
    summary: "ground parameters from observed rockfall runs, and scores that show how well each run is forecast from the other runs",
    example: include_str!("../../../../examples/rockfall-calibration.json"),
    files: &[
        (
            "rockfall-terrain.asc",
            include_bytes!("../../../../examples/rockfall-terrain.asc"),
        ),
        (
            "rockfall-calibration-releases.csv",
            include_bytes!("../../../../examples/rockfall-calibration-releases.csv"),
        ),
        (
            "rockfall-calibration-depositions.csv",
            include_bytes!("../../../../examples/rockfall-calibration-depositions.csv"),
        ),
        (
            "rockfall-calibration-blocks.csv",
            include_bytes!("../../../../examples/rockfall-calibration-blocks.csv"),
        ),
    ],
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};

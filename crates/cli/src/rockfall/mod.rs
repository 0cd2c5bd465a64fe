//! Rockfall: from a terrain and a release to energies, heights and runout; and the calibration against field runs.

mod calibration;
mod command;
mod convert;
mod job;
mod report;
mod scene;
mod segments;
mod sources;
mod table;

pub use calibration::KIND as CALIBRATION;
pub use command::Command;

use crate::kinds::Kind;

/// Many rocks on a terrain.
pub const KIND: Kind = Kind {
    name: "rockfall",
    summary: "rocks on a raster, profile, mesh or slope: hazard maps, barrier sheets, runout",
    example: include_str!("../../../../examples/rockfall.json"),
    schema: || schemars::schema_for!(scene::Scene),
    prepare: job::prepare,
};

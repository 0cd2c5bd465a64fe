//! Scenes of a single rocking block: one motion, stability maps, fits of measured histories, spectra, fragilities.

mod base;
mod fit;
mod fragility;
mod map;
mod motion;
mod run;
mod spectrum;

pub use fit::Command;

pub(crate) use base::gravity;
pub(crate) use motion::{Motion, remarks};

use crate::kinds::Kind;

/// One motion with its events and history.
pub const RUN: Kind = Kind {
    name: "rocking",
    summary: "one block under base motion: events, history, pictures",
    example: include_str!("../../../../examples/rocking.json"),
    schema: || schemars::schema_for!(run::Scene),
    prepare: run::prepare,
};

/// A stability map.
pub const MAP: Kind = Kind {
    name: "rocking-map",
    summary: "fate of a block over two parameters (amplitude, frequency, duration, size, restitution, tilt)",
    example: include_str!("../../../../examples/rocking-map.json"),
    schema: || schemars::schema_for!(map::Scene),
    prepare: map::prepare,
};

/// A fit of a measured history.
pub const FIT: Kind = Kind {
    name: "rocking-fit",
    summary: "coefficient of restitution from a measured rotation history",
    example: include_str!("../../../../examples/rocking-fit.json"),
    schema: || schemars::schema_for!(fit::Scene),
    prepare: fit::prepare,
};

/// A rocking spectrum.
pub const SPECTRUM: Kind = Kind {
    name: "rocking-spectrum",
    summary: "largest rotation and angular velocity over the size of a block",
    example: include_str!("../../../../examples/rocking-spectrum.json"),
    schema: || schemars::schema_for!(spectrum::Scene),
    prepare: spectrum::prepare,
};

/// An overturning fragility.
pub const FRAGILITY: Kind = Kind {
    name: "rocking-fragility",
    summary: "probability of overturning over the intensity of scaled motions",
    example: include_str!("../../../../examples/rocking-fragility.json"),
    schema: || schemars::schema_for!(fragility::Scene),
    prepare: fragility::prepare,
};

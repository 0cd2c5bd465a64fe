//! The figures of each kind of scene.

pub mod assembly;
pub mod assembly_sweep;
pub mod assess;
pub mod bodies;
pub mod column;
mod planar;
pub mod rockfall;
pub mod rockfall_calibration;
pub mod rockfall_study;
pub mod rockfill;
pub mod rocking;
pub mod rocking_fit;
pub mod rocking_fragility;
pub mod rocking_map;
pub mod rocking_spectrum;
mod settling;
pub mod stack;
pub mod stack_map;
pub mod stack_scale;
pub mod thrown;

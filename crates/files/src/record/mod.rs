//! Records of base acceleration: the files that they come in.
//!
//! Each format has its reader; `file` finds by content which one reads, `other` names what none does. What is read is a
//! [`Record`] of `klast-dynamics`: times and accelerations, nothing of a file.

mod at2;
mod channel;
mod clock;
mod column_units;
mod columns;
mod commas;
mod components;
mod cosmos;
mod counted;
mod csmip;
mod csmnc;
mod deepsoil;
mod error;
mod esm;
mod factors;
mod file;
mod format;
mod geocsv;
mod geonet;
mod knet;
mod labview;
mod motion_units;
mod names;
mod obspy;
mod other;
mod plausibility;
mod read;
mod rowwise;
mod series;
mod side_by_side;
mod smc;
mod spectral;
mod stated_step;
mod table;
mod text;
mod tidied;
mod unit;
mod values;

pub use channel::ReadOptions;
pub use error::RecordError;
pub use file::{RecordComponent, RecordFile};
pub use format::RecordFormat;
pub use read::{read, read_at2, read_columns};
pub use series::read_series;

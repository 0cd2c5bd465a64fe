//! Records of base acceleration: the files that they come in.
//!
//! Each format has its reader; `file` finds by content which one reads. What is read is a [`Record`] of
//! `klast-dynamics`: times and accelerations, nothing of a file.
//!
//! [`Record`]: klast_ground_motion::Record

mod at2;
mod channel;
mod columns;
mod commas;
mod cosmos;
mod csmip;
mod factors;
mod file;
mod format;
mod geonet;
mod keyed;
mod motion_units;
mod names;
mod obspy;
mod plausibility;
pub(crate) mod refused;
mod rowwise;
mod stated_step;
mod text;
mod unit;
mod values;
mod velocity;

pub use channel::ReadOptions;
pub use file::{RecordComponent, RecordFile};
pub use format::RecordFormat;

use crate::refusal::{Kind, Result, refusal};
use crate::table::sheet::Sheet;
use klast_ground_motion::{AccelerationUnit, Record};

/// Reads the only component of a file of any format that [`RecordFile::read`] knows.
///
/// # Errors
/// Those of [`RecordFile::read`] and [`RecordFile::component`].
pub fn read(bytes: &[u8], unit: Option<AccelerationUnit>) -> Result<Record> {
    let options = ReadOptions {
        unit,
        ..ReadOptions::default()
    };
    let file = RecordFile::read(bytes, &options)?;
    Ok(file.component(None)?.record.clone())
}

/// Times (s) and values of a CSV text with a header of two columns, `time_s` and one of `columns`, each
/// value times the factor that stands beside the name of its column.
///
/// # Errors
/// Another header (`header` says which are accepted); a row that is not two finite numbers, with its line.
pub fn read_series(
    text: &str,
    columns: &[(&str, f64)],
    header: &'static str,
) -> Result<(Vec<f64>, Vec<f64>)> {
    let sheet = Sheet::read(text, true);
    let sheet = sheet.ok_or_else(|| refusal!(Missing, "line 1: no table"; "{header}"))?;
    let factor = match &sheet.names[..] {
        [time, name] if time == "time_s" => columns.iter().find(|c| c.0 == name).map(|c| c.1),
        _ => None,
    };
    let (at, names) = (sheet.at, sheet.names.join(","));
    let factor = factor.ok_or_else(|| refusal!(Missing, "line {at}: \"{names}\""; "{header}"))?;
    let row = |row: &crate::table::sheet::Line| {
        let numbers: Vec<f64> = row
            .cells
            .iter()
            .map_while(|cell| text::number(cell))
            .collect();
        match numbers[..] {
            [time, value] if row.cells.len() == 2 => Ok((time, value * factor)),
            _ => {
                let said = row.cells.join(",");
                Err(text::fault(
                    Kind::Value,
                    row.line,
                    "two finite numbers",
                    &said,
                ))
            }
        }
    };
    sheet
        .rows
        .iter()
        .map(row)
        .collect::<Result<Vec<_>>>()
        .map(|rows| rows.into_iter().unzip())
}

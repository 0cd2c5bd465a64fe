//! The readers of the only record of a file.

use klast_dynamics::ground_motion::{AccelerationUnit, Record};

use super::{ReadOptions, RecordError, RecordFile, at2, columns};

/// Reads the only component of a file of any format that [`RecordFile::read`] knows.
///
/// # Errors
/// Those of [`RecordFile::read`] and [`RecordFile::component`].
pub fn read(bytes: &[u8], unit: Option<AccelerationUnit>) -> Result<Record, RecordError> {
    let options = ReadOptions { unit, step: None };
    let file = RecordFile::read(bytes, &options)?;
    Ok(file.component(None)?.record.clone())
}

/// Reads the text of a PEER .AT2 file: lines of text, a line with NPTS and DT (s), the values, and perhaps a
/// closing line of text. The unit is the word after UNITS ("UNITS OF G", "units are (g)"), one in brackets, the
/// word behind IN ("acceleration in g") or given. A series of velocities or displacements is refused. Exponents may
/// be Fortran's (1.0D-02), and numbers of fixed width may touch where a sign parts them.
pub fn read_at2(text: &str, unit: Option<AccelerationUnit>) -> Result<Record, RecordError> {
    let channel = at2::read(text, &ReadOptions { unit, step: None })?;
    Ok(Record::uniform(
        channel.step,
        &channel.samples,
        AccelerationUnit::MetrePerSecondSquared,
    )?)
}

/// Reads two columns, time (s, or ms where the header says so) and acceleration, between which stand commas,
/// semicolons, blanks or tabs. A comma is a decimal mark where no point stands in the numbers and semicolons, tabs
/// or blanks part them. Lines that start with #, %, ! or // are comments; lines of text before the numbers are a
/// header. The unit is the one given, or the one that header and comments state: the name of a column
/// (`acceleration_m_s2`, `acceleration_cm_s2`, `acceleration_g`), the word after UNITS, or a unit in brackets,
/// "acceleration (g)".
pub fn read_columns(text: &str, unit: Option<AccelerationUnit>) -> Result<Record, RecordError> {
    Ok(columns::read(text, unit)?.0)
}

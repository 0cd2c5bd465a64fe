//! A file of one or more recorded components: its format shows in its content, never in its name.

use klast_numerics::OutOfRange;
use klast_numerics::check::require;
use std::borrow::Cow;

use super::RecordError;
use super::channel::{Channel, ReadOptions};
use super::format::RecordFormat;
use super::plausibility::{peak_remark, plausibility};
use super::{
    at2, clock, columns, commas, components, cosmos, counted, csmip, csmnc, deepsoil, esm, factors,
    geocsv, geonet, knet, labview, obspy, other, rowwise, side_by_side, smc, table, tidied, values,
};
use klast_dynamics::ground_motion::{AccelerationUnit, Record};

/// One component of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordComponent {
    /// Its name in the file ("N-S", "HNE", "360 Deg", "S16W"); empty where the file gives none.
    pub name: String,
    /// Its samples.
    pub record: Record,
}

/// What a file of records holds.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordFile {
    /// The format found.
    pub format: RecordFormat,
    /// At least one component, in the order of the file.
    pub components: Vec<RecordComponent>,
    /// What the reader of a result has to know: what was changed, assumed or does not agree.
    pub remarks: Vec<String>,
}

/// Whether a text is of a format.
type Recogniser = fn(&str) -> bool;
/// The channels of a text of a format.
type Reader = fn(&str, &ReadOptions) -> Result<Vec<Channel>, RecordError>;

/// The formats with a header of their own: whether a text is one, and its reader. The first that says yes reads it.
const FORMATS: [(RecordFormat, Recogniser, Reader); 15] = [
    (RecordFormat::KNet, knet::is_one, knet::read),
    (RecordFormat::Esm, esm::is_one, esm::read),
    (RecordFormat::Cosmos, cosmos::is_one, cosmos::read),
    (RecordFormat::CsmipV1, csmip::is_uncorrected, csmip::read),
    (RecordFormat::CsmipV2, csmip::is_one, csmip::read),
    (RecordFormat::Smc, smc::is_one, smc::read),
    (RecordFormat::GeoNet, geonet::is_one, geonet::read),
    (RecordFormat::Chinese, csmnc::is_one, csmnc::read),
    (
        RecordFormat::Turkish,
        side_by_side::is_turkish,
        side_by_side::read_turkish,
    ),
    (
        RecordFormat::Mexican,
        side_by_side::is_mexican,
        side_by_side::read_mexican,
    ),
    (
        RecordFormat::Japanese,
        side_by_side::is_japanese,
        side_by_side::read_japanese,
    ),
    (
        RecordFormat::Taiwanese,
        side_by_side::is_taiwanese,
        side_by_side::read_taiwanese,
    ),
    (RecordFormat::ObsPy, obspy::is_one, obspy::read),
    (RecordFormat::GeoCsv, geocsv::is_one, geocsv::read),
    (RecordFormat::LabView, labview::is_one, labview::read),
];

/// How often a text may be written anew: without a column or a line that counts its rows, with seconds for a clock,
/// with decimal points.
const REWRITINGS: usize = 4;

impl RecordFile {
    /// Reads the bytes of a file, and decides by them what it is. Bytes that are not UTF-8 are Latin-1, as headers are
    /// written with; a mark of byte order is no content.
    ///
    /// # Errors
    /// [`RecordError::NotARecord`] says what a file seems to be that is no acceleration over seconds;
    /// [`RecordError::Format`] and [`RecordError::Count`] what is wrong in a file of a known format.
    pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Self, RecordError> {
        if let Some(step) = options.step {
            require("step_s", step, step > 0.0, "above 0 s")?;
        }
        other::refuse_bytes(bytes)?;
        let text = with_line_ends(decoded(bytes));
        let known = FORMATS.iter().find(|(_, is_one, _)| is_one(&text));
        let (format, channels) = match known {
            Some((format, _, read)) => (*format, read(&text, options)?),
            None => {
                other::refuse_text(&text)?;
                rowwise::refuse_named(&text)?;
                let text = tidied::tidied(&text);
                let mut file = Self::read_plain(&text, options, REWRITINGS)?;
                file.remarks.extend(factors::factor_told(&text));
                return Ok(file);
            }
        };
        Self::from_channels(format, channels, options)
    }

    /// The formats without a header of their own; the text may be written anew `left` times.
    fn read_plain(text: &str, options: &ReadOptions, left: usize) -> Result<Self, RecordError> {
        let next = left.saturating_sub(1);
        if left > 0
            && let Some(plain) = commas::one_column(text, options)?
        {
            let mut file = Self::read_plain(&plain, options, next)?;
            file.remarks.push(commas::REMARK.to_owned());
            return Ok(file);
        }
        if at2::has_header(text) {
            let channels = vec![at2::read(text, options)?];
            return Self::from_channels(RecordFormat::PeerAt2, channels, options);
        }
        let counted_rows = counted::without(text, options)?.map(|plain| (plain, counted::REMARK));
        let by_a_clock = || clock::in_seconds(text).map(|plain| (plain, clock::REMARK));
        let of_deepsoil = || deepsoil::without_count(text).map(|plain| (plain, deepsoil::REMARK));
        if left > 0
            && let Some((plain, remark)) = counted_rows.or_else(by_a_clock).or_else(of_deepsoil)
        {
            let mut file = Self::read_plain(&plain, options, next)?;
            file.remarks.push(remark.to_owned());
            return Ok(file);
        }
        if let Some(table) = table::components(text, options)? {
            return Self::of_table(table, text, options);
        }
        if let Some(channels) = components::read(text, options)? {
            return Self::from_channels(RecordFormat::Table, channels, options);
        }
        if values::is_one(text, options) {
            let channels = vec![values::read(text, options)?];
            Self::from_channels(RecordFormat::Values, channels, options)
        } else {
            let (record, remarks) = columns::read(text, options.unit)?;
            refuse_step(text, options)?;
            Ok(Self::of_one(
                RecordFormat::Columns,
                String::new(),
                record,
                remarks,
            ))
        }
    }

    /// Each component of a table by the reader of two columns.
    fn of_table(
        table: table::Table,
        text: &str,
        options: &ReadOptions,
    ) -> Result<Self, RecordError> {
        refuse_step(text, options)?;
        let mut file = Self {
            format: RecordFormat::Table,
            components: Vec::new(),
            remarks: table.remarks,
        };
        for component in table.components {
            let (record, remarks) = columns::read(&component.text, table.unit)?;
            let one = Self::of_one(file.format, component.name, record, remarks);
            let told: Vec<String> = one.remarks;
            for remark in told {
                // The commas and the times are the same in all columns.
                if !file.remarks.contains(&remark) {
                    file.remarks.push(remark);
                }
            }
            file.components.extend(one.components);
        }
        Ok(file)
    }

    fn of_one(
        format: RecordFormat,
        name: String,
        record: Record,
        mut remarks: Vec<String>,
    ) -> Self {
        remarks.extend(plausibility(&record));
        let components = vec![RecordComponent { name, record }];
        Self {
            format,
            components,
            remarks,
        }
    }

    fn from_channels(
        format: RecordFormat,
        channels: Vec<Channel>,
        options: &ReadOptions,
    ) -> Result<Self, RecordError> {
        let mut file = Self {
            format,
            components: Vec::new(),
            remarks: Vec::new(),
        };
        let several = channels.len() > 1;
        for channel in channels {
            if let Some(step) = options.step
                && (step - channel.step).abs() > 1e-6 * step
            {
                return Err(OutOfRange::new(
                    "step_s",
                    step,
                    "the step that the file states, or none",
                )
                .into());
            }
            let record = Record::uniform(
                channel.step,
                &channel.samples,
                AccelerationUnit::MetrePerSecondSquared,
            )?;
            let mut remarks = channel.remarks;
            remarks.extend(
                channel
                    .stated_peak
                    .and_then(|peak| peak_remark(peak, &channel.samples)),
            );
            remarks.extend(plausibility(&record));
            let prefix = if several {
                format!("{}: ", channel.name)
            } else {
                String::new()
            };
            file.remarks.extend(
                remarks
                    .into_iter()
                    .map(|remark| format!("{prefix}{remark}")),
            );
            file.components.push(RecordComponent {
                name: channel.name,
                record,
            });
        }
        Ok(file)
    }

    /// The component called `name` (capitals or not), or the only one.
    ///
    /// # Errors
    /// [`RecordError::Component`] with the names that there are.
    pub fn component(&self, name: Option<&str>) -> Result<&RecordComponent, RecordError> {
        let missing = || RecordError::Component {
            asked: name.unwrap_or("none").to_owned(),
            available: self
                .components
                .iter()
                .map(|c| c.name.clone())
                .collect::<Vec<_>>()
                .join(", "),
        };
        match (name, self.components.as_slice()) {
            (None, [only]) => Ok(only),
            (None, _) => Err(missing()),
            (Some(name), components) => {
                let mut good = components
                    .iter()
                    .filter(|c| c.name.eq_ignore_ascii_case(name.trim()));
                match (good.next(), good.next()) {
                    (Some(only), None) => Ok(only),
                    _ => Err(missing()),
                }
            }
        }
    }
}

/// Refuses a step beside a file that has times.
fn refuse_step(text: &str, options: &ReadOptions) -> Result<(), RecordError> {
    match options.step {
        None => Ok(()),
        Some(_) => {
            let needed = "no step_s, as the file has times of its own";
            let first = text.lines().next().unwrap_or("");
            Err(super::text::fault(1, needed, first))
        }
    }
}

/// The text with lines that end: a carriage return alone ended them on old Macintoshes.
fn with_line_ends(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\r') && !text.contains('\n') {
        return Cow::Owned(text.replace('\r', "\n"));
    }
    text
}

/// The text of bytes without the mark of byte order that spreadsheets begin one with; in UTF-16 where that mark says
/// so. In Latin-1 each byte is the character of its number.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let wide = |read: fn([u8; 2]) -> u16| {
        let units = bytes[2..]
            .chunks_exact(2)
            .map(|pair| read([pair[0], pair[1]]));
        char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect::<String>()
    };
    if bytes.starts_with(b"\xff\xfe") {
        return Cow::Owned(wide(u16::from_le_bytes));
    }
    if bytes.starts_with(b"\xfe\xff") {
        return Cow::Owned(wide(u16::from_be_bytes));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

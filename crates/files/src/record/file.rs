//! A file of one or more recorded components: its format shows in its content, never in its name.

use super::channel::{Channel, ReadOptions};
use super::format::RecordFormat;
use super::keyed::{ESM, K_NET};
use super::plausibility::{peak_remark, plausibility};
use super::{at2, columns, commas, cosmos, csmip, factors, geonet, obspy, rowwise, values};
use crate::foreign::{self, Wanted};
use crate::refusal::{Kind, Refusal, Result};
use klast_ground_motion::Record;
use klast_numerics::OutOfRange;
use klast_numerics::check::require;

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
type Reader = fn(&str, &ReadOptions) -> Result<Vec<Channel>>;

/// The formats with a header of their own: whether a text is one, and its reader. The first that says yes reads it.
const FORMATS: [(RecordFormat, Recogniser, Reader); 7] = [
    (
        RecordFormat::KNet,
        |t| K_NET.fits(t),
        |t, o| K_NET.read(t, o),
    ),
    (RecordFormat::Esm, |t| ESM.fits(t), |t, o| ESM.read(t, o)),
    (RecordFormat::Cosmos, cosmos::is_one, cosmos::read),
    (RecordFormat::CsmipV1, csmip::is_uncorrected, csmip::read),
    (RecordFormat::CsmipV2, csmip::is_one, csmip::read),
    (RecordFormat::GeoNet, geonet::is_one, geonet::read),
    (RecordFormat::ObsPy, obspy::is_one, obspy::read),
];

impl RecordFile {
    /// Reads the bytes of a file, and decides by them what it is; columns that the options name are read of any table.
    /// Bytes that are not UTF-8 are Latin-1, as headers are written with; a mark of byte order is no content.
    ///
    /// # Errors
    /// [`Kind::Foreign`] and [`Kind::Quantity`] say what a file seems to be that is no acceleration over seconds;
    /// others what is wrong in a file of a known format.
    pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Self> {
        if let Some(step) = options.step {
            require("step_s", step, step > 0.0, "above 0 s")?;
        }
        refuse_bytes(bytes)?;
        let text = decoded(bytes);
        if options.has_columns() {
            return Self::read_plain(&text, options);
        }
        if let Some((format, _, read)) = FORMATS.iter().find(|(_, is_one, _)| is_one(&text)) {
            return Self::from_channels(*format, read(&text, options)?, options);
        }
        if !at2::has_header(&text) || !text.contains("NPTS") {
            foreign::refuse(Wanted::Record, "", bytes)?;
        }
        refuse_sac(&text)?;
        rowwise::refuse_named(&text)?;
        let mut file = Self::read_plain(&text, options)?;
        file.remarks.extend(factors::factor_told(&text));
        Ok(file)
    }

    /// The formats without a header of their own.
    fn read_plain(text: &str, options: &ReadOptions) -> Result<Self> {
        // The typographic minus is that of the keyboard.
        let text = text.replace('\u{2212}', "-");
        if !options.has_columns() {
            if let Some(plain) = commas::one_column(&text, options)? {
                let mut file = Self::read_plain(&plain, options)?;
                file.remarks.push(columns::COMMAS.to_owned());
                return Ok(file);
            }
            if at2::has_header(&text) {
                let channels = vec![at2::read(&text, options)?];
                return Self::from_channels(RecordFormat::PeerAt2, channels, options);
            }
        }
        let Some(found) = columns::read(&text, options)? else {
            let channels = vec![values::read(&text, options)?];
            return Self::from_channels(RecordFormat::Values, channels, options);
        };
        let mut remarks = found.remarks;
        let mut components = Vec::new();
        for (name, record) in found.components {
            // The times are the same in all columns.
            let told = plausibility(&record).into_iter();
            let told: Vec<String> = told.filter(|remark| !remarks.contains(remark)).collect();
            remarks.extend(told);
            components.push(RecordComponent { name, record });
        }
        Ok(Self {
            format: found.format,
            components,
            remarks,
        })
    }

    fn from_channels(
        format: RecordFormat,
        channels: Vec<Channel>,
        options: &ReadOptions,
    ) -> Result<Self> {
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
                let other =
                    OutOfRange::new("step_s", step, "the step that the file states, or none");
                return Err(Refusal::new(Kind::Contradiction, other.to_string()));
            }
            let record = channel.record()?;
            let mut remarks = channel.remarks;
            let peak = channel.stated_peak;
            remarks.extend(peak.and_then(|peak| peak_remark(peak, &channel.samples)));
            remarks.extend(plausibility(&record));
            let prefix = if several {
                format!("{}: ", channel.name)
            } else {
                String::new()
            };
            let remarks = remarks
                .into_iter()
                .map(|remark| format!("{prefix}{remark}"));
            file.remarks.extend(remarks);
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
    /// [`Kind::Several`] with the names that there are.
    pub fn component(&self, name: Option<&str>) -> Result<&RecordComponent> {
        let missing = || {
            let names: Vec<&str> = self.components.iter().map(|c| c.name.as_str()).collect();
            let found = format!("the file has the components {}", names.join(", "));
            let refusal = Refusal::new(Kind::Several, found).accepting("one of them");
            refusal.at(format!("component {}", name.unwrap_or("none")))
        };
        match (name, self.components.as_slice()) {
            (None, [only]) => Ok(only),
            (None, _) => Err(missing()),
            (Some(name), components) => {
                let is = |c: &&RecordComponent| c.name.eq_ignore_ascii_case(name.trim());
                let mut good = components.iter().filter(is);
                match (good.next(), good.next()) {
                    (Some(only), None) => Ok(only),
                    _ => Err(missing()),
                }
            }
        }
    }
}

/// Refuses bytes that are no text.
fn refuse_bytes(bytes: &[u8]) -> Result<()> {
    foreign::refuse_binary_record(bytes)?;
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let head = &bytes[..bytes.len().min(4096)];
    // A text may hold a stray zero, as headers of old files do.
    let control = |byte: u8| byte < 0x20 && !b"\t\n\x0b\x0c\r\x1a".contains(&byte);
    let strange = head.iter().filter(|byte| control(**byte)).count();
    match wide || 100 * strange <= head.len() {
        true => Ok(()),
        false => Err(foreign::binary_record(bytes)),
    }
}

/// Refuses the letters of SAC, whose value for what is not known stands in a header of thirty lines.
fn refuse_sac(text: &str) -> Result<()> {
    let unknown = text.lines().take(30).filter(|line| line.contains("-12345"));
    if unknown.count() <= 10 {
        return Ok(());
    }
    let refusal = Refusal::new(Kind::Foreign, "this seems to be a SAC file in letters");
    Err(refusal.accepting(
        "its values alone, below the thirty lines of its header, with the step (its first number) as step_s",
    ))
}

/// The text of bytes without the mark of byte order that spreadsheets begin one with; in UTF-16 where that mark says
/// so. In Latin-1 each byte is the character of its number. A carriage return alone ended lines on old Macintoshes.
fn decoded(bytes: &[u8]) -> String {
    let wide = |read: fn([u8; 2]) -> u16| {
        let units = bytes[2..]
            .chunks_exact(2)
            .map(|pair| read([pair[0], pair[1]]));
        let letters = char::decode_utf16(units);
        letters
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect::<String>()
    };
    let text = match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            let latin = || bytes.iter().map(|byte| char::from(*byte)).collect();
            std::str::from_utf8(bytes).map_or_else(|_| latin(), str::to_owned)
        }
    };
    match text.contains('\n') {
        true => text,
        false => text.replace('\r', "\n"),
    }
}

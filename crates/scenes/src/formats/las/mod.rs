//! LAS and LAZ point clouds (ASPRS LAS 1.0 to 1.4, formats 0 to 10): the points of some classes, and the CRS, for a
//! raster.

mod cloud;
#[cfg(feature = "laz")]
mod laz;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};
use glam::{DVec2, DVec3};

use super::geotiff::Keys;
use crate::crs::{Crs, agreed};

pub use cloud::{Choice, raster};

/// Bytes of a record before those that users add, by format.
const LENGTHS: [usize; 11] = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67];
/// Records of other kinds before the points: more are no file of points.
const MOST_RECORDS: u32 = 10_000;

/// What the header and its records say.
#[derive(Debug)]
pub struct Header<'a> {
    bytes: &'a [u8],
    /// `1.4`, format 6.
    pub version: (u8, u8),
    /// Format of the points.
    pub format: usize,
    /// Whether the points are compressed.
    pub packed: bool,
    /// Number of points.
    pub count: u64,
    /// Corners of the box around all points.
    pub lower: DVec3,
    /// The other corner.
    pub upper: DVec3,
    /// Step of the coordinates.
    pub scale: DVec3,
    offset: DVec3,
    start: usize,
    length: usize,
    /// User, number and bytes of the records beside the points.
    records: Vec<(String, u16, &'a [u8])>,
    wkt: bool,
}

/// A point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where it is.
    pub at: DVec3,
    /// Its class: 2 is ground.
    pub class: u8,
    /// Whether it is kept in the file and not to be used.
    pub withheld: bool,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N]> {
    let found = at
        .checked_add(N)
        .and_then(|end| bytes.get(at..end)?.try_into().ok());
    found.context("the file breaks off")
}

fn word(bytes: &[u8], at: usize) -> Result<u32> {
    Ok(u32::from_le_bytes(number(bytes, at)?))
}

fn long(bytes: &[u8], at: usize) -> Result<u64> {
    Ok(u64::from_le_bytes(number(bytes, at)?))
}

fn short(bytes: &[u8], at: usize) -> Result<u16> {
    Ok(u16::from_le_bytes(number(bytes, at)?))
}

fn double(bytes: &[u8], at: usize) -> Result<f64> {
    Ok(f64::from_le_bytes(number(bytes, at)?))
}

impl<'a> Header<'a> {
    /// Reads what stands before and behind the points.
    ///
    /// # Errors
    /// What is no LAS file, or none of a version and a format that are read.
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        ensure!(
            bytes.starts_with(b"LASF"),
            "it does not begin with LASF; accepted: a LAS or LAZ file"
        );
        let [major, minor] = number(bytes, 24)?;
        ensure!(
            major == 1 && minor <= 4,
            "LAS {major}.{minor}; accepted: 1.0 to 1.4"
        );
        let [kind] = number(bytes, 104)?;
        // LASzip marks what it packed by the highest bits.
        let (packed, format) = (kind & 0xc0 != 0, usize::from(kind & 0x3f));
        let length = usize::from(short(bytes, 105)?);
        let Some(&least) = LENGTHS.get(format) else {
            bail!("points of format {format}; accepted: 0 to 10");
        };
        ensure!(
            length >= least,
            "points of {length} bytes; accepted: {least} or more in format {format}"
        );
        let vector = |at: usize, step: usize| -> Result<DVec3> {
            Ok(DVec3::new(
                double(bytes, at)?,
                double(bytes, at + step)?,
                double(bytes, at + 2 * step)?,
            ))
        };
        let count = match minor {
            4.. => long(bytes, 247)?,
            _ => u64::from(word(bytes, 107)?),
        };
        let mut header = Self {
            bytes,
            version: (major, minor),
            format,
            packed,
            count,
            scale: vector(131, 8)?,
            offset: vector(155, 8)?,
            upper: vector(179, 16)?,
            lower: vector(187, 16)?,
            start: word(bytes, 96)? as usize,
            length,
            records: Vec::new(),
            wkt: short(bytes, 6)? & 16 != 0,
        };
        let finite = [header.scale, header.offset, header.lower, header.upper]
            .iter()
            .all(|v| v.is_finite());
        ensure!(
            finite && header.scale.min_element() > 0.0,
            "a scale, an offset or a box that is not finite"
        );
        let records = word(bytes, 100)?;
        header.beside(usize::from(short(bytes, 94)?), records, 54)?;
        if minor >= 4 {
            let (at, records) = (long(bytes, 235)?, word(bytes, 243)?);
            header.beside(usize::try_from(at)?, records, 60)?;
        }
        let most = bytes.len().saturating_sub(header.start) as u64;
        ensure!(
            packed || header.count.saturating_mul(length as u64) <= most,
            "{} points of {length} bytes; the file has room for {}",
            header.count,
            most / length as u64
        );
        Ok(header)
    }

    /// Records before the points (their length has 2 bytes) and behind them (8 bytes).
    fn beside(&mut self, mut at: usize, count: u32, head: usize) -> Result<()> {
        ensure!(
            count <= MOST_RECORDS,
            "{count} records beside the points; accepted: up to {MOST_RECORDS}"
        );
        for _ in 0..count {
            let user: [u8; 16] = number(self.bytes, at + 2)?;
            let user = String::from_utf8_lossy(&user)
                .trim_end_matches('\0')
                .to_owned();
            let id = short(self.bytes, at + 18)?;
            let size = match head {
                54 => u64::from(short(self.bytes, at + 20)?),
                _ => long(self.bytes, at + 20)?,
            };
            let end = usize::try_from(size)
                .ok()
                .and_then(|s| (at + head).checked_add(s));
            let body = end.and_then(|end| self.bytes.get(at + head..end));
            self.records
                .push((user, id, body.context("a record that breaks off")?));
            at = end.unwrap_or_default();
        }
        Ok(())
    }

    fn record(&self, user: &str, id: u16) -> Option<&'a [u8]> {
        let found = self.records.iter().find(|(u, i, _)| u == user && *i == id);
        found.map(|(_, _, bytes)| *bytes)
    }

    /// The CRS and metres a unit of height: WKT where the header says so, else GeoTIFF keys; both must agree.
    ///
    /// # Errors
    /// Definitions that are not understood or contradict each other.
    pub fn crs(&self, cautions: &mut Vec<String>) -> Result<(Option<Crs>, Option<f64>)> {
        const PROJECTION: &str = "LASF_Projection";
        let words = |bytes: &[u8]| -> Vec<u64> {
            bytes
                .chunks_exact(2)
                .map(|b| u64::from(u16::from_le_bytes([b[0], b[1]])))
                .collect()
        };
        let doubles = |bytes: &[u8]| -> Vec<f64> {
            let eight = bytes
                .chunks_exact(8)
                .filter_map(|b| Some(f64::from_le_bytes(b.try_into().ok()?)));
            eight.collect()
        };
        let keys = self.record(PROJECTION, 34735).map(|list| {
            let numbers = self
                .record(PROJECTION, 34736)
                .map(doubles)
                .unwrap_or_default();
            let text = self.record(PROJECTION, 34737).unwrap_or_default();
            Keys::of(&words(list), &numbers, &String::from_utf8_lossy(text))
        });
        let text = self.record(PROJECTION, 2112).map(String::from_utf8_lossy);
        let text = text
            .as_deref()
            .map(|t| t.trim_matches(['\0', ' ', '\n', '\r']));
        let of_text = text
            .filter(|t| !t.is_empty())
            .map(Crs::parse)
            .transpose()
            .context("WKT")?;
        let of_keys = keys.as_ref().map(Keys::crs).transpose()?.flatten();
        let unit = keys.as_ref().map(Keys::height_unit).transpose()?.flatten();
        let (text, keys) = (("the WKT", of_text), ("the GeoTIFF keys", of_keys));
        let found = if self.wkt {
            [text, keys, ("", None)]
        } else {
            [keys, text, ("", None)]
        };
        let crs = agreed(found, self.centre(), cautions)?;
        Ok((crs, unit))
    }

    /// The middle of the box in plan.
    #[must_use]
    pub fn centre(&self) -> DVec2 {
        0.5 * (self.lower + self.upper).truncate()
    }

    /// Every point in its order.
    ///
    /// # Errors
    /// Points that break off or are not unpacked; what the caller gives.
    pub fn points(&self, each: &mut dyn FnMut(Point) -> Result<()>) -> Result<()> {
        let mut one = |record: &[u8]| each(self.point(record));
        if self.packed {
            return self.unpack(&mut one);
        }
        let all = self.bytes.get(self.start..).unwrap_or_default();
        let count = usize::try_from(self.count)?;
        all.chunks_exact(self.length)
            .take(count)
            .try_for_each(&mut one)
    }

    #[cfg(not(feature = "laz"))]
    fn unpack(&self, _: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        bail!(
            "points packed by LASzip (feature laz); accepted: LAS (`laszip -i in.laz -o out.las`, `pdal translate in.laz out.las`)"
        )
    }

    /// A point of a record, which is as long as its format.
    fn point(&self, record: &[u8]) -> Point {
        let steps = [0, 4, 8]
            .map(|k| i32::from_le_bytes([record[k], record[k + 1], record[k + 2], record[k + 3]]));
        let at = DVec3::from_array(steps.map(f64::from)) * self.scale + self.offset;
        let (class, withheld) = match self.format {
            0..6 => (record[15] & 31, record[15] & 128 != 0),
            _ => (record[16], record[15] & 4 != 0),
        };
        Point {
            at,
            class,
            withheld,
        }
    }
}

/// Names of the classes that engineers ask for.
#[must_use]
pub fn class_name(class: u8) -> &'static str {
    match class {
        0 => "never classified",
        1 => "unclassified",
        2 => "ground",
        3..=5 => "vegetation",
        6 => "buildings",
        7 | 18 => "noise",
        8 => "key points",
        9 => "water",
        12 => "overlap",
        17 => "bridges",
        _ => "others",
    }
}

/// Classes with their numbers of points: `2 (ground): 800, 5 (vegetation): 12`.
fn counted(classes: &BTreeMap<u8, u64>) -> String {
    let line = |(class, count): (&u8, &u64)| format!("{class} ({}): {count}", class_name(*class));
    classes.iter().map(line).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;

//! LAS and LAZ point clouds (ASPRS LAS 1.0 to 1.4, formats 0 to 10): the points of some classes, and the CRS, for a
//! raster.

mod gridded;
mod laz;

use crate::refusal::{Context as _, Result, bail, ensure, refusal};
use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};

use glam::{DVec2, DVec3};

use crate::crs::{Crs, agreed};
use crate::raster::geotiff::Keys;

pub use gridded::{Choice, raster};

/// Bytes of a record before those that users add, by format.
const LENGTHS: [usize; 11] = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67];
/// Users of the records that say where points are and how they are packed.
const PROJECTION: &str = "LASF_Projection";
const LASZIP: &str = "laszip encoded";
/// A definition of a CRS is not as long.
const LONGEST_RECORD: u64 = 1 << 20;
/// Records of other kinds before the points: more are no file of points.
const MOST_RECORDS: u32 = 10_000;

/// What the header and its records say.
#[derive(Debug)]
struct Header {
    /// `1.4`, format 6.
    version: (u8, u8),
    /// Format of the points.
    format: usize,
    /// Whether the points are compressed.
    packed: bool,
    /// Number of points.
    count: u64,
    /// Corners of the box around all points.
    lower: DVec3,
    /// The other corner.
    upper: DVec3,
    /// Step of the coordinates.
    scale: DVec3,
    offset: DVec3,
    start: u64,
    length: usize,
    /// User, number and bytes of the records that say what the points are.
    records: Vec<(String, u16, Vec<u8>)>,
    wkt: bool,
}

/// A point.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    /// Where it is.
    at: DVec3,
    /// Its class: 2 is ground.
    class: u8,
    /// Whether it is kept in the file and not to be used.
    withheld: bool,
}

/// A file that is read a piece at a time.
#[derive(Debug)]
struct Source<R> {
    from: R,
    size: u64,
}

impl<R: Read + Seek> Source<R> {
    fn new(mut from: R) -> Result<Self> {
        let size = from.seek(SeekFrom::End(0))?;
        Ok(Self { from, size })
    }

    /// Fills a buffer with what stands at a place.
    fn fill(&mut self, at: u64, buffer: &mut [u8]) -> Result<()> {
        let end = at.checked_add(buffer.len() as u64);
        ensure!(
            end.is_some_and(|end| end <= self.size),
            Truncated,
            "the file breaks off"
        );
        self.from.seek(SeekFrom::Start(at))?;
        self.from
            .read_exact(buffer)
            .context("the file cannot be read")
    }

    fn number<const N: usize>(&mut self, at: u64) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(at, &mut bytes)?;
        Ok(bytes)
    }

    fn word(&mut self, at: u64) -> Result<u32> {
        Ok(u32::from_le_bytes(self.number(at)?))
    }

    fn long(&mut self, at: u64) -> Result<u64> {
        Ok(u64::from_le_bytes(self.number(at)?))
    }

    fn short(&mut self, at: u64) -> Result<u16> {
        Ok(u16::from_le_bytes(self.number(at)?))
    }

    fn double(&mut self, at: u64) -> Result<f64> {
        Ok(f64::from_le_bytes(self.number(at)?))
    }

    fn vector(&mut self, at: u64, step: u64) -> Result<DVec3> {
        Ok(DVec3::new(
            self.double(at)?,
            self.double(at + step)?,
            self.double(at + 2 * step)?,
        ))
    }
}

impl Header {
    /// Reads what stands before and behind the points.
    ///
    /// # Errors
    /// What is no LAS file, or none of a version and a format that are read.
    fn read<R: Read + Seek>(source: &mut Source<R>) -> Result<Self> {
        ensure!(
            source.number(0).is_ok_and(|four: [u8; 4]| four == *b"LASF"),
            Syntax, "it does not begin with LASF"; "a LAS or LAZ file"
        );
        let [major, minor] = source.number(24)?;
        ensure!(major == 1 && minor <= 4, Unsupported, "LAS {major}.{minor}"; "1.0 to 1.4");
        let [kind] = source.number(104)?;
        // LASzip marks what it packed by the highest bits.
        let (packed, format) = (kind & 0xc0 != 0, usize::from(kind & 0x3f));
        let length = usize::from(source.short(105)?);
        let Some(&least) = LENGTHS.get(format) else {
            bail!(Unsupported, "points of format {format}"; "0 to 10");
        };
        ensure!(length >= least, Unsupported, "points of {length} bytes"; "{least} or more in format {format}");
        let count = match minor {
            4.. => source.long(247)?,
            _ => u64::from(source.word(107)?),
        };
        let mut header = Self {
            version: (major, minor),
            format,
            packed,
            count,
            scale: source.vector(131, 8)?,
            offset: source.vector(155, 8)?,
            upper: source.vector(179, 16)?,
            lower: source.vector(187, 16)?,
            start: u64::from(source.word(96)?),
            length,
            records: Vec::new(),
            wkt: source.short(6)? & 16 != 0,
        };
        let finite = [header.scale, header.offset, header.lower, header.upper]
            .iter()
            .all(|v| v.is_finite());
        ensure!(
            finite && header.scale.min_element() > 0.0,
            Value,
            "a scale, an offset or a box that is not finite"
        );
        let records = source.word(100)?;
        let at = u64::from(source.short(94)?);
        header.beside(source, at, records, 54)?;
        if minor >= 4 {
            let (at, records) = (source.long(235)?, source.word(243)?);
            header.beside(source, at, records, 60)?;
        }
        let most = source.size.saturating_sub(header.start);
        ensure!(
            packed || header.count.saturating_mul(length as u64) <= most,
            Truncated,
            "{} points of {length} bytes; the file has room for {}",
            header.count,
            most / length as u64
        );
        Ok(header)
    }

    /// Records before the points (their length has 2 bytes) and behind them (8 bytes). Of those that do not say what
    /// the points are nothing is read.
    fn beside<R: Read + Seek>(
        &mut self,
        source: &mut Source<R>,
        mut at: u64,
        count: u32,
        head: u64,
    ) -> Result<()> {
        ensure!(count <= MOST_RECORDS, TooLarge, "{count} records beside the points"; "up to {MOST_RECORDS}");
        for _ in 0..count {
            let user: [u8; 16] = source.number(at.saturating_add(2))?;
            let user = String::from_utf8_lossy(&user)
                .trim_end_matches('\0')
                .to_owned();
            let id = source.short(at + 18)?;
            let size = match head {
                54 => u64::from(source.short(at + 20)?),
                _ => source.long(at + 20)?,
            };
            let end = (at + head).checked_add(size);
            let end = end.filter(|end| *end <= source.size);
            let end = end.ok_or_else(|| refusal!(Truncated, "a record that breaks off"))?;
            if user == PROJECTION || user == LASZIP {
                ensure!(
                    size <= LONGEST_RECORD,
                    TooLarge, "a record of {user} of {size} bytes"; "up to {LONGEST_RECORD}"
                );
                let mut body = vec![0; size as usize];
                source.fill(at + head, &mut body)?;
                self.records.push((user, id, body));
            }
            at = end;
        }
        Ok(())
    }

    fn record(&self, user: &str, id: u16) -> Option<&[u8]> {
        let found = self.records.iter().find(|(u, i, _)| u == user && *i == id);
        found.map(|(_, _, bytes)| bytes.as_slice())
    }

    /// The CRS and metres a unit of height: WKT where the header says so, else GeoTIFF keys; both must agree.
    ///
    /// # Errors
    /// Definitions that are not understood or contradict each other.
    fn crs(&self, cautions: &mut Vec<String>) -> Result<(Option<Crs>, Option<f64>)> {
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
    fn centre(&self) -> DVec2 {
        0.5 * (self.lower + self.upper).truncate()
    }

    /// Every point in its order; one is held at a time, of packed ones a chunk.
    ///
    /// # Errors
    /// Points that break off or are not unpacked; what the caller gives.
    fn points<R: Read + Seek + Send + Sync>(
        &self,
        source: &mut Source<R>,
        each: &mut dyn FnMut(Point) -> Result<()>,
    ) -> Result<()> {
        let mut one = |record: &[u8]| each(self.point(record)?);
        if self.packed {
            return self.unpack(source, &mut one).context("LASzip");
        }
        source.from.seek(SeekFrom::Start(self.start))?;
        let mut record = vec![0_u8; self.length];
        for _ in 0..self.count {
            source
                .from
                .read_exact(&mut record)
                .context("the file cannot be read")?;
            one(&record)?;
        }
        Ok(())
    }

    /// A point of a record, which is as long as its format.
    ///
    /// # Errors
    /// A coordinate at an end of its range: writers cut off there what an offset far from the points makes too large
    /// (CloudCompare, issue 2371), and no repair of the header brings it back.
    fn point(&self, record: &[u8]) -> Result<Point> {
        let steps = [0, 4, 8]
            .map(|k| i32::from_le_bytes([record[k], record[k + 1], record[k + 2], record[k + 3]]));
        for (axis, step) in ["x", "y", "z"].into_iter().zip(steps) {
            ensure!(
                ![i32::MIN, i32::MAX].contains(&step),
                Value, "{axis} of a point is cut off at the end of the range of the file, so that it is lost";
                "the cloud exported anew from its source, with an offset near its points (here {}, {}, {})",
                self.offset.x, self.offset.y, self.offset.z
            );
        }
        let at = DVec3::from_array(steps.map(f64::from)) * self.scale + self.offset;
        let (class, withheld) = match self.format {
            0..6 => (record[15] & 31, record[15] & 128 != 0),
            _ => (record[16], record[15] & 4 != 0),
        };
        Ok(Point {
            at,
            class,
            withheld,
        })
    }
}

/// Names of the classes that engineers ask for.
fn class_name(class: u8) -> &'static str {
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

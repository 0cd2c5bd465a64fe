//! Directories of a TIFF file: both byte orders, 4- and 8-byte offsets. Nothing is taken that the file does not hold.

use crate::refusal::{Result, bail, ensure, refusal};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::sync::{Mutex, PoisonError};

/// More directories than this are no raster.
const MOST_DIRECTORIES: usize = 256;

/// The bytes of a file: at hand, or read where they are asked for.
pub trait Bytes: Sync {
    /// How many there are.
    fn length(&self) -> u64;

    /// Some of them; none where the file does not hold them all.
    fn at(&self, start: u64, count: usize) -> Option<Cow<'_, [u8]>>;
}

impl Bytes for &[u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn at(&self, start: u64, count: usize) -> Option<Cow<'_, [u8]>> {
        let start = usize::try_from(start).ok()?;
        Some(self.get(start..start.checked_add(count)?)?.into())
    }
}

/// A file on the disk of which little is read.
#[derive(Debug)]
pub struct OnDisk {
    file: Mutex<std::fs::File>,
    length: u64,
}

impl OnDisk {
    /// Opens it.
    ///
    /// # Errors
    /// A file that cannot be opened.
    pub fn open(path: &std::path::Path) -> std::io::Result<Self> {
        let file = std::fs::File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self {
            file: Mutex::new(file),
            length,
        })
    }
}

impl Bytes for OnDisk {
    fn length(&self) -> u64 {
        self.length
    }

    fn at(&self, start: u64, count: usize) -> Option<Cow<'_, [u8]>> {
        // Nothing is taken that the file does not hold.
        let end = start.checked_add(count as u64)?;
        let mut bytes = vec![0; (end <= self.length).then_some(count)?];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes.into())
    }
}

/// The bytes of a file and how they are to be read.
#[derive(Clone, Copy)]
pub struct Tiff<'a> {
    source: &'a dyn Bytes,
    /// Whether the first byte of a number is its largest.
    pub big_endian: bool,
    long: bool,
}

/// One entry: type, number of values and where they are.
#[derive(Debug, Clone, Copy)]
struct Entry {
    kind: u16,
    count: usize,
    at: usize,
}

/// One image: its tags.
#[derive(Debug, Clone, Default)]
pub struct Directory {
    entries: BTreeMap<u16, Entry>,
}

impl<'a> Tiff<'a> {
    /// The file and its directories in their order.
    ///
    /// # Errors
    /// Anything that is not a TIFF file.
    pub fn open(source: &'a dyn Bytes) -> Result<(Self, Vec<Directory>)> {
        let big_endian = match source.at(0, 2).as_deref() {
            Some(b"II") => false,
            Some(b"MM") => true,
            _ => bail!(Syntax, "not a TIFF file: it begins with neither II nor MM"),
        };
        let mut tiff = Self {
            source,
            big_endian,
            long: false,
        };
        let version = tiff.integer(2, 2)?;
        let mut at = match version {
            42 => tiff.integer(4, 4)?,
            43 => {
                tiff.long = true;
                ensure!(
                    tiff.integer(4, 2)? == 8,
                    Syntax,
                    "BigTIFF with offsets that are not 8 bytes"
                );
                tiff.integer(8, 8)?
            }
            other => bail!(Unsupported, "not a TIFF file: version {other}"; "42 and 43"),
        };
        let mut directories = Vec::new();
        let mut seen = Vec::new();
        while at != 0 {
            ensure!(
                !seen.contains(&at) && seen.len() < MOST_DIRECTORIES,
                TooLarge,
                "directories that run in a circle, or more than {MOST_DIRECTORIES}"
            );
            seen.push(at);
            let (directory, next) = tiff.directory(at)?;
            directories.push(directory);
            at = next;
        }
        ensure!(!directories.is_empty(), Missing, "no image");
        Ok((tiff, directories))
    }

    fn directory(&self, at: u64) -> Result<(Directory, u64)> {
        let at = usize::try_from(at)?;
        let (head, step, size) = if self.long { (8, 20, 8) } else { (2, 12, 4) };
        let count = usize::try_from(self.integer(at, head)?)?;
        let start = at + head;
        let end = count.checked_mul(step).and_then(|n| n.checked_add(start));
        let end = end.filter(|e| *e as u64 <= self.length());
        let end =
            end.ok_or_else(|| refusal!(Truncated, "a directory that the file does not hold"))?;
        let mut entries = BTreeMap::new();
        for entry in (start..end).step_by(step) {
            let tag = self.integer(entry, 2)? as u16;
            let kind = self.integer(entry + 2, 2)? as u16;
            let count = usize::try_from(self.integer(entry + 4, size)?)?;
            let place = entry + 4 + size;
            let Some(length) = size_of(kind).and_then(|n| n.checked_mul(count)) else {
                continue;
            };
            let at = match length <= size {
                true => place,
                false => usize::try_from(self.integer(place, size)?)?,
            };
            let held = at
                .checked_add(length)
                .is_some_and(|e| e as u64 <= self.length());
            ensure!(
                held,
                Truncated,
                "tag {tag} has {count} values that the file does not hold"
            );
            entries.insert(tag, Entry { kind, count, at });
        }
        // The offset of the next directory may be cut off where there is none.
        let next = self.integer(end, size).unwrap_or(0);
        Ok((Directory { entries }, next))
    }

    /// An unsigned integer of 1 to 8 bytes.
    fn integer(&self, at: usize, size: usize) -> Result<u64> {
        Ok(self.number(&self.bytes(at as u64, size as u64)?))
    }

    fn number(&self, bytes: &[u8]) -> u64 {
        let add = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        match self.big_endian {
            true => bytes.iter().fold(0, add),
            false => bytes.iter().rev().fold(0, add),
        }
    }

    /// The values of a tag as whole numbers; none without the tag.
    ///
    /// # Errors
    /// A tag of another type.
    pub fn integers(&self, directory: &Directory, tag: u16) -> Result<Option<Vec<u64>>> {
        let Some(entry) = directory.entries.get(&tag) else {
            return Ok(None);
        };
        let size = match entry.kind {
            1 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 13 => 4,
            16..=18 => 8,
            other => bail!(Unsupported, "tag {tag} is of type {other}"; "whole numbers"),
        };
        let bytes = self.bytes(entry.at as u64, (entry.count * size) as u64)?;
        let values = bytes.chunks_exact(size).map(|value| self.number(value));
        Ok(Some(values.collect()))
    }

    /// The first value of a tag as a whole number.
    ///
    /// # Errors
    /// As [`Tiff::integers`].
    pub fn first(&self, directory: &Directory, tag: u16) -> Result<Option<u64>> {
        let values = self.integers(directory, tag)?;
        Ok(values.and_then(|v| v.first().copied()))
    }

    /// The values of a tag as doubles; none without the tag.
    ///
    /// # Errors
    /// A tag of another type, a value that is not finite.
    pub fn doubles(&self, directory: &Directory, tag: u16) -> Result<Option<Vec<f64>>> {
        let Some(entry) = directory.entries.get(&tag) else {
            return Ok(None);
        };
        let (kind, at) = (entry.kind, entry.at);
        let value = |k: usize| -> Result<f64> {
            Ok(match kind {
                11 => f64::from(f32::from_bits(self.integer(at + 4 * k, 4)? as u32)),
                12 => f64::from_bits(self.integer(at + 8 * k, 8)?),
                other => {
                    bail!(Unsupported, "tag {tag} is of type {other}"; "floating-point numbers")
                }
            })
        };
        let values = (0..entry.count).map(value).collect::<Result<Vec<f64>>>()?;
        let finite = values.iter().all(|v| v.is_finite());
        ensure!(finite, Value, "tag {tag} holds a number that is not finite");
        Ok(Some(values))
    }

    /// The text of a tag, without the zeros at its end; none without the tag.
    #[must_use]
    pub fn text(&self, directory: &Directory, tag: u16) -> Option<String> {
        let entry = directory.entries.get(&tag)?;
        let bytes = match entry.kind {
            1 | 2 | 6 | 7 => self.source.at(entry.at as u64, entry.count)?,
            _ => return None,
        };
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
        };
        Some(text.trim_end_matches('\0').to_owned())
    }

    /// Bytes of the file.
    ///
    /// # Errors
    /// Bytes beyond its end.
    pub fn bytes(&self, offset: u64, count: u64) -> Result<Cow<'a, [u8]>> {
        let end = offset
            .checked_add(count)
            .ok_or_else(|| refusal!(Syntax, "an offset beyond the file"))?;
        let found = self.source.at(offset, usize::try_from(count)?);
        found.ok_or_else(|| refusal!(Truncated, "the file breaks off before byte {end}"))
    }

    /// Length of the file.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.source.length()
    }
}

impl Directory {
    /// Whether a tag is there.
    #[must_use]
    pub fn has(&self, tag: u16) -> bool {
        self.entries.contains_key(&tag)
    }
}

/// Bytes of a value of a type; none of a type that is not in the format.
fn size_of(kind: u16) -> Option<usize> {
    Some(match kind {
        1 | 2 | 6 | 7 => 1,
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16..=18 => 8,
        _ => return None,
    })
}

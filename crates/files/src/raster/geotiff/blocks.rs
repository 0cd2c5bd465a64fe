//! Strips and tiles of an image: found, decompressed, their predictor undone, their samples read.

use crate::command::Command;
use crate::refusal::{Context as _, Refusal, Result, bail, ensure, refusal};
use std::io::Read as _;
use std::ops::Range;

use super::container::{Directory, Tiff};
use super::samples::{self, Kind};

/// Doubles that a file of any size may ask for (bytes), and those that a larger file may ask for a byte of its own.
const SMALL: u64 = 256 << 20;
const LARGEST: u64 = 1 << 30;
const TIMES: u64 = 64;

mod tag {
    pub const WIDTH: u16 = 256;
    pub const LENGTH: u16 = 257;
    pub const BITS: u16 = 258;
    pub const COMPRESSION: u16 = 259;
    pub const FILL_ORDER: u16 = 266;
    pub const STRIP_OFFSETS: u16 = 273;
    pub const SAMPLES: u16 = 277;
    pub const ROWS_PER_STRIP: u16 = 278;
    pub const STRIP_COUNTS: u16 = 279;
    pub const PLANAR: u16 = 284;
    pub const PREDICTOR: u16 = 317;
    pub const TILE_WIDTH: u16 = 322;
    pub const TILE_LENGTH: u16 = 323;
    pub const TILE_OFFSETS: u16 = 324;
    pub const TILE_COUNTS: u16 = 325;
    pub const FORMAT: u16 = 339;
}

/// Methods of compression that are known by name, and whether they are read.
const METHODS: [(u64, &str, bool); 18] = [
    (1, "none", true),
    (2, "CCITT RLE", false),
    (3, "CCITT fax 3", false),
    (4, "CCITT fax 4", false),
    (5, "LZW", true),
    (6, "old JPEG", false),
    (7, "JPEG", false),
    (8, "deflate", true),
    (32_773, "packbits", true),
    (32_946, "deflate", true),
    (34_712, "JPEG 2000", false),
    (34_887, "LERC", false),
    (34_925, "LZMA", false),
    (50_000, "zstd", true),
    (50_001, "WebP", false),
    (50_002, "JPEG XL", false),
    (52_546, "JPEG XL", false),
    (33_003, "JPEG 2000", false),
];

/// Takes a piece of a row: which band, row from the north, first column, samples (none where the file leaves them out).
pub type Put<'a> = dyn FnMut(usize, usize, usize, Option<&[f64]>) + 'a;

/// Columns and rows (from the first of the file) that are read.
#[derive(Debug, Clone)]
pub struct Window {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

/// How an image is cut and packed.
#[derive(Debug, Clone)]
pub struct Image {
    /// Cells to the east.
    pub columns: usize,
    /// Cells to the south.
    pub rows: usize,
    /// Samples a cell.
    pub bands: usize,
    /// What a sample is.
    pub kind: Kind,
    block: [usize; 2],
    tiled: bool,
    separate: bool,
    compression: u64,
    predictor: u64,
    offsets: Vec<u64>,
    counts: Vec<u64>,
}

impl Image {
    /// The image of a directory.
    ///
    /// # Errors
    /// What is not read, by name; where all of it is to be read (`whole`), a size beyond the limit.
    pub fn of(tiff: &Tiff, directory: &Directory, whole: bool) -> Result<Self> {
        let one = |tag: u16, default: u64| -> Result<u64> {
            Ok(tiff.first(directory, tag)?.unwrap_or(default))
        };
        let (columns, rows) = (one(tag::WIDTH, 0)?, one(tag::LENGTH, 0)?);
        ensure!(columns > 0 && rows > 0, Missing, "an image without a size");
        let bands = one(tag::SAMPLES, 1)?;
        if whole {
            within_memory(tiff, columns, rows, 1)?;
        }
        ensure!((1..=4096).contains(&bands), Several, "{bands} bands"; "one");
        if one(tag::FILL_ORDER, 1)? != 1 {
            return Err(compressed(
                "bits that begin with the least (FillOrder 2)".to_owned(),
            ));
        }
        let kind = Kind::of(
            &tiff.integers(directory, tag::BITS)?.unwrap_or(vec![1]),
            &tiff.integers(directory, tag::FORMAT)?.unwrap_or(vec![1]),
        )?;
        let compression = one(tag::COMPRESSION, 1)?;
        let method = METHODS.iter().find(|m| m.0 == compression);
        let (name, read) = method.map_or(("not known here", false), |m| (m.1, m.2));
        if !read {
            return Err(compressed(format!(
                "compression {compression} ({name}) is not read"
            )));
        }
        let tiled = directory.has(tag::TILE_WIDTH);
        let block = match tiled {
            true => [one(tag::TILE_WIDTH, 0)?, one(tag::TILE_LENGTH, 0)?],
            false => [columns, one(tag::ROWS_PER_STRIP, rows)?.min(rows)],
        };
        ensure!(
            block[0] > 0 && block[1] > 0,
            Missing,
            "blocks without a size"
        );
        let separate = one(tag::PLANAR, 1)? == 2;
        within_memory(tiff, block[0], block[1], if separate { 1 } else { bands })?;
        let (offsets, counts) = match tiled {
            true => (tag::TILE_OFFSETS, tag::TILE_COUNTS),
            false => (tag::STRIP_OFFSETS, tag::STRIP_COUNTS),
        };
        let offsets = tiff.integers(directory, offsets)?;
        let offsets = offsets.ok_or_else(|| refusal!(Placement, "no places of the blocks"))?;
        let image = Self {
            columns: usize::try_from(columns)?,
            rows: usize::try_from(rows)?,
            bands: usize::try_from(bands)?,
            kind,
            block: [usize::try_from(block[0])?, usize::try_from(block[1])?],
            tiled,
            separate,
            compression,
            predictor: one(tag::PREDICTOR, 1)?,
            counts: match tiff.integers(directory, counts)? {
                Some(counts) => counts,
                // An uncompressed strip of an old file is as long as it must be.
                None if compression == 1 => vec![u64::MAX; offsets.len()],
                None => bail!(Missing, "no lengths of the blocks"),
            },
            offsets,
        };
        let needed = image.across() * image.down() * if separate { image.bands } else { 1 };
        ensure!(
            image.offsets.len() >= needed && image.counts.len() >= needed,
            Syntax, "{} blocks", image.offsets.len().min(image.counts.len()); "{needed}"
        );
        samples::check_predictor(image.predictor, image.kind, tiff.big_endian)?;
        Ok(image)
    }

    fn across(&self) -> usize {
        self.columns.div_ceil(self.block[0])
    }

    fn down(&self) -> usize {
        self.rows.div_ceil(self.block[1])
    }

    /// Gives the samples of some bands in a window row by row of each block: which of the bands, row from the north and
    /// first column of the window, and the samples; none for a block that the file leaves out.
    ///
    /// # Errors
    /// A block that is broken.
    pub fn read(
        &self,
        tiff: &Tiff,
        bands: &[usize],
        window: &Window,
        put: &mut Put<'_>,
    ) -> Result<()> {
        let [columns, rows] = [&window.columns, &window.rows];
        let together = if self.separate { 1 } else { self.bands };
        let mut row = vec![0.0; self.block[0]];
        let blocks = |of: &Range<usize>, size: usize| of.start / size..of.end.div_ceil(size);
        for (which, &band) in bands.iter().enumerate() {
            if !self.separate && which > 0 {
                break;
            }
            let across = blocks(columns, self.block[0]);
            let places = blocks(rows, self.block[1])
                .flat_map(|down| across.clone().map(move |across| (down, across)));
            for (down, across) in places {
                let plane = if self.separate { band } else { 0 };
                let number = (plane * self.down() + down) * self.across() + across;
                let (north, west) = (down * self.block[1], across * self.block[0]);
                let width = self.block[0].min(self.columns - west);
                let data = self.block(tiff, number, together, north)?;
                let wanted = if self.separate {
                    which..which + 1
                } else {
                    0..bands.len()
                };
                let east = columns.end.min(west + width);
                let kept = columns.start.max(west)..east;
                for line in rows.start.max(north)..rows.end.min(north + self.block[1]) {
                    let k = line - north;
                    let (line, place) = (line - rows.start, kept.start - columns.start);
                    for which in wanted.clone() {
                        let Some((data, length)) = &data else {
                            put(which, line, place, None);
                            continue;
                        };
                        let first = if self.separate { 0 } else { bands[which] };
                        let packed = &data[k * length..(k + 1) * length];
                        self.kind
                            .samples(packed, first, together, &mut row[..width]);
                        put(
                            which,
                            line,
                            place,
                            Some(&row[kept.start - west..kept.end - west]),
                        );
                    }
                }
            }
        }
        Ok(())
    }

    /// The bytes of a block and of one of its rows, smallest byte first; none where the file leaves it out.
    fn block(
        &self,
        tiff: &Tiff,
        number: usize,
        together: usize,
        north: usize,
    ) -> Result<Option<(Vec<u8>, usize)>> {
        let (offset, count) = (self.offsets[number], self.counts[number]);
        if offset == 0 || count == 0 {
            return Ok(None);
        }
        let across = self.block[0] * together;
        let length = (across * self.kind.bits).div_ceil(8);
        // The last strip has the rows that are left; tiles are always whole.
        let height = match self.tiled {
            true => self.block[1],
            false => self.block[1].min(self.rows - north),
        };
        let expected = length * height;
        let place = || format!("block {number}");
        let count = match count {
            u64::MAX => expected as u64,
            known => known,
        };
        let packed = tiff.bytes(offset, count).with_context(place)?;
        let mut data = unpack(self.compression, &packed, expected).with_context(place)?;
        // Some writers cut the last tile or strip where the image ends.
        let needed = length * self.block[1].min(self.rows - north);
        ensure!(
            data.len() >= needed,
            Truncated,
            "block {number} breaks off: {} bytes of {expected}",
            data.len()
        );
        data.resize(expected, 0);
        samples::undo(
            self.predictor,
            self.kind,
            tiff.big_endian,
            together,
            length,
            &mut data,
        );
        Ok(Some((data, length)))
    }
}

/// Refuses a compression, with the command that writes a file as it is read here.
fn compressed(found: String) -> Refusal {
    Refusal::new(crate::Kind::Unsupported, found)
        .accepting("none, LZW, packbits, deflate, zstd")
        .cured_by(Command::new(
            "gdal_translate -co COMPRESS=DEFLATE {in}.tif {out}.tif",
        ))
}

/// Refuses what would take more memory than the limit, before any is taken.
pub(super) fn within_memory(tiff: &Tiff, columns: u64, rows: u64, bands: u64) -> Result<()> {
    let limit = tiff.length().saturating_mul(TIMES).clamp(SMALL, LARGEST);
    let needed = u128::from(columns) * u128::from(rows) * u128::from(bands) * 8;
    ensure!(
        needed <= u128::from(limit),
        TooLarge, "{columns} x {rows} samples take {} MiB as doubles", needed >> 20;
        "up to {} MiB for a file of this size", limit >> 20
        => Command::new("gdal_translate -outsize 50% 50% -r average {in}.tif {out}.tif").noted(" makes it smaller")
    );
    Ok(())
}

/// Up to so many bytes of a block.
fn unpack(compression: u64, packed: &[u8], expected: usize) -> Result<Vec<u8>> {
    let most = expected as u64;
    let mut data = Vec::new();
    match compression {
        1 => data.extend_from_slice(&packed[..expected.min(packed.len())]),
        5 => {
            data.resize(expected, 0);
            let mut decoder =
                weezl::decode::Decoder::with_tiff_size_switch(weezl::BitOrder::Msb, 8);
            let (mut read, mut written) = (0, 0);
            while written < expected {
                let step = decoder.decode_bytes(&packed[read..], &mut data[written..]);
                read += step.consumed_in;
                written += step.consumed_out;
                match step.status.map_err(|e| refusal!(Syntax, "LZW: {e}"))? {
                    weezl::LzwStatus::Ok if step.consumed_in + step.consumed_out > 0 => {}
                    _ => break,
                }
            }
            data.truncate(written);
        }
        8 | 32_946 => {
            let mut reader = flate2::read::ZlibDecoder::new(packed).take(most);
            reader.read_to_end(&mut data).context("deflate")?;
        }
        50_000 => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(packed);
            let decoder = decoder.map_err(|e| refusal!(Syntax, "zstd: {e}"))?;
            decoder.take(most).read_to_end(&mut data).context("zstd")?;
        }
        _ => packbits(packed, expected, &mut data),
    }
    Ok(data)
}

/// Runs of a byte, and bytes as they are (TIFF 6.0, section 9).
fn packbits(mut packed: &[u8], expected: usize, data: &mut Vec<u8>) {
    while let [head, rest @ ..] = packed
        && data.len() < expected
    {
        let head = i16::from(head.cast_signed());
        packed = match (head, rest) {
            (-128, _) => rest,
            (0.., _) => {
                let (plain, left) = rest.split_at((head as usize + 1).min(rest.len()));
                data.extend_from_slice(plain);
                left
            }
            (_, [byte, left @ ..]) => {
                data.extend(std::iter::repeat_n(
                    *byte,
                    usize::from((1 - head).unsigned_abs()),
                ));
                left
            }
            (_, []) => rest,
        };
    }
    data.truncate(expected);
}

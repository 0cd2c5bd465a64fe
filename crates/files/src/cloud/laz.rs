//! Points that LASzip packed.

use crate::command::Command;
use crate::refusal::{Context as _, Result, ensure, refusal};
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use laz::laszip::CompressorType;
use laz::{DecompressionSelection, LasZipDecompressor, LazVlr};

use super::{Header, Source};

/// Points that are all the same are packed to nothing; no survey has as many in a byte of its file.
const POINTS_A_BYTE: u64 = 1000;
/// A chunk is held whole: those of 50,000 points have a million bytes.
const LARGEST_CHUNK: u64 = 256 << 20;
/// A table of chunks is held whole: 16 bytes each.
const MOST_CHUNKS: u32 = 10_000_000;

impl Header {
    /// Every record, unpacked.
    ///
    /// # Errors
    /// A file without the record of LASzip, or broken.
    pub(super) fn unpack<R: Read + Seek + Send + Sync>(
        &self,
        source: &mut Source<R>,
        each: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let record = self.record(LazVlr::USER_ID, LazVlr::RECORD_ID);
        let record = record
            .ok_or_else(|| refusal!(Missing, "packed points without the record of LASzip"))?;
        let vlr = LazVlr::from_buffer(record).map_err(|e| refusal!(Syntax, "{e}"))?;
        let size: usize = vlr.items().iter().map(|i| usize::from(i.size())).sum();
        ensure!(
            size == self.length && !vlr.items().is_empty(),
            Syntax,
            "LASzip packs {size} bytes a point, the header says {}",
            self.length
        );
        let kind = record
            .first_chunk()
            .ok_or_else(|| refusal!(Missing, "a record without a kind"))?;
        self.check_chunks(source, &vlr, u16::from_le_bytes(*kind))?;
        source.from.seek(SeekFrom::Start(self.start))?;
        let wanted = DecompressionSelection::xy_returns_channel()
            .decompress_z()
            .decompress_classification()
            .decompress_flags();
        let mut buffer = vec![0_u8; self.length];
        // The library counts on what a whole file has and panics on some broken ones.
        let broken = || refusal!(Value, "the packed points are broken");
        let mut unpacker = catch_unwind(AssertUnwindSafe(|| {
            LasZipDecompressor::selective(&mut source.from, vlr, wanted)
        }))
        .map_err(|_| broken())?
        .map_err(|e| refusal!(Syntax, "{e}"))?;
        for number in 0..self.count {
            catch_unwind(AssertUnwindSafe(|| unpacker.decompress_one(&mut buffer)))
                .map_err(|_| broken())?
                .with_context(|| format!("point {number} of {}", self.count))?;
            each(&buffer)?;
        }
        Ok(())
    }

    /// The library takes the memory that a chunk table and layers ask for: none is larger than the file or than a chunk
    /// of a survey. Chunks are walked as the library does, one behind the other.
    fn check_chunks<R: Read + Seek>(
        &self,
        source: &mut Source<R>,
        vlr: &LazVlr,
        kind: u16,
    ) -> Result<()> {
        let end = source.size;
        ensure!(
            self.count <= end.saturating_mul(POINTS_A_BYTE),
            Value,
            "{} points in {end} bytes",
            self.count
        );
        let layered = kind == CompressorType::LayeredChunked as u16;
        let versions_fit = vlr.items().iter().all(|i| (i.version() >= 3) == layered);
        ensure!(versions_fit, Syntax, "items that are not packed so");
        if kind == CompressorType::PointWise as u16 {
            return Ok(());
        }
        let mut table = source.long(self.start)?;
        if table.cast_signed() <= self.start.cast_signed() {
            // A writer that cannot go back puts it last.
            table = source.long(end.saturating_sub(8))?;
        }
        let chunks = table.checked_add(4).and_then(|at| source.word(at).ok());
        let chunks = chunks.ok_or_else(|| refusal!(Missing, "no table of chunks"))?;
        // Every chunk holds a point as it is.
        ensure!(
            u64::from(chunks) * self.length as u64 <= end && chunks <= MOST_CHUNKS,
            Syntax,
            "{chunks} chunks in {end} bytes"
        );
        if !layered {
            return Ok(());
        }
        let layers: usize = vlr.items().iter().map(layers).sum();
        let (mut at, mut walked) = (self.start + 8, 0_u64);
        let mut sizes = vec![0_u8; 4 * layers];
        let head = (self.length + 4 + sizes.len()) as u64;
        // A point as it is, the number of points, the sizes of the layers, the layers. Behind the last chunk there is
        // the table.
        while at < table && at + head <= end {
            let behind = at + head;
            source.fill(behind - sizes.len() as u64, &mut sizes)?;
            let size = |four: &[u8]| four.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b));
            let all: u64 = sizes.chunks_exact(4).map(size).sum();
            ensure!(
                all <= end - behind,
                Several,
                "layers of {all} bytes in {end} bytes"
            );
            ensure!(
                all <= LARGEST_CHUNK,
                TooLarge, "a chunk of {all} bytes"; "up to {LARGEST_CHUNK}"
                => Command::new("laszip -i {in}.laz -o {out}.laz").noted(" makes chunks of 50,000 points")
            );
            (at, walked) = (behind + all, walked + 1);
        }
        let held = match vlr.uses_variable_size_chunks() {
            false => walked.saturating_mul(u64::from(vlr.chunk_size())),
            true => {
                source.from.seek(SeekFrom::Start(table))?;
                let read = || laz::laszip::ChunkTable::read(&mut &mut source.from, true);
                let table = catch_unwind(AssertUnwindSafe(read))
                    .ok()
                    .and_then(Result::ok);
                let table =
                    table.ok_or_else(|| refusal!(Syntax, "the table of chunks is broken"))?;
                let chunks = (&table).into_iter().take(usize::try_from(walked)?);
                chunks.map(|c| c.point_count).fold(0, u64::saturating_add)
            }
        };
        ensure!(
            self.count <= held,
            Truncated,
            "{} points; its chunks hold {held}",
            self.count
        );
        Ok(())
    }
}

/// The layers of an item of a record.
fn layers(item: &laz::laszip::LazItem) -> usize {
    use laz::laszip::LazItemType;
    match item.item_type() {
        LazItemType::Point14 => 9,
        LazItemType::RGBNIR14 => 2,
        LazItemType::Byte14(count) => usize::from(count),
        _ => 1,
    }
}

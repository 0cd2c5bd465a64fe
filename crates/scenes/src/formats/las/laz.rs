//! Points that LASzip packed.

use std::io::{Cursor, Seek as _, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context as _, Result, anyhow, ensure};
use laz::laszip::CompressorType;
use laz::{DecompressionSelection, LasZipDecompressor, LazVlr};

use super::{Header, word};

/// Points that are all the same are packed to nothing; no survey has as many in a byte of its file.
const POINTS_A_BYTE: u64 = 1000;

impl Header<'_> {
    /// Every record, unpacked.
    ///
    /// # Errors
    /// A file without the record of LASzip, or broken.
    pub(super) fn unpack(&self, each: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let record = self.record(LazVlr::USER_ID, LazVlr::RECORD_ID);
        let record = record.context("packed points without the record of LASzip")?;
        let vlr = LazVlr::from_buffer(record).map_err(|e| anyhow!("LASzip: {e}"))?;
        let size: usize = vlr.items().iter().map(|i| usize::from(i.size())).sum();
        ensure!(
            size == self.length && !vlr.items().is_empty(),
            "LASzip packs {size} bytes a point, the header says {}",
            self.length
        );
        self.check_chunks(&vlr, u16::from_le_bytes(super::number(record, 0)?))?;
        let mut source = Cursor::new(self.bytes);
        source.seek(SeekFrom::Start(self.start as u64))?;
        let wanted = DecompressionSelection::xy_returns_channel()
            .decompress_z()
            .decompress_classification()
            .decompress_flags();
        let mut buffer = vec![0_u8; self.length];
        // The library counts on what a whole file has and panics on some broken ones.
        let broken = || anyhow!("LASzip: the packed points are broken");
        let mut unpacker = catch_unwind(AssertUnwindSafe(|| {
            LasZipDecompressor::selective(source, vlr, wanted)
        }))
        .map_err(|_| broken())?
        .map_err(|e| anyhow!("LASzip: {e}"))?;
        for number in 0..self.count {
            catch_unwind(AssertUnwindSafe(|| unpacker.decompress_one(&mut buffer)))
                .map_err(|_| broken())?
                .with_context(|| format!("LASzip: point {number} of {}", self.count))?;
            each(&buffer)?;
        }
        Ok(())
    }

    /// The library takes the memory that a chunk table and layers ask for: none is larger than the file. Chunks are
    /// walked as the library does, one behind the other.
    fn check_chunks(&self, vlr: &LazVlr, kind: u16) -> Result<()> {
        let end = self.bytes.len();
        ensure!(
            self.count <= POINTS_A_BYTE * end as u64,
            "LASzip: {} points in {end} bytes",
            self.count
        );
        let layered = kind == CompressorType::LayeredChunked as u16;
        let versions_fit = vlr.items().iter().all(|i| (i.version() >= 3) == layered);
        ensure!(versions_fit, "LASzip: items that are not packed so");
        if kind == CompressorType::PointWise as u16 {
            return Ok(());
        }
        let at =
            |place: usize| Ok::<_, anyhow::Error>(super::long(self.bytes, place)?.cast_signed());
        let mut table = at(self.start)?;
        if table <= self.start as i64 {
            // A writer that cannot go back puts it last.
            table = at(end.saturating_sub(8))?;
        }
        let chunks = usize::try_from(table)
            .ok()
            .and_then(|t| word(self.bytes, t.checked_add(4)?).ok());
        let chunks = chunks.context("LASzip: no table of chunks")?;
        ensure!(
            chunks as usize <= end,
            "LASzip: {chunks} chunks in {end} bytes"
        );
        if !layered {
            return Ok(());
        }
        let layers: usize = vlr.items().iter().map(layers).sum();
        let (mut at, mut walked) = (self.start + 8, 0_u64);
        // A point as it is, the number of points, the sizes of the layers, the layers.
        while let Some(behind) = Some(at + self.length + 4 + 4 * layers).filter(|b| *b <= end) {
            let mut all = 0;
            for layer in 0..layers {
                all += word(self.bytes, behind - 4 * (layers - layer))? as usize;
            }
            // Behind the last chunk there is the table.
            if at as i64 >= table {
                break;
            }
            ensure!(
                all <= end - behind,
                "LASzip: layers of {all} bytes in {end} bytes"
            );
            (at, walked) = (behind + all, walked + 1);
        }
        let held = match vlr.uses_variable_size_chunks() {
            false => walked.saturating_mul(u64::from(vlr.chunk_size())),
            true => {
                let mut source = Cursor::new(self.bytes);
                source.set_position(table.cast_unsigned());
                let read = || laz::laszip::ChunkTable::read(&mut &mut source, true);
                let table = catch_unwind(AssertUnwindSafe(read))
                    .ok()
                    .and_then(Result::ok);
                let table = table.context("LASzip: the table of chunks is broken")?;
                let chunks = (&table).into_iter().take(usize::try_from(walked)?);
                chunks.map(|c| c.point_count).fold(0, u64::saturating_add)
            }
        };
        ensure!(
            self.count <= held,
            "LASzip: {} points; its chunks hold {held}",
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

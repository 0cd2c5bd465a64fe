//! Points that LASzip packed.

use std::io::{Cursor, Seek as _, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use laz::laszip::CompressorType;
use laz::{DecompressionSelection, LasZipDecompressor, LazVlr};

use super::{Header, word};

/// Layers of a point: returns with x and y, z, class, flags, intensity, angle, user, source, time.
const LAYERS: usize = 9;

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
        self.check_chunks(&vlr)?;
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

    /// The library takes the memory that a chunk table and layers ask for: none is larger than the file.
    fn check_chunks(&self, vlr: &LazVlr) -> Result<()> {
        let kind = u16::from_le_bytes(super::number(
            self.record(LazVlr::USER_ID, LazVlr::RECORD_ID)
                .unwrap_or_default(),
            0,
        )?);
        if kind == CompressorType::PointWise as u16 {
            return Ok(());
        }
        let end = self.bytes.len() as u64;
        let mut table = super::long(self.bytes, self.start)?;
        if table <= self.start as u64 || table > end {
            // A writer that cannot go back puts it last.
            table = super::long(self.bytes, self.bytes.len().saturating_sub(8))?;
        }
        ensure!(
            table > self.start as u64 && table < end,
            "LASzip: no table of chunks"
        );
        let chunks = word(self.bytes, usize::try_from(table)? + 4)?;
        ensure!(
            u64::from(chunks) <= end,
            "LASzip: {chunks} chunks in {end} bytes"
        );
        if kind != CompressorType::LayeredChunked as u16 {
            return Ok(());
        }
        let mut source = Cursor::new(self.bytes);
        source.set_position(table);
        let read = catch_unwind(AssertUnwindSafe(|| {
            laz::laszip::ChunkTable::read(&mut &mut source, vlr.uses_variable_size_chunks())
        }));
        let Ok(Ok(chunks)) = read else {
            bail!("LASzip: the table of chunks is broken");
        };
        let mut at = self.start as u64 + 8;
        for chunk in &chunks {
            // A point as it is, the number of points, the sizes of the layers, the layers.
            let sizes = usize::try_from(at)?.saturating_add(self.length + 4);
            for layer in 0..LAYERS {
                let bytes = u64::from(word(self.bytes, sizes.saturating_add(4 * layer))?);
                ensure!(
                    bytes <= chunk.byte_count && bytes <= end,
                    "LASzip: a layer of {bytes} bytes in {end} bytes"
                );
            }
            at = at.saturating_add(chunk.byte_count);
        }
        Ok(())
    }
}

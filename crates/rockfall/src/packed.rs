//! A raster of statistics as bytes, column by column: what statistics of few rocks follow from is not written twice.
//!
//! Whole numbers are written in groups of seven bits, the lowest first, each byte but the last with its highest bit
//! set; numbers of either sign in zigzag; floats as planes of bytes, the highest first. The columns are how many cells
//! were reached, the gaps between their numbers, passages, deposited rocks, and those of the histograms of speed,
//! energy and height. What follows from the number of values, the least and the greatest one is not written: all of one
//! value, the bins of two, the last bin of any.

use crate::cell_statistics::CellStatistics;
use crate::columns::{Bytes, Reader, planes, put, unzigzag, zigzag};
use crate::histogram::{Histogram, Weight, bin, joined, lower, rounded_sum, split};
use crate::raster::{HazardRaster, RasterFrame};
use serde::de::Error as _;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for HazardRaster {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("HazardRaster", 2)?;
        fields.serialize_field("frame", self.frame())?;
        fields.serialize_field("cells", &Bytes(pack(self)))?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for HazardRaster {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Packed {
            frame: RasterFrame,
            cells: Bytes,
        }
        let Packed { frame, cells } = Packed::deserialize(deserializer)?;
        unpack(frame, &cells.0).ok_or_else(|| D::Error::custom("cells of a raster that are broken"))
    }
}

/// The histograms of a cell.
const QUANTITIES: [fn(&mut CellStatistics) -> &mut Histogram; 3] =
    [|c| &mut c.speed, |c| &mut c.energy, |c| &mut c.height];

fn pack(raster: &HazardRaster) -> Vec<u8> {
    let reached: Vec<(u32, &CellStatistics)> = raster.reached().collect();
    let mut out = Vec::new();
    put(&mut out, reached.len() as u128);
    let mut next = 0;
    for (number, _) in &reached {
        put(&mut out, u128::from(number - next));
        next = number + 1;
    }
    for (_, cell) in &reached {
        put(&mut out, u128::from(cell.passages));
    }
    for (_, cell) in &reached {
        put(&mut out, u128::from(cell.deposited));
    }
    let quantities: [fn(&CellStatistics) -> &Histogram; 3] =
        [|c| &c.speed, |c| &c.energy, |c| &c.height];
    for of in quantities {
        let list: Vec<&Histogram> = reached.iter().map(|(_, cell)| of(cell)).collect();
        let passages = reached.iter().map(|(_, cell)| cell.passages);
        pack_histograms(&list, passages, &mut out);
    }
    out
}

fn unpack(frame: RasterFrame, bytes: &[u8]) -> Option<HazardRaster> {
    let mut reader = Reader::new(bytes);
    let count = reader.count()?;
    let mut numbers = Vec::with_capacity(count);
    let mut next = 0u32;
    for _ in 0..count {
        let number = next.checked_add(reader.word()?.try_into().ok()?)?;
        numbers.push(number);
        next = number.checked_add(1)?;
    }
    let mut cells = vec![CellStatistics::default(); count];
    for cell in &mut cells {
        cell.passages = reader.word()?;
    }
    for cell in &mut cells {
        cell.deposited = reader.word()?;
    }
    for of in QUANTITIES {
        let read = reader.histograms(&cells)?;
        for (cell, histogram) in cells.iter_mut().zip(read) {
            *of(cell) = histogram;
        }
    }
    if reader.left() > 0 {
        return None;
    }
    let mut raster = HazardRaster::new(frame);
    for (number, cell) in numbers.into_iter().zip(cells) {
        raster.set(number, cell)?;
    }
    Some(raster)
}

/// What the sum of a histogram would be if all values but the least and the greatest lay in the middle of their bins.
fn likely_sum(h: &Histogram) -> i128 {
    let ends = [h.least, h.greatest].map(rounded_sum);
    match h.count {
        0 => return 0,
        1 => return ends[0],
        _ => {}
    }
    let last = h.bins.len().saturating_sub(1);
    let inner = h.bins.iter().enumerate().map(|(k, (bin, count, _))| {
        let of_ends = u64::from(k == 0) + u64::from(k == last);
        let middle = rounded_sum(0.5 * (lower(*bin) + lower(bin.saturating_add(1))));
        middle.wrapping_mul(i128::from(count.wrapping_sub(of_ends)))
    });
    let ends = ends[0].wrapping_add(ends[1]);
    inner.fold(ends, i128::wrapping_add)
}

/// Counts of a bin up to this take no number of their own.
const FEW: u64 = 4;

fn pack_histograms(list: &[&Histogram], passages: impl Iterator<Item = u64>, out: &mut Vec<u8>) {
    // A rock comes into most cells once.
    for (h, passages) in list.iter().zip(passages) {
        put(out, zigzag(i128::from(h.count) - i128::from(passages)));
    }
    let (some, several) = (|h: &&&Histogram| h.count > 0, |h: &&&Histogram| h.count > 1);
    let least = list.iter().filter(some).map(|h| h.least.to_be_bytes());
    planes(least, out);
    let above = |h: &&Histogram| h.greatest.to_bits().wrapping_sub(h.least.to_bits());
    let above = list.iter().filter(several).map(|h| above(h).to_be_bytes());
    planes(above, out);
    for h in list {
        pack_bins(h, out);
    }
    let sums = list
        .iter()
        .filter(some)
        .map(|h| h.sum.wrapping_sub(likely_sum(h)));
    planes(sums.map(|sum| zigzag(sum).to_be_bytes()), out);
    let mut each = 0u128;
    for (_, count, weight) in list.iter().flat_map(|h| &h.bins) {
        let (count, weight) = (u128::from(*count), joined(*weight));
        put(
            out,
            zigzag(weight.wrapping_sub(count.wrapping_mul(each)) as i128),
        );
        each = weight / count.max(1);
    }
}

/// Of each bin its count with the way to the next, until what is left lies in the last: of two values each is an end,
/// and one is the greatest.
fn pack_bins(h: &Histogram, out: &mut Vec<u8>) {
    let mut left = h.count;
    for pair in h.bins.windows(2) {
        if left == 2 {
            return;
        }
        let count = pair[0].1;
        left = left.wrapping_sub(count);
        let way = if left == 1 { 1 } else { pair[1].0 - pair[0].0 };
        let few = count.clamp(1, FEW);
        put(out, u128::from(u64::from(way - 1) * FEW + few - 1));
        if few == FEW {
            put(out, u128::from(count - FEW));
        }
    }
}

impl Reader<'_> {
    fn histograms(&mut self, cells: &[CellStatistics]) -> Option<Vec<Histogram>> {
        let mut list = vec![Histogram::default(); cells.len()];
        for (h, cell) in list.iter_mut().zip(cells) {
            let count = self.signed()?.checked_add(cell.passages.into())?;
            h.count = count.try_into().ok()?;
        }
        let with = |least: u64| list.iter().filter(|h| h.count >= least).count();
        let (some, several) = (with(1), with(2));
        let mut least = self.planes(some)?.into_iter().map(f64::from_be_bytes);
        let mut above = self.planes(several)?.into_iter().map(u64::from_be_bytes);
        for h in list.iter_mut().filter(|h| h.count > 0) {
            h.least = least.next()?;
            let above = if h.count > 1 { above.next()? } else { 0 };
            h.greatest = f64::from_bits(h.least.to_bits().wrapping_add(above));
            h.bins = self.bins(h)?;
        }
        let mut sums = self.planes(some)?.into_iter().map(u128::from_be_bytes);
        for h in list.iter_mut().filter(|h| h.count > 0) {
            h.sum = unzigzag(sums.next()?).wrapping_add(likely_sum(h));
        }
        let mut each = 0u128;
        for (_, count, weight) in list.iter_mut().flat_map(|h| &mut h.bins) {
            let count = u128::from(*count);
            let found = (self.signed()? as u128).wrapping_add(count.wrapping_mul(each));
            *weight = split(found);
            each = found / count.max(1);
        }
        Some(list)
    }

    /// The bins of a histogram whose count and ends are known, without weights.
    fn bins(&mut self, h: &Histogram) -> Option<Vec<(u32, u64, Weight)>> {
        let (mut number, last, mut left) = (bin(h.least), bin(h.greatest), h.count);
        let mut bins = Vec::new();
        while number < last {
            let (mut count, mut next) = (1, last);
            if left > 2 {
                let word = self.word()?;
                count += word % FEW;
                if count == FEW {
                    count = count.checked_add(self.word()?)?;
                }
                let way = u32::try_from(word / FEW).ok()?.checked_add(1)?;
                next = number.checked_add(way).filter(|next| *next <= last)?;
            }
            bins.push((number, count, Weight::default()));
            left = left.checked_sub(count).filter(|left| *left > 0)?;
            number = if left == 1 { last } else { next };
        }
        bins.push((number, left, Weight::default()));
        Some(bins)
    }
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};
    use crate::cell_statistics::CellVisit;
    use crate::raster::{HazardRaster, RasterFrame};
    use glam::DVec2;

    fn filled() -> HazardRaster {
        let frame = RasterFrame {
            corner: DVec2::ZERO,
            cell: 2.0,
            columns: 40,
            rows: 30,
            strip: false,
        };
        let mut raster = HazardRaster::new(frame);
        for rock in 0..400u32 {
            let visits: Vec<CellVisit> = (0..rock % 40)
                .map(|k| CellVisit {
                    cell: (rock * rock % 31) * 38 + k,
                    entries: 1 + rock % 3,
                    speed: 0.1 * f64::from(rock * (k + 1) % 173),
                    energy: 1e5 / f64::from(1 + rock % 7),
                    height: if k % 2 == 0 {
                        0.0
                    } else {
                        f64::from(rock) / 7.0
                    },
                })
                .collect();
            let weight = f64::from(rock % 5) * 1e-4;
            raster.add_all(std::iter::once((visits.as_slice(), weight)));
            raster.deposit(DVec2::new(f64::from(rock % 80), f64::from(rock % 60)));
        }
        // What no rock does, and sums that have come to their end.
        let far = CellVisit {
            cell: 1199,
            entries: 1,
            speed: f64::INFINITY,
            energy: f64::MAX,
            height: f64::NAN,
        };
        raster.add_all(std::iter::once(([far; 3].as_slice(), 1e30)));
        raster
    }

    #[test]
    fn a_raster_is_read_as_it_was_packed() {
        let raster = filled();
        let bytes = pack(&raster);
        assert_eq!(unpack(*raster.frame(), &bytes), Some(raster));
    }

    /// Bytes that are cut or changed are refused or another raster, and never a panic.
    #[test]
    fn broken_bytes_are_no_panic() {
        let raster = filled();
        let bytes = pack(&raster);
        for at in (0..bytes.len()).step_by(97) {
            assert_eq!(unpack(*raster.frame(), &bytes[..at]), None, "{at}");
        }
        for at in (0..bytes.len()).step_by(89) {
            let mut broken = bytes.clone();
            broken[at] ^= 0xA5;
            let _ = unpack(*raster.frame(), &broken);
        }
    }
}

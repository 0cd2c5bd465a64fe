//! GeoTIFF rasters with north up: one band of heights or results, its place, its CRS, missing data.
//!
//! Read: any sample type of one band; place from ModelPixelScale and ModelTiepoint; missing data from
//! GDAL's tag; the CRS as `EPSG:n` or the citation. Turned or sheared rasters are refused.

use std::io::Cursor;

use anyhow::{Context as _, Result, ensure};
use glam::DVec2;
use klast_geometry::terrain::Grid;
use tiff::decoder::{Decoder, DecodingResult, Limits, ifd::Value};
use tiff::encoder::{TiffEncoder, colortype::Gray64Float};
use tiff::tags::Tag;

/// Projected and geographic CRS codes, and the raster type, in the directory of keys.
const PROJECTED: u16 = 3072;
const GEOGRAPHIC: u16 = 2048;
const RASTER_TYPE: u16 = 1025;
const PIXEL_IS_POINT: u16 = 2;

/// Reads one band as a raster of heights.
///
/// # Errors
/// Anything that is not such a file, cells that are not square, a raster without a place.
pub fn read(bytes: &[u8]) -> Result<Grid> {
    let mut limits = Limits::default();
    // 1 GiB holds a raster of 11,000 x 11,000 doubles.
    limits.decoding_buffer_size = 1 << 30;
    let mut decoder = Decoder::new(Cursor::new(bytes))
        .context("GeoTIFF")?
        .with_limits(limits);
    let (columns, rows) = decoder.dimensions().context("GeoTIFF")?;
    let (columns, rows) = (columns as usize, rows as usize);
    let scale = numbers(&mut decoder, Tag::ModelPixelScaleTag)?
        .context("GeoTIFF: no pixel scale; accepted: north up")?;
    let tie = numbers(&mut decoder, Tag::ModelTiepointTag)?.context("GeoTIFF: no tie point")?;
    ensure!(
        scale.len() >= 2 && tie.len() >= 6,
        "GeoTIFF: the place is not complete"
    );
    let cell = scale[0];
    ensure!(
        (scale[1] - cell).abs() <= 1e-9 * cell.abs(),
        "GeoTIFF: cells of {} by {}; accepted: square",
        cell,
        scale[1]
    );
    let nodata = match decoder.find_tag(Tag::GdalNodata).context("GeoTIFF")? {
        Some(Value::Ascii(text)) => text.trim_matches(['\0', ' ']).parse::<f64>().ok(),
        _ => None,
    };
    let keys = keys(&mut decoder)?;
    let crs = crs(&keys);
    let centre = if key(&keys, RASTER_TYPE) == Some(PIXEL_IS_POINT) {
        0.0
    } else {
        0.5
    };
    let band = band(decoder.read_image().context("GeoTIFF")?);
    ensure!(
        band.len() == columns * rows,
        "GeoTIFF: {} samples for {columns} x {rows} cells; accepted: one band",
        band.len()
    );
    let mut heights = Vec::with_capacity(band.len());
    for row in band.chunks_exact(columns.max(1)).rev() {
        heights.extend(
            row.iter()
                .map(|&z| if Some(z) == nodata { f64::NAN } else { z }),
        );
    }
    let origin = DVec2::new(
        tie[3] + (centre - tie[0]) * cell,
        tie[4] - (rows as f64 - 1.0 + centre - tie[1]) * cell,
    );
    let grid = Grid::new(columns, rows, cell, origin, heights)?;
    Ok(match crs {
        Some(crs) => grid.with_crs(crs),
        None => grid,
    })
}

/// Writes values of cells, rows given from the south, NaN where there are none.
///
/// # Errors
/// A number of values that is not rows times columns, sizes beyond the format.
pub fn write(
    (columns, rows): (usize, usize),
    cell: f64,
    south_west_centre: DVec2,
    values: &[f64],
    epsg: Option<u16>,
) -> Result<Vec<u8>> {
    ensure!(
        columns > 0 && Some(values.len()) == columns.checked_mul(rows),
        "GeoTIFF: {} values; accepted: {columns} x {rows}",
        values.len()
    );
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes)?;
    let mut image =
        encoder.new_image::<Gray64Float>(u32::try_from(columns)?, u32::try_from(rows)?)?;
    let corner = south_west_centre + DVec2::new(-0.5, rows as f64 - 0.5) * cell;
    let tags = image.encoder();
    tags.write_tag(Tag::ModelPixelScaleTag, &[cell, cell, 0.0][..])?;
    tags.write_tag(
        Tag::ModelTiepointTag,
        &[0.0, 0.0, 0.0, corner.x, corner.y, 0.0][..],
    )?;
    tags.write_tag(Tag::GdalNodata, "nan")?;
    let mut keys: Vec<u16> = vec![1, 1, 0, 1, RASTER_TYPE, 0, 1, 1];
    if let Some(code) = epsg {
        keys[3] = 2;
        keys.extend([PROJECTED, 0, 1, code]);
    }
    tags.write_tag(Tag::GeoKeyDirectoryTag, &keys[..])?;
    let north_first: Vec<f64> = values
        .chunks_exact(columns)
        .rev()
        .flatten()
        .copied()
        .collect();
    image.write_data(&north_first)?;
    Ok(bytes.into_inner())
}

fn numbers(decoder: &mut Decoder<Cursor<&[u8]>>, tag: Tag) -> Result<Option<Vec<f64>>> {
    let Some(value) = decoder.find_tag(tag).context("GeoTIFF")? else {
        return Ok(None);
    };
    let numbers = value.into_f64_vec().context("GeoTIFF")?;
    ensure!(
        numbers.iter().all(|v| v.is_finite()),
        "GeoTIFF: a place that is not finite"
    );
    Ok(Some(numbers))
}

/// The directory of keys as (key, value) where the value stands in the directory itself.
fn keys(decoder: &mut Decoder<Cursor<&[u8]>>) -> Result<Vec<(u16, u16)>> {
    let Some(value) = decoder
        .find_tag(Tag::GeoKeyDirectoryTag)
        .context("GeoTIFF")?
    else {
        return Ok(Vec::new());
    };
    let entries = value.into_u16_vec().context("GeoTIFF")?;
    let entries = entries.get(4..).unwrap_or_default().chunks_exact(4);
    Ok(entries
        .filter(|e| e[1] == 0)
        .map(|e| (e[0], e[3]))
        .collect())
}

fn key(keys: &[(u16, u16)], wanted: u16) -> Option<u16> {
    keys.iter().find(|k| k.0 == wanted).map(|k| k.1)
}

fn crs(keys: &[(u16, u16)]) -> Option<String> {
    let code = key(keys, PROJECTED).or(key(keys, GEOGRAPHIC))?;
    Some(format!("EPSG:{code}"))
}

fn band(image: DecodingResult) -> Vec<f64> {
    fn wide<T: Copy>(samples: &[T], widen: impl Fn(T) -> f64) -> Vec<f64> {
        samples.iter().map(|&s| widen(s)).collect()
    }
    match image {
        DecodingResult::U8(v) => wide(&v, f64::from),
        DecodingResult::U16(v) => wide(&v, f64::from),
        DecodingResult::U32(v) => wide(&v, f64::from),
        DecodingResult::U64(v) => wide(&v, |s| s as f64),
        DecodingResult::I8(v) => wide(&v, f64::from),
        DecodingResult::I16(v) => wide(&v, f64::from),
        DecodingResult::I32(v) => wide(&v, f64::from),
        DecodingResult::I64(v) => wide(&v, |s| s as f64),
        DecodingResult::F16(v) => wide(&v, f64::from),
        DecodingResult::F32(v) => wide(&v, f64::from),
        DecodingResult::F64(v) => v,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let values = [1.0, 2.0, 3.0, f64::NAN, 5.0, 2_800_000.125];
        let place = DVec2::new(2_800_000.25, 1_200_000.75);
        let bytes = write((3, 2), 0.5, place, &values, Some(2056)).unwrap();
        let grid = read(&bytes).unwrap();
        let expected = Grid::new(3, 2, 0.5, place, values.to_vec())
            .unwrap()
            .with_crs("EPSG:2056");
        // NaN differs from itself: the printed forms are compared.
        assert_eq!(format!("{grid:?}"), format!("{expected:?}"));
    }

    #[test]
    fn broken_files_are_refused() {
        let bytes = write((2, 2), 1.0, DVec2::ZERO, &[0.0; 4], None).unwrap();
        for end in 0..bytes.len() {
            // Cut anywhere the file must be refused or, where only padding is lost, read.
            let _ = read(&bytes[..end]);
        }
        assert!(read(&bytes[..40]).is_err());
        assert!(read(b"II*\0").is_err());
        assert!(write((2, 2), 1.0, DVec2::ZERO, &[0.0; 3], None).is_err());
    }
}

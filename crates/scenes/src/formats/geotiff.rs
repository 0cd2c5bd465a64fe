//! GeoTIFF rasters with north up: one band of heights or results, its place, its CRS, missing data.
//!
//! Read: any sample type of one band; place from ModelPixelScale and ModelTiepoint; missing data from
//! GDAL's tag, rounded as the samples are; the CRS as `EPSG:n` or the citation. Turned or sheared rasters are refused,
//! and so are degrees and feet.

use std::io::Cursor;

use anyhow::{Context as _, Result, ensure};
use glam::DVec2;
use klast_geometry::terrain::Grid;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::encoder::{TiffEncoder, colortype::Gray64Float};
use tiff::tags::Tag;

/// Keys of the directory: the model and raster types, the codes and the citations of the CRS, the units of plan and height.
const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const CITATION: u16 = 1026;
const GEOGRAPHIC: u16 = 2048;
const PROJECTED: u16 = 3072;
const PROJECTED_CITATION: u16 = 3073;
const PLAN_UNIT: u16 = 3076;
const HEIGHT_UNIT: u16 = 4099;
/// Values of keys.
const MODEL_PROJECTED: u16 = 1;
const PIXEL_IS_POINT: u16 = 2;
const METRE: u16 = 9001;
const USER_DEFINED: u16 = 32767;
/// The tag that holds the texts of keys.
const ASCII_PARAMETERS: u16 = 34737;

/// No height is as large: programs print the greatest single and double, which stand for missing data, with as many digits as they like.
const HUGE: f64 = 3.4e38;

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
    let nodata = nodata(&mut decoder)?;
    let keys = Keys::read(&mut decoder)?;
    let crs = keys.crs()?;
    let centre = if keys.number(RASTER_TYPE) == Some(PIXEL_IS_POINT) {
        0.0
    } else {
        0.5
    };
    let band = band(decoder.read_image().context("GeoTIFF")?, nodata);
    ensure!(
        band.len() == columns * rows,
        "GeoTIFF: {} samples for {columns} x {rows} cells; accepted: one band",
        band.len()
    );
    let north_first = band.chunks_exact(columns.max(1));
    let heights = north_first.rev().flatten().copied().collect();
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
    let mut keys: Vec<u16> = vec![1, 1, 0, 2];
    keys.extend([MODEL_TYPE, 0, 1, MODEL_PROJECTED, RASTER_TYPE, 0, 1, 1]);
    if let Some(code) = epsg {
        keys[3] = 3;
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

/// The value that stands for missing data.
fn nodata(decoder: &mut Decoder<Cursor<&[u8]>>) -> Result<Option<f64>> {
    let Some(value) = decoder.find_tag(Tag::GdalNodata).context("GeoTIFF")? else {
        return Ok(None);
    };
    let text = value.into_string().context("GeoTIFF: GDAL_NODATA")?;
    let number = text.trim_matches(['\0', ' ']).parse();
    let number = number
        .ok()
        .with_context(|| format!("GeoTIFF: GDAL_NODATA is {text:?}; accepted: a number"))?;
    Ok(Some(number))
}

/// The directory of keys: those whose value stands in the directory itself, and those with a text.
struct Keys {
    numbers: Vec<(u16, u16)>,
    texts: Vec<(u16, String)>,
}

impl Keys {
    fn read(decoder: &mut Decoder<Cursor<&[u8]>>) -> Result<Self> {
        let directory = match decoder
            .find_tag(Tag::GeoKeyDirectoryTag)
            .context("GeoTIFF")?
        {
            Some(value) => value.into_u16_vec().context("GeoTIFF")?,
            None => Vec::new(),
        };
        let text = match decoder
            .find_tag(Tag::GeoAsciiParamsTag)
            .context("GeoTIFF")?
        {
            Some(value) => value.into_string().context("GeoTIFF")?,
            None => String::new(),
        };
        let entries = || directory.get(4..).unwrap_or_default().chunks_exact(4);
        let part = |e: &[u16]| {
            let (from, length) = (usize::from(e[3]), usize::from(e[2]));
            let part = text
                .get(from..from + length)?
                .trim_matches(['|', '\0', ' ']);
            (!part.is_empty()).then(|| (e[0], part.to_owned()))
        };
        Ok(Self {
            numbers: entries()
                .filter(|e| e[1] == 0)
                .map(|e| (e[0], e[3]))
                .collect(),
            texts: entries()
                .filter(|e| e[1] == ASCII_PARAMETERS)
                .filter_map(part)
                .collect(),
        })
    }

    fn number(&self, wanted: u16) -> Option<u16> {
        self.numbers.iter().find(|k| k.0 == wanted).map(|k| k.1)
    }

    fn text(&self, wanted: u16) -> Option<&String> {
        self.texts.iter().find(|k| k.0 == wanted).map(|k| &k.1)
    }

    /// The CRS: a code, or the words for one of the user's own.
    fn crs(&self) -> Result<Option<String>> {
        let model = self.number(MODEL_TYPE);
        let degrees = self.number(GEOGRAPHIC).is_some() && self.number(PROJECTED).is_none();
        ensure!(
            model.is_none_or(|m| m == MODEL_PROJECTED || m == USER_DEFINED)
                && !(model.is_none() && degrees),
            "GeoTIFF: the model type is {}; accepted: 1, a projected CRS in metres",
            model.map_or("not given and the CRS geographic".into(), |m| m.to_string())
        );
        for (key, what) in [(PLAN_UNIT, "plan"), (HEIGHT_UNIT, "height")] {
            let unit = self.number(key).unwrap_or(METRE);
            ensure!(
                unit == METRE,
                "GeoTIFF: the unit of {what} is {unit}; accepted: {METRE}, the metre"
            );
        }
        Ok(match self.number(PROJECTED) {
            Some(code) if code != USER_DEFINED => Some(format!("EPSG:{code}")),
            _ => self
                .text(PROJECTED_CITATION)
                .or(self.text(CITATION))
                .cloned(),
        })
    }
}

/// The samples as doubles, NaN where they are the value that stands for missing data once it is rounded as they are.
fn band(image: DecodingResult, nodata: Option<f64>) -> Vec<f64> {
    fn wide<T: Copy>(
        samples: &[T],
        widen: impl Fn(T) -> f64,
        missing: impl Fn(f64) -> bool,
    ) -> Vec<f64> {
        let height = |z| if missing(z) { f64::NAN } else { z };
        samples.iter().map(|&s| height(widen(s))).collect()
    }
    let huge = |z: f64| nodata.is_some_and(|n| n.abs() >= HUGE && z.abs() >= HUGE && n * z > 0.0);
    let whole = |z| Some(z) == nodata;
    let double = |z| whole(z) || huge(z);
    let single = |z| nodata.is_some_and(|n| f64::from(n as f32) == z) || huge(z);
    // Half of the step between halves is 2⁻¹¹ of the number at most.
    let half = |z: f64| nodata.is_some_and(|n| (n - z).abs() <= z.abs() / 2048.0) || huge(z);
    match image {
        DecodingResult::U8(v) => wide(&v, f64::from, whole),
        DecodingResult::U16(v) => wide(&v, f64::from, whole),
        DecodingResult::U32(v) => wide(&v, f64::from, whole),
        DecodingResult::U64(v) => wide(&v, |s| s as f64, whole),
        DecodingResult::I8(v) => wide(&v, f64::from, whole),
        DecodingResult::I16(v) => wide(&v, f64::from, whole),
        DecodingResult::I32(v) => wide(&v, f64::from, whole),
        DecodingResult::I64(v) => wide(&v, |s| s as f64, whole),
        DecodingResult::F16(v) => wide(&v, f64::from, half),
        DecodingResult::F32(v) => wide(&v, f64::from, single),
        DecodingResult::F64(v) => wide(&v, |s| s, double),
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

    /// A file of 2 × 1 singles with these texts and keys, as other programs write it.
    fn foreign(samples: [f32; 2], nodata: &str, keys: &[[u16; 4]], text: &str) -> Vec<u8> {
        use tiff::encoder::colortype::Gray32Float;
        let mut bytes = Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
        let mut image = encoder.new_image::<Gray32Float>(2, 1).unwrap();
        let tags = image.encoder();
        tags.write_tag(Tag::ModelPixelScaleTag, &[1.0, 1.0, 0.0][..])
            .unwrap();
        tags.write_tag(Tag::ModelTiepointTag, &[0.0; 6][..])
            .unwrap();
        tags.write_tag(Tag::GdalNodata, nodata).unwrap();
        let mut directory = vec![1, 1, 0, keys.len() as u16];
        directory.extend(keys.iter().flatten());
        tags.write_tag(Tag::GeoKeyDirectoryTag, &directory[..])
            .unwrap();
        tags.write_tag(Tag::GeoAsciiParamsTag, text).unwrap();
        image.write_data(&samples).unwrap();
        bytes.into_inner()
    }

    fn missing(sample: f32, nodata: &str) -> Vec<bool> {
        let image = DecodingResult::F32(vec![sample, 7.0]);
        let tag = nodata.parse().unwrap();
        band(image, Some(tag)).iter().map(|z| z.is_nan()).collect()
    }

    #[test]
    fn missing_data_are_known_as_singles() {
        for (sample, printed) in [
            (-9999.9, "-9999.9"),
            (1e-5, "1e-5"),
            (f32::MIN, "-3.4e+38"),
            (f32::MIN, "-3.4028235e+38"),
            (f32::MIN, "-3.40282346600000016e+38"),
            (f32::MIN, "-1.79769313486232e+308"),
            (-32768.0, "-32768"),
        ] {
            assert_eq!(missing(sample, printed), [true, false], "{printed}");
        }
        assert_eq!(missing(-9999.0, "-9999.9"), [false, false]);
        assert_eq!(missing(f32::MAX, "-3.4e+38"), [false, false]);
        let unreadable = read(&foreign([1.0, 2.0], "none", &[], "")).unwrap_err();
        assert!(
            format!("{unreadable:#}").contains("GDAL_NODATA is \"none"),
            "{unreadable:#}"
        );
    }

    #[test]
    fn degrees_and_feet_are_refused_and_a_citation_is_kept() {
        let error = |keys: &[[u16; 4]]| {
            // One row is no surface: the keys are looked at before.
            format!(
                "{:#}",
                read(&foreign([1.0, 2.0], "nan", keys, "")).unwrap_err()
            )
        };
        assert!(error(&[[1024, 0, 1, 2], [2048, 0, 1, 4326]]).contains("model type is 2"));
        assert!(error(&[[2048, 0, 1, 4326]]).contains("geographic"));
        assert!(
            error(&[[1024, 0, 1, 1], [3072, 0, 1, 2264], [3076, 0, 1, 9003]])
                .contains("unit of plan is 9003")
        );
        assert!(error(&[[1024, 0, 1, 1], [4099, 0, 1, 9002]]).contains("unit of height is 9002"));
        let keys = [[1024, 0, 1, 1], [3072, 0, 1, 32767], [3073, 34737, 11, 4]];
        let bytes = foreign([1.0, 2.0], "nan", &keys, "XYZ|local grid|");
        let mut decoder = Decoder::new(Cursor::new(&bytes[..])).unwrap();
        let keys = Keys::read(&mut decoder).unwrap();
        assert_eq!(keys.crs().unwrap().as_deref(), Some("local grid"));
        // What is written says that it is projected.
        let bytes = write((2, 2), 1.0, DVec2::ZERO, &[0.0; 4], Some(2056)).unwrap();
        let mut decoder = Decoder::new(Cursor::new(&bytes[..])).unwrap();
        let keys = Keys::read(&mut decoder).unwrap();
        assert_eq!(keys.number(MODEL_TYPE), Some(1));
    }
}

//! GeoTIFF rasters: one band of heights or results, its place, its CRS, missing data.
//!
//! Every tag, key and side file that changes where or how high a cell is, or whether it is data, is applied or refused
//! by name: place (scale and tie point, transformation, world file, `.aux.xml`; south up too), cells or points, CRS
//! (keys, `.prj`, `.aux.xml`), units of plan and height, scale and offset, missing data (GDAL_NODATA, masks inside and
//! beside the file, alpha, blocks that are left out). Compressions are those of pure Rust crates; others are refused
//! with the command that cures them. Memory is bounded before it is taken.

mod blocks;
mod cells;
mod container;
mod keys;
mod samples;
mod units;
mod write;

use crate::command::Command;
use crate::raster::esri_ascii::raster_number;
use crate::refusal::{Context as _, Result, bail, ensure, refusal};
use glam::DVec2;
use std::ops::Range;

use crate::command::WARP;
use crate::crs::{Crs, agreed};
use crate::raster::band_metadata::{BandMetadata, of_pam, of_tag};
use crate::raster::placement::Placement;
use crate::raster::{Beside, Raster, one_unit};
use blocks::{Image, Window};
use cells::{Order, hide, values_of};
use container::{Directory, Tiff};

pub use container::{Bytes, OnDisk};
pub use keys::Keys;
pub use write::{Band, Digits, write};

/// Tags that are no part of how samples are packed.
mod tag {
    pub const SUBFILE: u16 = 254;
    pub const PHOTOMETRIC: u16 = 262;
    pub const ORIENTATION: u16 = 274;
    pub const EXTRA_SAMPLES: u16 = 338;
    pub const PIXEL_SCALE: u16 = 33550;
    pub const TIE_POINTS: u16 = 33922;
    pub const TRANSFORMATION: u16 = 34264;
    pub const GDAL_METADATA: u16 = 42112;
    pub const GDAL_NODATA: u16 = 42113;
}

/// Reads one band as a raster of heights, with what stands beside the file.
///
/// # Errors
/// Anything that is not such a file, or is not read, by name and with the command that cures it.
pub fn read(bytes: &[u8], beside: &Beside) -> Result<Raster> {
    read_from(&bytes, beside)
}

/// As [`read`], from a file of which little is in memory at a time.
///
/// # Errors
/// As [`read`].
pub fn read_from(source: &dyn Bytes, beside: &Beside) -> Result<Raster> {
    read_band(source, beside, None).context("GeoTIFF")
}

/// The cells of a raster: how many, how large, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    /// Cells to the east.
    pub columns: usize,
    /// Cells to the north.
    pub rows: usize,
    /// Side of a cell.
    pub cell: f64,
    /// Centre of the cell in the south-west, in map coordinates.
    pub south_west: DVec2,
}

impl Layout {
    /// All columns and rows, both from the south-west.
    #[must_use]
    pub fn cells(&self) -> [Range<usize>; 2] {
        [0..self.columns, 0..self.rows]
    }
}

/// Chooses columns and rows of a raster, both from the south-west.
pub type Choice<'a> = dyn Fn(&Layout) -> Result<[Range<usize>; 2]> + 'a;

/// Reads columns and rows, both from the south-west, that are chosen once it is known how many there are; the rest of
/// the file is left on its disk.
///
/// # Errors
/// As [`read`]; what `choose` refuses, and cells that the raster does not have.
pub fn read_part(source: &dyn Bytes, beside: &Beside, choose: &Choice) -> Result<Raster> {
    read_band(source, beside, Some(choose)).context("GeoTIFF")
}

fn read_band(source: &dyn Bytes, beside: &Beside, choose: Option<&Choice>) -> Result<Raster> {
    let (tiff, directories) = Tiff::open(source)?;
    let (main, mask) = images(&tiff, &directories)?;
    let image = Image::of(&tiff, main, choose.is_none())?;
    let alpha = alpha(&tiff, main, &image)?;
    let metadata = metadata(&tiff, main, beside)?;
    let keys = Keys::read(&tiff, main)?;
    let mut remarks = Vec::new();
    let size = (image.columns, image.rows);
    let place = place(&tiff, main, &keys, &metadata, beside, size, &mut remarks)?;
    let whole = Layout {
        columns: image.columns,
        rows: image.rows,
        cell: place.cell(),
        south_west: place.south_west(image.rows),
    };
    let extent = place.cell() * DVec2::new(image.columns as f64, image.rows as f64);
    let mut cautions = Vec::new();
    let centre = whole.south_west + 0.5 * extent;
    let crs = crs(&keys, &metadata, beside, centre, &mut cautions)?;
    let height_unit = height_unit(&keys, &metadata, crs.as_ref())?;
    let [columns, rows] = choose.map_or(Ok(whole.cells()), |choose| choose(&whole))?;
    ensure!(
        columns.end <= whole.columns && rows.end <= whole.rows && !columns.is_empty() && !rows.is_empty(),
        Placement, "columns {columns:?} and rows {rows:?}"; "within {} x {} cells", whole.columns, whole.rows
    );
    let corner = DVec2::new(columns.start as f64, rows.start as f64);
    let south_west = match corner == DVec2::ZERO {
        true => whole.south_west,
        false => whole.south_west + whole.cell * corner,
    };
    let (width, height) = (columns.len(), rows.len());
    let order = Order {
        window: Window {
            columns,
            rows: match place.south_up() {
                true => rows,
                false => whole.rows - rows.end..whole.rows - rows.start,
            },
        },
        south_up: place.south_up(),
    };
    let mut values = values_of(&tiff, &image, alpha, &order, metadata.nodata, &mut remarks)?;
    if let Some(mask) = mask {
        hide(&tiff, mask, size, &order, &mut values).context("mask")?;
        remarks.push("cells outside of the mask are missing data".to_owned());
    }
    if let Some(bytes) = &beside.mask {
        let bytes = bytes.as_slice();
        let (tiff, directories) = Tiff::open(&bytes).context(".msk")?;
        let (main, _) = images(&tiff, &directories).context(".msk")?;
        hide(&tiff, main, size, &order, &mut values).context(".msk")?;
        remarks.push("cells outside of the mask .msk are missing data".to_owned());
    }
    let mut raster = Raster {
        columns: width,
        rows: height,
        cell: place.cell(),
        south_west,
        values,
        crs,
        height_unit,
        palette: tiff.first(main, tag::PHOTOMETRIC)? == Some(3),
        remarks,
        cautions,
    };
    raster.settle(metadata.nodata.is_some(), choose.is_none());
    raster.scale(metadata.line()?);
    Ok(raster)
}

/// What the file and `.aux.xml` say of the band; they must agree.
fn metadata(tiff: &Tiff, directory: &Directory, beside: &Beside) -> Result<BandMetadata> {
    let inside = match tiff.text(directory, tag::GDAL_METADATA) {
        Some(text) => of_tag(&text)?,
        None => BandMetadata::default(),
    };
    let inside = BandMetadata {
        nodata: nodata(tiff, directory)?,
        ..inside
    };
    match &beside.pam {
        Some(pam) => of_pam(pam)
            .and_then(|outside| inside.with(&outside))
            .context(".aux.xml"),
        None => Ok(inside),
    }
}

/// The image itself, and the mask of it if the file holds one; smaller copies of them are passed over.
fn images<'a>(
    tiff: &Tiff,
    directories: &'a [Directory],
) -> Result<(&'a Directory, Option<&'a Directory>)> {
    let mut found: Vec<(&Directory, u64)> = Vec::new();
    for directory in directories {
        let kind = tiff.first(directory, tag::SUBFILE)?.unwrap_or(0);
        if kind & 1 == 0 {
            found.push((directory, kind));
        }
    }
    let pages: Vec<&Directory> = found.iter().filter(|f| f.1 & 4 == 0).map(|f| f.0).collect();
    let masks: Vec<&Directory> = found.iter().filter(|f| f.1 & 4 != 0).map(|f| f.0).collect();
    ensure!(
        pages.len() <= 1,
        Several, "{} images", pages.len(); "one" => Command::new("gdal_translate GTIFF_DIR:1:{in}.tif {out}.tif")
    );
    ensure!(masks.len() <= 1, Several, "{} masks", masks.len(); "one");
    let page = pages
        .first()
        .copied()
        .ok_or_else(|| refusal!(Missing, "no image of full size"))?;
    Ok((page, masks.first().copied()))
}

/// What is accepted in place of a picture. A band of one holds a colour, and would be read as heights.
const HEIGHTS: &str = "the raster of heights from which the picture was made (QGIS saves it with 'Raw data' in place \
    of \
                       'Rendered image')";

/// Number of the band that says where there are data; refuses pictures and rasters of several bands.
fn alpha(tiff: &Tiff, directory: &Directory, image: &Image) -> Result<Option<usize>> {
    let orientation = tiff.first(directory, tag::ORIENTATION)?.unwrap_or(1);
    ensure!(orientation == 1, Placement, "rows in the order {orientation} (Orientation)"; "1, from the top left");
    let colours = match tiff.first(directory, tag::PHOTOMETRIC)?.unwrap_or(1) {
        0 | 1 | 3 | 4 => 1,
        2 => {
            bail!(Quantity, "a picture in red, green and blue: colours are no heights"; "{HEIGHTS}")
        }
        other => {
            bail!(Quantity, "a picture (photometric interpretation {other}): colours are no heights"; "{HEIGHTS}")
        }
    };
    let extra = tiff
        .integers(directory, tag::EXTRA_SAMPLES)?
        .unwrap_or_default();
    let is_alpha = |k: usize| matches!(extra.get(k.wrapping_sub(colours)), Some(1 | 2));
    match image.bands {
        1 => Ok(None),
        2 if is_alpha(1) => Ok(Some(1)),
        bands => bail!(
            Several, "{bands} bands"; "one band of heights" => Command::new("gdal_translate -b 1 {in}.tif {out}.tif")
        ),
    }
}

/// The sample that stands for missing data.
fn nodata(tiff: &Tiff, directory: &Directory) -> Result<Option<f64>> {
    let Some(text) = tiff.text(directory, tag::GDAL_NODATA) else {
        return Ok(None);
    };
    let text = text.trim_matches(['\0', ' ']);
    let number = raster_number(text).ok_or_else(|| {
        refusal!(
            Value, "GDAL_NODATA is {text:?}"; "a number"
            => Command::new("gdal_translate -a_nodata -9999 {in}.tif {out}.tif")
        )
    })?;
    Ok(Some(number))
}

/// The place: inside the file, in `.aux.xml`, in a world file; they must agree.
fn place(
    tiff: &Tiff,
    directory: &Directory,
    keys: &Keys,
    metadata: &BandMetadata,
    beside: &Beside,
    (columns, rows): (usize, usize),
    remarks: &mut Vec<String>,
) -> Result<Placement> {
    let mut places: Vec<(&str, Placement)> = Vec::new();
    if let Some(transform) = metadata.transform {
        places.push((
            ".aux.xml",
            Placement::of_transform(transform).context(".aux.xml")?,
        ));
    }
    if let Some(transform) = inside(tiff, directory, keys, remarks)? {
        places.push(("the file", Placement::of_transform(transform)?));
    }
    if let Some(world) = &beside.world {
        places.push(("the world file", Placement::of_world_file(world)?));
    }
    let Some(&(name, place)) = places.first() else {
        ensure!(
            !metadata.control_points,
            Placement, "ground control points"; "a raster with a place"
            => Command::new(&format!("gdalwarp {WARP} {{in}}.tif {{out}}.tif"))
        );
        bail!(
            Placement, "no place";
            "a pixel scale with a tie point, a transformation, or a world file (.tfw) beside it"
        );
    };
    for (other, found) in &places[1..] {
        ensure!(
            place.agrees(found, columns, rows),
            Placement,
            "{name} puts the first corner at {}, {} with cells of {} m, {other} at {}, {} with cells of {} m",
            place.corner.x, place.corner.y, place.cell(), found.corner.x, found.corner.y, found.cell();
            "one place (delete the one that is wrong)"
        );
    }
    Ok(place)
}

/// The place inside the file at the corner of the first cell, as GDAL orders it.
fn inside(
    tiff: &Tiff,
    directory: &Directory,
    keys: &Keys,
    remarks: &mut Vec<String>,
) -> Result<Option<[f64; 6]>> {
    let scale = tiff.doubles(directory, tag::PIXEL_SCALE)?;
    let ties = tiff.doubles(directory, tag::TIE_POINTS)?;
    let matrix = tiff.doubles(directory, tag::TRANSFORMATION)?;
    let mut transform = match (scale.as_deref(), ties.as_deref(), matrix.as_deref()) {
        (_, _, Some(m)) if m.len() == 16 => [m[3], m[0], m[1], m[7], m[4], m[5]],
        (Some([sx, sy, rest @ ..]), Some([i, j, k, x, y, z, ..]), _) => {
            let up = rest.first().copied().unwrap_or(0.0);
            ensure!(
                matches!(up, 0.0 | 1.0) && (up == 0.0 || z - k == 0.0),
                Placement, "a scale of {up} and a tie point at {z} in height"; "heights as they are"
            );
            if *sy < 0.0 {
                remarks.push(
                    "the scale along y is below zero: read north up, as GDAL does".to_owned(),
                );
            }
            let sy = sy.abs();
            [x - i * sx, *sx, 0.0, y + j * sy, 0.0, -sy]
        }
        (None, Some(ties), _) if ties.len() >= 6 => {
            bail!(
                Placement, "{} tie points without a scale", ties.len() / 6; "a raster with a place"
                => Command::new(&format!("gdalwarp {WARP} {{in}}.tif {{out}}.tif"))
            )
        }
        (None, None, None) => return Ok(None),
        _ => bail!(Placement, "the place is not complete"),
    };
    if keys.pixel_is_point() {
        let [_, xe, xs, _, ye, ys] = transform;
        transform[0] -= 0.5 * (xe + xs);
        transform[3] -= 0.5 * (ye + ys);
    }
    Ok(Some(transform))
}

/// The CRS of the keys, of `.aux.xml`, of `.prj`; they must agree at a point of the raster.
fn crs(
    keys: &Keys,
    metadata: &BandMetadata,
    beside: &Beside,
    at: DVec2,
    cautions: &mut Vec<String>,
) -> Result<Option<Crs>> {
    let of_pam = metadata.crs.as_deref().map(Crs::parse).transpose();
    let of_pam = of_pam.context(".aux.xml")?;
    let found = [
        ("the file", keys.crs()?),
        (".aux.xml", of_pam),
        (".prj", beside.crs()?),
    ];
    agreed(found, at, cautions)
}

/// Metres a unit of height; they must agree where several say it.
fn height_unit(keys: &Keys, metadata: &BandMetadata, crs: Option<&Crs>) -> Result<f64> {
    one_unit([
        ("the metadata of the band", metadata.height_unit()?),
        ("the GeoTIFF keys", keys.height_unit()?),
        ("the CRS", crs.and_then(|c| c.vertical)),
    ])
}

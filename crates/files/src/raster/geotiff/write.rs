//! Writing GeoTIFF: tiles, deflate, the directory before the data (the layout of cloud-optimised files).

use crate::refusal::{Context as _, Result, ensure};
use std::io::Write as _;

use glam::DVec2;

use super::keys;
use crate::crs::Crs;

/// Side of a tile in cells.
const TILE: usize = 256;
/// Tag of the places of the tiles in the file.
const TILE_OFFSETS: u16 = 324;

/// How a value is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    /// 32 bits: seven digits, which results have.
    Single,
    /// 64 bits, for values that are to come back as they are.
    Double,
}

/// What is written of the values beside them: GDAL and QGIS show it at the band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band<'a> {
    /// How each is stored.
    pub digits: Digits,
    /// What they are; may be empty.
    pub description: &'a str,
    /// Their unit; may be empty.
    pub unit: &'a str,
}

impl From<Digits> for Band<'static> {
    fn from(digits: Digits) -> Self {
        let (description, unit) = ("", "");
        Self {
            digits,
            description,
            unit,
        }
    }
}

impl Band<'_> {
    /// The text of the tag GDAL_METADATA; empty where there is nothing to say.
    fn metadata(&self) -> String {
        let item = |(name, role, value): (&str, &str, &str)| {
            let value = value.replace('&', "&amp;").replace('<', "&lt;");
            let start = format!("<Item name=\"{name}\" sample=\"0\" role=\"{role}\">");
            format!("{start}{value}</Item>")
        };
        let items = [
            ("DESCRIPTION", "description", self.description),
            ("UNITTYPE", "unittype", self.unit),
        ];
        let items = items.into_iter().filter(|(.., value)| !value.is_empty());
        let items: String = items.map(item).collect();
        match items.is_empty() {
            true => items,
            false => format!("<GDALMetadata>{items}</GDALMetadata>"),
        }
    }
}

/// A value of a tag.
enum Value {
    Shorts(Vec<u64>),
    Longs(Vec<u64>),
    Doubles(Vec<f64>),
    Text(String),
}

impl Value {
    fn kind(&self) -> (u16, usize, usize) {
        match self {
            Self::Text(t) => (2, 1, t.len() + 1),
            Self::Shorts(v) => (3, 2, v.len()),
            Self::Longs(v) => (4, 4, v.len()),
            Self::Doubles(v) => (12, 8, v.len()),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(t) => t.bytes().chain([0]).collect(),
            Self::Shorts(v) => v.iter().flat_map(|&n| (n as u16).to_le_bytes()).collect(),
            Self::Longs(v) => v.iter().flat_map(|&n| (n as u32).to_le_bytes()).collect(),
            Self::Doubles(v) => v.iter().flat_map(|n| n.to_le_bytes()).collect(),
        }
    }
}

/// Writes the value of each cell by its number, rows from the south, NaN where there is none.
///
/// # Errors
/// No cells, sizes beyond the format (4 GiB).
pub fn write<'a>(
    (columns, rows): (usize, usize),
    cell: f64,
    south_west_centre: DVec2,
    value: impl Fn(usize) -> f64,
    crs: Option<&Crs>,
    band: impl Into<Band<'a>>,
) -> Result<Vec<u8>> {
    let band = band.into();
    let digits = band.digits;
    ensure!(
        columns > 0 && rows > 0,
        Missing, "GeoTIFF: {columns} x {rows} cells"; "1 x 1 or more"
    );
    let corner = south_west_centre + DVec2::new(-0.5, rows as f64 - 0.5) * cell;
    let (width, height) = (u32::try_from(columns)?, u32::try_from(rows)?);
    let tiles = tiles((columns, rows), &value, digits)?;
    let (directory, text) = keys::written(crs);
    let bits = if digits == Digits::Single { 32 } else { 64 };
    let counts: Vec<u64> = tiles.iter().map(|t| t.len() as u64).collect();
    let total: u64 = counts.iter().sum();
    u32::try_from(total + 65_536 + 8 * counts.len() as u64).context("GeoTIFF over 4 GiB")?;
    let mut tags = vec![
        (256, Value::Longs(vec![u64::from(width)])),
        (257, Value::Longs(vec![u64::from(height)])),
        (258, Value::Shorts(vec![bits])),
        (259, Value::Shorts(vec![8])),
        (262, Value::Shorts(vec![1])),
        (277, Value::Shorts(vec![1])),
        (284, Value::Shorts(vec![1])),
        (317, Value::Shorts(vec![3])),
        (322, Value::Shorts(vec![TILE as u64])),
        (323, Value::Shorts(vec![TILE as u64])),
        (TILE_OFFSETS, Value::Longs(vec![0; tiles.len()])),
        (325, Value::Longs(counts)),
        (339, Value::Shorts(vec![3])),
        (33550, Value::Doubles(vec![cell, cell, 0.0])),
        (
            33922,
            Value::Doubles(vec![0.0, 0.0, 0.0, corner.x, corner.y, 0.0]),
        ),
        (34735, Value::Shorts(directory)),
    ];
    if !text.is_empty() {
        tags.push((34737, Value::Text(text)));
    }
    let metadata = band.metadata();
    if !metadata.is_empty() {
        tags.push((42112, Value::Text(metadata)));
    }
    tags.push((42113, Value::Text("nan".to_owned())));
    Ok(laid_out(tags, &tiles))
}

/// The directory, then what does not fit into it, then the tiles.
fn laid_out(mut tags: Vec<(u16, Value)>, tiles: &[Vec<u8>]) -> Vec<u8> {
    let start = 8 + 2 + 12 * tags.len() + 4;
    let beside = tags.iter().map(|(_, value)| value.bytes().len());
    let beside: usize = beside.filter(|n| *n > 4).map(even).sum();
    let mut next = (start + beside) as u64;
    let offsets = tiles.iter().map(|tile| {
        let offset = next;
        next += tile.len() as u64;
        offset
    });
    let offsets: Vec<u64> = offsets.collect();
    if let Some(tag) = tags.iter_mut().find(|tag| tag.0 == TILE_OFFSETS) {
        tag.1 = Value::Longs(offsets);
    }
    let mut out = Vec::with_capacity(next as usize);
    out.extend_from_slice(b"II*\0\x08\0\0\0");
    out.extend((tags.len() as u16).to_le_bytes());
    let mut data = Vec::with_capacity(beside);
    for (tag, value) in &tags {
        let (kind, _, count) = value.kind();
        out.extend(tag.to_le_bytes());
        out.extend(kind.to_le_bytes());
        out.extend((count as u32).to_le_bytes());
        let mut bytes = value.bytes();
        if bytes.len() > 4 {
            out.extend(((start + data.len()) as u32).to_le_bytes());
            bytes.resize(even(bytes.len()), 0);
            data.extend(bytes);
        } else {
            bytes.resize(4, 0);
            out.extend(bytes);
        }
    }
    out.extend(0u32.to_le_bytes());
    out.extend(data);
    tiles.iter().for_each(|t| out.extend_from_slice(t));
    out
}

fn even(length: usize) -> usize {
    length.next_multiple_of(2)
}

/// The tiles from the north-west, each packed.
fn tiles(
    (columns, rows): (usize, usize),
    value: &dyn Fn(usize) -> f64,
    digits: Digits,
) -> Result<Vec<Vec<u8>>> {
    let size = if digits == Digits::Single { 4 } else { 8 };
    let mut tiles: Vec<Vec<u8>> = Vec::new();
    let mut raw = vec![0u8; TILE * TILE * size];
    let mut before = Vec::new();
    for north in (0..rows).step_by(TILE) {
        for west in (0..columns).step_by(TILE) {
            for (k, line) in raw.chunks_exact_mut(TILE * size).enumerate() {
                let within = |i: usize| match (north + k < rows, west + i < columns) {
                    (true, true) => value((rows - 1 - north - k) * columns + west + i),
                    _ => f64::NAN,
                };
                for i in 0..TILE {
                    // The largest bytes of all values first, then the next ones, each as its difference from the one
                    // before.
                    let mut put = |bytes: &[u8]| {
                        for (b, v) in bytes.iter().enumerate() {
                            line[b * TILE + i] = *v;
                        }
                    };
                    match digits {
                        Digits::Single => put(&(within(i) as f32).to_be_bytes()),
                        Digits::Double => put(&within(i).to_be_bytes()),
                    }
                }
                for k in (1..line.len()).rev() {
                    line[k] = line[k].wrapping_sub(line[k - 1]);
                }
            }
            // Most tiles of a map are empty.
            if let Some(packed) = tiles.last().filter(|_| raw == before) {
                tiles.push(packed.clone());
                continue;
            }
            let mut packed =
                flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
            packed.write_all(&raw)?;
            tiles.push(packed.finish()?);
            before.clone_from(&raw);
        }
    }
    Ok(tiles)
}

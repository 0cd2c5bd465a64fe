//! Files of other writers, made here byte by byte, and our own read back.

mod definitions;
mod place;
mod values;
mod written;

use crate::cases::refused as told;
use glam::DVec2;
use klast_files::Refusal;
use klast_files::crs::Crs;
use klast_files::raster::geotiff::{Band, Digits, read, write};
use klast_files::raster::{Beside, Raster};
use klast_geometry::terrain::Values;
use std::io::Cursor;
use tiff::encoder::{TiffEncoder, colortype};
use tiff::tags::Tag;

fn plain(bytes: &[u8]) -> Result<Raster, Refusal> {
    read(bytes, &Beside::default())
}

fn said(result: Result<Raster, Refusal>) -> String {
    told(&result.unwrap_err())
}

/// What a file of 2 × 2 singles holds beside its samples.
#[derive(Clone)]
struct Foreign<'a> {
    samples: [f32; 4],
    nodata: Option<&'a str>,
    keys: &'a [[u16; 4]],
    text: &'a str,
    metadata: Option<&'a str>,
    scale: Option<[f64; 3]>,
    ties: &'a [f64],
    matrix: Option<[f64; 16]>,
}

const PLAIN: Foreign = Foreign {
    samples: [1.0, 2.0, 3.0, 4.0],
    nodata: None,
    keys: &[],
    text: "",
    metadata: None,
    scale: Some([1.0, 1.0, 0.0]),
    ties: &[0.0, 0.0, 0.0, 600_000.0, 200_000.0, 0.0],
    matrix: None,
};

impl Foreign<'_> {
    /// As other programs write it.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
        let mut image = encoder.new_image::<colortype::Gray32Float>(2, 2).unwrap();
        let tags = image.encoder();
        if let Some(scale) = self.scale {
            tags.write_tag(Tag::ModelPixelScaleTag, &scale[..]).unwrap();
        }
        if !self.ties.is_empty() {
            tags.write_tag(Tag::ModelTiepointTag, self.ties).unwrap();
        }
        if let Some(matrix) = self.matrix {
            tags.write_tag(Tag::ModelTransformationTag, &matrix[..])
                .unwrap();
        }
        if let Some(nodata) = self.nodata {
            tags.write_tag(Tag::GdalNodata, nodata).unwrap();
        }
        if let Some(metadata) = self.metadata {
            tags.write_tag(Tag::Unknown(42112), metadata).unwrap();
        }
        let mut directory = vec![1, 1, 0, self.keys.len() as u16];
        directory.extend(self.keys.iter().flatten());
        tags.write_tag(Tag::GeoKeyDirectoryTag, &directory[..])
            .unwrap();
        if !self.text.is_empty() {
            tags.write_tag(Tag::GeoAsciiParamsTag, self.text).unwrap();
        }
        image.write_data(&self.samples).unwrap();
        bytes.into_inner()
    }

    fn read(&self) -> Result<Raster, Refusal> {
        plain(&self.bytes())
    }
}

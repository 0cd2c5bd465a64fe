//! The files that stand beside a raster.

use crate::crs::Crs;
use crate::refusal::{Context as _, Result};

/// The bytes of the files that belong to a raster.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    /// World file: .tfw, .wld.
    pub world: Option<Vec<u8>>,
    /// CRS: .prj.
    pub prj: Option<Vec<u8>>,
    /// GDAL's metadata: .aux.xml.
    pub pam: Option<Vec<u8>>,
    /// Mask: .msk.
    pub mask: Option<Vec<u8>>,
}

impl Beside {
    /// Looks for them: `read` gives the bytes of a file by its name, if there is such a file.
    ///
    /// # Errors
    /// What `read` gives.
    pub fn find<E>(
        file: &str,
        mut read: impl FnMut(&str) -> Result<Option<Vec<u8>>, E>,
    ) -> Result<Self, E> {
        let (stem, ending) = match file.rsplit_once('.') {
            Some((stem, ending)) if !ending.contains(['/', '\\']) => (stem, ending),
            _ => (file, ""),
        };
        let mut first = |names: &[String]| -> Result<Option<Vec<u8>>, E> {
            for name in names {
                if let Some(bytes) = read(name)? {
                    return Ok(Some(bytes));
                }
            }
            Ok(None)
        };
        let ends = |list: &[&str]| {
            list.iter()
                .map(|e| format!("{stem}.{e}"))
                .collect::<Vec<_>>()
        };
        let tiff = ending.to_ascii_lowercase().starts_with("tif");
        let worlds = ends(&["tfw", "tifw", "tiffw", "wld", "TFW"]);
        Ok(Self {
            world: if tiff { first(&worlds)? } else { None },
            prj: first(&ends(&["prj", "PRJ"]))?,
            pam: first(&[format!("{file}.aux.xml")])?,
            mask: if tiff {
                first(&[format!("{file}.msk")])?
            } else {
                None
            },
        })
    }

    /// The CRS of the `.prj`.
    ///
    /// # Errors
    /// A text that names none.
    pub fn crs(&self) -> Result<Option<Crs>> {
        let Some(bytes) = &self.prj else {
            return Ok(None);
        };
        let text = crate::text::ascii(bytes).context(".prj")?;
        Crs::parse(&text).context(".prj").map(Some)
    }
}

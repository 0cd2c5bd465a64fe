//! Rasters: ESRI ASCII as GDAL, ArcGIS, GRASS and spreadsheets write it, TIFF of several writers, formats that are not
//! read.

use klast_files::by_ending::raster;
use klast_files::raster::{Beside, Raster};

use super::{
    Case,
    Right::{self, Read, Refused},
};

/// Size, cell, corner and heights from the south.
fn said(file: &str, bytes: &[u8]) -> anyhow::Result<String> {
    let ground = raster(file, bytes, &Beside::default()).and_then(Raster::into_ground)?;
    use klast_geometry::terrain::Terrain as _;
    let grid = ground.grid;
    let (size, at) = ((grid.columns(), grid.rows()), grid.origin());
    let cautions = match ground.cautions.len() {
        0 => String::new(),
        n => format!(", {n} cautions"),
    };
    Ok(format!(
        "{}x{} of {} at {},{}: {:?}{cautions}",
        size.0,
        size.1,
        grid.cell(),
        at.x,
        at.y,
        grid.heights()
    ))
}

/// A TIFF by its entries: tag, kind (3 short, 4 long, 12 double, 2 text), numbers, and the samples behind them.
struct Tiff {
    big_endian: bool,
    /// Eight bytes a place, as files beyond 4 GB have.
    big: bool,
    entries: Vec<(u16, u16, Vec<f64>)>,
    samples: Vec<u8>,
}

impl Tiff {
    /// Rows of single numbers in one strip, cells of 2 m, north-west corner at 10, 24.
    fn plain(columns: f64, rows: f64, bits: f64, format: f64, samples: Vec<u8>) -> Self {
        let size = samples.len() as f64;
        let entries = vec![
            (256, 3, vec![columns]),
            (257, 3, vec![rows]),
            (258, 3, vec![bits]),
            (259, 3, vec![1.0]),
            (262, 3, vec![1.0]),
            (273, 4, vec![0.0]),
            (277, 3, vec![1.0]),
            (278, 3, vec![rows]),
            (279, 4, vec![size]),
            (339, 3, vec![format]),
            (33550, 12, vec![2.0, 2.0, 0.0]),
            (33922, 12, vec![0.0, 0.0, 0.0, 10.0, 24.0, 0.0]),
        ];
        Self {
            big_endian: false,
            big: false,
            entries,
            samples,
        }
    }

    fn with(mut self, tag: u16, kind: u16, numbers: &[f64]) -> Self {
        self.entries.retain(|e| e.0 != tag);
        self.entries.push((tag, kind, numbers.to_vec()));
        self.entries.sort_by_key(|e| e.0);
        self
    }

    fn without(mut self, tag: u16) -> Self {
        self.entries.retain(|e| e.0 != tag);
        self
    }

    fn ordered(&self, little: &[u8]) -> Vec<u8> {
        let mut bytes = little.to_vec();
        if self.big_endian {
            bytes.reverse();
        }
        bytes
    }

    fn number(&self, kind: u16, value: f64) -> Vec<u8> {
        match kind {
            2 => vec![value as u8],
            3 => self.ordered(&(value as u16).to_le_bytes()),
            4 => self.ordered(&(value as u32).to_le_bytes()),
            _ => self.ordered(&value.to_le_bytes()),
        }
    }

    /// An offset or a count.
    fn place(&self, value: usize) -> Vec<u8> {
        match self.big {
            true => self.ordered(&(value as u64).to_le_bytes()),
            false => self.ordered(&(value as u32).to_le_bytes()),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let (head, count, entry, slot) = match self.big {
            true => (16, 8, 20, 8),
            false => (8, 2, 12, 4),
        };
        let directory = head + count + entry * self.entries.len() + slot;
        let sizes = self.entries.iter().map(|(_, kind, numbers)| {
            let each = self.number(*kind, 0.0).len();
            each * numbers.len()
        });
        let behind: usize = sizes.filter(|s| *s > slot).sum();
        let data = directory + behind;
        let mut out = if self.big_endian {
            b"MM".to_vec()
        } else {
            b"II".to_vec()
        };
        out.extend(self.ordered(&(if self.big { 43_u16 } else { 42 }).to_le_bytes()));
        if self.big {
            out.extend(self.ordered(&8_u16.to_le_bytes()));
            out.extend([0, 0]);
        }
        out.extend(self.place(head));
        let entries = self.entries.len() as u16;
        match self.big {
            true => out.extend(self.ordered(&u64::from(entries).to_le_bytes())),
            false => out.extend(self.ordered(&entries.to_le_bytes())),
        }
        let mut far = Vec::new();
        for (tag, kind, numbers) in &self.entries {
            out.extend(self.ordered(&tag.to_le_bytes()));
            out.extend(self.ordered(&kind.to_le_bytes()));
            out.extend(self.place(numbers.len()));
            let samples = matches!(tag, 273 | 324);
            let shift = if samples { data as f64 } else { 0.0 };
            let mut bytes: Vec<u8> = numbers
                .iter()
                .flat_map(|n| self.number(*kind, n + shift))
                .collect();
            if bytes.len() > slot {
                out.extend(self.place(directory + far.len()));
                far.extend(bytes);
            } else {
                bytes.resize(slot, 0);
                out.extend(bytes);
            }
        }
        out.extend(self.place(0));
        out.extend(far);
        out.extend(&self.samples);
        out
    }
}

fn singles(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn text(name: &'static str, file: &str, text: &str, right: Right) -> Case {
    Case::new(name, said(file, text.as_bytes()), right)
}

pub fn cases() -> Vec<Case> {
    let head = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n";
    let grid = |rows: &str| format!("{head}{rows}\n");
    let two = "2x2 of 10 at 5,5: [150.0, 160.0, 170.5, 180.0]";
    let mut cases = vec![
        text(
            "ASC with numbers in scientific notation (Fortran, R)",
            "a.asc",
            &grid("1.705E+02 1.8e2\n1.5E2 .16e+3").replace("size 10", "size 1.0E+01"),
            Read(two),
        ),
        text(
            "ASC with capital keys, tabs, and centres (ArcGIS)",
            "a.asc",
            "NCOLS\t2\r\nNROWS\t2\r\nXLLCENTER\t5\r\nYLLCENTER\t5\r\nCELLSIZE\t10\r\n170.5\t180\r\n150\t160\r\n",
            Read(two),
        ),
        text(
            "ASC with rows broken over lines (ArcInfo)",
            "a.asc",
            &grid("170.5\n180 150\n160"),
            Read(two),
        ),
        text(
            "ASC that ends with Ctrl-Z (DOS)",
            "a.asc",
            &grid("170.5 180\n150 160\n\u{1a}"),
            Read(two),
        ),
        text(
            "ASC with decimal commas (German Excel)",
            "a.asc",
            &grid("170,5 180\n150 160"),
            Refused(&["170,5"]),
        ),
        text(
            "ASC whose missing data are nan (GDAL)",
            "a.asc",
            &grid("nan 180\n150 160").replace("-9999", "nan"),
            Read("2x2 of 10 at 5,5: [150.0, 160.0, NaN, 180.0]"),
        ),
        text(
            "ASC with 1.#QNAN (C of Windows)",
            "a.asc",
            &grid("1.#QNAN 180\n150 160"),
            Read("2x2 of 10 at 5,5: [150.0, 160.0, NaN, 180.0]"),
        ),
        text(
            "ASC with a value too few (broken copy)",
            "a.asc",
            &grid("170.5 180\n150"),
            Refused(&["3", "2 × 2"]),
        ),
        text(
            "ASC with a value too many",
            "a.asc",
            &grid("170.5 180\n150 160 7"),
            Refused(&["5", "2 × 2"]),
        ),
        text(
            "ASC with cells that are no squares (GDAL, dx and dy)",
            "a.asc",
            "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 10\ndy 20\n1 2\n3 4\n",
            Refused(&["dy 20", "square cells"]),
        ),
        text(
            "GRASS ASCII",
            "a.asc",
            "north: 20\nsouth: 0\neast: 20\nwest: 0\nrows: 2\ncols: 2\n1 2\n3 4\n",
            Refused(&["GRASS", "gdal_translate a.asc a.tif"]),
        ),
        text(
            "XYZ points of a grid (swisstopo)",
            "a.xyz",
            "X Y Z\n5 5 150\n15 5 160\n5 15 170.5\n15 15 180\n",
            Refused(&["gdal_translate a.xyz a.tif"]),
        ),
        text(
            "SRTM tile",
            "N46E007.hgt",
            "\u{1}\u{2}\u{3}\u{4}",
            Refused(&["gdal_translate N46E007.hgt N46E007.tif"]),
        ),
        text(
            "VRT of GDAL named .tif",
            "dem.tif",
            "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"></VRTDataset>",
            Refused(&["TIFF"]),
        ),
    ];
    let bytes = |name, tiff: Tiff, right| Case::new(name, said("a.tif", &tiff.bytes()), right);
    let four = || singles(&[3.0, 4.0, 1.0, 2.0]);
    let plain = || Tiff::plain(2.0, 2.0, 32.0, 3.0, four());
    // North-west corner 10, 24: the lower row has its centres at y = 21.
    let right = "2x2 of 2 at 11,21: [1.0, 2.0, 3.0, 4.0]";
    let big = Tiff {
        big: true,
        ..plain()
    };
    cases.push(bytes(
        "BigTIFF in a strip (GDAL BIGTIFF=YES)",
        big,
        Read(right),
    ));
    let mut tile = vec![0.0_f32; 256];
    (tile[0], tile[1], tile[16], tile[17]) = (3.0, 4.0, 1.0, 2.0);
    let mut tiled = Tiff::plain(2.0, 2.0, 32.0, 3.0, singles(&tile))
        .without(273)
        .without(278)
        .without(279)
        .with(322, 3, &[16.0])
        .with(323, 3, &[16.0])
        .with(324, 4, &[0.0])
        .with(325, 4, &[1024.0]);
    tiled.big = true;
    cases.push(bytes("tiled BigTIFF", tiled, Read(right)));
    let words = [3_i16, -32768, 1, 2];
    let words = words.iter().flat_map(|w| w.to_be_bytes()).collect();
    let mut motorola = Tiff::plain(2.0, 2.0, 16.0, 2.0, words);
    motorola.big_endian = true;
    let nodata: Vec<f64> = b"-32768\0".iter().map(|b| f64::from(*b)).collect();
    cases.push(bytes(
        "big-endian TIFF of 16 bits with missing data",
        motorola.with(42113, 2, &nodata),
        Read("2x2 of 2 at 11,21: [1.0, 2.0, 3.0, NaN]"),
    ));
    // GeoKeys: model projected, raster type point.
    let point = plain().with(34735, 3, &[1.0, 1.0, 0.0, 1.0, 1025.0, 0.0, 1.0, 2.0]);
    cases.push(bytes(
        "TIFF whose tie point is the centre of a cell (PixelIsPoint)",
        point,
        Read("2x2 of 2 at 10,22: [1.0, 2.0, 3.0, 4.0]"),
    ));
    let picture = Tiff::plain(2.0, 2.0, 8.0, 1.0, vec![7; 12])
        .with(258, 3, &[8.0, 8.0, 8.0])
        .with(262, 3, &[2.0])
        .with(277, 3, &[3.0])
        .with(339, 3, &[1.0, 1.0, 1.0]);
    cases.push(bytes(
        "an orthophoto for a terrain",
        picture,
        Refused(&["red, green and blue"]),
    ));
    let palette: Vec<f64> = (0..768).map(f64::from).collect();
    let map = Tiff::plain(2.0, 2.0, 8.0, 1.0, vec![1, 2, 3, 4])
        .with(262, 3, &[3.0])
        .with(320, 3, &palette);
    cases.push(bytes(
        "a scanned map with a palette",
        map,
        Refused(&["palette"]),
    ));
    let turned = plain().without(33550).without(33922).with(
        34264,
        12,
        &[
            1.7, 1.0, 0.0, 10.0, 1.0, -1.7, 0.0, 24.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
        ],
    );
    cases.push(bytes(
        "TIFF that is turned (drone)",
        turned,
        Refused(&["gdalwarp"]),
    ));
    let jpeg = plain().with(259, 3, &[7.0]);
    cases.push(bytes(
        "TIFF compressed as JPEG",
        jpeg,
        Refused(&["gdal_translate"]),
    ));
    cases
}

/// A second set.
pub fn more() -> Vec<Case> {
    let head = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n";
    let rows = "170.5 180\n150 160\n";
    let two = "2x2 of 10 at 5,5: [150.0, 160.0, 170.5, 180.0]";
    let hole = "2x2 of 10 at 5,5: [150.0, 160.0, NaN, 180.0]";
    let wide: Vec<u8> = format!("\u{feff}{head}{rows}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let mut cases = vec![
        text(
            "ASC with its header in another order",
            "b.asc",
            &format!("cellsize 10\nyllcorner 0\nxllcorner 0\nnrows 2\nncols 2\n{rows}"),
            Read(two),
        ),
        text(
            "ASC with cells of no size",
            "b.asc",
            &format!("{head}{rows}").replace("cellsize 10", "cellsize 0"),
            Refused(&["cell"]),
        ),
        text(
            "ASC with cells of negative size",
            "b.asc",
            &format!("{head}{rows}").replace("cellsize 10", "cellsize -10"),
            Refused(&["cell"]),
        ),
        text(
            "ASC with two and a half columns",
            "b.asc",
            &format!("{head}{rows}").replace("ncols 2", "ncols 2.5"),
            Refused(&["2.5"]),
        ),
        text(
            "ASC that promises a milliard columns",
            "b.asc",
            &format!("{head}{rows}").replace("ncols 2", "ncols 1000000000"),
            Refused(&["1000000000"]),
        ),
        text(
            "ASC with its missing data as -32768.000",
            "b.asc",
            &format!("{head}-32768.000 180\n150 160\n").replace("-9999", "-32768"),
            Read(hole),
        ),
        text(
            "ASC with tabs and blanks at the ends of its rows",
            "b.asc",
            &format!("{head}170.5\t180 \t\n150\t160  \n"),
            Read(two),
        ),
        text(
            "ASC with an infinite height: missing, as all that is too large for one",
            "b.asc",
            &format!("{head}inf 180\n150 160\n"),
            Read(hole),
        ),
        text("an empty ASC", "b.asc", "", Refused(&["an empty file"])),
        text("a header alone", "b.asc", head, Refused(&["2 × 2"])),
        text(
            "the page of a server that found nothing, named .tif",
            "b.tif",
            "<!DOCTYPE html><html>404</html>",
            Refused(&["a web page"]),
        ),
        text(
            "a PNG named .tif",
            "b.tif",
            "\u{fffd}PNG\r\n",
            Refused(&["TIFF"]),
        ),
        Case::new(
            "ASC in UTF-16 (PowerShell)",
            said("b.asc", &wide),
            Read(two),
        ),
    ];
    let bytes = |name, tiff: Tiff, right| Case::new(name, said("b.tif", &tiff.bytes()), right);
    let right = "2x2 of 2 at 11,21: [1.0, 2.0, 3.0, 4.0]";
    let four = || singles(&[3.0, 4.0, 1.0, 2.0]);
    let plain = || Tiff::plain(2.0, 2.0, 32.0, 3.0, four());
    let longs = [3_u32, 4, 1, 2]
        .iter()
        .flat_map(|w| w.to_le_bytes())
        .collect();
    cases.push(bytes(
        "TIFF of whole numbers of 32 bits",
        Tiff::plain(2.0, 2.0, 32.0, 1.0, longs),
        Read(right),
    ));
    let doubles = [3.0_f64, 4.0, 1.0, 2.0]
        .iter()
        .flat_map(|w| w.to_be_bytes())
        .collect();
    let mut motorola = Tiff::plain(2.0, 2.0, 64.0, 3.0, doubles);
    motorola.big_endian = true;
    cases.push(bytes("big-endian TIFF of doubles", motorola, Read(right)));
    let nan: Vec<f64> = b"nan\0".iter().map(|b| f64::from(*b)).collect();
    let holes = Tiff::plain(2.0, 2.0, 32.0, 3.0, singles(&[f32::NAN, 4.0, 1.0, 2.0]));
    cases.push(bytes(
        "TIFF whose missing data are nan",
        holes.with(42113, 2, &nan),
        Read("2x2 of 2 at 11,21: [1.0, 2.0, NaN, 4.0]"),
    ));
    cases.push(bytes(
        "TIFF with cells of no size",
        plain().with(33550, 12, &[0.0, 0.0, 0.0]),
        Refused(&["GeoTIFF"]),
    ));
    cases.push(bytes(
        "TIFF of complex numbers (radar)",
        plain().with(339, 3, &[6.0]),
        Refused(&["GeoTIFF"]),
    ));
    let mut short = plain().bytes();
    short.truncate(short.len() - 5);
    cases.push(Case::new(
        "TIFF that breaks off in its samples",
        said("b.tif", &short),
        Refused(&["GeoTIFF"]),
    ));
    cases
}

//! The ESRI ASCII raster format: six header lines, then heights row by row from the north.

use super::{Grid, TerrainError};
use glam::DVec2;
use klast_numerics::OutOfRange;
use std::fmt::Write;

/// Reads a raster from the text of an ESRI ASCII grid. The heights are taken as those of the cell centres; `xllcorner` and `xllcenter` are
/// both understood; missing data become NaN.
pub fn read_esri_ascii(text: &str) -> Result<Grid, TerrainError> {
    let mut header = Header::default();
    let mut body = text.len();
    let mut from = 0;
    let mut lines = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() && !header.take(line, lines + 1)? {
            body = from;
            break;
        }
        from += line.len();
        lines += 1;
    }
    let (columns, rows, cell) = header.size(lines)?;
    let count = columns.saturating_mul(rows);
    // A height takes two bytes of text at least: a header cannot ask for more memory than the file is worth.
    let mut heights = vec![f64::NAN; if count <= text.len() { count } else { 0 }];
    let mut found = 0;
    for (line, text) in text[body..].lines().enumerate() {
        for word in text.split_ascii_whitespace() {
            let value = number(word, lines + line + 1)?;
            if found < count && !heights.is_empty() && value != header.nodata {
                heights[(rows - 1 - found / columns) * columns + found % columns] = value;
            }
            found += 1;
        }
    }
    if found != count || heights.is_empty() {
        return Err(OutOfRange::new(
            "number of raster heights",
            found,
            format!("{columns} × {rows} as the header says"),
        )
        .into());
    }
    let at = |(value, centre): (f64, bool)| if centre { value } else { value + 0.5 * cell };
    Grid::new(
        columns,
        rows,
        cell,
        DVec2::new(at(header.x), at(header.y)),
        heights,
    )
}

/// Writes values as an ESRI ASCII grid, rows given from the south; NaN becomes `nodata`.
pub fn write_esri_ascii(
    columns: usize,
    rows: usize,
    cell: f64,
    south_west_centre: DVec2,
    values: &[f64],
    nodata: f64,
) -> String {
    let corner = south_west_centre - DVec2::splat(0.5 * cell);
    let mut out = format!(
        "ncols {columns}\nnrows {rows}\nxllcorner {}\nyllcorner {}\ncellsize {cell}\nNODATA_value {nodata}\n",
        corner.x, corner.y
    );
    for row in values.chunks(columns.max(1)).take(rows).rev() {
        for (k, value) in row.iter().enumerate() {
            let value = if value.is_nan() { nodata } else { *value };
            // Writing to a string cannot fail.
            let _ = write!(out, "{}{value}", if k == 0 { "" } else { " " });
        }
        out.push('\n');
    }
    out
}

struct Header {
    columns: Option<f64>,
    rows: Option<f64>,
    cell: Option<f64>,
    x: (f64, bool),
    y: (f64, bool),
    nodata: f64,
}

impl Default for Header {
    fn default() -> Self {
        Header {
            columns: None,
            rows: None,
            cell: None,
            x: (f64::NAN, false),
            y: (f64::NAN, false),
            nodata: -9999.0,
        }
    }
}

fn number(word: &str, line: usize) -> Result<f64, TerrainError> {
    word.parse().map_err(|_| TerrainError::Syntax {
        line,
        found: word.chars().take(40).collect(),
        accepted: "a number",
    })
}

impl Header {
    /// Takes a header line; `false` at the first line that begins with a number.
    fn take(&mut self, text: &str, line: usize) -> Result<bool, TerrainError> {
        let mut words = text.split_ascii_whitespace();
        let key = words.next().unwrap_or_default();
        // "nan" is data, not a key.
        if key.parse::<f64>().is_ok() {
            return Ok(false);
        }
        let value = number(words.next().unwrap_or_default(), line)?;
        match key.to_ascii_lowercase().as_str() {
            "ncols" => self.columns = Some(value),
            "nrows" => self.rows = Some(value),
            "cellsize" => self.cell = Some(value),
            "xllcorner" => self.x = (value, false),
            "yllcorner" => self.y = (value, false),
            "xllcenter" => self.x = (value, true),
            "yllcenter" => self.y = (value, true),
            "nodata_value" => self.nodata = value,
            "dx" | "dy" => {
                // Unequal cells come with dx and dy instead of cellsize.
                if self.cell.is_some_and(|cell| cell != value) {
                    return Err(TerrainError::Syntax {
                        line,
                        found: text.trim().into(),
                        accepted: "square cells: dx equal to dy",
                    });
                }
                self.cell = Some(value);
            }
            _ => {
                let accepted = "ncols, nrows, xllcorner, yllcorner, xllcenter, yllcenter, cellsize, nodata_value, or heights";
                return Err(TerrainError::Syntax {
                    line,
                    found: key.chars().take(40).collect(),
                    accepted,
                });
            }
        }
        Ok(true)
    }

    fn size(&self, lines: usize) -> Result<(usize, usize, f64), TerrainError> {
        let missing = |what: &'static str| TerrainError::Syntax {
            line: lines + 1,
            found: "the end of the header".into(),
            accepted: what,
        };
        let columns = self
            .columns
            .ok_or_else(|| missing("a line 'ncols' before the heights"))?;
        let rows = self
            .rows
            .ok_or_else(|| missing("a line 'nrows' before the heights"))?;
        let cell = self
            .cell
            .ok_or_else(|| missing("a line 'cellsize' before the heights"))?;
        for (field, found) in [("ncols", columns), ("nrows", rows)] {
            if !(found >= 1.0 && found <= f64::from(u32::MAX) && found.fract() == 0.0) {
                return Err(OutOfRange::new(field, found, "a whole number, 1 or more").into());
            }
        }
        if self.x.0.is_nan() || self.y.0.is_nan() {
            return Err(missing(
                "lines 'xllcorner' and 'yllcorner' (or 'xllcenter' and 'yllcenter')",
            ));
        }
        Ok((columns as usize, rows as usize, cell))
    }
}

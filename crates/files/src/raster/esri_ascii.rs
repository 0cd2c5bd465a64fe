//! The ESRI ASCII raster format: six header lines, then heights row by row from the north.

use glam::DVec2;
use klast_geometry::terrain::Grid;
use klast_numerics::OutOfRange;
use std::fmt::Write;

use crate::command::{Command, WARP};
use crate::refusal::{Kind, Refusal, Result};

/// Sides of a cell may differ by so much of it: what decimals in a header leave.
const SQUARE: f64 = 1e-9;

/// No height is as large: programs print the greatest single and double with as many digits as they like, others 1e30.
const HUGE: f64 = 1e20;

/// Reads a raster from the text of an ESRI ASCII grid. The heights are taken as those of the cell centres; `xllcorner`
/// and `xllcenter` are both understood; `dx` and `dy` may differ by 1e-9. Missing data become NaN: the number of the
/// header, also where header and data have it in single precision with other digits, whatever is beyond 1e20, and
/// what programs print for no number.
pub fn read(text: &str) -> Result<Grid> {
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
            let value = raster_number(word).ok_or_else(|| refused(text, lines + line + 1))?;
            if found < count && !heights.is_empty() && !header.is_missing(value) {
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
    let south_west = DVec2::new(at(header.x), at(header.y));
    Ok(Grid::new(columns, rows, cell, south_west, heights)?)
}

/// Writes values as an ESRI ASCII grid, rows given from the south; NaN becomes `nodata`.
pub fn write(
    (columns, rows): (usize, usize),
    cell: f64,
    south_west_centre: DVec2,
    value: impl Fn(usize) -> f64,
    nodata: f64,
) -> String {
    let corner = south_west_centre - DVec2::splat(0.5 * cell);
    let mut out = format!(
        "ncols {columns}\nnrows {rows}\nxllcorner {}\nyllcorner {}\ncellsize {cell}\nNODATA_value {nodata}\n",
        corner.x, corner.y
    );
    for row in (0..rows).rev() {
        for column in 0..columns {
            let value = value(row * columns + column);
            let value = if value.is_nan() { nodata } else { value };
            let gap = if column == 0 { "" } else { " " };
            // Very small and very large numbers have hundreds of zeros without an exponent. Writing to a string cannot
            // fail.
            let _ = match value == 0.0 || (1e-5..1e16).contains(&value.abs()) {
                true => write!(out, "{gap}{value}"),
                false => write!(out, "{gap}{value:e}"),
            };
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

/// A number of a raster, in its data or for missing data; NaN in the spellings of C libraries ("-1.#IND", "1.#QNAN",
/// "nan(0x8000000000000)") and for the words "nodata" and "null".
#[must_use]
pub fn raster_number(word: &str) -> Option<f64> {
    if let Ok(value) = word.parse() {
        return Some(value);
    }
    let plain = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
    let microsoft = plain.strip_prefix("1.#");
    let gnu = plain.strip_prefix("nan(").and_then(|s| s.strip_suffix(')'));
    let code = |s: &str| s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let none = microsoft.or(gnu).is_some_and(code) || ["nodata", "null"].contains(&plain.as_str());
    none.then_some(f64::NAN)
}

/// What stands in a line (from 1) and is not what the format says.
fn syntax(line: usize, found: &str, accepted: &'static str) -> Refusal {
    let refusal = Refusal::new(Kind::Syntax, format!("found '{found}'"));
    refusal.accepting(accepted).at(format!("line {line}"))
}

/// A line whose words are no numbers, as it stands there.
fn refused(text: &str, line: usize) -> Refusal {
    let accepted = match text.contains([',', ';']) {
        true => "numbers with spaces between them, and a point before decimals",
        false => "numbers with spaces between them",
    };
    syntax(
        line,
        &text.trim().chars().take(60).collect::<String>(),
        accepted,
    )
}

impl Header {
    /// Takes a header line; `false` at the first line that begins with a number.
    fn take(&mut self, text: &str, line: usize) -> Result<bool> {
        let mut words = text.split_ascii_whitespace();
        let key = words.next().unwrap_or_default();
        // "nan" is data, not a key.
        if raster_number(key).is_some() {
            return Ok(false);
        }
        if key == "DSAA" {
            let command = Command::new("gdal_translate {in}.grd {out}.tif");
            return Err(syntax(line, "DSAA, a Surfer grid", "an ESRI ASCII grid").cured_by(command));
        }
        let read = match key.eq_ignore_ascii_case("nodata_value") {
            true => raster_number,
            false => |word: &str| word.parse().ok(),
        };
        let value = words.next().and_then(read);
        let value = value.filter(|_| words.next().is_none());
        let value = value.ok_or_else(|| {
            let shown: String = text.trim().chars().take(60).collect();
            let accepted =
                "a key such as ncols with one number, then heights with spaces between them";
            syntax(line, &shown, accepted)
        })?;
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
                let differs = |cell: f64| (cell - value).abs() > SQUARE * cell.abs();
                if self.cell.is_some_and(differs) {
                    let cell = self.cell.unwrap_or(value);
                    let warp = format!("gdalwarp -tr {cell} {cell} {WARP} {{in}}.asc {{out}}.tif");
                    let refusal = syntax(
                        line,
                        text.trim(),
                        "square cells: dx and dy equal within 1e-9",
                    );
                    return Err(refusal.cured_by(Command::new(&warp)));
                }
                self.cell = Some(value);
            }
            _ => {
                let accepted = "ncols, nrows, xllcorner, yllcorner, xllcenter, yllcenter, cellsize, nodata_value, or \
                    heights";
                let key: String = key.chars().take(40).collect();
                return Err(syntax(line, &key, accepted));
            }
        }
        Ok(true)
    }

    /// Whether a number in the data stands for missing data: programs that keep heights in single precision print it
    /// with other digits than the header has.
    fn is_missing(&self, value: f64) -> bool {
        value == self.nodata
            || self.nodata as f32 == value as f32
            || value.is_nan()
            || value.abs() >= HUGE
    }

    fn size(&self, lines: usize) -> Result<(usize, usize, f64)> {
        let missing = |what| syntax(lines + 1, "the end of the header", what);
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

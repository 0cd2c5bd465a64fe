//! What is wrong with the text of an ESRI grid, with the command that makes it right.

use super::esri_ascii::GridError;
use crate::cure::WARP;
use crate::text::has_decimal_commas;

/// Lines in which the header of an ESRI grid may stand.
pub const HEADER: usize = 12;

/// What is wrong with a grid, with the command that makes it right if there is one.
pub fn cured(error: GridError, text: &str) -> anyhow::Error {
    if let Some(side) = with_side(&error.to_string(), text) {
        return side;
    }
    match error {
        GridError::Syntax { line, .. }
            if text.lines().nth(line - 1).is_some_and(has_decimal_commas) =>
        {
            let error = anyhow::Error::from(error);
            anyhow::anyhow!(
                "{error}; its decimal marks are commas; accepted: points (`gdal_translate {{in}}.asc {{out}}.tif`)"
            )
        }
        error => error.into(),
    }
}

/// What is wrong with a grid, with the side of its cells in the command that makes them square.
fn with_side(said: &str, text: &str) -> Option<anyhow::Error> {
    let lines = text.lines().take(HEADER);
    let side = lines
        .filter_map(|line| {
            let mut words = line.split_ascii_whitespace();
            let is_side = words.next()?.eq_ignore_ascii_case("dx");
            is_side.then(|| words.next().map(str::to_owned))?
        })
        .next()?;
    let command = "gdalwarp -tr DX DX";
    said.contains(command).then(|| {
        let warp = format!("gdalwarp -tr {side} {side} {WARP} {{in}}.asc {{out}}.tif");
        anyhow::Error::msg(said.replace(command, &warp))
    })
}

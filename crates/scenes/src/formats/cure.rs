//! The commands that an error prints, with the file that it is about in the place of the names that stand for one.

use anyhow::{Error, Result};

/// How GDAL writes a raster anew: no ground of 0 m where the new raster is larger than the old one, whatever number the
/// old one has for missing data and of whatever type its samples are.
pub const WARP: &str = "-r bilinear -ot Float32 -dstnodata -9999";
/// The same for numbers of classes, which have nothing between them.
pub const WARP_CLASSES: &str = "-r near -ot Int16 -dstnodata -9999";

/// Names an error's file, as a context does, and puts it into the commands: `in.tif` becomes the file, `out.tif` a file
/// beside it.
///
/// # Errors
/// That of the result.
pub fn of_file<T>(file: &str, result: Result<T>) -> Result<T> {
    result.map_err(|e| filled(file, &e).context(file.to_owned()))
}

/// The same without the name of the file before it.
///
/// # Errors
/// That of the result.
pub fn in_commands<T>(file: &str, result: Result<T>) -> Result<T> {
    result.map_err(|e| filled(file, &e))
}

fn filled(file: &str, error: &Error) -> Error {
    let said = format!("{error:#}");
    let with: Vec<String> = said
        .split('`')
        .enumerate()
        .map(|(k, part)| match k % 2 {
            1 => command(file, part),
            _ => part.to_owned(),
        })
        .collect();
    Error::msg(with.join("`"))
}

/// A command with the names of files in it.
fn command(file: &str, command: &str) -> String {
    let (stem, _) = split(file);
    let name = |word: &str| {
        let (start, name) = word.rsplit_once(':').unwrap_or(("", word));
        let colon = if start.is_empty() { "" } else { ":" };
        let (what, ending) = name.split_once('.')?;
        let known = ending.bytes().all(|b| b.is_ascii_alphanumeric()) && !ending.is_empty();
        let made = match what {
            "in" => file.to_owned(),
            "out" => format!("{stem}-new.{ending}"),
            "metres" => format!("{stem}-metres.{ending}"),
            _ => return None,
        };
        known.then(|| quoted(&format!("{start}{colon}{made}")))
    };
    let words: Vec<String> = command
        .split(' ')
        .map(|word| match word.split_once('=') {
            Some((option, value)) => {
                name(value).map_or(word.to_owned(), |value| format!("{option}={value}"))
            }
            None => name(word).unwrap_or_else(|| word.to_owned()),
        })
        .collect();
    words.join(" ")
}

/// The name of a file without its ending, and the ending as it stands.
#[must_use]
pub fn split(file: &str) -> (&str, &str) {
    match file.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && !ending.contains(['/', '\\']) => (stem, ending),
        _ => (file, ""),
    }
}

/// A word as a shell reads it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-:+,\\".contains(c);
    match !word.is_empty() && word.chars().all(plain) && !word.starts_with('-') {
        true => word.to_owned(),
        false => format!("\"{word}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_names_of_the_file() {
        let said = |file: &str, command: &str| {
            let error = Error::msg(format!("in.tif: accepted: another (`{command}`)"));
            format!("{:#}", of_file::<()>(file, Err(error)).unwrap_err())
        };
        for (file, command, right) in [
            (
                "a/dem.tif",
                "gdalwarp in.tif out.tif",
                "gdalwarp a/dem.tif a/dem-new.tif",
            ),
            (
                "my dem.asc",
                "gdalwarp in.tif out.tif",
                "gdalwarp \"my dem.asc\" \"my dem-new.tif\"",
            ),
            (
                "dem",
                "gdal_translate GTIFF_DIR:1:in.tif out.tif",
                "gdal_translate GTIFF_DIR:1:dem dem-new.tif",
            ),
            (
                "d.tif",
                "gdal_calc.py -A out.tif --calc=\"A*0.3\" --outfile=metres.tif",
                "gdal_calc.py -A d-new.tif --calc=\"A*0.3\" --outfile=d-metres.tif",
            ),
        ] {
            assert_eq!(
                said(file, command),
                format!("{file}: in.tif: accepted: another (`{right}`)")
            );
        }
    }
}

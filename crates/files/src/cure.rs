//! The commands that an error prints, with the file that it is about in the place of the names that stand for one.

use anyhow::{Error, Result};

/// How GDAL writes a raster anew: no ground of 0 m where the new raster is larger than the old one, whatever number the
/// old one has for missing data and of whatever type its samples are.
pub const WARP: &str = "-r bilinear -ot Float32 -dstnodata -9999";
/// The same for numbers of classes, which have nothing between them.
pub const WARP_CLASSES: &str = "-r near -ot Int16 -dstnodata -9999";

/// Names an error's file, as a context does, and puts it into the commands: `{in}.tif` becomes the file, `{out}.tif`,
/// `{metres}.tif` and, of a part of it, `{out-part}.tif` files beside it. A real name with such a bracket stands in
/// quotes, and is none of them.
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
    if !may_stand(file) {
        return Error::msg(said);
    }
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
        let (start, name) = word.split_once('{')?;
        let (what, ending) = name.split_once("}.")?;
        let known = ending.bytes().all(|b| b.is_ascii_alphanumeric()) && !ending.is_empty();
        let made = match what {
            "in" => file.to_owned(),
            "out" => format!("{stem}-new.{ending}"),
            "metres" => format!("{stem}-metres.{ending}"),
            part => format!("{stem}-{}.{ending}", part.strip_prefix("out-")?),
        };
        let here = if made.starts_with('-') { "./" } else { "" };
        known.then(|| quoted(&format!("{start}{here}{made}")))
    };
    let filled = |word: &&str| {
        let made = match word.split_once('=') {
            _ if word.contains(['"', '\'']) => None,
            Some((option, value)) => name(value).map(|value| format!("{option}={value}")),
            None => name(word),
        };
        made.unwrap_or_else(|| (*word).to_owned())
    };
    let words: Vec<String> = words(command).iter().map(filled).collect();
    words.join(" ")
}

/// The words of a command, with the quotes that they have; blanks in quotes end none.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut from, mut quote, mut before) = (0, None, ' ');
    for (at, c) in command.char_indices() {
        match quote {
            None if c == ' ' => {
                words.push(&command[from..at]);
                from = at + 1;
            }
            None if c == '"' || (c == '\'' && before != '\\') => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        before = c;
    }
    words.push(&command[from..]);
    words
}

/// The name of a file without its ending, and the ending as it stands.
#[must_use]
pub fn split(file: &str) -> (&str, &str) {
    match file.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && !ending.contains(['/', '\\']) => (stem, ending),
        _ => (file, ""),
    }
}

/// The names of the parts of a file, such as layers, as parts of the names of other files: each another one.
pub fn parts<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut made: Vec<String> = Vec::new();
    for name in names {
        let plain = part(name);
        let numbered = (2..).map(|k| format!("{plain}-{k}"));
        let free = std::iter::once(plain.clone()).chain(numbered);
        made.extend(free.into_iter().find(|name| !made.contains(name)));
    }
    made
}

fn part(name: &str) -> String {
    let plain = |c: char| match c.is_alphanumeric() {
        true => c,
        false => '_',
    };
    name.chars().take(40).map(plain).collect()
}

/// Whether a name can stand in a command between backticks.
fn may_stand(name: &str) -> bool {
    !name.contains(|c: char| c == '`' || c.is_control())
}

/// A word as a shell reads it, whatever is in it: names of layers come from files of others. NAME stands for one that
/// would end the command.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain =
        |c: char| c.is_alphanumeric() || "/._-:+,".contains(c) || (cfg!(windows) && c == '\\');
    if !may_stand(word) {
        return "NAME".to_owned();
    }
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('-') {
        return word.to_owned();
    }
    let read_within =
        word.contains(['"', '$', '!', '\'']) || (!cfg!(windows) && word.contains('\\'));
    match read_within {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => format!("\"{word}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_names_of_the_file() {
        let said = |file: &str, command: &str| {
            let error = Error::msg(format!("{{in}}.tif: accepted: another (`{command}`)"));
            format!("{:#}", of_file::<()>(file, Err(error)).unwrap_err())
        };
        for (file, command, right) in [
            (
                "a/dem.tif",
                "gdalwarp {in}.tif {out}.tif",
                "gdalwarp a/dem.tif a/dem-new.tif",
            ),
            (
                "my dem.asc",
                "gdalwarp {in}.tif {out}.tif",
                "gdalwarp \"my dem.asc\" \"my dem-new.tif\"",
            ),
            (
                "dem",
                "gdal_translate GTIFF_DIR:1:{in}.tif {out}.tif",
                "gdal_translate GTIFF_DIR:1:dem dem-new.tif",
            ),
            (
                "d.tif",
                "gdal_calc.py -A {out}.tif --calc=\"A*0.3\" --outfile={metres}.tif",
                "gdal_calc.py -A d-new.tif --calc=\"A*0.3\" --outfile=d-metres.tif",
            ),
            // Files that are called as others stand for one, or as a shell reads otherwise.
            (
                "in.img",
                "gdal_translate in.img {out}.tif",
                "gdal_translate in.img in-new.tif",
            ),
            (
                "a/out.tif",
                "gdal_calc.py -A out.tif {in}.tif --outfile={metres}.tif",
                "gdal_calc.py -A out.tif a/out.tif --outfile=a/out-metres.tif",
            ),
            (
                "out.kml",
                "ogr2ogr out.geojson out.kml",
                "ogr2ogr out.geojson out.kml",
            ),
            (
                "{in}.tif",
                "gdalwarp {in}.tif {out}.tif",
                "gdalwarp \"{in}.tif\" \"{in}-new.tif\"",
            ),
            (
                "it's {out}.tif",
                "gdalwarp 'it'\\''s {out}.tif' {metres}.tif",
                "gdalwarp 'it'\\''s {out}.tif' 'it'\\''s {out}-metres.tif'",
            ),
            (
                "a`b`.tif",
                "gdalwarp {in}.tif {out}.tif",
                "gdalwarp {in}.tif {out}.tif",
            ),
            (
                "-a.tif",
                "gdalwarp {in}.tif {out}.tif",
                "gdalwarp ./-a.tif ./-a-new.tif",
            ),
        ] {
            assert_eq!(
                said(file, command),
                format!("{file}: {{in}}.tif: accepted: another (`{right}`)")
            );
        }
    }

    /// What a shell makes of the words is what they were.
    #[test]
    #[cfg(unix)]
    fn a_shell_reads_quoted_words_as_they_are() {
        for word in [
            "plain-1.tif",
            "a b",
            "a$(echo x)",
            "x\";echo y;\"",
            "it's",
            "a\\b",
            "${HOME}",
            "!!",
            "-x",
            "",
            "*",
            "~",
            "a;b&c|d>e#f",
            "{a,b}",
        ] {
            let echo = format!("printf %s {}", quoted(word));
            let shell = std::process::Command::new("sh")
                .args(["-c", &echo])
                .output();
            assert_eq!(String::from_utf8_lossy(&shell.unwrap().stdout), word);
        }
        assert_eq!(quoted("a`rm b`"), "NAME");
        assert_eq!(quoted("a\nb"), "NAME");
    }
}

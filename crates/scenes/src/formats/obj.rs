//! Wavefront OBJ meshes: positions and faces; everything else in the file is passed over.
//!
//! Our own reader: the common crate panics on some broken files (fuzzing found one within minutes).

use anyhow::{Context as _, Result, bail, ensure};
use glam::DVec3;

use super::text;
use super::triangles::Triangles;

/// Reads `v` and `f` lines; polygons become fans of triangles.
///
/// # Errors
/// With the line: a vertex that is not three finite numbers, a face with fewer than three corners or with a corner that
/// is not there.
pub fn read(bytes: &[u8]) -> Result<Triangles> {
    let text = text::ascii(bytes).context("OBJ")?;
    let mut mesh = Triangles::default();
    for (line, text) in whole_lines(&text) {
        let mut words = text.split_whitespace().take_while(|w| !w.starts_with('#'));
        let step = match words.next() {
            Some("v") => vertex(words, &mut mesh),
            Some("f") => face(words, &mut mesh),
            _ => Ok(()),
        };
        step.with_context(|| format!("OBJ line {line}: '{}'", text::excerpt(&text)))?;
    }
    ensure!(
        !mesh.triangles.is_empty(),
        "OBJ: no face; accepted: one or more"
    );
    let count = mesh.points.len();
    let worst = mesh
        .triangles
        .iter()
        .flatten()
        .max()
        .map_or(0, |c| *c as usize);
    ensure!(
        worst < count,
        "OBJ: a face has corner {}; accepted: one of {count} vertices",
        worst + 1
    );
    Ok(mesh)
}

/// A unit of length that a comment states.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedUnit {
    /// Line of the comment.
    pub line: usize,
    /// The comment.
    pub comment: String,
    /// Metres a unit.
    pub metres: f64,
}

impl StatedUnit {
    /// Why it is no mesh in metres, with what would do.
    #[must_use]
    pub fn refusal(&self, accepted: &str) -> anyhow::Error {
        let StatedUnit {
            line,
            comment,
            metres,
        } = self;
        anyhow::anyhow!("OBJ line {line}: '{comment}': a unit is {metres} m; accepted: {accepted}")
    }
}

/// The mesh of a file whose comments state metres or nothing.
///
/// # Errors
/// As [`read`]; another unit, with the factor to apply.
pub fn read_metres(bytes: &[u8]) -> Result<Triangles> {
    match stated_unit(bytes)? {
        Some(unit) if unit.metres != 1.0 => Err(unit.refusal(&format!(
            "metres (coordinates times {}, without this line)",
            unit.metres
        ))),
        _ => read(bytes),
    }
}

/// The unit that a comment states, as modellers write it: `# File units = millimeters`, `# units: cm`, `# 1 unit = 10
/// cm`; the first that is known.
///
/// # Errors
/// What is no text.
pub fn stated_unit(bytes: &[u8]) -> Result<Option<StatedUnit>> {
    let text = text::ascii(bytes).context("OBJ")?;
    let stated = |(k, line): (usize, &str)| {
        Some(StatedUnit {
            line: k + 1,
            metres: unit_of(line.trim_start().strip_prefix('#')?)?,
            comment: text::excerpt(line),
        })
    };
    Ok(text.lines().enumerate().find_map(stated))
}

/// Metres a unit by what stands behind the word `unit` of a comment.
fn unit_of(comment: &str) -> Option<f64> {
    let apart = comment
        .to_lowercase()
        .replace(['=', ':', '(', ')', '[', ']', ',', ';', '"', '_'], " ");
    let words: Vec<&str> = apart.split_whitespace().collect();
    let at = words.iter().position(|w| ["unit", "units"].contains(w))?;
    let mut factor = 1.0;
    for (k, word) in words.iter().enumerate().skip(at + 1) {
        let word = word.trim_end_matches('.');
        // "units in mm", but "units: in".
        let more = k + 1 < words.len();
        if ["is", "are", "of", "length", "scale", "system", "name"].contains(&word)
            || (word == "in" && more)
        {
            continue;
        }
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() && number > 0.0 => factor *= number,
            _ => return metres(word).map(|unit| factor * unit),
        }
    }
    None
}

fn metres(name: &str) -> Option<f64> {
    Some(match name {
        "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => 1e-3,
        "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => 1e-2,
        "dm" | "decimeter" | "decimeters" | "decimetre" | "decimetres" => 0.1,
        "m" | "meter" | "meters" | "metre" | "metres" => 1.0,
        "km" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => 1e3,
        "in" | "inch" | "inches" => 0.0254,
        "ft" | "foot" | "feet" => 0.3048,
        "yd" | "yard" | "yards" => 0.9144,
        "mi" | "mile" | "miles" => 1609.344,
        _ => return None,
    })
}

/// The lines with their numbers; one that ends with a backslash goes on in the next, but for comments.
fn whole_lines(text: &str) -> impl Iterator<Item = (usize, std::borrow::Cow<'_, str>)> {
    let mut lines = text.lines().enumerate();
    std::iter::from_fn(move || {
        let (number, line) = lines.next()?;
        let mut whole = std::borrow::Cow::Borrowed(line.trim_end());
        while whole.ends_with('\\') && !whole.trim_start().starts_with('#') {
            let joined = whole.to_mut();
            joined.pop();
            joined.push(' ');
            joined.push_str(lines.next().map_or("", |(_, l)| l.trim_end()));
        }
        Some((number + 1, whole))
    })
}

fn vertex<'a>(words: impl Iterator<Item = &'a str>, mesh: &mut Triangles) -> Result<()> {
    // A weight or a colour may follow the three coordinates.
    let numbers: Vec<f64> = words.take(3).map_while(|w| w.parse().ok()).collect();
    let [x, y, z] = numbers[..] else {
        bail!("a vertex of {} numbers; accepted: 3", numbers.len());
    };
    let point = DVec3::new(x, y, z);
    ensure!(point.is_finite(), "a vertex that is not finite");
    mesh.points.push(point);
    Ok(())
}

fn face<'a>(words: impl Iterator<Item = &'a str>, mesh: &mut Triangles) -> Result<()> {
    let count = mesh.points.len();
    let corners = words
        .map(|word| corner(word, count))
        .collect::<Result<Vec<_>>>()?;
    ensure!(
        corners.len() >= 3,
        "a face of {} corners; accepted: 3 or more",
        corners.len()
    );
    let fan = corners[1..]
        .windows(2)
        .map(|pair| [corners[0], pair[0], pair[1]]);
    mesh.triangles.extend(fan);
    Ok(())
}

/// `7`, `7/1/2` or `-1`: from 1 on, or back from the last vertex so far.
fn corner(word: &str, count: usize) -> Result<u32> {
    let number: i64 = word
        .split('/')
        .next()
        .and_then(|n| n.parse().ok())
        .with_context(|| format!("corner '{word}'; accepted: a vertex number"))?;
    let index = if number < 0 {
        count as i64 + number
    } else {
        number - 1
    };
    // A vertex may stand after the faces that name it.
    ensure!(
        index >= 0 && number != 0,
        "corner {number}; accepted: one of {count} vertices"
    );
    Ok(u32::try_from(index)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadrilateral_becomes_two_triangles_in_full_precision() {
        let text =
            "v 2800000.1234567 0 0\nv 2800001 0 0\nv 2800001 1 0\nv 2800000 1 0\nf 1 2/1 3//2 -1\n";
        let mesh = read(text.as_bytes()).unwrap();
        assert_eq!(mesh.points[0].x, 2_800_000.123_456_7);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn lines_go_on_after_a_backslash_and_vertices_may_come_last() {
        let text = "f 1 2 \\\r\n3 \\\r\n4\r\nv 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\n";
        let mesh = read(text.as_bytes()).unwrap();
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        let marked = read(&[&[0xef, 0xbb, 0xbf], text.as_bytes()].concat()).unwrap();
        assert_eq!(marked, mesh);
    }

    #[test]
    fn a_comment_ends_with_its_line() {
        let text = "# C:\\meshes\\\nv 0 0 0\nv 1 0 0\n # here \\\nv 1 1 0\nf 1 2 3\n";
        assert_eq!(read(text.as_bytes()).unwrap().points.len(), 3);
    }

    /// A face of 200,000 corners, a line each: joined in milliseconds.
    #[test]
    fn many_lines_are_joined() {
        let mut text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2".to_owned();
        text.push_str(&" \\\n3".repeat(200_000));
        assert_eq!(read(text.as_bytes()).unwrap().triangles.len(), 200_000);
    }

    #[test]
    fn units_in_comments_are_known() {
        for (comment, unit) in [
            ("# File units = millimeters", 1e-3),
            ("#units: cm", 1e-2),
            ("  # Unit: feet", 0.3048),
            ("# Units: in", 0.0254),
            ("# Units in mm", 1e-3),
            ("# Model units (Inches)", 0.0254),
            ("# 1 unit = 10 cm", 0.1),
            ("# Units: Meters", 1.0),
        ] {
            let text = format!("# made here\n{comment}\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
            let found = stated_unit(text.as_bytes()).unwrap().unwrap();
            assert!((found.metres - unit).abs() < 1e-15, "{comment}: {found:?}");
            match read_metres(text.as_bytes()) {
                Ok(_) => assert_eq!(unit, 1.0, "{comment}"),
                Err(error) => {
                    let (said, factor) = (error.to_string(), format!("coordinates times {unit}"));
                    assert!(
                        said.starts_with("OBJ line 2: '#") && said.contains(&factor),
                        "{said}"
                    );
                }
            }
            assert!(read(text.as_bytes()).is_ok());
        }
        for comment in [
            "# 3 units",
            "# unit normals",
            "# Units: none",
            "# unit in the group",
            "# opportunity: mm",
        ] {
            assert_eq!(stated_unit(comment.as_bytes()).unwrap(), None, "{comment}");
        }
    }

    #[test]
    fn broken_files_name_the_line() {
        for (text, cause) in [
            ("", "no face"),
            ("v 1 2 3\n", "no face"),
            ("\nv 1 2\n", "line 2: 'v 1 2': a vertex of 2"),
            ("v 1,5 2 3\n", "'v 1,5 2 3': a vertex of 0"),
            ("v 0 0 0\nf 1 2 3\n", "corner 3; accepted: one of 1"),
            ("v nan 0 0\n", "not finite"),
            ("v 0 0 0\nf 1 1\n", "a face of 2"),
            ("v 0 0 0\nf 0 1 1\n", "corner 0"),
            ("v 0 0 0\nf -2 1 1\n", "corner -2"),
        ] {
            let error = format!("{:#}", read(text.as_bytes()).unwrap_err());
            assert!(error.contains(cause), "{text}: {error}");
        }
    }
}

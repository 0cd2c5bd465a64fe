//! Wavefront OBJ meshes: positions and faces; everything else in the file is passed over.
//!
//! Our own reader: the common crate panics on some broken files (fuzzing found one within minutes).

use crate::refusal::{Context as _, Result, bail, ensure, refusal};
use glam::DVec3;

use crate::mesh::triangles::Triangles;
use crate::text;

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
    ensure!(!mesh.triangles.is_empty(), Missing, "OBJ: no face{}", in_place_of_faces(&text, mesh.points.len()); "one or more");
    let count = mesh.points.len();
    let worst = mesh
        .triangles
        .iter()
        .flatten()
        .max()
        .map_or(0, |c| *c as usize);
    ensure!(worst < count, Value, "OBJ: a face has corner {}", worst + 1; "one of {count} vertices");
    Ok(mesh)
}

/// What a file without faces holds, and what makes faces of it.
fn in_place_of_faces(text: &str, points: usize) -> &'static str {
    let begins = |words: &[&str]| {
        let mut first = text
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        first.any(|word| words.contains(&word))
    };
    if begins(&["surf", "cstype", "bzp", "bsp"]) {
        " but free-form surfaces: the program that wrote it exports them as polygons (in Rhino after the command Mesh)"
    } else if begins(&["l"]) {
        " but lines"
    } else if points > 0 {
        ": a cloud of points (CloudCompare makes a mesh of it, or a raster)"
    } else {
        ""
    }
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
        bail!(Value, "a vertex of {} numbers", numbers.len(); "3");
    };
    let point = DVec3::new(x, y, z);
    ensure!(point.is_finite(), Value, "a vertex that is not finite");
    mesh.points.push(point);
    Ok(())
}

fn face<'a>(words: impl Iterator<Item = &'a str>, mesh: &mut Triangles) -> Result<()> {
    let count = mesh.points.len();
    let corners = words
        .map(|word| corner(word, count))
        .collect::<Result<Vec<_>>>()?;
    ensure!(corners.len() >= 3, Value, "a face of {} corners", corners.len(); "3 or more");
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
        .ok_or_else(|| refusal!(Value, "corner '{word}'"; "a vertex number"))?;
    let index = if number < 0 {
        count as i64 + number
    } else {
        number - 1
    };
    // A vertex may stand after the faces that name it.
    ensure!(index >= 0 && number != 0, Value, "corner {number}"; "one of {count} vertices");
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

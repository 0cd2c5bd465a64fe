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
    ensure!(
        !mesh.triangles.is_empty(),
        Missing, "OBJ: no face{}", in_place_of_faces(&text, mesh.points.len()); "one or more"
    );
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

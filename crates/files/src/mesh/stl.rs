//! STL triangle meshes, ASCII in full double precision and binary (which holds floats).
//!
//! Our own reader, because map coordinates of millions of metres lose half a metre as floats and
//! ASCII files hold them in full.

use crate::refusal::{Context as _, Result, bail, ensure, refusal};
use glam::DVec3;

use crate::mesh::triangles::Triangles;
use crate::text;

/// Reads either form; equal corners become one point.
///
/// # Errors
/// Anything that is neither form, a coordinate that is not finite, a facet without three corners, floats too coarse for
/// their facets.
pub fn read(bytes: &[u8]) -> Result<Triangles> {
    read_mesh(bytes).context("STL")
}

fn read_mesh(bytes: &[u8]) -> Result<Triangles> {
    let corners = if is_binary(bytes) {
        binary(bytes)?
    } else {
        ascii(bytes)?
    };
    ensure!(!corners.is_empty(), Missing, "no facet"; "one or more");
    let mesh = Triangles::welded(corners.into_iter());
    if is_binary(bytes) {
        mesh.single_precision_holds()?;
    }
    Ok(mesh)
}

/// A binary file states its number of facets at byte 80 and is as long as they need; some programs put bytes after
/// them, so that a file with a zero byte early on, which no text has, is binary too.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let early = &bytes[..bytes.len().min(200)];
    let marked = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    is_exact(bytes) || (early.contains(&0) && bytes.len() >= 84 && !marked)
}

/// Whether a file is as long as the number of facets at byte 80 needs.
pub(crate) fn is_exact(bytes: &[u8]) -> bool {
    let exact = |n| bytes.len() as u64 == 84 + 50 * u64::from(n);
    count(bytes).is_some_and(exact)
}

fn count(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(80..84)?.try_into().ok()?))
}

fn binary(bytes: &[u8]) -> Result<Vec<DVec3>> {
    let mut corners = Vec::new();
    let stated = count(bytes).unwrap_or(0) as usize;
    let held = (bytes.len() - 84) / 50;
    ensure!(
        held >= stated,
        Truncated,
        "{stated} binary facets are stated, the file holds {held}"
    );
    for (i, facet) in bytes[84..].chunks_exact(50).take(stated).enumerate() {
        // Twelve floats: the normal, which the corners already tell, and three corners.
        let mut numbers = facet[12..48]
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        for _ in 0..3 {
            let mut next = || f64::from(numbers.next().unwrap_or(f32::NAN));
            let corner = DVec3::new(next(), next(), next());
            ensure!(
                corner.is_finite(),
                Value,
                "STL facet {i}: a corner that is not finite"
            );
            corners.push(corner);
        }
    }
    Ok(corners)
}

fn ascii(bytes: &[u8]) -> Result<Vec<DVec3>> {
    let text = text::ascii(bytes)?;
    let is = |word: Option<&str>, name: &str| word.is_some_and(|w| w.eq_ignore_ascii_case(name));
    ensure!(
        is(text.split_whitespace().next(), "solid"),
        Syntax,
        "neither binary of the stated length nor text that begins with 'solid NAME'"
    );
    let mut corners = Vec::new();
    let mut in_facet = 0;
    for (line, text) in text.lines().enumerate() {
        let mut words = text.split_whitespace();
        let step = match words.next() {
            word if is(word, "vertex") => vertex(words, text).map(|corner| {
                corners.push(corner);
                in_facet += 1;
            }),
            word if is(word, "endfacet") => {
                let corners = std::mem::take(&mut in_facet);
                match corners {
                    3 => Ok(()),
                    _ => Err(refusal!(Value, "a facet of {corners} corners"; "3")),
                }
            }
            _ => Ok(()),
        };
        step.with_context(|| format!("line {}", line + 1))?;
    }
    ensure!(in_facet == 0, Truncated, "the last facet does not end");
    Ok(corners)
}

fn vertex<'a>(words: impl Iterator<Item = &'a str>, text: &str) -> Result<DVec3> {
    let numbers: Vec<f64> = words.map_while(|w| w.parse().ok()).collect();
    let [x, y, z] = numbers[..] else {
        let text = crate::text::excerpt(text);
        bail!(Value, "a vertex of {} numbers in '{text}'", numbers.len(); "3");
    };
    let corner = DVec3::new(x, y, z);
    ensure!(corner.is_finite(), Value, "a corner that is not finite");
    Ok(corner)
}

/// Writes the ASCII form with the shortest decimals that read back to the same doubles.
#[must_use]
pub fn write(mesh: &Triangles) -> String {
    use std::fmt::Write as _;
    let mut text = String::from("solid klast\n");
    for triangle in &mesh.triangles {
        let corner = |k: usize| {
            mesh.points
                .get(triangle[k] as usize)
                .copied()
                .unwrap_or(DVec3::NAN)
        };
        let (a, b, c) = (corner(0), corner(1), corner(2));
        let n = (b - a).cross(c - a).normalize_or_zero();
        let _ = writeln!(text, "facet normal {} {} {}\nouter loop", n.x, n.y, n.z);
        for p in [a, b, c] {
            let _ = writeln!(text, "vertex {} {} {}", p.x, p.y, p.z);
        }
        text.push_str("endloop\nendfacet\n");
    }
    text.push_str("endsolid klast\n");
    text
}

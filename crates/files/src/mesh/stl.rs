//! STL triangle meshes, ASCII in full double precision and binary (which holds floats).
//!
//! Our own reader, because map coordinates of millions of metres lose half a metre as floats and
//! ASCII files hold them in full.

use crate::refusal::{Context as _, Result, bail, ensure};
use glam::DVec3;

use crate::mesh::triangles::Triangles;
use crate::text;

/// Reads either form; equal corners become one point.
///
/// # Errors
/// Anything that is neither form, a coordinate that is not finite, a facet without three corners, floats too coarse for
/// their facets.
pub fn read(bytes: &[u8]) -> Result<Triangles> {
    let corners = if is_binary(bytes) {
        binary(bytes)?
    } else {
        ascii(bytes)?
    };
    ensure!(!corners.is_empty(), Missing, "STL: no facet"; "one or more");
    let mesh = Triangles::welded(corners.into_iter());
    if is_binary(bytes) {
        mesh.single_precision_holds().context("STL")?;
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
        "STL: {stated} binary facets are stated, the file holds {held}"
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
    let text = text::ascii(bytes).context("STL")?;
    let is = |word: Option<&str>, name: &str| word.is_some_and(|w| w.eq_ignore_ascii_case(name));
    ensure!(
        is(text.split_whitespace().next(), "solid"),
        Syntax,
        "STL: neither binary of the stated length nor text that begins with 'solid NAME'"
    );
    let mut corners = Vec::new();
    let mut in_facet = 0;
    for (line, text) in text.lines().enumerate() {
        let mut words = text.split_whitespace();
        match words.next() {
            word if is(word, "vertex") => {
                let numbers: Vec<f64> = words.map_while(|w| w.parse().ok()).collect();
                let [x, y, z] = numbers[..] else {
                    bail!(Value, "STL line {}: a vertex of {} numbers in '{}'", line + 1, numbers.len(), crate::text::excerpt(text); "3");
                };
                let corner = DVec3::new(x, y, z);
                ensure!(
                    corner.is_finite(),
                    Value,
                    "STL line {}: a corner that is not finite",
                    line + 1
                );
                corners.push(corner);
                in_facet += 1;
            }
            word if is(word, "endfacet") => {
                ensure!(in_facet == 3, Value, "STL line {}: a facet of {in_facet} corners", line + 1; "3");
                in_facet = 0;
            }
            _ => {}
        }
    }
    ensure!(in_facet == 0, Truncated, "STL: the last facet does not end");
    Ok(corners)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Triangles {
        let p = |x, y| DVec3::new(2_800_000.123_456_7 + x, y, 0.1);
        Triangles {
            points: vec![p(0.0, 0.0), p(1.0, 0.0), p(1.0, 1.0), p(0.0, 1.0)],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }

    #[test]
    fn ascii_keeps_every_bit_of_large_coordinates() {
        assert_eq!(read(write(&square()).as_bytes()).unwrap(), square());
    }

    #[test]
    fn binary_is_told_by_its_length() {
        let mut bytes = vec![0; 84];
        bytes[80] = 1;
        for i in 0..12u8 {
            bytes.extend(f32::from(i).to_le_bytes());
        }
        bytes.extend([0; 2]);
        let mesh = read(&bytes).unwrap();
        assert_eq!(mesh.points[0], DVec3::new(3.0, 4.0, 5.0));
        assert_eq!(mesh.triangles, [[0, 1, 2]]);
        // Bytes after the last facet belong to nothing; a file that breaks off is refused.
        assert_eq!(read(&[&bytes[..], b"\r\n"].concat()).unwrap(), mesh);
        // A facet of a metre in map coordinates: floats near 2,600,000 are 0.25 m apart (2^21 to 2^22 by 2^-2).
        let far = [
            [2.6e6f32, 1.2e6],
            [2_600_001.0, 1.2e6],
            [2.6e6, 1_200_001.0],
        ];
        let mut coarse = bytes[..84].to_vec();
        coarse.extend([0; 12]);
        let numbers = far.iter().flat_map(|[x, y]| [*x, *y, 500.0]);
        coarse.extend(numbers.flat_map(f32::to_le_bytes));
        coarse.extend([0; 2]);
        let said = format!("{:#}", read(&coarse).unwrap_err());
        assert!(said.contains("single precision are 0.25 m apart"), "{said}");
        let short = read(&bytes[..100]).unwrap_err().to_string();
        assert!(
            short.contains("1 binary facets are stated, the file holds 0"),
            "{short}"
        );
    }

    #[test]
    fn broken_files_name_the_line() {
        for (text, cause) in [
            ("", "solid"),
            ("solid\nendsolid", "no facet"),
            ("solid\nvertex 1 2", "line 2"),
            ("solid\nvertex 1 2 nan", "not finite"),
            ("solid\nvertex 1 2 3\nendfacet", "a facet of 1"),
            ("solid\nvertex 1 2 3", "does not end"),
        ] {
            let error = format!("{:#}", read(text.as_bytes()).unwrap_err());
            assert!(error.contains(cause), "{text}: {error}");
        }
    }
}

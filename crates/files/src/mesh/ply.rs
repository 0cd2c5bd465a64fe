//! PLY meshes: ASCII and binary in either order of bytes; corners and faces, all other elements and properties passed
//! over.

use crate::refusal::{Context as _, Result, bail, ensure, refusal};
use glam::DVec3;

use crate::mesh::triangles::Triangles;

/// Scalars of the format, by both of their names.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            other => bail!(Unsupported, "type '{other}'"; "char to uint, float, double"),
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

struct Property {
    name: String,
    /// Type of the length of a list.
    list: Option<Scalar>,
    scalar: Scalar,
}

struct Element {
    name: String,
    count: usize,
    properties: Vec<Property>,
}

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Ascii,
    Little,
    Big,
}

/// Reads corners and faces; faces of more than three corners become fans.
///
/// # Errors
/// Another format, a header that is not understood, a body that is too short, a corner that is not finite or not there.
pub fn read(bytes: &[u8]) -> Result<Triangles> {
    read_mesh(bytes).context("PLY")
}

fn read_mesh(bytes: &[u8]) -> Result<Triangles> {
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    let (encoding, elements, body) = header(bytes)?;
    let mut source = Source {
        encoding,
        bytes: body,
        words: Vec::new().into_iter(),
    };
    if encoding == Encoding::Ascii {
        let text = crate::text::ascii(body)?;
        source.words = text
            .split_ascii_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
            .into_iter();
    }
    let mut mesh = Triangles::default();
    for element in &elements {
        for _ in 0..element.count {
            let mut corner = [f64::NAN; 3];
            for property in &element.properties {
                let axis = ["x", "y", "z"]
                    .iter()
                    .position(|name| *name == property.name)
                    .filter(|_| element.name == "vertex" && property.list.is_none());
                if let Some(axis) = axis {
                    corner[axis] = source.scalar(property.scalar)?;
                } else if element.name == "face" && property.name.starts_with("vertex_ind") {
                    fan(&mut mesh, &source.property(property)?)?;
                } else {
                    source.pass_over(property)?;
                }
            }
            if element.name == "vertex" {
                let corner = DVec3::from(corner);
                ensure!(corner.is_finite(), Value, "corner {} is not finite", mesh.points.len(); "x, y and z");
                mesh.points.push(corner);
            }
        }
    }
    let strips = elements.iter().any(|e| e.name == "tristrips");
    ensure!(!mesh.triangles.is_empty(), Missing, "{}", match strips {
            true => "strips of triangles in place of faces",
            false => "no face: a cloud of points (CloudCompare makes a mesh of it, or a raster)",
        }; "one face or more");
    let corners = mesh.points.len();
    let worst = mesh.triangles.iter().flatten().max().copied().unwrap_or(0) as usize;
    ensure!(worst < corners, Value, "a face has corner {worst}"; "below {corners}");
    let single =
        |p: &Property| ["x", "y", "z"].contains(&p.name.as_str()) && p.scalar == Scalar::F32;
    let vertex = elements.iter().filter(|e| e.name == "vertex");
    let floats = vertex.flat_map(|e| &e.properties).any(single);
    if floats && encoding != Encoding::Ascii {
        mesh.single_precision_holds()?;
    }
    Ok(mesh)
}

fn fan(mesh: &mut Triangles, corners: &[f64]) -> Result<()> {
    let index = |x: f64| -> Result<u32> {
        ensure!(
            x >= 0.0 && x.fract() == 0.0 && x <= f64::from(u32::MAX),
            Value, "corner {x} of a face"; "a whole number"
        );
        Ok(x as u32)
    };
    ensure!(corners.len() >= 3, Value, "a face of {} corners", corners.len(); "3 or more");
    for pair in corners[1..].windows(2) {
        mesh.triangles
            .push([index(corners[0])?, index(pair[0])?, index(pair[1])?]);
    }
    Ok(())
}

fn header(bytes: &[u8]) -> Result<(Encoding, Vec<Element>, &[u8])> {
    let mut rest = bytes;
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    let mut first = true;
    loop {
        let end = rest
            .iter()
            .position(|b| *b == b'\n')
            .ok_or_else(|| refusal!(Truncated, "no end_header"; "a PLY file"))?;
        let line = String::from_utf8_lossy(&rest[..end]);
        rest = &rest[end + 1..];
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        ensure!(!first || words == ["ply"], Syntax, "does not begin with 'ply'"; "a PLY file");
        first = false;
        match words[..] {
            ["format", name, _] => {
                encoding = Some(match name {
                    "ascii" => Encoding::Ascii,
                    "binary_little_endian" => Encoding::Little,
                    "binary_big_endian" => Encoding::Big,
                    other => {
                        bail!(Unsupported, "format '{other}'"; "ascii, binary_little_endian, binary_big_endian")
                    }
                });
            }
            ["element", name, count] => {
                let count = count
                    .parse()
                    .map_err(|_| refusal!(Value, "'{line}'"; "a whole number of elements"))?;
                elements.push(Element {
                    name: name.to_owned(),
                    count,
                    properties: Vec::new(),
                });
            }
            ["property", "list", length, scalar, name] => {
                let property = Property {
                    name: name.to_owned(),
                    list: Some(Scalar::named(length)?),
                    scalar: Scalar::named(scalar)?,
                };
                elements
                    .last_mut()
                    .ok_or_else(|| refusal!(Syntax, "a property before any element"))?
                    .properties
                    .push(property);
            }
            ["property", scalar, name] => {
                let property = Property {
                    name: name.to_owned(),
                    list: None,
                    scalar: Scalar::named(scalar)?,
                };
                elements
                    .last_mut()
                    .ok_or_else(|| refusal!(Syntax, "a property before any element"))?
                    .properties
                    .push(property);
            }
            ["end_header"] => break,
            [] | ["ply"] | ["comment" | "obj_info", ..] => {}
            _ => {
                bail!(Unsupported, "header line '{line}'"; "format, element, property, comment, end_header")
            }
        }
    }
    // An element without properties would take no byte of the body and any count of turns.
    let empty = elements
        .iter()
        .find(|e| e.properties.is_empty() && e.count > 0);
    ensure!(empty.is_none(), Missing, "an element without properties"; "one or more");
    Ok((
        encoding.ok_or_else(
            || refusal!(Unsupported, "no format"; "ascii, binary_little_endian, binary_big_endian"),
        )?,
        elements,
        rest,
    ))
}

/// The body: words or bytes.
struct Source<'a> {
    encoding: Encoding,
    bytes: &'a [u8],
    words: std::vec::IntoIter<String>,
}

impl Source<'_> {
    fn property(&mut self, property: &Property) -> Result<Vec<f64>> {
        let count = self.count(property)?;
        (0..count).map(|_| self.scalar(property.scalar)).collect()
    }

    /// Number of values of a property.
    fn count(&mut self, property: &Property) -> Result<usize> {
        let Some(length) = property.list else {
            return Ok(1);
        };
        let count = self.scalar(length)?;
        ensure!(count >= 0.0 && count.fract() == 0.0 && count < 1e6, Syntax, "a list of {count}"; "0 to 1e6");
        Ok(count as usize)
    }

    /// Goes past the values of a property that is not used. Their words may be anything: for the normal of a facet
    /// without an area programs write `-nan(ind)` or `1.#QNAN`.
    fn pass_over(&mut self, property: &Property) -> Result<()> {
        for _ in 0..self.count(property)? {
            match self.encoding {
                Encoding::Ascii => drop(self.word()?),
                _ => drop(self.scalar(property.scalar)?),
            }
        }
        Ok(())
    }

    fn word(&mut self) -> Result<String> {
        self.words
            .next()
            .ok_or_else(|| refusal!(Truncated, "the body ends before its elements"))
    }

    fn scalar(&mut self, scalar: Scalar) -> Result<f64> {
        if self.encoding == Encoding::Ascii {
            let word = self.word()?;
            return word
                .parse()
                .map_err(|_| refusal!(Value, "'{word}'"; "a number"));
        }
        let (head, rest) = self
            .bytes
            .split_at_checked(scalar.bytes())
            .ok_or_else(|| refusal!(Truncated, "the body ends before its elements"))?;
        self.bytes = rest;
        let mut eight = [0u8; 8];
        let own = &mut eight[..head.len()];
        own.copy_from_slice(head);
        if self.encoding == Encoding::Big {
            own.reverse();
        }
        let four = [eight[0], eight[1], eight[2], eight[3]];
        Ok(match scalar {
            Scalar::I8 => f64::from(eight[0] as i8),
            Scalar::U8 => f64::from(eight[0]),
            Scalar::I16 => f64::from(i16::from_le_bytes([eight[0], eight[1]])),
            Scalar::U16 => f64::from(u16::from_le_bytes([eight[0], eight[1]])),
            Scalar::I32 => f64::from(i32::from_le_bytes(four)),
            Scalar::U32 => f64::from(u32::from_le_bytes(four)),
            Scalar::F32 => f64::from(f32::from_le_bytes(four)),
            Scalar::F64 => f64::from_le_bytes(eight),
        })
    }
}

//! VTK's XML file of an unstructured grid, `.vtu`: bodies as solid polyhedra, one cell each, so that a value belongs to
//! a body and not to its facets, and ParaView cuts and thresholds whole bodies.
//!
//! Polyhedra are VTK's cell type 42: beside their points they list their faces, each with its count before it.

use std::fmt::Write as _;

use klast_geometry::{ConvexPolyhedron, Pose};

use crate::mesh::vtk::{Values, array, values};

const POLYHEDRON: u8 = 42;

/// Solid bodies over one list of points, with values on bodies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solids {
    /// Coordinates in metres.
    pub points: Vec<[f64; 3]>,
    /// The facets of each body as indices of points, counter-clockwise seen from outside.
    pub bodies: Vec<Vec<Vec<usize>>>,
    /// The first point of each body.
    first: Vec<usize>,
    /// Values on bodies: a name with its unit, 1 or 3 numbers a body.
    pub values: Vec<Values>,
}

impl Solids {
    /// Adds a body where it stands.
    pub fn add(&mut self, shape: &ConvexPolyhedron, pose: &Pose) {
        let (corners, facets) = placed(shape, pose);
        let first = self.points.len();
        let shifted = facets
            .into_iter()
            .map(|f| f.into_iter().map(|i| i + first).collect());
        self.bodies.push(shifted.collect());
        self.first.push(first);
        self.points.extend(corners);
    }

    /// The text of a `.vtu` file.
    #[must_use]
    pub fn vtu(&self) -> String {
        let mut text = String::from("<?xml version=\"1.0\"?>\n");
        text.push_str(
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n",
        );
        let (points, bodies) = (self.points.len(), self.bodies.len());
        let _ = writeln!(
            text,
            "<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{bodies}\">\n<Points>"
        );
        let coordinates = self.points.iter().flatten();
        array(&mut text, "Float64", "Points", 3, coordinates);
        text.push_str("</Points>\n<Cells>\n");
        let ends = self
            .first
            .iter()
            .skip(1)
            .copied()
            .chain([points])
            .take(bodies);
        array(&mut text, "Int64", "connectivity", 1, 0..points);
        array(&mut text, "Int64", "offsets", 1, ends);
        let types = std::iter::repeat_n(POLYHEDRON, bodies);
        array(&mut text, "UInt8", "types", 1, types);
        let (mut faces, mut ends) = (Vec::new(), Vec::new());
        for body in &self.bodies {
            faces.push(body.len());
            for face in body {
                faces.push(face.len());
                faces.extend(face);
            }
            ends.push(faces.len());
        }
        array(&mut text, "Int64", "faces", 1, faces.iter());
        array(&mut text, "Int64", "faceoffsets", 1, ends.iter());
        text.push_str("</Cells>\n");
        values(&mut text, "CellData", &self.values);
        text.push_str("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
        text
    }
}

/// Corners and facets of a body where it stands.
#[must_use]
pub fn placed(shape: &ConvexPolyhedron, pose: &Pose) -> (Vec<[f64; 3]>, Vec<Vec<usize>>) {
    let corners = shape.vertices().iter();
    let corners = corners
        .map(|&v| pose.transform_point(v).to_array())
        .collect();
    let facet = |f| {
        shape
            .facet_vertices(f)
            .iter()
            .map(|&v| v as usize)
            .collect()
    };
    (corners, (0..shape.facets().len()).map(facet).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use klast_geometry::Solid;

    /// The numbers of one array of a file.
    fn numbers(text: &str, name: &str) -> Vec<f64> {
        let start = text.find(&format!("Name=\"{name}\"")).unwrap();
        let body = &text[start..];
        let body = &body[body.find('>').unwrap() + 1..body.find("</DataArray>").unwrap()];
        body.split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect()
    }

    /// Read back as the format says: counts, running ends, faces that close (each edge twice, once in each direction).
    #[test]
    fn two_bodies_read_back_as_closed_polyhedra() {
        let (cube, tetrahedron) = (
            Solid::Cube.with_size(1.0).unwrap(),
            Solid::Tetrahedron.with_size(1.0).unwrap(),
        );
        let mut solids = Solids::default();
        solids.add(&cube, &Pose::IDENTITY);
        solids.add(&tetrahedron, &Pose::from_translation(DVec3::X * 2.0));
        solids.values.push(Values {
            name: "speed_m_s".into(),
            components: 1,
            numbers: vec![0.0, 1e-17],
        });
        let text = solids.vtu();
        assert!(text.contains("NumberOfPoints=\"12\" NumberOfCells=\"2\""));
        assert_eq!(numbers(&text, "Points").len(), 36);
        assert_eq!(numbers(&text, "types"), [42.0, 42.0]);
        assert_eq!(numbers(&text, "offsets"), [8.0, 12.0]);
        assert_eq!(numbers(&text, "connectivity").len(), 12);
        assert_eq!(numbers(&text, "speed_m_s"), [0.0, 1e-17]);
        let (faces, ends) = (numbers(&text, "faces"), numbers(&text, "faceoffsets"));
        assert_eq!(*ends.last().unwrap() as usize, faces.len());
        let mut start = 0;
        for (end, count) in ends.iter().zip([6, 4]) {
            let list: Vec<usize> = faces[start..*end as usize]
                .iter()
                .map(|&n| n as usize)
                .collect();
            assert_eq!(list[0], count);
            let (mut at, mut edges) = (1, std::collections::BTreeSet::new());
            for _ in 0..count {
                let face = &list[at + 1..=at + list[at]];
                for (k, &from) in face.iter().enumerate() {
                    assert!(edges.insert((from, face[(k + 1) % face.len()])));
                }
                at += list[at] + 1;
            }
            assert_eq!(at, list.len());
            assert!(edges.iter().all(|&(p, q)| edges.contains(&(q, p))));
            start = *end as usize;
        }
    }
}

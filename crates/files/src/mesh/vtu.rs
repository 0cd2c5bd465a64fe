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
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
                header_type=\"UInt64\">\n<UnstructuredGrid>\n",
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

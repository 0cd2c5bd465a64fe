//! One frame of a scene of bodies: contacts as vertices, bodies as polygons, and fields over both.

use glam::DVec3;
use klast_geometry::{ConvexPolyhedron, Pose};

use crate::mesh::vtk::{PolyData, Values};
use crate::mesh::vtu::placed;

/// A frame in the making. All contacts come before the first body: the order in which ParaView counts cells.
pub struct Frame(PolyData);

impl Frame {
    /// An empty frame with fields of these names and numbers an item.
    pub fn new(fields: &[(&str, usize)]) -> Self {
        let empty = |&(name, components): &(&str, usize)| Values::new(name, components, Vec::new());
        Self(PolyData {
            cell_values: fields.iter().map(empty).collect(),
            ..PolyData::default()
        })
    }

    /// Adds a contact with its numbers in each field.
    pub fn contact(&mut self, point: DVec3, numbers: &[&[f64]]) {
        self.0.vertices.push(self.0.points.len());
        self.0.points.push(point.to_array());
        self.enter(numbers, 1);
    }

    /// Adds a body, all of whose faces have the same numbers in each field.
    pub fn body(&mut self, shape: &ConvexPolyhedron, pose: &Pose, numbers: &[&[f64]]) {
        let (corners, facets) = placed(shape, pose);
        let cells = self.0.add_body(&corners, &facets);
        self.enter(numbers, cells);
    }

    fn enter(&mut self, numbers: &[&[f64]], cells: usize) {
        for (field, own) in self.0.cell_values.iter_mut().zip(numbers) {
            (0..cells).for_each(|_| field.numbers.extend_from_slice(own));
        }
    }

    /// What is written.
    pub fn finish(self) -> PolyData {
        self.0
    }
}

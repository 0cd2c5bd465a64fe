//! Files that other programs write and open. A reader takes bytes, never a path, and answers any
//! bytes with a value or an error; paths belong to the commands.

pub mod frame;
pub mod geojson;
#[cfg(feature = "geotiff")]
pub mod geotiff;
pub mod obj;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod stl;
pub mod vtk;
pub mod vtu;

use glam::DVec3;

/// Points in metres and triangles of their indices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Triangles {
    /// Corners.
    pub points: Vec<DVec3>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
}

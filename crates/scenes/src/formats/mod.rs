//! Files that other programs write and open. A reader takes bytes, never a path, and answers any
//! bytes with a value or an error; paths belong to the commands.

pub mod band_metadata;
pub mod by_ending;
pub mod cure;
pub mod digits;
pub mod frame;
pub mod geojson;
#[cfg(feature = "geopackage")]
pub mod geopackage;
pub mod geotiff;
pub mod las;
pub(crate) mod layers;
mod no_data;
pub mod obj;
mod other_meshes;
mod packed;
pub mod placement;
pub mod ply;
pub mod points;
pub mod raster;
pub mod shapefile;
pub mod shapes;
pub mod stated_unit;
pub mod stl;
pub mod table;
pub mod text;
pub mod triangles;
pub mod vtk;
pub mod vtu;

//! The tests of this crate as one program: each module is one subject.

mod attacks;
mod cases;
mod cloud;
mod corpus;
mod corpus_digests;
mod crs;
mod esri_ascii;
mod files_of_users;
mod geojson;
mod geotiff;
mod meshes;
mod paraview;
mod sentences;
mod shapefiles;
mod texts;

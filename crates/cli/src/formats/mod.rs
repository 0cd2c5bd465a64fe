//! Files that other programs open.

pub mod vtk;

//! Triangles in space: the meshes that are read (STL, OBJ, PLY), and those that are written for ParaView (VTK, VTU).

pub mod frame;
pub mod obj;
pub mod ply;
pub mod stated_unit;
pub mod stl;
pub mod triangles;
pub mod vtk;
pub mod vtu;

//! The tests of this crate as one program: each module is one subject.

mod common;

mod energy;
mod facet;
mod law;
mod packing;
mod penetration;
mod projectile;
mod rotation;
mod store;
mod voronoi;
mod wall;
mod world;

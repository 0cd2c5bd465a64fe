//! The tests of this crate as one program: each module is one subject.

mod common;

mod closest;
mod extremes;
mod followed;
mod frustum;
mod held;
mod hull;
mod joined;
mod manifold;
mod mesh_mass;
mod nearest;
mod overhang;
mod overlap;
mod plane_contact;
mod slender_mass;
mod solids;
mod terrain;

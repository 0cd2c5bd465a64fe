//! Numbers side by side, one in each lane of a vector unit.

use glam::{DMat3, DVec3};

/// Groups side by side. A contact waits for the one before in its group: with eight lanes a unit for four numbers has a
/// second chain to work on meanwhile, and a wider one is filled.
pub(in crate::bodies) const LANES: usize = 8;

pub(in crate::bodies) type Lane = [f64; LANES];
pub(in crate::bodies) type Vector = [Lane; 3];
/// By columns.
pub(in crate::bodies) type Matrix = [Vector; 3];

pub(in crate::bodies) const ZERO: Vector = [[0.0; LANES]; 3];

#[inline(always)]
pub(in crate::bodies) fn put<const N: usize>(vector: &mut [[f64; N]; 3], lane: usize, v: DVec3) {
    (vector[0][lane], vector[1][lane], vector[2][lane]) = (v.x, v.y, v.z);
}

#[inline(always)]
pub(in crate::bodies) fn get<const N: usize>(vector: &[[f64; N]; 3], lane: usize) -> DVec3 {
    DVec3::new(vector[0][lane], vector[1][lane], vector[2][lane])
}

pub(in crate::bodies) fn put_matrix(matrix: &mut Matrix, lane: usize, m: &DMat3) {
    put(&mut matrix[0], lane, m.x_axis);
    put(&mut matrix[1], lane, m.y_axis);
    put(&mut matrix[2], lane, m.z_axis);
}

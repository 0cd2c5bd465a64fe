//! States of bodies in numpy arrays that Python holds for the life of a world.

use glam::{DQuat, DVec3};
use numpy::PyReadwriteArray2;
use pyo3::prelude::*;

use crate::errors::input;

/// Where a body stands, how it is turned, its velocity and its angular velocity.
pub struct BodyState {
    /// m.
    pub position: DVec3,
    /// Attitude.
    pub turn: DQuat,
    /// m/s.
    pub velocity: DVec3,
    /// rad/s.
    pub spin: DVec3,
}

/// Puts states into arrays (N, 3), (N, 4) as w x y z, and (N, 6) as velocity and angular velocity.
///
/// # Errors
/// An array is not contiguous.
pub fn fill(
    mut positions: PyReadwriteArray2<f64>,
    mut quaternions: PyReadwriteArray2<f64>,
    mut velocities: PyReadwriteArray2<f64>,
    states: impl Iterator<Item = BodyState>,
) -> PyResult<()> {
    let gaps = |_| input(anyhow::anyhow!("an array with gaps; accepted: contiguous"));
    let positions = positions.as_slice_mut().map_err(gaps)?.chunks_exact_mut(3);
    let quaternions = quaternions.as_slice_mut().map_err(gaps)?;
    let velocities = velocities.as_slice_mut().map_err(gaps)?.chunks_exact_mut(6);
    let rows = positions
        .zip(quaternions.chunks_exact_mut(4))
        .zip(velocities);
    for (state, ((p, q), v)) in states.zip(rows) {
        let turn = state.turn;
        p.copy_from_slice(&state.position.to_array());
        q.copy_from_slice(&[turn.w, turn.x, turn.y, turn.z]);
        v[..3].copy_from_slice(&state.velocity.to_array());
        v[3..].copy_from_slice(&state.spin.to_array());
    }
    Ok(())
}

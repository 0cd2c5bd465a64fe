//! The kernels, a file for each crate whose work they do. Inputs are made here, from fixed rules.

pub mod basin;
pub mod bodies;
pub mod contact;
pub mod grains;
pub mod rockfall;
pub mod rocking;

use glam::{DQuat, DVec3};

/// Fractional parts of multiples of irrational numbers (Kronecker sequence): even enough, and no generator.
pub(crate) fn part(i: u32, factor: f64) -> f64 {
    (f64::from(i) * factor).fract()
}

/// Attitudes and spins that fill their spaces evenly enough.
pub(crate) fn spread(i: u32) -> (DQuat, DVec3) {
    let axis = DVec3::new(
        part(i, 0.618) - 0.5,
        part(i, 0.414) - 0.5,
        part(i, 0.732) - 0.45,
    );
    let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::Z), 6.0 * part(i, 0.236));
    let spin = DVec3::new(
        part(i, 0.302) - 0.5,
        part(i, 0.541) - 0.5,
        part(i, 0.193) - 0.5,
    );
    (turn, 4.0 * spin)
}

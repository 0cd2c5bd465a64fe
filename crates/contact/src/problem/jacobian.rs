//! The bodies behind an assembled problem: `W = H M⁻¹ Hᵀ`.

use glam::{DMat3, DVec3};

/// How a contact sees one body that moves: three rows of `H`, as columns for the velocity of its centre and its
/// rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Side {
    pub body: u32,
    pub linear: [DVec3; 3],
    pub angular: [DVec3; 3],
}

/// `H` by contacts, and `M` by bodies that move.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Jacobian {
    pub sides: Vec<[Option<Side>; 2]>,
    pub mass: Vec<(f64, DMat3)>,
}

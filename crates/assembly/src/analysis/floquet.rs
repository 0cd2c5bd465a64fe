//! Stability of a periodic motion.

use super::eigen::eigenvalues;
use super::return_map::{ReturnMap, apart};
use crate::assembly::Assembly;
use crate::error::AssemblyError;

/// A Floquet multiplier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Multiplier {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Multiplier {
    /// Modulus: below 1 a disturbance dies out.
    #[must_use]
    pub fn modulus(&self) -> f64 {
        libm::hypot(self.re, self.im)
    }
}

/// Multipliers of a periodic motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Floquet {
    /// All multipliers, the largest modulus first: two for each cluster at that instant.
    pub multipliers: Vec<Multiplier>,
    /// How far the motion is from repeating itself, in units of u0 and u0 Ω.
    pub residual: f64,
}

impl Floquet {
    /// Largest modulus; 0 without a free cluster.
    #[must_use]
    pub fn spectral_radius(&self) -> f64 {
        self.multipliers.first().map_or(0.0, Multiplier::modulus)
    }
}

/// Multipliers of the motion that `run` repeats after `period` drive periods, seen from the present instant; choose one
/// that is no impact.
///
/// Clusters are disturbed as wholes, coordinate and slip of each; a cluster held by a wall forgets a disturbance at
/// once and has two multipliers zero.
///
/// # Errors
/// A motion without a period.
pub fn floquet(run: &Assembly, period: u64) -> Result<Floquet, AssemblyError> {
    let map = ReturnMap::new(run, period)?;
    let home = map.home();
    let residual = apart(&home, &map.image(&home)?);
    Ok(Floquet {
        multipliers: multipliers(&map.jacobian(&home)?),
        residual,
    })
}

/// Eigenvalues of the derivative of a return map, the largest modulus first.
pub(super) fn multipliers(matrix: &[Vec<f64>]) -> Vec<Multiplier> {
    let mut all: Vec<Multiplier> = eigenvalues(matrix)
        .into_iter()
        .map(|(re, im)| Multiplier { re, im })
        .collect();
    all.sort_by(|a, b| {
        b.modulus()
            .total_cmp(&a.modulus())
            .then(b.im.total_cmp(&a.im))
    });
    all
}

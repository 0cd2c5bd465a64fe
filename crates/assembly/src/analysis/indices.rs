//! The thesis' indices of a row.

use crate::assembly::Assembly;
use crate::observe::BlockState;
use crate::row::Block;

/// What the indices are measured by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndexReference {
    /// Moment of inertia of the reference configuration, kg m².
    pub inertia: f64,
    /// Reference kinetic energy ½ M (1 + e_wall)² V², J, with V the peak velocity of the basin
    /// ([`crate::BasinMotion::peak_velocity`]).
    pub energy: f64,
}

impl IndexReference {
    /// The most compact configuration: all blocks touching. For equal blocks m s² N (N² − 1)/12.
    #[must_use]
    pub fn compact(run: &Assembly) -> Self {
        let mut at = 0.0;
        let places: Vec<BlockState> = run
            .blocks()
            .iter()
            .map(|b| {
                let left = at;
                at += b.size;
                BlockState {
                    left,
                    right: at,
                    velocity: 0.0,
                    free: 0.0,
                    slip: 0.0,
                }
            })
            .collect();
        Self {
            inertia: inertia(run.blocks(), &places).1,
            energy: reference_energy(run),
        }
    }

    /// The configuration at the time reached; taken at time zero it is that of (9.3).
    #[must_use]
    pub fn present(run: &Assembly) -> Self {
        Self {
            inertia: inertia(run.blocks(), &run.state()).1,
            energy: reference_energy(run),
        }
    }
}

fn reference_energy(run: &Assembly) -> f64 {
    let mass: f64 = run.blocks().iter().map(|b| b.mass).sum();
    let start = (1.0 + run.basin().restitution.wall) * run.basin().motion.peak_velocity();
    0.5 * mass * start * start
}

/// Centroid (9.1) and moment of inertia about it (9.2); each block counts as a point mass at its middle.
fn inertia(blocks: &[Block], state: &[BlockState]) -> (f64, f64) {
    let mass: f64 = blocks.iter().map(|b| b.mass).sum();
    let middle = |s: &BlockState| 0.5 * (s.left + s.right);
    let centroid = blocks
        .iter()
        .zip(state)
        .map(|(b, s)| b.mass * middle(s))
        .sum::<f64>()
        / mass;
    let second = blocks
        .iter()
        .zip(state)
        .map(|(b, s)| b.mass * (middle(s) - centroid).powi(2))
        .sum();
    (centroid, second)
}

/// Indices of the row at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AssemblyIndices {
    /// Mass centroid in the laboratory, m: Σ m x / Σ m, equation (9.1) of Čeh (2018).
    pub centroid: f64,
    /// Its velocity, m/s.
    pub centroid_velocity: f64,
    /// Moment of inertia about the centroid, kg m²: Σ m (x − x_cm)², equation (9.2).
    pub inertia: f64,
    /// Moment-of-inertia index, equation (9.3): inertia over that of the reference; 1 for a single block.
    pub inertia_index: f64,
    /// Kinetic energy in the laboratory, J.
    pub kinetic: f64,
    /// Kinetic-energy index: kinetic energy over ½ M (1 + e_wall)² V²; V = u0 Ω for a harmonic motion.
    pub kinetic_index: f64,
}

impl AssemblyIndices {
    /// Indices at the time `run` has reached.
    #[must_use]
    pub fn of(run: &Assembly, reference: &IndexReference) -> Self {
        Self::of_state(run.blocks(), &run.state(), reference)
    }

    /// Indices of a given state.
    #[must_use]
    pub fn of_state(blocks: &[Block], state: &[BlockState], reference: &IndexReference) -> Self {
        let (centroid, second) = inertia(blocks, state);
        let mass: f64 = blocks.iter().map(|b| b.mass).sum();
        let momentum: f64 = blocks
            .iter()
            .zip(state)
            .map(|(b, s)| b.mass * s.velocity)
            .sum();
        let kinetic = blocks
            .iter()
            .zip(state)
            .map(|(b, s)| 0.5 * b.mass * s.velocity * s.velocity)
            .sum();
        // A single point mass has no inertia: its index is 1 by definition.
        let inertia_index = if reference.inertia > 0.0 {
            second / reference.inertia
        } else {
            1.0
        };
        let kinetic_index = if reference.energy > 0.0 {
            kinetic / reference.energy
        } else {
            0.0
        };
        Self {
            centroid,
            centroid_velocity: momentum / mass,
            inertia: second,
            inertia_index,
            kinetic,
            kinetic_index,
        }
    }
}

//! What stays the same during a run.

use crate::chain::ImpactRule;
use crate::isotonic::{self, Pool};
use crate::motion::Bounds;
use crate::row::{Basin, Block};
use klast_numerics::mutant;

/// Impacts closer in time than this part of the drive period are one event.
const SIMULTANEOUS: f64 = 1e-13;

/// The basin, the blocks and the scales in which a run is judged.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) basin: Basin,
    pub(crate) blocks: Vec<Block>,
    pub(crate) rule: ImpactRule,
    /// Basin length less all block sizes, m.
    pub(crate) free: f64,
    /// Whether all blocks have one coefficient of friction.
    pub(crate) even_friction: bool,
    /// Bounds of the basin motion in the frame of a run.
    pub(crate) bounds: Bounds,
    /// Approach speeds up to this one are plastic, m/s.
    pub(crate) cutoff: f64,
    /// Gaps above this one are no tangent touch, whatever the rounding, m.
    pub(crate) touch: f64,
    pub(crate) velocity_scale: f64,
    /// Characteristic period, s.
    pub(crate) scale_time: f64,
}

impl Model {
    /// Number of blocks.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Time within which two impacts are one event, s.
    #[inline]
    pub(crate) fn simultaneous(&self) -> f64 {
        SIMULTANEOUS * self.scale_time
    }

    pub(crate) fn mass_of(&self, first: usize, last: usize) -> f64 {
        self.blocks[first..=last].iter().map(|b| b.mass).sum()
    }

    /// Friction over mass of one block, m/s².
    pub(crate) fn friction_deceleration(&self, block: usize) -> f64 {
        self.blocks[block].friction * self.basin.gravity * mutant::factor("basin-friction", 0.999)
    }

    /// Basin accelerations that make the first pool of a resting group slide: to the right and to the left.
    pub(crate) fn thresholds(&self, first: usize, last: usize) -> (f64, f64) {
        if self.even_friction {
            let threshold = self.friction_deceleration(first);
            return (threshold, threshold);
        }
        let lowest = |pools: Vec<Pool>| {
            pools
                .iter()
                .map(|p| p.value.abs())
                .fold(f64::INFINITY, f64::min)
        };
        (
            lowest(self.pools(first, last, 1.0)),
            lowest(self.pools(first, last, -1.0)),
        )
    }

    /// Pools of the blocks `first..=last` when each is held back by its own floor friction while moving `side`-wards.
    pub(crate) fn pools(&self, first: usize, last: usize, side: f64) -> Vec<Pool> {
        let mut pools = Vec::new();
        for b in &self.blocks[first..=last] {
            isotonic::push(&mut pools, b.mass, -side * b.friction * self.basin.gravity);
        }
        pools
    }
}

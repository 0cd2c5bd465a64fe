//! The loads that what carries the bodies puts on them: gravity less its own acceleration.

use glam::DVec3;
use klast_dynamics::World;
use serde::{Deserialize, Serialize};

/// Velocities that differ by less (m/s) are those of one motion.
const ALIKE: f64 = 1e-12;

/// Accelerations of all that is not free, as long as it moves as one and does not turn, and as the bodies do at the
/// start.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Shaking {
    velocity: [f64; 3],
    /// Bounds of the acceleration in each axis (m/s²).
    low: [f64; 3],
    high: [f64; 3],
    /// Whether the motion is one.
    alike: bool,
}

impl Shaking {
    /// The start, where the free bodies move as one.
    pub fn new(world: &World) -> Self {
        let mut free = (0..world.len()).filter(|&i| world.is_free(i));
        let of = |i: usize| world.state(i).map(|s| s.velocity).unwrap_or_default();
        let first = free.next().map_or(DVec3::ZERO, |i| of(i).linear);
        let all = (0..world.len()).filter(|&i| world.is_free(i));
        Self {
            velocity: first.to_array(),
            alike: all
                .map(of)
                .all(|v| v.linear == first && v.angular == DVec3::ZERO),
            ..Self::default()
        }
    }

    /// Enters a step (s).
    pub fn enter(&mut self, world: &World, step: f64) {
        let before = DVec3::from(self.velocity);
        let mut carriers = (0..world.len())
            .filter(|&i| !world.is_free(i))
            .filter_map(|i| world.state(i).map(|s| s.velocity));
        // Planes alone do not move.
        let first = carriers.next().unwrap_or_default();
        let same = carriers.all(|v| (v.linear - first.linear).length() < ALIKE);
        self.alike &= same && first.angular == DVec3::ZERO;
        let acceleration = (first.linear - before) / step;
        self.low = DVec3::from(self.low).min(acceleration).to_array();
        self.high = DVec3::from(self.high).max(acceleration).to_array();
        self.velocity = first.linear.to_array();
    }

    /// The corners of the box that holds all loads (m/s²): an equilibrium under each is one under all, since loads in
    /// equilibrium make a cone. Empty where the motions are not one.
    pub fn loads(&self, gravity: DVec3) -> Vec<DVec3> {
        if !self.alike {
            return vec![];
        }
        let mut loads = vec![];
        for corner in 0..8 {
            let of = |axis: usize| match corner >> axis & 1 {
                0 => self.low[axis],
                _ => self.high[axis],
            };
            let load = gravity - DVec3::from_array(std::array::from_fn(of));
            if !loads.contains(&load) {
                loads.push(load);
            }
        }
        loads
    }
}

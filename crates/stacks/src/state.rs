//! Where the blocks of a stack are and how fast they turn.

use super::configuration::{Configuration, Pivot};
use super::{MAX_BLOCKS, Row, Stack};
use klast_numerics::OutOfRange;
use klast_numerics::check::require;
use klast_rocking::RockingError;

/// Rotations of a stack at one time, stored interface by interface.
///
/// Relative rotations φ_k = θ_k − θ_{k−1} are kept, not the absolute ones: the last hops before an interface shuts are
/// far below the round-off of θ.
#[derive(Debug, Clone, PartialEq)]
pub struct StackState {
    /// Time (s).
    pub time: f64,
    pub(super) configuration: Configuration,
    pub(super) phi: Row,
    pub(super) phi_rate: Row,
}

impl StackState {
    /// `blocks` blocks at rest on their base at time 0.
    #[must_use]
    pub fn rest(blocks: usize) -> Self {
        Self {
            time: 0.0,
            configuration: Configuration::rest(blocks),
            phi: Row::from_elem(0.0, blocks.min(MAX_BLOCKS)),
            phi_rate: Row::from_elem(0.0, blocks.min(MAX_BLOCKS)),
        }
    }

    /// From the relative rotations (rad) and rates (rad/s) of the interfaces, base first. An interface whose rotation
    /// and rate are both zero is shut.
    pub fn from_relative(time: f64, phi: &[f64], phi_rate: &[f64]) -> Result<Self, RockingError> {
        if phi.len() != phi_rate.len() || phi.is_empty() || phi.len() > MAX_BLOCKS {
            return Err(OutOfRange::new(
                "number of rotations of a stack (as many rates)",
                phi.len(),
                "1 to 100",
            )
            .into());
        }
        require("time (s)", time, true, "finite")?;
        let mut made = Self::rest(phi.len());
        made.time = time;
        for (k, (&angle, &rate)) in phi.iter().zip(phi_rate).enumerate() {
            made.phi[k] = require(
                "relative rotation (rad)",
                angle,
                angle.abs() < 4.0,
                "under 4",
            )?;
            made.phi_rate[k] = require("relative rate (rad/s)", rate, true, "finite")?;
            let decisive = if angle == 0.0 { rate } else { angle };
            made.configuration.set(k, Pivot::of_sign(decisive));
        }
        Ok(made)
    }

    /// From the absolute rotations θ (rad) and rates (rad/s) of the blocks, lowest first.
    pub fn from_angles(time: f64, angle: &[f64], rate: &[f64]) -> Result<Self, RockingError> {
        let differences = |values: &[f64]| -> Vec<f64> {
            let below = std::iter::once(&0.0).chain(values);
            values
                .iter()
                .zip(below)
                .map(|(here, under)| here - under)
                .collect()
        };
        Self::from_relative(time, &differences(angle), &differences(rate))
    }

    /// The same state at the instant at which `interface` comes down: its rotation is zero, its pivot the one it came
    /// on. Where the rotation is exactly zero, that is the side which the rate leaves.
    #[must_use]
    pub fn landing(mut self, interface: usize) -> Self {
        if interface < self.len() {
            let leaves = Pivot::of_sign(self.phi_rate[interface]);
            if self.phi[interface] == 0.0 && self.configuration.pivot(interface) == leaves {
                let came = Pivot::of_sign(-self.phi_rate[interface]);
                self.configuration.set(interface, came);
            }
            self.phi[interface] = 0.0;
        }
        self
    }

    /// The same rotations and rates with these corners in contact, for integrators whose trial steps pass an event.
    #[must_use]
    pub fn in_configuration(mut self, configuration: Configuration) -> Self {
        for k in 0..self.len() {
            self.configuration.set(k, configuration.pivot(k));
        }
        self
    }

    /// Which corners are in contact.
    #[must_use]
    pub fn configuration(&self) -> Configuration {
        self.configuration
    }

    /// How many blocks stand.
    #[must_use]
    pub fn len(&self) -> usize {
        self.configuration.len()
    }

    /// True when all blocks have fallen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.configuration.is_empty()
    }

    /// Relative rotation of interface `k` (rad).
    #[must_use]
    pub fn relative(&self, k: usize) -> f64 {
        self.phi.get(k).copied().unwrap_or(0.0)
    }

    /// Relative rate of interface `k` (rad/s).
    #[must_use]
    pub fn relative_rate(&self, k: usize) -> f64 {
        self.phi_rate.get(k).copied().unwrap_or(0.0)
    }

    /// Rotation θ of block `j` (rad, clockwise).
    #[must_use]
    pub fn angle(&self, j: usize) -> f64 {
        self.phi.iter().take(j + 1).sum()
    }

    /// Rate of block `j` (rad/s).
    #[must_use]
    pub fn rate(&self, j: usize) -> f64 {
        self.phi_rate.iter().take(j + 1).sum()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.configuration.truncate(len);
        self.phi.truncate(len);
        self.phi_rate.truncate(len);
    }
}

impl Stack {
    /// Kinetic energy relative to the base plus potential energy above the base (J) of the standing blocks; not a
    /// number for a state of more blocks than the stack has.
    #[must_use]
    pub fn energy(&self, state: &StackState) -> f64 {
        if state.len() > self.len() {
            return f64::NAN;
        }
        let table = super::chain::LeverTable::new(self, &state.configuration);
        let (mut energy, mut pivot, mut velocity) = (
            0.0,
            super::chain::Vec2::default(),
            super::chain::Vec2::default(),
        );
        for (j, block) in self.blocks().iter().enumerate().take(state.len()) {
            let (sin, cos) = super::sincos::sin_cos(state.angle(j));
            let rate = state.rate(j);
            let centre = table.levers()[j].centre.turned(cos, sin);
            let speed = velocity + centre.turn_rate() * rate;
            energy += 0.5 * (block.mass * speed.dot(speed) + block.inertia() * rate * rate)
                + block.mass * self.gravity() * (pivot + centre).z;
            let lever = table.levers()[j].arm.turned(cos, sin);
            pivot = pivot + lever;
            velocity = velocity + lever.turn_rate() * rate;
        }
        energy
    }
}

impl Stack {
    /// A state must have a rotation for each block.
    pub(super) fn check_start(&self, start: &StackState) -> Result<(), RockingError> {
        match start.len() == self.len() {
            true => Ok(()),
            false => Err(OutOfRange::new(
                "number of rotations of the initial state",
                start.len(),
                "one a block",
            )
            .into()),
        }
    }
}

//! Everything that fixes a run, and the parameters that can be swept.

use crate::assembly::Assembly;
use crate::chain::ImpactRule;
use crate::error::AssemblyError;
use crate::motion::BasinMotion;
use crate::row::{Basin, Block, BlockRow, Restitution, Start};
use klast_numerics::OutOfRange;
use klast_numerics::check::within;

/// A row, its basin, its start and the impact rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Basin and motion.
    pub basin: Basin,
    /// Blocks.
    pub row: BlockRow,
    /// Start.
    pub start: Start,
    /// How chains of touching blocks collide.
    pub rule: ImpactRule,
}

/// A parameter of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// Amplitude u0 of a harmonic drive, m.
    Amplitude,
    /// Frequency f of a harmonic drive, Hz.
    Frequency,
    /// Inside length d of the basin, m.
    BasinLength,
    /// Restitution at the walls.
    WallRestitution,
    /// Restitution between blocks.
    BlockRestitution,
    /// Coefficient of friction, of all blocks.
    Friction,
    /// Number of blocks N: the first block is repeated, all touching as the first two did, the left gap kept.
    Count,
}

impl Scenario {
    /// Releases the row at time zero.
    ///
    /// # Errors
    /// As [`Assembly::new`].
    pub fn release(&self) -> Result<Assembly, AssemblyError> {
        Assembly::new(self.basin.clone(), &self.row, &self.start, self.rule)
    }

    /// The same scenario with one parameter changed.
    ///
    /// # Errors
    /// A value outside the range of the parameter; amplitude and frequency of a motion that is not harmonic.
    pub fn with(&self, parameter: Parameter, value: f64) -> Result<Self, AssemblyError> {
        let mut changed = self.clone();
        match parameter {
            Parameter::Amplitude | Parameter::Frequency => {
                let BasinMotion::Harmonic {
                    amplitude, omega, ..
                } = &mut changed.basin.motion
                else {
                    return Err(AssemblyError::NoPeriod);
                };
                if parameter == Parameter::Amplitude {
                    *amplitude = value;
                } else {
                    *omega = std::f64::consts::TAU * value;
                }
                changed.basin.motion.validate()?;
            }
            Parameter::BasinLength => {
                let gravity = changed.basin.gravity;
                let basin = Basin::new(value, changed.basin.motion, changed.basin.restitution)?;
                changed.basin = basin.with_gravity(gravity)?;
            }
            Parameter::WallRestitution => {
                changed.basin.restitution =
                    Restitution::new(value, changed.basin.restitution.block)?;
            }
            Parameter::BlockRestitution => {
                changed.basin.restitution =
                    Restitution::new(changed.basin.restitution.wall, value)?;
            }
            Parameter::Friction => {
                let blocks = changed
                    .row
                    .blocks()
                    .iter()
                    .map(|b| Block {
                        friction: value,
                        ..*b
                    })
                    .collect();
                changed.row = BlockRow::new(blocks)?;
            }
            Parameter::Count => changed.set_count(value)?,
        }
        Ok(changed)
    }

    fn set_count(&mut self, value: f64) -> Result<(), AssemblyError> {
        let (field, accepted) = ("number of blocks", "a whole number from 1 to 1,000,000");
        within(field, value, (1.0, 1e6), accepted)?;
        if value.fract() != 0.0 {
            return Err(OutOfRange::new(field, value, accepted).into());
        }
        let count = value as usize;
        let block = self.row.blocks()[0];
        let inner = self.start.gaps.get(1).copied().unwrap_or(0.0);
        let first = self.start.gaps.first().copied().unwrap_or(0.0);
        self.row = BlockRow::uniform(count, block)?;
        self.start.gaps = (0..count)
            .map(|i| if i == 0 { first } else { inner })
            .collect();
        Ok(())
    }
}

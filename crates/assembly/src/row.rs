//! The blocks, the basin they lie in and how they are released.

use crate::error::AssemblyError;
use crate::motion::BasinMotion;
use klast_numerics::OutOfRange;
use klast_numerics::check::{non_negative, positive, within};

/// One rigid block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Length along the row, m.
    pub size: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Coulomb coefficient of friction with the floor (static and kinetic alike).
    pub friction: f64,
}

/// The blocks from left to right; their order never changes.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockRow {
    blocks: Vec<Block>,
}

impl BlockRow {
    /// A row of given blocks.
    ///
    /// # Errors
    /// An empty row; a size, mass or friction that is negative or not finite; a zero size or mass.
    pub fn new(blocks: Vec<Block>) -> Result<Self, AssemblyError> {
        if blocks.is_empty() {
            return Err(OutOfRange::new("number of blocks", 0, "1 or more").into());
        }
        for (index, b) in blocks.iter().enumerate() {
            let item = |e: OutOfRange| e.at(index);
            positive("block size (m)", b.size).map_err(item)?;
            positive("block mass (kg)", b.mass).map_err(item)?;
            non_negative("block friction", b.friction).map_err(item)?;
        }
        Ok(Self { blocks })
    }

    /// `count` equal blocks.
    ///
    /// # Errors
    /// As [`BlockRow::new`].
    pub fn uniform(count: usize, block: Block) -> Result<Self, AssemblyError> {
        Self::new(vec![block; count])
    }

    /// The blocks from left to right.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Sum of all block sizes, m.
    #[must_use]
    pub fn total_size(&self) -> f64 {
        self.blocks.iter().map(|b| b.size).sum()
    }
}

/// Newton's coefficients of restitution. The thesis swaps its e1 and e2 between sections, hence the names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restitution {
    /// Between an end block and a wall.
    pub wall: f64,
    /// Between two blocks.
    pub block: f64,
}

impl Restitution {
    /// Both coefficients, each within [0, 1].
    ///
    /// # Errors
    /// A coefficient outside [0, 1] or not finite.
    pub fn new(wall: f64, block: f64) -> Result<Self, AssemblyError> {
        within("restitution at the wall", wall, (0.0, 1.0), "0 to 1")?;
        within("restitution between blocks", block, (0.0, 1.0), "0 to 1")?;
        Ok(Self { wall, block })
    }
}

/// A box with two walls and a floor that move together.
#[derive(Debug, Clone, PartialEq)]
pub struct Basin {
    /// Inside length, m.
    pub length: f64,
    /// Motion of the left wall, the floor and the right wall.
    pub motion: BasinMotion,
    /// Restitution of impacts.
    pub restitution: Restitution,
    /// Acceleration of gravity, m/s²; it enters through friction only.
    pub gravity: f64,
}

impl Basin {
    /// A basin on Earth (9.81 m/s²).
    ///
    /// # Errors
    /// A length that is not above zero and finite.
    pub fn new(
        length: f64,
        motion: BasinMotion,
        restitution: Restitution,
    ) -> Result<Self, AssemblyError> {
        let basin = Self {
            length,
            motion,
            restitution,
            gravity: 9.81,
        };
        basin.check_numbers()?;
        Ok(basin)
    }

    /// Checks the numbers of the basin and of its motion, which are open to be changed.
    ///
    /// # Errors
    /// As [`Basin::new`], [`Basin::with_gravity`], [`Restitution::new`] and [`BasinMotion::validate`].
    pub fn validate(&self) -> Result<(), AssemblyError> {
        self.check_numbers()?;
        self.motion.validate()
    }

    fn check_numbers(&self) -> Result<(), AssemblyError> {
        let Restitution { wall, block } = self.restitution;
        positive("basin length (m)", self.length)?;
        non_negative("gravity (m/s²)", self.gravity)?;
        Restitution::new(wall, block)?;
        Ok(())
    }

    /// The same basin under another gravity, m/s².
    ///
    /// # Errors
    /// A gravity that is negative or not finite.
    pub fn with_gravity(mut self, gravity: f64) -> Result<Self, AssemblyError> {
        self.gravity = gravity;
        self.check_numbers()?;
        Ok(self)
    }
}

/// Velocity of the blocks at time zero.
#[derive(Debug, Clone, PartialEq)]
pub enum StartVelocity {
    /// At rest in the laboratory while the basin already moves: the first contact is a kick.
    AtRest,
    /// Moving with the basin.
    WithBasin,
    /// Laboratory velocity of each block, m/s.
    Given(Vec<f64>),
}

/// Where the blocks lie and how fast they move at time zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// Free space in front of each block, m: `gaps[0]` to the left wall, `gaps[i]` to block `i − 1`.
    pub gaps: Vec<f64>,
    /// Velocities.
    pub velocity: StartVelocity,
}

impl Start {
    /// The whole row touching itself and the left wall.
    #[must_use]
    pub fn touching(count: usize, velocity: StartVelocity) -> Self {
        Self {
            gaps: vec![0.0; count],
            velocity,
        }
    }

    /// Equal gaps everywhere, both walls included: `free` is the free travel of the basin, m.
    #[must_use]
    pub fn spread(count: usize, free: f64, velocity: StartVelocity) -> Self {
        Self {
            gaps: vec![free / (count as f64 + 1.0); count],
            velocity,
        }
    }
}

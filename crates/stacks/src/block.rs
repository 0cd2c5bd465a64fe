//! The blocks of a stack and what follows from their sizes.

use super::MAX_BLOCKS;
use klast_numerics::OutOfRange;
use klast_numerics::check::require;
use klast_rocking::RockingError;

/// A homogeneous rectangular block standing upright.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StackBlock {
    /// Width b (m).
    pub width: f64,
    /// Height h (m).
    pub height: f64,
    /// Mass m (kg).
    pub mass: f64,
}

impl StackBlock {
    /// A block of this width (m), height (m) and mass (kg), all above 0.
    pub fn new(width: f64, height: f64, mass: f64) -> Result<Self, RockingError> {
        Ok(Self {
            width: require("width of a block (m)", width, width > 0.0, "above 0")?,
            height: require("height of a block (m)", height, height > 0.0, "above 0")?,
            mass: require("mass of a block (kg)", mass, mass > 0.0, "above 0")?,
        })
    }

    /// Moment of inertia about the centre, m (b² + h²)/12 (kg m²).
    #[must_use]
    pub fn inertia(&self) -> f64 {
        self.mass * (self.width * self.width + self.height * self.height) / 12.0
    }

    /// Half diagonal R (m).
    #[must_use]
    pub fn half_diagonal(&self) -> f64 {
        0.5 * libm::hypot(self.width, self.height)
    }

    /// Slenderness angle α = atan(b/h) (rad).
    #[must_use]
    pub fn slenderness(&self) -> f64 {
        libm::atan2(self.width, self.height)
    }
}

/// One to a hundred blocks on one another, centred, from the base upwards.
///
/// Contact between two blocks is as wide as the narrower of the two; the base is wider than all.
#[derive(Debug, Clone, PartialEq)]
pub struct Stack {
    blocks: Vec<StackBlock>,
    half: Vec<f64>,
    above: Vec<f64>,
    height: f64,
    gravity: f64,
}

impl Stack {
    /// A stack of these blocks, lowest first, under `gravity` (m/s²).
    pub fn new(blocks: &[StackBlock], gravity: f64) -> Result<Self, RockingError> {
        if blocks.is_empty() || blocks.len() > MAX_BLOCKS {
            return Err(
                OutOfRange::new("number of blocks of a stack", blocks.len(), "1 to 100").into(),
            );
        }
        require("gravity (m/s²)", gravity, gravity > 0.0, "above 0")?;
        let (mut half, mut above) = (vec![0.0; blocks.len()], vec![0.0; blocks.len()]);
        let (mut mass, mut height) = (0.0, 0.0);
        for (j, block) in blocks.iter().enumerate().rev() {
            StackBlock::new(block.width, block.height, block.mass)?;
            let below = if j == 0 {
                block.width
            } else {
                blocks[j - 1].width
            };
            half[j] = 0.5 * block.width.min(below);
            mass += block.mass;
            height += block.height;
            above[j] = mass;
        }
        Ok(Self {
            blocks: blocks.to_vec(),
            half,
            above,
            height,
            gravity,
        })
    }

    /// A stack of `count` equal blocks.
    pub fn uniform(count: usize, block: StackBlock, gravity: f64) -> Result<Self, RockingError> {
        if count > MAX_BLOCKS {
            return Err(OutOfRange::new("number of blocks of a stack", count, "1 to 100").into());
        }
        Self::new(&vec![block; count], gravity)
    }

    /// The blocks, lowest first.
    #[must_use]
    pub fn blocks(&self) -> &[StackBlock] {
        &self.blocks
    }

    /// How many blocks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Never: a stack has a block.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Gravity (m/s²).
    #[must_use]
    pub fn gravity(&self) -> f64 {
        self.gravity
    }

    /// Sum of the heights (m).
    #[must_use]
    pub fn total_height(&self) -> f64 {
        self.height
    }

    /// Slenderness angle of the whole, atan(b₁/Σh) (rad).
    #[must_use]
    pub fn total_slenderness(&self) -> f64 {
        libm::atan2(2.0 * self.half[0], self.height)
    }

    /// Half diagonal of the whole, with the width of the lowest block (m).
    #[must_use]
    pub fn total_half_diagonal(&self) -> f64 {
        0.5 * libm::hypot(2.0 * self.half[0], self.height)
    }

    /// Frequency parameter of the whole as one block, p = √(3g/4R) (rad/s).
    #[must_use]
    pub fn total_frequency(&self) -> f64 {
        (0.75 * self.gravity / self.total_half_diagonal()).sqrt()
    }

    /// Half width of the contact under block `interface` (m); 0 beyond the top.
    #[must_use]
    pub fn half_width(&self, interface: usize) -> f64 {
        self.half.get(interface).copied().unwrap_or(0.0)
    }

    /// Mass of block `interface` and of all above it (kg); 0 beyond the top.
    #[must_use]
    pub fn mass_above(&self, interface: usize) -> f64 {
        self.above.get(interface).copied().unwrap_or(0.0)
    }

    /// The block whose face an interface lies in, the one that reaches beyond the other; none for the base.
    pub(super) fn face_of(&self, interface: usize) -> Option<usize> {
        let below = interface.checked_sub(1)?;
        let wider = self.blocks.get(interface)?.width > self.blocks.get(below)?.width;
        Some(if wider { interface } else { below })
    }
}

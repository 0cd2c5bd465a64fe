//! Everything that fixes a run.

use crate::assembly::Assembly;
use crate::chain::ImpactRule;
use crate::error::AssemblyError;
use crate::row::{Basin, BlockRow, Start};

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

impl Scenario {
    /// Releases the row at time zero.
    ///
    /// # Errors
    /// As [`Assembly::new`].
    pub fn release(&self) -> Result<Assembly, AssemblyError> {
        Assembly::new(self.basin.clone(), &self.row, &self.start, self.rule)
    }
}

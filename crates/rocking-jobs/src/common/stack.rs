//! What the scenes of stacks share: blocks, restitution, outcomes.

use klast_stacks::{InterfaceRestitution, Pivot, Stack, StackBlock, StackOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use klast_runs::faults::{At as _, Fault, Faults};

/// A block of a stack.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Width (m), 1e-6 to 1e6.
    width_m: f64,
    /// Height (m), 1e-6 to 1e6.
    height_m: f64,
    /// Mass (kg), above 0.
    mass_kg: f64,
}

/// The stack of these blocks under a gravity (m/s²).
///
/// # Errors
/// Every number of a block that is out of its range; a stack that is none.
pub fn stack(blocks: &[Block], gravity: f64) -> Result<Stack, Faults> {
    let mut faults = Faults::default();
    let mut built = Vec::new();
    for (k, block) in blocks.iter().enumerate() {
        let lengths = [("width_m", block.width_m), ("height_m", block.height_m)];
        for (key, found) in lengths {
            let fault = || Fault::new(format!("blocks[{k}].{key}"), found).accepted("1e-6 to 1e6");
            faults.check((1e-6..=1e6).contains(&found), fault);
        }
        let own = StackBlock::new(block.width_m, block.height_m, block.mass_kg);
        built.extend(faults.take(&format!("blocks[{k}]"), own));
    }
    faults.or_all(|| Some(()))?;
    Stack::new(&built, gravity).at("blocks")
}

/// Restitution of the impacts at an interface.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Restitution {
    /// The impact at the corner that lands is plastic. The other interfaces can open at this impact.
    #[default]
    Housner,
    /// The relative angular velocity at the interface of the impact is `ratio` times the value that `housner` gives.
    /// Material dissipation then acts at this interface only.
    Relative {
        /// Fraction of the relative angular velocity, 0 to 1.
        ratio: f64,
    },
    /// The impulse acts at the distance `ratio` times half of the width from the middle of the interface.
    Offset {
        /// Fraction of the half width, 0 to 1.
        ratio: f64,
    },
    /// All angular velocities of the stack are multiplied by `factor` at each impact. This law is ill-posed: an
    /// interface closes in about sixty impacts, and each of them removes energy from the whole stack.
    AllRates {
        /// Factor on all angular velocities, 0 to 1.
        factor: f64,
    },
}

impl From<Restitution> for InterfaceRestitution {
    fn from(restitution: Restitution) -> Self {
        match restitution {
            Restitution::Housner => Self::Housner,
            Restitution::Relative { ratio } => Self::Relative { ratio },
            Restitution::Offset { ratio } => Self::Offset { ratio },
            Restitution::AllRates { factor } => Self::AllRates { factor },
        }
    }
}

/// Outcome of a stack.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Outcome {
    /// All blocks stand and rest at the end.
    #[default]
    #[serde(rename = "rest")]
    Rest,
    /// All blocks stand and rest at the end; at least one of them slid and none rocked.
    #[serde(rename = "slid")]
    Slid,
    /// All blocks stand; at least one of them slides at the end and none rocks.
    #[serde(rename = "sliding")]
    Sliding,
    /// All blocks stand; at least one of them rocks at the end.
    #[serde(rename = "rocking")]
    Rocking,
    /// The upper blocks fell; the last of them to the left.
    #[serde(rename = "partial overturning left")]
    PartialLeft,
    /// The upper blocks fell; the last of them to the right.
    #[serde(rename = "partial overturning right")]
    PartialRight,
    /// All blocks fell, the lowest to the left.
    #[serde(rename = "total overturning left")]
    TotalLeft,
    /// All blocks fell, the lowest to the right.
    #[serde(rename = "total overturning right")]
    TotalRight,
}

impl From<StackOutcome> for Outcome {
    fn from(outcome: StackOutcome) -> Self {
        match outcome {
            StackOutcome::Rest => Self::Rest,
            StackOutcome::Rocking => Self::Rocking,
            StackOutcome::Partial {
                side: Pivot::Left, ..
            } => Self::PartialLeft,
            StackOutcome::Partial { .. } => Self::PartialRight,
            StackOutcome::Total { side: Pivot::Left } => Self::TotalLeft,
            StackOutcome::Total { .. } => Self::TotalRight,
        }
    }
}

impl Outcome {
    /// Its name in `result.json`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Slid => "slid",
            Self::Sliding => "sliding",
            Self::Rocking => "rocking",
            Self::PartialLeft => "partial overturning left",
            Self::PartialRight => "partial overturning right",
            Self::TotalLeft => "total overturning left",
            Self::TotalRight => "total overturning right",
        }
    }
}

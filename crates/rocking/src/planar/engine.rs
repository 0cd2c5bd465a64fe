//! The model that a study is made with.

use super::state::Friction;

/// The model a batch, a map, a spectrum or a fragility is made with.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Engine {
    /// Blocks neither slide nor jump.
    #[default]
    NoSlip,
    /// Blocks slide, rock, slide while they rock, and jump.
    SlideRock(Friction),
}

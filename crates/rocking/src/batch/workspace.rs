//! What a batch works in.

use super::CaseResult;
use crate::free::FreeBlock;

/// Blocks on their way and results, kept from batch to batch.
#[derive(Debug, Clone, Default)]
pub struct BatchWorkspace {
    pub(super) results: Vec<CaseResult>,
    pub(super) free: Vec<FreeBlock>,
}

//! How many cells of one claim came out how.

use super::verdict::{Claim, Verdict};
use crate::CellResult;
use serde::Serialize;

/// How many cells of one claim came out how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Cells of the claim.
    pub of: usize,
    /// The product gives the value.
    pub agree: usize,
    /// It does not, for a stated reason.
    pub not_reproduced: usize,
    /// It does not, and the print is wrong.
    pub misprints: usize,
    /// It does not, and nothing explains it.
    pub failed: usize,
}

impl Count {
    /// Counts the cells of one claim.
    pub fn new<'a>(cells: impl IntoIterator<Item = &'a CellResult>, claim: Claim) -> Self {
        let mut count = Self::default();
        for cell in cells.into_iter().filter(|c| c.kind.claim() == claim) {
            count.of += 1;
            *match cell.verdict {
                v if v.agrees() => &mut count.agree,
                Verdict::NotReproduced => &mut count.not_reproduced,
                Verdict::Misprint => &mut count.misprints,
                _ => &mut count.failed,
            } += 1;
        }
        count
    }
}

//! Every case of the workspace.

use crate::Case;

/// Every case, by manual.
#[must_use]
pub fn cases() -> Vec<Case> {
    let manuals: [&[Case]; 1] = [crate::lumped_mass::CASES];
    manuals.concat()
}

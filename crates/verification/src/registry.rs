//! Every case of the workspace.

use crate::Case;

/// Every case, by manual.
#[must_use]
pub fn cases() -> Vec<Case> {
    let manuals: &[&[Case]] = &[
        crate::assembly::CASES,
        crate::contact::CASES,
        crate::dem::CASES,
        crate::lumped_mass::CASES,
        crate::rocfall3::CASES,
        crate::rockfall::CASES,
        crate::rocking::CASES,
        crate::statics::CASES,
        crate::stacks::CASES,
    ];
    manuals.concat()
}

//! Published results that klast computes again: the cases, by document, and the command that runs them.
//!
//! Tables, their comparison and the report are [`klast_comparison`]. The cases of a document are in one folder of this
//! crate, and [`registry`] lists them.

mod assembly;
pub mod command;
mod contact;
mod dem;
mod files;
mod lumped_mass;
pub mod registry;
mod rocfall3;
mod rockfall;
mod rocking;
mod shipped;
mod stacks;
mod statics;

pub use contact::{Posed, capsules, complementarity_problem, posed};
pub use files::embedded_file;

use klast_comparison::{Case, Context, Outcome, Suite, Table, Value};

/// Every table that the program was built with, joined with its case.
///
/// # Errors
/// Tables that do not fit.
pub fn suite() -> anyhow::Result<Suite> {
    Suite::join(files::embedded(), &registry::cases())
}
